/* A pile of spheres whose contacts resist rolling and spinning. */
#ifndef SLIPCONE_TESTS_ROLLING_PILE_H
#define SLIPCONE_TESTS_ROLLING_PILE_H

#include <slipcone/slipcone.h>

/* Moments behind every contact of a pile of equal spheres in 3D, H by compressed rows: their rows
 * are the directions of the contact's, as turns. Coefficients of rolling and spinning friction are
 * a twentieth and a fiftieth of a radius. Ends the program where that cannot be made. */
SlipProblem *rolling_pile(const SlipGlobalData *pile);

#endif
