#!/bin/bash
# slipcone solve --out: files, directories, what is refused, and unsolved runs.
. "$(dirname "$0")/common.sh"

run 0 generate random --contacts 20 --out a.hdf5
run 0 generate deficient-global --contacts 8 --out b.hdf5
run 0 generate one --out one.hdf5
printf 'not a problem' >bad.hdf5
sum_a=$(cksum <a.hdf5)

# One input: a file, which holds the problem and the solution found.
run 0 solve --tol 1e-8 --out solved.hdf5 one.hdf5
has out "solved.hdf5"
run 0 info --json solved.hdf5
json solution=true contacts=1 title=one
run 0 solve --tol 1e-8 --warm-start --json solved.hdf5
json "iterations<2" outcome=SOLVED
# Global problems keep their form, and their velocities.
run 0 solve --tol 1e-8 --out global.hdf5 b.hdf5
run 0 info --json global.hdf5
json form=global solution=true
run 0 solve --tol 1e-8 --warm-start --json global.hdf5
json "iterations<2"

# FCLIB's equality constraints keep theirs: multipliers are impulses of the last contacts.
run 0 generate bilateral --contacts 5 --out held.hdf5
run 0 solve --tol 1e-10 --out held_solved.hdf5 held.hdf5
run 0 info --json held_solved.hdf5
json equalities=3 contacts=5 solution=true
run 0 solve --tol 1e-10 --warm-start --json held_solved.hdf5
json outcome=SOLVED "iterations<2"

# The best point of an unsolved run is written too, and is a start for the next.
run 1 solve --max-iter 2 --tol 1e-12 --json --out half.hdf5 a.hdf5
first=$(sed 's/.*"error": *\([^,]*\).*/\1/' out)
run 1 solve --max-iter 0 --tol 1e-12 --json --warm-start half.hdf5
second=$(sed 's/.*"error": *\([^,]*\).*/\1/' out)
awk "BEGIN { exit !($second <= $first * (1 + 1e-12)) }" ||
  fail "the point written has error $second, the run said $first"

# A bad input writes nothing.
run 2 solve --out nothing.hdf5 bad.hdf5
missing nothing.hdf5

# Several inputs: a directory, made if need be; a bad file does not stop the others.
run 2 solve --out many a.hdf5 bad.hdf5 b.hdf5
exists many/a.hdf5
exists many/b.hdf5
missing many/bad.hdf5
run 0 solve --json --warm-start many/a.hdf5 many/b.hdf5
json "iterations<2" -lines=2
run 0 solve --out many a.hdf5 b.hdf5
# One input and a directory.
mkdir there
run 0 solve --out there a.hdf5
exists there/a.hdf5
run 0 solve --out slash/ a.hdf5
exists slash/a.hdf5

# Folders of Matrix Market files give HDF5 files, as their names then say.
mkdir market
printf '%%%%MatrixMarket matrix array real general\n2 2\n1\n0\n0\n1\n' >market/W.mtx
printf '%%%%MatrixMarket matrix array real general\n2 1\n-1\n0.8\n' >market/q.mtx
printf '%%%%MatrixMarket matrix array real general\n1 1\n0.5\n' >market/mu.mtx
run 0 solve --out from a.hdf5 market
exists from/market.hdf5
rm -r from
run 0 solve --out from/ market/
exists from/market.hdf5

# ---- Refused before anything is solved -----------------------------------------------------------

mkdir other && cp a.hdf5 other/a.hdf5
refused "would both be written to twice/a.hdf5" solve --out twice a.hdf5 other/a.hdf5
missing twice
refused "it is an input" solve --out a.hdf5 a.hdf5
refused "it is an input" solve --out ./other/../a.hdf5 a.hdf5
refused "it is an input" solve --out . a.hdf5 b.hdf5
ln -s a.hdf5 link.hdf5
refused "it is an input" solve --out link.hdf5 a.hdf5
refused "bad.hdf5" solve --out bad.hdf5 a.hdf5 b.hdf5
refused "cannot be written" solve --out nowhere/x.hdf5 a.hdf5
refused "cannot be made" solve --out nowhere/deep a.hdf5 b.hdf5
refused "/dev/null is not a plain file" solve --out /dev/null a.hdf5
refused "not ''" solve --out '' a.hdf5
refused "both write same.x" solve --out same.x --trace same.x a.hdf5
missing same.x
[ "$(cksum <a.hdf5)" = "$sum_a" ] || fail "an input was changed"

finish
