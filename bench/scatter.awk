# A figure of points, or of lines where `lines` is 1, as SVG. Input: series, x and y of each point.
# Variables: title, across, upright (names of the axes), lines. The y axis is logarithmic.

BEGIN { low_x = 1e300; high_x = 0; low_y = 1e300; high_y = 1e-300 }
NF == 3 && $3 > 0 {
  if (!($1 in seen)) { seen[$1] = 1; name[++names] = $1 }
  n++; series[n] = $1; x[n] = $2; y[n] = $3
  if ($2 < low_x) low_x = $2
  if ($2 > high_x) high_x = $2
  if ($3 < low_y) low_y = $3
  if ($3 > high_y) high_y = $3
}

function log10(v) { return log(v) / log(10) }
function floor(v) { return v < int(v) ? int(v) - 1 : int(v) }
function place_x(v) { return 70 + 460 * (v - low_x) / (high_x - low_x) }
function place_y(v) { return 320 - 280 * (log10(v) - low) / (high - low) }
function hue(k) { return sprintf("hsl(%d,65%%,42%%)", 360 * (k - 1) / names) }

# Steps of 1, 2 or 5 times a power of ten.
function round_step(range,    step) {
  step = 10 ^ floor(log10(range))
  return range / step > 5 ? 2 * step : range / step > 2 ? step : step / 5
}

function axes(    k, v, step) {
  for (k = low; k <= high; k++)
    printf "<line class=\"grid\" x1=\"70\" x2=\"530\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"64\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", \
      place_y(10 ^ k), place_y(10 ^ k), place_y(10 ^ k) + 4, 10 ^ k
  step = round_step(high_x - low_x)
  for (v = step * int(low_x / step + 0.999); v <= high_x; v += step)
    printf "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"40\" y2=\"320\"/><text x=\"%.1f\" y=\"338\" text-anchor=\"middle\">%g</text>\n", \
      place_x(v), place_x(v), place_x(v), v
  printf "<text x=\"300\" y=\"24\" text-anchor=\"middle\">%s</text>\n", title
  printf "<text x=\"300\" y=\"358\" text-anchor=\"middle\">%s</text>\n", across
  printf "<text x=\"16\" y=\"180\" text-anchor=\"middle\" transform=\"rotate(-90 16 180)\">%s</text>\n", upright
}

function draw(k,    i, points) {
  for (i = 1; i <= n; i++) {
    if (series[i] != name[k]) continue
    points = points sprintf("%.1f,%.1f ", place_x(x[i]), place_y(y[i]))
    if (!lines)
      printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\" fill-opacity=\"0.6\"/>\n", \
        place_x(x[i]), place_y(y[i]), hue(k)
  }
  if (lines)
    printf "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>\n", points, hue(k)
  printf "<text x=\"540\" y=\"%d\" fill=\"%s\">%s</text>\n", 40 + 18 * k, hue(k), name[k]
}

END {
  if (n == 0) exit
  low = floor(log10(low_y)); high = floor(log10(high_y)) + 1
  if (high_x == low_x) high_x = low_x + 1
  print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 370\" font-family=\"sans-serif\" font-size=\"12\">"
  print "<style>.grid{stroke:#ddd}</style><rect width=\"640\" height=\"370\" fill=\"white\"/>"
  axes()
  for (k = 1; k <= names; k++) draw(k)
  print "</svg>"
}
