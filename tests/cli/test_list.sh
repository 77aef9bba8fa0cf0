#!/bin/bash
# slipcone list.
. "$(dirname "$0")/common.sh"

run 0 list
grep -qE '^nsgs +[^ ]' out || fail "list has no line for nsgs"
grep -qE '^psor +[^ ]' out || fail "list has no line for psor"
is_empty err
methods=$(wc -l <out)

run 0 list psor
has out "omega="
has out "tol="
has out "max-iter="
run 0 list nsgs
lacks out "omega="
has out "Laws: coulomb, coulomb with associated flow, frictionless, bilateral, tresca"
has out "Dimensions: 2, 3"
run 0 list nsn-xsw
has out "Dimensions: 3"
lacks out "2, 3"
run 0 list pana
lacks out "associated flow"
lacks out "tresca"

refused "unknown method 'nsgz'; did you mean 'nsgs'?" list nsgz
refused "unknown method 'nothing-like-it'" list nothing-like-it

run 0 list --json
json methods common_options -lines=1
[ "$(grep -o '"family"' out | wc -l)" -eq "$methods" ] || fail "list and list --json differ"
run 0 list --json psor
json name=psor family summary laws dimensions options common_options -lines=1
has out '"name": "omega"'
refused "unknown method" list --json nope

finish
