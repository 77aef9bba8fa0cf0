#include "exist/exist.h"
SlipStatus slipi_check_further(SlipiCheck *check, SlipError *error) {
  (void)check;
  (void)error;
  return SLIP_OK;
}
