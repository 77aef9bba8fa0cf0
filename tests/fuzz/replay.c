/* Feed a fuzz target every file of a folder: crashes once found stay mended. */
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    return 1;
  }
  enum { LIMIT = 1 << 20 };
  uint8_t *data = malloc(LIMIT);
  size_t size = data ? fread(data, 1, LIMIT, file) : 0;
  fclose(file);
  if (!data)
    return 1;
  /* Exactly the size, so that the address sanitizer sees the end. */
  uint8_t *exact = realloc(data, size ? size : 1);
  LLVMFuzzerTestOneInput(exact ? exact : data, size);
  free(exact ? exact : data);
  return 0;
}

int main(int argc, char **argv) {
  DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
  if (!folder) {
    fprintf(stderr, "usage: %s CORPUS_FOLDER\n", argv[0]);
    return 2;
  }
  int failed = 0, count = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    char path[4096];
    if (entry->d_name[0] == '.')
      continue;
    snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
    failed |= replay(path);
    count++;
  }
  closedir(folder);
  printf("%d inputs\n", count);
  return failed || count == 0;
}
