#!/usr/bin/env bash
# Do time limits hold? Asked and taken seconds of the runs that pass their limit by most.
#
#   bench/limits.sh TOOL [COLLECTION]
#
# Problems: every built-in kind with about CONTACTS (2000) contacts, and the LARGEST (8) files of a
# collection. Methods: METHODS, or all there are. Which pairs are the most expensive is estimated with a
# limit of PROBE (0.1) seconds: first with one method of each kind of work (PROBES) on every problem,
# then with every method on the DEAREST (4) problems, those that passed it by most. The WORST (10) pairs
# are run again with each limit of LIMITS (0.05 0.5 2); about three minutes in all. Columns: the limit, the seconds of set-up and run by the solver's own clock, the CPU
# seconds of the process less those of one that only reads the file, and whether the first is within
# 10 % + 50 ms of the limit. Ends with 1 where one is not. Clocks tell the truth on a machine with
# nothing else to do only; CPU seconds nearly always.
set -euo pipefail
tool=$1 collection=${2:-}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
methods=${METHODS:-$("$tool" list --json | grep -o '{"name": "[^"]*", "family"' | cut -d'"' -f4)}
TIMEFORMAT='%U %S'

# cpu COMMAND...: its CPU seconds; what it prints goes to $work/out
cpu() { { time "$@" > "$work/out" 2> /dev/null < /dev/null || true; } 2>&1 | awk '{ print $1 + $2 }'; }
value() { sed -n "s/.*\"$1\": *\"\{0,1\}\([^,\"}]*\).*/\1/p" "$work/out"; }

# run FILE METHOD LIMIT: "took outcome cpu"
run() {
  local used
  used=$(cpu "$tool" solve --json --method "$2" --tol 1e-12 --time-limit "$3" "$1")
  echo "$(value setup_seconds) $(value seconds) $(value outcome) $used" |
    awk 'NF == 4 { print $1 + $2, $3, $4 }'
}

"$tool" generate --list | grep '^[a-z]' > "$work/kinds"
while read -r kind; do
  "$tool" generate "$kind" --contacts "${CONTACTS:-2000}" --out "$work/$kind.hdf5" > /dev/null 2>&1 < /dev/null ||
    "$tool" generate "$kind" --out "$work/$kind.hdf5" > /dev/null < /dev/null
  echo "$work/$kind.hdf5"
done < "$work/kinds" > "$work/files"
if [ -n "$collection" ]; then
  find "$collection" -name '*.hdf5' -printf '%s %p\n' | sort -rn | head -n "${LARGEST:-8}" | cut -d' ' -f2- >> "$work/files"
fi

# probe METHODS: "took file method" of the problems on standard input that pass the limit
probe() {
  local file method
  while read -r file; do
    for method in $1; do
      run "$file" "$method" "${PROBE:-0.1}" | awk -v pair="$file $method" '$2 == "TIME_LIMIT" { print $1, pair }'
    done
  done
}

probe "${PROBES:-nsgs nsn-ac ipm admm}" < "$work/files" | sort -rn | awk '!seen[$2]++ { print $2 }' |
  head -n "${DEAREST:-4}" > "$work/dearest"
probe "$(echo $methods)" < "$work/dearest" | sort -rn | head -n "${WORST:-10}" > "$work/worst"

status=0
printf '%-24s %-16s %6s %7s %7s  %s\n' problem method asked took cpu within
while read -r _ file method; do
  read -r reading < <(cpu "$tool" solve --json --method nsgs --time-limit 0 "$file")
  for limit in ${LIMITS:-0.05 0.5 2}; do
    read -r took outcome used < <(run "$file" "$method" "$limit")
    within=$(awk -v t="$took" -v l="$limit" 'BEGIN { print t <= 1.1 * l + 0.05 ? "yes" : "NO" }')
    [ "$within" = yes ] || status=1
    awk -v p="$(basename "$file" .hdf5)" -v m="$method" -v l="$limit" -v t="$took" -v u="$used" \
      -v r="$reading" -v w="$within" -v o="$outcome" \
      'BEGIN { printf "%-24.24s %-16s %6g %7.3f %7.3f  %s%s\n", p, m, l, t, u - r, w, o == "TIME_LIMIT" ? "" : ", " o }'
  done
done < "$work/worst"
exit $status
