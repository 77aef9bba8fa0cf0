#include "command.h"

#include <stdio.h>
#include <string.h>

#include <slipcone/slipcone.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define HELP_FLAG                                                                                  \
  { "help", CLI_SWITCH, NULL, "show this help and exit" }
#define FORM_FLAG                                                                                  \
  {                                                                                                \
    "form", CLI_FORM, "FORM",                                                                      \
        "the form to read, local or global, where a file holds both (default: local)"              \
  }

static const CliFlag solve_flags[] = {
    {"method", CLI_METHOD, "METHOD", "the method; 'slipcone list' names them (default: auto)"},
    {"tol", CLI_NUMBER, "T", NULL},
    {"max-iter", CLI_WHOLE, "N", NULL},
    {"time-limit", CLI_NUMBER, "S", NULL},
    {"threads", CLI_WHOLE, "N", NULL},
    {"set", CLI_SETTING, "KEY=VALUE",
     "set an option of the method; may be repeated ('slipcone list METHOD' names the options)"},
    {"warm-start", CLI_SWITCH, NULL,
     "start from the solution in the file, or else from its first guess"},
    FORM_FLAG,
    {"out", CLI_FILE, "PATH",
     "write each problem with the point found in /solution, solved or not: a file for one input, "
     "a directory (made if need be) for several"},
    {"diagnose", CLI_SWITCH, NULL,
     "where a run ends without a solution, find out whether there is one (the default)"},
    {"no-diagnose", CLI_SWITCH, NULL, "do not"},
    {"json", CLI_SWITCH, NULL, "print one JSON object per file, one per line"},
    {"table", CLI_SWITCH, NULL,
     "print a line for each contact too: status, impulse r, velocity u and its share of the error"},
    {"quiet", CLI_SWITCH, NULL,
     "print no summary, remark or progress: the exit code and complaints tell"},
    {"verbose", CLI_SWITCH, NULL,
     "print the options of the run, the bipotential gap and why it ended, too"},
    {"trace", CLI_FILE, "FILE.csv", "write iteration, error and seconds of the run as CSV"},
    {"plot", CLI_FILE, "FILE.svg",
     "draw the error against iterations and against seconds, with the tolerances"},
    HELP_FLAG,
};

static const CliFlag info_flags[] = {
    FORM_FLAG,
    {"json", CLI_SWITCH, NULL, "print one JSON object per file, one per line"},
    HELP_FLAG,
};

static const CliFlag check_flags[] = {
    {"enumerate", CLI_SWITCH, NULL,
     "where the criterion fails, try every combination of open, stick and slip (2D, or one contact "
     "in 3D) and list all solutions"},
    {"margin", CLI_SWITCH, NULL, "compute the margin also where a shortcut has decided"},
    {"tol", CLI_NUMBER, "T",
     "tolerance of the margin, as a share of the size of w (default: 1e-9)"},
    {"nodes", CLI_WHOLE, "N",
     "part-combinations the enumeration looks at, at most (default: 1000000)"},
    {"time-limit", CLI_NUMBER, "S", "seconds for each file (default: none)"},
    {"mass", CLI_SWITCH, NULL,
     "factor M, where one look at it does not tell that it is positive definite, as the criterion "
     "needs"},
    {"no-solve", CLI_SWITCH, NULL, "do not try a solver where the criterion fails"},
    {"form", CLI_FORM, "FORM",
     "the form to read, local or global, where a file holds both (default: global)"},
    {"json", CLI_SWITCH, NULL, "print one JSON object per file, one per line"},
    HELP_FLAG,
};

static const CliFlag convert_flags[] = {
    {"reduce", CLI_SWITCH, NULL, "reduce a global problem to the local one, W = H' M^-1 H"},
    FORM_FLAG,
    HELP_FLAG,
};

static const CliFlag generate_flags[] = {
    {"out", CLI_FILE, "FILE",
     "where to write the problem; as Siconos text where the name ends in .dat"},
    {"contacts", CLI_WHOLE, "N",
     "how many contacts; kinds made of bodies come as near as their shape allows"},
    {"dimension", CLI_WHOLE, "D", "2 or 3"},
    {"mu", CLI_NUMBER, "X", "coefficient of friction"},
    {"seed", CLI_WHOLE, "S", "seed of the random numbers"},
    {"condition", CLI_NUMBER, "C", "condition number of W, for the kinds that choose it"},
    {"angle", CLI_NUMBER, "A", "angle in radians, for the kinds that have one"},
    {"speed", CLI_NUMBER, "V", "speed of the obstacle that moves, for the kinds that have one"},
    {"gravity", CLI_NUMBER, "G",
     "what gravity adds to a velocity in the time step, upwards, for the kinds that have it"},
    {"list", CLI_SWITCH, NULL, "list the kinds with their defaults and exit"},
    HELP_FLAG,
};

static const CliFlag list_flags[] = {
    {"json", CLI_SWITCH, NULL, "print one JSON object"},
    HELP_FLAG,
};

#define DRAWING_FLAGS                                                                              \
  {"report", CLI_FILE, "FILE.html", "write a report, one HTML file that works offline"}, {         \
    "plot", CLI_FILE, "FILE.svg", "draw the performance profile"                                   \
  }

static const CliFlag bench_flags[] = {
    {"out", CLI_FILE, "FILE.csv",
     "the results, one row per run; runs it already holds are not done again"},
    {"methods", CLI_METHOD, "LIST",
     "names parted by commas, with options as in nsgs[order=shuffle-once,seed=3]; family:NAME; or "
     "all (default)"},
    {"tol", CLI_TEXT, "LIST", "tolerances parted by commas (default: 1e-4,1e-8)"},
    {"time-limit", CLI_NUMBER, "S", "seconds a run may take (default: 60)"},
    {"campaign", CLI_FILE, "FILE",
     "a campaign's definition: tolerances and time limits by family, methods, limits"},
    {"repeat", CLI_WHOLE, "N", "solve N times and count the least time (default: 1)"},
    {"jobs", CLI_WHOLE, "N", "runs at a time (default: 1)"},
    {"memory", CLI_NUMBER, "MIB", "memory a run may use, 0 for any (default: 4096)"},
    {"peers", CLI_PEER, "NAME", "also run another library's solvers: siconos"},
    {"shard", CLI_TEXT, "K/N",
     "only every N-th run, from the K-th on: a part of a campaign that machines share"},
    {"merge", CLI_SWITCH, NULL,
     "run nothing: the PATHs are results files, and --out gets the rows of all"},
    DRAWING_FLAGS,
    HELP_FLAG,
};

static const CliFlag profile_flags[] = {
    {"tol", CLI_NUMBER, "T",
     "only runs at this tolerance (default: all, each with a problem counts as a problem)"},
    {"family", CLI_TEXT, "NAME", "only problems of this family"},
    {"measure", CLI_MEASURE, "M", "time (default), time-per-contact or error-at-budget"},
    {"budget", CLI_NUMBER, "S", "seconds, for error-at-budget (default: 0.1)"},
    DRAWING_FLAGS,
    HELP_FLAG,
};

static const CliFlag sim_flags[] = {
    {"out", CLI_FILE, "RUN.h5", "record the trajectory (default: nothing is recorded)"},
    {"end", CLI_NUMBER, "T", "simulate up to this time, in place of the scene's time.end"},
    {"step", CLI_NUMBER, "H", "time step, in place of the scene's time.step"},
    {"method", CLI_METHOD, "METHOD", "method of the solver, in place of the scene's solver.method"},
    {"tol", CLI_NUMBER, "T", "tolerance of the solver, in place of the scene's solver.tol"},
    {"threads", CLI_WHOLE, "N", "threads, in place of the scene's solver.threads"},
    {"set", CLI_SETTING, "KEY=VALUE",
     "another value in the scene, such as let.mu=0.3 or bodies.0.position='[0, 0, 1]'; may be "
     "repeated"},
    {"restart", CLI_FILE, "RUN.h5[@TIME]",
     "go on from the last snapshot of a trajectory (at or before TIME), which is recorded on "
     "unless "
     "--out names another; its scene is used where none is given"},
    {"dump-problems", CLI_FILE, "DIR", "write contact problems of steps as FCLIB files"},
    {"dump", CLI_TEXT, "WHICH",
     "every:N, every so many steps; hard:N, the N that took most iterations times contacts; or "
     "failed, those not solved (default)"},
    {"check", CLI_SWITCH, NULL, "only read the scene and say whether it is right"},
    {"json", CLI_SWITCH, NULL, "print one JSON object in place of the summary"},
    {"quiet", CLI_SWITCH, NULL, "print no summary and no progress"},
    HELP_FLAG,
};

static const CliFlag export_flags[] = {
    {"vtk", CLI_FILE, "DIR", "write run.pvd with its files to this folder, made if need be"},
    {"xdmf", CLI_FILE, "DIR", "write run.xdmf with run-frames.h5 to this folder, made if need be"},
    {"every", CLI_WHOLE, "N", "every N-th frame only, of --vtk and --xdmf (default: 1)"},
    {"svg", CLI_FILE, "FILE.svg", "draw one frame"},
    {"at", CLI_NUMBER, "TIME", "which one: the last up to this time (default: the last)"},
    {"view", CLI_TEXT, "A,E", "from where: azimuth and elevation in degrees (default: -60,20)"},
    HELP_FLAG,
};

static const CliFlag view_flags[] = {
    {"out", CLI_FILE, "PAGE.html", "where to write the page"},
    {"every", CLI_WHOLE, "N", "every N-th frame only (default: 1)"},
    {"contacts", CLI_WHOLE, "N",
     "contacts to keep of all frames together, about; where there are more, those of frames evenly "
     "apart are kept; 0: none (default: 250000)"},
    {"solve", CLI_SWITCH, NULL, "solve a problem, whether or not the file holds a solution"},
    {"tol", CLI_NUMBER, "T", NULL},
    FORM_FLAG,
    HELP_FLAG,
};

static const CliFlag tool_flags[] = {
    {"version", CLI_SWITCH, NULL, "print the version and exit"},
    {"man", CLI_SWITCH, NULL, "print the man page (roff) and exit"},
    {"completion", CLI_SHELL, "SHELL",
     "print the completion script of a shell (bash, zsh or fish) and exit"},
    HELP_FLAG,
};

const CliCommand cli_commands[] = {
    {.name = "solve",
     .operands = "FILE...",
     .operand_kind = CLI_FILE,
     .min_operands = 1,
     .max_operands = -1,
     .flag_count = COUNT(solve_flags),
     .flags = solve_flags,
     .summary = "solve the problems in files",
     .description =
         "Reads each file (FCLIB HDF5, Siconos text or a folder of Matrix Market files, told by "
         "content; - is standard input), "
         "solves it and prints a "
         "summary: size, method, iterations, time, error and how many contacts are open, stick "
         "and slip.\n"
         "On a terminal a progress line appears for runs over a second. An interrupt (Ctrl-C) "
         "ends the run and still reports and writes the best point seen; a second one ends the "
         "tool.\n"
         "A file that cannot be read or solved does not stop the others. Input files are never "
         "written over.",
     .exit_text = "0 when every file is solved, 1 when a run ended without a solution, 2 for wrong "
                  "usage, bad input or a result that cannot be written.",
     .examples = "slipcone solve problem.hdf5\n"
                 "slipcone solve --method psor --set omega=1.3 --tol 1e-8 problem.hdf5\n"
                 "slipcone solve --json --time-limit 60 --out solved/ *.hdf5\n"
                 "gunzip -c problem.dat.gz | slipcone solve --table -",
     .run = cli_run_solve},
    {.name = "info",
     .operands = "PATH...",
     .operand_kind = CLI_FILE,
     .min_operands = 1,
     .max_operands = -1,
     .flag_count = COUNT(info_flags),
     .flags = info_flags,
     .summary = "describe the problems in files",
     .description =
         "Prints the form, contacts, degrees of freedom, range of mu, contact density, non-zeros "
         "and asymmetry of W, and its rank and condition number (from singular values for small "
         "problems, estimated for large ones), of a file, a folder of Matrix Market files or - "
         "(standard input). Of any other folder: a row for each family of problems (each folder "
         "in it), as in Table 5 of Acary, Bremond and Huber (2018).",
     .examples = "slipcone info problem.hdf5\n"
                 "slipcone info problems/\n"
                 "slipcone info --json *.hdf5",
     .run = cli_run_info},
    {.name = "check",
     .operands = "FILE...",
     .operand_kind = CLI_FILE,
     .min_operands = 1,
     .max_operands = -1,
     .flag_count = COUNT(check_flags),
     .flags = check_flags,
     .summary = "find out whether the problems in files have a solution",
     .description =
         "Looks for a velocity v that gives every contact a relative velocity H' v + w in the dual "
         "of its friction cone: then there is a solution. The verdict is ROBUST (with a margin), "
         "EXISTS, NOT CERTIFIED (the criterion fails, which with friction proves nothing yet), NO "
         "SOLUTION (proved) or UNKNOWN. Where the criterion fails the impulses a file holds are "
         "tried, and a solver.",
     .exit_text = "0 when every file has a solution, 1 when one is undecided, 2 for wrong usage or "
                  "bad input, 3 when one is proved to have no solution.",
     .examples = "slipcone check problem.hdf5\n"
                 "slipcone check --enumerate --json rod.hdf5",
     .run = cli_run_check},
    {.name = "convert",
     .operands = "IN OUT",
     .operand_kind = CLI_FILE,
     .min_operands = 2,
     .max_operands = 2,
     .flag_count = COUNT(convert_flags),
     .flags = convert_flags,
     .summary = "convert a problem to FCLIB HDF5 or Siconos text",
     .description = "Reads FCLIB HDF5, Siconos text or a folder of Matrix Market files and writes "
                    "FCLIB HDF5, with the solution, "
                    "the guesses and the descriptions the input holds; or, where OUT ends in .dat, "
                    "the problem as Siconos text.",
     .examples = "slipcone convert problem.dat problem.hdf5\n"
                 "slipcone convert problem.hdf5 problem.dat\n"
                 "slipcone convert --reduce global.hdf5 local.hdf5",
     .run = cli_run_convert},
    {.name = "generate",
     .operands = "KIND --out FILE",
     .operand_kind = CLI_GENERATOR,
     .min_operands = 0,
     .max_operands = 1,
     .flag_count = COUNT(generate_flags),
     .flags = generate_flags,
     .summary = "make a built-in problem",
     .description = "Writes a problem of the kind named, with its solution in /solution where it "
                    "is known by construction. The same flags give the same problem.",
     .examples = "slipcone generate --list\n"
                 "slipcone generate random --contacts 500 --mu 0.7 --seed 7 --out problem.hdf5",
     .run = cli_run_generate},
    {.name = "list",
     .operands = "[METHOD|FAMILY]",
     .operand_kind = CLI_METHOD,
     .min_operands = 0,
     .max_operands = 1,
     .flag_count = COUNT(list_flags),
     .flags = list_flags,
     .summary = "list the methods, those of a family, or the options of one",
     .description =
         "Without an operand: the methods by families, without those that are presets of "
         "another. With FAMILY: all of its methods. With METHOD: its options, with "
         "default, range and meaning.",
     .examples = "slipcone list\n"
                 "slipcone list splitting\n"
                 "slipcone list nsgs",
     .run = cli_run_list},
    {.name = "bench",
     .operands = "PATH... --out FILE.csv",
     .operand_kind = CLI_FILE,
     .min_operands = 1,
     .max_operands = -1,
     .flag_count = COUNT(bench_flags),
     .flags = bench_flags,
     .summary = "run many methods on many problems and compare them",
     .description =
         "Runs every method on every problem, each run in a process of its own with limits of "
         "time and memory: a crash, a hang or a run that eats memory is a row of the results, "
         "never the end of the campaign. The error of each result is recomputed by the bench. "
         "PATHs are files, and folders searched for .hdf5, .h5 and .dat files and for folders of "
         "Matrix Market files; a problem's family is the folder that holds it.\n"
         "Stopped by Ctrl-C, killed or broken off, the same command goes on where it was.",
     .exit_text = "0 when all runs are done, whatever came out of them, 1 when the campaign was "
                  "interrupted, 2 for wrong usage or a problem that cannot be read.",
     .examples = "slipcone bench problems/ --out results.csv --report report.html\n"
                 "slipcone bench *.hdf5 --methods 'nsgs,psor[omega=1.3]' --out results.csv\n"
                 "slipcone bench problems/ --campaign c.txt --peers siconos --out results.csv\n"
                 "slipcone bench problems/ --shard 3/16 --out part-3.csv\n"
                 "slipcone bench --merge part-*.csv --out results.csv",
     .run = cli_run_bench},
    {.name = "profile",
     .operands = "RESULTS.csv",
     .operand_kind = CLI_FILE,
     .min_operands = 1,
     .max_operands = 1,
     .flag_count = COUNT(profile_flags),
     .flags = profile_flags,
     .summary = "performance profiles of a results file",
     .description = "Prints the performance profiles of the methods in a file that "
                    "'slipcone bench' wrote (Acary, Bremond and Huber 2018, eq. 133 to 135), and "
                    "the times of the fastest (Table 6 there); draws them where --plot or --report "
                    "asks for it.",
     .examples = "slipcone profile results.csv --tol 1e-8\n"
                 "slipcone profile results.csv --family Chain --plot chain.svg",
     .run = cli_run_profile},
    {.name = "sim",
     .operands = "SCENE.yaml",
     .operand_kind = CLI_FILE,
     .min_operands = 0,
     .max_operands = 1,
     .flag_count = COUNT(sim_flags),
     .flags = sim_flags,
     .summary = "simulate a scene of bodies in contact",
     .description =
         "Steps the bodies of a scene in time, with exact Coulomb friction at each contact point, "
         "and says how exact each step was. On a terminal a line shows time, time left, contacts, "
         "error and energy that is not accounted for.\n"
         "A step that is not solved is named, with the verdict on whether a solution exists and a "
         "file with its problem. An interrupt (Ctrl-C) ends the run after a last snapshot, from "
         "which --restart goes on with the same bits.",
     .exit_text =
         "0 when every step is solved, 1 when one is not or the run was interrupted, 2 for "
         "wrong usage, a mistake in the scene or a result that cannot be written.",
     .examples = "slipcone sim scenes/block-on-slope.yaml\n"
                 "slipcone sim scenes/beads-150.yaml --out run.h5 --set let.mu=0.3\n"
                 "slipcone sim --restart run.h5@1.5 --end 3\n"
                 "slipcone sim scenes/arch-falls.yaml --dump-problems problems --dump hard:10",
     .run = cli_run_sim},
    {.name = "export",
     .operands = "RUN.h5",
     .operand_kind = CLI_FILE,
     .min_operands = 1,
     .max_operands = 1,
     .flag_count = COUNT(export_flags),
     .flags = export_flags,
     .summary = "write a trajectory as files for ParaView, or draw a frame",
     .description = "Writes the posed surfaces of all bodies and the contact points with their "
                    "impulses, a file each for every frame, and run.pvd, which lists them with "
                    "their times; or the same as XDMF with one HDF5 file; or a drawing of one "
                    "frame.",
     .examples = "slipcone export run.h5 --vtk vtk\n"
                 "slipcone export run.h5 --xdmf xdmf --every 10\n"
                 "slipcone export run.h5 --svg arch.svg --at 1.5 --view -90,10",
     .run = cli_run_export},
    {.name = "view",
     .operands = "FILE --out PAGE.html",
     .operand_kind = CLI_FILE,
     .min_operands = 1,
     .max_operands = 1,
     .flag_count = COUNT(view_flags),
     .flags = view_flags,
     .summary = "make a page that plays a trajectory, or shows a problem",
     .description =
         "Writes one HTML file that opens in a browser without a network. Of a trajectory: bodies "
         "in motion, impulses coloured by status, energy and error curves, figures of the body or "
         "contact that is picked. Of a problem with a solution: its contacts as a graph, their "
         "status, and where the error sits.",
     .examples = "slipcone view run.h5 --out run.html\n"
                 "slipcone view --solve problem.hdf5 --out problem.html",
     .run = cli_run_view},
};
const int cli_command_count = COUNT(cli_commands);

const CliCommand cli_tool = {
    .name = "",
    .operands = "COMMAND",
    .flag_count = COUNT(tool_flags),
    .flags = tool_flags,
    .summary = "solve frictional contact problems",
    .description = "Slipcone solves discrete contact problems with exact Coulomb friction: "
                   "u = W r + q, or in global form M v = H r + f, u = H' v + w, with the "
                   "unilateral contact law and Coulomb friction at each contact.",
    .exit_text = "0 when every file is solved (or the command did its work), 1 when a run ended "
                 "without a solution, 2 for wrong usage, bad input or a result that cannot be "
                 "written, 3 when 'check' proves that a problem has no solution."};

const char *cli_exit_text(const CliCommand *command) {
  return command->exit_text ? command->exit_text
                            : "0 when the command did its work, 2 for wrong usage, bad input or a "
                              "result that cannot be written.";
}

const CliCommand *cli_command_find(const char *name) {
  for (int k = 0; k < cli_command_count; k++)
    if (!strcmp(cli_commands[k].name, name))
      return &cli_commands[k];
  return NULL;
}

/* The common option a flag sets; NULL where it sets none. */
static const SlipOptionInfo *option_of(const CliFlag *flag) {
  int count = 0;
  const SlipOptionInfo *options = slip_common_options(&count);
  for (int k = 0; !flag->help && k < count; k++)
    if (!strcmp(options[k].name, flag->name))
      return &options[k];
  return NULL;
}

void cli_flag_text(const CliFlag *flag, char *text, size_t size) {
  const SlipOptionInfo *option = option_of(flag);
  if (option)
    snprintf(text, size, "%s (default: %s)", option->help,
             strcmp(option->initial, "inf") ? option->initial : "none");
  else
    snprintf(text, size, "%s", flag->help);
}
