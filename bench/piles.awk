# The table of bench/piles.sh, and its figure where `figure` names a file. Input: contacts, outcome,
# iterations, seconds and KiB of each run; the first size is the base of the memory.

!($1 in seconds) { size[++sizes] = $1; seconds[$1] = $4; kib[$1] = $5 }
{
  outcome[$1] = $2; iterations[$1] = $3
  if ($4 + 0 < seconds[$1] + 0) seconds[$1] = $4
  if ($5 + 0 < kib[$1] + 0) kib[$1] = $5
}

function log10(x) { return log(x) / log(10) }

# Place of a value in a panel that begins at `left`: both axes are logarithmic.
function across(contacts) { return left + 250 * (log10(contacts) - low_x) / (high_x - low_x) }
function up(value) { return 240 - 200 * (log10(value) - low) / (high - low) }

function power(k) { return "10<tspan dy=\"-5\" font-size=\"9\">" k "</tspan>" }

function axes(title,    k) {
  printf "<text x=\"%d\" y=\"24\" text-anchor=\"middle\">%s</text>\n", left + 125, title >figure
  for (k = low_x; k <= high_x; k++)
    printf "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"40\" y2=\"240\"/>\n<text x=\"%.1f\" y=\"258\" text-anchor=\"middle\">%s</text>\n", \
      across(10 ^ k), across(10 ^ k), across(10 ^ k), power(k) >figure
  for (k = low; k <= high; k++)
    printf "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>\n<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d</text>\n", \
      left, left + 250, up(10 ^ k), up(10 ^ k), left - 6, up(10 ^ k) + 4, 10 ^ k >figure
  printf "<text x=\"%d\" y=\"278\" text-anchor=\"middle\">contacts</text>\n", left + 125 >figure
}

function curve(value,    k, points) {
  for (k = 2; k <= sizes; k++) {
    points = points sprintf("%.1f,%.1f ", across(size[k]), up(value[size[k]]))
    printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>\n", across(size[k]), up(value[size[k]]) >figure
  }
  printf "<polyline points=\"%s\"/>\n", points >figure
}

function draw() {
  low_x = int(log10(size[2]) + 1e-3); high_x = int(log10(size[sizes]) + 0.999)
  print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 680 290\" font-family=\"sans-serif\" font-size=\"12\">" >figure
  print "<style>.grid{stroke:#ddd}polyline{fill:none;stroke:#1a5fb4;stroke-width:2}circle{fill:#1a5fb4}</style>" >figure
  print "<rect width=\"680\" height=\"290\" fill=\"white\"/>" >figure
  left = 60; low = 0; high = 2
  axes("microseconds per contact"); curve(micro)
  left = 400; low = 2; high = 4
  axes("bytes per contact"); curve(bytes)
  print "</svg>" >figure
}

END {
  printf "%9s %-10s %10s %10s %14s %16s\n", "contacts", "outcome", "iterations", "seconds", "us/contact", "bytes/contact"
  for (k = 2; k <= sizes; k++) {
    n = size[k]
    micro[n] = 1e6 * seconds[n] / n
    bytes[n] = 1024 * (kib[n] - kib[size[1]]) / n
    printf "%9d %-10s %10d %10.4f %14.2f %16.0f\n", n, outcome[n], iterations[n], seconds[n], micro[n], bytes[n]
  }
  printf "time per contact: %.2f times from %d to %d contacts\n", \
    micro[size[sizes]] / micro[size[2]], size[2], size[sizes]
  if (figure != "") draw()
}
