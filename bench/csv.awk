# Fields of a line of a campaign's CSV into f; returns how many. Methods with options hold commas.
function split_csv(line,   n, c, k, quoted) {
  n = 1; f[1] = ""
  for (k = 1; k <= length(line); k++) {
    c = substr(line, k, 1)
    if (c == "\"") quoted = !quoted
    else if (c == "," && !quoted) f[++n] = ""
    else f[n] = f[n] c
  }
  return n
}
# The header: where each field is.
FNR == 1 { csv_count = split_csv($0); for (csv_k = 1; csv_k <= csv_count; csv_k++) at[f[csv_k]] = csv_k; next }
