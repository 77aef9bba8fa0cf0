#!/usr/bin/env bash
# How soon does Ctrl-C end the tool? Milliseconds from the signal to the end of the process.
#
#   bench/signals.sh TOOL
#
# Expensive pairs of a built-in problem of about CONTACTS (2000) contacts and a method, and problems
# whose runs end in the check of existence, get SIGINT TIMES (5) times each, at random moments of their
# first SPREAD (2) seconds. Columns: the outcome and the milliseconds of each. Ends with 1 where one
# took more than MOST (100). Clocks tell the truth on a machine with nothing else to do only.
set -euo pipefail
tool=$1
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
RANDOM=1
now() { echo $(($(date +%s%N) / 1000000)); }

# once FILE METHOD ARGUMENTS...: sets outcome and took; fails where the run was over before. Not in a
# subshell: those have no job control, without which SIGINT does not reach background jobs.
set -m
once() {
  local file=$1 method=$2 started
  shift 2
  "$tool" solve --json --tol 1e-14 --method "$method" "$@" --out "$work/out.hdf5" "$file" \
    > "$work/json" 2> /dev/null &
  local pid=$!
  sleep "$(awk -v r=$RANDOM -v s="${SPREAD:-2}" 'BEGIN { print 0.05 + s * r / 32768 }')"
  started=$(now)
  kill -INT "$pid" 2> /dev/null || return 1
  wait "$pid" || true
  took=$(($(now) - started))
  outcome=$(sed -n 's/.*"outcome": *"\([^"]*\)".*/\1/p' "$work/json")
}

status=0
pair() {
  local kind=$1 method=$2 file=$work/$1.hdf5
  shift 2
  [ -e "$file" ] || "$tool" generate "$kind" --contacts "${CONTACTS:-2000}" --out "$file" > /dev/null
  for ((k = 0; k < ${TIMES:-5}; k++)); do
    once "$file" "$method" "$@" || continue
    [ "$took" -le "${MOST:-100}" ] || status=1
    printf '%-8s %-20s %-12s %6d\n' "$kind" "$method $*" "$outcome" "$took"
  done
}

for method in nsgs alm ipm nsn-ac admm auto; do
  pair pile "$method"
done
# Nearly all of these runs is the check of existence: it tries all statuses of a plane wall.
"$tool" generate wall --contacts 60 --dimension 2 --out "$work/wall.hdf5" > /dev/null
SPREAD=0.5 pair wall nsgs --max-iter 1
exit $status
