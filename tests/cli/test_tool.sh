#!/bin/bash
# The tool itself: help, version, man page, completion, flags and wrong usage.
. "$(dirname "$0")/common.sh"

run 2
has err "Usage: slipcone"
is_empty out

run 0 --version
grep -qxE 'slipcone [0-9]+\.[0-9]+\.[0-9]+' out || fail "--version printed $(cat out)"

run 0 --help
for command in solve info convert generate list bench profile; do
  has out "  $command "
  "$SLIPCONE" "$command" --help >help-$command || fail "$command --help gave $?"
  grep -q "^Usage: slipcone $command " help-$command || fail "$command --help has no usage line"
  "$SLIPCONE" "$command" -h | cmp -s - help-$command || fail "$command -h differs from --help"
done
for flag in method tol max-iter time-limit set threads warm-start out json trace form; do
  grep -qE -- "^  --$flag( |$)" help-solve || fail "solve --help lacks --$flag"
done
# The help of a common option comes from the library: it is there, and not empty.
grep -qE -- '^  --tol T +[a-z]' help-solve || fail "solve --help says nothing of --tol"
awk 'length > 79 { print FILENAME ": " $0; bad = 1 } END { exit bad }' help-* ||
  fail "lines over 79 columns"

# ---- Wrong usage ---------------------------------------------------------------------------------

refused "unknown command 'sovle'; did you mean 'solve'?" sovle
refused "unknown command 'xyzzy'" xyzzy
refused "unknown command ''" ""
refused "unknown flag '--frobnicate'" --frobnicate
refused "unknown flag '--frobnicate'" solve --frobnicate x.hdf5
refused "unknown flag '-x'" solve -x x.hdf5
refused "unknown flag '--tolerance'; did you mean '--tol'?" solve --tolerance=1 x.hdf5
refused "unknown flag '--to'" solve --to 1 x.hdf5
refused "unknown flag '--tabel'; did you mean '--table'?" solve --tabel x.hdf5
refused "unknown flag '-josn'; did you mean '--json'?" check -josn x.hdf5
refused "unknown flag '--frobnicate'; see 'slipcone solve --help'" solve --frobnicate x.hdf5
refused "the flag --tol needs a value" solve x.hdf5 --tol
refused "the flag --json takes no value, not 'yes'" solve --json=yes x.hdf5
refused "missing operand" solve
refused "missing operand" solve --json
refused "missing operand" convert only-one
refused "'three' is one operand too many" convert one two three
refused "'extra' is one operand too many" list nsgs extra
refused "unexpected argument 'solve'" --version solve
refused "only for bash, zsh and fish" --completion tcsh

# ---- A standard output that cannot be written ----------------------------------------------------

if [ -w /dev/full ]; then
  for arguments in --help --man "list" "solve --help"; do
    # shellcheck disable=SC2086
    "$SLIPCONE" $arguments >/dev/full 2>err
    [ $? -eq 2 ] || fail "'$arguments' onto a full disk is not an error"
    has err "standard output cannot be written"
  done
fi

# ---- Man page and completion ---------------------------------------------------------------------

run 0 --man
has out ".TH SLIPCONE 1"
for command in solve info convert generate list bench profile; do
  has out "slipcone $command "
done
has out '\-\-max\-iter'
if command -v groff >/dev/null; then
  groff -man -Tascii -ww -z out 2>err || fail "groff refuses the man page"
  is_empty err
fi

run 0 --completion bash
cp out completion
bash -n completion || fail "the completion is no bash script"
complete_words() { # words typed so far; the last is being completed
  bash -c '. ./completion; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _slipcone 2>/dev/null
    printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}
offers() { # expected, words...
  local expected=$1
  shift
  complete_words "$@" | grep -qxF -- "$expected" || fail "completing '$*' does not offer $expected"
}
offers solve slipcone so
offers --version slipcone --v
offers --time-limit slipcone solve --ti
offers --reduce slipcone convert --r
offers nsgs slipcone solve --method ns
offers nsgs slipcone list ns
offers max-iter= slipcone solve --set max
offers global slipcone solve x.hdf5 --form g
offers random slipcone generate ran
touch some-file.hdf5
offers some-file.hdf5 slipcone solve some
offers some-file.hdf5 slipcone generate random --out some

# The other shells' scripts name every command and flag; where the shell is there it reads its own.
for shell in zsh fish; do
  run 0 --completion $shell
  cp out completion.$shell
  for command in solve info check convert generate list bench profile; do
    has out "$command"
    "$SLIPCONE" "$command" --help | grep -oE '^  --[a-z-]+' | sed 's/^  --//' >flags
    while IFS= read -r flag; do
      if [ $shell = zsh ]; then
        sed -n "/^  $command)/,/;;/p" out | grep -qF -- "--$flag[" || fail "$shell: $command --$flag"
      else
        grep -qF -- "from $command' -l $flag" out || fail "$shell: $command --$flag"
      fi
    done <flags
  done
  has out "nsgs-accelerated"
  # Outside quotes nothing is left over: an even number of single quotes that are not escaped.
  quotes=$(sed "s/'\\\\''//g; s/\\\\'//g" out | tr -cd "'" | wc -c)
  [ $((quotes % 2)) -eq 0 ] || fail "$shell: $quotes quotes"
  if command -v $shell >/dev/null; then
    $shell -n completion.$shell || fail "the completion is no $shell script"
  fi
done

finish
