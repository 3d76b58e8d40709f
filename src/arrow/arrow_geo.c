/* The extension metadata of geoarrow.wkb: {"crs": ..., "crs_type": ..., "edges": ...}.
 * Source: GeoArrow, "Extension Types"; Parquet names the reference system by an identifier, by "srid:" and a number, or by
 * PROJJSON, which here stands as the object that it is. */
#include "arrow/arrow_text.h"
#include "arrow/arrow_type.h"

static void put_quoted(pl_text *text, const char *bytes, size_t size) {
  static const char digits[] = "0123456789abcdef";
  pl_text_put(text, "\"", 1);
  for (size_t i = 0; i < size; i++) {
    const unsigned char byte = (unsigned char)bytes[i];
    if (byte < 32) {
      pl_text_word(text, "\\u00");
      pl_text_put(text, digits + byte / 16, 1);
      pl_text_put(text, digits + byte % 16, 1);
      continue;
    }
    if (byte == '"' || byte == '\\')
      pl_text_put(text, "\\", 1);
    pl_text_put(text, bytes + i, 1);
  }
  pl_text_put(text, "\"", 1);
}

/* Looks like one whole JSON object: braces and brackets close each other in order, up to the end. What is between them is
 * left to the reader. */
static bool is_object(const char *bytes, size_t size) {
  char open[64];
  size_t depth = 0;
  bool is_quoted = false;
  if (size == 0 || bytes[0] != '{')
    return false;
  for (size_t i = 0; i < size; i++) {
    const char c = bytes[i];
    if (is_quoted) {
      if (c == '\\')
        i++;
      else if (c == '"')
        is_quoted = false;
    } else if (c == '"') {
      is_quoted = true;
    } else if (c == '{' || c == '[') {
      if (depth == sizeof open)
        return false;
      open[depth++] = c;
    } else if (c == '}' || c == ']') {
      if (depth == 0 || open[--depth] != (c == '}' ? '{' : '['))
        return false;
      if (depth == 0)
        return i + 1 == size;
    }
  }
  return false;
}

size_t pl_arrow_geo_metadata(const pl_arrow_type *type, char *out, size_t capacity) {
  static const char srid[] = "srid:";
  const size_t srid_size = sizeof srid - 1;
  pl_text text = {.out = out, .capacity = capacity};
  pl_text_word(&text, "{\"crs\":");
  if (is_object(type->crs, type->crs_size)) {
    pl_text_put(&text, type->crs, type->crs_size);
  } else if (type->crs_size > srid_size && memcmp(type->crs, srid, srid_size) == 0) {
    put_quoted(&text, type->crs + srid_size, type->crs_size - srid_size);
    pl_text_word(&text, ",\"crs_type\":\"srid\"");
  } else {
    put_quoted(&text, type->crs, type->crs_size);
  }
  if (type->edges != NULL) {
    pl_text_word(&text, ",\"edges\":");
    put_quoted(&text, type->edges, strlen(type->edges));
  }
  pl_text_put(&text, "}", 1);
  return text.size;
}
