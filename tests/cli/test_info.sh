#!/bin/bash
# slipcone info.
. "$(dirname "$0")/common.sh"

run 0 generate random --contacts 10 --mu 0.5 --out local.hdf5
run 0 generate deficient-global --contacts 8 --out global.hdf5
printf 'not a problem' >bad.hdf5

run 0 info local.hdf5
for label in form contacts dimension mu non-zeros rank condition solution; do
  grep -qE "^  $label +[^ ]" out || fail "info says nothing of $label"
done
has out "local.hdf5"
lacks out "dof"
is_empty err

run 0 info global.hdf5
grep -qE '^  form +global' out || fail "the form of a global problem"
grep -qE '^  dof +[1-9]' out || fail "the degrees of freedom of a global problem"
grep -qE '^  density +[0-9]' out || fail "the density of a global problem"

run 0 info --json local.hdf5 global.hdf5
json file form forms title description dimension contacts equalities dof mu_min mu_max density nonzeros \
  blocks norm asymmetry rank rank_exact rank_ratio condition condition_lsmr solution guesses -lines=2
run 0 info --json local.hdf5
json form=local 'forms=["local"]' contacts=10 dimension=3 mu_min=0.5 rank=30 rank_exact=true \
  density=null solution=true guesses=0 title=random

# FCLIB's equality constraints: here the last contact, which is bilateral.
run 0 info local.hdf5
lacks out equalities
run 0 generate bilateral --contacts 5 --out held.hdf5
run 0 info held.hdf5
grep -qE '^  equalities +3 ' out || fail "the equalities of a problem"
run 0 info --json held.hdf5
json contacts=5 equalities=3
run 0 info --json local.hdf5
json equalities=0

# No contacts at all.
run 0 generate random --contacts 0 --out none.hdf5
run 0 info none.hdf5
grep -qE '^  contacts +0$' out || fail "a problem without contacts"
lacks out "nan"
run 0 info --json none.hdf5
json contacts=0 mu_min=null rank=0 condition=null

# A bad file is named, its neighbours are still described.
run 2 info local.hdf5 bad.hdf5 global.hdf5
has out "local.hdf5"
has out "global.hdf5"
has err "bad.hdf5"
run 2 info --json bad.hdf5
json file=bad.hdf5 outcome=ERROR message
run 2 info missing.hdf5
has err "missing.hdf5"
run 2 info --form global local.hdf5
has err "local.hdf5"
refused "--form must be local or global, not 'dual'" info --form dual local.hdf5

# A folder of Matrix Market files is a problem, for info and for the bench.
mkdir market
printf '%%%%MatrixMarket matrix array real general\n2 2\n1\n0\n0\n1\n' >market/W.mtx
printf '%%%%MatrixMarket matrix array real general\n2 1\n-1\n0.8\n' >market/q.mtx
printf '%%%%MatrixMarket matrix array real general\n1 1\n0.5\n' >market/mu.mtx
for folder in market market/; do
  run 0 info "$folder"
  grep -qE '^  form +local' out || fail "info on a folder of Matrix Market files: $(cat out)"
  has out "0.5"
done
run 0 info --json market
json form=local contacts=1 dimension=2 mu_min=0.5
run 0 bench market/ --methods nsgs --out market.csv
has market.csv "/market,"

# A name that is not UTF-8 still gives JSON.
odd=$(printf 'odd\377name.hdf5')
if cp local.hdf5 "$odd" 2>/dev/null; then
  run 0 info --json "$odd"
  json file contacts=10
fi

finish
