/* Files are recognised and read by their content; helpers of the readers. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/h5_check.h"
#include "io/io.h"
#include "io/market.h"

/* A path longer than this is shortened in messages, which have SLIP_ERROR_TEXT bytes in all. */
enum { PATH_SHOWN = 200 };

void slipi_file_error_prefix(SlipError *error, const char *path) {
  size_t length = strlen(path);
  if (length <= PATH_SHOWN)
    slipi_error_prefix(error, "%s", path);
  else
    slipi_error_prefix(error, "...%s", path + length - PATH_SHOWN);
}

SlipStatus slipi_fail_errno(SlipError *error, const char *what, int number) {
  char text[128];
  if (strerror_r(number, text, sizeof text) != 0)
    snprintf(text, sizeof text, "error %d", number);
  return slipi_fail(error, number == ENOMEM ? SLIP_ERROR_MEMORY : SLIP_ERROR_FILE, "%s: %s", what,
                    text);
}

SlipStatus slipi_file_check_form(const SlipFile *file, SlipWantForm form, SlipError *error) {
  if (form == SLIP_WANT_LOCAL && !file->has_local)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "holds only the global form, the local one was asked for");
  if (form == SLIP_WANT_GLOBAL && !file->has_global)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "holds only the local form, the global one was asked for");
  return SLIP_OK;
}

static SlipStatus read_bytes(int descriptor, char *bytes, size_t size, size_t *got,
                             SlipError *error) {
  *got = 0;
  while (*got < size) {
    ssize_t part = read(descriptor, bytes + *got, size - *got);
    if (part < 0 && errno == EINTR)
      continue;
    if (part < 0)
      return slipi_fail_errno(error, "cannot be read", errno);
    if (part == 0)
      break;
    *got += (size_t)part;
  }
  return SLIP_OK;
}

/* The whole file as text that ends with a zero byte. */
static SlipStatus read_all(int descriptor, off_t size, char **bytes, size_t *got,
                           SlipError *error) {
  *bytes = malloc((size_t)size + 1);
  if (!*bytes)
    return slipi_fail_memory(error, "the file's text");
  SlipStatus status = read_bytes(descriptor, *bytes, (size_t)size, got, error);
  if (status != SLIP_OK) {
    free(*bytes);
    *bytes = NULL;
    return status;
  }
  (*bytes)[*got] = '\0';
  return SLIP_OK;
}

static SlipStatus read_text(int descriptor, off_t size, SlipWantForm form, SlipiFile *file,
                            SlipError *error) {
  size_t got = 0;
  char *bytes = NULL;
  SlipStatus status = read_all(descriptor, size, &bytes, &got, error);
  if (status == SLIP_OK)
    status = slipi_siconos_read_memory(bytes, got, form, file, error);
  free(bytes);
  return status;
}

/* Refuse anything but a regular file with something in it. */
static SlipStatus check_regular(int descriptor, off_t *size, SlipError *error) {
  struct stat about;
  if (fstat(descriptor, &about) != 0)
    return slipi_fail_errno(error, "cannot be read", errno);
  if (S_ISDIR(about.st_mode))
    return slipi_fail(error, SLIP_ERROR_FILE, "is a directory");
  if (!S_ISREG(about.st_mode))
    return slipi_fail(error, SLIP_ERROR_FILE, "is not a regular file");
  if (about.st_size == 0)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "is empty");
  *size = about.st_size;
  return SLIP_OK;
}

static SlipStatus open_to_read(const char *path, int *descriptor, SlipError *error) {
  /* Not to wait where the path is a pipe that nobody writes to. */
  *descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  return *descriptor < 0 ? slipi_fail_errno(error, "cannot be opened", errno) : SLIP_OK;
}

SlipStatus slipi_file_bytes(const char *path, size_t most, char **bytes, size_t *size,
                            SlipError *error) {
  off_t length = 0;
  int descriptor;
  *bytes = NULL;
  SlipStatus status = open_to_read(path, &descriptor, error);
  if (status != SLIP_OK)
    return status;
  status = check_regular(descriptor, &length, error);
  if (status == SLIP_OK && (uintmax_t)length > most)
    status = slipi_fail(error, SLIP_ERROR_FORMAT, "has %lld bytes; at most %zu are read",
                        (long long)length, most);
  if (status == SLIP_OK)
    status = read_all(descriptor, length, bytes, size, error);
  close(descriptor);
  return status;
}

static SlipStatus read_open(int descriptor, const char *path, SlipWantForm form, SlipiFile *file,
                            SlipError *error) {
  struct stat about;
  off_t size = 0;
  if (fstat(descriptor, &about) == 0 && S_ISDIR(about.st_mode))
    return slipi_market_read_folder(path, form, file, error);
  SlipStatus status = check_regular(descriptor, &size, error);
  if (status != SLIP_OK)
    return status;
  SlipiH5Source source = {NULL, descriptor, (uint64_t)size};
  if (slipi_h5_find(&source, NULL))
    return slipi_fclib_read_path(path, &source, form, file, error);
  return read_text(descriptor, size, form, file, error);
}

static SlipStatus read_path(const char *path, SlipWantForm form, SlipiFile *file,
                            SlipError *error) {
  int descriptor;
  SlipStatus status = open_to_read(path, &descriptor, error);
  if (status != SLIP_OK)
    return status;
  status = read_open(descriptor, path, form, file, error);
  close(descriptor);
  return status;
}

/* Hand over what has been read, or free it and name the file in the message. */
static SlipStatus finish(SlipStatus status, const char *name, SlipiFile *read, SlipFile **file,
                         SlipError *error) {
  if (status == SLIP_OK) {
    *file = &read->file;
    return SLIP_OK;
  }
  slip_file_free(&read->file);
  slipi_file_error_prefix(error, name);
  return status;
}

static SlipStatus check_arguments(const char *path, SlipWantForm form, SlipFile **file,
                                  SlipError *error) {
  slipi_error_clear(error);
  if (!file)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "file is NULL");
  *file = NULL;
  if (!path)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "path is NULL");
  if (form < SLIP_WANT_ANY || form > SLIP_WANT_GLOBAL)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no form %d", (int)form);
  return SLIP_OK;
}

static SlipiFile *new_file(const char *name, SlipError *error) {
  SlipiFile *read = calloc(1, sizeof *read);
  if (read)
    read->file.size = sizeof read->file;
  else
    slipi_fail_memory(error, name);
  return read;
}

SlipStatus slip_file_read(const char *path, SlipWantForm form, SlipFile **file, SlipError *error) {
  SlipStatus status = check_arguments(path, form, file, error);
  if (status != SLIP_OK)
    return status;
  SlipiFile *read = new_file(path, error);
  if (!read)
    return SLIP_ERROR_MEMORY;
  return finish(read_path(path, form, read, error), path, read, file, error);
}

SlipStatus slip_file_read_memory(const char *name, const void *bytes, size_t size,
                                 SlipWantForm form, SlipFile **file, SlipError *error) {
  SlipStatus status = check_arguments(name, form, file, error);
  if (status != SLIP_OK)
    return status;
  if (!bytes && size > 0)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s: bytes is NULL", name);
  SlipiFile *read = new_file(name, error);
  if (!read)
    return SLIP_ERROR_MEMORY;
  if (size == 0)
    status = slipi_fail(error, SLIP_ERROR_FORMAT, "is empty");
  else if (slipi_h5_find(&(SlipiH5Source){bytes, -1, size}, NULL))
    status = slipi_fclib_read_memory(bytes, size, form, read, error);
  else
    status = slipi_siconos_read_memory(bytes, size, form, read, error);
  return finish(status, name, read, file, error);
}

void slip_file_free(SlipFile *file) {
  if (!file)
    return;
  SlipiFile *read = (SlipiFile *)file;
  slip_problem_free(file->problem);
  slipi_arena_free(&read->arena);
  free(read);
}
