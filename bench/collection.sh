#!/bin/sh
# A collection of contact problems after the families of Acary, Brémond, Huber (2018), Table 5: the
# shipped scenes are run, problems of some of their steps are written as FCLIB files, and the table
# is printed beside that of the paper.
#
#   cmake --build build --target slipcone_cli bench_sizes
#   bench/collection.sh BUILD FOLDER [FAMILY...]
#
# FOLDER/FAMILY has the problems: `slipcone bench FOLDER` runs methods on them, `slipcone info FOLDER`
# adds rank and condition to the table. Families: all, named as in the list below. A part of each
# scene is run, or all of it with FULL=1; every EVERY (10) steps a problem is written. A scene that
# takes longer than LIMIT (20) seconds is stopped: the problems before that count. TOL takes the place
# of the scenes' tolerances: 1e-2 fills boxes and chutes sooner.
set -eu
build=$1
folder=$2
shift 2
: "${FULL:=0}" "${EVERY:=10}" "${LIMIT:=20}" "${TOL:=}"
scenes=$(dirname "$0")/../scenes
export OPENBLAS_NUM_THREADS=1

# Family, scene, ends of a part and of all; of the paper: mu, problems, degrees of freedom, contacts,
# density.
families() {
  cat <<LIST
LowWall wall 0.1 3 0.83 50 7212 624:688 0.28:0.29
Aqueduct aqueduct 0.1 2 0.8 10 1932 4337:4811 6.81:7.47
Bridge bridge 0.2 4 0.9 50 138 70:108 1.5:2.3
Polyhedra100 polyhedra-100 1 4 0.8 106 606 14:578 0.2:3
Spheres945 spheres-945 0.3 4 0.8 60 5700 2322:5037 1.22:2.65
Capsules capsules 1.5 4 0.7 249 96:600 17:304 0.53:1.52
Chain chain 0.5 1.45 0.3 242 60 8:28 0.5:1.3
KaplasTower kaplas-tower 0.2 4 0.7 201 72:792 48:933 3.0:3.6
BoxesStack boxes-stack 0.5 5 0.7 255 6:300 1:200 1.86:2.00
Chute_1000 chute-1000 1.2 4 1.0 156 276:5508 74:5056 0.69:2.95
Chute_4000 chute-4000 1 4 1.0 40 17280:20034 15965:19795 2.51:3.06
LIST
}

wanted() { # family, those asked for: none means all
  family=$1
  shift
  [ $# -eq 0 ] && return 0
  for one in "$@"; do [ "$one" = "$family" ] && return 0; done
  return 1
}

write_family() { # family, scene, end
  timeout -s INT "$LIMIT" "$build/slipcone" sim "$scenes/$2.yaml" --end "$3" --quiet --threads 1 \
    ${TOL:+--tol "$TOL"} \
    --dump-problems "$folder/$1" --dump "every:$EVERY" ||
    echo "$1: not run to its end, $3 s" >&2
}

show_family() { # family, mu, problems, dof, contacts, density
  "$build/tests/bench_sizes" "$folder/$1"/*.hdf5 | awk -v family="$1" -v mu="$2" '
    NR == 1 { for (k = 1; k <= 3; k++) low[k] = high[k] = $k }
    { for (k = 1; k <= 3; k++) { if ($k < low[k]) low[k] = $k; if ($k > high[k]) high[k] = $k } }
    function range(k) { return low[k] == high[k] ? low[k] : low[k] ":" high[k] }
    END { printf "%-13s %5s %8d %12s %12s %10s", family, mu, NR, range(2), range(1), range(3) }'
  printf ' | %8s %12s %12s %10s\n' "$3" "$4" "$5" "$6"
}

mkdir -p "$folder"
families | while read -r family scene part all _; do
  [ "$FULL" = 0 ] || part=$all
  if wanted "$family" "$@"; then write_family "$family" "$scene" "$part"; fi
done
printf '%-13s %5s %8s %12s %12s %10s | %8s %12s %12s %10s\n' family mu problems dof contacts density \
  'of 2018' dof contacts density
families | while read -r family scene part all mu problems dof contacts density; do
  if wanted "$family" "$@"; then
    show_family "$family" "$mu" "$problems" "$dof" "$contacts" "$density"
  fi
done
