#!/bin/sh
# Family by family against Siconos, from the results of bench/families.txt:
#
#   slipcone bench FOLDER --campaign bench/families.txt --out families.csv
#   bench/families.sh families.csv
#
# For each family and tolerance the preset of ours and the solver of Siconos's that solve most (of
# those the faster), how many problems each solves of those Siconos can be asked (3D, no bilateral
# contact), and the geometric mean of the ratio of times over the problems both solve. With ALL=1
# every pair of preset and solver.
set -eu
awk -v all="${ALL:-}" "$(cat "$(dirname "$0")/csv.awk")"'
  function family_of(m) {
    if (m ~ /^siconos:(NSGS|NSGS-.*)$/ || m ~ /^(nsgs|psor)/) return "splitting"
    if (m ~ /^siconos:NSN/ || m ~ /^nsn-/) return "nonsmooth Newton"
    if (m ~ /^siconos:PROX/ || m ~ /^ppa-/) return "proximal point"
    if (m == "siconos:ACLM" || m ~ /^aclm/) return "ACLM"
    if (m == "siconos:TFP" || m ~ /^tresca/) return "Tresca"
    if (m ~ /^siconos:VI-/ || m ~ /^(fp|eg)-/) return "VI projection"
    return ""
  }
  function solved(m, tol,   p, n) { for (p in ask) if ((m, tol, p) in time) n++; return n + 0 }
  function mean(m, tol,   p, n, s) {
    for (p in ask) if ((m, tol, p) in time) { n++; s += log(time[m, tol, p]) }
    return n ? exp(s / n) : 0
  }
  function ratio(a, b, tol,   p, s) {
    both = 0
    for (p in ask)
      if (((a, tol, p) in time) && ((b, tol, p) in time)) { both++; s += log(time[a, tol, p] / time[b, tol, p]) }
    return both ? exp(s / both) : 0
  }
  function best(fam, tol, peer,   m, pick) {
    pick = ""
    for (m in methods) if (family_of(m) == fam && (m ~ /^siconos:/) == peer)
      if (pick == "" || solved(m, tol) > solved(pick, tol) ||
          (solved(m, tol) == solved(pick, tol) && mean(m, tol) < mean(pick, tol))) pick = m
    return pick
  }
  { n = split_csv($0); m = f[at["method"]]; tol = f[at["tol"]]; p = f[at["problem"]]
    if (family_of(m) == "" || n < at["seconds"]) next
    methods[m] = 1; tols[tol] = 1
    if (m ~ /^siconos:/ && f[at["outcome"]] != "REFUSED") ask[p] = 1
    if (f[at["outcome"]] == "SOLVED") time[m, tol, p] = f[at["seconds"]] > 0 ? f[at["seconds"]] : 1e-9 }
  END {
    names = split("splitting,nonsmooth Newton,proximal point,ACLM,Tresca,VI projection", name, ",")
    for (p in ask) problems++
    for (tol in tols) {
      printf "tolerance %s, %d problems\n\n", tol, problems
      print "| family | ours | solved | Siconos | solved | both | time ratio |\n|---|---|---|---|---|---|---|"
      for (k = 1; k <= names; k++) {
        a = best(name[k], tol, 0); b = best(name[k], tol, 1)
        if (a == "" || b == "") continue
        r = ratio(a, b, tol)
        printf "| %s | `%s` | %d | %s | %d | %d | %.2f |\n", name[k], a, solved(a, tol), substr(b, 9), solved(b, tol), both, r
        if (all) for (x in methods) for (y in methods)
          if (family_of(x) == name[k] && family_of(y) == name[k] && x !~ /^siconos:/ && y ~ /^siconos:/) {
            r = ratio(x, y, tol)
            printf "| | `%s` | %d | %s | %d | %d | %.2f |\n", x, solved(x, tol), substr(y, 9), solved(y, tol), both, r
          }
      }
      print ""
    }
  }' "$@"
