#!/bin/sh
# How the existence check grows with the number of contacts, on piles of spheres:
#     bench/check_scaling.sh SLIPCONE [CONTACTS...]
# --margin makes it solve the cone program, which w = 0 would spare it.
set -eu
tool=$1
shift
[ $# -gt 0 ] || set -- 1250 2500 5000 10000 20000 54000
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf 'contacts\tdof\tverdict\titerations\tfactor values\tseconds\tshortcut seconds\tkB\n'
for contacts in "$@"; do
  "$tool" generate pile --contacts "$contacts" --out "$scratch/pile.hdf5" >/dev/null
  if [ -x /usr/bin/time ]; then
    /usr/bin/time -f %M -o "$scratch/memory" "$tool" check --margin "$scratch/pile.hdf5" >"$scratch/out"
  else
    "$tool" check --margin "$scratch/pile.hdf5" >"$scratch/out"
    echo - >"$scratch/memory"
  fi
  "$tool" check "$scratch/pile.hdf5" >"$scratch/short"
  awk -v kb="$(cat "$scratch/memory")" '
    NR == FNR { if ($1 == "time") short = $2; next }
    FNR == 1 { verdict = $2 }
    $1 == "size" { contacts = $2; dof = $6 }
    $1 == "iterations" { iterations = $2 + 0; fill = $3 }
    $1 == "time" { seconds = $2 }
    END { printf "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", contacts, dof, verdict, iterations, fill,
                 seconds, short, kb }' "$scratch/short" "$scratch/out"
done
