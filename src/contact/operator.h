/* How u = W r is known: dense, block-sparse or factored H' M^-1 H, with the compliance of the
 * contacts and a shift of its diagonal (contact/compliance.h). Methods see only the functions here:
 * where W comes from, and in which form it is held, is the operator's business.
 *
 * A sweep over the contacts reads W row by row. It carries a row state along, which it owns:
 * row_start makes the state of r, row reads (W r) of one contact, and row_update follows a change
 * of that contact's impulse. Nothing else changes a row state: apply and diagonal may be called
 * between any two visits.
 */
#ifndef SLIPI_CONTACT_OPERATOR_H
#define SLIPI_CONTACT_OPERATOR_H

#include "base/team.h"
#include "contact/chunks.h"
#include "contact/mass.h"
#include "contact/share.h"

typedef enum SlipiOperatorKind {
  SLIPI_OPERATOR_DENSE,
  SLIPI_OPERATOR_BLOCK,    /* d x d blocks of W */
  SLIPI_OPERATOR_VELOCITY, /* H' M^-1 H with small blocks in M: velocity-form rows of these */
  SLIPI_OPERATOR_FACTORED  /* H' M^-1 H with sparse factors of M: no rows */
} SlipiOperatorKind;

typedef struct SlipiOperator SlipiOperator;

/* What a sweep carries along beside r: a linear function of r, the velocity form's z (see
 * operator_velocity.c), at whose end a spare body of zeros stands for "no body". Where W is held
 * as it is, r is all there is. */
typedef struct SlipiRowState {
  double *z;    /* NULL: none */
  int32_t size; /* without the spare body */
} SlipiRowState;

typedef struct SlipiOperatorTable {
  SlipiOperatorKind kind;
  const char *name;
  /* u = W r */
  SlipStatus (*apply)(SlipiOperator *op, const double *r, double *u, SlipError *error);
  /* Rows; NULL where a kind has none. */
  void (*row_start)(const SlipiOperator *op, const double *r, SlipiRowState *state);
  void (*row)(const SlipiOperator *op, int32_t contact, const double *r, const SlipiRowState *state,
              double *u);
  void (*row_update)(const SlipiOperator *op, int32_t contact, const double *change,
                     SlipiRowState *state);
  /* The d x d block (row-major) of one contact. */
  SlipStatus (*diagonal)(SlipiOperator *op, int32_t contact, double *block, SlipError *error);
  /* Take the values of problem->W again, whose pattern is the same; NULL where W is not held. */
  void (*reload)(SlipiOperator *op);
} SlipiOperatorTable;

struct SlipiOperator {
  const SlipiOperatorTable *table;
  const SlipProblem *problem;
  SlipiMass *mass;     /* borrowed; NULL for a local problem */
  const double *f, *w; /* of a problem with M: its own, or those a solver has been given since */
  int32_t d, nc, m;
  int32_t places;          /* values of a row state */
  SlipiTeam *team;         /* NULL: one thread */
  const SlipiShare *share; /* NULL: no other process has a part of the problem */
  /* The velocity form of many contacts has its graph and the chunks in whose order row states are
   * made; else there are none. */
  const struct SlipiGraph *graph;
  SlipiChunks chunks;
  SlipiOwn own;   /* of each contact, beside what the table's functions know of W */
  void *data;     /* of the kind, in the arena */
  SlipiStop stop; /* of the run under way */
  /* Made when they are asked for, and shared by all who ask. */
  SlipiBsr *matrix;
  struct SlipiSystem *system;
  SlipiArena arena;
};

/* Without a problem yet: slipi_operator_set gives it one, and asks its `stop`. */
SlipStatus slipi_operator_new(SlipiOperator **op, SlipError *error);
/* Make an operator of a given kind; mass is NULL for a local problem, which cannot be VELOCITY
 * or FACTORED. A global problem is reduced for DENSE and BLOCK. */
SlipStatus slipi_operator_create(const SlipProblem *problem, SlipiMass *mass,
                                 SlipiOperatorKind kind, int threads, SlipiOperator **op,
                                 SlipError *error);
/* Another problem's, in the same memory; after a failure the operator may only be set again or
 * freed. */
SlipStatus slipi_operator_set(SlipiOperator *op, const SlipProblem *problem, SlipiMass *mass,
                              SlipiOperatorKind kind, int threads, SlipError *error);
void slipi_operator_free(SlipiOperator *op);

/* W that would take more than so many bytes is not formed unless the user asks for it: most
 * machines end a program that touches as much. */
#define SLIPI_W_BYTES_MOST 8e9

/* The cheapest kind for this problem, with rows or without. Fails where rows are wanted of bodies
 * with sparse factors, and their part of W would take more than SLIPI_W_BYTES_MOST. */
SlipStatus slipi_operator_choose(const SlipProblem *problem, SlipiMass *mass, bool rows,
                                 SlipiOperatorKind *kind, SlipError *error);

/* From here on nobody asks whether the run must end: its result needs some more products. Returns
 * whom to ask again after that. */
static inline SlipiStop slipi_operator_unwatch(SlipiOperator *op) {
  SlipiStop stop = op->stop;
  op->stop = (SlipiStop){NULL, NULL};
  return stop;
}

/* Whether the run must end: then what fails is not tried again in another way. */
bool slipi_operator_is_stopped(const SlipiOperator *op);

/* ---- What methods call: the table's functions with what is the contacts' own ---- */

/* From here on W is the problem's, compliance included, + shift I. Returns the shift there was:
 * who sets one for an inner run sets the other again after it. */
double slipi_operator_set_shift(SlipiOperator *op, double shift);

static inline double slipi_operator_shift(const SlipiOperator *op) {
  return op->own.shift;
}

/* What is added to W on its diagonal; NULL: nothing. */
static inline const SlipiOwn *slipi_operator_own(const SlipiOperator *op) {
  return op->own.C || op->own.shift != 0 ? &op->own : NULL;
}

/* u = W r. Iterations may have many products: in a run that must end a large one fails with
 * SLIP_ERROR_NUMERIC. */
SlipStatus slipi_operator_apply(SlipiOperator *op, const double *r, double *u, SlipError *error);

/* u = W r + q, the velocities at the contacts. */
SlipStatus slipi_operator_contact_velocity(SlipiOperator *op, const double *r, const double *q,
                                           double *u, SlipError *error);

/* A row state of zero impulses, which lives as long as the arena. */
SlipStatus slipi_row_state_create(const SlipiOperator *op, SlipiArena *arena, SlipiRowState *state,
                                  SlipError *error);

/* A row state follows r by additions, and each of them rounds: its distance from r's grows with
 * the sweeps. A sweep makes it of r again after so many, whatever happens in between, so that
 * looking at the error more or less often changes nothing. 50 sweeps of ten visits to a body leave
 * a few hundred units in the last place at most, and making it anew costs half a sweep. */
enum { SLIPI_ROW_SWEEPS = 50 };

/* v = M^-1 (p + f), f being the same wherever a degree of freedom is known. p is what each process
 * that shares an M that couples has of it (contact/share.h); NULL: 0, as it must be without such an
 * M. p and f are left as they are but where they are mass->work. */
SlipStatus slipi_shared_velocity(const SlipiShare *share, SlipiMass *mass, const double *p,
                                 const double *f, double *v, SlipError *error);

/* v = M^-1 (H r + f) of a problem with M, H r in the order of the chunks where there are any. */
SlipStatus slipi_operator_velocity(const SlipiOperator *op, const double *r, const double *f,
                                   double *v, SlipError *error);

/* Make the row state that of r, without the rounding of the changes it has followed. */
static inline void slipi_operator_row_start(const SlipiOperator *op, const double *r,
                                            SlipiRowState *state) {
  op->table->row_start(op, r, state);
}

/* u = (W r) of one contact, d values; r must be what the row state has followed. */
static inline void slipi_operator_row(const SlipiOperator *op, int32_t contact, const double *r,
                                      const SlipiRowState *state, double *u) {
  const SlipiOwn *own = slipi_operator_own(op);
  op->table->row(op, contact, r, state, u);
  if (own)
    slipi_own_add(own, op->d, contact, r + (int64_t)contact * op->d, u);
}

static inline void slipi_operator_row_update(const SlipiOperator *op, int32_t contact,
                                             const double *change, SlipiRowState *state) {
  op->table->row_update(op, contact, change, state);
}

/* How many entries of W one sweep reads. Of bodies in the velocity form it reads none: those visits
 * cost the same whatever W has. Counted, so always the same. */
double slipi_operator_row_entries(const SlipiOperator *op);

/* Whether rows read other contacts' r, or are made of the row state and the contact's own r alone.
 */
bool slipi_operator_rows_read_r(const SlipiOperator *op);

/* The d x d block (row-major) of one contact. */
static inline SlipStatus slipi_operator_diagonal(SlipiOperator *op, int32_t contact, double *block,
                                                 SlipError *error) {
  SlipStatus status = op->table->diagonal(op, contact, block, error);
  slipi_own_block(&op->own, op->d, contact, block);
  return status;
}

/* The rows of rigid bodies in 3D, for a sweep that wants them inline and adds slipi_operator_own
 * and slipi_large_add itself; NULL where the operator is another. */
struct SlipiPairs;
const struct SlipiPairs *slipi_operator_pairs(const SlipiOperator *op);

/* Whether sweeps over rows may visit four contacts at a time: pairs of a symmetric W with nothing
 * beside them. Of this process alone. */
bool slipi_operator_goes_by_fours(const SlipiOperator *op);

/* Where there are pairs and q is the problem's own, q = A' z + w: fills z (as long as a row state,
 * the spare body included) with that of the free velocities M^-1 f, and returns w. NULL otherwise.
 */
const double *slipi_operator_free_velocity(const SlipiOperator *op, const double *q, double *z);

/* W by rows, m x m, where the operator holds all of it in that form; NULL otherwise. */
const double *slipi_operator_dense(const SlipiOperator *op);

/* The velocity form's places in groups (bodies, where all have as many degrees of freedom as a
 * rigid one): how many there are, those whose places the rows of one contact read and change
 * (returns their number), and a bound of the sum of these numbers over all contacts. Lists that are
 * filled contact by contact, one behind the other, stay within that bound. */
int32_t slipi_operator_groups(const SlipiOperator *op);
int64_t slipi_operator_groups_most(const SlipiOperator *op);
int32_t slipi_operator_contact_groups(const SlipiOperator *op, int32_t contact, int32_t *list);

/* W as block-sparse rows, whatever the kind; assembled once. It stays the same for every shift:
 * slipi_operator_block reads its blocks with what the contacts have of their own. */
SlipStatus slipi_operator_matrix(SlipiOperator *op, const SlipiBsr **W, SlipError *error);

/* Block k of that matrix, which is in row `row`; d x d values. */
void slipi_operator_block(const SlipiOperator *op, int32_t row, int32_t k, double *block);

/* Take the values of a local problem's W again, whose pattern is the same. */
void slipi_operator_reload(SlipiOperator *op);

/* ---- What the kinds share ---- */

/* The kinds: each fills `table` and `data` of an operator whose other fields are set. */
SlipStatus slipi_operator_init_dense(SlipiOperator *op, SlipError *error);
SlipStatus slipi_operator_init_block(SlipiOperator *op, SlipError *error);
SlipStatus slipi_operator_init_velocity(SlipiOperator *op, SlipError *error);
SlipStatus slipi_operator_init_factored(SlipiOperator *op, SlipError *error);

/* W of the operator's problem as block-sparse rows, without compliance: converted from the local
 * form, or reduced. */
SlipStatus slipi_operator_blocks(const SlipiOperator *op, SlipiArena *arena, SlipiBsr *W,
                                 SlipError *error);

#endif
