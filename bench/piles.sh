#!/bin/sh
# How time and memory grow with the size of a pile of spheres, as a table.
#
#   bench/piles.sh TOOL [CONTACTS...]       (1000 10000 100000 1000000)
#
# METHOD (auto), TOL (1e-4), LIMIT (1800 seconds a run), THREADS (1). Seconds are those of the run;
# bytes are the most the process held at any time, reading the file included. Needs Linux and a
# machine with nothing else to do.
set -eu
tool=$1
shift
[ $# -gt 0 ] || set -- 1000 10000 100000 1000000
: "${METHOD:=auto}" "${TOL:=1e-4}" "${LIMIT:=1800}" "${THREADS:=1}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Run a command and leave the most memory it held (KiB) in $dir/peak.
watched() {
  "$@" >"$dir/json" &
  pid=$!
  echo 0 >"$dir/peak"
  while kill -0 "$pid" 2>/dev/null; do
    awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" >"$dir/now" 2>/dev/null || true
    [ ! -s "$dir/now" ] || mv "$dir/now" "$dir/peak"
    sleep 0.05
  done
  wait "$pid" || true
}

printf '%9s %-10s %10s %10s %14s %16s\n' contacts outcome iterations seconds 'ns/contact' \
  'bytes/contact'
for contacts; do
  "$tool" generate pile --contacts "$contacts" --out "$dir/pile.hdf5" >/dev/null
  watched "$tool" solve --json --no-diagnose --method "$METHOD" --tol "$TOL" \
    --time-limit "$LIMIT" --threads "$THREADS" "$dir/pile.hdf5"
  rm -f "$dir/pile.hdf5"
  sed 's/.*"contacts": \([0-9]*\).*"outcome": "\([A-Z_]*\)".*"iterations": \([0-9]*\), "seconds": \([^,]*\).*/\1 \2 \3 \4/' \
    "$dir/json" | awk -v peak="$(cat "$dir/peak")" '{
      printf "%9d %-10s %10d %10.3f %14.0f %16.0f\n", $1, $2, $3, $4, 1e9 * $4 / $1, 1024 * peak / $1 }'
done
