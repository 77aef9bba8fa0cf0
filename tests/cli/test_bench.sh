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
iterations,seconds,peak_kib,trace,commit,compiler,cpu,version,content,reason,physical" ] || fail "the columns of r.csv"
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

# Shards, merged, are the whole campaign but for times and memory.
plain() { sed -E 's/^(([^,"]*,){5}("[^"]*"|[^,]*),[^,]*,[^,]*,[^,]*,[^,]*),.*$/\1/' "$1"; }
run 0 bench set --methods "$methods" --tol 1e-3,1e-6 --time-limit 20 --out whole.csv
for k in 1 2 3 4 5; do
  run 0 bench set --methods "$methods" --tol 1e-3,1e-6 --time-limit 20 --shard $k/5 --out part-$k.csv
done
has out "7 runs, 0 of them there before, 7 solved"
run 0 bench --merge part-1.csv part-2.csv part-3.csv part-4.csv part-5.csv --out merged.csv
has out "36 runs of 5 files; results in merged.csv"
plain whole.csv >whole.plain
plain merged.csv >merged.plain
cmp -s whole.plain merged.plain || fail "the shards of a campaign are not the whole: $(diff whole.plain merged.plain | head -4)"
run 0 bench --merge merged.csv part-2.csv --out again.csv
cmp -s merged.csv again.csv || fail "rows that were there already"
run 0 bench set --methods "$methods" --tol 1e-3,1e-6 --time-limit 20 --out merged.csv
has out "36 runs, 36 of them there before"
for shard in 0/3 4/3 3 x/3 3/ 1/2/3; do
  run 2 bench set --shard $shard --out wrong.csv
  has err "--shard wants K/N"
done
run 2 bench --merge part-1.csv none.csv --out wrong.csv
has err "none.csv"
[ ! -e wrong.csv ] || fail "something was written"

# A problem that has changed is run again, and its old rows no longer count; one whose file was only
# written anew is not.
cp -r set moved
run 0 generate random --contacts 6 --seed 7 --out moved/one/r1.hdf5
run 0 generate deficient-global --contacts 5 --seed 1 --out moved/two/d1.hdf5
cp before.csv changed.csv
run 0 bench moved --methods "$methods" --tol 1e-3,1e-6 --time-limit 20 --out changed.csv
has out "36 runs, 30 of them there before, 36 solved"
[ "$(wc -l <changed.csv)" -eq 43 ] || fail "changed.csv has $(wc -l <changed.csv) lines"
run 0 profile changed.csv
has out "Fraction of 12 problems"

# A results file of version 0.1 has no contents: it is gone on with as it is.
sed -E '1s/,content,reason,physical//; 2,$s/,[0-9a-f]{16},,[^,]*$//' before.csv >old.csv
run 0 bench moved --methods "$methods,psor" --tol 1e-3 --out old.csv
has out "24 runs, 18 of them there before"
[ "$(head -n 1 old.csv)" = "$(head -n 1 before.csv | sed 's/,content,reason,physical//')" ] || fail "old.csv's columns"
run 0 profile old.csv

# A method for the convex relaxation counts by the error with Coulomb's law, which it does not reach.
run 0 generate wall --contacts 50 --out wall.hdf5
run 0 bench wall.hdf5 --methods apgd --tol 1e-4 --out relaxed.csv
has out "0 solved"
grep -q ',apgd,0.0001,INACCURATE,0.0' relaxed.csv || fail "the relaxation is not INACCURATE"
grep -q 'the convex relaxation (flow normal to the cone) is what was solved' relaxed.csv ||
  fail "what the relaxation has solved is not said"
grep -Eq ',[0-9]+:0\.0[0-9]+:[0-9.e-]+,' relaxed.csv || fail "the trace of the relaxation"
grep -Eq ',0\.[0-9]+$' relaxed.csv || fail "the physical measure of the relaxation"

# A file that cannot be read is a row with a sentence, and the tool says so.
head -c 3000 moved/one/r2.hdf5 >moved/one/cut.hdf5
for k in 1 2; do
  run 2 bench moved/one --methods nsgs --tol 1e-3 --out unread.csv --plot unread.svg
  has err "1 of the problems cannot be read"
  exists unread.svg
done
has out "4 runs, 4 of them there before, 3 solved"
grep -q '^one/cut.hdf5,one,,,,nsgs,0.001,ERROR,.*damaged or truncated' unread.csv || fail "the row of cut.hdf5"
cp moved/one/r3.hdf5 moved/one/cut.hdf5
run 0 bench moved/one --methods nsgs --tol 1e-3 --out unread.csv
has out "4 runs, 3 of them there before, 4 solved"

# Less memory than a run needs.
run 0 generate pile --contacts 2000 --out pile.hdf5
# The address sanitizer cannot live in so little: its allocator waits for ever.
if ! ldd "$SLIPCONE" 2>/dev/null | grep -q libasan; then
  for memory in 0.1 1 4 20; do
    run 0 bench pile.hdf5 --methods nsn-ac --tol 1e-8 --time-limit 60 --memory $memory --out memory.$memory.csv
    grep -q ',nsn-ac,[^,]*,MEMORY,' memory.$memory.csv || fail "with $memory MiB: $(tail -n 1 memory.$memory.csv)"
  done
fi

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
[ "$(grep -c ',nsgs,1e-5,' c.csv)" -eq 3 ] || fail "the rule of the rest"
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
