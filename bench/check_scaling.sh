#!/bin/sh
# How the existence check grows with the number of contacts, on piles of spheres:
#     bench/check_scaling.sh SLIPCONE [CONTACTS...]
# A pile without a lid, whose spheres can be parted, or else w = 0 decides: found by the search. With
# a lid that comes down (margin < 0), or lifts (margin > 0): the cone program.
# Seconds are of the processor, for the whole command.
set -eu
tool=$1
shift
[ $# -gt 0 ] || set -- 1250 2500 5000 10000 20000 54000
sizes=$*
export OPENBLAS_NUM_THREADS=1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf 'kind\tcontacts\tdof\tverdict\tsearch\titerations\tfactor values\tseconds\tkB\n'
for kind in pile press lift; do
  for contacts in $sizes; do
    case $kind in
      lift) set -- press --speed -0.1 ;;
      *) set -- "$kind" ;;
    esac
    "$tool" generate "$@" --contacts "$contacts" --out "$scratch/pile.hdf5" >/dev/null
    /usr/bin/time -f '%U %S %M' -o "$scratch/cost" "$tool" check --no-solve "$scratch/pile.hdf5" \
      >"$scratch/out" || true
    awk -v kind="$kind" '
      NR == FNR { if (NF == 3) { seconds = $1 + $2; kb = $3 } next }
      FNR == 1 { sub(/.*: /, ""); verdict = $0 }
      $1 == "size" { contacts = $2; dof = $6 }
      $1 == "search" { search = $2 }
      $1 == "iterations" { iterations = $2 + 0; fill = $3 }
      END { printf "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.2f\t%s\n", kind, contacts, dof, verdict, search,
                   iterations, fill, seconds, kb }' "$scratch/cost" "$scratch/out"
  done
done
