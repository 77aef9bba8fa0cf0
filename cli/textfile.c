/* Text files that appear only when whole, and questions about paths. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "output.h"

char *cli_format(const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (text)
    vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  va_end(args);
  return text;
}

int cli_text_open(CliTextFile *file, const char *path) {
  *file = (CliTextFile){0};
  file->path = cli_format("%s", path);
  file->temporary = cli_format("%s.%ld.tmp", path, (long)getpid());
  if (!file->path || !file->temporary) {
    cli_text_discard(file);
    return cli_complain("no memory to open %s", path);
  }
  /* O_EXCL: never follow or empty what somebody else has put there. */
  int descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (descriptor >= 0 && !(file->stream = fdopen(descriptor, "w"))) {
    close(descriptor);
    unlink(file->temporary);
  }
  if (!file->stream) {
    int code = cli_complain("%s cannot be written: %s", path, strerror(errno));
    cli_text_discard(file);
    return code;
  }
  return 0;
}

int cli_text_commit(CliTextFile *file) {
  errno = 0;
  int failed = ferror(file->stream);
  if (fclose(file->stream) != 0)
    failed = 1;
  if (!failed && rename(file->temporary, file->path) != 0)
    failed = 1;
  int code = 0;
  if (failed) {
    code = cli_complain("%s cannot be written: %s", file->path,
                        errno ? strerror(errno) : "an earlier write failed");
    unlink(file->temporary);
  }
  file->stream = NULL;
  cli_text_discard(file);
  return code;
}

void cli_text_discard(CliTextFile *file) {
  if (file->stream)
    fclose(file->stream);
  if (file->stream && file->temporary)
    unlink(file->temporary);
  free(file->path);
  free(file->temporary);
  *file = (CliTextFile){0};
}

const char *cli_base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

int cli_is_directory(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

int cli_same_file(const char *a, const char *b) {
  struct stat first, second;
  return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

int cli_check_target(const char *path) {
  const char *name = cli_base_name(path);
  if (!*name)
    return cli_complain("'%s' is not the name of a file", path);
  struct stat status;
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
    return cli_complain("%s is not a plain file and is left alone", path);
  char *directory = name == path ? cli_format(".") : cli_format("%.*s", (int)(name - path), path);
  if (!directory)
    return cli_complain("no memory to check %s", path);
  int code = 0;
  if (access(directory, W_OK) != 0)
    code = cli_complain("%s cannot be written: %s: %s", path, directory, strerror(errno));
  else if (!cli_is_directory(directory))
    code = cli_complain("%s cannot be written: %s is not a directory", path, directory);
  free(directory);
  return code;
}
