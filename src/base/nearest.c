#include "base/nearest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Longer names are not compared, and no shorter ones by their beginnings. */
enum { LONGEST = 64, SHORTEST = 3 };

static int least(int a, int b) {
  return a < b ? a : b;
}

/* Insertions, deletions, substitutions and swaps of neighbours that make b of a (optimal string
 * alignment); rows of the usual table, of which the last three are kept. */
static int edit_distance(const char *a, const char *b) {
  int rows[3][LONGEST + 1];
  int length = (int)strlen(b);
  int *before = rows[0], *last = rows[1], *row = rows[2];
  for (int j = 0; j <= length; j++)
    last[j] = j;
  for (int i = 1; a[i - 1]; i++) {
    row[0] = i;
    for (int j = 1; j <= length; j++) {
      row[j] = last[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = least(row[j], least(last[j], row[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = least(row[j], before[j - 2] + 1);
    }
    int *oldest = before;
    before = last;
    last = row;
    row = oldest;
  }
  return last[length];
}

/* A longer word for it, or the beginning of it: tolerance and tol. */
static bool begin_alike(const char *a, const char *b) {
  size_t shorter = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
  return shorter >= SHORTEST && strncmp(a, b, shorter) == 0;
}

SlipiNearest slipi_nearest_start(const char *wanted) {
  size_t length = strlen(wanted);
  /* Farther away is no slip of the finger. */
  return (SlipiNearest){wanted, NULL, length > LONGEST ? 0 : length < 4 ? 2 : 3};
}

void slipi_nearest_offer(SlipiNearest *nearest, const char *candidate) {
  size_t length = strlen(candidate);
  if (nearest->distance == 0 || length > LONGEST)
    return;
  int distance = edit_distance(nearest->wanted, candidate);
  if (begin_alike(nearest->wanted, candidate))
    distance = least(distance, 2);
  if (distance < nearest->distance && distance < (int)length) {
    nearest->distance = distance;
    nearest->best = candidate;
  }
}

const char *slipi_nearest_text(const SlipiNearest *nearest, char *text, size_t size) {
  text[0] = '\0';
  if (nearest->best)
    snprintf(text, size, "; did you mean '%s'?", nearest->best);
  return text;
}
