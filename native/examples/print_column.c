/* print_column FILE COLUMN [ROWS]: prints the first values of a column of a Parquet file, one a line, and
 * `null`.
 *
 * The whole way through the library: the footer is found and parsed, each row group's chunk of the column is
 * read into a column builder, and finished batches are taken from it. The file is read into memory as a whole;
 * programs that fetch ranges use pl_chunk_reader_step in place of pl_chunk_reader_read. */
#include <inttypes.h>
#include <pagelane.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct file_bytes {
  uint8_t *bytes;
  size_t size;
} file_bytes;

static int read_file(const char *path, file_bytes *file) {
  FILE *stream = fopen(path, "rb");
  if (stream == NULL)
    return 0;
  long size = fseek(stream, 0, SEEK_END) == 0 ? ftell(stream) : -1;
  rewind(stream);
  file->size = size > 0 ? (size_t)size : 0;
  file->bytes = malloc(file->size + 1);
  int done = size >= 0 && file->bytes != NULL && fread(file->bytes, 1, file->size, stream) == file->size;
  fclose(stream);
  return done;
}

static int is_valid(const pl_column *column, uint64_t i) {
  return column->validity == NULL || (column->validity[i / 8] >> (i % 8) & 1);
}

static void print_bytes(const uint8_t *bytes, size_t size) {
  int printable = 1;
  for (size_t i = 0; i < size; i++)
    printable &= bytes[i] >= 32 && bytes[i] != 127;
  if (printable) {
    fwrite(bytes, 1, size, stdout);
  } else {
    for (size_t i = 0; i < size; i++)
      printf("%02x", bytes[i]);
  }
}

/* Values stand in Arrow's layout: fixed-width ones side by side, booleans as bits, byte arrays as offsets and
 * bytes. */
static void print_value(const pl_column *column, uint64_t i) {
  const uint8_t *value = column->values != NULL ? column->values + i * column->value_width : NULL;
  int32_t i32;
  int64_t i64;
  float f32;
  double f64;
  switch (column->type) {
  case PL_TYPE_BOOLEAN:
    printf("%s", column->values[i / 8] >> (i % 8) & 1 ? "true" : "false");
    break;
  case PL_TYPE_INT32:
    memcpy(&i32, value, sizeof i32);
    printf("%" PRId32, i32);
    break;
  case PL_TYPE_INT64:
    memcpy(&i64, value, sizeof i64);
    printf("%" PRId64, i64);
    break;
  case PL_TYPE_FLOAT:
    memcpy(&f32, value, sizeof f32);
    printf("%.9g", (double)f32);
    break;
  case PL_TYPE_DOUBLE:
    memcpy(&f64, value, sizeof f64);
    printf("%.17g", f64);
    break;
  case PL_TYPE_BYTE_ARRAY:
    print_bytes(column->data + (column->offsets[i] - column->offsets[0]),
                (size_t)(column->offsets[i + 1] - column->offsets[i]));
    break;
  case PL_TYPE_INT96:
  case PL_TYPE_FIXED_LEN_BYTE_ARRAY:
    print_bytes(value, column->value_width);
    break;
  }
}

static pl_status print_rows(pl_column_builder *builder, uint64_t n_rows) {
  pl_column column;
  pl_status status = pl_column_builder_take(builder, n_rows, &column);
  if (status != PL_OK)
    return status;
  for (uint64_t i = 0; i < column.length; i++) {
    if (is_valid(&column, i))
      print_value(&column, i);
    else
      printf("null");
    putchar('\n');
  }
  return PL_OK;
}

/* Reads and prints row group by row group, so that one row group's column is in memory at a time. */
static pl_status print_column(const file_bytes *file, const pl_metadata *metadata, uint32_t column,
                              uint64_t n_rows, pl_limits *limits, pl_error *error) {
  pl_builder_options options = {.struct_size = sizeof options};
  pl_column_builder *builder = NULL;
  pl_status status =
      pl_column_builder_create(pl_metadata_column(metadata, column), &options, limits, &builder, error);
  for (uint32_t g = 0; status == PL_OK && n_rows > 0 && g < pl_metadata_n_row_groups(metadata); g++) {
    uint64_t wanted = (uint64_t)pl_metadata_row_group(metadata, g)->num_rows;
    if (wanted > n_rows)
      wanted = n_rows;
    pl_chunk_reader *reader = NULL;
    status = pl_chunk_reader_create(metadata, g, column, NULL, limits, &reader, error);
    if (status == PL_OK)
      pl_chunk_reader_select_rows(reader, 0, wanted);
    if (status == PL_OK)
      status = pl_chunk_reader_read(reader, file->bytes, file->size, builder, error);
    if (status == PL_OK)
      status = print_rows(builder, wanted);
    pl_chunk_reader_destroy(reader);
    n_rows -= wanted;
  }
  pl_column_builder_destroy(builder);
  return status;
}

static pl_status open_and_print(const file_bytes *file, const char *name, uint64_t n_rows, pl_error *error) {
  pl_limits limits;
  pl_limits_init(&limits);
  uint64_t footer_offset, footer_size;
  pl_metadata *metadata = NULL;
  pl_status status =
      pl_footer_locate(file->bytes, file->size, file->size, &limits, &footer_offset, &footer_size, error);
  if (status == PL_OK)
    status = pl_metadata_parse(file->bytes + footer_offset, (size_t)footer_size, file->size, &limits, &metadata,
                               error);
  if (status != PL_OK)
    return status;

  int64_t column = pl_metadata_find_column(metadata, name, strlen(name));
  if (column >= 0) {
    status = print_column(file, metadata, (uint32_t)column, n_rows, &limits, error);
  } else {
    status = PL_BAD_ARGUMENT;
    *error = (pl_error){.status = status, .page = -1, .number = -1, .message = "no column of this name"};
  }
  pl_metadata_destroy(metadata, &limits);
  return status;
}

int main(int argc, char **argv) {
  if (argc < 3 || argc > 4) {
    fprintf(stderr, "usage: %s FILE COLUMN [ROWS]\n", argv[0]);
    return 2;
  }
  file_bytes file = {0};
  if (!read_file(argv[1], &file)) {
    perror(argv[1]);
    free(file.bytes);
    return 1;
  }
  uint64_t n_rows = argc == 4 ? strtoull(argv[3], NULL, 10) : UINT64_MAX;
  pl_error error = {0};
  pl_status status = open_and_print(&file, argv[2], n_rows, &error);
  if (status != PL_OK)
    fprintf(stderr, "%s: %s at byte %" PRIu64 ": %s\n", argv[1], pl_status_name(status), error.offset,
            error.message != NULL ? error.message : "");
  free(file.bytes);
  return status == PL_OK ? 0 : 1;
}
