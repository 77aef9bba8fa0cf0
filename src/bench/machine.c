#include "bench/machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include <slipcone_commit.h> /* made by the build */

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER ""
#endif

/* "model name : ..." of the first processor; the kind of machine where there is no such line. */
static void find_cpu(char *cpu, size_t size) {
  char line[256];
  FILE *stream = fopen("/proc/cpuinfo", "r");
  while (stream && !*cpu && fgets(line, sizeof line, stream)) {
    const char *colon = strchr(line, ':');
    if (!strncmp(line, "model name", 10) && colon)
      snprintf(cpu, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
  }
  if (stream)
    fclose(stream);
  cpu[strcspn(cpu, "\r\n")] = '\0';
  struct utsname system;
  if (!*cpu && uname(&system) >= 0)
    snprintf(cpu, size, "%s", system.machine);
}

void slipi_machine(SlipiMachine *machine) {
  *machine = (SlipiMachine){0};
  snprintf(machine->commit, sizeof machine->commit, "%s", SLIPCONE_COMMIT);
  snprintf(machine->compiler, sizeof machine->compiler, "%s", COMPILER);
  find_cpu(machine->cpu, sizeof machine->cpu);
  machine->compiler[strcspn(machine->compiler, "\r\n")] = '\0';
}
