/* Any bytes as a Siconos text file: nothing may crash, hang or leak, and what is read must be
 * whole. */
#include <stdlib.h>

#include "io/io.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (SlipWantForm form = SLIP_WANT_LOCAL; form <= SLIP_WANT_GLOBAL; form++) {
    SlipFile *file = NULL;
    SlipError error;
    SlipStatus status = slip_file_read_memory("fuzz", data, size, form, &file, &error);
    if ((status == SLIP_OK) != (file != NULL) || (file && !file->problem) ||
        (status != SLIP_OK && (error.status != status || !error.text[0])))
      abort();
    slip_file_free(file);
  }
  return 0;
}
