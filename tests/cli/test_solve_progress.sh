#!/bin/bash
# slipcone solve: the progress line, the time limit and interrupts.
. "$(dirname "$0")/common.sh"

# A run that lasts as long as it is let: many sweeps, and a tolerance out of reach.
run 0 generate wall --contacts 3000 --out slow.hdf5
slow="solve --method nsgs --tol 1e-15 --max-iter 1000000000"

# shellcheck disable=SC2086
{
  run 1 $slow --time-limit 1.5 --json slow.hdf5
  json outcome=TIME_LIMIT "seconds<15"
  is_empty err # not a terminal: no progress line

  # An interrupt ends the run, and its best point is still reported and written.
  for signal in INT TERM; do
    rm -f best.hdf5
    set -m # or the shell would have the job ignore interrupts
    "$SLIPCONE" $slow --time-limit 60 --json --out best.hdf5 slow.hdf5 one.hdf5 >out 2>err &
    job=$!
    set +m
    sleep 1
    kill -$signal $job
    wait $job
    code=$?
    command_line="interrupted by $signal"
    [ $code -eq 1 ] || fail "an interrupted run gave $code"
    json outcome=INTERRUPTED file=slow.hdf5 -lines=1
    has err "1 of 2 files not tried"
    exists best.hdf5/slow.hdf5
    rm -rf best.hdf5
  done
}

# One that comes while a file is read, here from a pipe that nobody writes to, ends that too; what was
# found before is not lost.
run 0 generate one --out one.hdf5
mkfifo pipe
sleep 20 >pipe &
writer=$!
set -m
"$SLIPCONE" solve --json --trace trace.csv one.hdf5 - <pipe >out 2>err &
job=$!
set +m
for ((k = 0; k < 100; k++)); do # until the first is done
  [ -s out ] && break
  sleep 0.1
done
sleep 0.2
kill -INT $job
wait $job
code=$?
command_line="interrupted while it reads"
kill -0 $writer 2>/dev/null || fail "an interrupt waits for the file to be read"
kill $writer
wait $writer 2>/dev/null
[ $code -eq 1 ] || fail "an interrupted reading gave $code"
json outcome=SOLVED file=one.hdf5 -lines=1
has err "interrupted; 1 of 2 files not tried"
[ "$(wc -l <trace.csv)" -ge 2 ] || fail "the trace of the file before is lost"

# On a terminal there is a line, updated and removed in the end.
if command -v script >/dev/null && script -qec true /dev/null </dev/null >/dev/null 2>&1; then
  command_line="on a terminal"
  script -qec "'$SLIPCONE' $slow --time-limit 2.5 slow.hdf5" /dev/null </dev/null >typescript 2>&1
  has typescript "slow.hdf5: iteration "
  updates=$(grep -o 'iteration ' typescript | wc -l)
  [ "$updates" -ge 2 ] && [ "$updates" -le 12 ] || fail "$updates updates in 1.5 seconds"
  has typescript "slow.hdf5: TIME_LIMIT"
  grep -q $'\r\033\\[K' typescript || fail "the line is not removed"
  # Runs under a second have none.
  script -qec "'$SLIPCONE' $slow --time-limit 0.5 slow.hdf5" /dev/null </dev/null >typescript 2>&1
  lacks typescript "slow.hdf5: iteration "
else
  echo "skipped: no terminal to be had (script)"
fi

finish
