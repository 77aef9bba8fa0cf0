#include "methods/nsgs_sweep.h"

#include <string.h>

#include "contact/onecontact_exact.h"
#include "contact/pairs.h"
#include "contact/residual.h"
#include "contact/rolling.h"
#include "linalg/vector.h"

enum { AHEAD = 8 }; /* visits between the wish for a contact's data and their use */

static const double DAMPING_SHRINK = 0.8, DAMPING_GROW = 1.05, DAMPING_LEAST = 0.2;

enum { REST_MOST = 3 };             /* level of rest */
static const double SETTLED = 0.25; /* of the mean weighted square */

/* Momentum, the same for all, starts again when it has carried this share of the chunks too far. */
static const double RESTART_VOTES = 0.2;

/* Shorten the change of a contact that swings: next = r + factor (next - r), in K by convexity. */
static void damp(SlipiDamper *damper, const double r[3], double next[3]) {
  double turn = 0, square = 0, before = 0, change[3];
  for (int k = 0; k < 3; k++) {
    change[k] = next[k] - r[k];
    turn += change[k] * damper->change[k];
    square += change[k] * change[k];
    before += damper->change[k] * damper->change[k];
    damper->change[k] = change[k];
  }
  if (turn < 0 && turn * turn > 0.25 * square * before)
    damper->factor = fmax(DAMPING_SHRINK * damper->factor, DAMPING_LEAST);
  else if (turn > 0)
    damper->factor = fmin(DAMPING_GROW * damper->factor, 1);
  for (int k = 0; k < 3 && damper->factor < 1; k++)
    next[k] = r[k] + damper->factor * change[k];
}

void slipi_sweep_forget_swings(const SlipiRun *run, SlipiSweep *s) {
  for (int32_t a = 0; a < run->nc; a++)
    s->damper[a] = (SlipiDamper){.factor = 1};
}

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

typedef enum Kind { PLAIN, DAMPED, UNIFORM, MOMENTUM, SKIPPING } Kind;

/* r of a contact where momentum, the same for all, has carried it; `before` becomes r. Row states
 * have been pushed already, so y need not be in K: nobody else reads it. */
INLINE void push_one(SlipiMomentum *momentum, int32_t a, int32_t d, double r[3]) {
  double before[3];
  slipi_load(momentum->before, d, a, before);
  slipi_store(r, d, a, momentum->before);
  for (int k = 0; k < 3; k++)
    r[k] += momentum->share * (r[k] - before[k]);
}

/* Add to u what the rows of pairs leave out: the part of large bodies, and the contact's own. */
static void add_rest(const SlipiRun *run, const SlipiPairs *pairs, int32_t a, const double r[3],
                     double u[3]) {
  const SlipiOwn *own = slipi_operator_own(run->op);
  slipi_large_add(pairs->large, 3, a, run->r, u);
  if (own)
    slipi_own_add(own, 3, a, r, u);
}

/* One visit, and the change it makes; returns its square. Inlined by order: each call is to be
 * compiled for its case of d, pairs, rest (whether there is one) and kind. */
INLINE double visit(SlipiRun *run, SlipiSweep *s, int32_t a, int32_t d, const SlipiPairs *pairs,
                    bool rest, Kind kind, double change[3]) {
  bool damped = kind == DAMPED || kind == MOMENTUM || (kind == SKIPPING && s->damping);
  SlipiOneContact *one = &s->one[a];
  const double *W = one->W;
  double u[3] = {0}, q[3], r[3], next[3];
  slipi_load(run->r, d, a, r);
  slipi_load(run->q, d, a, q);
  memcpy(next, r, sizeof next);
  if (kind == UNIFORM)
    push_one(s->momentum, a, d, r);
  if (kind == UNIFORM && !pairs)
    slipi_store(r, d, a, run->r); /* rows of a W with blocks of the contacts' own read it */
  if (pairs)
    slipi_pairs_row(pairs, a, s->rows.z, u);
  else
    slipi_operator_row(run->op, a, run->r, &s->rows, u);
  if (rest)
    add_rest(run, pairs, a, r, u);
  for (int k = 0; k < 3; k++)
    q[k] += u[k] - (W[3 * k] * r[0] + W[3 * k + 1] * r[1] + W[3 * k + 2] * r[2]);
  if (!(s->exact && one->exact && slipi_one_contact_exact(one, q, next)))
    slipi_one_contact_solve(one, &s->rule, q, next);
  if (damped)
    damp(&s->damper[a], r, next);
  for (int k = 0; k < 3; k++)
    change[k] = next[k] - r[k];
  double square = change[0] * change[0] + change[1] * change[1] + change[2] * change[2];
  if (square != 0 || kind == UNIFORM) { /* there r may be left where it was pushed to */
    slipi_store(next, d, a, run->r);
    if (pairs)
      slipi_pairs_update(pairs, a, change, s->rows.z);
    else
      slipi_operator_row_update(run->op, a, change, &s->rows);
  }
  return square;
}

/* One visit to both blocks of a contact that rolls, the moments' being b, and the change of these;
 * returns the square of both changes. */
static double visit_rolling(SlipiRun *run, SlipiSweep *s, int32_t b, Kind kind, double change[3]) {
  bool damped = kind == DAMPED || kind == MOMENTUM || (kind == SKIPPING && s->damping);
  const SlipiRollingContact *both = &s->rolling[s->rolling_of[b]];
  double r[6], q[6], u[6] = {0}, next[6], square = 0;
  int32_t d = run->d;
  for (int32_t k = 0; k < 2; k++) {
    int32_t a = b - 1 + k, at = 3 * k;
    slipi_load(run->r, d, a, r + at);
    slipi_load(run->q, d, a, q + at);
    memcpy(next + at, r + at, 3 * sizeof *r);
    if (kind == UNIFORM) {
      push_one(s->momentum, a, d, r + at);
      slipi_store(r + at, d, a, run->r);
    }
  }
  for (int32_t k = 0; k < 2; k++)
    slipi_operator_row(run->op, b - 1 + k, run->r, &s->rows, u + (ptrdiff_t)3 * k);
  for (int i = 0; i < 6; i++) {
    q[i] += u[i];
    for (int k = 0; k < 6; k++)
      q[i] -= both->W[6 * i + k] * r[k];
  }
  slipi_rolling_solve(both, &s->one[b - 1], &s->one[b], &s->rule, q, next);
  for (int32_t k = 0; k < 2; k++) {
    int32_t a = b - 1 + k, at = 3 * k;
    if (damped)
      damp(&s->damper[a], r + at, next + at);
    for (int i = 0; i < 3; i++) {
      change[i] = next[at + i] - r[at + i];
      square += change[i] * change[i];
    }
    slipi_store(next + at, d, a, run->r);
    slipi_operator_row_update(run->op, a, change, &s->rows);
  }
  return square;
}

/* How the change of a visit compares with the contact's movement since the sweep before: summed
 * over neighbours, positive products mean that momentum has carried too far. Returns the contact's.
 */
INLINE double note_movement(const SlipiRun *run, SlipiSweep *s, int32_t a, int32_t d, Kind kind,
                            const double change[3]) {
  SlipiMomentum *momentum = s->momentum;
  const SlipiGraph *graph = momentum->graph;
  double r[3], before[3];
  slipi_load(run->r, d, a, r);
  slipi_load(momentum->before, d, a, before);
  double product = 0;
  for (int k = 0; k < 3; k++)
    product -= change[k] * (r[k] - before[k]);
  double against = s->one[a].scale * product;
  if (kind == UNIFORM)
    return against;
  momentum->contact[a].against = against;
  bool summed = graph->groups > 0 && !s->chunks.many;
  for (int32_t k = graph->p[a]; summed && k < graph->p[a + 1]; k++)
    momentum->sum_next[graph->j[k]] += against;
  return against;
}

/* Whether a contact is passed over; after its visit, how often it will be. */
INLINE bool rests(SlipiRest *rest) {
  return rest->left > 0 && rest->left-- > 0;
}

INLINE void note_rest(SlipiRest *rest, bool settled) {
  if (!settled)
    rest->level = 0;
  else if (rest->level < REST_MOST)
    rest->level++;
  rest->left = (int8_t)((1 << rest->level) - 1);
}

/* |r|^2 of a chunk. */
static double chunk_size(const SlipiRun *run, const SlipiSweep *s, int32_t chunk) {
  int32_t first = slipi_chunk_first(&s->chunks, chunk), end = slipi_chunk_end(&s->chunks, chunk);
  const double *r = run->r + (int64_t)first * run->d;
  return slipi_dot(r, r, (int64_t)(end - first) * run->d);
}

INLINE void sweep_part(SlipiRun *run, SlipiSweep *s, int32_t chunk, int32_t d,
                       const SlipiPairs *pairs, bool rest, bool rolling, Kind kind) {
  int32_t first = slipi_chunk_first(&s->chunks, chunk), end = slipi_chunk_end(&s->chunks, chunk);
  bool far = pairs && s->chunks.many; /* not all in a cache; there is no order then */
  SlipiTally tally = {0};
  for (int32_t k = first; k < end; k++) {
    int32_t a = s->order ? s->order[k] : k;
    double change[3];
    bool moments = rolling && run->law[a].kind == SLIPI_ROLLING;
    if (rolling && run->law[a].rolls)
      continue; /* the visit to its moments is one to both */
    if (far && k + AHEAD < end) {
      slipi_pairs_prefetch(pairs, k + AHEAD, s->rows.z);
      slipi_prefetch(&s->one[k + AHEAD], sizeof *s->one);
    }
    if (kind == SKIPPING && rests(&s->rest[a]))
      continue;
    double square = moments ? visit_rolling(run, s, a, kind, change)
                            : visit(run, s, a, d, pairs, rest, kind, change);
    tally.changed += square;
    if (kind == MOMENTUM || kind == UNIFORM)
      tally.against += note_movement(run, s, a, d, kind, change);
    if (kind == SKIPPING) {
      double weighted = s->one[a].scale * square;
      tally.weighted += weighted;
      tally.visited += moments ? 2 : 1;
      note_rest(&s->rest[a], weighted < s->settled);
    }
  }
  tally.size = chunk_size(run, s, chunk);
  s->tally[chunk] = tally;
}

static void sweep_chunk(SlipiRun *run, SlipiSweep *s, int32_t chunk, Kind kind) {
  const SlipiPairs *pairs = slipi_operator_pairs(run->op);
  bool rest = pairs && (pairs->large || slipi_operator_own(run->op));
#define CASE(KIND)                                                                                 \
  case KIND:                                                                                       \
    if (s->rolling)                                                                                \
      sweep_part(run, s, chunk, run->d, NULL, false, true, KIND);                                  \
    else if (rest)                                                                                 \
      sweep_part(run, s, chunk, 3, pairs, true, false, KIND);                                      \
    else if (pairs)                                                                                \
      sweep_part(run, s, chunk, 3, pairs, false, false, KIND);                                     \
    else                                                                                           \
      sweep_part(run, s, chunk, run->d, NULL, false, false, KIND);                                 \
    break
  switch (kind) {
    CASE(PLAIN);
    CASE(DAMPED);
    CASE(UNIFORM);
    CASE(MOMENTUM);
    CASE(SKIPPING);
  }
#undef CASE
}

/* r + share (r - before), back in K; `before` becomes r. Where there are chunks, they are the
 * neighbourhoods that decide about restarts. */
static void push_chunk(SlipiRun *run, SlipiSweep *s, int32_t chunk) {
  SlipiMomentum *momentum = s->momentum;
  int32_t d = run->d, end = slipi_chunk_end(&s->chunks, chunk);
  bool whole = s->chunks.many, restart = s->tally[chunk].against > 0;
  for (int32_t k = slipi_chunk_first(&s->chunks, chunk); k < end; k++) {
    int32_t a = s->order ? s->order[k] : k;
    double before[3], factor = s->damper[a].factor;
    bool here = whole ? restart : slipi_momentum_restarts(momentum, a);
    double r[3], next[3], change[3], share = slipi_momentum_share(&momentum->contact[a].t, here);
    if (factor < 0.9)
      share *= factor * factor;
    slipi_load(run->r, d, a, r);
    slipi_load(momentum->before, d, a, before);
    for (int i = 0; i < 3; i++)
      next[i] = r[i] + share * (r[i] - before[i]);
    SlipiLaw room;
    slipi_law_project(slipi_law_at(run->law, d, a, run->r, &room), next, next);
    for (int i = 0; i < 3; i++)
      change[i] = next[i] - r[i];
    slipi_store(r, d, a, momentum->before);
    if (change[0] != 0 || change[1] != 0 || change[2] != 0) {
      slipi_store(next, d, a, run->r);
      slipi_operator_row_update(run->op, a, change, &s->rows);
    }
  }
}

typedef struct Pass {
  SlipiRun *run;
  SlipiSweep *s;
  Kind kind;
} Pass;

static void visit_chunk(void *user, int pass, int32_t chunk) {
  const Pass *of = user;
  if (of->kind == MOMENTUM && pass == 0)
    push_chunk(of->run, of->s, chunk);
  else
    sweep_chunk(of->run, of->s, chunk, of->kind);
}

/* The sums of a sweep over all chunks, whoever has them. Sums of doubles are exact, so that it does
 * not matter who adds what. */
typedef struct Totals {
  SlipiExact changed, weighted, size;
  int64_t visited, votes, chunks;
} Totals;

static SlipiTally add_up(const SlipiRun *run, SlipiSweep *s) {
  const SlipiShare *share = run->op->share;
  Totals totals = {.chunks = s->chunks.count};
  for (int32_t chunk = 0; chunk < s->chunks.count; chunk++) {
    SlipiTally *tally = &s->tally[chunk];
    if (s->rolling) /* moments at the beginning of the next chunk change the last impulse, too */
      tally->size = chunk_size(run, s, chunk);
    slipi_exact_add(&totals.changed, tally->changed);
    slipi_exact_add(&totals.weighted, tally->weighted);
    slipi_exact_add(&totals.size, tally->size);
    totals.visited += tally->visited;
    totals.votes += tally->against > 0;
  }
  if (share)
    share->add(share->user, totals.changed.part, sizeof totals / sizeof(int64_t));
  s->size = slipi_exact_value(&totals.size);
  s->voted = (double)totals.votes > RESTART_VOTES * (double)totals.chunks;
  return (SlipiTally){.changed = slipi_exact_value(&totals.changed),
                      .weighted = slipi_exact_value(&totals.weighted),
                      .visited = totals.visited};
}

/* A sweep, after a push where there is momentum. Each chunk has its own tally: the same bits for
 * any number of threads. */
static SlipiTally sweep(SlipiRun *run, SlipiSweep *s, Kind kind) {
  Pass pass = {run, s, kind};
  if (kind == UNIFORM)
    slipi_momentum_push(run, s->momentum, s->voted);
  /* Moments and their contact may be in two chunks: these are swept one after the other. */
  SlipiTeam *team = s->rolling ? NULL : run->op->team;
  const SlipiWorkers workers = {team, run->op->share, s->rows.z};
  slipi_chunks_each(&s->chunks, kind == MOMENTUM ? 2 : 1, &workers, visit_chunk, &pass);
  if (kind == MOMENTUM)
    slipi_momentum_swept(s->momentum);
  return add_up(run, s);
}

/* As many visits as a sweep has, where something still moves. */
static double sweep_skipping(SlipiRun *run, SlipiSweep *s) {
  double changed = 0;
  int64_t visited = 0;
  while (visited < slipi_share_contacts(run->op->share, run->nc)) {
    SlipiTally tally = sweep(run, s, SKIPPING);
    changed += tally.changed;
    visited += tally.visited;
    s->settled = tally.visited > 0 ? SETTLED * tally.weighted / (double)tally.visited : 0;
  }
  return changed;
}

/* One sweep at the pace that momentum has decided; returns the sum of squared changes. */
static double sweep_accelerated(SlipiRun *run, SlipiSweep *s) {
  const SlipiMomentum *momentum = s->momentum;
  if (s->first && !s->rolling && slipi_loads_hand_down(run, &s->loads, &s->rows))
    slipi_momentum_forget(s->momentum);
  s->first = false;
  if (slipi_momentum_pace(run, s->momentum)) {
    slipi_sweep_forget_swings(run, s);
    s->settled = 0;
    s->voted = false;
    memset(s->tally, 0, (size_t)s->chunks.count * sizeof *s->tally);
    memset(s->rest, 0, (size_t)run->nc * sizeof *s->rest);
  }
  if (momentum->pace == SLIPI_PACE_UNIFORM)
    return sweep(run, s, UNIFORM).changed;
  if (momentum->pace == SLIPI_PACE_MOMENTUM)
    return sweep(run, s, MOMENTUM).changed;
  if (momentum->pace == SLIPI_PACE_SKIPPING)
    return sweep_skipping(run, s);
  return sweep(run, s, s->damping ? DAMPED : PLAIN).changed;
}

double slipi_sweep_step(SlipiRun *run, SlipiSweep *s) {
  return s->momentum ? sweep_accelerated(run, s)
                     : sweep(run, s, s->damping ? DAMPED : PLAIN).changed;
}
