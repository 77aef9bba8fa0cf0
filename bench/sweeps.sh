#!/bin/sh
# What a Gauss-Seidel sweep costs, as ratios taken in one run.
#
#   bench/sweeps.sh TOOL PEER LOCAL.hdf5...          ours (block) against a peer's
#   bench/sweeps.sh TOOL --forms GLOBAL.hdf5...      velocity form against block form
#
# PEER is a program called as PEER FILE NSGS TOL SECONDS that prints a line with the number of
# sweeps in column 6 and the CPU seconds in column 7. The same number of sweeps is then asked of
# the tool. Both sides run in turn, the minimum of REPEAT (5) runs of each counts.
set -eu
tool=$1 peer=$2
shift 2
: "${REPEAT:=5}" "${PEER_TOL:=1e-2}" "${SWEEPS:=1000}"
export OPENBLAS_NUM_THREADS=1

seconds() { # file, form, operator, sweeps
  "$tool" solve --form "$2" --method nsgs --tol 0 --max-iter "$4" --set operator="$3" \
    --set error-every=1000000000 --json "$1" | sed 's/.*"seconds": *\([^,}]*\).*/\1/' || true
}

min() { awk -v a="$1" -v b="$2" 'BEGIN { print (a + 0 < b + 0) ? a : b }'; }

printf '%-34s %8s %8s %14s %14s %7s\n' problem contacts sweeps 'ns ours' 'ns other' ratio
for file; do
  ours=1e9 other=1e9 sweeps=$SWEEPS
  contacts=$("$tool" info --json "$file" | sed 's/.*"contacts": *\([0-9]*\).*/\1/' | head -n 1)
  for _ in $(seq "$REPEAT"); do
    if [ "$peer" = --forms ]; then
      other=$(min "$other" "$(seconds "$file" global block "$sweeps")")
      ours=$(min "$ours" "$(seconds "$file" global velocity "$sweeps")")
    else
      line=$("$peer" "$file" NSGS "$PEER_TOL" 60)
      sweeps=$(echo "$line" | awk '{print $6}')
      other=$(min "$other" "$(echo "$line" | awk '{print $7}')")
      ours=$(min "$ours" "$(seconds "$file" local block "$sweeps")")
    fi
  done
  awk -v n="$(basename "$file" .hdf5)" -v c="$contacts" -v s="$sweeps" -v a="$ours" -v b="$other" \
    'BEGIN { k = 1e9 / (c * s); printf "%-34s %8d %8d %14.1f %14.1f %7.3f\n", n, c, s, a * k, b * k, a / b }'
done
