#!/bin/sh
# How large a page of many bodies is, and how soon it shows the first frame: bench/viewer.sh TOOL [FOLDER]
# The bars: 10,000 bodies and 1,000 frames below 15 MB, the first frame within 3 s, drawn in software.
# BODIES=n (a square number of beads in a layer) and FRAMES=n change the size. The page is left in FOLDER.
set -eu
tool=$(realpath "$1")
folder=${2:-build/viewer}
root=$(cd "$(dirname "$0")/.." && pwd)
side=$(awk -v n="${BODIES:-10000}" 'BEGIN { print int(sqrt(n) + 0.5) }')
frames=${FRAMES:-1000}
mkdir -p "$folder"
cd "$folder"
# Beads fall, bounce and roll into each other: every one moves at first, and most rest at the end.
cat >beads.yaml <<END
slipcone: 1
title: Beads on a floor
gravity: [0, 0, -9.81]
let: {r: 0.1}
time: {step: 0.005, end: $(awk -v n="$frames" 'BEGIN { print 0.005 * (n - 1) }')}
solver: {tol: 1e-6}
contacts: [{friction: 0.3, restitution: 0.5}]
bodies:
  - {name: floor, fixed: true, shape: {plane: [0, 0, 1]}}
  - name: bead
    shape: {sphere: r}
    position: [0, 0, 1]
    velocity: [0.4, 0.2, 0]
    many: {grid: [$side, $side, 1], spacing: 0.26, jitter: 0.028, seed: 1}
END
[ -s run.h5 ] || "$tool" sim beads.yaml --out run.h5
"$tool" view run.h5 --out page.html
node "$root/bench/viewer.mjs" page.html
