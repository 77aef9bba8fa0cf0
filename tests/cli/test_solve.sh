#!/bin/bash
# slipcone solve: summary, JSON, exit codes, settings, warm start, trace.
. "$(dirname "$0")/common.sh"

run 0 generate random --contacts 20 --seed 1 --out a.hdf5
run 0 generate deficient-global --contacts 8 --out b.hdf5
run 0 generate one --out one.hdf5
printf 'not a problem' >bad.hdf5

# ---- Summary -------------------------------------------------------------------------------------

run 0 solve a.hdf5
has out "a.hdf5: SOLVED"
has out "20 contacts in 3D"
for label in size method iterations error contacts; do
  grep -qE "^  $label +[^ ]" out || fail "the summary says nothing of $label"
done
grep -qE 'contacts +[0-9]+ open, [0-9]+ stick, [0-9]+ slip' out || fail "no contact statuses"
is_empty err

run 0 solve a.hdf5 b.hdf5
has out "2 of 2 files solved"
is_empty err

# Twenty contacts of five boxes: up to 60 components, 30 degrees of freedom. Where W is all there is, its
# rank tells.
run 0 generate stack --contacts 20 --out stack.hdf5
run 0 solve stack.hdf5
grep -qE '^  impulses +not unique: [0-9]+ components of closed contacts, 30 degrees of freedom' out ||
  fail "a stack's impulses are not unique, and it is not said"
run 0 convert --reduce stack.hdf5 stack-local.hdf5
run 0 solve stack-local.hdf5
grep -qE '^  impulses +not unique: [0-9]+ components of closed contacts, W of rank (30|2[0-9])' out ||
  fail "nor are they in local form"
run 0 generate elastic --contacts 20 --out elastic.hdf5
run 0 solve elastic.hdf5
lacks out "not unique"

run 0 generate random --contacts 0 --out none.hdf5
run 0 solve none.hdf5
has out "0 open, 0 stick, 0 slip"

# ---- JSON ----------------------------------------------------------------------------------------

keys="file contacts dimension method tol outcome error iterations seconds open stick slip"
# shellcheck disable=SC2086
{
  run 0 solve --json --method nsgs --tol 1e-6 a.hdf5 b.hdf5
  json $keys outcome=SOLVED method=nsgs "error<1.0000001e-6" -lines=2
}
is_empty err
run 0 solve --json a.hdf5 --method psor --set omega=1.2
json method=psor file=a.hdf5 contacts=20 dimension=3
[ "$(sed 's/.*"open": *\([0-9]*\).*"slip": *\([0-9]*\).*/\1 \2/' out | wc -w)" -eq 2 ] ||
  fail "open and slip are no numbers"

# ---- Exit codes: 1 unsolved, 2 bad input, the worst of all files ---------------------------------

run 1 solve --max-iter 1 --tol 1e-14 a.hdf5
has out "a.hdf5: MAX_ITER"
grep -qE '^  reason +[^ ]' out || fail "no reason for an unsolved run"
run 1 solve --json --max-iter 1 --tol 1e-14 a.hdf5
json outcome=MAX_ITER iterations=1
run 1 solve --tol 1e-18 a.hdf5
grep -qE '^  floor +[0-9]' out || fail "no rounding floor below a tolerance"
has out "rounding floor"
run 1 solve --json --tol 1e-18 a.hdf5
grep -q '"floor": [0-9]' out || fail "no rounding floor in the JSON"
run 2 solve bad.hdf5
has err "bad.hdf5"
lacks out "SOLVED"
run 2 solve missing.hdf5
has err "missing.hdf5"
run 2 solve bad.hdf5 a.hdf5 missing.hdf5
has out "a.hdf5: SOLVED"
has err "bad.hdf5"
has err "missing.hdf5"
run 2 solve --max-iter 1 --tol 1e-14 a.hdf5 bad.hdf5
run 2 solve --json bad.hdf5 a.hdf5
json file outcome -lines=2
grep -q '"outcome": *"ERROR"' out || fail "a bad file gives no object"
grep -q '"message": *"' out || fail "a bad file gives no message"
run 2 solve .
run 2 solve ''

# ---- Settings ------------------------------------------------------------------------------------

refused "unknown method 'nsgd'; did you mean 'nsgs'?" solve --method nsgd a.hdf5
refused "--tol abc" solve --tol abc a.hdf5
refused "--tol 1e-6x" solve --tol=1e-6x a.hdf5
refused "--tol -1" solve --tol -1 a.hdf5
has err "must be 0 or more, not -1"
refused "must be from 1 to 1024, not 0" solve --threads 0 a.hdf5
refused "--max-iter 1.5" solve --max-iter 1.5 a.hdf5
refused "--threads 0" solve --threads 0 a.hdf5
refused "--time-limit soon" solve --time-limit soon a.hdf5
refused "--set omega" solve --method psor --set omega a.hdf5
refused "--set =1" solve --set =1 a.hdf5
refused "--set nothing=1" solve --set nothing=1 a.hdf5
refused "method psor has no option 'omgea'; did you mean 'omega'?" solve --method psor --set omgea=1 a.hdf5
has err "Its options are "
has err "omega-rule, tol, max-iter"
refused "method auto has no option 'tolerance'; did you mean 'tol'?" solve --set tolerance=1 a.hdf5
refused "method psor has no option 'zzzzzzzz'." solve --method psor --set zzzzzzzz=1 a.hdf5
run 0 solve --help
has out "(default: 1e-6)"
run 0 generate one --out one.hdf5
has out "1 contact in 3D"
run 0 solve --tol 1e-7 --json one.hdf5
has out '"tol": 1e-7,'
run 0 solve --tol 1e-7 one.hdf5
has out "(tol 1e-7)"
has out "1 contact in 3D"
run 0 solve --tol 1e-7 --verbose one.hdf5
has out " is at most 1e-7"
run 1 solve --tol 1e-17 one.hdf5
has out "above the tolerance 1e-17"
refused "--set omega=big" solve --method psor --set omega=big a.hdf5
refused "--set omega=1" solve --method nsgs --set omega=1 a.hdf5
refused "--form must be" solve --form both a.hdf5
# The last of several counts, whether it is a flag or --set; flags may stand anywhere.
run 0 solve a.hdf5 --json --tol 1e-3 --set tol=0.25
json tol=0.25
run 0 solve --tol=1e-5 --json --tol 0.5 a.hdf5
json tol=0.5
cp a.hdf5 ./-dash.hdf5
run 0 solve -- -dash.hdf5
has out "-dash.hdf5: SOLVED"
refused "unknown flag '-dash.hdf5'" solve -dash.hdf5
run 2 solve --form global a.hdf5
has err "a.hdf5"

# ---- Warm start ----------------------------------------------------------------------------------

run 0 solve --json --tol 1e-8 --warm-start a.hdf5
json "iterations<2" outcome=SOLVED
is_empty err
run 0 solve --json --tol 1e-8 a.hdf5
! "$JSON_CHECK" "iterations<2" <out >/dev/null || fail "a cold start needs no iteration either"
run 0 solve --warm-start one.hdf5
has err "one.hdf5 holds neither a solution nor a guess"

# ---- Trace ---------------------------------------------------------------------------------------

run 0 solve --trace trace.csv a.hdf5
[ "$(head -n 1 trace.csv)" = "iteration,error,seconds,physical" ] || fail "the header of the trace"
[ "$(wc -l <trace.csv)" -ge 2 ] || fail "the trace has no points"
awk -F, 'NR > 1 && (NF != 4 || $2 !~ /^[0-9.e+-]+$/ || $1 < last) { exit 1 } NR > 1 { last = $1 }' \
  trace.csv || fail "the points of the trace"
[ "$(grep -c ',$' trace.csv)" -eq "$(($(wc -l <trace.csv) - 2))" ] ||
  fail "the last point of the trace, and no other, has the physical measure"
run 0 solve --json a.hdf5
iterations=$(sed 's/.*"iterations": *\([0-9]*\).*/\1/' out)
[ "$(tail -n 1 trace.csv | cut -d, -f1)" -eq "$iterations" ] ||
  fail "the trace ends elsewhere than the run"
cp a.hdf5 'a,"b.hdf5'
run 0 solve --trace trace.csv b.hdf5 'a,"b.hdf5'
[ "$(head -n 1 trace.csv)" = "file,iteration,error,seconds,physical" ] || fail "the header of the trace"
grep -q '^b.hdf5,[0-9]' trace.csv || fail "the trace does not name its files"
grep -q '^"a,""b.hdf5",[0-9]' trace.csv || fail "the trace does not quote names"
refused "nowhere/t.csv cannot be written" solve --trace nowhere/t.csv a.hdf5
refused "it is an input" solve --trace a.hdf5 a.hdf5
refused "/dev/null is not a plain file" solve --trace /dev/null a.hdf5
run 2 solve --trace empty.csv bad.hdf5
[ "$(cat empty.csv)" = "iteration,error,seconds,physical" ] || fail "the trace of no run"

run 0 solve --plot trace.svg a.hdf5 b.hdf5
[ "$(grep -c 'class="curve"' trace.svg)" -eq 4 ] || fail "the plot has not a curve per file and panel"
[ "$(grep -c 'class="tolerance"' trace.svg)" -eq 4 ] || fail "the plot lacks the tolerances"
[ "$(grep -c '<circle' trace.svg)" -eq 4 ] || fail "the plot lacks the physical measures"
grep -q '>b.hdf5</text>' trace.svg || fail "the plot does not name its files"
run 0 solve --plot trace.svg 'a,"b.hdf5'
grep -q '>a,&#34;b.hdf5</text>' trace.svg || fail "the plot does not escape names"
refused "nowhere/t.svg cannot be written" solve --plot nowhere/t.svg a.hdf5
refused "it is an input" solve --plot a.hdf5 a.hdf5
refused "both write x.svg" solve --trace x.svg --plot x.svg a.hdf5

# ---- A standard output that cannot be written ----------------------------------------------------

if [ -w /dev/full ]; then
  "$SLIPCONE" solve a.hdf5 >/dev/full 2>err
  [ $? -eq 2 ] || fail "a full disk is not an error"
  has err "standard output cannot be written"
fi
# A closed pipe ends the tool with the same code and without a word.
{ "$SLIPCONE" solve --json a.hdf5 b.hdf5 2>err; echo $? >code; } | true
case $(cat code) in
0 | 2) is_empty err ;; # 0: all was written before the reader left
*) fail "a closed pipe gave $(cat code)" ;;
esac

# ---- Standard input, tables, more and less output ------------------------------------------------

piped() { # code, file, arguments...
  local expected=$1 file=$2 code
  shift 2
  command_line="slipcone $* <$file"
  cat "$file" | "$SLIPCONE" "$@" >out 2>err
  code=$?
  [ $code -eq "$expected" ] || fail "'$command_line' gave $code: $(cat out err)"
}
piped 0 a.hdf5 solve --tol 1e-9 -
has out "-: SOLVED"
piped 0 a.hdf5 solve --json -
json file=- outcome=SOLVED
piped 0 a.hdf5 solve --out from-stdin.hdf5 -
run 0 solve --warm-start from-stdin.hdf5
piped 2 a.hdf5 solve --out some-directory/ -
has err "standard input has no name"
missing some-directory
piped 0 a.hdf5 check -
piped 0 a.hdf5 info -
piped 0 a.hdf5 convert - copy.hdf5
run 0 info copy.hdf5
printf 'hello\n' >hello
piped 2 hello solve -
has err "standard input: is neither an HDF5 file nor a Siconos text file"
piped 2 /dev/null solve -
has err "standard input: is empty"
head -c 2000 a.hdf5 >half
piped 2 half solve -
has err "damaged or truncated"

run 0 generate one --out one.hdf5
run 0 solve --table one.hdf5
[ "$(grep -cE '^ +0 (open|stick|slip) ( +-?[0-9.]+e[-+][0-9]+){7}$' out)" -eq 1 ] || fail "--table: $(cat out)"
run 0 solve --table --quiet a.hdf5
[ "$(wc -l <out)" -eq 21 ] || fail "--table --quiet has $(wc -l <out) lines"
run 0 generate stack --dimension 2 --contacts 4 --out flat.hdf5
run 0 solve --table flat.hdf5
grep -qE '^ +contact status +r_N +r_T1 +u_N +u_T1 +error$' out || fail "--table in 2D: $(cat out)"
run 0 solve --quiet a.hdf5 one.hdf5
is_empty out
is_empty err
run 1 solve --quiet --tol 1e-12 --max-iter 1 --no-diagnose --method nsgs a.hdf5
is_empty out
run 0 solve --verbose --method psor --set omega=1.25 a.hdf5
has out "omega=1.25"
has out "tol=1e-6"
has out "reason"
refused "do not go together" solve --quiet --verbose a.hdf5
refused "do not go together" solve --json --table a.hdf5

finish
