#!/bin/sh
# How much faster two threads are than one, and whether they give the same error and gap to the last
# bit (unit tests compare the impulses): sweeps over a pile of spheres, interior point on a wall, and
# factorisations and solutions alone, where the build has bench_fronts
# (cmake --build BUILD --target bench_fronts). Needs a machine with nothing else to do.
#
#   bench/threads.sh TOOL
#
# CONTACTS (100000), TOL (1e-4), METHOD (auto) for the pile, WALL (20000) contacts of the wall, 0 for
# none; THREADS (2), REPEAT (9): the median of each counts, runs take turns. Of factorisations the
# least time counts.
set -eu
tool=$1
: "${CONTACTS:=100000}" "${TOL:=1e-4}" "${METHOD:=auto}" "${WALL:=20000}" "${THREADS:=2}" "${REPEAT:=9}"
fronts=$(dirname "$tool")/tests/bench_fronts
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

run() { # file, method, tolerance, threads; what must not depend on them goes to $dir/$4
  "$tool" solve --json --no-diagnose --method "$2" --tol "$3" --threads "$4" "$1" >"$dir/json" || true
  sed 's/.*\("outcome".*\), "seconds".*\("gap": [^,]*\).*/\1, \2/' "$dir/json" >"$dir/$4"
  sed 's/.*"seconds": *\([^,}]*\).*/\1/' "$dir/json"
}

median() { sort -g "$1" | awk '{ x[NR] = $1 } END { print (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2 }'; }

compare() { # contacts, file, method, tolerance
  : >"$dir/one" && : >"$dir/many"
  for _ in $(seq "$REPEAT"); do
    run "$2" "$3" "$4" 1 >>"$dir/one"
    run "$2" "$3" "$4" "$THREADS" >>"$dir/many"
  done
  one=$(median "$dir/one") many=$(median "$dir/many")
  same=different
  cmp -s "$dir/1" "$dir/$THREADS" && same='the same'
  cat "$dir/1"
  awk -v m="$3" -v c="$1" -v n="$THREADS" -v a="$one" -v b="$many" -v s="$same" 'BEGIN {
    printf "%s, %d contacts: %.3f s with 1 thread, %.3f s with %d: %.2f times faster, %s error and gap\n", \
      m, c, a, b, n, a / b, s }'
}

"$tool" generate pile --contacts "$CONTACTS" --out "$dir/pile.hdf5" >/dev/null
compare "$CONTACTS" "$dir/pile.hdf5" "$METHOD" "$TOL"
if [ "$WALL" -gt 0 ]; then
  "$tool" generate wall --contacts "$WALL" --mu 0.7 --out "$dir/wall.hdf5" >/dev/null
  compare "$WALL" "$dir/wall.hdf5" ipm 1e-8
fi
if [ -x "$fronts" ]; then
  "$fronts" --threads "$THREADS"
else
  echo "factorisations alone: $fronts is not built"
fi
