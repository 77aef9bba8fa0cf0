#include "methods/nsgs_sweep.h"

#include <string.h>

#include "contact/disc.h"
#include "contact/onecontact_exact.h"
#include "contact/pairs.h"
#include "contact/residual.h"
#include "contact/rolling.h"
#include "linalg/vector.h"
#include "methods/nsgs_joined.h"

enum { FOURS_AFTER = 1 }; /* sweeps over few contacts before they are visited by fours */
enum { AHEAD = 8 };       /* visits between the wish for a contact's data and their use */

static const double SETTLED = 0.25; /* of the mean weighted square */

/* Momentum, the same for all, starts again when it has carried this share of the chunks too far. */
static const double RESTART_VOTES = 0.2;

/* Shorten the change of a contact that swings: next = r + share (next - r), in K by convexity. */
static void damp(SlipiDamper *damper, const double r[3], double next[3]) {
  double change[3] = {next[0] - r[0], next[1] - r[1], next[2] - r[2]};
  double share = slipi_damper_share(damper, change);
  for (int k = 0; k < 3 && share < 1; k++)
    next[k] = r[k] + share * change[k];
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

INLINE bool is_damped(const SlipiSweep *s, Kind kind) {
  return kind == DAMPED || kind == MOMENTUM || (kind == SKIPPING && s->damping);
}

INLINE bool has_momentum(Kind kind) {
  return kind == MOMENTUM || kind == UNIFORM;
}

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
 * compiled for its case of d, pairs, rest (whether there is one), moments and kind. */
INLINE double visit(SlipiRun *run, SlipiSweep *s, int32_t a, int32_t d, const SlipiPairs *pairs,
                    bool rest, bool moments, Kind kind, double change[3]) {
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
  if (moments && s->exact)
    slipi_disc_solve_both(one, q, next);
  else
    slipi_one_contact_settle(one, &s->rule, s->exact, q, next);
  if (is_damped(s, kind))
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

/* One visit to both blocks of a contact that rolls, the moments' being b, which solves for them
 * together, and the change of the moments; returns the square of both changes. */
static double visit_both(SlipiRun *run, SlipiSweep *s, int32_t b, Kind kind, double change[3]) {
  bool damped = is_damped(s, kind);
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

/* The same as visit_both, the impulse first and then the moments that it allows: as many sweeps do
 * as with both together, at a quarter of the cost. Runs that do not get ahead so solve for both. */
INLINE double visit_rolling(SlipiRun *run, SlipiSweep *s, int32_t b, int32_t d,
                            const SlipiPairs *pairs, Kind kind, SlipiTally *tally,
                            double change[3]) {
  if (s->damping)
    return visit_both(run, s, b, kind, change);
  SlipiLaw *law = &s->one[b].law;
  double square = visit(run, s, b - 1, d, pairs, false, false, kind, change);
  if (has_momentum(kind))
    tally->against += note_movement(run, s, b - 1, d, kind, change);
  *law = slipi_rolling_under(*law, run->r[(int64_t)d * (b - 1)]);
  return square + visit(run, s, b, d, pairs, false, true, kind, change);
}

/* The visit to a block of moments, which is one to their contact, too. */
INLINE double visit_moments(SlipiRun *run, SlipiSweep *s, int32_t b, int32_t d,
                            const SlipiPairs *pairs, Kind kind, SlipiTally *tally) {
  double change[3];
  if (pairs && s->joined && !s->damping)
    return slipi_joined_visit(
        run, s, pairs, b,
        (SlipiJoinedVisit){kind == UNIFORM, has_momentum(kind), is_damped(s, kind)},
        &tally->against);
  double square = visit_rolling(run, s, b, d, pairs, kind, tally, change);
  if (has_momentum(kind))
    tally->against += note_movement(run, s, b, d, kind, change);
  return square;
}

/* A visit to a contact alone, with what the sweep adds up. */
INLINE void visit_alone(SlipiRun *run, SlipiSweep *s, int32_t a, int32_t d, const SlipiPairs *pairs,
                        bool rest, bool rolling, Kind kind, SlipiTally *tally) {
  double change[3];
  bool moments = rolling && run->law[a].kind == SLIPI_ROLLING;
  if (rolling && run->law[a].rolls)
    return; /* the visit to its moments is one to both */
  if (kind == SKIPPING && slipi_rests(&s->rest[a]))
    return;
  double square = moments ? visit_moments(run, s, a, d, pairs, kind, tally)
                          : visit(run, s, a, d, pairs, rest, false, kind, change);
  tally->changed += square;
  if (has_momentum(kind) && !moments)
    tally->against += note_movement(run, s, a, d, kind, change);
  if (kind == SKIPPING) {
    double weighted = s->one[a].scale * square;
    tally->weighted += weighted;
    tally->visited += moments ? 2 : 1;
    slipi_note_rest(&s->rest[a], weighted < s->settled);
  }
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
    if (far && k + AHEAD < end) {
      slipi_pairs_prefetch(pairs, k + AHEAD, s->rows.z);
      slipi_prefetch(&s->one[k + AHEAD], sizeof *s->one);
    }
    visit_alone(run, s, s->order ? s->order[k] : k, d, pairs, rest, rolling, kind, &tally);
  }
  tally.size = rolling ? 0 : chunk_size(run, s, chunk); /* there add_up does it */
  s->tally[chunk] = tally;
}

/* ---- By fours ---- */

/* Whether contacts are visited by fours: far from a solution, in large problems at once, in small
 * ones after some sweeps, which show that they are not solved by a few. */
static bool go_by_fours(const SlipiRun *run, const SlipiSweep *s, Kind kind) {
  bool late = s->momentum && s->momentum->sweeps >= FOURS_AFTER;
  bool begun = (s->chunks.many || late) && (kind == PLAIN || kind == UNIFORM);
  return s->fours.four && !s->order && !s->rolling &&
         (begun || kind == MOMENTUM || kind == SKIPPING) &&
         fmax(s->seen, run->tol) >= SLIPI_FOURS_FROM;
}

void slipi_sweep_prepare_fours(const SlipiRun *run, SlipiSweep *s) {
  if (s->ready)
    return;
  s->fours.pairs = slipi_operator_pairs(run->op); /* new rows may be in another place */
  slipi_fours_prepare(&s->fours, run->op->places, &s->chunks, s->one);
  s->ready = true;
}

static SlipiFoursState fours_state(SlipiRun *run, SlipiSweep *s, Kind kind) {
  return (SlipiFoursState){.one = s->one,
                           .q = run->q,
                           .r = run->r,
                           .z = s->rows.z,
                           .damper = is_damped(s, kind) ? s->damper : NULL,
                           .momentum = has_momentum(kind) ? s->momentum : NULL,
                           .uniform = kind == UNIFORM,
                           .rest = kind == SKIPPING ? s->rest : NULL,
                           .settled = s->settled};
}

/* What note_movement adds up for groups, of the contacts in a four. */
static void add_against_of(SlipiMomentum *momentum, const SlipiFourHead *head) {
  const SlipiGraph *graph = momentum->graph;
  for (int l = 0; l < 4; l++) {
    int32_t a = head->contact[l];
    for (int32_t i = graph->p[a]; i < graph->p[a + 1]; i++)
      momentum->sum_next[graph->j[i]] += momentum->contact[a].against;
  }
}

static void add_against(SlipiSweep *s, int32_t chunk) {
  const SlipiFours *fours = &s->fours;
  for (int32_t k = fours->sphere_start[chunk]; k < fours->sphere_start[chunk + 1]; k++)
    add_against_of(s->momentum, &fours->sphere[k].head);
  for (int32_t k = fours->start[chunk]; k < fours->start[chunk + 1]; k++)
    add_against_of(s->momentum, &fours->four[k].head);
}

/* The fours of a chunk, then its other contacts. */
INLINE void sweep_fours(SlipiRun *run, SlipiSweep *s, int32_t chunk, Kind kind) {
  const SlipiPairs *pairs = s->fours.pairs;
  SlipiFoursState state = fours_state(run, s, kind);
  SlipiFoursSums sums = slipi_fours_visit(&s->fours, chunk, &state);
  SlipiTally tally = {.changed = sums.changed,
                      .against = sums.against,
                      .weighted = sums.weighted,
                      .visited = sums.visited};
  if (kind == MOMENTUM && s->graph.groups > 0 && !s->chunks.many)
    add_against(s, chunk);
  for (int32_t k = s->fours.single[chunk]; k < s->fours.single[chunk + 1]; k++)
    visit_alone(run, s, s->fours.alone[k], 3, pairs, false, false, kind, &tally);
  tally.size = chunk_size(run, s, chunk);
  s->tally[chunk] = tally;
}

static void sweep_chunk_by_fours(SlipiRun *run, SlipiSweep *s, int32_t chunk, Kind kind) {
  if (kind == UNIFORM)
    sweep_fours(run, s, chunk, UNIFORM);
  else if (kind == MOMENTUM)
    sweep_fours(run, s, chunk, MOMENTUM);
  else if (kind == SKIPPING)
    sweep_fours(run, s, chunk, SKIPPING);
  else
    sweep_fours(run, s, chunk, PLAIN);
}

static void sweep_chunk(SlipiRun *run, SlipiSweep *s, int32_t chunk, Kind kind) {
  const SlipiPairs *pairs = slipi_operator_pairs(run->op);
  bool rest = pairs && (pairs->large || slipi_operator_own(run->op));
#define CASE(KIND)                                                                                 \
  case KIND:                                                                                       \
    if (s->rolling && pairs && !rest)                                                              \
      sweep_part(run, s, chunk, 3, pairs, false, true, KIND);                                      \
    else if (s->rolling)                                                                           \
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

/* r + share (r - before), back in K; `before` becomes r. Of one contact, which begins again where
 * `here` says so. */
static void push_contact(SlipiRun *run, SlipiSweep *s, int32_t a, bool here) {
  SlipiMomentum *momentum = s->momentum;
  int32_t d = run->d;
  double before[3], factor = s->damper[a].factor;
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

/* All contacts of a chunk. Where there are chunks, they are the neighbourhoods that decide about
 * restarts. */
static void push_chunk(SlipiRun *run, SlipiSweep *s, int32_t chunk, bool by_fours) {
  bool whole = s->chunks.many, restart = s->tally[chunk].against > 0;
  int32_t first = slipi_chunk_first(&s->chunks, chunk), end = slipi_chunk_end(&s->chunks, chunk);
  const int32_t *list = s->order;
  if (by_fours) {
    SlipiFoursState state = fours_state(run, s, MOMENTUM);
    slipi_fours_push(&s->fours, chunk, &state, whole ? &restart : NULL);
    list = s->fours.alone;
    first = s->fours.single[chunk];
    end = s->fours.single[chunk + 1];
  }
  for (int32_t k = first; k < end; k++) {
    int32_t a = list ? list[k] : k;
    bool joined = s->joined && run->law[a].kind == SLIPI_ROLLING;
    if (s->joined && run->law[a].rolls)
      continue; /* with its moments */
    if (joined)
      slipi_joined_push(run, s, slipi_operator_pairs(run->op), a, whole ? &restart : NULL);
    else
      push_contact(run, s, a, whole ? restart : slipi_momentum_restarts(s->momentum, a));
  }
}

typedef struct Pass {
  SlipiRun *run;
  SlipiSweep *s;
  Kind kind;
  bool by_fours;
} Pass;

static void visit_chunk(void *user, int pass, int32_t chunk) {
  const Pass *of = user;
  if (of->kind == MOMENTUM && pass == 0)
    push_chunk(of->run, of->s, chunk, of->by_fours);
  else if (of->by_fours)
    sweep_chunk_by_fours(of->run, of->s, chunk, of->kind);
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
  if (s->chunks.count == 1 && !share) { /* the same, without the long sums */
    SlipiTally only = s->tally[0];
    s->size = s->tally[0].size = s->rolling ? chunk_size(run, s, 0) : only.size;
    s->voted = only.against > 0;
    return only;
  }
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
  Pass pass = {run, s, kind, go_by_fours(run, s, kind)};
  if (pass.by_fours)
    slipi_sweep_prepare_fours(run, s);
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
  if (momentum->pace == SLIPI_PACE_FIRST && s->mix.point)
    slipi_mix_next(run, &s->rows, &s->mix);
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
