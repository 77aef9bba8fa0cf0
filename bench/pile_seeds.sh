#!/bin/sh
# Piles at high accuracy, seed by seed: processor seconds, error and stages of `auto`.
#
#   cmake --build build --target slipcone_cli
#   bench/pile_seeds.sh BUILD/slipcone
#
# CONTACTS (10000), SEEDS ("1 2 3 4 5 6 7 8 9 10"), TOLS ("1e-4 1e-6 1e-8"), LIMIT (20 seconds a run, by the
# clock: on a machine with other work more is needed), WITHIN (5: processor seconds the summary counts by).
set -eu
slipcone=$1
: "${CONTACTS:=10000}" "${SEEDS:=1 2 3 4 5 6 7 8 9 10}" "${TOLS:=1e-4 1e-6 1e-8}" "${LIMIT:=20}" "${WITHIN:=5}"
export OPENBLAS_NUM_THREADS=1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

printf '%4s %6s %9s %8s %8s  %s\n' seed tol error seconds user stages
: >"$dir/table"
for seed in $SEEDS; do
  "$slipcone" generate pile --contacts "$CONTACTS" --seed "$seed" --out "$dir/pile.hdf5" >/dev/null
  for tol in $TOLS; do
    /usr/bin/time -f %U -o "$dir/user" "$slipcone" solve "$dir/pile.hdf5" --tol "$tol" --json \
      --time-limit "$LIMIT" --no-diagnose >"$dir/result" 2>/dev/null || true
    value() { sed -n "s/.*\"$1\": \([^,}]*\).*/\1/p" "$dir/result"; }
    printf '%4s %6s %9.2e %8.2f %8.2f  %s\n' "$seed" "$tol" "$(value error)" "$(value seconds)" \
      "$(tail -n 1 "$dir/user")" "$(sed -n 's/.*\(([a-z][^()]*)\).*/\1/p' "$dir/result")" | tee -a "$dir/table"
  done
done
awk -v within="$WITHIN" '{ all[$2]++; solved[$2] += $3 + 0 <= $2 + 0; soon[$2] += $3 + 0 <= $2 + 0 && $5 <= within }
  END { for (tol in all) printf "%s: %d of %d solved, %d within %g s of the processor\n", tol, solved[tol], all[tol],
        soon[tol], within }' "$dir/table"
