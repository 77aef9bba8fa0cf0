#!/bin/sh
# The findings of the comparison paper on a sample of a collection: every EVERY-th (4) file with at
# most MOST (300) contacts, in the order of their names, without the *_global folders.
#
#   bench/findings.sh TOOL COLLECTION OUT [FINDING...]
#
# runs bench/findings/FINDING.txt (all of them) into OUT/FINDING.csv, and prints for each method how
# many problems it solves and, over the problems all of its campaign solve (fp-ds and what solves less
# than half of the most apart), the geometric means of time and iterations. BY_FAMILY=1: what each
# solves, family by family. A campaign goes on where it was; JOBS (1) runs at a time.
set -eu
tool=$1 collection=$2 out=$3
shift 3
here=$(dirname "$0")/findings
[ $# -gt 0 ] || for file in "$here"/*.txt; do set -- "$@" "$(basename "$file" .txt)"; done
mkdir -p "$out"
list=$out/files
[ -s "$list" ] || find "$collection" -name '*.hdf5' ! -path '*_global/*' | sort | while read -r file; do
  n=$("$tool" info --json "$file" | sed -n 's/.*"contacts": *\([0-9]*\).*/\1/p')
  if [ "${n:-0}" -ge 1 ] && [ "$n" -le "${MOST:-300}" ]; then echo "$file"; fi
done | awk -v every="${EVERY:-4}" 'NR % every == 0' > "$list"
for finding; do
  tr '\n' '\0' < "$list" | xargs -0 sh -c '"$@" < /dev/null' sh "$tool" bench --campaign "$here/$finding.txt" \
    --jobs "${JOBS:-1}" --out "$out/$finding.csv" > /dev/null || true
  echo "$finding"
  awk -v by="${BY_FAMILY:-}" "$(cat "$here/../csv.awk")"'
    { split_csv($0); m = f[at["method"]]; p = f[at["problem"]]; fam = f[at["family"]]
      if (!(m in seen)) { seen[m] = 1; name[++count] = m }
      if (!(p in all)) { all[p] = 1; problems++; size[fam]++ }
      if (f[at["outcome"]] == "SOLVED") {
        solved[m]++; of[m, fam]++; t[m, p] = f[at["seconds"]] + 1e-9; i[m, p] = f[at["iterations"]] + 1
        if (solved[m] > most) most = solved[m] } }
    END {
      for (p in all) { common[p] = 1
        for (k = 1; k <= count; k++)
          if (2 * solved[name[k]] >= most && !((name[k], p) in t)) { delete common[p]; break } }
      for (p in common) shared++
      printf "| method | solved of %d | ms | iterations |  (means over %d)\n|---|---|---|---|\n", problems, shared
      for (k = 1; k <= count; k++) { m = name[k]; st = si = 0
        for (p in common) { st += log(t[m, p] + 0 > 0 ? t[m, p] : 1); si += log(i[m, p] > 0 ? i[m, p] : 1) }
        if (2 * solved[m] >= most && shared)
          printf "| `%s` | %d | %.3g | %.0f |\n", m, solved[m], 1e3 * exp(st / shared), exp(si / shared)
        else printf "| `%s` | %d | | |\n", m, solved[m] }
      if (by) { for (fam in size) { printf "%s (%d):", fam, size[fam]
          for (k = 1; k <= count; k++) printf " %s %d", name[k], of[name[k], fam]; print "" } }
      print "" }' "$out/$finding.csv"
done
