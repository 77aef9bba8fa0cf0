// C++ includes the headers and links with the shared library.
#include <slipcone/slipcone.h>

#include <cstring>

int main() {
  if (std::strcmp(slip_version(), SLIPCONE_VERSION) != 0)
    return 1;
  return std::strcmp(slip_status_name(SLIP_ERROR_MEMORY), "SLIP_ERROR_MEMORY") == 0 ? 0 : 1;
}
