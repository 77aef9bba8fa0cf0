#!/bin/bash
# slipcone sim and slipcone export.
. "$(dirname "$0")/common.sh"

cat >ball.yaml <<'END'
slipcone: 1
title: Ball
gravity: [0, 0, -9.81]
let: {mu: 0.3}
time: {step: 0.01, end: 0.5}
contacts: [{friction: mu, restitution: 0.5}]
bodies:
  - {name: floor, fixed: true, shape: {plane: [0, 0, 1]}}
  - {name: ball, shape: {sphere: 0.1}, position: [0, 0, 0.2], velocity: [1, 0, 0]}
END

run 0 sim --check ball.yaml
has out "Ball; 2 bodies, 0 joints, 50 steps of 0.01 s"
run 0 sim ball.yaml
has out "50 steps to 0.5 s"
has out "50 of 50 steps"
grep "unaccounted" out >line
has line "rounding of the"
is_empty err
run 0 sim ball.yaml --json
json steps=50 solved=50
run 0 sim ball.yaml --quiet --end 0.2
is_empty out

# A trajectory, a longer one from its end, the same from a moment within it.
run 0 sim ball.yaml --out short.h5
exists short.h5
missing short.h5.part
run 0 sim --restart short.h5 --end 1 --out longer.h5
has out "50 steps to 1 s"
run 0 sim --restart short.h5@0.1 --end 1 --out again.h5
has out "to 1 s"
run 0 sim ball.yaml --end 1 --out whole.h5
for file in longer again whole; do
  run 0 export $file.h5 --vtk $file
  has out "101 frames"
done
cmp -s longer/bodies-000100.vtp whole/bodies-000100.vtp || fail "a restart ends elsewhere"
cmp -s again/bodies-000073.vtp whole/bodies-000073.vtp || fail "a restart goes elsewhere"
exists whole/run.pvd
run 0 export whole.h5 --xdmf xdmf --every 50
has out "3 frames; open xdmf/run.xdmf"
exists xdmf/run-frames.h5
[ "$(grep -c '<Time' xdmf/run.xdmf)" = 3 ] || fail "run.xdmf has other frames"
run 0 export whole.h5 --svg ball.svg --at 0.3
has ball.svg "<circle"
has out "shows it at 0.3 s"

# Problems of steps.
run 0 sim ball.yaml --dump-problems every --dump every:10
run 0 sim ball.yaml --dump-problems hard --dump hard:2
[ "$(find hard -name '*.hdf5' | wc -l)" -eq 2 ] || fail "--dump hard:2 left $(ls hard)"
run 0 solve hard/*.hdf5
# With what the solve of a step began from: the impulses of the step before.
cat >block.yaml <<'END'
slipcone: 1
gravity: [0, 0, -9.81]
time: {step: 0.01, end: 0.1}
contacts: [{friction: 0.5}]
bodies:
  - {name: floor, fixed: true, shape: {plane: [0, 0, 1]}}
  - {name: block, shape: {box: [1, 1, 1]}, position: [0, 0, 0.5]}
END
run 0 sim block.yaml --dump-problems resting --dump every:10
run 0 info resting/block-step000010-4.hdf5
grep -Eq '^ *guesses +1$' out || fail "a step of a block at rest has no guess"
run 0 solve --warm-start resting/block-step000010-4.hdf5

# The scheme of joints leaves energy unaccounted, and its share is told.
cat >pendulum.yaml <<'END'
slipcone: 1
gravity: [0, 0, -9.81]
time: {step: 0.005, end: 0.2}
bodies:
  - {name: rod, shape: {sphere: 0.1}, position: [1, 0, 0]}
joints:
  - {hinge: [rod, world], at: [0, 0, 0], axis: [0, 1, 0]}
END
run 0 sim pendulum.yaml
has out "of what changed hands"

# A ball between the floor and a plate that comes down: no solution, and it says so.
cat >press.yaml <<'END'
slipcone: 1
gravity: [0, 0, -9.81]
time: {step: 0.01, end: 1}
contacts: [{friction: 0.3}]
bodies:
  - {name: floor, fixed: true, shape: {plane: [0, 0, 1]}}
  - {name: ball, shape: {sphere: 0.1}, position: [0, 0, 0.1]}
  - {name: plate, moves: {velocity: [0, 0, -1]}, position: [0, 0, 0.4], shape: {box: [1, 1, 0.2]}}
END
run 1 sim press.yaml
has err "NO SOLUTION"
has out "no solution exists"
has out "slipcone check press-step"
dumped=$(sed -n 's/.*slipcone check //p' out)
exists "$dumped"
run 3 check "$dumped"

# An interrupt that comes as several, as from timeout(1), is one: a last snapshot, a summary. Steps
# take longer than the signals.
cat >beads.yaml <<'END'
slipcone: 1
gravity: [0, 0, -9.81]
time: {step: 0.005, end: 1000}
contacts: [{friction: 0.3}]
bodies:
  - {name: floor, fixed: true, shape: {plane: [0, 0, 1]}}
  - {name: bead, shape: {sphere: 0.1}, position: [0, 0, 0.1], many: {grid: [20, 20, 5], spacing: 0.201, jitter: 0.0005}}
END
set -m # or the shell would have the job ignore interrupts
"$SLIPCONE" sim beads.yaml --out stopped.h5 >out 2>err &
job=$!
set +m
sleep 1
for ((k = 0; k < 3; k++)); do
  kill -INT $job 2>/dev/null
  sleep 0.001
done
wait $job
code=$?
command_line="interrupted by many signals at once"
[ $code -eq 1 ] || fail "an interrupted run gave $code"
has out "interrupted after"
has out "slipcone sim --restart stopped.h5"
rm -f stopped.h5

refused "let.mu must be a number" sim ball.yaml --set let.mu=x
refused "unknown key" sim ball.yaml --set time.steep=1
refused "a scene is wanted" sim
refused "none.yaml" sim none.yaml
refused "every:N, hard:N or failed" sim ball.yaml --dump-problems d --dump most:3
refused "needs --dump-problems" sim ball.yaml --dump every:3
refused "nowhere" sim ball.yaml --out nowhere/run.h5
refused "none.h5" sim --restart none.h5
refused "no snapshot" sim --restart short.h5@-1
refused "--vtk DIR, --xdmf DIR or --svg FILE" export short.h5
refused "ball.yaml" export ball.yaml --svg x.svg
no_leftovers
finish
