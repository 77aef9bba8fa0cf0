#!/usr/bin/env bash
# Rough contacts: every local problem of a collection with all mu replaced by 1e3 and by 1e6, solved by
# `auto` to 1e-6 within LIMIT (20) seconds, judged by the tests' own checker (bench/rough.c).
#
#   cmake --build build --target bench_rough
#   bench/rough.sh build COLLECTION
#
# Prints the runs that fail, the counts and the percentage of each mu. Most runs end at once, and those
# that fail take the whole limit: about a quarter of an hour in all. MU chooses other values,
# PROCESSOR=1 counts processor time, for a machine with other work; SLICE=K/N takes every Nth file from
# the Kth on.
set -euo pipefail
build=$1 collection=$2 slice=${SLICE:-1/1}
flags=(--time-limit "${LIMIT:-20}" --processor "${PROCESSOR:-0}")
for mu in ${MU:-1e3 1e6}; do
  flags+=(--mu "$mu")
done
export OPENBLAS_NUM_THREADS=1
mapfile -t files < <(find "$collection" -name '*.hdf5' | sort | awk -v k="${slice%/*}" -v n="${slice#*/}" 'NR % n == k % n')
status=0
"$build/tests/bench_rough" "${flags[@]}" "${files[@]}" > >(awk '
  { print; fflush() }
  / of [0-9]+ solved$/ { printf "%s %s %.1f %%\n", $1, $2, 100 * $3 / ($5 > 0 ? $5 : 1) }') || status=$?
wait
exit $status
