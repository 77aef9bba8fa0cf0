#!/bin/bash
# slipcone bench, profile, and info on a folder.
. "$(dirname "$0")/common.sh"

mkdir -p set/one set/two
for seed in 1 2 3; do
  run 0 generate random --contacts 6 --seed $seed --out set/one/r$seed.hdf5
  run 0 generate deficient-global --contacts 5 --seed $seed --out set/two/d$seed.hdf5
done
echo "not a problem" >set/one/notes.txt

# ---- A campaign ----------------------------------------------------------------------------------

methods='nsgs,psor[omega=1.2,max-iter=5000],nsgs[order=shuffle-once]'
run 0 bench set --methods "$methods" --tol 1e-3,1e-6 --time-limit 20 --jobs 2 --repeat 2 --out r.csv
has out "36 runs, 0 of them there before, 36 solved; results in r.csv"
is_empty err
[ "$(head -n 1 r.csv)" = "problem,family,contacts,dof,dimension,method,tol,outcome,error,\
iterations,seconds,peak_kib,trace,commit,compiler,cpu,version" ] || fail "the columns of r.csv"
[ "$(wc -l <r.csv)" -eq 37 ] || fail "r.csv has $(wc -l <r.csv) lines"
grep -q '^one/r1.hdf5,one,6,0,3,nsgs,0.001,SOLVED,' r.csv || fail "the row of nsgs on r1"
grep -q '^two/d3.hdf5,two,5,12,3,"psor\[omega=1.2,max-iter=5000\]",' r.csv || fail "the row of psor on d3"

# The same command does nothing again; a larger one does what is missing.
cp r.csv before.csv
run 0 bench set --methods "$methods" --tol 1e-3,1e-6 --time-limit 20 --out r.csv
has out "36 runs, 36 of them there before, 36 solved"
cmp -s r.csv before.csv || fail "a campaign that was done changed its file"
run 0 bench set --methods "$methods,psor" --tol 1e-3 --out r.csv
has out "24 runs, 18 of them there before"
[ "$(wc -l <r.csv)" -eq 43 ] || fail "r.csv has $(wc -l <r.csv) lines after six more runs"

# Ctrl-C leaves whole rows, and the campaign goes on from there.
run 0 generate ill --contacts 300 --out set/two/hard.hdf5
"$SLIPCONE" bench set --methods 'nsgs' --tol 1e-3,1e-14 --time-limit 60 --out i.csv >out 2>err &
pid=$!
for wait in $(seq 100); do
  sleep 0.1
  [ -e i.csv ] && [ "$(wc -l <i.csv)" -ge 14 ] && break
done
kill -INT $pid
wait $pid
code=$?
command_line="slipcone bench, interrupted"
if [ $code -eq 1 ]; then
  has err "interrupted with"
  [ -z "$(tail -c 1 i.csv | tr -d '\n')" ] || fail "an interrupted campaign leaves half a row"
else
  [ $code -eq 0 ] || fail "an interrupted campaign gave $code"
fi
rm set/two/hard.hdf5

# ---- A definition --------------------------------------------------------------------------------

printf 'run one 1e-2 10\nrun * 1e-5 20 # the rest\nmethods nsgs\nrepeat 2\n' >c.txt
run 0 bench set --campaign c.txt --out c.csv
has out "6 runs, 0 of them there before"
[ "$(grep -c ',nsgs,0.01,' c.csv)" -eq 3 ] || fail "the rule of family one"
[ "$(grep -c ',nsgs,1.0000000000000001e-05,' c.csv)" -eq 3 ] || fail "the rule of the rest"
run 0 bench set --campaign c.txt --methods psor --tol 1e-4 --out c2.csv
[ "$(grep -c ',psor,0.0001' c2.csv)" -eq 6 ] || fail "flags go before a definition"
printf 'rum one 1e-2 10\n' >bad.txt
refused "line 1: 'rum' is none of" bench set --campaign bad.txt --out x.csv

# ---- Profiles ------------------------------------------------------------------------------------

run 0 profile before.csv
has out "Fraction of 12 problems"
has out "(virtual best)"
grep -qE '^nsgs +[01]\.[0-9]{3}.* 1\.000$' out || fail "the profile of nsgs"
grep -qE '^one +0\.001 +3 ' out || fail "Table 6 of family one"
run 0 profile before.csv --tol 1e-6 --family two --plot p.svg --report p.html
has out "Fraction of 3 problems"
lacks out "one "
grep -q '<svg' p.svg || fail "p.svg is no SVG"
grep -qi '<html' p.html || fail "p.html is no page"
for measure in time-per-contact error-at-budget; do
  run 0 profile before.csv --measure $measure --budget 1
  has out "(virtual best)"
done
run 0 bench set --methods "$methods" --tol 1e-3 --out before.csv --plot b.svg --report b.html
exists b.svg
exists b.html
head -c -20 before.csv >cut.csv
run 0 profile cut.csv
has err "ends in the midst of a row"

# ---- Refusals ------------------------------------------------------------------------------------

refused "missing operand" bench --out x.csv
refused "--out FILE is wanted" bench set
refused "there is no method 'nope'" bench set --methods nope --out x.csv
refused "there is no family of methods 'nope'" bench set --methods family:nope --out x.csv
refused "--tol wants numbers above 0 parted by commas, not '1e-4;2'" bench set --tol '1e-4;2' --out x.csv
refused "--tol wants numbers above 0" bench set --tol 0 --out x.csv
refused "--time-limit wants" bench set --time-limit -1 --out x.csv
refused "--jobs wants" bench set --jobs 0 --out x.csv
refused "--repeat wants" bench set --repeat 1.5 --out x.csv
refused "--memory wants" bench set --memory lots --out x.csv
refused "--peers knows siconos, not 'nobody'" bench set --peers nobody --out x.csv
refused "missing-folder cannot be opened" bench missing-folder --out x.csv
refused "is not a results file" bench set --methods nsgs --out set/one/notes.txt
refused "would be written over the results" bench set --out r.csv --report r.csv
refused "is not a results file" profile set/one/notes.txt
refused "no row of the results has the tolerance 0.5" profile before.csv --tol 0.5
refused "--measure must be" profile before.csv --measure beauty
missing x.csv

# ---- Folders described ---------------------------------------------------------------------------

run 0 info set
grep -qE '^one +3 0\.5 +- +6 +- +1 ' out || fail "Table 5 of family one: $(cat out)"
grep -qE '^two +3 0\.5 +12 +5 +1\.25 +1\.25 ' out || fail "Table 5 of family two: $(cat out)"
run 0 info --json set/two
json family=two problems=3 mu dof contacts density rank_ratio condition condition_lsmr asymmetry

# ---- Peers, where they are -----------------------------------------------------------------------

if [ -x "$(dirname "$SLIPCONE")/slipcone-peer-siconos" ]; then
  run 0 bench set/one --methods siconos:NSGS,siconos:NOPE,nsgs --tol 1e-6 --out peer.csv
  has out "9 runs, 0 of them there before, 6 solved"
  [ "$(grep -c ',siconos:NOPE,.*,REFUSED,' peer.csv)" -eq 3 ] || fail "an unknown solver of a peer"
  run 0 bench set/one/r1.hdf5 --methods nsgs --peers siconos --tol 1e-4 --time-limit 5 --out peers.csv
  [ "$(grep -c ',siconos:' peers.csv)" -gt 10 ] || fail "--peers siconos gave few rows"
else
  refused "slipcone-peer-siconos is not beside the tool" bench set --peers siconos --out x.csv
fi

finish
