/* A problem as Matrix Market files, one matrix or vector each: W, q and mu, or M, H, f, w and mu.
 */
#ifndef SLIPI_IO_MARKET_H
#define SLIPI_IO_MARKET_H

#include "io/io.h"

typedef enum SlipiMarketPart {
  SLIPI_MARKET_W,
  SLIPI_MARKET_Q,
  SLIPI_MARKET_M,
  SLIPI_MARKET_H,
  SLIPI_MARKET_F,
  SLIPI_MARKET_FREE, /* w */
  SLIPI_MARKET_MU,
  SLIPI_MARKET_PARTS
} SlipiMarketPart;

/* The text of each part; text NULL: there is none. */
typedef struct SlipiMarketText {
  char *text;
  size_t size;
} SlipiMarketText;

SlipStatus slipi_market_read(const SlipiMarketText parts[SLIPI_MARKET_PARTS], SlipWantForm form,
                             SlipiFile *file, SlipError *error);

/* The files of a folder: W.mtx, q.mtx and so on. */
SlipStatus slipi_market_read_folder(const char *path, SlipWantForm form, SlipiFile *file,
                                    SlipError *error);

#endif
