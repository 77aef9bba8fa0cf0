/* Panagiotopoulos' alternation (Acary, Brémond, Huber 2018, section 7.1, Algorithm 10): solve for
 * the normal impulses with the tangential ones held, then for the tangential ones with the disc of
 * the normal ones held:
 *
 *     K_N = {r_N >= 0, r_T = 0}        with  q + W (0, r_T)                              (126)
 *     K_T = {r_N = 0, |r_T| <= mu r_N} with  q + W (r_N, 0)                              (128)
 *
 * Both are problems on all of W with other laws, so that any method for convex problems solves
 * them; Gauss-Seidel on the first is the paper's PGS. Bilateral contacts go with the normals.
 */
#include "methods/method.h"

#include <string.h>

#include "contact/residual.h"
#include "methods/common_projected.h"
#include "methods/inner.h"

enum { OPTION_NORMAL, OPTION_TANGENT, OPTION_INNER_TOL, OPTION_INNER_MAX_ITER };

static const char *const inners[] = {"nsgs", "fp-vi-upk", "eg-vi-upk",         "convexqp-pg",
                                     "spg",  "apgd",      "fp-vi-accelerated", NULL};

static const SlipOptionInfo options[] = {
    {"normal", SLIP_OPTION_CHOICE, "nsgs", 0, 0, inners, "method for the normal problems"},
    {"tangent", SLIP_OPTION_CHOICE, "nsgs", 0, 0, inners, "method for the tangential problems"},
    SLIPI_INNER_OPTIONS("1000"),
};

typedef struct Alternation {
  SlipiInner normal, tangent;
  double *r_old; /* m */
} Alternation;

static unsigned needs_of(const double *values) {
  return slipi_inner_needs(inners, values[OPTION_NORMAL]) |
         slipi_inner_needs(inners, values[OPTION_TANGENT]);
}

static SlipStatus create(SlipiRun *run, SlipError *error) {
  Alternation *s = SLIPI_ARENA_NEW(run->arena, Alternation, 1);
  if (!s)
    return slipi_fail_memory(error, "the alternating method");
  run->state = s;
  s->r_old = SLIPI_ARENA_NEW(run->arena, double, run->m);
  if (run->arena->failed)
    return slipi_fail_memory(error, "the alternating method");
  SlipStatus status =
      slipi_inner_create(run, inners[(int)run->options[OPTION_NORMAL]], &s->normal, error);
  if (status == SLIP_OK)
    status = slipi_inner_create(run, inners[(int)run->options[OPTION_TANGENT]], &s->tangent, error);
  return status;
}

static void destroy(SlipiRun *run) {
  Alternation *s = run->state;
  if (s) {
    slipi_inner_destroy(&s->normal);
    slipi_inner_destroy(&s->tangent);
  }
}

static SlipStatus start(SlipiRun *run, SlipError *error) {
  (void)error;
  Alternation *s = run->state;
  for (int32_t a = 0; a < run->nc; a++) {
    bool halved = slipi_law_is_second_order(&run->law[a]);
    s->normal.law[a] = halved ? slipi_law(SLIPI_FRICTIONLESS, 0) : run->law[a];
    s->tangent.law[a] = slipi_law(SLIPI_DISC, 0);
  }
  s->normal.run.laws_changed = true;
  return SLIP_OK;
}

/* r = normals + tangents, into the unknowns of the two problems. */
static void split(const SlipiRun *run, Alternation *s) {
  for (int32_t a = 0; a < run->nc; a++) {
    double r[3], normal[3], tangent[3] = {0};
    slipi_load(run->r, run->d, a, r);
    memcpy(normal, r, sizeof normal);
    if (slipi_law_is_second_order(&run->law[a])) {
      normal[1] = normal[2] = 0;
      tangent[1] = r[1];
      tangent[2] = r[2];
    }
    slipi_store(normal, run->d, a, s->normal.run.r);
    slipi_store(tangent, run->d, a, s->tangent.run.r);
  }
}

/* Solve one half with the other held. */
static SlipStatus solve_half(SlipiRun *run, SlipiInner *half, const SlipiInner *held,
                             SlipError *error) {
  SlipStatus status = slipi_projected_gradient(run, held->run.r, half->q, error);
  return status == SLIP_OK ? slipi_inner_solve(half, run, run->options[OPTION_INNER_TOL],
                                               run->options[OPTION_INNER_MAX_ITER], error)
                           : status;
}

static SlipStatus step(SlipiRun *run, SlipError *error) {
  Alternation *s = run->state;
  memcpy(s->r_old, run->r, (size_t)run->m * sizeof *run->r);
  split(run, s);
  SlipStatus status = solve_half(run, &s->normal, &s->tangent, error);
  for (int32_t a = 0; status == SLIP_OK && a < run->nc; a++) {
    double radius = run->law[a].mu * fmax(0, s->normal.run.r[(int64_t)a * run->d]);
    s->tangent.law[a].radius = radius;
  }
  s->tangent.run.laws_changed = true;
  if (status == SLIP_OK)
    status = solve_half(run, &s->tangent, &s->normal, error);
  for (int32_t k = 0; status == SLIP_OK && k < run->m; k++)
    run->r[k] = s->normal.run.r[k] + s->tangent.run.r[k];
  run->cheap_error = slipi_projected_change(run, s->r_old);
  return status;
}

/* The halves are those of Coulomb's law: slides of its relaxation have a normal velocity that the
 * problem for the normals does not know. */
#define LAWS                                                                                       \
  (SLIPI_LAWS_NOT_RELAXED(SLIPI_COULOMB) | SLIPI_LAWS_OF(SLIPI_FRICTIONLESS) |                     \
   SLIPI_LAWS_OF(SLIPI_BILATERAL))
#define PANA(NAME, SUMMARY, ...)                                                                   \
  {                                                                                                \
    .info = {.name = (NAME),                                                                       \
             .family = "alternating",                                                              \
             .summary = (SUMMARY),                                                                 \
             SLIPI_OPTIONS(options),                                                               \
             __VA_ARGS__},                                                                         \
    .needs_of = needs_of, .laws = LAWS, .evaluate_each = true, .patience = 100, .create = create,  \
    .start = start, .step = step, .destroy = destroy                                               \
  }
#define HALVES(NORMAL, TANGENT) SLIPI_PRESET({"normal", NORMAL}, {"tangent", TANGENT})

static const SlipiMethod methods[] = {
    PANA("pana", "alternating normal and tangential problems (Algorithm 10)", ),
    PANA("pana-pgs-fp-vi-upk", "pana: Gauss-Seidel, and fp-vi-upk for the tangents",
         HALVES("nsgs", "fp-vi-upk")),
    PANA("pana-pgs-eg-vi-upk", "pana: Gauss-Seidel, and eg-vi-upk for the tangents",
         HALVES("nsgs", "eg-vi-upk")),
    PANA("pana-pgs-convexqp-pg", "pana: Gauss-Seidel, and convexqp-pg for the tangents",
         HALVES("nsgs", "convexqp-pg")),
    PANA("pana-convexqp-pg", "pana: convexqp-pg for both problems",
         HALVES("convexqp-pg", "convexqp-pg")),
};

const SlipiFamily slipi_family_pana = SLIPI_FAMILY(methods);
