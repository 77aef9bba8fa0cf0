/* The commit, the compiler and the processor of a run. */
#ifndef SLIPI_BENCH_MACHINE_H
#define SLIPI_BENCH_MACHINE_H

typedef struct SlipiMachine {
  char commit[64], compiler[64], cpu[128]; /* "" where it is not known */
} SlipiMachine;

void slipi_machine(SlipiMachine *machine);

#endif
