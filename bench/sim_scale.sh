#!/bin/sh
# How the cost of a simulation grows with the number of spheres that settle, and how much less steps
# cost once they rest.
#
#   cmake --build build --target bench_sim_each
#   bench/sim_scale.sh BUILD [LAYER...]     (32 100: columns and rows of beads a layer)
#
# Beads lie 2 mm apart in 10 layers (10,240 and 100,000 of them; 10, 22, 46 and 316 make 1,000, 4,840,
# 21,160 and 998,560), and settle without restitution. STEPS (20) of 5 ms, TOL (1e-4), THREADS (1).
# Bytes are the most the process held, a contact. The last layers beside the first: time and memory a
# contact within a factor of 2? REST (1; 0: without) adds 150 beads of scenes/beads-150.yaml let go as a block, in motion
# from 0.5 to 1.5 s and at rest in the last second: does a step at rest cost at most a tenth? Verdicts are by
# processor time.
set -eu
build=$1
shift
[ $# -gt 0 ] || set -- 32 100
: "${STEPS:=20}" "${TOL:=1e-4}" "${THREADS:=1}" "${REST:=1}"
here=$(dirname "$0")
each=$build/tests/bench_sim_each
export OPENBLAS_NUM_THREADS=1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

settle() { # beads along an edge of a layer
  half=$(awk "BEGIN { print 0.1011 * $1 }")
  end=$(awk "BEGIN { print 0.005 * $STEPS }")
  start=$(awk "BEGIN { print 0.101 - $half }")
  /usr/bin/time -f '%U %M' -o "$dir/cost" "$each" "$here/../scenes/beads-10k.yaml" "let.w=$half" \
    time.step=0.005 contacts.0.restitution=0 "time.end=$end" "solver.tol=$TOL" "solver.threads=$THREADS" \
    "bodies.1.position=[$start, $start, 0.101]" \
    "bodies.1.many={grid: [$1, $1, 10], spacing: 0.202, jitter: 0.0005, seed: 1}" >"$dir/steps"
  awk -v beads=$((10 * $1 * $1)) -v cost="$(tail -n 1 "$dir/cost")" '
    { contacts += $2; iterations += $3; ms += $5; collide += $6; set_up += $7; solve += $8
      if ($2 > most) most = $2 }
    END { split(cost, c, " ")
          if (contacts == 0) contacts = most = 1
          printf "%8d %9d %10.1f %10.2f %9.2f %9.2f %9.2f %10.2f %8.0f\n", beads, most,
                 iterations / NR, 1e3 * ms / contacts, 1e3 * collide / contacts,
                 1e3 * set_up / contacts, 1e3 * solve / contacts, 1e6 * c[1] / contacts,
                 1024 * c[2] / most }' "$dir/steps" | tee -a "$dir/rows"
}

echo "microseconds a contact and step"
echo "   beads  contacts iterations       step   collide    set up     solve  user time    bytes"
for edge in "$@"; do settle "$edge"; done
awk 'NR == 1 { time = $8; bytes = $9 }
  END { if (NR < 2) exit
        printf "the last beside the first: time %.2f, memory %.2f times: %s\n", $8 / time, $9 / bytes,
               ($8 <= 2 * time && $9 <= 2 * bytes) ? "within 2" : "NOT within 2" }' "$dir/rows"

[ "$REST" = 1 ] || exit 0
"$each" "$here/../scenes/beads-150.yaml" "solver.tol=$TOL" solver.threads=1 time.end=7 let.r=0.1 let.w=0.7 \
  "bodies.1.position=[-w + 0.2, -w + 0.2, 0.2]" \
  "bodies.1.many={grid: [5, 5, 6], spacing: 0.25, jitter: 0.02, seed: 1}" >"$dir/steps"
awk '{ ms[NR] = $9; iterations[NR] = $3 }
  END { for (k = 1; k <= NR; k++)
          if (k > 25 && k <= 75) { moving += ms[k] / 50; i += iterations[k] / 50 }
          else if (k > NR - 50) { rest += ms[k] / 50; j += iterations[k] / 50 }
        printf "150 beads: %.3f ms and %.1f iterations a step from 0.5 to 1.5 s, %.3f ms and %.1f in the last second: %s\n",
               moving, i, rest, j, rest <= moving / 10 ? "a tenth or less" : "MORE than a tenth" }' "$dir/steps"
