#!/bin/sh
# Large walls, hyperstatic problems of rigid bodies, as a table:
#
#   bench/walls.sh TOOL [CONTACTS...]       (5000 10000 20000)
#
# DIMENSIONS ("3 2"), MU ("0.3 0.7 0.9"), SEEDS ("1 2 3"), METHOD (auto), TOL (1e-8), LIMIT (60
# seconds of the processor a run), FLAGS (more of them for solve). Seconds are of the processor, for
# the whole command: reading, set-up and solution. The last lines tell how many were solved, and for
# each dimension and mu the exponent p of seconds ~ contacts^p, by least squares over all runs.
set -eu
tool=$1
shift
[ $# -gt 0 ] || set -- 5000 10000 20000
: "${DIMENSIONS:=3 2}" "${MU:=0.3 0.7 0.9}" "${SEEDS:=1 2 3}" "${METHOD:=auto}" "${TOL:=1e-8}"
: "${LIMIT:=60}" "${FLAGS:=}"
export OPENBLAS_NUM_THREADS=1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

field() { sed -n "s/.*\"$1\": *\"\{0,1\}\([^,\"}]*\).*/\1/p" "$dir/json"; }

printf 'd\tmu\tcontacts\tseed\toutcome\terror\tseconds\tstages\n' | tee "$dir/table"
for d in $DIMENSIONS; do
  for mu in $MU; do
    for contacts; do
      for seed in $SEEDS; do
        "$tool" generate wall --dimension "$d" --mu "$mu" --contacts "$contacts" --seed "$seed" \
          --out "$dir/wall.hdf5" >/dev/null
        : >"$dir/json"
        # shellcheck disable=SC2086
        (ulimit -t "$LIMIT" &&
          exec /usr/bin/time -f '%U %S' -o "$dir/cost" "$tool" solve --json --no-diagnose \
            --method "$METHOD" --tol "$TOL" $FLAGS "$dir/wall.hdf5") >"$dir/json" 2>/dev/null || true
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$d" "$mu" "$contacts" "$seed" \
          "$(field outcome | grep . || echo LIMIT)" "$(field error)" \
          "$(awk 'NF == 2 { printf "%.2f", $1 + $2 }' "$dir/cost")" \
          "$(sed -n 's/.*"reason": "[^(]*(\([^)]*\)).*/\1/p' "$dir/json")" | tee -a "$dir/table"
      done
    done
  done
done
awk -F '\t' '
  NR == 1 { next }
  { all++; solved += $5 == "SOLVED" }
  $5 == "SOLVED" { key = $1 "D, mu = " $2; x = log($3); y = log($7)
    n[key]++; sx[key] += x; sy[key] += y; sxx[key] += x * x; sxy[key] += x * y
    worst[key] = $7 > worst[key] ? $7 : worst[key] }
  END { printf "solved: %d of %d\n", solved, all
    for (key in n) { v = n[key] * sxx[key] - sx[key] ^ 2
      if (v > 0.01) printf "%s: contacts^%.2f, at most %.2f s\n", key, (n[key] * sxy[key] - sx[key] * sy[key]) / v, worst[key] } }
' "$dir/table"
