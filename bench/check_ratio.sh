#!/bin/bash
# The existence check against one solve by the default method at 1e-8, file by file:
#     bench/check_ratio.sh SLIPCONE FILE...
# Milliseconds, the least of REPEAT (5) runs of each, taken in turn, on three clocks: the whole
# command by the wall, the processor time of the whole command, and what the tool reports (which
# leaves out reading, and for a solve also making ready: factoring M, forming W). A solve is cut at
# LIMIT (10) seconds, which makes it look faster. The global form is read; files without one are
# passed over.
set -eu
tool=$1
shift
: "${REPEAT:=5}" "${LIMIT:=10}"
export OPENBLAS_NUM_THREADS=1
TIMEFORMAT='%3R %3U %3S'
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# wall, processor, reported, verdict or outcome, ground
timed() { # command...
  { time "$tool" "$@" >"$scratch/out" 2>/dev/null || true; } 2>"$scratch/time"
  awk 'NR == FNR { wall = $1; cpu = $2 + $3; next }
    FNR == 1 { sub(/.*: /, ""); gsub(/ /, "_"); name = $0 }
    $1 == "time" { seconds = $2 }
    $1 == "iterations" && $3 == "in" { seconds = $4 }
    $1 == "solution?" { ground = $4 }
    END { printf "%.3f %.3f %.6f %s %s\n", 1e3 * wall, 1e3 * cpu, 1e3 * seconds, name,
          ground ? ground : "-" }' "$scratch/time" "$scratch/out"
}

printf 'problem\tcontacts\tverdict\tground\tsolve'
printf '\t%s check\tsolve\tratio' wall cpu reported
echo
for file; do
  contacts=$("$tool" info --form global --json "$file" 2>/dev/null |
    sed -n 's/.*"contacts": *\([0-9]*\).*/\1/p')
  [ -n "$contacts" ] || continue
  for _ in $(seq "$REPEAT"); do
    echo "check $(timed check --form global "$file")"
    echo "solve $(timed solve --form global --no-diagnose --time-limit "$LIMIT" --tol 1e-8 "$file")"
  done | awk -v n="$(basename "$file" .hdf5)" -v c="$contacts" '
    { for (k = 2; k <= 4; k++) if (!(($1, k) in least) || $k < least[$1, k]) least[$1, k] = $k }
    $1 == "check" { verdict = $5; ground = $6 }
    $1 == "solve" { outcome = $5 }
    END {
      printf "%s\t%d\t%s\t%s\t%s", n, c, verdict, ground, outcome
      for (k = 2; k <= 4; k++)
        printf "\t%.4g\t%.4g\t%.2f", least["check", k], least["solve", k],
               (least["solve", k] > 0 ? least["check", k] / least["solve", k] : 0)
      print "" }'
done
