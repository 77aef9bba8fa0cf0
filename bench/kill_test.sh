#!/bin/bash
# A campaign killed at random moments and started again ends with the rows of one left in peace:
# 40 methods, 60 problems, 2 tolerances, 20 kills (a minute or two).
#   bench/kill_test.sh [TOOL [METHODS PROBLEMS KILLS]]
set -eu
tool=$(realpath "${1:-build/slipcone}")
method_count=${2:-40} problem_count=${3:-60} kills=${4:-20}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$tool" "$scratch/slipcone" # so that a build meanwhile does not change it
tool=$scratch/slipcone
cd "$scratch"
RANDOM=${SEED:-1}

# Variants by options without commas, so that the file can be cut at commas; bounded by iterations,
# since what time bounds is not the same twice.
methods=
for k in $(seq "$method_count"); do
  case $((k % 4)) in
  0) name="nsgs[max-iter=$((1000 + k))]" ;;
  1) name="psor[max-iter=$((1000 + k))]" ;;
  2) name="nsgs[max-iter=$k]" ;;
  3) name="psor[max-iter=$((200 + k))]" ;;
  esac
  methods="$methods${methods:+,}$name"
done
kinds="random unsymmetric bilateral stack slope deficient"
mkdir problems
for k in $(seq "$problem_count"); do
  kind=$(echo $kinds | cut -d' ' -f$((k % 6 + 1)))
  mkdir -p problems/$kind
  "$tool" generate $kind --contacts $((3 + k % 5)) --seed "$k" --out problems/$kind/$k.hdf5 >/dev/null
done
campaign() { # in a process of its own, so that a kill hits the tool
  exec "$tool" bench problems --methods "$methods" --tol 1e-4,1e-8 --time-limit 600 --jobs 2 --out "$1"
}

began=$(date +%s.%N)
(campaign peace.csv)
took=$(echo "$(date +%s.%N) - $began" | bc)

# Kills spread over the time a whole campaign takes, so that most fall while it runs.
done_kills=0
for k in $(seq "$kills"); do
  (campaign war.csv >/dev/null 2>&1) &
  pid=$!
  sleep "$(echo "scale=4; 0.02 + $took / ($kills + 2) * 1.2 * $RANDOM / 32768" | bc)"
  if kill -KILL $pid 2>/dev/null; then done_kills=$((done_kills + 1)); fi
  wait $pid 2>/dev/null || true
  echo "kill $k: $(($(wc -l <war.csv) - 1)) rows"
done
(campaign war.csv)

# Problem, family, sizes, method, tolerance, outcome, error and iterations.
for name in peace war; do tail -n +2 $name.csv | cut -d, -f1-10 | sort >$name.rows; done
expected=$((method_count * problem_count * 2))
rows=$(wc -l <war.rows)
cmp peace.rows war.rows || { echo "FAILED: the rows differ"; diff peace.rows war.rows | head; exit 1; }
[ "$rows" -eq "$expected" ] || { echo "FAILED: $rows rows instead of $expected"; exit 1; }
echo "$done_kills kills, $rows rows, the same as those of a campaign left in peace"
