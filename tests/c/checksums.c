/* Page checksums: the CRC-32 of every kernel table against one that goes bit by bit, pages with right and wrong ones, and
 * parquet-testing's files of both kinds. */
#include "kernels/kernels.h"
#include "page_writer.h"
#include "pagelane.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* RFC 1952, section 8 */
static uint32_t model(uint32_t crc, const uint8_t *in, size_t size) {
  crc = ~crc;
  for (size_t i = 0; i < size; i++) {
    crc ^= in[i];
    for (int bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ ((crc & 1) != 0 ? UINT32_C(0xEDB88320) : 0);
  }
  return ~crc;
}

static void check_size(const pl_kernels *kernels, const uint8_t *in, size_t size) {
  uint8_t *exact = malloc(size + (size == 0)); /* a sanitizer sees reads past the end */
  assert_non_null(exact);
  if (size != 0)
    memcpy(exact, in, size);
  const uint32_t expected = model(0, exact, size);
  if (kernels->crc32(0, exact, size) != expected)
    fail_msg("%s: %zu bytes", kernels->name, size);
  const size_t half = size / 3;
  if (kernels->crc32(kernels->crc32(0, exact, half), exact + half, size - half) != expected)
    fail_msg("%s: %zu bytes, after %zu", kernels->name, size - half, half);
  free(exact);
}

static void test_kernels(void **state) {
  (void)state;
  static uint8_t in[20000];
  uint32_t x = 1;
  for (size_t i = 0; i < sizeof in; i++) {
    x = x * 1664525 + 1013904223;
    in[i] = (uint8_t)(x >> 24);
  }
  const pl_kernels *tables[8];
  for (size_t n = pl_kernels_list(tables), t = 0; t < n; t++) {
    assert_int_equal(tables[t]->crc32(0, (const uint8_t *)"123456789", 9), UINT32_C(0xCBF43926));
    for (size_t size = 0; size <= 1200; size++)
      check_size(tables[t], in + size % 31, size);
    for (size_t size = 1201; size < sizeof in; size += 397)
      check_size(tables[t], in, size);
  }
}

/* ---- pages ---- */

typedef struct result {
  pl_status status;
  uint64_t length;
  pl_error error;
} result;

static result decode(const bytes *in, const pl_page_decode_options *options) {
  pl_limits limits;
  pl_limits_init(&limits);
  pl_chunk_reader *reader = NULL;
  pl_column_builder *builder = NULL;
  result r = {.status = PL_OK};
  assert_int_equal(pl_column_builder_create(&options->column, NULL, &limits, &builder, NULL), PL_OK);
  assert_int_equal(pl_chunk_reader_create_page(options, in->size, &limits, &reader, NULL), PL_OK);
  r.status = pl_chunk_reader_read(reader, in->at, in->size, builder, &r.error);
  r.length = pl_column_builder_length(builder);
  pl_chunk_reader_destroy(reader);
  pl_column_builder_destroy(builder);
  assert_int_equal(limits.used_bytes, 0);
  return r;
}

/* PageHeader with a CRC up to the sub-header's first field */
static void put_start(bytes *out, int type, size_t uncompressed, const bytes *body, uint32_t crc,
                      unsigned sub_id) {
  put_i32_field(out, 1, type);
  put_i32_field(out, 1, (int32_t)uncompressed);
  put_i32_field(out, 1, (int32_t)body->size);
  put_i32_field(out, 1, (int32_t)crc);
  put_byte(out, (sub_id - 4) << 4 | 12);
}

static void put_checked_v1(bytes *out, int n, int encoding, size_t uncompressed, const bytes *body,
                           uint32_t crc) {
  put_start(out, 0, uncompressed, body, crc, 5);
  put_i32_field(out, 1, n);
  put_i32_field(out, 1, encoding);
  put_i32_field(out, 1, 3);
  put_i32_field(out, 1, 3);
  put_byte(out, 0);
  put_byte(out, 0);
  put(out, body->at, body->size);
}

static void put_checked_v2(bytes *out, int n, int n_nulls, size_t definition_size, size_t uncompressed,
                           const bytes *body, uint32_t crc) {
  put_start(out, 3, uncompressed, body, crc, 8);
  put_i32_field(out, 1, n);
  put_i32_field(out, 1, n_nulls);
  put_i32_field(out, 1, n);
  put_i32_field(out, 1, 0);
  put_i32_field(out, 1, (int32_t)definition_size);
  put_i32_field(out, 1, 0);
  put_byte(out, 0);
  put_byte(out, 0);
  put(out, body->at, body->size);
}

static void put_checked_dictionary(bytes *out, int n, const bytes *body, uint32_t crc) {
  put_start(out, 2, body->size, body, crc, 7);
  put_i32_field(out, 1, n);
  put_i32_field(out, 1, 0);
  put_byte(out, 0);
  put_byte(out, 0);
  put(out, body->at, body->size);
}

static pl_page_decode_options options_of(int max_definition_level, int codec) {
  return (pl_page_decode_options){
      .struct_size = sizeof(pl_page_decode_options),
      .column = {.type = PL_TYPE_INT32, .max_definition_level = max_definition_level},
      .codec = codec,
  };
}

/* Reads the page with a right CRC in the bytes before `wrong_from`, and a wrong one from there on. */
static void check(const bytes *in, pl_page_decode_options options, uint64_t n, int64_t wrong_page,
                  size_t wrong_from) {
  options.verify_checksums = false;
  result r = decode(in, &options);
  assert_int_equal(r.status, PL_OK);
  assert_int_equal(r.length, n);
  options.verify_checksums = true;
  r = decode(in, &options);
  assert_int_equal(r.status, wrong_page < 0 ? PL_OK : PL_CHECKSUM);
  if (wrong_page < 0)
    return;
  assert_int_equal(r.error.page, wrong_page);
  assert_int_equal(r.error.offset, wrong_from);
  assert_non_null(r.error.message);
}

/* V1: the CRC is that of the compressed body. */
static void test_v1(void **state) {
  (void)state;
  bytes body = {.size = 0}, in = {.size = 0};
  put_uleb(&body, 12); /* Snappy: a literal of 4 bytes, and two copies of it */
  put_byte(&body, 3 << 2);
  put_u32(&body, 7);
  put_byte(&body, (8 - 4) << 2 | 1);
  put_byte(&body, 4);
  const uint32_t crc = model(0, body.at, body.size);
  put_checked_v1(&in, 3, 0, 12, &body, crc);
  put_data_page(&in, 3, 0, &body, 12); /* without a CRC */
  check(&in, options_of(0, PL_CODEC_SNAPPY), 6, -1, 0);
  const size_t third = in.size;
  put_checked_v1(&in, 3, 0, 12, &body, crc ^ 1);
  check(&in, options_of(0, PL_CODEC_SNAPPY), 9, 2, third);
}

/* V2: levels and values as they are stored. */
static void test_v2(void **state) {
  (void)state;
  bytes body = {.size = 0}, in = {.size = 0};
  put_byte(&body, 2 << 1); /* definition levels: two of 1, one of 0 */
  put_byte(&body, 1);
  put_byte(&body, 1 << 1);
  put_byte(&body, 0);
  const size_t levels = body.size;
  put_u32(&body, 1);
  put_u32(&body, 2);
  put_checked_v2(&in, 3, 1, levels, body.size, &body, model(0, body.at, body.size));
  check(&in, options_of(1, PL_CODEC_UNCOMPRESSED), 3, -1, 0);
  in.size = 0;
  put_checked_v2(&in, 3, 1, levels, body.size, &body, model(0, body.at + levels, body.size - levels));
  check(&in, options_of(1, PL_CODEC_UNCOMPRESSED), 3, 0, 0);
}

static void test_dictionary(void **state) {
  (void)state;
  bytes dictionary = {.size = 0}, indices = {.size = 0};
  put_u32(&dictionary, 5);
  put_u32(&dictionary, 6);
  put_byte(&indices, 1); /* width, one run of three */
  put_byte(&indices, 3 << 1);
  put_byte(&indices, 1);
  for (int wrong = 0; wrong < 3; wrong++) {
    bytes in = {.size = 0};
    put_checked_dictionary(&in, 2, &dictionary, model(0, dictionary.at, dictionary.size) ^ (wrong == 1));
    const size_t second = in.size;
    put_checked_v1(&in, 3, 8, indices.size, &indices,
                   model(0, indices.at, indices.size) ^ (uint32_t)(wrong == 2) << 31);
    check(&in, options_of(0, PL_CODEC_UNCOMPRESSED), 3, wrong - 1, wrong == 2 ? second : 0);
  }
}

/* ---- files ---- */

typedef struct contents {
  uint8_t *bytes;
  size_t size;
} contents;

static contents load(const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", getenv("PARQUET_TEST_DATA"), name);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  contents c = {.size = (size_t)ftell(file)};
  rewind(file);
  c.bytes = malloc(c.size);
  assert_int_equal(fread(c.bytes, 1, c.size, file), c.size);
  fclose(file);
  return c;
}

static pl_status read_chunk(const pl_metadata *metadata, uint32_t column, const contents *file, bool checksums,
                            pl_limits *limits, pl_error *error) {
  const pl_chunk_reader_options options = {.struct_size = sizeof options, .verify_checksums = checksums};
  pl_chunk_reader *reader = NULL;
  pl_column_builder *builder = NULL;
  assert_int_equal(pl_chunk_reader_create(metadata, 0, column, &options, limits, &reader, NULL), PL_OK);
  assert_int_equal(pl_column_builder_create(pl_metadata_column(metadata, column), NULL, limits, &builder, NULL),
                   PL_OK);
  const pl_status status = pl_chunk_reader_read(reader, file->bytes, file->size, builder, error);
  if (status == PL_OK)
    assert_int_equal(pl_column_builder_length(builder),
                     pl_metadata_chunk(metadata, 0, column)->meta_data.num_values);
  pl_column_builder_destroy(builder);
  pl_chunk_reader_destroy(reader);
  return status;
}

/* `wrong_page`: the first page whose checksum is wrong, for each of the columns; -1: none */
typedef struct checked_file {
  const char *name;
  int64_t wrong_page[2];
  uint32_t n_columns;
} checked_file;

static void check_file(const checked_file *f) {
  pl_limits limits;
  pl_limits_init(&limits);
  const contents file = load(f->name);
  uint64_t offset, size;
  pl_metadata *metadata = NULL;
  assert_int_equal(pl_footer_locate(file.bytes, file.size, file.size, &limits, &offset, &size, NULL), PL_OK);
  assert_int_equal(pl_metadata_parse(file.bytes + offset, (size_t)size, file.size, &limits, &metadata, NULL),
                   PL_OK);
  assert_int_equal(pl_metadata_n_columns(metadata), f->n_columns);
  for (uint32_t column = 0; column < f->n_columns; column++) {
    pl_error error = {.page = -1};
    const pl_status unchecked = read_chunk(metadata, column, &file, false, &limits, &error);
    if (unchecked != PL_OK)
      fail_msg("%s: %s, %s", f->name, pl_status_name(unchecked), error.message);
    const pl_status status = read_chunk(metadata, column, &file, true, &limits, &error);
    if (status != (f->wrong_page[column] < 0 ? PL_OK : PL_CHECKSUM) || error.page != f->wrong_page[column])
      fail_msg("%s: column %u, %s at page %d", f->name, column, pl_status_name(status), (int)error.page);
  }
  pl_metadata_destroy(metadata, &limits);
  assert_int_equal(limits.used_bytes, 0);
  free(file.bytes);
}

/* What is wrong in which file: the README of parquet-testing's data. */
static void test_files(void **state) {
  (void)state;
  static const checked_file files[] = {
      {"datapage_v1-uncompressed-checksum.parquet", {-1, -1}, 2},
      {"datapage_v1-snappy-compressed-checksum.parquet", {-1, -1}, 2},
      {"datapage_v1-corrupt-checksum.parquet", {0, 1}, 2},
      {"plain-dict-uncompressed-checksum.parquet", {-1, -1}, 2},
      {"rle-dict-snappy-checksum.parquet", {-1, -1}, 2},
      {"rle-dict-uncompressed-corrupt-checksum.parquet", {0, 0}, 2},
  };
  if (getenv("PARQUET_TEST_DATA") == NULL) {
    print_message("skipped: PARQUET_TEST_DATA is not set\n");
    skip();
  }
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    check_file(&files[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kernels),    cmocka_unit_test(test_v1),    cmocka_unit_test(test_v2),
      cmocka_unit_test(test_dictionary), cmocka_unit_test(test_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
