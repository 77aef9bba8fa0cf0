#!/bin/sh
# Runs that are killed at random moments, by turns as a whole or one of their processes, and started
# again on random numbers of processes end with the bits of a run that never was; where a process
# dies, the run ends with a message that says so: test_kill.sh SLIPCONE_MPI MPIRUN [KILLS]
set -eu
tool=$1 mpirun=$2 kills=${3:-3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
state=$folder/state
solve() { # processes, flags...; the process becomes mpirun
  ranks=$1
  shift
  exec "$mpirun" -n "$ranks" "$tool" solve --pile 12000 --tol 1e-12 --max-iter 400 --json "$@"
}
bits() { sed -n 's/.*"impulses": "\([0-9a-f]*\)".*/\1/p'; }

begun=$(date +%s%N)
whole=$(solve 2 2>"$folder/err" | bits || true)
[ -n "$whole" ] || { echo "the run without a stop failed"; exit 1; }
took=$((($(date +%s%N) - begun) / 1000000)) # milliseconds
killed=0
ones=0
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
    rm -f "$folder/how"
    solve "$ranks" --checkpoint "$state" --every 0 >"$folder/out" 2>"$folder/err" &
    job=$!
    if [ "$tries" -gt 3 ]; then # let it end
      wait "$job" || [ -s "$folder/out" ] ||
        { echo "a run ended by itself: $(cat "$folder/err")"; exit 1; }
      break
    fi
    # By turns the whole run, or the last of its processes. The sleep may outlive the killer: it must
    # not hold the output of this test open.
    (
      sleep "$((wait / 1000)).$(printf %03d $((wait % 1000)))"
      parts=$(ps -o pid= --ppid "$job") how=all
      [ $((killed % 2)) = 0 ] || how=one
      [ -n "$parts" ] || how=early
      [ "$how" = one ] && job=$(echo "$parts" | tail -n 1) parts=
      # shellcheck disable=SC2086
      kill -KILL $job $parts 2>/dev/null && echo "$how" >"$folder/how"
    ) >/dev/null 2>&1 &
    killer=$!
    if wait "$job" 2>/dev/null || [ -s "$folder/out" ]; then
      kill "$killer" 2>/dev/null || true
      break
    fi
    wait "$killer" || true
    [ -s "$folder/how" ] || { echo "a run ended by itself: $(cat "$folder/err")"; exit 1; }
    killed=$((killed + 1))
    if [ "$(cat "$folder/how")" = one ]; then
      ones=$((ones + 1))
      grep -q "signal 9" "$folder/err" || { echo "no message: $(cat "$folder/err")"; exit 1; }
    fi
    sleep 0.3 # for the processes to be gone
  done
  got=$(bits <"$folder/out")
  [ "$got" = "$whole" ] || { echo "attempt $attempt: $got, expected $whole"; cat "$folder/err"; exit 1; }
done
echo "$killed kills, $ones of them of one process, the same bits at the end of $attempt runs"
