#include "peers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "output.h"

static const char program[] = "slipcone-peer-siconos";

/* Beside the tool, wherever that was installed. */
static char *find_tool(void) {
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0)
    return NULL;
  self[length] = '\0';
  char *path = cli_format("%.*s%s", (int)(cli_base_name(self) - self), self, program);
  if (path && access(path, X_OK) != 0) {
    free(path);
    path = NULL;
  }
  return path;
}

/* Start `tool --list` and give its output to read; NULL when that cannot be done. */
static FILE *start_list(const char *tool, pid_t *pid) {
  int ends[2];
  if (pipe(ends) != 0)
    return NULL;
  *pid = fork();
  if (*pid == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execl(tool, tool, "--list", (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  FILE *stream = *pid > 0 ? fdopen(ends[0], "r") : NULL;
  if (!stream)
    close(ends[0]);
  return stream;
}

static int add_name(CliPeers *peers, char *name) {
  char **names = realloc(peers->names, ((size_t)peers->count + 1) * sizeof *names);
  if (names)
    peers->names = names;
  char *full = names ? cli_format("siconos:%s", name) : NULL;
  if (!full)
    return cli_complain("no memory for the names of the peers");
  names[peers->count++] = full;
  return 0;
}

static int read_names(CliPeers *peers) {
  pid_t pid = -1;
  char line[128];
  int code = 0, status = -1;
  FILE *stream = start_list(peers->tool, &pid);
  while (!code && stream && fgets(line, sizeof line, stream)) {
    line[strcspn(line, "\n")] = '\0';
    if (*line)
      code = add_name(peers, line);
  }
  if (stream)
    fclose(stream);
  if (pid > 0)
    waitpid(pid, &status, 0);
  if (!code && (status != 0 || peers->count == 0))
    code = cli_complain("--peers: %s does not run; is libsiconos-numerics installed?", peers->tool);
  return code;
}

int cli_peers_find(const char *wanted, CliPeers *peers) {
  *peers = (CliPeers){.tool = find_tool()};
  if (!wanted)
    return 0;
  if (strcmp(wanted, "siconos") != 0)
    return cli_complain("--peers knows siconos, not '%s'", wanted);
  if (!peers->tool)
    return cli_complain("--peers siconos: %s is not beside the tool; it is built where "
                        "libsiconos-numerics-dev is installed",
                        program);
  return read_names(peers);
}

void cli_peers_free(CliPeers *peers) {
  for (int k = 0; k < peers->count; k++)
    free(peers->names[k]);
  free(peers->names);
  free(peers->tool);
  *peers = (CliPeers){0};
}
