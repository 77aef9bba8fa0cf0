#include "contact/laws.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/versioned.h"

const SlipiLawParameter slipi_law_parameters[SLIPI_LAW_PARAMETERS] = {
    {"mu", SLIPI_READS_MU, true, false, offsetof(SlipLaws, mu)},
    {"flow", SLIPI_READS_FLOW, false, true, offsetof(SlipLaws, flow)},
    {"bound", SLIPI_READS_BOUND, false, true, offsetof(SlipLaws, bound)},
    {"radius", SLIPI_READS_RADIUS, true, false, offsetof(SlipLaws, radius)},
    {"cohesion", SLIPI_READS_COHESION, true, false, offsetof(SlipLaws, cohesion)},
    {"ball", SLIPI_READS_BALL, true, false, offsetof(SlipLaws, ball)},
    {"ball_tangential", SLIPI_READS_BALL, true, true, offsetof(SlipLaws, ball_tangential)},
    {"cap", SLIPI_READS_CAP, true, false, offsetof(SlipLaws, cap)},
    {"spinning", SLIPI_READS_SPINNING, true, true, offsetof(SlipLaws, spinning)},
};

const void *slipi_laws_array(const SlipLaws *laws, const SlipiLawParameter *parameter) {
  const void *array;
  memcpy(&array, (const char *)laws + parameter->offset, sizeof array);
  return array;
}

void slipi_laws_set_array(SlipLaws *laws, const SlipiLawParameter *parameter, const void *values) {
  memcpy((char *)laws + parameter->offset, &values, sizeof values);
}

static int32_t kind_of(const SlipLaws *laws, int32_t contact) {
  return laws->kind ? laws->kind[contact] : SLIP_COULOMB;
}

bool slipi_laws_need(const SlipLaws *laws, int32_t contacts, const SlipiLawParameter *parameter) {
  for (int32_t a = 0; a < contacts; a++) {
    if (slipi_law_types[kind_of(laws, a)]->reads & parameter->reads)
      return true;
  }
  return false;
}

void slipi_laws_names(char names[SLIPI_LAW_NAMES]) {
  SlipiPhrase text = {.at = names, .size = SLIPI_LAW_NAMES};
  for (int kind = 0; kind < SLIPI_LAWS_PUBLIC; kind++) {
    slipi_phrase_add(&text, kind == 0 ? "" : kind == SLIPI_LAWS_PUBLIC - 1 ? " or " : ", ");
    slipi_phrase_add_int(&text, kind);
    slipi_phrase_add(&text, " (");
    slipi_phrase_add(&text, slipi_law_types[kind]->name);
    slipi_phrase_add(&text, ")");
  }
}

SlipStatus slipi_laws_check_reals(const char *name, const double *x, int32_t contacts,
                                  SlipError *error) {
  for (int32_t a = 0; a < contacts; a++) {
    if (!isfinite(x[a]))
      return slipi_fail(error, SLIP_ERROR_PROBLEM, "%s[%d] is %g, which is not a finite number",
                        name, (int)a, x[a]);
    if (x[a] < 0)
      return slipi_fail(error, SLIP_ERROR_PROBLEM, "%s[%d] is %g but must not be negative", name,
                        (int)a, x[a]);
  }
  return SLIP_OK;
}

static SlipStatus check_arrays(const SlipLaws *laws, int32_t contacts, SlipError *error) {
  SlipStatus status = SLIP_OK;
  for (int k = 0; k < SLIPI_LAW_PARAMETERS && status == SLIP_OK; k++) {
    const SlipiLawParameter *parameter = &slipi_law_parameters[k];
    const void *array = slipi_laws_array(laws, parameter);
    if (array && parameter->real)
      status = slipi_laws_check_reals(parameter->name, array, contacts, error);
  }
  return status;
}

/* The law and its parameters: whether they are there, and the numbers that are no reals. */
static SlipStatus check_contact(const SlipLaws *laws, int32_t a, int32_t dimension,
                                SlipError *error) {
  int32_t kind = kind_of(laws, a), flow = laws->flow ? laws->flow[a] : SLIP_FLOW_COULOMB;
  char names[SLIPI_LAW_NAMES];
  if (kind < 0 || kind >= SLIPI_LAWS_PUBLIC) {
    slipi_laws_names(names);
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "law[%d] is %d, which is no known law; there are %s", (int)a, (int)kind,
                      names);
  }
  const SlipiLawType *type = slipi_law_types[kind];
  for (int k = 0; k < SLIPI_LAW_PARAMETERS; k++) {
    const SlipiLawParameter *parameter = &slipi_law_parameters[k];
    if (!parameter->optional && type->reads & parameter->reads &&
        !slipi_laws_array(laws, parameter))
      return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                        "%s is null, but contact %d has the law %s, which needs it",
                        parameter->name, (int)a, type->name);
  }
  if (flow != SLIP_FLOW_COULOMB && flow != SLIP_FLOW_ASSOCIATED)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "flow[%d] is %d, which is no known flow", (int)a,
                      (int)flow);
  int32_t all = (1 << dimension) - 1, bound = laws->bound ? laws->bound[a] : all;
  if (type->reads & SLIPI_READS_BOUND && (bound < 0 || bound > all))
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "bound[%d] is %d but must be between 0 and %d, the sum of 1 for the normal "
                      "and %s for what is bound",
                      (int)a, (int)bound, (int)all,
                      dimension == 2 ? "2 for the tangent" : "2 and 4 for the tangents");
  return SLIP_OK;
}

/* Whether a block of moments has a contact before it whose impulse can bound them. */
static SlipStatus check_moments(const SlipLaws *laws, int32_t a, SlipError *error) {
  if (kind_of(laws, a) != SLIP_ROLLING)
    return SLIP_OK;
  if (a == 0)
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "contact 0 has the law rolling, and there is no contact before it");
  int32_t before = kind_of(laws, a - 1);
  bool known = before == SLIP_COULOMB || before == SLIP_FRICTIONLESS || before == SLIP_COHESIVE;
  if (!known)
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "contact %d has the law rolling, but contact %d before it the law %s, which "
                      "has no rolling friction",
                      (int)a, (int)a - 1, slipi_law_types[before]->name);
  if (laws->flow && before != SLIP_FRICTIONLESS && laws->flow[a - 1] != SLIP_FLOW_COULOMB)
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "contact %d has the associated flow, which rolling friction (contact %d) has "
                      "not",
                      (int)a - 1, (int)a);
  return SLIP_OK;
}

/* The arrays that check_contact reads of a contact: what passes for one passes for the next where
 * these are the same, as they mostly are. */
typedef struct Choices {
  const int32_t *array[1 + SLIPI_LAW_PARAMETERS];
  int count;
} Choices;

static Choices choices_of(const SlipLaws *laws) {
  Choices choices = {0};
  if (laws->kind)
    choices.array[choices.count++] = laws->kind;
  for (int k = 0; k < SLIPI_LAW_PARAMETERS; k++) {
    const void *array = slipi_laws_array(laws, &slipi_law_parameters[k]);
    if (array && !slipi_law_parameters[k].real)
      choices.array[choices.count++] = array;
  }
  return choices;
}

static bool as_before(const Choices *choices, int32_t a) {
  bool same = a > 0;
  for (int k = 0; same && k < choices->count; k++)
    same = choices->array[k][a] == choices->array[k][a - 1];
  return same;
}

/* Checked already. */
static SlipiLaw make_law(const SlipLaws *laws, int32_t a, int32_t dimension) {
  int32_t kind = kind_of(laws, a);
  unsigned reads = slipi_law_types[kind]->reads;
  SlipiLaw law = slipi_law(kind, laws->mu ? laws->mu[a] : 0);
  if (laws->flow)
    law.flow = (unsigned char)laws->flow[a];
  if (reads & SLIPI_READS_RADIUS)
    law.radius = laws->radius[a];
  if (reads & SLIPI_READS_COHESION)
    law.depth = laws->cohesion[a];
  if (reads & SLIPI_READS_BALL) {
    law.depth = laws->ball[a];
    law.radius = laws->ball_tangential ? laws->ball_tangential[a] : law.depth;
  }
  law.cap = reads & SLIPI_READS_CAP ? laws->cap[a] : INFINITY;
  if (reads & SLIPI_READS_SPINNING)
    law.cap = laws->spinning && dimension == 3 ? laws->spinning[a] : 0;
  if (reads & SLIPI_READS_BOUND && laws->bound) /* the third component of 2D is padding: held */
    law.bound = (unsigned char)(laws->bound[a] | (dimension == 2 ? 4 : 0));
  return slipi_law_folded(law, SLIPI_FOLD_LAST);
}

SlipiLaw slipi_laws_with_mu(const SlipLaws *laws, const SlipiLaw *law, int32_t contact, double mu) {
  SlipiLaw plain = slipi_law(kind_of(laws, contact), mu), other = *law;
  other.kind = plain.kind;
  other.mu = plain.mu;
  return slipi_law_folded(other, SLIPI_FOLD_LAST);
}

/* Copies of the arrays; `kind` and `mu` also where none is given. */
static SlipStatus copy_arrays(SlipiArena *arena, const SlipLaws *laws, size_t nc, SlipLaws *copy,
                              SlipError *error) {
  *copy = slip_default_laws();
  int32_t *kind = SLIPI_ARENA_NEW(arena, int32_t, nc); /* zeroed: SLIP_COULOMB */
  if (kind && laws->kind && nc > 0)
    memcpy(kind, laws->kind, nc * sizeof *kind);
  copy->kind = kind;
  copy->mu = laws->mu ? NULL : SLIPI_ARENA_NEW(arena, double, nc);
  for (int k = 0; k < SLIPI_LAW_PARAMETERS; k++) {
    const SlipiLawParameter *parameter = &slipi_law_parameters[k];
    const void *array = slipi_laws_array(laws, parameter);
    size_t size = parameter->real ? sizeof(double) : sizeof(int32_t);
    if (array)
      slipi_laws_set_array(copy, parameter, slipi_arena_copy(arena, array, nc, size));
  }
  return arena->failed ? slipi_fail_memory(error, "a problem") : SLIP_OK;
}

SlipStatus slipi_laws_copy(SlipiArena *arena, const SlipLaws *given, int32_t dimension,
                           int32_t contacts, SlipLaws *copy, SlipiLaw **law, SlipError *error) {
  SlipLaws laws = slip_default_laws();
  SlipStatus status = SLIP_OK;
  if (!given && contacts > 0)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "laws is null");
  if (given)
    status = slipi_versioned_read("laws", given, &laws, sizeof laws, error);
  if (status == SLIP_OK)
    status = check_arrays(&laws, contacts, error);
  Choices choices = choices_of(&laws);
  for (int32_t a = 0; a < contacts && status == SLIP_OK; a++) {
    if (!as_before(&choices, a))
      status = check_contact(&laws, a, dimension, error);
    if (status == SLIP_OK && laws.kind)
      status = check_moments(&laws, a, error);
  }
  if (status == SLIP_OK)
    status = copy_arrays(arena, &laws, (size_t)contacts, copy, error);
  if (status != SLIP_OK)
    return status;
  SlipiLaw *made = SLIPI_ARENA_RAW(arena, SlipiLaw, contacts);
  if (arena->failed)
    return slipi_fail_memory(error, "a problem");
  for (int32_t a = 0; a < contacts; a++)
    made[a] = make_law(&laws, a, dimension);
  for (int32_t a = 1; laws.kind && a < contacts; a++)
    made[a - 1].rolls = made[a].kind == SLIPI_ROLLING;
  *law = made;
  return SLIP_OK;
}
