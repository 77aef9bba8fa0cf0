#!/bin/bash
# slipcone convert.
. "$(dirname "$0")/common.sh"

run 0 generate random --contacts 10 --out local.hdf5
run 0 generate deficient-global --contacts 8 --out global.hdf5

# HDF5 to HDF5 keeps everything.
described() { "$SLIPCONE" info "$1" | tail -n +2; }
run 0 convert local.hdf5 copy.hdf5
is_empty err
[ "$(described local.hdf5)" = "$(described copy.hdf5)" ] || fail "convert changed the problem"
run 0 solve --warm-start --json copy.hdf5
json "iterations<2"
run 0 convert global.hdf5 copy.hdf5
[ "$(described global.hdf5)" = "$(described copy.hdf5)" ] || fail "convert changed the problem"

# With equality constraints: so are their multipliers.
run 0 generate bilateral --contacts 5 --out held.hdf5
run 0 convert held.hdf5 copy.hdf5
[ "$(described held.hdf5)" = "$(described copy.hdf5)" ] || fail "convert changed the problem"
run 0 info --json copy.hdf5
json equalities=3 solution=true
run 0 solve --warm-start --json copy.hdf5
json outcome=SOLVED "iterations<2"

# Global to local: same contacts, and the solution is still one.
run 0 convert --reduce global.hdf5 reduced.hdf5
run 0 info --json reduced.hdf5
json form=local contacts=8 dof=0 solution=true
run 0 solve --warm-start --tol 1e-8 --json reduced.hdf5
json outcome=SOLVED "iterations<2"

# Siconos text to HDF5: W = diag(2, 1, 1), one sliding contact.
cat >text.dat <<'END'
3
1
0
3 3
3 3
2 0 0 0 1 0 0 0 1
-1 0.5 0
0.25
END
run 0 convert text.dat text.hdf5
run 0 info --json text.dat text.hdf5
json form=local contacts=1 dimension=3 mu_min=0.25 solution=false -lines=2
run 0 solve --json --tol 1e-10 text.dat text.hdf5
json outcome=SOLVED slip=1 -lines=2
run 0 solve --out results text.dat local.hdf5
exists results/text.hdf5
exists results/local.hdf5
run 0 info --json results/text.hdf5
json solution=true

run 2 convert --reduce local.hdf5 x.hdf5
has err "local.hdf5"
missing x.hdf5
run 2 convert --form global local.hdf5 x.hdf5
missing x.hdf5
refused "--form local does not go with it" convert --reduce --form local global.hdf5 x.hdf5
refused "--form must be" convert --form x local.hdf5 x.hdf5
run 0 convert local.hdf5 x.dat
has err "only the problem is written"
run 0 convert x.dat again.hdf5
run 0 solve --json --tol 1e-10 local.hdf5 x.dat again.hdf5
[ "$(sed -E 's/.*("iterations": [0-9]+),.*/\1/' out | sort -u | wc -l)" -eq 1 ] || fail "text changed the problem"
run 0 generate bilateral --out joint.hdf5
refused "which Siconos text has no place for" convert joint.hdf5 joint.dat
missing joint.dat
# A result has no place in Siconos text, a generated problem has.
refused "no place for a solution" solve local.hdf5 --out result.dat
missing result.dat
run 0 generate pile --contacts 8 --out pile.dat
run 0 generate pile --contacts 8 --out pile.hdf5
run 0 solve --json --tol 1e-10 pile.dat pile.hdf5
[ "$(sed -E 's/.*("iterations": [0-9]+),.*/\1/' out | sort -u | wc -l)" -eq 1 ] || fail "the generated text is another problem"
refused "it is the input" convert local.hdf5 ./local.hdf5
ln -s local.hdf5 link.hdf5
refused "it is the input" convert local.hdf5 link.hdf5
refused "cannot be written" convert local.hdf5 nowhere/x.hdf5
run 0 info local.hdf5

# A bad input leaves what stood at the output's place.
printf 'keep me' >kept.hdf5
printf 'not a problem' >bad.hdf5
run 2 convert bad.hdf5 kept.hdf5
has err "bad.hdf5"
[ "$(cat kept.hdf5)" = "keep me" ] || fail "a failed convert changed its output"
run 0 convert local.hdf5 kept.hdf5
run 0 info kept.hdf5

finish
