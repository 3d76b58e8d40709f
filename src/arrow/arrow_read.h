/* The bytes of a file from a pl_arrow_source: its footer, and column chunks into builders. */
#ifndef PAGELANE_ARROW_READ_H
#define PAGELANE_ARROW_READ_H

#include "pagelane/arrow.h"

pl_status pl_arrow_read_metadata(const pl_arrow_source *source, pl_limits *limits, pl_metadata **metadata,
                                 int *source_errno, pl_error *error);

typedef struct pl_arrow_chunk {
  const pl_metadata *metadata;
  const pl_arrow_source *source;
  uint32_t row_group, column;
  bool keeps_dictionary, has_large_offsets;
} pl_arrow_chunk;

/* A whole column chunk. *builder: NULL after a failure. *source_errno: what the source's `read` returned, when that failed.
 * PL_CORRUPT: the chunk does not have n_rows rows. */
pl_status pl_arrow_read_chunk(const pl_arrow_chunk *chunk, uint64_t n_rows, pl_limits *limits,
                              pl_column_builder **builder, int *source_errno, pl_error *error);

#endif
