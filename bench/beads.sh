#!/bin/sh
# The experiments of Acary, Cadoux, Lemaréchal, Malick (2011), section 6: beads that fall into a box.
#
#   cmake --build build --target slipcone_cli bench_sim_each bench_outer_rule
#   bench/beads.sh BUILD table|time|friction|rule
#
# table     Table 1: contacts, convex subproblems and milliseconds a step
# time      Figure 8: time of a step against its contacts; `auto` starts warm, `ipm` always cold
# rule      what its outer stopping rule, 0.01 in eq. 6.1, comes to as a natural-map error
# friction  Figure 9: the fixed point's error, iteration by iteration, for mu = 0.1 to 0.9
#
# BEADS ("150 300 600"; for `time` the last counts), END (of the scene), TOL (1e-6) and
# ACLM_TOL (2e-2: in nine steps of ten stricter than the rule, as `rule` shows), natural-map errors; FIGURE (a file.svg; none).
# Times are of a thread of its own; user ms counts processor time, which other programs on the machine change less.
set -eu
build=$1
what=$2
: "${BEADS:=150 300 600}" "${END:=}" "${TOL:=1e-6}" "${ACLM_TOL:=2e-2}" "${FIGURE:=}"
here=$(dirname "$0")
scenes=$here/../scenes
each=$build/tests/bench_sim_each
export OPENBLAS_NUM_THREADS=1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

steps() { # beads, method, tol: lines of bench_sim_each, and user seconds in $dir/user
  /usr/bin/time -f %U -o "$dir/user" "$each" "$scenes/beads-$1.yaml" ${END:+"time.end=$END"} \
    "solver.method=$2" "solver.tol=$3" solver.threads=1 >"$dir/steps"
}

figure() { # title, name of x, name of y, lines; from $dir/points
  [ -z "$FIGURE" ] || awk -f "$here/scatter.awk" -v title="$1" -v across="$2" -v upright="$3" \
    -v lines="$4" "$dir/points" >"$FIGURE"
}

row() { # beads, method
  awk -v beads="$1" -v method="$2" -v user="$(tail -n 1 "$dir/user")" '
    { contacts += $2; iterations += $3; ms += $5; if ($3 > most) most = $3; if ($4 > error) error = $4 }
    END { printf "%5d  %-22s %5d %9.0f %11.2f %6d %10.2f %8.2f %9.1e\n", beads, method, NR,
                 contacts / NR, iterations / NR, most, ms / NR, 1e3 * user / NR, error }' "$dir/steps"
}

table() {
  echo "beads  method                 steps  contacts  iterations   most         ms  user ms     error"
  for beads in $BEADS; do
    steps "$beads" auto "$TOL"
    row "$beads" auto
    steps "$beads" aclm "$ACLM_TOL"
    row "$beads" "aclm, subproblems"
    awk -v beads="$beads" '$1 == beads {
      printf "%5d  %-22s %5d %9d %11.1f %6s %10d\n", $1, "2011, " $2, $3, $4, $5, "<= 12", $6 }' <<PAPER
150 gradient 352 239 3.3 768
150 interior 323 197 3.1 236
300 gradient 308 506 3.2 1200
300 interior 272 393 3.5 1121
600 gradient 300 741 3.3 1929
600 interior 255 524 3.5 949
PAPER
  done
}

against_contacts() {
  for beads in $BEADS; do :; done
  : >"$dir/points"
  for method in auto ipm; do
    steps "$beads" "$method" "$TOL" || echo "$method: a step was not solved; the steps before count"
    awk -v method="$method" '$2 > 0 { print method, $2, $5 }' "$dir/steps" >>"$dir/points"
  done
  echo "contacts  ms by auto  ms by ipm   ($beads beads; means)"
  awk '{ k = int($2 / 100); sum[$1, k] += $3; count[$1, k]++; if (k > most) most = k }
    END { for (k = 0; k <= most; k++)
            printf "%8s %11.2f %10.2f\n", 100 * k "..", count["auto", k] ? sum["auto", k] / count["auto", k] : 0,
                   count["ipm", k] ? sum["ipm", k] / count["ipm", k] : 0 }' "$dir/points"
  figure "$beads beads" "contacts" "milliseconds a step" 0
}

friction() {
  : >"$dir/points"
  echo "mu   contacts  iterations to 1e-2  1e-3  1e-4   (300 beads, at most 50)"
  for mu in 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9; do
    rm -rf "$dir/problems"
    "$build/slipcone" sim "$scenes/beads-300.yaml" --set "let.mu=$mu" --tol "$TOL" --end 3 --quiet \
      --threads 1 --dump-problems "$dir/problems" --dump every:1 || true
    problem=$(for file in "$dir"/problems/*.hdf5; do
      contacts=${file##*-}
      [ "${contacts%.hdf5}" -lt 250 ] || { echo "$file"; break; }
    done)
    "$build/slipcone" solve "$problem" --method aclm-ipm --tol 1e-4 --max-iter 50 --quiet \
      --trace "$dir/trace.csv" || true
    contacts=${problem##*-}
    awk -F, -v mu="$mu" -v contacts="${contacts%.hdf5}" -v points="$dir/points" '
      NR > 1 { print "mu=" mu, $1, $2 >>points
               for (k = 2; k <= 4; k++) if (!(k in at) && $2 <= 10 ^ -k) at[k] = $1 }
      END { printf "%s %9d %19s %5s %5s\n", mu, contacts, 2 in at ? at[2] : "-",
                   3 in at ? at[3] : "-", 4 in at ? at[4] : "-" }' "$dir/trace.csv"
  done
  figure "The fixed point on s = g(u), 300 beads" "iterations" "natural-map error" 1
}

quantiles() { # column of $dir/rule: least, quartiles, most
  sort -g -k "$1" "$dir/rule" | awk -v k="$1" '{ at[NR] = $k }
    END { printf "%.1e  %.1e %.1e %.1e  %.1e", at[1], at[int(1 + NR / 4)], at[int(1 + NR / 2)],
                 at[int(1 + 3 * NR / 4)], at[NR] }'
}

rule() {
  echo "|F(s)-s| <= 0.01 n (|s|+1), and the same without n, as natural-map errors: least, quartiles, most"
  echo "beads  steps   with n                                      without                                     above $ACLM_TOL"
  for beads in $BEADS; do
    "$build/tests/bench_outer_rule" "$scenes/beads-$beads.yaml" 0.01 ${END:+"time.end=$END"} "solver.tol=$ACLM_TOL" \
      solver.threads=1 >"$dir/rule"
    printf '%5d %6d   %s   %s   ' "$beads" "$(wc -l <"$dir/rule")" "$(quantiles 6)" "$(quantiles 5)"
    awk -v tol="$ACLM_TOL" '$6 > tol { above++ } END { printf "%d %%\n", 100 * above / NR + 0.5 }' "$dir/rule"
  done
}

case $what in
  rule) rule ;;
  table) table ;;
  time) against_contacts ;;
  friction) friction ;;
  *) echo "beads.sh: table, time, friction or rule is wanted, not '$what'" >&2; exit 2 ;;
esac
