# Sourced by the tests of the tool. $SLIPCONE is the tool, $JSON_CHECK the checker beside this
# file. Each test works in a scratch folder of its own and ends with `finish`.
set -u
: "${SLIPCONE:?the tool to test}" "${JSON_CHECK:?tests/cli/json_check, built}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# run CODE ARGUMENTS...: run the tool, leave its output in ./out and ./err, check its exit code.
run() {
  local expected=$1 code
  shift
  command_line="slipcone $*"
  "$SLIPCONE" "$@" >out 2>err </dev/null
  code=$?
  [ $code -eq "$expected" ] || {
    fail "'$command_line' gave $code, not $expected"
    cat out err
  }
}

# A file, here `out` or `err`, has or lacks a text (fixed, not a pattern).
has() {
  grep -qF -- "$2" "$1" || {
    fail "'$command_line': '$2' is not in $1:"
    cat "$1"
  }
}
lacks() { ! grep -qF -- "$2" "$1" || fail "'$command_line': '$2' is in $1"; }
is_empty() {
  [ ! -s "$1" ] || {
    fail "'$command_line': $1 is not empty:"
    cat "$1"
  }
}
exists() { [ -e "$1" ] || fail "'$command_line' left no $1"; }
missing() { [ ! -e "$1" ] || fail "'$command_line' left $1"; }
json() { "$JSON_CHECK" "$@" <out || fail "'$command_line': wrong JSON"; }

# Wrong usage: exit code 2, the sentence on stderr, nothing on stdout.
refused() { # sentence, arguments...
  local sentence=$1
  shift
  run 2 "$@"
  has err "$sentence"
  is_empty out
}

# No temporary file is left behind.
no_leftovers() {
  local left
  left=$(find . -name '*.tmp*' -o -name '*.XXX*')
  [ -z "$left" ] || fail "temporary files were left: $left"
}

finish() {
  no_leftovers
  [ $failures -eq 0 ] || {
    echo "$failures failures"
    exit 1
  }
}
