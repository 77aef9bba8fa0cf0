/* The fronts of a multifrontal factorisation, which frontal_analysis.c lays out and frontal.c
 * fills with numbers. */
#ifndef SLIPI_LINALG_FRONTAL_PARTS_H
#define SLIPI_LINALG_FRONTAL_PARTS_H

#include <lapacke.h>

#include "base/team.h"
#include "base/wide.h"
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
  /* Of the last factorisation: the sign of the pivots' product and of the exchanges, and the least
   * and the largest absolute value of a pivot. */
  int sign;
  double least, largest;
} SlipiFront;

/* A block of the matrix: where its values come from, and their place in `values`. */
typedef struct SlipiFrontBlock {
  int64_t from, to;
  int32_t stride; /* from column to column */
  int32_t rows, columns;
} SlipiFrontBlock;

/* Work that one thread does without waiting: some small fronts, or a part of a large one, whose
 * columns are cut into tiles. */
typedef enum SlipiPieceKind {
  SLIPI_PIECE_FRONTS,  /* whole fronts, one after the other */
  SLIPI_PIECE_PREPARE, /* the matrix's own values of a large front */
  SLIPI_PIECE_TAKE,    /* what its children add to a tile */
  SLIPI_PIECE_PIVOTS,  /* eliminate the pivots of a tile, in its own columns */
  SLIPI_PIECE_COLUMNS, /* the same in a later tile of pivots */
  SLIPI_PIECE_RIGHT,   /* eliminate all pivots in a tile of other columns */
  SLIPI_PIECE_FORWARD, /* of a solution: substitution in whole fronts, */
  SLIPI_PIECE_BACKWARD
} SlipiPieceKind;

typedef struct SlipiPiece {
  SlipiPieceKind kind;
  int32_t first, end; /* whole fronts are listed there in `member`; else `first` is the front */
  int32_t step, tile; /* the tile of pivots, and that of columns */
  double work;
} SlipiPiece;

typedef struct SlipiPieces {
  int32_t count;
  SlipiPiece *piece;
  SlipiNear near; /* what each waits for */
} SlipiPieces;

enum { SLIPI_FRONT_TILE = 192 }; /* columns */

/* Tiles of pivots come first, then those of the other columns. */
static inline int32_t slipi_front_tiles(int32_t columns) {
  return (columns + SLIPI_FRONT_TILE - 1) / SLIPI_FRONT_TILE;
}

struct SlipiFrontal {
  SlipiNodes nodes;
  int32_t rows, fronts;
  SlipiFront *front;
  int32_t *order;   /* row at each place of the elimination */
  int32_t *row;     /* places of the rows below the pivots */
  int32_t *up;      /* which rows of the parent's front those in `row` are */
  int32_t *block_p; /* of each front: where the blocks are that it is the first to have */
  SlipiFrontBlock *block;
  int64_t value_count; /* of panels and right parts */
  int64_t stack_count;
  /* The factorisation as pieces of work, and a solution where it is long enough, in an order in
   * which each comes after those it waits for. They do not depend on the number of threads, only
   * their order does. */
  SlipiPieces factoring, solving;
  int32_t *member;        /* fronts of pieces */
  SlipiTeam *team;        /* NULL: one thread */
  double *values, *stack; /* from the first factorisation on */
  lapack_int *swap;       /* row exchanges */
  double *y;              /* rows */
  double *t;              /* of each front: a value for each of its rows below the pivots */
  double flops, work;
  SlipiRegisters registers; /* of the machine (base/wide.h) */
  const SlipiStop *stop;
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

/* Cut the work on s->front into pieces, and give the updates of fronts their places on a stack on
 * which pieces that may be under way together have different parts. */
SlipStatus slipi_frontal_cut_work(SlipiFrontal *s, SlipiArena *scratch, SlipError *error);

/* Pieces, each of which waits for such before it only, in a good order for so many threads; for one
 * they stay as they are. */
SlipStatus slipi_pieces_order(const SlipiPieces *pieces, int threads, SlipiArena *arena,
                              SlipiArena *scratch, SlipiPieces *ordered, SlipError *error);

#endif
