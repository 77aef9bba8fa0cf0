/* Draws docs/painleve.svg: the answers of slip_check for the rod of paper 003 (u0 = 1) over the
 * angle and the coefficient of friction, beside the line tan(angle) = mu of Lemma 1.
 *
 *     bench_painleve > docs/painleve.svg
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <slipcone/check.h>
#include <slipcone/generate.h>

enum { CELLS = 100, SIZE = 300, LEFT = 50, TOP = 40, GAP = 70 };
static const double ANGLE_MOST = 1.5707963267948966, MU_MOST = 3;

static const char *colour(int solutions) {
  return solutions == 0 ? "#c0392b" : solutions == 1 ? "#7fb77e" : "#f0c75e";
}

/* How many solutions there are; -1 where something fails. *certified: the criterion holds. */
static int solutions(double angle, double mu, double gravity, int *certified) {
  SlipGenerate options = {
      .size = sizeof options, .contacts = 1, .dimension = 2, .mu = mu, .seed = 1};
  SlipCheckOptions how = slip_default_check_options();
  SlipProblem *problem;
  SlipCheck *check;
  options.angle = angle;
  options.speed = 1;
  options.gravity = gravity;
  how.enumerate = 1;
  if (slip_generate("painleve", &options, &problem, NULL, NULL))
    return -1;
  int count = -1;
  if (!slip_check(problem, &how, &check, NULL)) {
    count = check->enumerated ? check->found_count : -1;
    *certified = check->verdict == SLIP_VERDICT_ROBUST || check->verdict == SLIP_VERDICT_EXISTS;
    slip_check_free(check);
  }
  slip_problem_free(problem);
  return count;
}

/* One panel, rows of equal cells joined. Returns how many cells disagree with Lemma 1. */
static int panel(double left, double gravity, const char *title) {
  int wrong = 0;
  double cell = (double)SIZE / CELLS;
  printf("<text x=\"%g\" y=\"%d\">%s</text>\n", left, TOP - 12, title);
  for (int k = 0; k < CELLS; k++) {
    double mu = MU_MOST * (k + 0.5) / CELLS;
    int from = 0, last = -2;
    for (int i = 0; i <= CELLS; i++) {
      double angle = ANGLE_MOST * (i + 0.5) / CELLS;
      int certified = 0, count = i < CELLS ? solutions(angle, mu, gravity, &certified) : -2;
      int holds = tan(angle) > mu;
      wrong += i < CELLS && (certified != holds || count != (gravity < 0 ? holds : 2 - holds));
      if (count == last)
        continue;
      if (i > 0)
        printf("<path fill=\"%s\" d=\"M%g %gh%gv%gh%gz\"/>\n", colour(last), left + from * cell,
               TOP + SIZE - (k + 1) * cell, (i - from) * cell, cell, -(i - from) * cell);
      from = i;
      last = count;
    }
  }
  printf("<path class=\"l\" d=\"M%g %d", left, TOP + SIZE);
  for (double angle = 0; tan(angle) < MU_MOST; angle += 0.02)
    printf("L%.1f %.1f", left + SIZE * angle / ANGLE_MOST, TOP + SIZE * (1 - tan(angle) / MU_MOST));
  printf("L%.1f %d\"/>\n", left + SIZE * atan(MU_MOST) / ANGLE_MOST, TOP);
  printf("<path class=\"a\" d=\"M%g %dh%dv%dh%dz\"/>\n", left, TOP, SIZE, SIZE, -SIZE);
  for (int k = 0; k <= 3; k++) {
    printf("<text x=\"%g\" y=\"%g\" text-anchor=\"end\">%d</text>\n", left - 6,
           TOP + SIZE * (1 - k / 3.0) + 4, k);
    printf("<text x=\"%g\" y=\"%d\" text-anchor=\"middle\">%d°</text>\n", left + SIZE * k / 3.0,
           TOP + SIZE + 18, 30 * k);
  }
  printf("<text x=\"%g\" y=\"%d\" text-anchor=\"middle\">θ</text>\n", left + 0.5 * SIZE,
         TOP + SIZE + 34);
  printf("<text x=\"%g\" y=\"%d\">μ</text>\n", left - 36, TOP + SIZE / 2);
  return wrong;
}

int main(void) {
  int width = LEFT + 2 * SIZE + GAP + 20, height = TOP + SIZE + 70;
  printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
         "font-family=\"sans-serif\" font-size=\"13\">\n"
         "<style>.l{fill:none;stroke:#000;stroke-width:2}.a{fill:none;stroke:#444}</style>\n"
         "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
         width, height, width, height);
  int wrong = panel(LEFT, -1, "gravity down: a solution where tan θ &gt; μ");
  wrong += panel(LEFT + SIZE + GAP, 1, "gravity up: two solutions where tan θ &lt; μ");
  static const char *const names[] = {"none (proved)", "one", "two"};
  for (int k = 0; k < 3; k++)
    printf("<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>"
           "<text x=\"%d\" y=\"%d\">%s</text>\n",
           LEFT + 120 * k, height - 26, colour(k), LEFT + 120 * k + 18, height - 15, names[k]);
  printf("<text x=\"%d\" y=\"%d\">line: tan θ = μ; u₀ = 1</text>\n</svg>\n", LEFT + 380,
         height - 15);
  fprintf(stderr, "%d of %d answers differ from Lemma 1\n", wrong, 2 * CELLS * CELLS);
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
