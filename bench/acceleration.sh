#!/bin/sh
# Sweeps that two methods need, problem by problem, and their geometric means.
#
#   bench/acceleration.sh TOOL TOL FILE...
#
# METHODS ("nsgs nsgs-accelerated") are compared; a run that does not get there within SWEEPS
# (3000) counts as that many.
set -eu
tool=$1 tol=$2
shift 2
: "${METHODS:=nsgs nsgs-accelerated}" "${SWEEPS:=3000}"
export OPENBLAS_NUM_THREADS=1

field() { sed -n "s/.*\"$1\": *\"\{0,1\}\([^,}\"]*\).*/\1/p" | head -n 1; }

for file; do
  line=$(basename "$file" .hdf5)
  for method in $METHODS; do
    out=$("$tool" solve --json --no-diagnose --form "${FORM:-local}" --method "$method" \
      --tol "$tol" --max-iter "$SWEEPS" --time-limit 60 "$file" || true)
    outcome=$(echo "$out" | field outcome) sweeps=$(echo "$out" | field iterations)
    [ "$outcome" = SOLVED ] || sweeps=-1
    line="$line $sweeps"
  done
  echo "$line"
done | awk -v most="$SWEEPS" -v names="$METHODS" '
  { printf "%-34s", $1
    for (k = 2; k <= NF; k++) {
      s = $k < 0 ? most : ($k < 1 ? 1 : $k); fail[k] += $k < 0; sum[k] += log(s); v[k] = s
      printf " %9s", $k < 0 ? ">" most : $k }
    for (k = 3; k <= NF; k++) if (v[k] / v[2] > worst[k]) { worst[k] = v[k] / v[2]; which[k] = $1 }
    printf "\n"; n = NF }
  END { split(names, name, " ")
    for (k = 2; k <= n; k++)
      printf "%s: geometric mean %.1f of %d problems, %d not solved, at worst %.2f times (%s)\n", \
        name[k - 1], exp(sum[k] / NR), NR, fail[k], worst[k], which[k] }'
