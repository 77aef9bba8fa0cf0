/* Which points touch in the middle of a step, or may before the next one's middle, and which of the
 * last step's contacts they are.
 *
 * Pairs of shapes come from the broad phase sorted by their numbers, and shapes keep their order,
 * so that the contacts of two steps are matched by walking along both lists. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "contact/bodies.h"
#include "sim/sim.h"

enum { PAIRS_A_PIECE = 64 };

/* ---- Boxes ---- */

/* A bound of how fast points of a body move in this step. */
static double speed_of(const SlipSim *sim, int32_t slot) {
  const SlipiBodies *b = &sim->bodies;
  int64_t i = 3 * (int64_t)slot;
  if (b->motion[slot] == SLIP_MOTION_FIXED)
    return 0;
  const double *v = b->motion[slot] == SLIP_MOTION_FREE ? b->end_v : b->mid_v;
  double turning = slipi_length(b->mid_spin + i);
  return fmax(slipi_length(v + i), slipi_length(b->mid_v + i)) +
         (turning > 0 && isfinite(b->radius[slot]) ? turning * b->radius[slot] : 0);
}

static bool make_room(SlipSim *sim) {
  int32_t count = sim->parts, capacity = sim->box_capacity;
  int32_t given[5] = {capacity, capacity, capacity, capacity, capacity};
  if (count <= capacity)
    return true;
  bool made = slipi_room(&sim->low, &given[0], count, 3 * sizeof *sim->low) &&
              slipi_room(&sim->high, &given[1], count, 3 * sizeof *sim->high) &&
              SLIPI_ROOM(sim->reach, given[2], count) && SLIPI_ROOM(sim->group, given[3], count) &&
              SLIPI_ROOM(sim->still, given[4], count);
  sim->box_capacity = made ? given[0] : capacity;
  return made;
}

static void make_box(SlipSim *sim, int32_t k, const SlipiPose *pose, double h) {
  SlipiPart *part = &sim->part[k];
  double *low = sim->low + 3 * (int64_t)k, *high = sim->high + 3 * (int64_t)k;
  slipi_pose_point(pose, part->local.position, part->pose.position);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      part->pose.R[3 * i + j] = pose->R[3 * i] * part->local.R[j] +
                                pose->R[3 * i + 1] * part->local.R[3 + j] +
                                pose->R[3 * i + 2] * part->local.R[6 + j];
  slipi_shape_bounds(&part->shape, &part->pose, low, high);
  sim->reach[k] = h * speed_of(sim, part->body);
  double near = isfinite(part->shape.size) ? sim->def.reach * part->shape.size : 0;
  for (int i = 0; i < 3; i++) {
    low[i] -= sim->reach[k] + near;
    high[i] += sim->reach[k] + near;
  }
  sim->group[k] = part->body;
  sim->still[k] = sim->bodies.motion[part->body] != SLIP_MOTION_FREE;
}

typedef struct Boxes {
  SlipSim *sim;
  double h;
} Boxes;

enum { BODIES_A_PIECE = 512 };

/* Boxes of the shapes of some bodies. */
static void make_boxes(void *user, int32_t piece) {
  const Boxes *boxes = user;
  SlipSim *sim = boxes->sim;
  SlipiBodies *b = &sim->bodies;
  int32_t first = piece * BODIES_A_PIECE, end = first + BODIES_A_PIECE;
  for (int32_t slot = first; slot < end && slot < b->count; slot++) {
    SlipiPose pose;
    if (!b->present[slot])
      continue;
    slipi_body_pose(sim, slot, b->mid_x + 3 * (int64_t)slot, b->mid_q + 4 * (int64_t)slot, &pose);
    for (int32_t k = 0; k < b->part_count[slot]; k++)
      make_box(sim, b->first_part[slot] + k, &pose, boxes->h);
  }
}

/* ---- Pairs ---- */

/* -1: none. */
static int32_t rule_of(const SlipSim *sim, const SlipiPart *a, const SlipiPart *b) {
  if (!sim->rule_of)
    return -1;
  return sim->rule_of[(a->material + 1) * (sim->materials + 1) + b->material + 1];
}

typedef struct Pairs {
  SlipSim *sim;
  const int32_t *pair;
  int64_t count;
  int32_t pieces;
} Pairs;

static double size_of(const SlipiPart *a, const SlipiPart *b) {
  return fmin(a->shape.size, b->shape.size);
}

/* How near two shapes must be to be looked at. */
static double reach_of(const SlipSim *sim, int32_t i, int32_t j) {
  double size = size_of(&sim->part[i], &sim->part[j]);
  return sim->def.reach * size + sim->reach[i] + sim->reach[j];
}

/* Points of the pairs of one piece; `place` has where each pair's end. */
static void collide_piece(void *user, int32_t piece) {
  const Pairs *pairs = user;
  SlipSim *sim = pairs->sim;
  SlipiTouchList *list = &sim->list[piece];
  list->count = 0;
  int64_t first = (int64_t)piece * PAIRS_A_PIECE;
  for (int64_t k = first; k < first + PAIRS_A_PIECE && k < pairs->count; k++) {
    int32_t i = pairs->pair[2 * k], j = pairs->pair[2 * k + 1];
    const SlipiPart *a = &sim->part[i], *b = &sim->part[j];
    if (!slipi_sim_are_apart(sim, a->body, b->body) &&
        !slipi_collide(&a->shape, &a->pose, &b->shape, &b->pose, reach_of(sim, i, j), list))
      sim->lost[piece] = 1;
    sim->place[k] = list->count;
  }
}

static bool collide_pairs(SlipSim *sim, Pairs *pairs) {
  int64_t pieces = (pairs->count + PAIRS_A_PIECE - 1) / PAIRS_A_PIECE;
  int32_t capacity = sim->list_capacity;
  if (pieces > INT32_MAX || pairs->count > INT32_MAX ||
      !SLIPI_ROOM(sim->place, sim->place_capacity, pairs->count))
    return false;
  int32_t lists = capacity;
  if (!SLIPI_ROOM(sim->lost, lists, pieces) || !SLIPI_ROOM(sim->list, sim->list_capacity, pieces))
    return false;
  if (sim->list_capacity > capacity)
    memset(sim->list + capacity, 0, (size_t)(sim->list_capacity - capacity) * sizeof *sim->list);
  pairs->pieces = (int32_t)pieces;
  if (pieces > 0)
    memset(sim->lost, 0, (size_t)pieces);
  slipi_team_each(sim->team, pairs->pieces, collide_piece, pairs);
  for (int32_t k = 0; k < pairs->pieces; k++) {
    if (sim->lost[k])
      return false;
  }
  return true;
}

/* ---- Contacts ---- */

/* Speeds up to what the forces do in two steps: a rebound from them would not last for as many. */
static double slow(const SlipSim *sim, const SlipiContact *contact, double h) {
  const SlipiBodies *b = &sim->bodies;
  double fastest = 0;
  for (int side = 0; side < 2; side++) {
    int64_t slot = contact->body[side];
    if (slipi_sim_is_free(sim, contact->body[side]))
      fastest = fmax(fastest, slipi_length(b->load + 3 * slot) / b->mass[slot]);
  }
  return 2 * h * fastest;
}

/* Whether a point is a contact: closed, or, without restitution, near and not leaving, or closing
 * before the middle of the next step. A bound on the speed of an open contact would eat the
 * approach speed that restitution gives back; slow contacts have none, so that heaps come to rest.
 */
static bool counts(const SlipSim *sim, SlipiContact *contact, double size, double h) {
  const SlipiBodies *b = &sim->bodies;
  double u[3];
  slipi_contact_velocity(sim, contact, b->mid_v, b->mid_spin, u);
  if (contact->restitution > 0 && fabs(u[0]) <= slow(sim, contact, h))
    contact->restitution = 0;
  if (contact->gap <= contact->tolerance)
    return true;
  if (contact->restitution > 0)
    return false;
  if (slipi_law_pulls(contact->law) && contact->gap <= sim->def.reach * size)
    return true; /* a pull may hold it, whatever the forces do */
  slipi_contact_velocity(sim, contact, b->end_v, b->end_spin, u);
  double ahead = contact->gap + h * u[0];
  return contact->gap <= sim->def.reach * size ? ahead <= sim->def.reach * size : ahead < 0;
}

static void local_point(const SlipSim *sim, SlipiContact *contact) {
  int64_t slot = contact->body[0];
  double R[9], arm[3];
  slipi_quaternion_matrix(sim->bodies.mid_q + 4 * slot, R);
  slipi_sub(contact->point, sim->bodies.mid_x + 3 * slot, arm);
  slipi_rotate_back(R, arm, contact->local);
}

static void make_contact(const SlipSim *sim, int32_t i, int32_t j, const SlipiTouchPoint *touch,
                         SlipiContact *contact) {
  const SlipiPart *a = &sim->part[i], *b = &sim->part[j];
  int32_t of = rule_of(sim, a, b);
  const SlipContactRule *rule = of < 0 ? NULL : &sim->rule[of];
  *contact = (SlipiContact){.part = {i, j},
                            .body = {a->body, b->body},
                            .serial = {a->serial, b->serial},
                            .gap = touch->gap,
                            .law = rule ? rule->law : SLIP_COULOMB,
                            .flow = rule ? rule->flow : SLIP_FLOW_COULOMB,
                            .mu = rule ? rule->friction : 0,
                            .restitution = rule ? rule->restitution : 0,
                            .rule = of,
                            .own = -1,
                            .tolerance = sim->def.penetration * size_of(a, b)};
  for (int k = 0; k < 3; k++)
    contact->point[k] = (touch->on_a[k] + touch->on_b[k]) / 2;
  slipi_contact_frame(sim->def.dimension, touch->normal, contact->frame);
  uint64_t shapes = slipi_hash_word((uint64_t)a->serial << 32 | b->serial, 0x51);
  contact->feature = slipi_hash_word(shapes, (uint64_t)touch->feature_a << 32 | touch->feature_b);
  contact->key = contact->feature;
}

/* ---- The same contacts ---- */

static bool same_pair(const SlipiContact *a, const SlipiContact *b) {
  return a->serial[0] == b->serial[0] && a->serial[1] == b->serial[1];
}

static bool pair_before(const SlipiContact *a, const SlipiContact *b) {
  return a->serial[0] != b->serial[0] ? a->serial[0] < b->serial[0] : a->serial[1] < b->serial[1];
}

static void take_over(SlipSim *sim, int32_t old, double ratio, SlipiContact *contact) {
  const SlipiContact *from = &sim->last.at[old];
  sim->taken[old] = 1;
  contact->key = from->key;
  contact->bonded = from->bonded;
  contact->broken = from->broken;
  contact->plastic = from->plastic;
  contact->slid = from->slid;
  memcpy(contact->elastic, from->elastic, sizeof contact->elastic);
  for (int k = 0; k < 3; k++) {
    contact->impulse[k] = ratio * from->impulse[k];
    contact->moment[k] = ratio * from->moment[k];
  }
}

/* The old contact of the pair with the same features, or else the nearest one; -1: none. */
static int32_t find_feature(const SlipSim *sim, int32_t first, int32_t end, uint64_t feature) {
  for (int32_t k = first; k < end; k++) {
    if (!sim->taken[k] && sim->last.at[k].feature == feature)
      return k;
  }
  return -1;
}

static int32_t find_near(const SlipSim *sim, int32_t first, int32_t end,
                         const SlipiContact *contact, double within) {
  int32_t found = -1;
  for (int32_t k = first; k < end; k++) {
    double apart[3];
    slipi_sub(sim->last.at[k].local, contact->local, apart);
    double distance = slipi_length(apart);
    if (!sim->taken[k] && distance <= within) {
      within = distance;
      found = k;
    }
  }
  return found;
}

/* A key that no other contact of the pair has. */
static void make_key(SlipiContact *first, SlipiContact *contact, const SlipiContact *end) {
  for (const SlipiContact *other = first; other < end; other++) {
    if (other != contact && other->key == contact->key) {
      contact->key = slipi_hash_word(contact->key, 1);
      other = first - 1;
    }
  }
}

/* Contacts from `first` on, all of one pair, take the keys and impulses of those of the last step
 * between `old` and `end`. Points that are new are marked by a key of 0 until all keys that last
 * are known. */
static void match_pair(SlipSim *sim, int32_t first, int32_t old, int32_t end, double ratio) {
  static const double NEAR = 0.1; /* of the smaller shape's size */
  SlipiContact *from = &sim->contacts.at[first], *to = sim->contacts.at + sim->contacts.count;
  for (SlipiContact *c = from; c < to; c++) {
    int32_t k = find_feature(sim, old, end, c->feature);
    c->key = 0;
    if (k >= 0)
      take_over(sim, k, ratio, c);
  }
  for (SlipiContact *c = from; c < to; c++) {
    double within = NEAR / sim->def.penetration * c->tolerance;
    int32_t k = c->key == 0 ? find_near(sim, old, end, c, within) : -1;
    if (k >= 0)
      take_over(sim, k, ratio, c);
  }
  for (SlipiContact *c = from; c < to; c++) {
    if (c->key == 0) {
      c->key = c->feature;
      make_key(from, c, to);
    }
  }
}

/* ---- All ---- */

/* The points of one pair that count; false without memory. */
static bool add_pair(SlipSim *sim, int32_t i, int32_t j, const SlipiTouchPoint *touch,
                     int32_t count, double h) {
  SlipiContacts *contacts = &sim->contacts;
  if (!SLIPI_ROOM(contacts->at, contacts->capacity, (int64_t)contacts->count + count))
    return false;
  double size = size_of(&sim->part[i], &sim->part[j]);
  for (int32_t k = 0; k < count; k++) {
    SlipiContact *contact = &contacts->at[contacts->count];
    make_contact(sim, i, j, &touch[k], contact);
    if (!counts(sim, contact, size, h))
      continue;
    local_point(sim, contact);
    contacts->count++;
  }
  return true;
}

static bool passes(const SlipSim *sim, int32_t i, int32_t j) {
  if (!sim->filter)
    return true;
  int32_t a = sim->part[i].body, b = sim->part[j].body;
  return sim->filter(sim->filter_user, (SlipBodyId){a, sim->bodies.generation[a]},
                     (SlipBodyId){b, sim->bodies.generation[b]}) != 0;
}

static bool gather(SlipSim *sim, const Pairs *pairs, double h) {
  const SlipiContacts *last = &sim->last;
  double ratio = sim->last_step > 0 ? h / sim->last_step : 0;
  int32_t old = 0;
  for (int64_t k = 0; k < pairs->count; k++) {
    int32_t i = pairs->pair[2 * k], j = pairs->pair[2 * k + 1];
    int64_t start = k % PAIRS_A_PIECE == 0 ? 0 : sim->place[k - 1], count = sim->place[k] - start;
    int32_t first = sim->contacts.count;
    if (count == 0 || !passes(sim, i, j))
      continue;
    const SlipiTouchPoint *touch = sim->list[k / PAIRS_A_PIECE].points + start;
    if (!add_pair(sim, i, j, touch, (int32_t)count, h))
      return false;
    if (sim->contacts.count == first)
      continue;
    const SlipiContact *contact = &sim->contacts.at[first];
    while (old < last->count && pair_before(&last->at[old], contact))
      old++;
    int32_t end = old;
    while (end < last->count && same_pair(&last->at[end], contact))
      end++;
    match_pair(sim, first, old, end, ratio);
  }
  return true;
}

SlipStatus slipi_sim_touch(SlipSim *sim, double h, SlipError *error) {
  Boxes boxes = {sim, h};
  Pairs pairs = {.sim = sim};
  sim->contacts.count = 0;
  bool made = make_room(sim);
  if (made) {
    int32_t pieces = (int32_t)(((int64_t)sim->bodies.count + BODIES_A_PIECE - 1) / BODIES_A_PIECE);
    slipi_team_each(sim->team, pieces, make_boxes, &boxes);
    made = slipi_broad_pairs(sim->broad, sim->parts, sim->low, sim->high, sim->group, sim->still,
                             sim->team, &pairs.pair, &pairs.count);
  }
  made = made && collide_pairs(sim, &pairs) &&
         SLIPI_ROOM(sim->taken, sim->taken_capacity, (int64_t)sim->last.count);
  if (made && sim->last.count > 0)
    memset(sim->taken, 0, (size_t)sim->last.count);
  if (!made || !gather(sim, &pairs, h))
    return slipi_fail_memory(error, "the contacts of a step");
  return SLIP_OK;
}
