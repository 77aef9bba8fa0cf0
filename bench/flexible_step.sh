#!/bin/bash
# A steady step of two elastic cubes (cubes-h8-20: 55,566 degrees of freedom, about 400 contacts), and
# forming W of its problem beside another build, such as version 0.1.0:
#     bench/flexible_step.sh BUILD [OLD_BUILD]
# The builds are folders with libslipcone.so. Prints processor time, one thread.
set -eu
build=$(cd "$1" && pwd)
old=${2:+$(cd "$2" && pwd)}
export OPENBLAS_NUM_THREADS=1 PYTHONPATH="$build/python" SLIPCONE_LIBRARY="$build/libslipcone.so"
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

/usr/bin/python3 - "$here/../scenes/cubes-h8-20.yaml" "$scratch/problem.hdf5" <<'PROGRAM'
import sys
import time
import slipcone

sim = slipcone.Sim(sys.argv[1], set={"solver.tol": 1e-8})
seconds = []
for step in range(46):
    before = time.process_time()
    info = sim.step()
    seconds.append(time.process_time() - before)
    if step == 38:
        sim.global_problem.write(sys.argv[2])
steady = sorted(seconds[39:])
print(f"first step {seconds[0]:.2f} s, steady steps ({info.contacts} contacts, error at most 1e-8): "
      f"median {steady[len(steady) // 2]:.3f} s, longest {steady[-1]:.3f} s (asked: 0.5 s)")
PROGRAM

compile() { # build, name
  local source
  source=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$1/CMakeCache.txt")
  "${CC:-cc}" -std=gnu17 -O2 -I"$source/include" "$here/reduce.c" -o "$scratch/$2" -L"$1" -lslipcone -lm \
    -Wl,-rpath,"$1"
}
# Seconds of both builds in turn, and the least of each: other programs may run beside.
compile "$build" new
[ -z "$old" ] || compile "$old" old
for _ in 1 2 3; do
  for which in new ${old:+old}; do
    "$scratch/$which" "$scratch/problem.hdf5" | sed "s/^/$which /"
  done
done | awk '
  !($1 in least) || $4 < least[$1] { least[$1] = $4 }
  END {
    printf "factors and W of the step\x27s global problem: %s s\n", least["new"]
    if ("old" in least)
      printf "the same by the other build: %s s, ratio %.3f (asked: 0.333)\n", least["old"], least["new"] / least["old"]
  }'
