#include "arrow/arrow_type.h"

#include "arrow/arrow_text.h"

/* Past every database's limit: a scale is so many digits in every value. */
enum { MAX_DECIMAL_PRECISION = 131072 };

/* The format is two words with a number between them; a number below 0 is left out. */
static bool set_parts(pl_arrow_type *type, const char *start, int64_t number, const char *end) {
  pl_text text = {.out = type->format, .capacity = sizeof type->format};
  pl_text_word(&text, start);
  if (number >= 0)
    pl_text_number(&text, (uint64_t)number);
  pl_text_word(&text, end);
  pl_text_end(&text);
  return true;
}

static bool set(pl_arrow_type *type, const char *format) {
  return set_parts(type, format, -1, "");
}

static bool set_extension(pl_arrow_type *type, const char *format, const char *extension) {
  type->extension = extension;
  return set(type, format);
}

static bool set_integer(pl_arrow_type *type, int32_t physical, int32_t bit_width, bool is_signed) {
  switch (bit_width) {
  case 8:
  case 16:
    type->form = PL_ARROW_NARROWED;
    type->width = (uint32_t)bit_width / 8;
    set(type, bit_width == 8 ? is_signed ? "c" : "C" : is_signed ? "s" : "S");
    return physical == PL_TYPE_INT32;
  case 32:
    set(type, is_signed ? "i" : "I");
    return physical == PL_TYPE_INT32;
  case 64:
    set(type, is_signed ? "l" : "L");
    return physical == PL_TYPE_INT64;
  default:
    return false;
  }
}

/* 'm', 'u', 'n'; 0 for a unit that is not known */
static char unit_letter(const pl_time_unit *unit) {
  if (PL_HAS(time_unit, unit, MILLIS))
    return 'm';
  if (PL_HAS(time_unit, unit, MICROS))
    return 'u';
  return PL_HAS(time_unit, unit, NANOS) ? 'n' : 0;
}

static bool set_time(pl_arrow_type *type, int32_t physical, const pl_time_type *time) {
  const char unit = unit_letter(&time->unit);
  if (unit == 0 || physical != (unit == 'm' ? PL_TYPE_INT32 : PL_TYPE_INT64))
    return false;
  return set(type, (const char[]){'t', 't', unit, 0});
}

static bool set_timestamp(pl_arrow_type *type, int32_t physical, const pl_timestamp_type *timestamp) {
  const char unit = unit_letter(&timestamp->unit);
  if (unit == 0 || physical != PL_TYPE_INT64)
    return false;
  return set_parts(type, (const char[]){'t', 's', unit, ':', 0}, -1,
                   timestamp->is_adjusted_to_UTC ? "UTC" : "");
}

static bool is_bytes(int32_t physical) {
  return physical == PL_TYPE_BYTE_ARRAY || physical == PL_TYPE_FIXED_LEN_BYTE_ARRAY;
}

static void set_physical(pl_arrow_type *type, const pl_schema_element *element, pl_arrow_int96 int96);

static bool set_decimal(pl_arrow_type *type, const pl_schema_element *element, int32_t precision,
                        int32_t scale) {
  if (scale < 0 || precision < 1 || precision < scale || precision > MAX_DECIMAL_PRECISION)
    return false;
  if (!is_bytes(element->type) && element->type != PL_TYPE_INT32 && element->type != PL_TYPE_INT64)
    return false;
  if (precision > 76) {
    set_physical(type, element, PL_ARROW_INT96_BYTES);
    return true;
  }
  const bool is_wide = precision > 38;
  type->form = PL_ARROW_DECIMAL;
  type->width = is_wide ? 32 : 16;
  pl_text text = {.out = type->format, .capacity = sizeof type->format};
  pl_text_word(&text, "d:");
  pl_text_number(&text, (uint64_t)precision);
  pl_text_word(&text, ",");
  pl_text_number(&text, (uint64_t)scale);
  pl_text_word(&text, is_wide ? ",256" : "");
  pl_text_end(&text);
  return true;
}

static bool set_geo(pl_arrow_type *type, const pl_metadata *metadata, int32_t physical, bool has_crs,
                    pl_ref crs, const char *edges) {
  static const char default_crs[] = "OGC:CRS84";
  type->crs = has_crs ? PL_AT(char, metadata, crs.offset) : default_crs;
  type->crs_size = has_crs ? crs.count : sizeof default_crs - 1;
  type->edges = edges;
  return set_extension(type, "z", "geoarrow.wkb") && physical == PL_TYPE_BYTE_ARRAY;
}

static const char *edges_of(const pl_geography_type *geography) {
  switch (PL_HAS(geography_type, geography, algorithm) ? geography->algorithm : PL_EDGE_ALGORITHM_SPHERICAL) {
  case PL_EDGE_ALGORITHM_SPHERICAL:
    return "spherical";
  case PL_EDGE_ALGORITHM_VINCENTY:
    return "vincenty";
  case PL_EDGE_ALGORITHM_THOMAS:
    return "thomas";
  case PL_EDGE_ALGORITHM_ANDOYER:
    return "andoyer";
  case PL_EDGE_ALGORITHM_KARNEY:
    return "karney";
  default:
    return "unknown";
  }
}

#define IS(name) PL_HAS(logical_type, logical, name)

/* Fixed-width bytes of a known width. */
static bool set_fixed(pl_arrow_type *type, const pl_schema_element *element, const pl_logical_type *logical) {
  if (element->type != PL_TYPE_FIXED_LEN_BYTE_ARRAY)
    return false;
  if (IS(UUID))
    return set_extension(type, "w:16", "arrow.uuid") && element->type_length == 16;
  return set(type, "e") && element->type_length == 2;
}

/* False where the annotation is none, not known, or does not fit; `type` may be half filled then. */
static bool annotate(pl_arrow_type *type, const pl_metadata *metadata, const pl_schema_element *element,
                     const pl_logical_type *logical) {
  const int32_t physical = element->type;
  if (IS(STRING) || IS(ENUM))
    return set(type, "u") && physical == PL_TYPE_BYTE_ARRAY;
  if (IS(JSON))
    return set_extension(type, "u", "arrow.json") && physical == PL_TYPE_BYTE_ARRAY;
  if (IS(BSON))
    return set(type, "z") && physical == PL_TYPE_BYTE_ARRAY;
  if (IS(UUID) || IS(FLOAT16))
    return set_fixed(type, element, logical);
  if (IS(DATE))
    return set(type, "tdD") && physical == PL_TYPE_INT32;
  if (IS(TIME))
    return set_time(type, physical, &logical->TIME);
  if (IS(TIMESTAMP))
    return set_timestamp(type, physical, &logical->TIMESTAMP);
  if (IS(INTEGER))
    return set_integer(type, physical, logical->INTEGER.bit_width, logical->INTEGER.is_signed);
  if (IS(DECIMAL))
    return set_decimal(type, element, logical->DECIMAL.precision, logical->DECIMAL.scale);
  if (IS(GEOMETRY)) {
    const pl_geometry_type *geometry = &logical->GEOMETRY;
    return set_geo(type, metadata, physical, PL_HAS(geometry_type, geometry, crs), geometry->crs, NULL);
  }
  if (IS(GEOGRAPHY)) {
    const pl_geography_type *geography = &logical->GEOGRAPHY;
    return set_geo(type, metadata, physical, PL_HAS(geography_type, geography, crs), geography->crs,
                   edges_of(geography));
  }
  if (IS(UNKNOWN)) {
    type->form = PL_ARROW_NOTHING;
    return set(type, "n");
  }
  return false;
}

#define WITH(name) .present = 1u << PL_BIT_logical_type_##name
#define TIME_UNIT(unit_name) .unit = {.present = 1u << PL_BIT_time_unit_##unit_name}, .is_adjusted_to_UTC = 1

/* The older annotation as the newer one says it. */
static pl_logical_type as_logical(const pl_schema_element *element) {
  switch (element->converted_type) {
  case PL_CONVERTED_TYPE_UTF8:
    return (pl_logical_type){WITH(STRING)};
  case PL_CONVERTED_TYPE_ENUM:
    return (pl_logical_type){WITH(ENUM)};
  case PL_CONVERTED_TYPE_JSON:
    return (pl_logical_type){WITH(JSON)};
  case PL_CONVERTED_TYPE_BSON:
    return (pl_logical_type){WITH(BSON)};
  case PL_CONVERTED_TYPE_DATE:
    return (pl_logical_type){WITH(DATE)};
  case PL_CONVERTED_TYPE_DECIMAL:
    return (pl_logical_type){WITH(DECIMAL),
                             .DECIMAL = {.precision = element->precision, .scale = element->scale}};
  case PL_CONVERTED_TYPE_TIME_MILLIS:
    return (pl_logical_type){WITH(TIME), .TIME = {TIME_UNIT(MILLIS)}};
  case PL_CONVERTED_TYPE_TIME_MICROS:
    return (pl_logical_type){WITH(TIME), .TIME = {TIME_UNIT(MICROS)}};
  case PL_CONVERTED_TYPE_TIMESTAMP_MILLIS:
    return (pl_logical_type){WITH(TIMESTAMP), .TIMESTAMP = {TIME_UNIT(MILLIS)}};
  case PL_CONVERTED_TYPE_TIMESTAMP_MICROS:
    return (pl_logical_type){WITH(TIMESTAMP), .TIMESTAMP = {TIME_UNIT(MICROS)}};
  case PL_CONVERTED_TYPE_UINT_8:
  case PL_CONVERTED_TYPE_UINT_16:
  case PL_CONVERTED_TYPE_UINT_32:
  case PL_CONVERTED_TYPE_UINT_64:
  case PL_CONVERTED_TYPE_INT_8:
  case PL_CONVERTED_TYPE_INT_16:
  case PL_CONVERTED_TYPE_INT_32:
  case PL_CONVERTED_TYPE_INT_64: {
    /* eight in a row: unsigned from 8 bits up, then signed */
    const int32_t i = element->converted_type - PL_CONVERTED_TYPE_UINT_8;
    return (pl_logical_type){WITH(INTEGER),
                             .INTEGER = {.bit_width = (int8_t)(8 << i % 4), .is_signed = i >= 4}};
  }
  default:
    return (pl_logical_type){0};
  }
}

static void set_int96(pl_arrow_type *type, pl_arrow_int96 int96) {
  type->form = PL_ARROW_INT96;
  type->width = 8;
  switch (int96) {
  case PL_ARROW_INT96_BYTES:
    type->form = PL_ARROW_AS_STORED;
    set(type, "w:12");
    break;
  case PL_ARROW_INT96_MILLISECONDS:
    type->nanoseconds = 1000000;
    set(type, "tsm:");
    break;
  case PL_ARROW_INT96_MICROSECONDS:
    type->nanoseconds = 1000;
    set(type, "tsu:");
    break;
  case PL_ARROW_INT96_NANOSECONDS:
    type->nanoseconds = 1;
    set(type, "tsn:");
    break;
  }
}

static void set_physical(pl_arrow_type *type, const pl_schema_element *element, pl_arrow_int96 int96) {
  switch (element->type) {
  case PL_TYPE_BOOLEAN:
    set(type, "b");
    break;
  case PL_TYPE_INT32:
    set(type, "i");
    break;
  case PL_TYPE_INT64:
    set(type, "l");
    break;
  case PL_TYPE_INT96:
    set_int96(type, int96);
    break;
  case PL_TYPE_FLOAT:
    set(type, "f");
    break;
  case PL_TYPE_DOUBLE:
    set(type, "g");
    break;
  case PL_TYPE_FIXED_LEN_BYTE_ARRAY:
    set_parts(type, "w:", element->type_length, "");
    break;
  default:
    set(type, "z");
  }
}

void pl_arrow_type_of(const pl_metadata *metadata, const pl_schema_element *element, pl_arrow_int96 int96,
                      pl_arrow_type *type) {
  *type = (pl_arrow_type){0};
  if (PL_HAS(schema_element, element, logical_type) &&
      annotate(type, metadata, element, PL_AT(pl_logical_type, metadata, element->logical_type)))
    return;
  *type = (pl_arrow_type){0};
  if (PL_HAS(schema_element, element, converted_type)) {
    if (element->converted_type == PL_CONVERTED_TYPE_INTERVAL &&
        element->type == PL_TYPE_FIXED_LEN_BYTE_ARRAY && element->type_length == 12) {
      *type = (pl_arrow_type){.form = PL_ARROW_INTERVAL, .width = 16, .format = "tin"};
      return;
    }
    const pl_logical_type logical = as_logical(element);
    if (annotate(type, metadata, element, &logical))
      return;
    *type = (pl_arrow_type){0};
  }
  set_physical(type, element, int96);
}

void pl_arrow_type_enlarge(pl_arrow_type *type) {
  if (type->form != PL_ARROW_AS_STORED || (strcmp(type->format, "u") != 0 && strcmp(type->format, "z") != 0))
    return;
  type->format[0] = type->format[0] == 'u' ? 'U' : 'Z';
  type->has_large_offsets = true;
}
