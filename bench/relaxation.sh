#!/bin/sh
# The convex relaxation by interior point, on files and on built-in kinds of problem: which runs of
# soclcp-ipm do not reach the tolerance, or the floor that rounding sets, in so many factorisations?
#
#   bench/relaxation.sh TOOL [FILE...]
#
# KINDS (all that have no moving obstacle; "": none), SIZES ("3 30 300 3000 20000"), SEEDS ("1"),
# DIMENSIONS ("3 2"), TOL (1e-8), MOST (60 factorisations), LIMIT (60 seconds of the processor a run), FORM (of files that
# hold both: local). A line for each run that fails, with what `check` says of the problem
# where the criterion of existence is not met, and a summary.
set -eu
tool=$1
shift
: "${KINDS=random ill deficient deficient-global unsymmetric frictionless bilateral joints dense stack wall slope pile elastic mixed drum}"
: "${SIZES:=3 30 300 3000 20000}" "${DIMENSIONS:=3 2}" "${TOL:=1e-8}" "${MOST:=60}" "${LIMIT:=60}"
: "${FORM:=}" "${SEEDS:=1}"
export OPENBLAS_NUM_THREADS=1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
: >"$dir/table"

field() { sed -n "s/.*\"$1\": *\"\{0,1\}\([^,\"}]*\).*/\1/p" "$dir/json"; }

look() { # name file
  : >"$dir/json"
  (ulimit -t "$LIMIT" && exec "$tool" solve --json --no-diagnose --method soclcp-ipm --tol "$TOL" \
    ${FORM:+--form "$FORM"} "$2") >"$dir/json" 2>/dev/null || true
  iterations=$(field iterations) error=$(field error) floor=$(field floor)
  verdict=$(awk -v e="${error:-1}" -v n="${iterations:-0}" -v f="${floor:-null}" -v t="$TOL" -v most="$MOST" \
    'BEGIN { least = f == "null" || f + 0 < t ? t : f
             print (e + 0 > least + 0) ? "error" : (n + 0 > most) ? "long" : "good" }')
  if [ "$verdict" = error ]; then
    (ulimit -t "$LIMIT" && exec "$tool" check --no-solve ${FORM:+--form "$FORM"} "$2") >"$dir/check" 2>/dev/null || true
    head -n 1 "$dir/check" | grep -q 'ROBUST\|EXISTS' || verdict=uncertified
  fi
  echo "$verdict ${iterations:-0}" >>"$dir/table"
  [ "$verdict" = good ] || printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$(field contacts)" "$verdict" \
    "${iterations:-?}" "${error:-?}" "$(sed -n 's/.*"reason": "\([^"]*\)".*/\1/p' "$dir/json")"
}

printf 'problem\tcontacts\tfails by\tfactorisations\terror\treason\n'
for file; do look "$(basename "$file")" "$file"; done
for kind in $KINDS; do
  for d in $DIMENSIONS; do
    for contacts in $SIZES; do
      [ "$kind" != dense ] || [ "$contacts" -le 300 ] || continue
      for seed in $SEEDS; do
        "$tool" generate "$kind" --dimension "$d" --contacts "$contacts" --seed "$seed" \
          --out "$dir/problem.hdf5" >/dev/null 2>&1 || continue
        look "$kind-$contacts-${d}d-seed$seed" "$dir/problem.hdf5"
      done
    done
  done
done
awk '{ n[$1]++; sum += $1 == "good" ? $2 : 0 }
  END { printf "%d runs: %d good (%.1f factorisations on the average), %d too long, %d not reached, %d not certified\n",
        NR, n["good"], n["good"] ? sum / n["good"] : 0, n["long"], n["error"], n["uncertified"] }' "$dir/table"
