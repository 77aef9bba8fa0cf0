#!/bin/bash
# slipcone view.
. "$(dirname "$0")/common.sh"

cat >ball.yaml <<'END'
slipcone: 1
title: Ball
gravity: [0, 0, -9.81]
time: {step: 0.01, end: 0.5}
contacts: [{friction: 0.3}]
bodies:
  - {name: floor, fixed: true, shape: {plane: [0, 0, 1]}}
  - {name: ball, shape: {sphere: 0.1}, position: [0, 0, 0.2]}
END
run 0 sim ball.yaml --out run.h5
has out "slipcone view run.h5 --out"

# A page with all frames, with some, without contacts; nothing in it is fetched.
run 0 view run.h5 --out all.html
has out "2 bodies, 51 frames"
has out "open all.html in a browser"
is_empty err
has all.html 'id="motion-0"'
has all.html 'id="contacts-0"'
lacks all.html "http:"
lacks all.html "https:"
run 0 view run.h5 --out some.html --every 10
has out "6 frames"
[ "$(wc -c <some.html)" -lt "$(wc -c <all.html)" ] || fail "every tenth frame takes no less room"
run 0 view run.h5 --out none.html --contacts 0
lacks none.html 'id="contacts-0"'
# The same input gives the same bytes.
run 0 view run.h5 --out again.html
cmp -s all.html again.html || fail "two pages of the same run differ"
missing all.html.part

# A problem: with the solution in its file, or solved now.
run 0 generate random --contacts 20 --out problem.hdf5
run 0 view problem.hdf5 --out problem.html
has out "20 contacts"
has problem.html 'id="errors"'
run 0 generate pile --contacts 20 --out pile.hdf5
refused "pile.hdf5 holds no solution; --solve finds one" view pile.hdf5 --out x.html
run 0 view pile.hdf5 --solve --tol 1e-8 --out pile.html
exists pile.html

refused "--out PAGE.html" view run.h5
refused "--every 0: a whole number of at least 1" view run.h5 --out x.html --every 0
refused "--contacts -1" view run.h5 --out x.html --contacts -1
refused "missing.h5" view missing.h5 --out x.html
refused "ball.yaml" view ball.yaml --out x.html
refused "nowhere" view run.h5 --out nowhere/x.html
missing x.html
finish
