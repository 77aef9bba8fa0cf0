/* Comparing problems and solutions bit by bit, with cmocka's assertions. */
#ifndef SLIPCONE_TESTS_COMPARE_H
#define SLIPCONE_TESTS_COMPARE_H

#include <slipcone/io.h>

void assert_same_bits(const void *a, const void *b, size_t bytes);
void assert_same_problem(const SlipProblem *a, const SlipProblem *b);
void assert_same_solution(const SlipSolution *a, const SlipSolution *b);

#endif
