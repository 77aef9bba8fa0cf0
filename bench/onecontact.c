/* Nanoseconds of each one-contact solver, by what the contact does: bench_onecontact. Contacts
 * are solved in turn as in a Gauss-Seidel sweep, warm, q changing a little from sweep to sweep;
 * the least of many sweeps is shown. `kernel` and `many` are the hybrid as slipcone/kernel.h has
 * it, one by one and all in one call. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <slipcone/kernel.h>

#include "base/clock.h"
#include "contact/onecontact.h"
#include "contact_block.h"

enum { CONTACTS = 512 };

typedef struct Case {
  const char *name;
  SlipContactStatus status;
  double condition, mu, change;
  bool skew;
} Case;

static SlipiOneContact one[CONTACTS];
static ContactBlock block[CONTACTS];
static double q[CONTACTS][3], r[CONTACTS][3];

static void make(const Case *c, SlipiRandom *random) {
  for (int a = 0; a < CONTACTS; a++) {
    memset(&block[a], 0, sizeof block[a]);
    block[a].mu = c->mu;
    block_random_W(random, c->condition, block[a].W);
    for (int k = 0; c->skew && k < 3; k++) {
      block[a].W[3 * k + (k + 1) % 3] += 0.1;
      block[a].W[3 * ((k + 1) % 3) + k] -= 0.1;
    }
    block_with_solution(random, c->status, &block[a]);
    slipi_one_contact_prepare(&one[a], block[a].W, slipi_law(SLIP_COULOMB, c->mu));
    memset(r[a], 0, sizeof r[a]);
  }
}

static void change(const Case *c, SlipiRandom *random) {
  for (int a = 0; a < CONTACTS; a++)
    for (int k = 0; k < 3; k++)
      q[a][k] = block[a].q[k] * (1 + c->change * slipi_random_between(random, -1, 1));
}

/* By slipcone/kernel.h. */
static double time_of_kernel(const Case *c, bool many) {
  static SlipKernel kernel[CONTACTS];
  double least = INFINITY;
  SlipiRandom random;
  slipi_random_seed(&random, 1);
  make(c, &random);
  for (int a = 0; a < CONTACTS; a++)
    slip_kernel_prepare(&kernel[a], 3, block[a].W, block[a].mu, SLIP_FLOW_COULOMB, NULL);
  for (int sweep = 0; sweep < 300; sweep++) {
    change(c, &random);
    double start = slipi_clock_seconds();
    if (many)
      slip_kernel_solve_many(kernel, CONTACTS, slip_kernel_by_contact(3), q[0], r[0], NULL);
    for (int a = 0; !many && a < CONTACTS; a++)
      slip_kernel_solve(&kernel[a], q[a], r[a]);
    least = fmin(least, slipi_clock_seconds() - start);
  }
  return 1e9 * least / CONTACTS;
}

static double time_of(const Case *c, SlipiOneContactKind kind) {
  const SlipiOneContactRule rule = {kind, 1e-12, 100};
  double least = INFINITY;
  SlipiRandom random;
  slipi_random_seed(&random, 1);
  make(c, &random);
  for (int sweep = 0; sweep < (kind == SLIPI_ONE_HYBRID ? 300 : 30); sweep++) {
    change(c, &random);
    double start = slipi_clock_seconds();
    for (int a = 0; a < CONTACTS; a++)
      slipi_one_contact_solve(&one[a], &rule, q[a], r[a]);
    least = fmin(least, slipi_clock_seconds() - start);
  }
  return 1e9 * least / CONTACTS;
}

int main(void) {
  const Case cases[] = {
      {"open", SLIP_CONTACT_OPEN, 3, 0.3, 1e-3, false},
      {"stick", SLIP_CONTACT_STICK, 3, 0.3, 1e-3, false},
      {"slide 1e-3", SLIP_CONTACT_SLIP, 3, 0.3, 1e-3, false},
      {"slide 1e-6", SLIP_CONTACT_SLIP, 3, 0.3, 1e-6, false},
      {"slide, unsymmetric", SLIP_CONTACT_SLIP, 3, 0.3, 1e-3, true},
      {"slide, strong coupling", SLIP_CONTACT_SLIP, 1000, 2, 1e-3, false},
  };
  printf("ns per solve (%zu bytes per contact)\n%-24s", sizeof(SlipiOneContact), "");
  for (int kind = 0; slipi_one_contact_names[kind]; kind++)
    printf(" %15s", slipi_one_contact_names[kind]);
  printf(" %15s %15s\n", "kernel", "many");
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    printf("%-24s", cases[k].name);
    for (int kind = 0; slipi_one_contact_names[kind]; kind++)
      printf(" %15.1f", time_of(&cases[k], (SlipiOneContactKind)kind));
    printf(" %15.1f %15.1f\n", time_of_kernel(&cases[k], false), time_of_kernel(&cases[k], true));
  }
  return 0;
}
