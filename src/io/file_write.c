/* Writing a file so that a failure leaves the old one as it was. */
/* For realpath. NOLINTNEXTLINE(bugprone-reserved-identifier) */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/versioned.h"
#include "contact/problem.h"
#include "io/io.h"

/* ---- What may be written ----------------------------------------------------------------- */

static SlipStatus check_solution(const SlipProblem *problem, const char *name,
                                 const SlipSolution *given, SlipError *error) {
  SlipSolution known = slip_default_solution();
  if (!given)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s is NULL", name);
  SlipStatus status = slipi_versioned_read("solution", given, &known, sizeof known, error);
  if (status != SLIP_OK)
    return status;
  const SlipSolution *solution = &known;
  int32_t contacts = slip_problem_contacts(problem), dimension = slip_problem_dimension(problem);
  if (solution->contacts != contacts || solution->dimension != dimension)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "%s has %d contacts of dimension %d, the problem %d of dimension %d", name,
                      solution->contacts, solution->dimension, contacts, dimension);
  if (contacts > 0 && (!solution->r || !solution->u))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s: r or u is NULL", name);
  int32_t dof =
      slip_problem_form(problem) != SLIP_FORM_LOCAL ? slip_problem_dof(problem) : solution->dof;
  if (solution->v && (solution->dof < 0 || solution->dof != dof))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "%s has v with %d degrees of freedom, the problem %d", name, solution->dof,
                      slip_problem_dof(problem));
  return SLIP_OK;
}

static SlipStatus check_content(const SlipWrite *content, SlipError *error) {
  if (!SLIPI_IS_PROBLEM(content->problem))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no problem to write");
  if (content->guess_count < 0 || (content->guess_count > 0 && !content->guesses))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "guess_count is %d with guesses %s",
                      content->guess_count, content->guesses ? "given" : "NULL");
  if (content->format != SLIP_FORMAT_FCLIB && content->format != SLIP_FORMAT_SICONOS)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no format %d", (int)content->format);
  SlipStatus status = SLIP_OK;
  if (content->solution)
    status = check_solution(content->problem, "the solution", content->solution, error);
  for (int32_t k = 0; status == SLIP_OK && k < content->guess_count; k++)
    status = check_solution(content->problem, "a guess", content->guesses[k], error);
  return status;
}

/* ---- Replacing a file -------------------------------------------------------------------- */

typedef struct Replacement {
  char *target;    /* the file that is replaced: `path` with a symbolic link followed */
  char *temporary; /* beside it */
  int descriptor;
  mode_t mode; /* of the file that is there, 0 where there is none */
} Replacement;

static SlipStatus check_target(Replacement *replacement, const char *path, SlipError *error) {
  struct stat about;
  if (stat(path, &about) != 0) {
    if (errno != ENOENT)
      return slipi_fail_errno(error, "cannot be written", errno);
    replacement->target = strdup(path);
  } else {
    /* Renaming over a device or a directory would be a surprise. */
    if (S_ISDIR(about.st_mode))
      return slipi_fail(error, SLIP_ERROR_FILE, "cannot be written: is a directory");
    if (!S_ISREG(about.st_mode))
      return slipi_fail(error, SLIP_ERROR_FILE, "cannot be written: is not a regular file");
    if (access(path, W_OK) != 0)
      return slipi_fail_errno(error, "cannot be written", errno);
    replacement->mode = about.st_mode & 0777;
    replacement->target = realpath(path, NULL);
  }
  return replacement->target ? SLIP_OK : slipi_fail_errno(error, "cannot be written", errno);
}

static SlipStatus open_temporary(Replacement *replacement, SlipError *error) {
  const char *slash = strrchr(replacement->target, '/');
  int folder = slash ? (int)(slash - replacement->target) + 1 : 0;
  size_t room = (size_t)folder + 64;
  replacement->temporary = malloc(room);
  if (!replacement->temporary)
    return slipi_fail_memory(error, "a file name");
  enum { ATTEMPTS = 1000 };
  for (int k = 0; k < ATTEMPTS && replacement->descriptor < 0; k++) {
    snprintf(replacement->temporary, room, "%.*s.slipcone-%ld-%d.tmp", folder, replacement->target,
             (long)getpid(), k);
    replacement->descriptor =
        open(replacement->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (replacement->descriptor < 0 && errno != EEXIST)
      break;
  }
  if (replacement->descriptor >= 0)
    return SLIP_OK;
  int number = errno;
  free(replacement->temporary);
  replacement->temporary = NULL; /* not ours to remove */
  return slipi_fail_errno(error, "cannot be written", number);
}

static int write_bytes(int descriptor, const char *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t part = write(descriptor, bytes + done, size - done);
    if (part < 0 && errno != EINTR)
      return errno;
    done += part > 0 ? (size_t)part : 0;
  }
  return fsync(descriptor) == 0 ? 0 : errno;
}

/* The new name is on the disk only once its folder is. Where that cannot be had, the file is
 * whole all the same, so a failure here is none of the write's. */
static void sync_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
  int descriptor = folder ? open(folder, O_RDONLY | O_CLOEXEC) : -1;
  if (descriptor >= 0) {
    (void)fsync(descriptor);
    close(descriptor);
  }
  free(folder);
}

static SlipStatus fill_and_rename(Replacement *replacement, const void *bytes, size_t size,
                                  SlipError *error) {
  int failed = write_bytes(replacement->descriptor, bytes, size);
  if (!failed && replacement->mode && fchmod(replacement->descriptor, replacement->mode) != 0)
    failed = errno;
  if (close(replacement->descriptor) != 0 && !failed)
    failed = errno;
  replacement->descriptor = -1;
  if (!failed && rename(replacement->temporary, replacement->target) != 0)
    failed = errno;
  if (failed) {
    unlink(replacement->temporary);
    return slipi_fail_errno(error, "cannot be written", failed);
  }
  sync_folder(replacement->target);
  return SLIP_OK;
}

static SlipStatus replace_file(const char *path, const void *bytes, size_t size, SlipError *error) {
  Replacement replacement = {.descriptor = -1};
  SlipStatus status = check_target(&replacement, path, error);
  if (status == SLIP_OK && replacement.target)
    status = open_temporary(&replacement, error);
  if (status == SLIP_OK && replacement.temporary)
    status = fill_and_rename(&replacement, bytes, size, error);
  free(replacement.target);
  free(replacement.temporary);
  return status;
}

SlipStatus slip_file_write(const char *path, const SlipWrite *content, SlipError *error) {
  slipi_error_clear(error);
  if (!path)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "path is NULL");
  void *image = NULL;
  size_t size = 0;
  SlipProblem *assembled = NULL; /* the format has no bodies */
  SlipWrite known = slip_default_write();
  SlipStatus status = content ? slipi_versioned_read("write", content, &known, sizeof known, error)
                              : slipi_fail(error, SLIP_ERROR_ARGUMENT, "content is NULL");
  if (status == SLIP_OK)
    status = check_content(&known, error);
  if (status == SLIP_OK && slip_problem_form(known.problem) == SLIP_FORM_BODIES)
    status = slip_problem_assemble(known.problem, &assembled, error);
  if (assembled)
    known.problem = assembled;
  if (status == SLIP_OK)
    status = known.format == SLIP_FORMAT_SICONOS ? slipi_siconos_image(&known, &image, &size, error)
                                                 : slipi_fclib_image(&known, &image, &size, error);
  slip_problem_free(assembled);
  if (status == SLIP_OK)
    status = replace_file(path, image, size, error);
  free(image);
  if (status != SLIP_OK)
    slipi_file_error_prefix(error, path);
  return status;
}
