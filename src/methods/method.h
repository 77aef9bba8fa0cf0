/* A method as the driver sees it: a name, a table of options, its needs, and three functions.
 *
 * The driver owns the loop: limits, stopping, timing, trace, callbacks and the error (131) are its
 * business. A method moves run->r by one iteration at a time and may report a cheap measure of its
 * progress.
 */
#ifndef SLIPI_METHODS_METHOD_H
#define SLIPI_METHODS_METHOD_H

#include "base/phrase.h"
#include "contact/operator.h"

typedef enum SlipiNeed {
  SLIPI_NEED_ROWS = 1,     /* row access of the operator */
  SLIPI_NEED_SYMMETRIC = 2 /* W = W', but for rounding */
} SlipiNeed;

/* A set of laws: two bits each, for Coulomb's flow and for the associated one. Laws without a flow
 * rule have the first. */
typedef uint64_t SlipiLawSet;
_Static_assert(2 * SLIPI_LAWS <= 64, "a set of laws has 64 bits");

#define SLIPI_LAWS_NOT_RELAXED(KIND) ((SlipiLawSet)1 << 2 * (KIND))
#define SLIPI_LAWS_OF(KIND) ((SlipiLawSet)3 << 2 * (KIND))
#define SLIPI_LAWS_ALL (~(SlipiLawSet)0)
/* Those whose K is that of one block for itself: all but moments, whose bounds are another
 * block's impulse (contact/rolling.h). */
#define SLIPI_LAWS_OF_A_BLOCK (SLIPI_LAWS_ALL & ~SLIPI_LAWS_OF(SLIPI_ROLLING))
/* The laws of methods that know second-order cones and linear equations. */
#define SLIPI_LAWS_SECOND_ORDER                                                                    \
  (SLIPI_LAWS_OF(SLIPI_COULOMB) | SLIPI_LAWS_OF(SLIPI_FRICTIONLESS) |                              \
   SLIPI_LAWS_OF(SLIPI_BILATERAL))

SlipiLawSet slipi_law_set(const SlipiLaw *law, int32_t contacts);

/* Sizes of a contact's block. */
enum { SLIPI_COMPONENTS_2 = 1 << 2, SLIPI_COMPONENTS_3 = 1 << 3 };

enum { SLIPI_OPTIONS_MAX = 24 }; /* of one method */
enum { SLIPI_PARTS_MOST = 9 };   /* methods that one is made of, side by side, and */
enum { SLIPI_RAMP_PART = SLIPI_PARTS_MOST - 1 }; /* the last: the path to more friction */

/* One run, as a method sees it. */
typedef struct SlipiRun {
  int32_t d, nc, m;
  SlipiOperator *op;
  const SlipiLaw *law;   /* of each contact */
  const double *q;       /* m */
  const double *options; /* values of the method's own options, in the order of its table */
  double tol;
  double scale;       /* |q|, or 1 where q is tiny; the natural-map error (131) is divided by it */
  double error;       /* the natural-map error (131), where the loop evaluated it last */
  int64_t iteration;  /* the current one, from 1 */
  double *r;          /* m: the iterate */
  double cheap_error; /* set by step: the relative change (132), or any measure that falls like
                        the error; INFINITY where there is none: then the error is evaluated */
  bool laws_changed;  /* since the last start: data prepared from W and mu are stale */
  bool is_rest;       /* some contacts are taken as glued, and hold each other (common_hold.h) */
  bool W_changed;     /* since the last start; only methods with `follows_W` see it */
  SlipiStop stop;
  const char *given_up; /* set by step: why no further step would help; NULL: go on */
  double work;       /* set by create and step: operations of one step's factorisation; 0: none */
  SlipiArena *arena; /* of all that create allocates; it dies with the state */
  SlipiArena *part_arena; /* SLIPI_PARTS_MOST, for the states of methods a method is made of */
  void *state;            /* the method's own */
} SlipiRun;

/* Goes through all that a run's next iteration depends on, to be kept or to be set: values of the
 * run, so many bytes for each contact, `stride` apart, and for each chunk of a sweep. */
typedef struct SlipiStateVisitor {
  void *user;
  void (*values)(void *user, const char *name, void *data, size_t bytes);
  void (*contacts)(void *user, const char *name, void *data, size_t bytes, size_t stride);
  void (*chunks)(void *user, const char *name, void *data, size_t bytes);
} SlipiStateVisitor;

typedef struct SlipiMethod {
  SlipMethodInfo info;
  /* Needs beyond `needs` that follow from the values of the options; NULL: none. */
  unsigned (*needs_of)(const double *options);
  SlipiLawSet laws; /* it can treat; 0: those of a block, by their kernels */
  /* Those it can treat with these options, of `laws`; NULL: all of them. */
  SlipiLawSet (*laws_of)(const double *options);
  unsigned needs;        /* SlipiNeed */
  unsigned components;   /* sizes of blocks it can treat; 0: all */
  int32_t contacts_most; /* it can treat; 0: any number */
  int patience;          /* iterations without progress that are not a stall yet; 0: 10000 */
  bool evaluate_each;    /* iterations are long, and the error governs the next one */
  bool asks;             /* it asks for the error by itself: the driver seldom looks between */
  bool recovers;         /* goes on by itself from points, however far off, or not a number */
  bool follows_W;        /* start takes another W up; the state of other methods is made anew */
  /* Takes every problem, and most of its runs are short: the operator, the state and the room for a
   * long trace may be left to the first run that needs them. */
  bool set_up_late;
  bool ramps; /* its solutions are followed to more friction where rough contacts slide */
  /* Allocate the state. */
  SlipStatus (*create)(SlipiRun *run, SlipError *error);
  /* Begin from run->r. */
  SlipStatus (*start)(SlipiRun *run, SlipError *error);
  /* One iteration. */
  SlipStatus (*step)(SlipiRun *run, SlipError *error);
  /* Leave the result in run->r; NULL where it is there already. */
  SlipStatus (*finish)(SlipiRun *run, SlipError *error);
  /* The state before an iteration whose number is a multiple of SLIPI_ROW_SWEEPS, where row states
   * are made anew; NULL: it cannot be kept. */
  void (*visit_state)(SlipiRun *run, const SlipiStateVisitor *visitor);
  /* A sentence for the reason of a result; NULL: none. */
  void (*note)(const SlipiRun *run, SlipiPhrase *text);
  /* Free what is not in the arena, also after a create that failed; run->state may be NULL. NULL
   * where there is no such thing. */
  void (*destroy)(SlipiRun *run);
} SlipiMethod;

/* NULL when there is no such method, or index is out of range. */
const SlipiMethod *slipi_method_find(const char *name);
const SlipiMethod *slipi_method_at(int index);

static inline unsigned slipi_method_needs(const SlipiMethod *method, const double *options) {
  return method->needs | (method->needs_of ? method->needs_of(options) : 0);
}

/* Whether it can treat blocks of this size, so many contacts, and these laws. */
bool slipi_method_treats(const SlipiMethod *method, const double *options, int32_t components,
                         int32_t contacts, SlipiLawSet laws);

/* The laws it can treat. */
static inline SlipiLawSet slipi_method_laws(const SlipiMethod *method, const double *options) {
  SlipiLawSet laws = method->laws ? method->laws : SLIPI_LAWS_OF_A_BLOCK;
  return method->laws_of ? laws & method->laws_of(options) : laws;
}

/* The defaults of a method's own options, its preset included; values has SLIPI_OPTIONS_MAX. */
void slipi_method_defaults(const SlipiMethod *method, double *values);

/* The methods of one file; names that differ by a preset share everything else. */
typedef struct SlipiFamily {
  const SlipiMethod *methods;
  int count;
} SlipiFamily;

/* One of a family's methods; NULL where it has none of that name. */
const SlipiMethod *slipi_family_find(const SlipiFamily *family, const char *name);

#define SLIPI_OPTIONS(table) .options = (table), .option_count = sizeof(table) / sizeof(table)[0]
#define SLIPI_PRESET(...)                                                                          \
  .preset = (const SlipOptionValue[]) {                                                            \
    __VA_ARGS__, {                                                                                 \
      NULL, NULL                                                                                   \
    }                                                                                              \
  }
#define SLIPI_FAMILY(table)                                                                        \
  { (table), sizeof(table) / sizeof(table)[0] }

extern const SlipiFamily slipi_family_splitting;
extern const SlipiFamily slipi_family_vi;
extern const SlipiFamily slipi_family_nsn;
extern const SlipiFamily slipi_family_ppa;
extern const SlipiFamily slipi_family_pana;
extern const SlipiFamily slipi_family_approximation;
extern const SlipiFamily slipi_family_convexqp;
extern const SlipiFamily slipi_family_socp;
extern const SlipiFamily slipi_family_faceted;
extern const SlipiFamily slipi_family_alm;
extern const SlipiFamily slipi_family_ipm;
extern const SlipiFamily slipi_family_arc;
extern const SlipiFamily slipi_family_admm;
extern const SlipiFamily slipi_family_few;
extern const SlipiFamily slipi_family_balls;
extern const SlipiFamily slipi_family_held;
extern const SlipiFamily slipi_family_auto;

#endif
