#!/bin/sh
# A method against the best of all Siconos solvers on each problem, from a campaign's results:
#
#   slipcone bench FOLDER --methods auto --peers siconos --tol 1e-4,1e-8 --time-limit 30 \
#     --repeat 3 --out peers.csv
#   bench/virtual_best.sh peers.csv [METHOD]
#
# Per tolerance, over the problems with 20 contacts or more that some Siconos solver solves: the
# geometric mean of the ratio of times, the largest ratios, and what the method or Siconos alone
# solves.
set -eu
awk -v method="${2:-auto}" "$(cat "$(dirname "$0")/csv.awk")"'
  { split_csv($0); key = f[at["tol"]] SUBSEP f[at["problem"]]; seconds = f[at["seconds"]] + 0
    if (f[at["contacts"]] + 0 < 20 || f[at["dimension"]] != 3) next
    t = seconds > 1e-7 ? seconds : 1e-7
    ours = f[at["method"]] == method; theirs = f[at["method"]] ~ /^siconos:/
    if (theirs) asked[key] = 1
    if (f[at["outcome"]] != "SOLVED") next
    if (ours) own[key] = t
    else if (theirs && (!(key in best) || t < best[key])) { best[key] = t; who[key] = f[at["method"]] } }
  END {
    for (key in asked) {
      split(key, part, SUBSEP); tol = part[1]; tols[tol] = 1
      if ((key in own) && !(key in best)) alone[tol]++
      if (!(key in own) && (key in best)) lost[tol] = lost[tol] "\n  not solved: " part[2]
      if (!(key in own) && !(key in best)) none[tol]++
      if (!((key in own) && (key in best))) continue
      ratio = own[key] / best[key]; n[tol]++; sum[tol] += log(ratio)
      row[tol, n[tol]] = sprintf("%8.3f  %s  %.3g s against %.3g s of %s", ratio, part[2], own[key], best[key], who[key])
      value[tol, n[tol]] = ratio
    }
    for (tol in tols) {
      printf "tol %s: %d problems both solve, geometric mean %.3f; solved by %s alone %d, by none %d%s\n", tol, n[tol], exp(sum[tol] / n[tol]), method, alone[tol], none[tol], lost[tol]
      for (k = 1; k <= 5 && k <= n[tol]; k++) {
        worst = 0
        for (j = 1; j <= n[tol]; j++) if (!((tol, j) in said) && (!worst || value[tol, j] > value[tol, worst])) worst = j
        said[tol, worst] = 1; print row[tol, worst]
      }
    }
  }' "$1"
