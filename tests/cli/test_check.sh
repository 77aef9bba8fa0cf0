#!/bin/bash
# slipcone check, and what solve says of problems without a solution.
. "$(dirname "$0")/common.sh"

run 0 generate painleve --out jams.hdf5
run 0 generate painleve --speed -1 --out slides.hdf5
run 0 generate painleve-up --out two.hdf5
run 0 generate crushed --out crushed.hdf5
run 0 generate crushed --speed 0 --out rests.hdf5
run 0 generate drum --contacts 100 --out drum.hdf5
run 0 generate stack --out stack.hdf5
run 0 generate random --contacts 10 --out local.hdf5
printf 'not a problem' >bad.hdf5

run 3 check --enumerate jams.hdf5
has out "jams.hdf5: NO SOLUTION"
has out "no, by enumeration"
run 1 check --no-solve jams.hdf5
has out "jams.hdf5: NOT CERTIFIED"
run 3 check crushed.hdf5
has out "by penetration"
run 0 check slides.hdf5 drum.hdf5 rests.hdf5 local.hdf5
has out "drum.hdf5: ROBUST"
has out "by kernel"
has out "rests.hdf5: EXISTS"
has out "by w-zero"
has out "by full-rank"
run 0 check --margin drum.hdf5
has out "margin      no bound"
run 0 generate elastic --out elastic.hdf5
run 0 check elastic.hdf5
has out "M is taken to be positive definite"
run 0 check --mass --json elastic.hdf5
json mass_verified=true ground=full-rank
run 2 check drum.hdf5 bad.hdf5 crushed.hdf5
has out "crushed.hdf5: NO SOLUTION"
run 3 check drum.hdf5 crushed.hdf5
run 2 check --tol many drum.hdf5
run 2 check --tol 2 drum.hdf5
has err "the tolerance of a check"
run 2 check --nodes -1 drum.hdf5
run 2 check --time-limit soon drum.hdf5
run 2 check

run 0 check --enumerate --json two.hdf5
json file verdict solution_exists=yes ground=enumeration reason margin margin_known=true size v=null \
  work imbalance iterations enumerated=true nodes=5 unbounded=false
has out '"status": ["open"]'
has out '"status": ["slip"]'
run 3 check --json crushed.hdf5
json 'verdict=NO SOLUTION' solution_exists=no ground=penetration

# A run without a solution says which case it is.
run 1 solve --max-iter 200 jams.hdf5
has out "NO_SOLUTION"
has out "enumeration found no solution"
run 1 solve --max-iter 200 --json jams.hdf5
json outcome=NO_SOLUTION
run 1 solve --max-iter 200 --no-diagnose jams.hdf5
lacks out "NO_SOLUTION"
run 1 solve --max-iter 0 stack.hdf5
has out "MAX_ITER"
has out "a solution exists"
run 0 check --help
has out "(default: global)"
has out "3 when one is proved to have no"
lacks out "when every file is solved"

finish
