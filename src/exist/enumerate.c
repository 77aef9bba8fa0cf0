/* A contact is in one of a few modes, in each of which its impulse and velocity lie in a cone of
 * their own. Solutions with given modes are the ways to write q as u - W r with u and r in those
 * cones: non-negative combinations of a few columns. A mode not chosen yet is relaxed to r in K,
 * u_N >= 0; where even that is impossible, no choice of the rest can help. */
#include "exist/enumerate.h"

#include <float.h>
#include <string.h>

#include "base/random.h"
#include "contact/onecontact.h"

enum { CONTACTS_MOST = 60, LEAVES_MOST = 10000, COLUMNS_EACH = 5 };
#define FEASIBLE 1e-10 /* |q - C x|, in units of |q| */
#define SAME 1e-7      /* solutions nearer than this are one */
#define LOST 2e-6      /* u is, where its rounding is this share of |q| */
#define VARY 1e-5      /* how far a family of solutions must reach */

typedef enum Mode { ANY, OPEN, STICK, SLIP_UP, SLIP_DOWN, CLOSED, FIXED } Mode;

typedef struct Leaf {
  Mode *mode;
  double *r, *u;
  double rounding; /* of u: r is a double */
  bool continuum, dropped;
} Leaf;

typedef struct Search {
  SlipiCheck *check;
  int32_t n, m;
  double *W, *q, size; /* W row-major */
  Mode *mode;
  int32_t cols;
  double *C, *x, *residual, *work, *b; /* of the program; C has room for one more row */
  double *scale;                       /* column = scale times the ray's */
  int32_t *contact;                    /* of each column */
  double (*ray)[2];                    /* of r, of a column that is one; 0 otherwise */
  Leaf *leaves;
  int leaf_count;
  SlipiRandom random;
  bool stopped;
} Search;

/* ---- Columns ------------------------------------------------------------------------------ */

static void add_column(Search *s, int32_t contact, const double *u, const double *r) {
  double *column = s->C + (int64_t)s->cols * s->m, square = 0;
  for (int32_t i = 0; i < s->m; i++) {
    const double *row = s->W + (int64_t)i * s->m + 2 * contact;
    column[i] = r ? -(row[0] * r[0] + row[1] * r[1]) : 0;
  }
  for (int k = 0; u && k < 2; k++)
    column[2 * contact + k] += u[k];
  for (int32_t i = 0; i < s->m; i++)
    square += column[i] * column[i];
  double scale = square > 0 ? 1 / sqrt(square) : 1;
  for (int32_t i = 0; i < s->m; i++)
    column[i] *= scale;
  s->scale[s->cols] = scale;
  s->contact[s->cols] = contact;
  for (int k = 0; k < 2; k++)
    s->ray[s->cols][k] = r ? scale * r[k] : 0;
  s->cols++;
}

/* u_N / |u_T| of a slide: 0, or mu where the law is relaxed. */
static double lift(const SlipiLaw *law) {
  return law->flow == SLIP_FLOW_ASSOCIATED ? law->mu : 0;
}

static void add_mode(Search *s, int32_t c, Mode mode) {
  static const double normal[2] = {1, 0};
  const SlipiLaw *law = &s->check->data.law[c];
  double mu = law->mu, rise = mode == ANY ? 0 : lift(law);
  double forward[2] = {1, mu}, backward[2] = {1, -mu}, up[2] = {rise, 1}, down[2] = {rise, -1};
  if (mode == ANY || (mode == OPEN && rise == 0))
    add_column(s, c, normal, NULL);
  if (mode == ANY || mode == OPEN || mode == CLOSED || mode == SLIP_UP)
    add_column(s, c, up, NULL);
  if (mode == ANY || mode == OPEN || mode == CLOSED || mode == SLIP_DOWN)
    add_column(s, c, down, NULL);
  if (mode == ANY || mode == STICK || mode == CLOSED || mode == SLIP_DOWN)
    add_column(s, c, NULL, forward);
  if ((mode == ANY && mu > 0) || mode == STICK || mode == SLIP_UP)
    add_column(s, c, NULL, backward);
}

/* A bilateral contact: r of any sign in its bound components, u in the others. */
static void add_fixed(Search *s, int32_t c) {
  static const double axes[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  for (int k = 0; k < 4; k++) {
    bool bound = slipi_law_axis(&s->check->data.law[c], k / 2) == SLIPI_AXIS_FREE;
    add_column(s, c, bound ? NULL : axes[k], bound ? axes[k] : NULL);
  }
}

static bool is_fixed(const Search *s, int32_t c) {
  return !slipi_law_is_second_order(&s->check->data.law[c]);
}

static void add_modes(Search *s) {
  s->cols = 0;
  for (int32_t c = 0; c < s->n; c++) {
    if (is_fixed(s, c)) /* also before its mode is chosen: it has one only */
      add_fixed(s, c);
    else
      add_mode(s, c, s->mode[c]);
  }
}

/* ---- Leaves ------------------------------------------------------------------------------- */

/* Is there another solution with these modes? A random functional of r is not constant on a
 * family of solutions: ask for one where it is a little greater or less. */
static bool is_continuum(Search *s, const double *x) {
  double *row = s->work + slipi_nnls_work(s->m + 1, s->cols), *other = row + s->cols;
  double value = 0, size = 0, steep = 0, part[2] = {0};
  int32_t m = s->m, last = -1;
  for (int32_t j = 0; j < s->cols; j++) {
    for (int k = 0; s->contact[j] != last && k < 2; k++)
      part[k] = slipi_random_between(&s->random, 0.5, 1.5);
    last = s->contact[j];
    row[j] = part[0] * s->ray[j][0] + part[1] * s->ray[j][1]; /* 0 for a column of u */
    size = fmax(size, x[j]);
    steep = fmax(steep, fabs(row[j]));
  }
  if (steep == 0) /* nothing bears an impulse */
    return false;
  for (int32_t j = 0; j < s->cols; j++) {
    row[j] /= steep;
    value += row[j] * x[j];
  }
  double *wide = other + s->cols; /* C with the row below it */
  for (int32_t j = 0; j < s->cols; j++) {
    memcpy(wide + (int64_t)j * (m + 1), s->C + (int64_t)j * m, (size_t)m * sizeof *wide);
    wide[(int64_t)j * (m + 1) + m] = row[j];
  }
  for (int sign = -1; sign <= 1; sign += 2) {
    for (int32_t i = 0; i < m; i++)
      s->b[i] = s->q[i] / s->size;
    s->b[m] = value + sign * VARY * (size + 1);
    if (slipi_nnls(m + 1, s->cols, wide, s->b, other, s->residual, s->work) <= FEASIBLE)
      return true;
  }
  return false;
}

static bool same(const Search *s, const double *a, const double *b, double size) {
  for (int32_t k = 0; k < s->m; k++)
    if (!(fabs(a[k] - b[k]) <= SAME * size))
      return false;
  return true;
}

static double largest(const double *x, int32_t n) {
  double size = 0;
  for (int32_t k = 0; k < n; k++)
    size = fmax(size, fabs(x[k]));
  return size;
}

/* Does the point also have these modes? */
static bool has_modes(const Search *s, const Leaf *point, const Mode *mode) {
  double tr = SAME * largest(point->r, s->m), tu = SAME * s->size + 2 * point->rounding;
  for (int32_t c = 0; c < s->n; c++) {
    const double *r = point->r + 2 * c, *u = point->u + 2 * c;
    const SlipiLaw *law = &s->check->data.law[c];
    double mu = law->mu, above = u[0] - lift(law) * fabs(u[1]);
    bool held = fabs(above) <= tu;
    bool fits = true;
    if (mode[c] == OPEN)
      fits = fabs(r[0]) <= tr && fabs(r[1]) <= tr && above >= -tu;
    else if (mode[c] == STICK)
      fits = held && fabs(u[1]) <= tu;
    else if (mode[c] == SLIP_UP)
      fits = held && u[1] >= -tu && fabs(r[1] + mu * r[0]) <= tr;
    else if (mode[c] == SLIP_DOWN)
      fits = held && u[1] <= tu && fabs(r[1] - mu * r[0]) <= tr;
    else if (mode[c] == CLOSED)
      fits = held;
    if (!fits)
      return false;
  }
  return true;
}

static void add_leaf(Search *s) {
  SlipiArena *arena = &s->check->work;
  if (s->leaf_count == LEAVES_MOST) {
    s->stopped = true;
    return;
  }
  Leaf leaf = {.mode = slipi_arena_copy(arena, s->mode, (size_t)s->n, sizeof *s->mode),
               .r = SLIPI_ARENA_NEW(arena, double, s->m),
               .u = SLIPI_ARENA_NEW(arena, double, s->m)};
  if (arena->failed)
    return;
  for (int32_t j = 0; j < s->cols; j++)
    for (int k = 0; k < 2; k++)
      leaf.r[2 * s->contact[j] + k] += s->x[j] * s->size * s->ray[j][k];
  for (int32_t i = 0; i < s->m; i++) {
    long double u = s->q[i];
    for (int32_t k = 0; k < s->m; k++) {
      long double term = (long double)s->W[(int64_t)i * s->m + k] * leaf.r[k];
      u += term;
      leaf.rounding = fmax(leaf.rounding, DBL_EPSILON * fabs((double)term));
    }
    leaf.u[i] = (double)u;
  }
  /* Columns that are parallel but for rounding can seem to combine: r is huge then, and u is lost
   * in rounding or not what the modes ask for. */
  if (leaf.rounding > LOST * s->size || !has_modes(s, &leaf, s->mode))
    return;
  leaf.continuum = is_continuum(s, s->x);
  for (int k = 0; k < s->leaf_count; k++) {
    Leaf *other = &s->leaves[k];
    double size = fmax(largest(leaf.r, s->m), largest(other->r, s->m));
    if (!leaf.continuum && !other->continuum && same(s, leaf.r, other->r, size))
      return;
  }
  s->leaves[s->leaf_count++] = leaf;
}

/* Points that belong to a family listed as well. */
static void drop_members(Search *s) {
  for (int a = 0; a < s->leaf_count; a++)
    for (int b = 0; b < s->leaf_count && !s->leaves[a].dropped; b++) {
      const Leaf *family = &s->leaves[b];
      if (a != b && family->continuum && !family->dropped && (!s->leaves[a].continuum || b < a) &&
          has_modes(s, &s->leaves[a], family->mode))
        s->leaves[a].dropped = !s->leaves[a].continuum;
    }
}

/* ---- The tree ----------------------------------------------------------------------------- */

/* The modes a contact may have. */
typedef struct Choice {
  int count;
  Mode modes[4];
} Choice;

static const Choice *choice_of(const Search *s, int32_t c) {
  static const Choice friction = {4, {STICK, OPEN, SLIP_UP, SLIP_DOWN}};
  static const Choice none = {2, {OPEN, CLOSED}}, fixed = {1, {FIXED}};
  if (is_fixed(s, c))
    return &fixed;
  return s->check->data.law[c].mu > 0 ? &friction : &none;
}

static void descend(Search *s, int32_t c) {
  SlipiCheck *check = s->check;
  s->stopped = s->stopped || check->result.nodes >= check->options.nodes ||
               slipi_is_stopped(&check->stop) || check->work.failed;
  if (s->stopped)
    return;
  check->result.nodes++;
  add_modes(s);
  for (int32_t i = 0; i < s->m; i++)
    s->b[i] = s->q[i] / s->size;
  if (slipi_nnls(s->m, s->cols, s->C, s->b, s->x, s->residual, s->work) > FEASIBLE)
    return;
  if (c == s->n) {
    add_leaf(s);
    return;
  }
  const Choice *choice = choice_of(s, c);
  for (int k = 0; k < choice->count; k++) {
    s->mode[c] = choice->modes[k];
    descend(s, c + 1);
  }
  s->mode[c] = ANY;
}

static SlipStatus search_memory(Search *s, SlipError *error) {
  SlipiArena *arena = &s->check->work;
  int64_t cols = (int64_t)COLUMNS_EACH * s->n, m = s->m;
  s->W = SLIPI_ARENA_NEW(arena, double, m *m);
  s->q = SLIPI_ARENA_NEW(arena, double, m);
  s->mode = SLIPI_ARENA_NEW(arena, Mode, s->n);
  s->C = SLIPI_ARENA_NEW(arena, double, cols *m);
  s->x = SLIPI_ARENA_NEW(arena, double, cols);
  s->residual = SLIPI_ARENA_NEW(arena, double, m + 1);
  s->b = SLIPI_ARENA_NEW(arena, double, m + 1);
  s->work =
      SLIPI_ARENA_NEW(arena, double, slipi_nnls_work(s->m + 1, (int32_t)cols) + cols * (m + 4));
  s->scale = SLIPI_ARENA_NEW(arena, double, cols);
  s->contact = SLIPI_ARENA_NEW(arena, int32_t, cols);
  s->ray = slipi_arena_alloc(arena, (size_t)cols, sizeof *s->ray);
  s->leaves = SLIPI_ARENA_NEW(arena, Leaf, LEAVES_MOST);
  return arena->failed ? slipi_fail_memory(error, "an enumeration") : SLIP_OK;
}

static SlipContactStatus mode_status(Mode mode) {
  return mode == OPEN                     ? SLIP_CONTACT_OPEN
         : mode == STICK || mode == FIXED ? SLIP_CONTACT_STICK
                                          : SLIP_CONTACT_SLIP;
}

static SlipStatus report_leaves(Search *s, SlipError *error) {
  SlipiCheck *check = s->check;
  int32_t *status = SLIPI_ARENA_NEW(&check->work, int32_t, s->n);
  if (!status || check->work.failed)
    return slipi_fail_memory(error, "an enumeration");
  for (int k = 0; k < s->leaf_count; k++) {
    const Leaf *leaf = &s->leaves[k];
    if (leaf->dropped)
      continue;
    for (int32_t c = 0; c < s->n; c++)
      status[c] = mode_status(leaf->mode[c]);
    if (!slipi_check_found(check, leaf->r, leaf->u, status, leaf->continuum))
      return slipi_fail_memory(error, "an enumeration");
  }
  check->result.enumerated = !s->stopped;
  return SLIP_OK;
}

static SlipStatus plane(SlipiCheck *check, const SlipProblem *local, const SlipiCsr *W,
                        SlipError *error) {
  Search s = {.check = check, .n = local->nc, .m = local->m};
  SlipStatus status = search_memory(&s, error);
  if (status != SLIP_OK)
    return status;
  slipi_random_seed(&s.random, 1);
  for (int32_t i = 0; i < s.m; i++) {
    for (int32_t e = W->p[i]; e < W->p[i + 1]; e++)
      s.W[(int64_t)i * s.m + W->i[e]] = W->x[e];
    s.q[i] = local->q[i];
    s.size += local->q[i] * local->q[i];
  }
  s.size = s.size > 0 ? sqrt(s.size) : 1;
  descend(&s, 0);
  drop_members(&s);
  return report_leaves(&s, error);
}

/* ---- One contact in 3D, by the quartic of Bonnefon, Daviet 2011 ------------------------- */

static SlipStatus space(SlipiCheck *check, const SlipProblem *local, const SlipiCsr *given,
                        SlipError *error) {
  double W[9] = {0};
  SlipOneContact all;
  const SlipiLaw *law = &check->data.law[0];
  for (int32_t i = 0; i < 3; i++)
    for (int32_t e = given->p[i]; e < given->p[i + 1]; e++)
      W[3 * i + given->i[e]] = given->x[e];
  SlipError refused;
  if (slipi_one_contact_list(W, local->q, law->mu, (SlipFlow)law->flow, SLIP_QUARTIC_TAN, &all,
                             &refused) != SLIP_OK) {
    slipi_check_say(check, "The contact cannot be enumerated: %.200s.", refused.text);
    return SLIP_OK;
  }
  for (int k = 0; k < all.count; k++) {
    double u[3];
    slipi_dense3_multiply(W, all.r[k], u);
    for (int i = 0; i < 3; i++)
      u[i] += local->q[i];
    if (!slipi_check_found(check, all.r[k], u, &all.status[k], all.continuum != 0))
      return slipi_fail_memory(error, "an enumeration");
  }
  check->result.nodes = 3;
  check->result.enumerated = 1;
  return SLIP_OK;
}

/* ------------------------------------------------------------------------------------------- */

static void conclude(SlipiCheck *check) {
  SlipCheck *result = &check->result;
  const char *more = result->enumerated ? "" : " before it was stopped";
  if (result->found_count > 0)
    slipi_check_say(check, "The enumeration found %d solution%s%s.", result->found_count,
                    result->found_count == 1 ? "" : "s", more);
  else
    slipi_check_say(check, "The enumeration found no solution%s.", more);
  if (result->answer != SLIP_ANSWER_UNDECIDED || (!result->enumerated && result->found_count == 0))
    return;
  result->answer = result->found_count > 0 ? SLIP_ANSWER_YES : SLIP_ANSWER_NO;
  result->ground = SLIP_CHECK_BY_ENUMERATION;
  if (result->answer == SLIP_ANSWER_NO)
    result->verdict = SLIP_VERDICT_IMPOSSIBLE;
}

SlipStatus slipi_check_enumerate(SlipiCheck *check, SlipError *error) {
  const SlipProblem *problem = check->problem;
  bool one = problem->d == 3 && problem->nc == 1 && slipi_law_is_second_order(&check->data.law[0]);
  if (check->no_cone >= 0) {
    slipi_check_say(check, "Only laws whose impulses form a cone can be enumerated.");
    return SLIP_OK;
  }
  if (!one && (problem->d != 2 || problem->nc > CONTACTS_MOST)) {
    slipi_check_say(check,
                    "Only problems in 2D with at most %d contacts, and single contacts in "
                    "3D, can be enumerated.",
                    (int)CONTACTS_MOST);
    return SLIP_OK;
  }
  SlipProblem *reduced = NULL;
  SlipStatus status = SLIP_OK;
  if (problem->form == SLIP_FORM_GLOBAL)
    status = slip_problem_reduce(problem, &reduced, error);
  const SlipProblem *local = reduced ? reduced : problem;
  SlipiCsr W = local->W;
  if (status == SLIP_OK && local->C)
    status = slipi_compliance_add(&check->work, &local->W, local->C, local->d, &W, error);
  if (status == SLIP_OK)
    status = one ? space(check, local, &W, error) : plane(check, local, &W, error);
  slip_problem_free(reduced);
  if (status == SLIP_OK)
    conclude(check);
  return status;
}
