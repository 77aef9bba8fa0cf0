/* Where deformable bodies touch: each node of their surface on rigid shapes, and surfaces on each
 * other. Their contacts come after those of rigid bodies, with keys that are made of bodies and
 * nodes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "contact/bodies.h"
#include "sim/soft.h"

/* ---- Contacts ---- */

bool slipi_soft_entry(SlipSim *sim, int32_t node, double weight) {
  SlipiSofts *softs = sim->softs;
  int64_t count = (int64_t)softs->entries + 1;
  if (!SLIPI_ROOM(softs->node, softs->node_capacity, count) ||
      !SLIPI_ROOM(softs->weight, softs->weight_capacity, count))
    return false;
  softs->node[softs->entries] = node;
  softs->weight[softs->entries++] = weight;
  return true;
}

void slipi_soft_velocity(const SlipSim *sim, const SlipiContact *contact, int side, bool after,
                         double v[3]) {
  const SlipiSofts *softs = sim->softs;
  const SlipiSoftTouch *touch = &softs->touch[contact->soft - 1];
  const SlipiSoft *soft = softs->at[touch->soft[side]];
  const double *from = after ? soft->end_v : soft->v;
  v[0] = v[1] = v[2] = 0;
  for (int32_t k = touch->first[side]; k < touch->end[side]; k++)
    for (int c = 0; c < 3; c++)
      v[c] += softs->weight[k] * from[3 * (int64_t)softs->node[k] + c];
}

/* Closed, near and not leaving, or closing before the next step. */
static bool counts(const SlipSim *sim, const SlipiContact *contact, double size, double h) {
  const SlipiBodies *b = &sim->bodies;
  double u[3], near = sim->def.reach * size;
  slipi_contact_velocity(sim, contact, b->end_v, b->end_spin, u);
  if (contact->gap <= contact->tolerance)
    return true;
  double ahead = contact->gap + h * u[0];
  return contact->gap <= near ? ahead <= near : ahead < 0;
}

bool slipi_soft_contact(SlipSim *sim, const SlipiContact *contact, const SlipiSoftTouch *touch,
                        double size, double h) {
  SlipiSofts *softs = sim->softs;
  SlipiContacts *contacts = &sim->contacts;
  if (!SLIPI_ROOM(contacts->at, contacts->capacity, (int64_t)contacts->count + 1) ||
      !SLIPI_ROOM(softs->touch, softs->touch_capacity, (int64_t)softs->touches + 1))
    return false;
  SlipiContact *to = &contacts->at[contacts->count];
  *to = *contact;
  to->own = -1;
  softs->touch[softs->touches] = *touch;
  to->soft = softs->touches + 1;
  to->tolerance = sim->def.penetration * size;
  if (!counts(sim, to, size, h)) {
    softs->entries = touch->first[0];
    return true;
  }
  softs->touches++;
  contacts->count++;
  return true;
}

/* Work of a contact's impulse, and the sum of its amounts. */
static double work_of(const SlipSim *sim, const SlipiContact *contact, double *size) {
  double work = 0, theta = sim->def.theta;
  *size = 0;
  for (int c = 0; c < sim->def.dimension; c++) {
    double p = slipi_dot3(contact->frame[c], contact->impulse);
    work += p * (theta * contact->after[c] + (1 - theta) * contact->before[c]);
    *size += fabs(p) * (fabs(contact->after[c]) + fabs(contact->before[c]));
  }
  return work;
}

bool slipi_soft_even(SlipSim *sim, bool all) {
  static const double ROUNDING = 1e-9;
  SlipiSimRows *rows = &sim->rows;
  int d = sim->def.dimension;
  double share = (1 - sim->def.theta) / sim->def.theta, size;
  bool again = false;
  if (slipi_sim_is_static(sim) || !sim->softs || sim->softs->touches == 0 || share == 0)
    return false;
  for (int64_t k = rows->joints; k < rows->count && !again; k++) {
    const SlipiContact *contact = &sim->contacts.at[rows->from[2 * k + 1]];
    again = contact->soft > 0 && !contact->even && work_of(sim, contact, &size) > ROUNDING * size;
  }
  for (int64_t k = rows->joints; k < rows->count && again; k++) {
    SlipiContact *contact = &sim->contacts.at[rows->from[2 * k + 1]];
    if (contact->soft == 0 || contact->even || (!all && !(work_of(sim, contact, &size) > 0)))
      continue;
    contact->even = true;
    for (int c = 0; c < d; c++)
      rows->w[d * k + c] += share * contact->before[c];
  }
  for (int64_t k = rows->joints; k < rows->count && again; k++) { /* start from what was found */
    const SlipiContact *contact = &sim->contacts.at[rows->from[2 * k + 1]];
    for (int c = 0; rows->from[2 * k] == SLIPI_FROM_CONTACT && c < d; c++)
      rows->r[d * k + c] = slipi_dot3(contact->frame[c], contact->impulse);
  }
  return again;
}

/* ---- Nodes on rigid shapes ---- */

static int32_t rule_of(const SlipSim *sim, int32_t a, int32_t b) {
  return sim->rule_of ? sim->rule_of[(a + 1) * (sim->materials + 1) + b + 1] : -1;
}

/* What the rule between two materials says; elasticity makes the rebound, so that there is no
 * restitution. */
void slipi_soft_rule(const SlipSim *sim, int32_t a, int32_t b, SlipiContact *contact) {
  int32_t of = rule_of(sim, a, b);
  const SlipContactRule *rule = of < 0 ? NULL : &sim->rule[of];
  contact->rule = of;
  contact->law = rule ? rule->law : SLIP_COULOMB;
  contact->flow = rule ? rule->flow : SLIP_FLOW_COULOMB;
  contact->mu = rule ? rule->friction : 0;
}

typedef struct Bounds {
  double low[3], high[3];
  double fast; /* largest speed */
} Bounds;

static void bounds_of(const SlipiSoft *soft, Bounds *bounds) {
  double square = 0;
  for (int c = 0; c < 3; c++) {
    bounds->low[c] = INFINITY;
    bounds->high[c] = -INFINITY;
  }
  for (int64_t k = 0; k < soft->nodes; k++) {
    for (int c = 0; c < 3; c++) {
      bounds->low[c] = fmin(bounds->low[c], soft->mid_x[3 * k + c]);
      bounds->high[c] = fmax(bounds->high[c], soft->mid_x[3 * k + c]);
    }
    square = fmax(square, fmax(slipi_dot3(soft->v + 3 * k, soft->v + 3 * k),
                               slipi_dot3(soft->free_v + 3 * k, soft->free_v + 3 * k)));
  }
  bounds->fast = sqrt(square);
}

static bool inside(const double x[3], const double *low, const double *high, double by) {
  for (int c = 0; c < 3; c++) {
    if (x[c] < low[c] - by || x[c] > high[c] + by)
      return false;
  }
  return true;
}

static bool node_on_part(SlipSim *sim, int32_t s, int32_t node, int32_t p, double reach, double h) {
  const SlipiSoft *soft = sim->softs->at[s];
  const SlipiPart *part = &sim->part[p];
  SlipiTouchList *list = &sim->softs->list;
  const double *x = soft->mid_x + 3 * (int64_t)node;
  double size = fmin(soft->size, part->shape.size), radius = 1e-3 * soft->size;
  SlipiShape ball = {.kind = sim->def.dimension == 3 ? SLIP_SHAPE_SPHERE : SLIP_SHAPE_DISC,
                     .radius = radius,
                     .size = 2 * radius};
  SlipiPose pose = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  memcpy(pose.position, x, sizeof pose.position);
  list->count = 0;
  if (!slipi_collide(&ball, &pose, &part->shape, &part->pose, reach, list))
    return false;
  int32_t best = -1; /* the deepest: a node is in one contact with a shape */
  for (int32_t k = 0; k < list->count; k++) {
    if (best < 0 || list->points[k].gap < list->points[best].gap)
      best = k;
  }
  if (best < 0)
    return true;
  SlipiContact contact = {.part = {-1, p},
                          .body = {soft->slot, part->body},
                          .serial = {UINT32_MAX, UINT32_MAX},
                          .gap = list->points[best].gap + radius};
  slipi_soft_rule(sim, sim->bodies.material[soft->slot], part->material, &contact);
  memcpy(contact.point, x, sizeof contact.point);
  slipi_contact_frame(sim->def.dimension, list->points[best].normal, contact.frame);
  uint64_t body = (uint64_t)soft->slot << 32 | sim->bodies.generation[soft->slot];
  contact.feature =
      slipi_hash_word(slipi_hash_word(body, 0x50f7), (uint64_t)(uint32_t)node << 32 | part->serial);
  contact.key = contact.feature;
  SlipiSoftTouch touch = {.soft = {s, -1},
                          .first = {sim->softs->entries, sim->softs->entries + 1},
                          .end = {sim->softs->entries + 1, sim->softs->entries + 1}};
  return slipi_soft_entry(sim, node, 1) && slipi_soft_contact(sim, &contact, &touch, size, h);
}

static bool may_touch(const SlipSim *sim, int32_t a, int32_t b) {
  return !sim->filter || sim->filter(sim->filter_user, (SlipBodyId){a, sim->bodies.generation[a]},
                                     (SlipBodyId){b, sim->bodies.generation[b]}) != 0;
}

static bool soft_on_part(SlipSim *sim, int32_t s, const Bounds *bounds, int32_t p, double h) {
  const SlipiSoft *soft = sim->softs->at[s];
  const double *low = sim->low + 3 * (int64_t)p, *high = sim->high + 3 * (int64_t)p;
  double size = fmin(soft->size, sim->part[p].shape.size);
  double by = h * bounds->fast + sim->def.reach * size, reach = by + sim->reach[p];
  for (int c = 0; c < 3; c++) {
    if (bounds->low[c] > high[c] + by || bounds->high[c] < low[c] - by)
      return true;
  }
  if (!may_touch(sim, soft->slot, sim->part[p].body))
    return true;
  for (int32_t node = 0; node < soft->nodes; node++) {
    if (soft->on_surface[node] && inside(soft->mid_x + 3 * (int64_t)node, low, high, by) &&
        !node_on_part(sim, s, node, p, reach, h))
      return false;
  }
  return true;
}

/* ---- Surfaces on each other ---- */

static double facet_size(const SlipiSoft *soft) {
  double area = 0;
  for (int32_t k = 0; k < soft->nodes; k++)
    area += soft->area[k];
  return area / soft->facets;
}

static bool soft_on_soft(SlipSim *sim, int32_t a, int32_t b, const Bounds *bounds, double h) {
  const SlipiSoft *one = sim->softs->at[a], *other = sim->softs->at[b];
  double by = h * (bounds[a].fast + bounds[b].fast) + sim->def.reach * fmin(one->size, other->size);
  for (int c = 0; c < sim->def.dimension; c++) {
    if (bounds[a].low[c] > bounds[b].high[c] + by || bounds[b].low[c] > bounds[a].high[c] + by)
      return true;
  }
  if (!may_touch(sim, one->slot, other->slot))
    return true;
  /* The finer side carries the weights. */
  bool first = facet_size(one) <= facet_size(other);
  return slipi_soft_mortar(sim, first ? a : b, first ? b : a, by, h);
}

/* ---- The same contacts ---- */

typedef struct SlipiKeyed {
  uint64_t key;
  int32_t at;
} SlipiKeyed;

static int compare_keys(const void *a, const void *b) {
  const SlipiKeyed *p = a, *q = b;
  if (p->key != q->key)
    return p->key < q->key ? -1 : 1;
  return p->at < q->at ? -1 : p->at > q->at;
}

static bool match(SlipSim *sim, int32_t first, double h) {
  SlipiSofts *softs = sim->softs;
  double ratio = sim->last_step > 0 ? h / sim->last_step : 0;
  softs->keyed_count = 0;
  for (int32_t k = 0; k < sim->last.count; k++) {
    if (sim->last.at[k].soft <= 0)
      continue;
    if (!SLIPI_ROOM(softs->keyed, softs->keyed_capacity, (int64_t)softs->keyed_count + 1))
      return false;
    softs->keyed[softs->keyed_count++] = (SlipiKeyed){sim->last.at[k].key, k};
  }
  if (softs->keyed_count == 0)
    return true;
  qsort(softs->keyed, (size_t)softs->keyed_count, sizeof *softs->keyed, compare_keys);
  for (int32_t k = first; k < sim->contacts.count; k++) {
    SlipiContact *contact = &sim->contacts.at[k];
    int32_t low = 0, high = softs->keyed_count;
    while (low < high) {
      int32_t middle = low + (high - low) / 2;
      if (softs->keyed[middle].key < contact->key)
        low = middle + 1;
      else
        high = middle;
    }
    if (low == softs->keyed_count || softs->keyed[low].key != contact->key)
      continue;
    const SlipiContact *from = &sim->last.at[softs->keyed[low].at];
    contact->bonded = from->bonded;
    contact->broken = from->broken;
    contact->plastic = from->plastic;
    contact->slid = from->slid;
    memcpy(contact->elastic, from->elastic, sizeof contact->elastic);
    for (int c = 0; c < 3; c++)
      contact->impulse[c] = ratio * from->impulse[c];
    memcpy(contact->local, contact->impulse, sizeof contact->local); /* the force before */
  }
  return true;
}

SlipStatus slipi_soft_touch(SlipSim *sim, double h, SlipError *error) {
  SlipiSofts *softs = sim->softs;
  if (!softs || softs->count == 0)
    return SLIP_OK;
  int32_t first = sim->contacts.count;
  softs->touches = softs->entries = 0;
  softs->posed = softs->refused = false;
  Bounds *bounds = SLIPI_ARENA_NEW(&softs->scratch, Bounds, softs->count);
  bool made = bounds != NULL;
  for (int32_t s = 0; made && s < softs->count; s++) {
    bounds_of(softs->at[s], &bounds[s]);
    for (int32_t p = 0; made && p < sim->parts; p++)
      made = soft_on_part(sim, s, &bounds[s], p, h);
    for (int32_t other = 0; made && other < s; other++)
      made = soft_on_soft(sim, other, s, bounds, h);
  }
  slipi_arena_reset(&softs->scratch);
  if (!made || !match(sim, first, h))
    return slipi_fail_memory(error, "the contacts of deformable bodies");
  return SLIP_OK;
}
