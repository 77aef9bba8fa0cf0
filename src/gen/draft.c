#include "gen/gen.h"

#include <math.h>

SlipStatus slipi_entries_alloc(SlipiDraft *draft, SlipiEntries *entries, int64_t room,
                               SlipError *error) {
  if (room > INT32_MAX)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "%d contacts need a matrix of %lld entries, more than the %d that can be "
                      "counted",
                      draft->nc, (long long)room, INT32_MAX);
  entries->count = 0;
  entries->room = room;
  entries->row = SLIPI_ARENA_NEW(&draft->arena, int32_t, room);
  entries->col = SLIPI_ARENA_NEW(&draft->arena, int32_t, room);
  entries->x = SLIPI_ARENA_NEW(&draft->arena, double, room);
  return draft->arena.failed ? slipi_fail_memory(error, "a generated matrix") : SLIP_OK;
}

SlipStatus slipi_draft_vectors(SlipiDraft *draft, double mu, SlipError *error) {
  SlipiArena *arena = &draft->arena;
  size_t nc = (size_t)draft->nc, m = nc * (size_t)draft->d;
  draft->mu = SLIPI_ARENA_NEW(arena, double, nc);
  draft->law = SLIPI_ARENA_NEW(arena, int32_t, nc);
  if (draft->form == SLIP_FORM_LOCAL) {
    draft->q = SLIPI_ARENA_NEW(arena, double, m);
  } else {
    draft->f = SLIPI_ARENA_NEW(arena, double, draft->dof);
    draft->w = SLIPI_ARENA_NEW(arena, double, m);
  }
  if (arena->failed)
    return slipi_fail_memory(error, "a generated problem");
  for (size_t a = 0; a < nc; a++) {
    draft->mu[a] = mu;
    draft->law[a] = SLIP_COULOMB;
  }
  return SLIP_OK;
}

void slipi_gen_direction(SlipiRandom *random, int d, double *x) {
  /* Rejection from the cube: only sqrt is needed, so the bits are the same everywhere. */
  double norm2;
  do {
    norm2 = 0;
    for (int k = 0; k < d; k++) {
      x[k] = slipi_random_between(random, -1, 1);
      norm2 += x[k] * x[k];
    }
  } while (norm2 > 1 || norm2 < 1e-4);
  double norm = sqrt(norm2);
  for (int k = 0; k < d; k++)
    x[k] /= norm;
}

/* r and u of one contact with the given status; both start as 0. */
static void known_contact(SlipiRandom *random, int d, double mu, SlipContactStatus status,
                          double *r, double *u) {
  double direction[2] = {0, 0};
  slipi_gen_direction(random, d - 1, direction);
  if (status == SLIP_CONTACT_OPEN) {
    u[0] = slipi_random_between(random, 0.1, 1);
    double slide = slipi_random_unit(random);
    for (int k = 1; k < d; k++)
      u[k] = slide * direction[k - 1];
    return;
  }
  r[0] = slipi_random_between(random, 0.1, 1);
  double fraction = status == SLIP_CONTACT_SLIP ? 1 : slipi_random_between(random, 0, 0.9);
  double slide = status == SLIP_CONTACT_SLIP ? slipi_random_between(random, 0.1, 1) : 0;
  for (int k = 1; k < d; k++) {
    r[k] = fraction * mu * r[0] * direction[k - 1];
    u[k] = -slide * direction[k - 1];
  }
}

SlipStatus slipi_gen_known(SlipiDraft *draft, double *u, SlipError *error) {
  size_t d = (size_t)draft->d;
  int32_t *order = SLIPI_ARENA_NEW(&draft->arena, int32_t, draft->nc);
  draft->r = SLIPI_ARENA_NEW(&draft->arena, double, d *(size_t)draft->nc);
  if (draft->arena.failed)
    return slipi_fail_memory(error, "a known solution");
  for (int32_t a = 0; a < draft->nc; a++)
    order[a] = a;
  slipi_random_shuffle(draft->random, order, draft->nc);
  for (int32_t a = 0; a < draft->nc; a++) {
    double *ra = draft->r + d * (size_t)a, *ua = u + d * (size_t)a;
    if (draft->law[a] == SLIP_BILATERAL) {
      for (size_t k = 0; k < d; k++) {
        bool bound = !draft->bound || draft->bound[a] & 1 << k;
        *(bound ? &ra[k] : &ua[k]) = slipi_random_between(draft->random, -1, 1);
      }
      continue;
    }
    SlipContactStatus status = order[a] % 3 == 0   ? SLIP_CONTACT_SLIP
                               : order[a] % 3 == 1 ? SLIP_CONTACT_STICK
                                                   : SLIP_CONTACT_OPEN;
    known_contact(draft->random, draft->d, draft->mu[a], status, ra, ua);
  }
  return SLIP_OK;
}
