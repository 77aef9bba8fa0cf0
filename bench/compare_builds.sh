#!/bin/bash
# Two builds of the library side by side on the same files, by `auto`:
#     bench/compare_builds.sh OLD_BUILD NEW_BUILD FILE...
# The builds are folders with libslipcone.so; bench/solve_each.c is compiled against each with the
# headers of its sources. Each file is solved by both in turn, ROUNDS (3) times, in processes of its
# own. Microseconds of processor time, the least of all rounds: of the first solve in a process, whose
# memory and code are cold, and of the quickest of many. FORM (any), TOL (1e-8) and LIMIT (10 s) are
# from the environment. The last lines are geometric means of new over old; files that either build
# does not solve are listed, and left out of the means.
set -eu
old=$1 new=$2
shift 2
: "${ROUNDS:=3}" "${FORM:=any}" "${TOL:=1e-8}" "${LIMIT:=10}"
export OPENBLAS_NUM_THREADS=1
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

make_program() { # build, name
  local build source
  build=$(cd "$1" && pwd)
  source=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")
  "${CC:-cc}" -std=gnu17 -O2 -I"$source/include" "$here/solve_each.c" -o "$scratch/$2" \
    -L"$build" -lslipcone -lm -Wl,-rpath,"$build"
}
make_program "$old" old
make_program "$new" new

printf 'problem\tcontacts\told\tnew\tfirst old\tnew\tratio\tleast old\tnew\tratio\n'
for file; do
  for _ in $(seq "$ROUNDS"); do
    for which in old new; do
      "$scratch/$which" "$FORM" "$TOL" "$LIMIT" "$file" | sed "s/^/$which /"
    done
  done
done | awk '
  function add(group) {
    count[group]++
    sum_first[group] += log(ratio_first)
    sum_least[group] += log(ratio_least)
  }
  function row() {
    ratio_first = first["new"] / first["old"]
    ratio_least = least["new"] / least["old"]
    printf "%s\t%d\t%s\t%s\t%.1f\t%.1f\t%.3f\t%.1f\t%.1f\t%.3f\n", name, contacts, outcome["old"],
      outcome["new"], first["old"], first["new"], ratio_first, least["old"], least["new"],
      ratio_least
    if (outcome["old"] != "SOLVED" || outcome["new"] != "SOLVED")
      return
    add(contacts <= 100 ? 0 : 1)
    add(2)
  }
  $2 != name { if (name != "") row(); name = $2; contacts = $3; delete first; delete least }
  { outcome[$1] = $4
    if (!($1 in first) || $5 < first[$1]) first[$1] = $5
    if (!($1 in least) || $6 < least[$1]) least[$1] = $6 }
  END {
    if (name != "") row()
    split("at most 100 contacts|more|all", name_of, "|")
    for (k = 0; k <= 2; k++)
      if (count[k])
        printf "%s: %d files, geometric mean of new/old: first %.3f, least %.3f\n", name_of[k + 1],
          count[k], exp(sum_first[k] / count[k]), exp(sum_least[k] / count[k]) }'
