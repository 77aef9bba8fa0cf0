#!/bin/sh
# What the library's symbols tell: check_symbols.sh SHARED_LIBRARY STATIC_LIBRARY
#
# - the shared library exports only slip_ names, and some;
# - external names of the objects start with slip_ or slipi_;
# - no object holds mutable data (global or static);
# - no object prints, exits or aborts, except that the bench's child processes (child.c) end.
set -eu
shared=$1
static=$2
bad=0

report() { # text lines, why
  [ -z "$1" ] || {
    printf '%s:\n%s\n' "$2" "$1"
    bad=1
  }
}

exports=$(nm -D --defined-only "$shared" | awk '$2 != "A" { print $3 }')
[ -n "$exports" ] || {
  echo "$shared exports nothing"
  exit 1
}
report "$(printf '%s\n' "$exports" | grep -v '^slip_' || true)" \
  "exported, but without the prefix slip_"

# "archive:member:address type name" becomes "member type name"; an undefined one has no address.
objects=$(nm -A "$static" | awk '{ sub(/^[^:]*:/, ""); split($0, part, ":"); $0 = part[2]
  print part[1], $(NF - 1), $NF }')
[ -n "$objects" ] || {
  echo "$static has no symbols"
  exit 1
}
report "$(printf '%s\n' "$objects" | awk '$2 ~ /^[A-TV-Z]$/ && $3 !~ /^slipi?_/')" \
  "external, but without the prefix slip_ or slipi_"

# Constant tables of pointers are relocated once and then read-only: section .data.rel.ro, which
# nm shows as d or D like plain data, so ask objdump for the section.
report "$(objdump -t "$static" | awk '
  /file format/ { member = $1; sub(/:$/, "", member) }
  { for (k = 1; k <= NF; k++)
      if ($k ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && $k !~ /^\.data\.rel\.ro/ &&
          $NF !~ /^\./) print member, $NF }')" \
  "mutable data"

report "$(printf '%s\n' "$objects" | awk '!/^child\.c\.o U _exit$/ && $2 == "U" && $3 ~ \
  /^(_*printf(_chk)?|_*vprintf(_chk)?|puts|putchar|perror|exit|_exit|_Exit|quick_exit|abort|stdout|stderr|__assert_fail|raise|signal|system)$/')" \
  "prints, exits or aborts"
exit $bad
