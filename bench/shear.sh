#!/bin/sh
# The experiments of Tasora, Anitescu, Negrini, Negrut (2013): compliant and plastic contacts.
#
#   cmake --build build --target slipcone_cli bench_shear bench_loop
#   bench/shear.sh BUILD box|drawer|warm|loop
#   bench/shear.sh BUILD spg FILE...
#
# box     section 11, Figs 9 to 13: compaction and shear of 720 spheres under 100 kg
# drawer  Fig. 6: iterations that a step takes from the last one's impulses and from zero, rigid and compliant
# warm    section 10.2: the same on a small drawer, compliant, in the convex setting of the paper (flow
#         normal to the cones, projected gradients) and by nsgs with Coulomb's flow; at rest and in motion,
#         and whether warm starts save half of the iterations
# loop    Fig. 1: force against displacement of one contact, with a spring, a pull that yields, crushed
# spg     section 10.1: spectral projected gradient against fixed-point projections, a profile by iterations
#         over problem files, all methods on the relaxation, at most 3000 iterations
#
# TOL (box: 1e-6, drawer and warm: 1e-3, spg: 1e-4), METHOD (of the steps of box and drawer; auto), COUNT (the method
# that `drawer` counts; apgd), COUNT_FROM (seconds from which on it counts), COUNT_MOST (3000), WARM_METHODS (apgd spg nsgs),
# END (seconds of the scene; else the scene's, drawer: 0.7), SET ("NAME=VALUE ..." of the scene), FIGURES (a
# folder for SVG files; none), RUN (box: a trajectory of the scene whose last snapshot up to 0.56 s the run begins with).
# Processor time, one thread.
set -eu
build=$1
what=$2
: "${METHOD:=auto}" "${END:=}" "${SET:=}" "${FIGURES:=}"
here=$(dirname "$0")
scenes=$here/../scenes
export OPENBLAS_NUM_THREADS=1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

run() { # scene, tolerance, NAME=VALUE...: lines of bench_shear in $dir/steps
  scene=$1
  tol=$2
  shift 2
  # shellcheck disable=SC2086 # SET is a list of words
  "$build/tests/bench_shear" "$scenes/$scene.yaml" solver.threads=1 "solver.method=$METHOD" "solver.tol=$tol" \
    solver.max-iter=1000000 ${END:+"time.end=$END"} $SET "$@" >"$dir/steps"
}

curve() { # file, column of $dir/steps, title, name of y, least y, mark
  [ -z "$FIGURES" ] || awk -v column="$2" '{ print "all", $1, $column }' "$dir/steps" |
    awk -f "$here/curve.awk" -v title="$3" -v across="seconds" -v upright="$4" -v low="$5" -v mark="$6" \
      >"$FIGURES/$1.svg"
}

box() {
  shear_from=0.8
  RUN_AT=0.56 SPEEDS=$dir/speeds SPEEDS_AT=0.9 run shear-box "${TOL:-1e-6}" ||
    echo "a step was not solved; the steps before count"
  awk -v from=$shear_from '
    { steps++; ms += $9; iterations += $7; if ($8 > error) error = $8; if ($9 > most) most = $9 }
    $1 > from - 0.05 && $1 <= from { rest += $3; rests++; weight = $5 }
    $1 > from { n++; s += $4; t += $1; st += $1 * $4; tt += $1 * $1 }
    $1 > 0.6 && $4 > spike && $1 < from { spike = $4 }
    END {
      printf "steps                    %d, %.0f iterations and %.0f ms each, %.0f ms at most\n", steps, iterations / steps, ms / steps, most
      printf "largest error            %.2g\n", error
      if (rests) printf "force on the floor       %.1f N before the shear, %.1f N is the weight: %+.2f %%\n", rest / rests, weight, 100 * (rest / rests / weight - 1)
      printf "largest shear force      %.0f N before the shear\n", spike
      if (n > 1) printf "shear force              %.0f N on average while shearing, rising by %.0f N/s\n", s / n, (n * st - s * t) / (n * tt - t * t)
    }' "$dir/steps"
  curve shear-height 2 "Height of the load (Fig. 9)" "m" "" $shear_from
  curve shear-floor 3 "Force on the floor (Fig. 10)" "N" 0 $shear_from
  curve shear-force 4 "Force that resists the shear (Fig. 11)" "N" "" $shear_from
  [ -z "$FIGURES" ] || [ ! -s "$dir/speeds" ] || awk -f "$here/speeds.awk" -v slice=0.015 -v side=0.16 \
    -v title="Speeds 0.1 s after the shear begins (Figs 12 and 13)" "$dir/speeds" >"$FIGURES/shear-speeds.svg"
}

drawer() {
  springs=", stiffness: 2e5, damping_time: 0.01"
  : "${END:=0.7}" "${COUNT:=apgd}"
  export COUNT COLD=1 COUNT_MOST="${COUNT_MOST:-3000}"
  echo "contacts   steps  contacts  warm  cold  cold/warm  at $COUNT_MOST   (iterations of $COUNT to ${TOL:-1e-3}, means from 0.5 s on)"
  for kind in rigid compliant; do
    own=
    [ $kind = rigid ] || own=$springs
    run shear-drawer "${TOL:-1e-3}" \
      "contacts=[{between: [grain, wall], law: frictionless$own}, {friction: 0.5, flow: associated$own}]" ||
      echo "$kind: a step was not solved; the steps before count"
    awk -v kind=$kind -v points="$dir/points" -v most="$COUNT_MOST" '
      { print kind "-warm", $1, $11 >>points; print kind "-cold", $1, $10 >>points }
      $1 > 0.5 && $10 >= 0 && $11 >= 0 { n++; contacts += $6; warm += $11; cold += $10; over += $10 >= most || $11 >= most }
      END { if (n) printf "%-10s %5d %9.0f %5.0f %5.0f %10.2f  %9d\n", kind, n, contacts / n, warm / n, cold / n, cold / warm, over }' \
      "$dir/steps"
  done
  [ -z "$FIGURES" ] || awk '$3 >= 0 { print $1, $2, $3 + 1 }' "$dir/points" | awk -f "$here/scatter.awk" \
    -v title="Iterations of a step (drawer, Fig. 6)" -v across="seconds" -v upright="iterations" -v lines=1 \
    >"$FIGURES/shear-drawer.svg"
}

warm() {
  springs="stiffness: 2e5, damping_time: 0.01"
  SET="$SET let.nx=8 let.ny=6 let.nz=5 let.mass=100"
  : "${END:=0.75}"
  echo "method  flow         rest: steps  warm  cold  cold/warm | motion: steps  warm  cold  cold/warm"
  for METHOD in ${WARM_METHODS:-apgd spg nsgs}; do
    flow=associated
    [ "$METHOD" != nsgs ] || flow=coulomb
    COLD=1 run shear-drawer "${TOL:-1e-3}" "contacts=[{between: [grain, wall], law: frictionless, $springs},
      {friction: 0.5, $springs, flow: $flow}]" || echo "$METHOD: a step was not solved; the steps before count"
    awk -v method="$METHOD" -v flow=$flow '
      $1 > 0.3 && $10 >= 0 && $11 >= 0 { part = $1 > 0.6 + 1e-9; n[part]++; warm[part] += $11; cold[part] += $10 }
      END { if (!n[0] || !n[1]) { print method ": too few steps"; exit }
            half = cold[0] >= 2 * warm[0] && cold[1] >= 2 * warm[1]
            printf "%-7s %-18s %5d %5.0f %5.0f %10.2f |        %6d %5.0f %5.0f %10.2f   %s\n", method, flow,
              n[0], warm[0] / n[0], cold[0] / n[0], cold[0] / warm[0], n[1], warm[1] / n[1], cold[1] / n[1],
              cold[1] / warm[1], half ? "half or less" : "more than half" }' \
      "$dir/steps"
  done
}

loop() {
  "$build/tests/bench_loop" >"$dir/points"
  awk '{ if ($3 < least[$1]) least[$1] = $3; if ($3 > most[$1]) most[$1] = $3
         if ($1 == last) work[$1] += ($3 + force) / 2 * ($2 - at)
         last = $1; at = $2; force = $3 }
    END { for (law in most) printf "%-8s from %.3f N to %.3f N, %.3f mJ lost in two rounds\n", law, least[law], most[law], -work[law] }' \
    "$dir/points" | sort
  [ -z "$FIGURES" ] || awk -f "$here/curve.awk" -v title="One contact, moved to and fro (Fig. 1 b, e, f)" \
    -v across="displacement, mm" -v upright="normal force, N" "$dir/points" >"$FIGURES/contact-loop.svg"
}

count() { # method, file: its iterations, or nothing where it does not solve the problem
  "$build/slipcone" solve "$2" --method "$1" --tol "${TOL:-1e-4}" --max-iter 3000 --no-diagnose 2>/dev/null |
    awk 'NR == 1 { solved = / SOLVED/ } $1 == "iterations" && solved { print $2 }'
}

spg() {
  methods="spg apgd convexqp-pg soclcp-fp-vi-upk"
  for file; do # an unsymmetric W is refused, with code 2
    code=0
    "$build/slipcone" solve "$file" --method spg --max-iter 1 --no-diagnose >/dev/null 2>&1 || code=$?
    [ $code -ne 2 ] || continue
    for method in $methods; do
      echo "$method $(count "$method" "$file")"
    done | awk '{ n[$1] = $2; if ($2 != "" && (best == "" || $2 < best)) best = $2 }
      END { for (m in n) if (best != "") print m, n[m] == "" ? "-" : (n[m] + 1) / (best + 1) }'
  done >"$dir/ratios"
  echo "method              problems  solved  best  within 2 and 4 times the best   (iterations to ${TOL:-1e-4})"
  for method in $methods; do
    awk -v method="$method" -v points="$dir/points" '$1 == method { all++; if ($2 != "-") { n++; ratio[n] = $2 } }
      END { for (t = 0; t <= 5.001; t += 0.1) { within = 0
              for (k = 1; k <= n; k++) within += ratio[k] <= 2 ^ t * 1.000001
              print method, t, within / all >>points
              if (t < 0.05) best = within
              if (t > 0.95 && t < 1.05) two = within
              if (t > 1.95 && t < 2.05) four = within }
            printf "%-20s %7d %7d %5d %7d %6d\n", method, all, n, best, two, four }' "$dir/ratios"
  done
  [ -z "$FIGURES" ] || awk -f "$here/curve.awk" -v title="Projections on the relaxation, profile by iterations" \
    -v across="log2 of the ratio to the best" -v upright="share of the problems" -v low=0 "$dir/points" \
    >"$FIGURES/shear-spg.svg"
}

case $what in
  box | drawer | warm | loop) $what ;;
  spg)
    shift 2
    spg "$@"
    ;;
  *) echo "shear.sh: box, drawer, warm, loop or spg is wanted, not '$what'" >&2; exit 2 ;;
esac
