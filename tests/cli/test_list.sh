#!/bin/bash
# slipcone list.
. "$(dirname "$0")/common.sh"

run 0 list
grep -qE '^  nsgs +[^ ]' out || fail "list has no line for nsgs"
grep -qE '^  psor +[^ ]' out || fail "list has no line for psor"
has out "Start with auto"
lacks out "  nsgs-ac-gp "
is_empty err
[ "$(wc -l <out)" -lt 70 ] || fail "list has $(wc -l <out) lines"

# Each family is shown on request, with all of its methods.
methods=0
grep -E '^[^ ].*' out | sed -n '3,$p' | grep -vE "^'slipcone|^Numbers|^contact problems|^Start|^ipm reach" >families
while IFS= read -r family; do
  [ -n "$family" ] || continue
  run 0 list "$family"
  [ "$(head -n 1 out)" = "$family" ] || fail "list '$family'"
  methods=$((methods + $(grep -cE '^  [a-z]' out)))
done <families
run 0 list splitting
has out "  nsgs-ac-gp "

run 0 list psor
has out "omega="
has out "tol="
has out "max-iter="
run 0 list nsgs
lacks out "omega="
has out "Laws: coulomb, coulomb with associated flow, frictionless, bilateral, tresca, cohesive, cohesive with associated flow, rounded, capped"
has out "Dimensions: 2, 3"
run 0 list nsn-xsw
has out "Dimensions: 3"
lacks out "2, 3"
run 0 list pana
lacks out "associated flow"
lacks out "tresca"

refused "unknown method 'nsgz'; did you mean 'nsgs'?" list nsgz
refused "unknown method 'nothing-like-it'" list nothing-like-it
refused "unknown method 'splittin'; did you mean 'splitting'?" list splittin
# Numbers of equations come with the paper they are from.
run 0 list nsn-ac
has out "(eq. 63)"
has out "are those of Acary, Bremond and Huber"
run 0 list few
lacks out "Acary"

run 0 list --json
json methods common_options -lines=1
[ "$(grep -o '"family"' out | wc -l)" -eq "$methods" ] || fail "list and list --json differ"
run 0 list --json psor
json name=psor family summary laws dimensions options common_options -lines=1
has out '"name": "omega"'
refused "unknown method" list --json nope

finish
