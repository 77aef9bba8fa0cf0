/* Peers: other people's solvers, run by a program that stands beside the tool. */
#ifndef CLI_PEERS_H
#define CLI_PEERS_H

typedef struct CliPeers {
  char *tool;   /* the program's path; NULL: it is not there */
  char **names; /* its solvers, "siconos:NSGS"; none unless they were asked for */
  int count;
} CliPeers;

/* `wanted` is the value of --peers, or NULL; 0, or CLI_BAD after a sentence. */
int cli_peers_find(const char *wanted, CliPeers *peers);
void cli_peers_free(CliPeers *peers);

#endif
