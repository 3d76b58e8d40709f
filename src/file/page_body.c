/* What stands in a page's body: finding its parts, decompressing it, keeping a dictionary page's entries. */
#include "base/error.h"
#include "compression/compression.h"
#include "file/chunk_reader.h"
#include "kernels/kernels.h"

pl_status pl_reader_fail(pl_chunk_reader *reader, pl_status status, int64_t number, const char *message,
                         pl_error *error) {
  reader->state = PL_READER_FAILED;
  return pl_fail(error, status, reader->position, reader->page_number, number, message);
}

/* The caller's column as a dictionary. */
void pl_reader_use_dictionary(pl_chunk_reader *reader, const pl_column *column) {
  reader->has_dictionary = true;
  reader->dictionary_column = *column;
  reader->dictionary = (pl_chunk_dictionary){
      .values = {.n_entries = (uint32_t)column->length,
                 .values = column->offsets != NULL ? column->data : column->values,
                 .offsets = column->offsets},
      .column = &reader->dictionary_column,
  };
}

/* The parts of a page's body: levels that are never compressed (V2), and the rest. */
typedef struct body_parts {
  const uint8_t *levels, *rest;
  size_t levels_size, rest_size, rest_decompressed_size;
  bool is_compressed;
} body_parts;

static body_parts parts_of(const pl_chunk_reader *reader) {
  const pl_page_header *header = &reader->header;
  const uint8_t *body = pl_reader_window_at(reader, pl_reader_body_offset(reader));
  body_parts parts = {.levels = NULL, .rest = body};
  parts.is_compressed = reader->codec != PL_CODEC_UNCOMPRESSED;
  if (header->type == PL_PAGE_TYPE_DATA_PAGE_V2) {
    const pl_data_page_header_v2 *v2 = &header->data_page_header_v2;
    parts.levels = body;
    parts.levels_size = (size_t)v2->repetition_levels_byte_length + (size_t)v2->definition_levels_byte_length;
    parts.rest = body + parts.levels_size;
    parts.is_compressed = parts.is_compressed && v2->is_compressed;
  }
  parts.rest_size = (size_t)header->compressed_page_size - parts.levels_size;
  parts.rest_decompressed_size = (size_t)header->uncompressed_page_size - parts.levels_size;
  return parts;
}

static const char *missing_codec(int32_t codec) {
  switch (codec) {
#define MESSAGE_CASE(name, value)                                                                              \
  case (value):                                                                                                \
    return "codec " #name " is not in this build";
    PL_CODEC_LIST(MESSAGE_CASE)
#undef MESSAGE_CASE
  }
  return "unknown codec";
}

static const char *codec_message(pl_status status) {
  switch (status) {
  case PL_LIMIT:
    return "the decompressed page would pass max_bytes";
  case PL_TRUNCATED:
    return "the compressed page is cut";
  default:
    return "the compressed page is broken or not of the size its header says";
  }
}

/* The CRC is that of the body as it is stored: compressed, levels included (parquet.thrift, `PageHeader.crc`). */
static pl_status verify_checksum(pl_chunk_reader *reader, pl_error *error) {
  const pl_page_header *header = &reader->header;
  const uint8_t *body = pl_reader_window_at(reader, pl_reader_body_offset(reader));
  const uint32_t crc = pl_kernels_get()->crc32(0, body, (size_t)header->compressed_page_size);
  if (crc == (uint32_t)header->crc)
    return PL_OK;
  return pl_reader_fail(reader, PL_CHECKSUM, -1, "the page's bytes are not those of its checksum", error);
}

/* The body after the window holds it: decompressed, or as it is. *ready is false when `step` asks the caller to
 * do it. */
pl_status pl_reader_decompress(pl_chunk_reader *reader, pl_page_body *body, pl_step *step, bool *ready,
                               pl_error *error) {
  if (reader->verify_checksums && PL_HAS(page_header, &reader->header, crc) &&
      reader->state != PL_READER_CODEC_DONE) {
    const pl_status status = verify_checksum(reader, error);
    if (status != PL_OK)
      return status;
  }
  const body_parts parts = parts_of(reader);
  *body = (pl_page_body){parts.levels, parts.levels_size, parts.rest, parts.rest_size};
  *ready = true;
  if (!parts.is_compressed) {
    if (parts.rest_size != parts.rest_decompressed_size)
      return pl_reader_fail(reader, PL_CORRUPT, -1, "an uncompressed page with two different sizes", error);
    return PL_OK;
  }
  body->values_size = parts.rest_decompressed_size;
  if (parts.rest_decompressed_size == 0)
    return PL_OK; /* no values: whatever stands there, no codec is asked */
  if (parts.rest_decompressed_size > pl_codec_output_bound(reader->codec, parts.rest_size))
    return pl_reader_fail(reader, PL_CORRUPT, -1, "the page header announces more than its bytes can hold",
                          error);
  reader->decompressed_size = parts.rest_decompressed_size;
  pl_status status = pl_buffer_reserve(reader->limits, &reader->decompressed, parts.rest_decompressed_size);
  if (status != PL_OK)
    return pl_reader_fail(reader, status, -1, codec_message(status), error);
  body->values = reader->decompressed.bytes;
  if (reader->state == PL_READER_CODEC_DONE)
    return PL_OK;
  pl_decompress *decompress = pl_codec_decompress(reader->codec);
  if (decompress == NULL) {
    step->kind = PL_STEP_NEED_CODEC;
    step->codec = reader->codec;
    step->in = parts.rest;
    step->in_size = parts.rest_size;
    step->out = reader->decompressed.bytes;
    step->out_size = parts.rest_decompressed_size;
    reader->state = PL_READER_WANT_CODEC;
    *ready = false;
    return PL_OK;
  }
  status = decompress(parts.rest, parts.rest_size, reader->decompressed.bytes, parts.rest_decompressed_size,
                      reader->limits);
  return status == PL_OK ? PL_OK : pl_reader_fail(reader, status, -1, codec_message(status), error);
}

pl_status pl_chunk_reader_provide_page(pl_chunk_reader *reader, pl_status status, size_t size,
                                       pl_error *error) {
  if (reader->state != PL_READER_WANT_CODEC)
    return pl_fail(error, PL_BAD_ARGUMENT, reader->position, reader->page_number, -1, "no codec was asked for");
  if (status == PL_OK && size != reader->decompressed_size)
    status = PL_CORRUPT;
  if (status != PL_OK)
    return pl_reader_fail(reader, status, reader->codec,
                          status == PL_UNSUPPORTED ? missing_codec(reader->codec) : codec_message(status),
                          error);
  reader->state = PL_READER_CODEC_DONE;
  return PL_OK;
}

pl_status pl_reader_load_dictionary(pl_chunk_reader *reader, const pl_page_body *body, pl_error *error) {
  pl_column_descriptor entries = reader->column;
  entries.max_definition_level = entries.max_repetition_level = 0;
  const int32_t encoding = pl_page_header_encoding(&reader->header);
  if (encoding != PL_ENCODING_PLAIN && encoding != PL_ENCODING_PLAIN_DICTIONARY)
    return pl_reader_fail(reader, PL_UNSUPPORTED, encoding,
                          "a dictionary page in an encoding that is not PLAIN", error);
  pl_status status =
      pl_column_builder_create(&entries, NULL, reader->limits, &reader->dictionary_builder, error);
  if (status == PL_OK)
    status = pl_page_open(&reader->page, &reader->header, body, &entries, NULL, reader->position,
                          reader->page_number, error);
  if (status == PL_OK)
    status = pl_column_builder_append(reader->dictionary_builder, &reader->page, UINT64_MAX, NULL, error);
  pl_column column;
  if (status == PL_OK)
    status = pl_column_builder_take(reader->dictionary_builder,
                                    pl_column_builder_length(reader->dictionary_builder), &column);
  if (status != PL_OK) {
    reader->state = PL_READER_FAILED;
    return status;
  }
  pl_reader_use_dictionary(reader, &column);
  return PL_OK;
}
