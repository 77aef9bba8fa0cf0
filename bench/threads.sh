#!/bin/sh
# How much faster two threads are than one on a pile of spheres, and whether they give the same
# error and gap to the last bit (a unit test compares the impulses). Needs a machine with nothing else to do.
#
#   bench/threads.sh TOOL
#
# CONTACTS (100000), TOL (1e-4), METHOD (auto), THREADS (2), REPEAT (9): the median of each counts,
# runs take turns.
set -eu
tool=$1
: "${CONTACTS:=100000}" "${TOL:=1e-4}" "${METHOD:=auto}" "${THREADS:=2}" "${REPEAT:=9}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$tool" generate pile --contacts "$CONTACTS" --out "$dir/pile.hdf5" >/dev/null

run() { # threads; what must not depend on them goes to $dir/$1
  "$tool" solve --json --no-diagnose --method "$METHOD" --tol "$TOL" --threads "$1" \
    "$dir/pile.hdf5" >"$dir/json" || true
  sed 's/.*\("outcome".*\), "seconds".*\("gap": [^,]*\).*/\1, \2/' "$dir/json" >"$dir/$1"
  sed 's/.*"seconds": *\([^,}]*\).*/\1/' "$dir/json"
}

median() { sort -g "$1" | awk '{ x[NR] = $1 } END { print (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2 }'; }

for _ in $(seq "$REPEAT"); do
  run 1 >>"$dir/one"
  run "$THREADS" >>"$dir/many"
done
one=$(median "$dir/one") many=$(median "$dir/many")
same=different
cmp -s "$dir/1" "$dir/$THREADS" && same='the same'
cat "$dir/1"
awk -v c="$CONTACTS" -v n="$THREADS" -v a="$one" -v b="$many" -v s="$same" 'BEGIN {
  printf "%d contacts: %.3f s with 1 thread, %.3f s with %d: %.2f times faster, %s error and gap\n", \
    c, a, b, n, a / b, s }'
