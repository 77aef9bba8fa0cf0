/* Public structs in one expression, as tests want them: with their size set. */
#ifndef TESTS_SUPPORT_DATA_H
#define TESTS_SUPPORT_DATA_H

#include <slipcone/bench.h>
#include <slipcone/io.h>
#include <slipcone/slipcone.h>

/* Live as long as the block they stand in. */
#define LAWS(...) (&(SlipLaws){.size = sizeof(SlipLaws), __VA_ARGS__})
#define UPDATE(...) (&(SlipUpdate){.size = sizeof(SlipUpdate), __VA_ARGS__})

#define LOCAL_DATA(...) ((SlipLocalData){.size = sizeof(SlipLocalData), __VA_ARGS__})
#define GLOBAL_DATA(...) ((SlipGlobalData){.size = sizeof(SlipGlobalData), __VA_ARGS__})

#define WRITE(...) (&(SlipWrite){.size = sizeof(SlipWrite), __VA_ARGS__})
#define SOLUTION(...) ((SlipSolution){.size = sizeof(SlipSolution), __VA_ARGS__})
#define PLOT(...) (&(SlipPlotOptions){.size = sizeof(SlipPlotOptions), .budget = 0.1, __VA_ARGS__})

#endif
