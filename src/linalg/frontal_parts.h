/* The fronts of a multifrontal factorisation, which frontal_analysis.c lays out and frontal.c
 * fills with numbers. */
#ifndef SLIPI_LINALG_FRONTAL_PARTS_H
#define SLIPI_LINALG_FRONTAL_PARTS_H

#include <lapacke.h>

#include "linalg/frontal.h"

/* A dense matrix of `rows` x `rows` of which the first `pivots` are eliminated. The eliminated
 * columns are the panel, the other columns of the eliminated rows the right part; the remaining
 * square is the update of the parent. All are stored by columns. */
typedef struct SlipiFront {
  int32_t pivots, rows;
  int32_t first;           /* pivot, in the order of elimination */
  int32_t parent;          /* -1: none */
  int32_t child, next;     /* its first child, and the next child of its parent; -1: none */
  int64_t panel, right;    /* where their values are */
  int64_t below;           /* where its rows - pivots further rows are listed in `row` and `up` */
  int64_t update, made_at; /* places on the stack: of the update, and where it is computed */
} SlipiFront;

struct SlipiFrontal {
  SlipiNodes nodes;
  int32_t rows, fronts;
  SlipiFront *front;
  int32_t *order;      /* row at each place of the elimination */
  int32_t *row;        /* places of the rows below the pivots */
  int32_t *up;         /* which rows of the parent's front those in `row` are */
  int64_t *to;         /* of each block of the matrix: its place in `values` */
  int32_t *stride;     /* of each block: from column to column in `values` */
  int64_t value_count; /* of panels and right parts */
  int64_t stack_count;
  double *values, *stack; /* from the first factorisation on */
  lapack_int *swap;       /* row exchanges */
  double *y, *t;          /* rows each */
  double flops, work;
  bool wide; /* whether the machine has wide registers (base/wide.h) */
  const SlipiStop *stop;
  double unasked;                    /* operations since `stop` was called last */
  double pivot_least, pivot_largest; /* absolute values in the last factorisation */
  SlipiArena arena;
  SlipiArena scratch; /* of the analysis: empty between calls, its memory is kept */
};

/* Operations that eliminate k pivots of a front with u rows more. */
static inline double slipi_front_flops(double k, double u) {
  return 2.0 / 3 * k * k * k + 2 * k * k * u + 2 * k * u * u;
}

/* Order and cut the graph of s->nodes, and give every front and block its place; the caller
 * resets s->scratch. By nested dissection where that brings the work below `most`; 0: it is not
 * tried. */
SlipStatus slipi_frontal_analyse(SlipiFrontal *s, double most, SlipError *error);

#endif
