/* A file as an ArrowArrayStream: a struct array a row group. Each batch is read with ledgers of its own, one a top-level field,
 * so that what the consumer keeps has nothing to do with the stream any more. */
#include "arrow/arrow_array.h"
#include "arrow/arrow_read.h"
#include "arrow/arrow_text.h"
#include "base/error.h"

#include <errno.h>
#include <string.h>

typedef struct stream_state {
  pl_limits limits; /* of everything here; its max_bytes is also that of a batch */
  pl_arrow_source source;
  pl_metadata *metadata;
  pl_arrow_fields fields;
  pl_arrow_owner **owners; /* of the batch being read, one for each top-level field */
  uint64_t owners_size;
  uint32_t row_group; /* the next one */
  char error[512];
} stream_state;

static int errno_of(pl_status status, int source_errno) {
  switch (status) {
  case PL_OK:
    return 0;
  case PL_LIMIT:
  case PL_NO_MEMORY:
    return ENOMEM;
  case PL_UNSUPPORTED:
    return ENOTSUP;
  default:
    return source_errno != 0 ? source_errno : EINVAL;
  }
}

/* The dotted path of a leaf. */
static void put_path(pl_text *text, const pl_metadata *metadata, uint32_t leaf) {
  const pl_column_descriptor *column = pl_metadata_column(metadata, leaf);
  const uint32_t last = (uint32_t)column->schema_index;
  uint32_t index = (uint32_t)column->root_index;
  for (;;) {
    const pl_ref name = pl_metadata_schema_element(metadata, index)->name;
    pl_text_put(text, PL_AT(char, metadata, name.offset), name.count < 100 ? name.count : 100);
    if (index == last)
      return;
    pl_text_word(text, ".");
    index++;
    while ((uint32_t)pl_metadata_schema_node(metadata, index)->end_index <= last)
      index = (uint32_t)pl_metadata_schema_node(metadata, index)->end_index;
  }
}

/* CORRUPT: what is wrong [column "a.b", row group 2, byte 345] */
static void describe(stream_state *state, const pl_error *error, int64_t leaf) {
  pl_text text = {.out = state->error, .capacity = sizeof state->error};
  pl_text_word(&text, pl_status_name(error->status));
  pl_text_word(&text, ": ");
  pl_text_word(&text, error->message);
  if (error->number >= 0 && error->number != leaf) {
    pl_text_word(&text, " (");
    pl_text_number(&text, (uint64_t)error->number);
    pl_text_word(&text, ")");
  }
  pl_text_word(&text, " [column \"");
  if (leaf >= 0)
    put_path(&text, state->metadata, (uint32_t)leaf);
  pl_text_word(&text, "\", row group ");
  pl_text_number(&text, state->row_group);
  pl_text_word(&text, ", byte ");
  pl_text_number(&text, error->offset);
  pl_text_word(&text, "]");
  pl_text_end(&text);
}

static int stream_get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  stream_state *state = stream->private_data;
  const pl_status status = pl_arrow_schema_make(&state->fields, &state->limits.allocator, out);
  if (status != PL_OK) {
    const pl_error error = {.status = status, .number = -1, .message = "no memory for a schema"};
    describe(state, &error, -1);
  }
  return errno_of(status, 0);
}

/* All leaves of the top-level field at `at`. *leaf: the column being read. */
static pl_status read_field(stream_state *state, uint32_t at, uint64_t n_rows, pl_arrow_owner *owner,
                            int64_t *leaf, int *source_errno, pl_error *error) {
  const pl_arrow_field *fields = state->fields.fields;
  pl_status status = PL_OK;
  for (uint32_t i = at; status == PL_OK && i < fields[at].end; i++) {
    if (fields[i].shape != PL_ARROW_LEAF)
      continue;
    const uint32_t column = state->fields.leaves[fields[i].first_leaf];
    const pl_arrow_chunk chunk = {state->metadata,
                                  &state->source,
                                  state->row_group,
                                  column,
                                  fields[i].keeps_dictionary,
                                  fields[i].type.has_large_offsets};
    *leaf = column;
    status = pl_arrow_read_chunk(&chunk, n_rows, owner->limits,
                                 &owner->leaves[fields[i].first_leaf - fields[at].first_leaf].builder,
                                 source_errno, error);
  }
  return status;
}

static pl_status read_batch(stream_state *state, struct ArrowArray *out, int64_t *leaf, int *source_errno,
                            pl_error *error) {
  const uint64_t n_rows = (uint64_t)pl_metadata_row_group(state->metadata, state->row_group)->num_rows;
  uint64_t left = state->limits.max_bytes;
  uint32_t at = 0;
  pl_status status = PL_OK;
  for (uint32_t i = 0; status == PL_OK && i < state->fields.n_top; i++, at = state->fields.fields[at].end) {
    status = pl_arrow_owner_create(&state->limits, left, pl_arrow_field_n_leaves(&state->fields, at),
                                   &state->owners[i]);
    if (status != PL_OK)
      return pl_fail(error, status, 0, -1, -1, "no memory for a batch");
    status = read_field(state, at, n_rows, state->owners[i], leaf, source_errno, error);
    left -= state->owners[i]->own.used_bytes;
  }
  if (status == PL_OK) {
    error->number = *leaf = -1;
    status = pl_arrow_array_make(&state->fields, &state->limits.allocator, state->owners, n_rows, out, error);
    *leaf = error->number;
  }
  return status;
}

static int stream_get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  stream_state *state = stream->private_data;
  *out = (struct ArrowArray){0};
  if (state->row_group >= pl_metadata_n_row_groups(state->metadata))
    return 0;
  pl_error error = {.number = -1, .message = ""};
  int64_t leaf = -1;
  int source_errno = 0;
  const pl_status status = read_batch(state, out, &leaf, &source_errno, &error);
  for (uint32_t i = 0; i < state->fields.n_top; i++) {
    pl_arrow_owner_release(state->owners[i]);
    state->owners[i] = NULL;
  }
  if (status == PL_OK)
    state->row_group++;
  else
    describe(state, &error, leaf);
  return errno_of(status, source_errno);
}

static const char *stream_get_last_error(struct ArrowArrayStream *stream) {
  const stream_state *state = stream->private_data;
  return state->error[0] == 0 ? NULL : state->error;
}

static void destroy_state(stream_state *state) {
  pl_limits limits = state->limits;
  if (state->source.release != NULL)
    state->source.release(state->source.context);
  pl_arrow_fields_free(&state->fields);
  pl_metadata_destroy(state->metadata, &state->limits);
  pl_memory_free(&state->limits, &state->owners, state->owners_size);
  limits.allocator.resize(limits.allocator.context, state, sizeof *state, 0);
}

static void stream_release(struct ArrowArrayStream *stream) {
  destroy_state(stream->private_data);
  stream->release = NULL;
}

static pl_status open_state(stream_state *state, const pl_arrow_options *options, pl_error *error) {
  int source_errno;
  pl_status status =
      pl_arrow_read_metadata(&state->source, &state->limits, &state->metadata, &source_errno, error);
  if (status == PL_OK)
    status = pl_arrow_fields_make(state->metadata, options, &state->limits, &state->fields, error);
  if (status != PL_OK)
    return status;
  state->owners_size = (uint64_t)(state->fields.n_top + 1) * sizeof *state->owners;
  status = pl_memory_resize(&state->limits, &state->owners, 0, state->owners_size);
  if (status != PL_OK)
    return pl_fail(error, status, 0, -1, -1, "no memory for a stream");
  memset(state->owners, 0, (size_t)state->owners_size);
  return PL_OK;
}

pl_status pl_arrow_stream_open(const pl_arrow_source *source, const pl_arrow_options *options,
                               struct ArrowArrayStream *stream, pl_error *error) {
  const pl_limits limits = pl_arrow_limits(options);
  stream->release = NULL;
  stream_state *state = NULL;
  pl_status status = PL_OK;
  if (source->bytes == NULL && source->read == NULL) {
    status = pl_fail(error, PL_BAD_ARGUMENT, 0, -1, -1, "the source has neither bytes nor a way to read them");
  } else {
    state = limits.allocator.resize(limits.allocator.context, NULL, 0, sizeof *state);
    if (state == NULL)
      status = pl_fail(error, PL_NO_MEMORY, 0, -1, -1, "no memory for a stream");
  }
  if (state == NULL) {
    if (source->release != NULL)
      source->release(source->context);
    return status;
  }
  memset(state, 0, sizeof *state);
  state->limits = limits;
  state->source = *source;
  status = open_state(state, options, error);
  if (status != PL_OK) {
    destroy_state(state);
    return status;
  }
  *stream = (struct ArrowArrayStream){.get_schema = stream_get_schema,
                                      .get_next = stream_get_next,
                                      .get_last_error = stream_get_last_error,
                                      .release = stream_release,
                                      .private_data = state};
  return PL_OK;
}
