#include "contact/share.h"

int64_t slipi_share_contact(const SlipiShare *share, int32_t contact) {
  if (!share)
    return contact;
  const SlipiChunks *chunks = &share->chunks;
  int32_t chunk = contact / chunks->size;
  chunk = chunk < chunks->count ? chunk : chunks->count - 1;
  return share->first[chunk] + contact - slipi_chunk_first(chunks, chunk);
}

SlipStatus slipi_share_agree(const SlipiShare *share, SlipStatus status, SlipError *error) {
  if (!share || !slipi_share_any(share, status != SLIP_OK) || status != SLIP_OK)
    return status;
  return slipi_fail(error, SLIP_ERROR_PROBLEM, "another process could not take its part");
}
