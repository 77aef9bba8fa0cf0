# A figure of curves as SVG, both axes linear. Input: series, x and y of each point, in the order of x.
# Variables: title, across, upright (names of the axes); `low` (the least y of the axis, else that of the
# points) and `mark` (an x to draw a line at).

BEGIN { low_x = low_y = 1e300; high_x = high_y = -1e300 }
NF == 3 {
  if (!($1 in seen)) { seen[$1] = 1; name[++names] = $1 }
  n++; series[n] = $1; x[n] = $2 + 0; y[n] = $3 + 0
  if (x[n] < low_x) low_x = x[n]
  if (x[n] > high_x) high_x = x[n]
  if (y[n] < low_y) low_y = y[n]
  if (y[n] > high_y) high_y = y[n]
}

function floor(v) { return v < int(v) ? int(v) - 1 : int(v) }
function place_x(v) { return 70 + 460 * (v - low_x) / (high_x - low_x) }
function place_y(v) { return 320 - 280 * (v - low_y) / (high_y - low_y) }
function hue(k) { return sprintf("hsl(%d,65%%,42%%)", 215 + 360 * (k - 1) / names) }

# Steps of 1, 2 or 5 times a power of ten.
function round_step(range,    step) {
  step = 10 ^ floor(log(range) / log(10))
  return range / step > 5 ? step : range / step > 2 ? step / 2 : step / 5
}

function axes(    v, step) {
  step = round_step(high_y - low_y)
  for (v = step * floor(low_y / step + 0.999); v <= high_y + step / 1e6; v += step)
    printf "<line class=\"grid\" x1=\"70\" x2=\"530\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"64\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", \
      place_y(v), place_y(v), place_y(v) + 4, v
  step = round_step(high_x - low_x)
  for (v = step * floor(low_x / step + 0.999); v <= high_x + step / 1e6; v += step)
    printf "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"40\" y2=\"320\"/><text x=\"%.1f\" y=\"338\" text-anchor=\"middle\">%g</text>\n", \
      place_x(v), place_x(v), place_x(v), v
  if (mark != "")
    printf "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"40\" y2=\"320\" stroke=\"#888\" stroke-dasharray=\"4 3\"/>\n", \
      place_x(mark), place_x(mark)
  printf "<text x=\"300\" y=\"24\" text-anchor=\"middle\">%s</text>\n", title
  printf "<text x=\"300\" y=\"358\" text-anchor=\"middle\">%s</text>\n", across
  printf "<text x=\"16\" y=\"180\" text-anchor=\"middle\" transform=\"rotate(-90 16 180)\">%s</text>\n", upright
}

function draw(k,    i, points) {
  for (i = 1; i <= n; i++)
    if (series[i] == name[k]) points = points sprintf("%.1f,%.1f ", place_x(x[i]), place_y(y[i]))
  printf "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>\n", points, hue(k)
  if (names > 1)
    printf "<text x=\"540\" y=\"%d\" fill=\"%s\">%s</text>\n", 40 + 18 * k, hue(k), name[k]
}

END {
  if (n == 0) exit
  if (low != "") low_y = low
  if (high_x == low_x) high_x = low_x + 1
  if (high_y == low_y) high_y = low_y + 1
  print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 370\" font-family=\"sans-serif\" font-size=\"12\">"
  print "<style>.grid{stroke:#ddd}</style><rect width=\"640\" height=\"370\" fill=\"white\"/>"
  axes()
  for (k = 1; k <= names; k++) draw(k)
  print "</svg>"
}
