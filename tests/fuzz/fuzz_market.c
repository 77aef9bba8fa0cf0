/* Any bytes as the Matrix Market files of a folder, parted by form feeds in the order W, q, M, H,
 * f, w, mu: nothing may crash, hang or leak, and what is read must be whole. */
#include <stdlib.h>
#include <string.h>

#include "io/market.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  SlipiMarketText parts[SLIPI_MARKET_PARTS] = {0};
  const char *at = (const char *)data, *end = at + size;
  for (int k = 0; k < SLIPI_MARKET_PARTS && at; k++) {
    const char *next = at < end ? memchr(at, '\f', (size_t)(end - at)) : NULL;
    size_t length = (size_t)((next ? next : end) - at);
    if (length > 0)
      parts[k] = (SlipiMarketText){(char *)at, length}; /* it is only read */
    at = next ? next + 1 : NULL;
  }
  for (SlipWantForm form = SLIP_WANT_ANY; form <= SLIP_WANT_GLOBAL; form++) {
    SlipiFile file = {0};
    SlipError error = {0};
    SlipStatus status = slipi_market_read(parts, form, &file, &error);
    if ((status == SLIP_OK) != (file.file.problem != NULL) ||
        (status != SLIP_OK && (error.status != status || !error.text[0])))
      abort();
    slip_problem_free(file.file.problem);
  }
  return 0;
}
