#!/bin/bash
# slipcone generate.
. "$(dirname "$0")/common.sh"

run 0 generate --list
has out "random"
is_empty err
# Every kind listed can be made as listed, and the file can be read.
grep '^  slipcone generate ' out >commands
[ "$(wc -l <commands)" -ge 5 ] || fail "only $(wc -l <commands) kinds"
while read -r _ _ kind flags; do
  # shellcheck disable=SC2086
  run 0 generate "$kind" $flags --out "$kind.hdf5"
  is_empty err
  has out "$kind.hdf5: $kind, "
  run 0 convert "$kind.hdf5" copy.hdf5
done <commands

# A known solution is in the file and is one: a run that starts from it needs no iteration.
run 0 info --json random.hdf5
json solution=true form=local title=random
run 0 solve --warm-start --tol 1e-8 --json random.hdf5
json outcome=SOLVED "iterations<2"

run 0 generate random --contacts 12 --dimension 2 --mu 0.25 --seed 9 --condition 50 --out a.hdf5
has out "12 contacts in 2D"
run 0 info --json a.hdf5
json contacts=12 dimension=2 mu_min=0.25 mu_max=0.25

# The same flags give the same problem, another seed another one.
solve_fingerprint() { "$SLIPCONE" solve --max-iter 3 --tol 1e-15 --json "$1" |
  sed 's/.*\("error": *[^,]*\).*/\1/'; }
run 0 generate random --contacts=12 --dimension=2 --mu=0.25 --seed=9 --condition=50 --out=b.hdf5
run 0 generate random --contacts 12 --dimension 2 --mu 0.25 --seed 10 --condition 50 --out c.hdf5
[ "$(solve_fingerprint a.hdf5)" = "$(solve_fingerprint b.hdf5)" ] || fail "a seed gives two problems"
[ "$(solve_fingerprint a.hdf5)" != "$(solve_fingerprint c.hdf5)" ] || fail "two seeds give one problem"

refused "name a kind" generate --out x.hdf5
refused "unknown kind 'randon'; did you mean 'random'?" generate randon --out x.hdf5
refused "--out FILE" generate random
refused "--contacts needs a whole number, not '12x'" generate random --contacts 12x --out x.hdf5
refused "--contacts needs a whole number, not '1.5'" generate random --contacts 1.5 --out x.hdf5
refused "not ' 12'" generate random --contacts ' 12' --out x.hdf5
refused "not ''" generate random --contacts '' --out x.hdf5
refused "not '99999999999'" generate random --contacts 99999999999 --out x.hdf5
refused "--seed needs a whole number, not '-1'" generate random --seed -1 --out x.hdf5
refused "--mu needs a number, not 'nan'" generate random --mu nan --out x.hdf5
refused "--mu needs a number, not 'high'" generate random --mu high --out x.hdf5
refused "4" generate random --dimension 4 --out x.hdf5
refused "-3" generate random --contacts -3 --out x.hdf5
refused "-0.5" generate random --mu -0.5 --out x.hdf5
missing x.hdf5
refused "nowhere/x.hdf5 cannot be written" generate random --out nowhere/x.hdf5
mkdir folder
refused "folder is not a plain file" generate random --out folder
refused "/dev/null is not a plain file" generate random --out /dev/null

finish
