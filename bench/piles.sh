#!/bin/sh
# How time and memory grow with the size of a pile of spheres, as a table and a figure.
#
#   bench/piles.sh TOOL [CONTACTS...]       (1000 10000 100000 1000000)
#
# METHOD (auto), TOL (1e-4), LIMIT (1800 seconds a run), REPEAT (3 runs, each in a process of its
# own; the least time counts, with making the solver ready), FIGURE (a file.svg; none). Bytes are
# the most a process held, the problem included, above what one with a dozen contacts holds. Needs a
# machine with nothing else to do.
set -eu
tool=$1
shift
[ $# -gt 0 ] || set -- 1000 10000 100000 1000000
: "${METHOD:=auto}" "${TOL:=1e-4}" "${LIMIT:=1800}" "${REPEAT:=3}" "${FIGURE:=}"
here=$(dirname "$0")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

run() { # contacts; appends "contacts outcome iterations seconds KiB" of one run to $dir/runs
  "$tool" bench "$dir/pile.hdf5" --methods "$METHOD" --tol "$TOL" --time-limit "$LIMIT" \
    --memory 0 --out "$dir/run.csv" >/dev/null
  awk "$(cat "$here/csv.awk")"'
    { split_csv($0)
      print f[at["contacts"]], f[at["outcome"]], f[at["iterations"]], f[at["seconds"]], f[at["peak_kib"]] }
  ' "$dir/run.csv" >>"$dir/runs"
  rm -f "$dir/run.csv"
}

: >"$dir/runs"
for contacts in 10 "$@"; do
  "$tool" generate pile --contacts "$contacts" --out "$dir/pile.hdf5" >/dev/null
  for _ in $(seq "$REPEAT"); do run; done
  rm -f "$dir/pile.hdf5"
done
awk -f "$here/piles.awk" -v figure="$FIGURE" "$dir/runs"
