/* Everything that decides the future of a simulation, as bytes.
 *
 * One walk over the state counts the bytes, writes them or reads them back, so that the three
 * agree. The bytes begin with a header and end with a checksum; all of it is checked before
 * anything of the simulation changes. The scene itself (bodies, shapes, joints, rules) is not in
 * them, a fingerprint of it is. A solver keeps nothing from step to step: where it starts from is
 * in the contacts. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "geom/hull.h"
#include "sim/soft.h"

enum { VERSION = 6, ORDER = 0x01020304 };

typedef struct Header {
  char magic[8];
  uint32_t version, order; /* the order shows the byte order it was written in */
  uint64_t size;           /* of all bytes */
  uint64_t scene;
  int64_t bodies, told, joints, contacts;
} Header;

static const char MAGIC[8] = "slipsim";

/* ---- What the scene is ---- */

static uint64_t hash_part(uint64_t hash, const SlipiPart *part) {
  const SlipiShape *shape = &part->shape;
  hash = slipi_hash_word(hash, (uint64_t)part->serial << 32 | (uint32_t)part->material);
  hash = slipi_hash_word(hash, (uint64_t)shape->kind);
  hash = slipi_hash_reals(hash, &shape->radius, 1);
  hash = slipi_hash_reals(hash, shape->half, 3);
  hash = slipi_hash_reals(hash, shape->normal, 3);
  hash = slipi_hash_reals(hash, shape->ends[0], 6);
  hash = slipi_hash_reals(hash, part->local.position, 3);
  hash = slipi_hash_reals(hash, part->local.R, 9);
  if (shape->hull)
    hash = slipi_hash_reals(hash, shape->hull->vertex, 3 * (size_t)shape->hull->vertices);
  return hash;
}

static uint64_t hash_joint(uint64_t hash, const SlipiJoint *joint) {
  hash = slipi_hash_word(hash, (uint64_t)joint->present << 32 | joint->generation);
  if (!joint->present)
    return hash;
  hash = slipi_hash_word(hash, (uint64_t)joint->kind << 8 | (uint64_t)joint->limited << 2 |
                                   (uint64_t)joint->motor << 1 | joint->collide);
  hash = slipi_hash_ints(hash, joint->body, 2);
  hash = slipi_hash_reals(hash, joint->anchor[0], 6);
  hash = slipi_hash_reals(hash, joint->axes[0], 8);
  return slipi_hash_reals(
      hash, (double[]){joint->length, joint->lower, joint->upper, joint->speed, joint->effort}, 5);
}

static uint64_t hash_rules(uint64_t hash, const SlipSim *sim) {
  hash = slipi_hash_reals(hash, sim->density, (size_t)sim->materials);
  for (int32_t k = 0; k < sim->rules; k++) {
    const SlipContactRule *rule = &sim->rule[k];
    hash = slipi_hash_ints(hash, rule->materials, 2);
    hash = slipi_hash_ints(hash, (int32_t[]){rule->law, rule->flow}, 2);
    hash = slipi_hash_reals(hash, (double[]){rule->friction, rule->restitution}, 2);
    hash = slipi_hash_reals(hash,
                            (double[]){rule->cohesion, rule->ball[0], rule->ball[1], rule->cap}, 4);
    hash = slipi_hash_reals(hash, (double[]){rule->stiffness[0], rule->stiffness[1]}, 2);
    hash = slipi_hash_reals(hash, (double[]){rule->damping_time, rule->breaks_at}, 2);
    hash = slipi_hash_reals(hash, rule->stiffness_matrix, 9);
    hash = slipi_hash_reals(hash, rule->damping_matrix, 9);
    hash = slipi_hash_reals(hash, (double[]){rule->rolling, rule->spinning}, 2);
  }
  return hash;
}

static uint64_t hash_soft(uint64_t hash, const SlipiSoft *soft) {
  hash = slipi_hash_word(hash, (uint64_t)soft->slot << 32 | (uint32_t)soft->nodes);
  hash = slipi_hash_reals(hash, soft->X, 3 * (size_t)soft->nodes);
  hash = slipi_hash_ints(hash, soft->number, (size_t)soft->mesh->d * (size_t)soft->nodes);
  hash = slipi_hash_reals(hash, soft->damping, 2);
  return slipi_hash_reals(hash, (double[]){soft->elasticity.lame, soft->elasticity.shear}, 2);
}

static uint64_t hash_scene(const SlipSim *sim) {
  const SlipiBodies *b = &sim->bodies;
  uint64_t hash = slipi_hash_word((uint64_t)sim->def.dimension, (uint64_t)b->count);
  hash = slipi_hash_reals(hash, &sim->def.step, 1);
  for (int32_t slot = 0; slot < b->count; slot++) {
    hash = slipi_hash_word(hash, (uint64_t)b->present[slot] << 32 | b->generation[slot]);
    hash = slipi_hash_word(hash, (uint64_t)b->motion[slot] << 32 | (uint32_t)b->part_count[slot]);
    hash = slipi_hash_reals(hash, &b->mass[slot], 1);
    hash = slipi_hash_reals(hash, b->moment + 3 * (int64_t)slot, 3);
    hash = slipi_hash_reals(hash, b->centre + 3 * (int64_t)slot, 3);
  }
  for (int32_t k = 0; k < sim->parts; k++) {
    if (sim->part[k].body >= 0)
      hash = hash_part(hash, &sim->part[k]);
  }
  for (int32_t k = 0; k < sim->joints; k++)
    hash = hash_joint(hash, &sim->joint[k]);
  for (int32_t k = 0; sim->softs && k < sim->softs->count; k++)
    hash = hash_soft(hash, sim->softs->at[k]);
  return hash_rules(hash, sim);
}

/* ---- The walk ---- */

typedef struct Walk {
  char *to;         /* where bytes are written, or NULL */
  const char *from; /* where they are read from, or NULL; with neither they are counted */
  uint64_t at;
} Walk;

static void pass(Walk *walk, void *value, size_t size) {
  if (walk->to && size > 0)
    memcpy(walk->to + walk->at, value, size);
  if (walk->from && size > 0)
    memcpy(value, walk->from + walk->at, size);
  walk->at += size;
}

static void walk_bodies(Walk *walk, SlipiBodies *b) {
  size_t count = (size_t)b->count * sizeof(double);
  double *const three[] = {b->x,        b->v,    b->L,     b->position,
                           b->velocity, b->spin, b->force, b->torque};
  for (size_t k = 0; k < sizeof three / sizeof three[0]; k++)
    pass(walk, three[k], 3 * count);
  pass(walk, b->q, 4 * count);
  pass(walk, b->rotation, 4 * count);
}

static void walk_contact(Walk *walk, SlipiContact *contact) {
  pass(walk, contact->part, sizeof contact->part);
  pass(walk, contact->body, sizeof contact->body);
  pass(walk, contact->serial, sizeof contact->serial);
  pass(walk, &contact->feature, sizeof contact->feature);
  pass(walk, &contact->key, sizeof contact->key);
  pass(walk, contact->point, sizeof contact->point);
  pass(walk, contact->frame, sizeof contact->frame);
  pass(walk, contact->local, sizeof contact->local);
  pass(walk, contact->impulse, sizeof contact->impulse);
  pass(walk, contact->moment, sizeof contact->moment);
  pass(walk, &contact->gap, sizeof contact->gap);
  pass(walk, &contact->plastic, sizeof contact->plastic);
  pass(walk, &contact->slid, sizeof contact->slid);
  pass(walk, contact->elastic, sizeof contact->elastic);
  /* so that all sizes are multiples of 8 */
  int64_t words[4] = {contact->status, contact->bonded, contact->broken, contact->soft};
  pass(walk, words, sizeof words);
  if (walk->from) {
    contact->status = (int32_t)words[0];
    contact->bonded = words[1] != 0;
    contact->broken = words[2] != 0;
    contact->soft = (int32_t)words[3];
  }
}

static void walk_soft(Walk *walk, SlipiSoft *soft) {
  double *const three[] = {soft->x, soft->v, soft->force, soft->outer};
  for (size_t k = 0; k < sizeof three / sizeof *three; k++)
    pass(walk, three[k], 3 * (size_t)soft->nodes * sizeof(double));
  pass(walk, soft->R, sizeof soft->R);
  int64_t count = soft->known;
  double matrix[2] = {soft->factor_M, soft->factor_K};
  pass(walk, &count, sizeof count);
  pass(walk, matrix, sizeof matrix);
  if (walk->from) {
    free(soft->replay);
    soft->replay_M = matrix[0];
    soft->replay_K = matrix[1];
    soft->replay = count > 0 && count <= soft->nodes
                       ? malloc((size_t)count * sizeof *soft->replay)
                       : NULL; /* without it only the last bits may differ */
    soft->replays = soft->replay ? count : 0;
    slipi_soft_forget(soft);
    if (!soft->replay) {
      walk->at += (uint64_t)count * sizeof *soft->replay;
      return;
    }
  }
  pass(walk, walk->from ? soft->replay : soft->known_node, (size_t)count * sizeof *soft->replay);
}

static void walk_state(Walk *walk, SlipSim *sim) {
  walk->at += sizeof(Header);
  pass(walk, &sim->steps, sizeof sim->steps);
  pass(walk, &sim->last_step, sizeof sim->last_step);
  pass(walk, &sim->energy, sizeof sim->energy);
  walk_bodies(walk, &sim->bodies);
  for (int32_t k = 0; k < sim->told_count; k++)
    pass(walk, sim->told[k].base, sizeof sim->told[k].base);
  for (int32_t k = 0; k < sim->joints; k++) {
    pass(walk, &sim->joint[k].turned, sizeof(double));
    pass(walk, &sim->joint[k].credit, sizeof(double));
    pass(walk, sim->joint[k].impulse, sizeof sim->joint[k].impulse);
  }
  for (int32_t k = 0; k < sim->last.count; k++)
    walk_contact(walk, &sim->last.at[k]);
  for (int32_t k = 0; sim->softs && k < sim->softs->count; k++)
    walk_soft(walk, sim->softs->at[k]);
}

static uint64_t checksum(const char *bytes, uint64_t size) {
  uint64_t sum = 0, word;
  for (uint64_t at = 0; at + sizeof word <= size; at += sizeof word) {
    memcpy(&word, bytes + at, sizeof word);
    sum = slipi_hash_word(sum, word);
  }
  return sum;
}

/* ---- Saving ---- */

SlipStatus slip_sim_save(const SlipSim *sim, void **bytes, size_t *size, SlipError *error) {
  slipi_error_clear(error);
  if (bytes)
    *bytes = NULL;
  if (size)
    *size = 0;
  if (!sim || !bytes || !size)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim, bytes or size is null");
  Walk walk = {0};
  SlipSim view = *sim; /* the walk writes to what it reads back into, and here reads only */
  walk_state(&walk, &view);
  uint64_t sum, total = walk.at + sizeof sum;
  char *made = malloc(total);
  if (!made)
    return slipi_fail_memory(error, "a snapshot");
  Header header = {.version = VERSION,
                   .order = ORDER,
                   .size = total,
                   .scene = hash_scene(sim),
                   .bodies = sim->bodies.count,
                   .told = sim->told_count,
                   .joints = sim->joints,
                   .contacts = sim->last.count};
  memcpy(header.magic, MAGIC, sizeof MAGIC);
  memcpy(made, &header, sizeof header);
  walk = (Walk){.to = made};
  walk_state(&walk, &view);
  sum = checksum(made, walk.at);
  memcpy(made + walk.at, &sum, sizeof sum);
  *bytes = made;
  *size = total;
  return SLIP_OK;
}

void slip_sim_bytes_free(void *bytes) {
  free(bytes);
}

/* ---- Restoring ---- */

static SlipStatus check_header(const Header *header, size_t size, SlipError *error) {
  if (memcmp(header->magic, MAGIC, sizeof MAGIC) != 0)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "the bytes are no snapshot of a simulation");
  if (header->order != ORDER)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "the snapshot is of a machine with another order of bytes");
  if (header->version != VERSION)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "the snapshot has version %u, this version of the library reads %d",
                      (unsigned)header->version, VERSION);
  if (header->size != size)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "the snapshot has %zu bytes but says %llu", size,
                      (unsigned long long)header->size);
  return SLIP_OK;
}

static SlipStatus check_scene(const SlipSim *sim, const Header *header, SlipError *error) {
  if (header->bodies != sim->bodies.count || header->joints != sim->joints)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "the snapshot has %lld bodies and %lld joints, the simulation %d and %d",
                      (long long)header->bodies, (long long)header->joints, (int)sim->bodies.count,
                      (int)sim->joints);
  if (header->told != sim->told_count || header->scene != hash_scene(sim))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "the snapshot is of another scene: its shapes, masses, joints, rules or time "
                      "step differ");
  return SLIP_OK;
}

/* The bytes are whole, and as many as this simulation's state takes. */
static SlipStatus check_bytes(SlipSim *sim, const char *bytes, size_t size, Header *header,
                              SlipError *error) {
  uint64_t sum;
  if (size < sizeof *header + sizeof sum)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%zu bytes are too few for a snapshot", size);
  memcpy(header, bytes, sizeof *header);
  SlipStatus status = check_header(header, size, error);
  if (status != SLIP_OK)
    return status;
  memcpy(&sum, bytes + size - sizeof sum, sizeof sum);
  if (sum != checksum(bytes, size - sizeof sum))
    return slipi_fail(error, SLIP_ERROR_FORMAT, "the snapshot is damaged: its checksum is wrong");
  return check_scene(sim, header, error);
}

SlipStatus slip_sim_restore(SlipSim *sim, const void *bytes, size_t size, SlipError *error) {
  Header header;
  slipi_error_clear(error);
  if (!sim || !bytes)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim or bytes is null");
  SlipStatus status = check_bytes(sim, bytes, size, &header, error);
  if (status != SLIP_OK)
    return status;
  if (header.contacts < 0 || header.contacts > INT32_MAX ||
      !SLIPI_ROOM(sim->last.at, sim->last.capacity, header.contacts) ||
      !SLIPI_ROOM(sim->shown, sim->shown_capacity, header.contacts))
    return slipi_fail_memory(error, "a snapshot");
  if (header.contacts > 0)
    memset(sim->last.at, 0, (size_t)header.contacts * sizeof *sim->last.at);
  sim->last.count = (int32_t)header.contacts;
  Walk walk = {.from = bytes};
  walk_state(&walk, sim);
  sim->has_problem = false;
  slipi_sim_show(sim); /* there is room */
  return SLIP_OK;
}
