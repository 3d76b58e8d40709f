/* Memory for libraries that free a piece without saying how large it is: each piece has its size in front, in so many
 * bytes that alignment stays. All of it is charged to the ledger. */
#ifndef PAGELANE_COMPRESSION_CODEC_MEMORY_H
#define PAGELANE_COMPRESSION_CODEC_MEMORY_H

#include "base/load.h"
#include "base/memory.h"

enum { PL_CODEC_SIZE_FIELD = 16 };

typedef struct pl_codec_memory {
  pl_limits *limits;
  pl_status status; /* why an allocation failed */
} pl_codec_memory;

/* NULL on failure. */
static inline void *pl_codec_allocate(pl_codec_memory *memory, uint64_t size) {
  uint8_t *piece = NULL;
  const uint64_t piece_size = pl_size_add(PL_CODEC_SIZE_FIELD, size);
  memory->status = pl_memory_resize(memory->limits, &piece, 0, piece_size);
  if (memory->status != PL_OK)
    return NULL;
  pl_store_u64(piece, piece_size);
  return piece + PL_CODEC_SIZE_FIELD;
}

/* NULL is fine. */
static inline void pl_codec_release(pl_codec_memory *memory, void *address) {
  if (address == NULL)
    return;
  uint8_t *piece = (uint8_t *)address - PL_CODEC_SIZE_FIELD;
  pl_memory_free(memory->limits, &piece, pl_load_u64(piece));
}

#endif
