/* Thrift's compact protocol (thrift-compact-protocol.md of Apache Thrift):
 *
 *   struct  := field* 0x00
 *   field   := (delta << 4 | type) value         id = the previous field's id + delta, delta 1 .. 15
 *            | (0 << 4 | type) zigzag(id) value
 *   type    := 1 true, 2 false (no value follows), 3 i8, 4 i16, 5 i32, 6 i64, 7 double, 8 binary, 9 list,
 *              10 set, 11 map, 12 struct, 13 uuid
 *   list    := (n << 4 | type) element*          n below 15
 *            | (15 << 4 | type) varint(n) element*
 *   map     := 0x00 | varint(n) (key type << 4 | value type) (key value)*
 *   i16 i32 i64 := zigzag varint;  double := 8 bytes, little-endian;  binary := varint(size) byte*
 *   element of a list of booleans := one byte, 1 for true */
#include "file/thrift.h"

#include <assert.h>

enum { WIRE_TRUE = 1, WIRE_FALSE, WIRE_I8, WIRE_I16, WIRE_I32, WIRE_I64, WIRE_DOUBLE, WIRE_BINARY };
enum { WIRE_LIST = 9, WIRE_SET, WIRE_MAP, WIRE_STRUCT, WIRE_UUID };

typedef struct kind_row {
  uint8_t wire, size, element;
} kind_row;

#define KIND_ROW(kind, number, wire, size, element) [number] = {wire, size, PL_THRIFT_##element},
static const kind_row kinds[] = {PL_THRIFT_KIND_LIST(KIND_ROW)};

uint32_t pl_depth_limit(const pl_limits *limits) {
  return limits->max_schema_depth < PL_THRIFT_MAX_DEPTH ? (uint32_t)limits->max_schema_depth
                                                        : PL_THRIFT_MAX_DEPTH;
}

static pl_status fail(pl_thrift_reader *reader, pl_status status, int64_t number, const char *message) {
  reader->number = number;
  reader->message = message;
  return status;
}

/* For what base/reader.h refuses: a cut header and a bad number are told apart by the status alone. */
static pl_status fail_varint(pl_thrift_reader *reader, pl_status status) {
  return fail(reader, status, -1,
              status == PL_TRUNCATED ? "thrift structure is cut" : "thrift number does not fit its type");
}

/* Are `size` more bytes there? When they are not, then were they only not given, or are they too many? */
static pl_status need(pl_thrift_reader *reader, uint64_t size) {
  if (size <= pl_reader_left(&reader->in))
    return PL_OK;
  const uint64_t position = (uint64_t)(reader->in.next - reader->start);
  if (position + size > reader->max_size)
    return fail(reader, PL_LIMIT, (int64_t)size, "thrift structure is longer than its limit");
  return fail(reader, PL_TRUNCATED, -1, "thrift structure is cut");
}

static pl_status read_byte(pl_thrift_reader *reader, uint8_t *byte) {
  const pl_status status = need(reader, 1);
  if (status == PL_OK)
    *byte = *reader->in.next++;
  return status;
}

/* Signed number of at most `bits` bits. */
static pl_status read_signed(pl_thrift_reader *reader, unsigned bits, int64_t *value) {
  const uint8_t *const place = reader->in.next;
  uint64_t x;
  const pl_status status = pl_read_zigzag(&reader->in, bits > 32 ? 64 : 32, &x);
  if (status != PL_OK)
    return fail_varint(reader, status);
  *value = (int64_t)x;
  if (bits == 16 && (*value < INT16_MIN || *value > INT16_MAX)) {
    reader->in.next = place;
    return fail_varint(reader, PL_CORRUPT);
  }
  return PL_OK;
}

/* Size of a binary or count of a list: thrift's own are signed 32-bit numbers that are not negative. Each byte
 * or element takes at least a byte, so that a count above the bytes left is refused before anything is
 * reserved. */
static pl_status read_count(pl_thrift_reader *reader, uint32_t *count) {
  uint64_t n;
  const pl_status status = pl_read_uleb(&reader->in, 32, &n);
  if (status != PL_OK)
    return fail_varint(reader, status);
  if (n > INT32_MAX)
    return fail(reader, PL_CORRUPT, (int64_t)n, "negative size in a thrift structure");
  *count = (uint32_t)n;
  return need(reader, n);
}

static pl_status read_list_header(pl_thrift_reader *reader, uint8_t *wire, uint32_t *count) {
  uint8_t byte;
  const pl_status status = read_byte(reader, &byte);
  if (status != PL_OK)
    return status;
  *wire = byte & 15;
  if (byte >> 4 == 15)
    return read_count(reader, count);
  *count = byte >> 4;
  return need(reader, *count);
}

/* *wire is 0 at the structure's end. */
static pl_status read_field_header(pl_thrift_reader *reader, int32_t *id, uint8_t *wire) {
  uint8_t byte;
  pl_status status = read_byte(reader, &byte);
  if (status != PL_OK)
    return status;
  *wire = byte & 15;
  if (byte == 0)
    return PL_OK;
  if (*wire == 0 || *wire > WIRE_UUID)
    return fail(reader, PL_CORRUPT, *wire, "unknown thrift wire type");
  if (byte >> 4 != 0) {
    *id += byte >> 4; /* ids are 16-bit numbers */
    return *id <= INT16_MAX ? PL_OK : fail(reader, PL_CORRUPT, *id, "thrift field id out of range");
  }
  int64_t absolute;
  status = read_signed(reader, 16, &absolute);
  if (status == PL_OK)
    *id = (int32_t)absolute;
  return status;
}

static pl_status enter(pl_thrift_reader *reader) {
  if (reader->depth_left == 0)
    return fail(reader, PL_LIMIT, -1, "thrift structure is nested too deeply");
  reader->depth_left--;
  return PL_OK;
}

static pl_status skip(pl_thrift_reader *reader, unsigned wire, bool in_list);

static pl_status skip_bytes(pl_thrift_reader *reader, uint64_t size) {
  const pl_status status = need(reader, size);
  if (status == PL_OK)
    reader->in.next += size;
  return status;
}

static pl_status skip_struct(pl_thrift_reader *reader) {
  int32_t id = 0;
  for (;;) {
    uint8_t wire;
    pl_status status = read_field_header(reader, &id, &wire);
    if (status != PL_OK || wire == 0)
      return status;
    status = skip(reader, wire, false);
    if (status != PL_OK)
      return status;
  }
}

static pl_status skip_list(pl_thrift_reader *reader) {
  uint8_t wire;
  uint32_t count;
  pl_status status = read_list_header(reader, &wire, &count);
  for (uint32_t i = 0; status == PL_OK && i < count; i++)
    status = skip(reader, wire, true);
  return status;
}

static pl_status skip_map(pl_thrift_reader *reader) {
  uint32_t count;
  uint8_t wires;
  pl_status status = read_count(reader, &count);
  if (status != PL_OK || count == 0)
    return status;
  status = read_byte(reader, &wires);
  for (uint32_t i = 0; status == PL_OK && i < count; i++) {
    status = skip(reader, wires >> 4, true);
    if (status == PL_OK)
      status = skip(reader, wires & 15, true);
  }
  return status;
}

/* Passes one value. Booleans are part of a field's header, but bytes in lists and maps. */
static pl_status skip(pl_thrift_reader *reader, unsigned wire, bool in_list) {
  uint64_t ignored;
  uint32_t size;
  pl_status status;
  switch (wire) {
  case WIRE_TRUE:
  case WIRE_FALSE:
    return in_list ? skip_bytes(reader, 1) : PL_OK;
  case WIRE_I8:
    return skip_bytes(reader, 1);
  case WIRE_I16:
  case WIRE_I32:
  case WIRE_I64:
    status = pl_read_uleb(&reader->in, 64, &ignored);
    return status == PL_OK ? PL_OK : fail_varint(reader, status);
  case WIRE_DOUBLE:
    return skip_bytes(reader, 8);
  case WIRE_UUID:
    return skip_bytes(reader, 16);
  case WIRE_BINARY:
    status = read_count(reader, &size);
    return status == PL_OK ? skip_bytes(reader, size) : status;
  case WIRE_LIST:
  case WIRE_SET:
  case WIRE_MAP:
  case WIRE_STRUCT:
    status = enter(reader);
    if (status != PL_OK)
      return status;
    status = wire == WIRE_STRUCT ? skip_struct(reader)
             : wire == WIRE_MAP  ? skip_map(reader)
                                 : skip_list(reader);
    reader->depth_left++;
    return status;
  default:
    return fail(reader, PL_CORRUPT, wire, "unknown thrift wire type");
  }
}

pl_status pl_thrift_reserve(pl_thrift_reader *reader, uint64_t size, uint64_t *at) {
  assert(reader->limits != NULL); /* what is read into the caller's own memory has no such fields */
  const uint64_t start = (reader->image_size + 7) & ~(uint64_t)7;
  const uint64_t end = pl_size_add(start, size);
  if (end > UINT32_MAX) /* references have 32 bits */
    return fail(reader, PL_LIMIT, -1, "metadata image of 4 GiB or more");
  const pl_status status = pl_buffer_reserve(reader->limits, &reader->image, end);
  if (status != PL_OK)
    return fail(reader, status, (int64_t)end, "metadata does not fit the memory allowed");
  /* what alignment leaves is part of the image too: it holds no stale bytes */
  memset(pl_thrift_at(reader, reader->image_size), 0, (size_t)(start - reader->image_size));
  reader->image_size = end;
  *at = start;
  return PL_OK;
}

static void store(pl_thrift_reader *reader, uint64_t at, const void *value, size_t size) {
  memcpy(pl_thrift_at(reader, at), value, size);
}

static pl_status read_binary(pl_thrift_reader *reader, uint64_t at) {
  pl_ref ref;
  const pl_status status = read_count(reader, &ref.count);
  if (status != PL_OK)
    return status;
  ref.offset = (uint32_t)(reader->in.next - reader->start) + reader->source_offset;
  reader->in.next += ref.count;
  store(reader, at, &ref, sizeof ref);
  return PL_OK;
}

static pl_status read_value(pl_thrift_reader *reader, unsigned kind, unsigned detail, unsigned wire,
                            uint64_t at);

static pl_status read_list(pl_thrift_reader *reader, unsigned kind, unsigned detail, uint64_t at) {
  const unsigned element = kinds[kind].element;
  const uint64_t size =
      element == PL_THRIFT_STRUCT ? pl_thrift_tables_get()->structs[detail].size : kinds[element].size;
  uint8_t wire;
  pl_ref ref = {0, 0};
  uint64_t elements = 0;
  pl_status status = read_list_header(reader, &wire, &ref.count);
  if (status != PL_OK)
    return status;
  if (ref.count != 0)
    status = pl_thrift_reserve(reader, ref.count * size, &elements);
  for (uint32_t i = 0; status == PL_OK && i < ref.count; i++)
    status = read_value(reader, element, detail, wire, elements + i * size);
  if (status != PL_OK)
    return status;
  ref.offset = (uint32_t)elements;
  store(reader, at, &ref, sizeof ref);
  return PL_OK;
}

static pl_status read_struct_at(pl_thrift_reader *reader, pl_struct_id structure, uint64_t at) {
  uint64_t place;
  pl_status status = pl_thrift_reserve(reader, pl_thrift_tables_get()->structs[structure].size, &place);
  if (status == PL_OK)
    status = pl_thrift_read(reader, structure, place);
  if (status != PL_OK)
    return status;
  const uint32_t offset = (uint32_t)place;
  store(reader, at, &offset, sizeof offset);
  return PL_OK;
}

/* Reads one value of a wire type that fits its kind, to image[at]. */
static pl_status read_value(pl_thrift_reader *reader, unsigned kind, unsigned detail, unsigned wire,
                            uint64_t at) {
  static const uint8_t one = 1;
  pl_status status;
  int64_t value;
  switch (kind) {
  case PL_THRIFT_BOOL: /* only in fields: there is no list of them */
    store(reader, at, wire == WIRE_TRUE ? &one : &(uint8_t){0}, 1);
    return PL_OK;
  case PL_THRIFT_I8:
  case PL_THRIFT_DOUBLE:
    status = need(reader, kinds[kind].size);
    if (status == PL_OK) {
      store(reader, at, reader->in.next, kinds[kind].size);
      reader->in.next += kinds[kind].size;
    }
    return status;
  case PL_THRIFT_I16:
  case PL_THRIFT_I32:
  case PL_THRIFT_ENUM:
  case PL_THRIFT_I64:
    status = read_signed(reader, 8u * kinds[kind].size, &value);
    if (status == PL_OK) /* little-endian: the low bytes come first */
      store(reader, at, &value, kinds[kind].size);
    return status;
  case PL_THRIFT_BINARY:
  case PL_THRIFT_STRING:
    return read_binary(reader, at);
  case PL_THRIFT_EMPTY:
    status = skip(reader, WIRE_STRUCT, false);
    if (status == PL_OK)
      store(reader, at, &one, 1);
    return status;
  case PL_THRIFT_STRUCT:
    return pl_thrift_read(reader, (pl_struct_id)detail, at);
  case PL_THRIFT_STRUCT_AT:
    return read_struct_at(reader, (pl_struct_id)detail, at);
  default:
    return read_list(reader, kind, detail, at);
  }
}

/* Rows ascend by id with few gaps, so a field's row is at id - 1 or a little before. */
static const pl_thrift_field *find_field(const pl_thrift_struct *table, int32_t id) {
  if (id < 1 || id > table->fields[table->n_fields - 1].id)
    return NULL;
  uint32_t i = (uint32_t)id < table->n_fields ? (uint32_t)id - 1 : table->n_fields - 1u;
  while (i > 0 && table->fields[i].id > id)
    i--;
  return table->fields[i].id == id ? &table->fields[i] : NULL;
}

/* Is the value that follows of this kind? Vendors have used ids for fields of their own that parquet.thrift
 * gave away later: what has another type than ours is another field. */
static bool has_kind(const pl_thrift_reader *reader, unsigned kind, unsigned wire) {
  const unsigned element = kinds[kind].element;
  if (kind == PL_THRIFT_BOOL)
    return wire == WIRE_TRUE || wire == WIRE_FALSE;
  if (wire != kinds[kind].wire || wire != WIRE_LIST || pl_reader_left(&reader->in) == 0)
    return wire == kinds[kind].wire;
  const uint8_t header = *reader->in.next;
  /* an empty list says nothing by its element type; some writers leave it 0 */
  return (header & 15) == kinds[element].wire || header >> 4 == 0;
}

static pl_status read_field(pl_thrift_reader *reader, const pl_thrift_struct *table, int32_t id, unsigned wire,
                            uint64_t at) {
  const pl_thrift_field *field = find_field(table, id);
  if (field == NULL || !has_kind(reader, field->kind, wire))
    return skip(reader, wire, false);
  const pl_status status = read_value(reader, field->kind, field->detail, wire, at + field->offset);
  if (status != PL_OK)
    return status;
  uint32_t present;
  memcpy(&present, pl_thrift_at(reader, at), sizeof present);
  present |= 1u << id;
  store(reader, at, &present, sizeof present);
  return PL_OK;
}

pl_status pl_thrift_read(pl_thrift_reader *reader, pl_struct_id structure, uint64_t at) {
  const pl_thrift_struct *table = &pl_thrift_tables_get()->structs[structure];
  pl_status status = enter(reader);
  if (status != PL_OK)
    return status;
  memset(pl_thrift_at(reader, at), 0, table->size);
  for (int32_t id = 0;;) {
    uint8_t wire;
    status = read_field_header(reader, &id, &wire);
    if (status != PL_OK || wire == 0)
      break;
    status = read_field(reader, table, id, wire, at);
    if (status != PL_OK)
      break;
  }
  reader->depth_left++;
  return status;
}
