/* One-contact problems for tests: random blocks, problems with a known solution, and a residual
 * of their own in long double that uses none of the library's code. */
#ifndef SLIPCONE_TESTS_CONTACT_BLOCK_H
#define SLIPCONE_TESTS_CONTACT_BLOCK_H

#include <slipcone/slipcone.h>

#include "base/random.h"

typedef struct ContactBlock {
  double W[9], q[3], mu;
  double r[3], u[3]; /* a solution, where one was built in */
} ContactBlock;

/* Symmetric W with largest eigenvalue 1 and the given condition, in random directions. */
void block_random_W(SlipiRandom *random, double condition, double W[9]);

/* Choose r and u of the given status, then q. W and mu are given. */
void block_with_solution(SlipiRandom *random, SlipContactStatus status, ContactBlock *block);

/* |r - P_K(r - (u + g(u))/|W|)| |W| / max(|q|, |W||r|), Frobenius norm; g off when associated. */
double block_error(const ContactBlock *block, int associated, const double r[3]);

/* The solutions by brute force: open and stick by their definitions, slides by the sign changes
 * of e x u_T along a fine grid of angles, bisected. Needs W_NN > 0 and W regular. Returns their
 * number, or -1 when the problem is too near to having another number to tell. */
int block_brute_force(const ContactBlock *block, double r[8][3]);

#endif
