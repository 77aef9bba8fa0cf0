#!/bin/sh
# Runs that are killed at random moments and started again on random numbers of processes end with
# the bits of a run that never was: test_kill.sh SLIPCONE_MPI MPIRUN [KILLS]
set -eu
tool=$1 mpirun=$2 kills=${3:-3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
state=$folder/state
solve() { # processes, flags...
  ranks=$1
  shift
  "$mpirun" -n "$ranks" "$tool" solve --pile 12000 --tol 1e-12 --max-iter 400 --json "$@"
}
bits() { sed -n 's/.*"impulses": "\([0-9a-f]*\)".*/\1/p'; }

begun=$(date +%s%N)
whole=$(solve 2 2>"$folder/err" | bits || true)
[ -n "$whole" ] || { echo "the run without a stop failed"; exit 1; }
took=$((($(date +%s%N) - begun) / 1000000)) # milliseconds
killed=0
seed=1
attempt=0
while [ "$killed" -lt "$kills" ]; do
  attempt=$((attempt + 1))
  rm -f "$state"
  ranks=2
  tries=0
  while :; do
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    wait=$((took / 10 + seed / 65536 * took * 7 / 327680))
    ranks=$((1 + seed / 256 % 3))
    tries=$((tries + 1))
    [ "$tries" -gt 3 ] && wait=600000 # let it end
    solve "$ranks" --checkpoint "$state" --every 0 >"$folder/out" 2>"$folder/err" &
    job=$!
    (sleep "$((wait / 1000)).$(printf %03d $((wait % 1000)))"; kill -KILL "$job" 2>/dev/null) &
    killer=$!
    if wait "$job" 2>/dev/null || [ -s "$folder/out" ]; then
      kill "$killer" 2>/dev/null || true
      break
    fi
    killed=$((killed + 1))
    sleep 0.3 # for the processes to be gone
  done
  got=$(bits <"$folder/out")
  [ "$got" = "$whole" ] || { echo "attempt $attempt: $got, expected $whole"; cat "$folder/err"; exit 1; }
done
echo "$killed kills, the same bits at the end of $attempt runs"
