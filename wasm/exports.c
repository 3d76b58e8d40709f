/* What JavaScript calls. Sizes and rows come and go as doubles where they may pass 32 bits, handles and
 * addresses as numbers. A call that can fail returns a pl_status (or a step kind above 0 and a status negated);
 * what else it has to say stands in one block of 8-byte numbers, `result`, whose slots the list below names for
 * both sides (wasm/core.js asks for it). */
#include "base/memory.h"
#include "compression/compression.h"
#include "file/chunk_reader.h"
#include "file/thrift.h"
#include "page/column_builder.h"
#include "pagelane.h"

#define EXPORT(name) __attribute__((export_name(#name)))

/* ---- results ---- */

#define RESULT_SLOTS(X)                                                                                        \
  X(message) /* errors: text, where, and the number it speaks of */                                            \
  X(errorOffset)                                                                                               \
  X(errorPage)                                                                                                 \
  X(errorNumber)                                                                                               \
  X(pointer) /* something made: its address and size, or a count */                                            \
  X(size)                                                                                                      \
  X(offset) /* steps */                                                                                        \
  X(sizeLimit)                                                                                                 \
  X(page)                                                                                                      \
  X(header)                                                                                                    \
  X(headerSize)                                                                                                \
  X(codec)                                                                                                     \
  X(input)                                                                                                     \
  X(inputSize)                                                                                                 \
  X(output)                                                                                                    \
  X(outputSize)                                                                                                \
  X(length) /* columns */                                                                                      \
  X(nullCount)                                                                                                 \
  X(valueWidth)                                                                                                \
  X(validity)                                                                                                  \
  X(values)                                                                                                    \
  X(offsets)                                                                                                   \
  X(data)                                                                                                      \
  X(dataSize)                                                                                                  \
  X(dictionary)                                                                                                \
  X(levels)                                                                                                    \
  X(repetitionLevels)                                                                                          \
  X(definitionLevels)

enum {
#define SLOT_ENUM(name) SLOT_##name,
  RESULT_SLOTS(SLOT_ENUM) SLOT_COUNT
};
#define SLOT_NAME(name) #name " "
static const char slot_names[] = RESULT_SLOTS(SLOT_NAME);
static double result[SLOT_COUNT];

static void set(int slot, double value) {
  result[slot] = value;
}

static void set_pointer(int slot, const void *pointer) {
  result[slot] = (double)(uintptr_t)pointer;
}

EXPORT(result) double *wasm_result(void) {
  return result;
}

EXPORT(result_names) const char *wasm_result_names(void) {
  return slot_names;
}

EXPORT(kernels_name) const char *wasm_kernels_name(void) {
  return pl_kernels_name();
}

/* The structures of the metadata image and every list of names and numbers: laid out as src/file/thrift.h says.
 */
EXPORT(thrift_tables) const void *wasm_thrift_tables(void) {
  return pl_thrift_tables_get();
}

/* Constants stand below this address. */
extern const char __data_end;

EXPORT(data_end) const void *wasm_data_end(void) {
  return &__data_end;
}

static pl_status report(pl_status status, const pl_error *error) {
  if (status == PL_OK)
    return status;
  set_pointer(SLOT_message, error->message != NULL ? error->message : pl_status_name(status));
  set(SLOT_errorOffset, (double)error->offset);
  set(SLOT_errorPage, (double)error->page);
  set(SLOT_errorNumber, (double)error->number);
  return status;
}

#define NO_ERROR {.page = -1, .number = -1}

/* ---- memory ---- */

EXPORT(limits_create) pl_limits *wasm_limits_create(double max_bytes) {
  pl_limits limits;
  pl_limits_init(&limits);
  if (max_bytes > 0)
    limits.max_bytes = (uint64_t)max_bytes;
  pl_limits *made = limits.allocator.resize(limits.allocator.context, NULL, 0, sizeof limits);
  if (made != NULL)
    *made = limits;
  return made;
}

EXPORT(limits_destroy) void wasm_limits_destroy(pl_limits *limits) {
  limits->allocator.resize(limits->allocator.context, limits, sizeof *limits, 0);
}

EXPORT(limits_charge) pl_status wasm_limits_charge(pl_limits *limits, double size) {
  return pl_limits_charge(limits, (uint64_t)size);
}

EXPORT(limits_release) void wasm_limits_release(pl_limits *limits, double size) {
  pl_limits_release(limits, (uint64_t)size);
}

EXPORT(limits_used) double wasm_limits_used(const pl_limits *limits) {
  return (double)limits->used_bytes;
}

/* 1 when pages of this codec need no NEED_CODEC step. */
EXPORT(codec_is_built_in) uint32_t wasm_codec_is_built_in(int32_t codec) {
  return codec == PL_CODEC_UNCOMPRESSED || pl_codec_decompress(codec) != NULL;
}

/* The default of max_bytes. */
EXPORT(default_max_bytes) double wasm_default_max_bytes(void) {
  return (double)PL_DEFAULT_MAX_BYTES;
}

/* Memory for bytes from JavaScript, charged to the ledger; the address in `pointer`. */
EXPORT(allocate) pl_status wasm_allocate(pl_limits *limits, double size) {
  void *pointer = NULL;
  const pl_status status = pl_memory_resize(limits, &pointer, 0, (uint64_t)size);
  set_pointer(SLOT_pointer, pointer);
  return status;
}

EXPORT(release) void wasm_release(pl_limits *limits, void *pointer, double size) {
  pl_memory_free(limits, &pointer, (uint64_t)size);
}

/* ---- footer, metadata ---- */

EXPORT(footer_locate)
pl_status wasm_footer_locate(const uint8_t *tail, uint32_t tail_size, double file_size,
                             const pl_limits *limits) {
  pl_error error = NO_ERROR;
  uint64_t offset = 0, size = 0;
  const pl_status status =
      pl_footer_locate(tail, tail_size, (uint64_t)file_size, limits, &offset, &size, &error);
  set(SLOT_offset, (double)offset);
  set(SLOT_size, (double)size);
  return report(status, &error);
}

EXPORT(metadata_parse)
pl_status wasm_metadata_parse(const uint8_t *footer, uint32_t footer_size, double file_size,
                              pl_limits *limits) {
  pl_error error = NO_ERROR;
  pl_metadata *metadata = NULL;
  const pl_status status =
      pl_metadata_parse(footer, footer_size, (uint64_t)file_size, limits, &metadata, &error);
  if (status == PL_OK) {
    set_pointer(SLOT_pointer, metadata);
    set(SLOT_size, metadata->image_size);
  }
  return report(status, &error);
}

EXPORT(metadata_destroy) void wasm_metadata_destroy(pl_metadata *metadata, pl_limits *limits) {
  pl_metadata_destroy(metadata, limits);
}

/* Where the pages of a column chunk stand: `offset`, `size`. */
EXPORT(chunk_range)
pl_status wasm_chunk_range(const pl_metadata *metadata, uint32_t row_group, uint32_t column) {
  pl_error error = NO_ERROR;
  uint64_t offset = 0, size = 0;
  const pl_status status = pl_metadata_chunk_range(metadata, row_group, column, &offset, &size, &error);
  set(SLOT_offset, (double)offset);
  set(SLOT_size, (double)size);
  return report(status, &error);
}

/* ---- readers and builders; what makes one leaves its address in `pointer` ---- */

EXPORT(reader_create)
pl_status wasm_reader_create(const pl_metadata *metadata, uint32_t row_group, uint32_t column,
                             uint32_t announce, pl_limits *limits) {
  pl_error error = NO_ERROR;
  const pl_chunk_reader_options options = {.struct_size = sizeof options, .announce_pages = announce != 0};
  pl_chunk_reader *reader = NULL;
  const pl_status status =
      pl_chunk_reader_create(metadata, row_group, column, &options, limits, &reader, &error);
  set_pointer(SLOT_pointer, reader);
  return report(status, &error);
}

/* Bytes of pages alone. The dictionary, if any: its entries as a column has them (offsets 0 for fixed widths,
 * whose entries are at `values`, 8-byte aligned); it must stay where it is. repeated_levels is for builders of
 * nested columns: which of the first 32 definition levels are lists'. */
EXPORT(reader_create_page)
pl_status wasm_reader_create_page(int32_t type, int32_t type_length, int32_t max_definition_level,
                                  int32_t max_repetition_level, int32_t codec, double in_size,
                                  const uint8_t *values, const int32_t *offsets, int32_t dictionary_length,
                                  pl_limits *limits, uint32_t repeated_levels) {
  pl_error error = NO_ERROR;
  const pl_column dictionary = {
      .type = (pl_type)type,
      .value_width = pl_value_width((pl_type)type, type_length),
      .length = (uint64_t)(dictionary_length < 0 ? 0 : dictionary_length),
      .values = offsets == NULL ? values : NULL,
      .offsets = offsets,
      .data = offsets != NULL ? values : NULL,
      .data_size = offsets != NULL ? (uint64_t)offsets[dictionary_length] : 0,
  };
  const pl_page_decode_options options = {
      .struct_size = sizeof options,
      .column = {.type = type,
                 .type_length = type_length,
                 .max_definition_level = max_definition_level,
                 .max_repetition_level = max_repetition_level,
                 .repeated_levels = repeated_levels},
      .codec = codec,
      .dictionary = dictionary_length < 0 ? NULL : &dictionary,
  };
  pl_chunk_reader *reader = NULL;
  const pl_status status = pl_chunk_reader_create_page(&options, (size_t)in_size, limits, &reader, &error);
  set_pointer(SLOT_pointer, reader);
  return report(status, &error);
}

/* For a reader of pages alone, which has no option for it: PAGE steps are made. */
EXPORT(reader_announce_pages) void wasm_reader_announce_pages(pl_chunk_reader *reader) {
  reader->announce_pages = true;
}

/* Pages that have a CRC must match it. */
EXPORT(reader_verify_checksums) void wasm_reader_verify_checksums(pl_chunk_reader *reader) {
  reader->verify_checksums = true;
}

EXPORT(reader_destroy) void wasm_reader_destroy(pl_chunk_reader *reader) {
  pl_chunk_reader_destroy(reader);
}

EXPORT(reader_select_rows)
void wasm_reader_select_rows(pl_chunk_reader *reader, double first_row, double n_rows) {
  pl_chunk_reader_select_rows(reader, (uint64_t)first_row, (uint64_t)n_rows);
}

EXPORT(reader_provide_range)
pl_status wasm_reader_provide_range(pl_chunk_reader *reader, double offset, const uint8_t *bytes,
                                    uint32_t size) {
  pl_error error = NO_ERROR;
  return report(pl_chunk_reader_provide_range(reader, (uint64_t)offset, bytes, size, &error), &error);
}

EXPORT(reader_provide_page)
pl_status wasm_reader_provide_page(pl_chunk_reader *reader, int32_t status, uint32_t size) {
  pl_error error = NO_ERROR;
  return report(pl_chunk_reader_provide_page(reader, (pl_status)status, size, &error), &error);
}

EXPORT(reader_skip_page) pl_status wasm_reader_skip_page(pl_chunk_reader *reader) {
  pl_error error = NO_ERROR;
  return report(pl_chunk_reader_skip_page(reader, &error), &error);
}

/* A builder for the reader's column. flags: PL_BUILDER_*. */
EXPORT(builder_create)
pl_status wasm_builder_create(const pl_chunk_reader *reader, uint32_t flags, double reserve_rows) {
  pl_error error = NO_ERROR;
  const pl_builder_options options = {
      .struct_size = sizeof options, .flags = flags, .reserve_rows = (uint64_t)reserve_rows};
  pl_column_builder *builder = NULL;
  const pl_status status =
      pl_column_builder_create(&reader->column, &options, reader->limits, &builder, &error);
  set_pointer(SLOT_pointer, builder);
  return report(status, &error);
}

EXPORT(builder_destroy) void wasm_builder_destroy(pl_column_builder *builder) {
  pl_column_builder_destroy(builder);
}

/* Rows that can be taken. The last row of a repeated column is whole only when the chunk is_done. */
EXPORT(builder_length) double wasm_builder_length(const pl_column_builder *builder, uint32_t is_done) {
  const uint64_t length = pl_column_builder_length(builder);
  return (double)(length != 0 && !is_done && builder->column.max_repetition_level > 0 ? length - 1 : length);
}

static int32_t describe(const pl_step *step) {
  set(SLOT_offset, (double)step->offset);
  set(SLOT_size, (double)step->size);
  set(SLOT_sizeLimit, (double)step->size_limit);
  set(SLOT_codec, step->codec);
  set_pointer(SLOT_input, step->in);
  set(SLOT_inputSize, (double)step->in_size);
  set_pointer(SLOT_output, step->out);
  set(SLOT_outputSize, (double)step->out_size);
  set_pointer(SLOT_header, step->header);
  set(SLOT_headerSize, step->header_size);
  set(SLOT_page, (double)step->page);
  return (int32_t)step->kind;
}

/* One step of the reader: its kind, or a status negated. */
EXPORT(reader_step) int32_t wasm_reader_step(pl_chunk_reader *reader) {
  pl_error error = NO_ERROR;
  pl_step step;
  const pl_status status = pl_chunk_reader_step(reader, &step, &error);
  return status == PL_OK ? describe(&step) : -(int32_t)report(status, &error);
}

/* Goes on to a page of a reader that announces pages, past those before it; dictionary pages are taken in. VALUES: the
 * page is open. PAGE or DONE: it was passed, because it holds no rows; if it was the dictionary page,
 * reader_dictionary shows it. Else NEED_..., or a status negated. */
EXPORT(reader_seek) int32_t wasm_reader_seek(pl_chunk_reader *reader, double page) {
  for (;;) {
    if (reader->state == PL_READER_ANNOUNCED) {
      if ((double)reader->page_number > page)
        return PL_STEP_PAGE;
      if ((double)reader->page_number < page && pl_is_data_page(&reader->header))
        wasm_reader_skip_page(reader);
      else if (reader->is_page) /* what follows a page alone is not looked at */
        reader->end = pl_reader_body_offset(reader) + (uint64_t)reader->header.compressed_page_size;
    }
    const int32_t kind = wasm_reader_step(reader);
    if (kind != PL_STEP_PAGE)
      return kind;
  }
}

/* Appends entries of the open page (nested columns: rows) until the builder holds n_rows or the page is done. */
EXPORT(builder_append)
pl_status wasm_builder_append(pl_column_builder *builder, pl_chunk_reader *reader, double n_rows) {
  pl_error error = NO_ERROR;
  pl_page *page = pl_chunk_reader_page(reader);
  const uint64_t length = pl_column_builder_length(builder);
  if (page == NULL || n_rows <= (double)length)
    return PL_OK;
  return report(pl_column_builder_append(builder, page, (uint64_t)n_rows - length, NULL, &error), &error);
}

/* Goes on until n_rows can be taken from the builder (VALUES), the chunk is done (DONE), or JavaScript is needed
 * (NEED_...): the kind, or a status negated. */
EXPORT(read) int32_t wasm_read(pl_chunk_reader *reader, pl_column_builder *builder, double n_rows) {
  const double wanted = builder->column.max_repetition_level > 0 ? n_rows + 1 : n_rows;
  for (;;) {
    const pl_page *page = pl_chunk_reader_page(reader);
    if (page != NULL && pl_page_remaining(page) != 0) {
      const pl_status status = wasm_builder_append(builder, reader, wanted);
      if (status != PL_OK)
        return -(int32_t)status;
    }
    if ((double)pl_column_builder_length(builder) >= wanted)
      return PL_STEP_VALUES;
    const int32_t kind = wasm_reader_step(reader);
    if (kind != PL_STEP_VALUES && kind != PL_STEP_PAGE)
      return kind;
  }
}

static void show(const pl_column *column) {
  set(SLOT_length, (double)column->length);
  set(SLOT_nullCount, (double)column->null_count);
  set(SLOT_valueWidth, column->value_width);
  set_pointer(SLOT_validity, column->validity);
  set_pointer(SLOT_values, column->values);
  set_pointer(SLOT_offsets, column->offsets);
  set_pointer(SLOT_data, column->data);
  set(SLOT_dataSize, (double)column->data_size);
  set_pointer(SLOT_dictionary, column->dictionary);
  set(SLOT_levels, (double)column->n_levels);
  set_pointer(SLOT_repetitionLevels, column->repetition_levels);
  set_pointer(SLOT_definitionLevels, column->definition_levels);
}

/* The first n_rows as a batch, described in the column slots; it holds until the next call with this builder.
 */
EXPORT(builder_take) pl_status wasm_builder_take(pl_column_builder *builder, double n_rows) {
  pl_column column;
  const pl_status status = pl_column_builder_take(builder, (uint64_t)n_rows, &column);
  if (status == PL_OK)
    show(&column);
  return status;
}

/* Describes what stands above the entries of the batch taken last: the parent of that number, from the outermost on.
 * 1 for a list (`offsets`), 0 for an optional group (`validity`). */
EXPORT(show_parent) uint32_t wasm_show_parent(const pl_column_builder *builder, uint32_t number) {
  const pl_parent *parent = &builder->nesting->parents[number];
  set(SLOT_length, (double)parent->length);
  set(SLOT_nullCount, (double)parent->null_count);
  set_pointer(SLOT_validity, parent->validity);
  set_pointer(SLOT_offsets, parent->offsets);
  return parent->is_list;
}

/* Describes a batch's dictionary (slot `dictionary`). */
EXPORT(show_column) void wasm_show_column(const pl_column *column) {
  show(column);
}

/* The dictionary page that the reader has passed, described in the column slots: 1; 0 when there was none. */
EXPORT(reader_dictionary) uint32_t wasm_reader_dictionary(const pl_chunk_reader *reader) {
  const pl_column *column = pl_chunk_reader_dictionary(reader);
  if (column != NULL)
    show(column);
  return column != NULL;
}

/* ---- values alone; `size`: values written, `offset`: bytes of the input used ---- */

EXPORT(delta_binary_packed_decode)
pl_status wasm_delta_decode(uint32_t bits, const uint8_t *in, uint32_t in_size, void *out,
                            uint32_t out_capacity) {
  size_t n_values = 0, in_used = 0;
  const pl_status status =
      bits == 64 ? pl_delta_binary_packed_decode_i64(in, in_size, out, out_capacity, &n_values, &in_used)
                 : pl_delta_binary_packed_decode_i32(in, in_size, out, out_capacity, &n_values, &in_used);
  set(SLOT_size, (double)n_values);
  set(SLOT_offset, (double)in_used);
  return status;
}

EXPORT(rle_decode)
pl_status wasm_rle_decode(const uint8_t *in, uint32_t in_size, uint32_t bit_width, uint32_t *out, uint32_t n) {
  size_t in_used = 0;
  const pl_status status = pl_rle_decode_u32(in, in_size, bit_width, out, n, &in_used);
  set(SLOT_offset, (double)in_used);
  return status;
}

EXPORT(bit_unpack)
pl_status wasm_bit_unpack(uint32_t bits, const uint8_t *in, uint32_t in_size, uint32_t bit_width, void *out,
                          uint32_t n) {
  return bits == 64 ? pl_bit_unpack_u64(in, in_size, bit_width, out, n)
                    : pl_bit_unpack_u32(in, in_size, bit_width, out, n);
}

EXPORT(byte_stream_split_decode)
pl_status wasm_byte_stream_split_decode(const uint8_t *in, uint32_t in_size, uint32_t width, void *out,
                                        uint32_t n) {
  return pl_byte_stream_split_decode(in, in_size, width, out, n);
}

EXPORT(alp_decode)
pl_status wasm_alp_decode(uint32_t bits, const uint8_t *in, uint32_t in_size, void *out,
                          uint32_t out_capacity) {
  size_t n_values = 0;
  const pl_status status = bits == 64 ? pl_alp_decode_f64(in, in_size, out, out_capacity, &n_values)
                                      : pl_alp_decode_f32(in, in_size, out, out_capacity, &n_values);
  set(SLOT_size, (double)n_values);
  return status;
}
