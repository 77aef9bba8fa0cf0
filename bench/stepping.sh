#!/bin/sh
# Warm starts within time stepping, a table of scenes: is any step an outlier, or slower than cold?
#
#   cmake --build build --target bench_stepping
#   bench/stepping.sh BUILD [SCENE.yaml...]
#
# STEPS (1000) steps of each scene, or its first SECONDS_MOST (90) seconds of running, at TOL (1e-8), and
# the problems of FILES (a folder; none), each with a guess. Times are milliseconds of processor time of
# `auto` alone, solver ready, the least of some runs. Columns: steps with contacts, most contacts, median,
# mean and worst of the warm starts, the worst over the median, how many are above ten medians; mean of the
# cold starts, warm over cold in total, the worst ratio, and how many warm starts took more than twice
# their cold one (and NOISE, 0.1 ms, more). The verdict has a letter for each of three wishes that is met:
# m, no step above ten medians; c, none above twice its cold start; h, half of the cold time in total.
set -eu
build=$1
shift
: "${STEPS:=1000}" "${SECONDS_MOST:=90}" "${TOL:=1e-8}" "${NOISE:=0.1}" "${FILES:=}"
scenes=$(dirname "$0")/../scenes
[ $# -gt 0 ] || set -- "$scenes/boxes-stack.yaml" "$scenes/kaplas-tower.yaml" \
  "$scenes/house-of-cards.yaml" "$scenes/capsules.yaml" "$scenes/polyhedra-100.yaml"
export OPENBLAS_NUM_THREADS=1

row() { # name; lines of bench_stepping
  sort -g -k 3 | awk -v name="$1" -v noise="$NOISE" '
    { warm[NR] = $3; sum += $3; cold += $4
      if ($2 > contacts) contacts = $2
      if ($3 > 2 * $4 + noise) slower++
      if ($4 > 0 && $3 > worst * $4) worst = $3 / $4 }
    END {
      if (NR == 0) { print name, "has no steps with contacts"; exit }
      median = warm[int((NR + 1) / 2)]
      for (k = 1; k <= NR; k++) outliers += warm[k] > 10 * median
      verdict = (outliers ? "-" : "m") (slower ? "-" : "c") (sum > cold / 2 ? "-" : "h")
      printf "%-16s %5d %8d %8.3f %8.3f %9.2f %7.1f %6d | %8.3f %6.2f %6.1f %6d  %s\n", name, NR, contacts,
        median, sum / NR, warm[NR], warm[NR] / median, outliers, cold / NR, sum / cold, worst, slower, verdict }'
}

printf '%-16s %5s %8s %8s %8s %9s %7s %6s | %8s %6s %6s %6s  %s\n' scene steps contacts median mean worst \
  /median '>10med' cold warm/c worst '>2cold' verdict
[ -z "$FILES" ] || "$build/tests/bench_stepping" files "$TOL" "$FILES"/*.hdf5 | row "$(basename "$FILES")"
for scene; do
  timeout "$SECONDS_MOST" "$build/tests/bench_stepping" "$STEPS" "$TOL" "$scene" |
    row "$(basename "$scene" .yaml)"
done
