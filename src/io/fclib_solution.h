/* The solution and the guesses of an FCLIB file whose problem has been read. */
#ifndef SLIPI_IO_FCLIB_SOLUTION_H
#define SLIPI_IO_FCLIB_SOLUTION_H

#include "io/h5.h"

SlipStatus slipi_fclib_read_solutions(const SlipiH5Group *root, SlipiFile *file, SlipError *error);

#endif
