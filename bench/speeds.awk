# Spheres of a slice as SVG, coloured by speed and with their velocities as lines: the pictures of
# particle speeds in a shear box. Input: x y z radius vx vy vz of each sphere. Variables: slice (|y| of
# the centres that are shown), title, side (of the square that is drawn, in m).

$2 < slice && $2 > -slice {
  n++; x[n] = $1; z[n] = $3; r[n] = $4; vx[n] = $5; vz[n] = $7
  v[n] = sqrt($5 * $5 + $6 * $6 + $7 * $7)
}
function place_x(value) { return 20 + 460 * (value + side / 2) / side }
function place_z(value) { return 500 - 460 * value / side }
END {
  for (i = 1; i <= n; i++) sorted[i] = v[i]
  for (i = 2; i <= n; i++) { # insertion sort: a slice is small
    key = sorted[i]
    for (j = i - 1; j >= 1 && sorted[j] > key; j--) sorted[j + 1] = sorted[j]
    sorted[j + 1] = key
  }
  top = sorted[int(0.95 * n) > 0 ? int(0.95 * n) : 1]
  if (!(top > 0)) top = 1
  print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 560 530\" font-family=\"sans-serif\" font-size=\"12\">"
  print "<rect width=\"560\" height=\"530\" fill=\"white\"/>"
  printf "<text x=\"250\" y=\"24\" text-anchor=\"middle\">%s</text>\n", title
  for (i = 1; i <= n; i++) {
    share = v[i] < top ? v[i] / top : 1
    printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"hsl(%d,70%%,60%%)\" stroke=\"#555\" stroke-width=\"0.4\"/>\n", \
      place_x(x[i]), place_z(z[i]), 460 * r[i] / side, 240 - 240 * share
  }
  for (i = 1; i <= n; i++)
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"black\" stroke-width=\"1\"/>\n", place_x(x[i]), place_z(z[i]), \
      place_x(x[i]) + 460 * 0.8 * r[i] / side * vx[i] / (v[i] > 0 ? v[i] : 1), \
      place_z(z[i]) - 460 * 0.8 * r[i] / side * vz[i] / (v[i] > 0 ? v[i] : 1)
  for (k = 0; k <= 20; k++)
    printf "<rect x=\"500\" y=\"%.1f\" width=\"14\" height=\"12\" fill=\"hsl(%d,70%%,60%%)\"/>\n", 340 - 12 * k, 240 - 12 * k
  printf "<text x=\"507\" y=\"370\" text-anchor=\"middle\">0</text><text x=\"507\" y=\"92\" text-anchor=\"middle\">%.2g mm/s</text>\n", 1000 * top
  print "</svg>"
}
