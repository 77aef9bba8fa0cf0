/* Bodies in touch as trees: `number` of a body is its parent's slot, the root stands for all. */
#include "sim/sim.h"

int32_t slipi_island_root(SlipiBodies *b, int32_t slot) {
  while (b->number[slot] != slot) {
    b->number[slot] = b->number[b->number[slot]];
    slot = b->number[slot];
  }
  return slot;
}

int32_t slipi_contact_free_body(const SlipSim *sim, const SlipiContact *contact) {
  return contact->body[slipi_sim_is_free(sim, contact->body[0]) ? 0 : 1];
}

int32_t slipi_block_free_body(const SlipiSimRows *rows, int64_t k) {
  return rows->slot[rows->body[2 * k] >= 0 ? rows->body[2 * k] : rows->body[2 * k + 1]];
}

void slipi_islands_join(SlipSim *sim) {
  SlipiBodies *b = &sim->bodies;
  const SlipiSimRows *rows = &sim->rows;
  for (int32_t k = 0; k < rows->bodies; k++)
    b->number[rows->slot[k]] = rows->slot[k];
  for (int64_t k = 0; k < rows->count; k++) {
    int32_t first = rows->body[2 * k], second = rows->body[2 * k + 1];
    if (first < 0 || second < 0)
      continue;
    int32_t x = slipi_island_root(b, rows->slot[first]);
    int32_t y = slipi_island_root(b, rows->slot[second]);
    b->number[x > y ? x : y] = x > y ? y : x;
  }
}

void slipi_islands_forget(SlipSim *sim) {
  for (int32_t k = 0; k < sim->rows.bodies; k++)
    sim->bodies.number[sim->rows.slot[k]] = -1;
}

double slipi_contact_gain(const SlipSim *sim, const SlipiContact *contact) {
  double gain = 0;
  for (int c = 0; c < sim->def.dimension; c++)
    gain += slipi_dot3(contact->frame[c], contact->impulse) *
            (contact->before[c] + contact->after[c]) / 2;
  return gain;
}
