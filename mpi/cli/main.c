/* slipcone-mpi: solve a problem on many processes, or count what they would send each other. */
#include <inttypes.h>
#include <petscsys.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <slipcone/mpi.h>

static const char usage[] =
    "Usage: mpirun -n N slipcone-mpi solve [FLAGS] FILE.hdf5\n"
    "       mpirun -n N slipcone-mpi solve [FLAGS] --pile CONTACTS\n"
    "       slipcone-mpi fingerprint FILE.hdf5\n"
    "       mpirun -n N slipcone-mpi traffic [--parts LIST] FILE.hdf5 | --pile CONTACTS\n"
    "\n"
    "Solves the global problem in a file (FCLIB HDF5), of which each process reads its part, or "
    "the\n"
    "pile of 'slipcone generate', of which each makes its part. The impulses of rigid bodies have "
    "the\n"
    "same bits as those of 'slipcone solve --form global --set operator=velocity' with the same\n"
    "method, for any number of processes and threads: 'fingerprint' tells the bits of a solution "
    "that\n"
    "'slipcone solve --out' has written as one number, 'solve' that of its own. 'traffic' counts "
    "what\n"
    "numbers of parts would send each other in a sweep. Where M couples degrees of freedom, as "
    "that\n"
    "of elastic bodies does, ipm is the default, and auto is the same.\n"
    "\n"
    "Flags:\n"
    "  --method METHOD      nsgs-accelerated (the default), nsgs, psor and their variants; ipm,\n"
    "                       whose linear systems PETSc solves, and auto, which goes over to it:\n"
    "                       these reach the same tolerance, not the same bits\n"
    "  --tol T              natural-map error at which the problem counts as solved\n"
    "  --max-iter N         iterations after which the run ends\n"
    "  --time-limit S       seconds after which the run ends\n"
    "  --threads N          threads of each process\n"
    "  --set KEY=VALUE      set an option of the method; may be repeated\n"
    "  --warm-start         start from the solution in the file\n"
    "  --form global        the form to read, which is always this one\n"
    "  --no-diagnose        as of 'slipcone solve'; nothing is diagnosed here\n"
    "  --out FILE           write the problem's file with r, u and v as /solution\n"
    "  --trace FILE.csv     write iteration, error and seconds of the run as CSV\n"
    "  --quiet              print no summary\n"
    "  --verbose            print the bipotential gap and the physical error, too\n"
    "  --checkpoint FILE    keep the state of the run there, and go on from it where it is there\n"
    "  --every S            seconds between two checkpoints (default: 60)\n"
    "  --json               print one JSON object\n"
    "  --pile CONTACTS      a pile of spheres instead of a file; --dimension D, --seed S\n"
    "  --parts LIST         numbers of parts to count for (default: 2,4,8,16,32,64)\n"
    "  --help               show this help and exit\n"
    "\n"
    "Exit code: 0 when the problem is solved, 1 when the run ended without a solution, 2 for "
    "wrong\n"
    "usage, bad input or a result that cannot be written.\n";

typedef struct Call {
  const char *command, *file, *out, *parts, *checkpoint;
  double every;
  int32_t pile, dimension;
  uint64_t seed;
  int json, quiet, verbose, warm, rank, ranks;
  const char *trace;
  int argc;
  char **argv;
  SlipSettings *settings;
} Call;

/* All processes have come to the same complaint, or one of them to its own. */
static int complain(const Call *call, const char *text) {
  int first = strcmp(text, "another process could not take its part") ? call->rank : call->ranks;
  int least = first;
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == least)
    fprintf(stderr, "slipcone-mpi: %s\n", text);
  return 2;
}

/* ---- Arguments ---- */

static int set_option(Call *call, const char *name, const char *value, SlipError *error) {
  char key[64];
  const char *equals = strchr(value, '=');
  if (strcmp(name, "set") != 0)
    return slip_settings_set(call->settings, name, value, error) != SLIP_OK;
  if (!equals || (size_t)(equals - value) >= sizeof key) {
    snprintf(error->text, sizeof error->text, "--set %s: KEY=VALUE is wanted", value);
    return 1;
  }
  memcpy(key, value, (size_t)(equals - value));
  key[equals - value] = '\0';
  return slip_settings_set(call->settings, key, equals + 1, error) != SLIP_OK;
}

static int take_flag(Call *call, const char *name, const char *value, SlipError *error) {
  static const char *const options[] = {"tol", "max-iter", "time-limit", "threads", "set"};
  for (size_t k = 0; k < sizeof options / sizeof *options; k++)
    if (!strcmp(name, options[k]))
      return set_option(call, name, value, error);
  if (!strcmp(name, "method"))
    return 0; /* read before the others */
  if (!strcmp(name, "out"))
    call->out = value;
  else if (!strcmp(name, "parts"))
    call->parts = value;
  else if (!strcmp(name, "checkpoint"))
    call->checkpoint = value;
  else if (!strcmp(name, "every"))
    call->every = strtod(value, NULL);
  else if (!strcmp(name, "pile"))
    call->pile = (int32_t)strtod(value, NULL);
  else if (!strcmp(name, "dimension"))
    call->dimension = (int32_t)strtol(value, NULL, 10);
  else if (!strcmp(name, "seed"))
    call->seed = strtoull(value, NULL, 10);
  else if (!strcmp(name, "trace"))
    call->trace = value;
  else if (!strcmp(name, "form")) {
    if (strcmp(value, "global") != 0) {
      snprintf(error->text, sizeof error->text,
               "--form %s: on many processes the global form is solved", value);
      return 1;
    }
  } else {
    snprintf(error->text, sizeof error->text, "there is no flag --%s", name);
    return 1;
  }
  return 0;
}

/* Flags without a value. */
static int take_switch(Call *call, const char *name) {
  if (!strcmp(name, "json"))
    call->json = 1;
  else if (!strcmp(name, "quiet"))
    call->quiet = 1;
  else if (!strcmp(name, "verbose"))
    call->verbose = 1;
  else if (!strcmp(name, "warm-start"))
    call->warm = 1;
  else
    return !strcmp(name, "no-diagnose"); /* nothing is, here */
  return 1;
}

static const char *find_method(int argc, char **argv, const char *method) {
  for (int k = 2; k + 1 < argc; k++)
    if (!strcmp(argv[k], "--method"))
      method = argv[k + 1];
  return method;
}

static int read_arguments(const char *method, Call *call, SlipError *error) {
  int argc = call->argc;
  char **argv = call->argv;
  if (argc < 2 || (strcmp(argv[1], "solve") != 0 && strcmp(argv[1], "traffic") != 0)) {
    snprintf(error->text, sizeof error->text, "solve or traffic is wanted; see --help");
    return 1;
  }
  call->command = argv[1];
  method = find_method(argc, argv, method);
  if (slip_settings_create(method, &call->settings, error) != SLIP_OK)
    return 1;
  for (int k = 2; k < argc; k++) {
    if (strncmp(argv[k], "--", 2) != 0) {
      call->file = argv[k];
    } else if (take_switch(call, argv[k] + 2)) {
      continue;
    } else if (k + 1 == argc) {
      snprintf(error->text, sizeof error->text, "%s wants a value", argv[k]);
      return 1;
    } else {
      const char *name = argv[k] + 2, *value = argv[++k];
      if (take_flag(call, name, value, error))
        return 1;
    }
  }
  if (call->warm && !call->file) {
    snprintf(error->text, sizeof error->text, "--warm-start wants a file");
    return 1;
  }
  if (!call->file == !(call->pile > 0)) {
    snprintf(error->text, sizeof error->text,
             "a file, or --pile with a number of contacts, is wanted");
    return 1;
  }
  return 0;
}

/* ---- Solve ---- */

static double memory_most(const Call *call, double *all) {
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  double own = (double)use.ru_maxrss * 1024, most = own;
  (void)call;
  MPI_Allreduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(&own, all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return most;
}

/* Whether the bits do not depend on the number of processes: so of methods that sweep only. */
static int has_same_bits(const SlipResult *result) {
  return strcmp(result->method, "auto") != 0 && !strstr(result->method, "ipm");
}

static void report(const Call *call, const SlipMpiProblem *problem, const SlipResult *result,
                   uint64_t fingerprint) {
  SlipMpiTraffic traffic = slip_default_mpi_traffic();
  double all = 0, most = memory_most(call, &all);
  int coupled = slip_mpi_problem_is_coupled(problem);
  if (!coupled)
    slip_mpi_problem_traffic(problem, call->ranks, &traffic, NULL);
  if (call->rank != 0 || call->quiet)
    return;
  const char *name = call->file ? call->file : "pile";
  if (call->json) {
    printf("{\"file\": \"%s\", \"outcome\": \"%s\", \"contacts\": %" PRId64 ", \"ranks\": %d, "
           "\"iterations\": %" PRId64 ", \"residual\": %.17g, \"physical\": %.17g, "
           "\"seconds\": %.6g, \"setup_seconds\": %.6g, \"open\": %d, \"stick\": %d, \"slip\": %d, "
           "\"impulses\": \"%016" PRIx64 "\", \"same_bits\": %s, \"bytes_per_sweep_most\": %" PRId64
           ", "
           "\"messages_per_sweep_most\": %" PRId64
           ", \"memory_most\": %.0f, \"memory_all\": %.0f}\n",
           name, slip_outcome_name(result->outcome), slip_mpi_problem_contacts(problem),
           call->ranks, result->iterations, result->residual, result->physical, result->seconds,
           result->setup_seconds, result->open, result->stick, result->slip, fingerprint,
           has_same_bits(result) ? "true" : "false", traffic.bytes_most, traffic.messages_most,
           most, all);
    return;
  }
  printf("%s: %s\n  size        %" PRId64 " contacts in %dD, %" PRId64 " %s\n", name,
         slip_outcome_name(result->outcome), slip_mpi_problem_contacts(problem),
         (int)slip_mpi_problem_dimension(problem), slip_mpi_problem_bodies(problem),
         coupled ? "degrees of freedom" : "bodies");
  printf("  method      %s\n  iterations  %" PRId64 " in %.3g s, set up in %.3g s\n",
         result->method, result->iterations, result->seconds, result->setup_seconds);
  printf("  error       %.4g (%s)\n  contacts    %d open, %d stick, %d slip\n", result->residual,
         result->reason, result->open, result->stick, result->slip);
  if (call->verbose)
    printf("  physical    %.4g\n  gap         %.4g\n", result->physical, result->gap);
  printf("  processes   %d", call->ranks);
  if (!coupled)
    printf(", each sweep %" PRId64 " messages of %" PRId64 " bytes from one at most",
           traffic.messages_most, traffic.bytes_most);
  printf("\n");
  printf("  memory      %.3g GB of one process at most, %.3g GB of all\n", most * 1e-9, all * 1e-9);
  printf("  impulses    %016" PRIx64 "%s\n", fingerprint,
         has_same_bits(result) ? "" : " (not the same bits on other numbers of processes)");
}

static SlipStatus make_problem(const Call *call, SlipMpiProblem **problem, SlipError *error) {
  return call->file ? slip_mpi_problem_read(MPI_COMM_WORLD, call->file, problem, error)
                    : slip_mpi_problem_pile(MPI_COMM_WORLD, call->pile, call->dimension, call->seed,
                                            problem, error);
}

/* Copy the problem's file to where the solution goes, on one process. */
static int copy_file(const char *from, const char *to) {
  char bytes[1 << 16];
  struct stat one, other;
  if (stat(from, &one) == 0 && stat(to, &other) == 0 && one.st_dev == other.st_dev &&
      one.st_ino == other.st_ino)
    return 1; /* it is the same file */
  FILE *in = fopen(from, "rb"), *out = in ? fopen(to, "wb") : NULL;
  size_t count = 1;
  int good = in && out;
  while (good && count > 0) {
    count = fread(bytes, 1, sizeof bytes, in);
    good = fwrite(bytes, 1, count, out) == count && !ferror(in);
  }
  if (in)
    fclose(in);
  if (out && fclose(out) != 0)
    good = 0;
  return good;
}

static SlipStatus write_result(const Call *call, const SlipMpiSolver *solver, SlipError *error) {
  int good = 1;
  if (!call->file)
    return slip_mpi_solver_write(solver, call->out, error);
  if (call->rank == 0)
    good = copy_file(call->file, call->out);
  MPI_Bcast(&good, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (good)
    return slip_mpi_solver_add(solver, call->out, error);
  snprintf(error->text, sizeof error->text, "%s cannot be written", call->out);
  return SLIP_ERROR_FILE;
}

/* As 'slipcone solve --trace' writes it, by one process. */
static SlipStatus write_trace(const Call *call, const SlipResult *result, SlipError *error) {
  int good = 1;
  if (call->rank == 0) {
    FILE *stream = fopen(call->trace, "w");
    good = stream && fprintf(stream, "iteration,error,seconds,physical\n") > 0;
    for (int32_t k = 0; good && k < result->trace_count; k++) {
      const SlipTracePoint *point = &result->trace[k];
      good = fprintf(stream, "%" PRId64 ",%.17g,%.9g,", (int64_t)point->iteration, point->residual,
                     point->seconds) > 0;
      if (good && k + 1 == result->trace_count)
        good = fprintf(stream, "%.17g", result->physical) > 0;
      good = good && fputc('\n', stream) != EOF;
    }
    if (stream && fclose(stream) != 0)
      good = 0;
  }
  MPI_Bcast(&good, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (good)
    return SLIP_OK;
  snprintf(error->text, sizeof error->text, "%s cannot be written", call->trace);
  return SLIP_ERROR_FILE;
}

/* Where nobody names a method, it is one that treats the problem. */
static SlipStatus choose_method(Call *call, const SlipMpiProblem *problem, SlipError *error) {
  if (!slip_mpi_problem_is_coupled(problem) || find_method(call->argc, call->argv, NULL))
    return SLIP_OK;
  slip_settings_free(call->settings);
  call->settings = NULL;
  return read_arguments("ipm", call, error) ? SLIP_ERROR_ARGUMENT : SLIP_OK;
}

static int solve(Call *call) {
  SlipMpiProblem *problem = NULL;
  SlipMpiSolver *solver = NULL;
  SlipError error = {0};
  uint64_t fingerprint = 0;
  int code = 2;
  SlipStatus status = make_problem(call, &problem, &error);
  if (status == SLIP_OK)
    status = choose_method(call, problem, &error);
  if (status == SLIP_OK)
    status = slip_mpi_solver_create(problem, call->settings, &solver, &error);
  if (status == SLIP_OK && call->checkpoint)
    status = slip_mpi_solver_checkpoint(solver, call->checkpoint, call->every, &error);
  if (status == SLIP_OK && call->warm)
    status = slip_mpi_solver_warm_start_file(solver, call->file, &error);
  if (status == SLIP_OK)
    status = slip_mpi_solver_run(solver, &error);
  if (status == SLIP_OK && call->trace)
    status = write_trace(call, slip_mpi_solver_result(solver), &error);
  if (status == SLIP_OK)
    status = slip_mpi_solver_fingerprint(solver, &fingerprint, &error);
  if (status == SLIP_OK && call->out)
    status = write_result(call, solver, &error);
  if (status == SLIP_OK) {
    const SlipResult *result = slip_mpi_solver_result(solver);
    report(call, problem, result, fingerprint);
    code = result->outcome == SLIP_SOLVED ? 0 : 1;
  } else {
    complain(call, error.text);
  }
  slip_mpi_solver_free(solver);
  slip_mpi_problem_free(problem);
  return code;
}

/* ---- Traffic ---- */

static int traffic(const Call *call) {
  SlipMpiProblem *problem = NULL;
  SlipError error = {0};
  SlipStatus status = make_problem(call, &problem, &error);
  const char *next = call->parts;
  if (status == SLIP_OK && call->rank == 0)
    printf("%6s %9s %10s %9s %9s %11s %12s\n", "parts", "chunks", "contacts", "ghosts", "messages",
           "bytes", "bytes of all");
  while (status == SLIP_OK && *next) {
    char *end;
    long parts = strtol(next, &end, 10);
    SlipMpiTraffic counted = slip_default_mpi_traffic();
    status = slip_mpi_problem_traffic(problem, (int32_t)parts, &counted, &error);
    if (status == SLIP_OK && call->rank == 0)
      printf("%6d %9" PRId64 " %10" PRId64 " %9" PRId64 " %9" PRId64 " %11" PRId64 " %12" PRId64
             "\n",
             (int)counted.parts, counted.chunks, counted.contacts_most, counted.ghosts_most,
             counted.messages_most, counted.bytes_most, counted.bytes_all);
    next = *end == ',' ? end + 1 : end + strlen(end);
  }
  if (status != SLIP_OK)
    complain(call, error.text);
  slip_mpi_problem_free(problem);
  return status == SLIP_OK ? 0 : 2;
}

/* ---- Fingerprint ---- */

static int fingerprint(const char *path) {
  SlipError error = {0};
  uint64_t number = 0;
  if (slip_mpi_file_fingerprint(path, &number, &error) != SLIP_OK) {
    fprintf(stderr, "slipcone-mpi: %s\n", error.text);
    return 2;
  }
  printf("%016" PRIx64 "\n", number);
  return 0;
}

int main(int argc, char **argv) {
  Call call = {.dimension = 3,
               .seed = 1,
               .every = 60,
               .parts = "2,4,8,16,32,64",
               .argc = argc,
               .argv = argv};
  SlipError error = {0};
  if (argc > 1 && (!strcmp(argv[1], "--help") || (argc > 2 && !strcmp(argv[2], "--help")))) {
    fputs(usage, stdout);
    return 0;
  }
  if (argc == 3 && !strcmp(argv[1], "fingerprint"))
    return fingerprint(argv[2]);
  int none = 0;
  PetscInitialize(&none, NULL, NULL, NULL); /* the flags are not PETSc's */
  MPI_Comm_rank(MPI_COMM_WORLD, &call.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &call.ranks);
  int code = 2;
  if (read_arguments("nsgs-accelerated", &call, &error))
    complain(&call, error.text);
  else
    code = strcmp(call.command, "solve") ? traffic(&call) : solve(&call);
  slip_settings_free(call.settings);
  PetscFinalize();
  return code;
}
