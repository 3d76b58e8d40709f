/* What the values of a leaf are to Arrow. */
#ifndef PAGELANE_ARROW_TYPE_H
#define PAGELANE_ARROW_TYPE_H

#include "pagelane/arrow.h"

/* How Arrow's values come from those of a column builder. */
typedef enum pl_arrow_form {
  PL_ARROW_AS_STORED, /* the same bytes */
  PL_ARROW_NARROWED,  /* INT32 to 8 or 16 bits */
  PL_ARROW_DECIMAL,   /* little-endian, sign-extended */
  PL_ARROW_INTERVAL,  /* int32 months, int32 days, int64 nanoseconds */
  PL_ARROW_INT96,     /* a timestamp */
  PL_ARROW_NOTHING,   /* a null array has no buffers */
} pl_arrow_form;

typedef struct pl_arrow_type {
  pl_arrow_form form;
  uint32_t width;      /* forms that convert: bytes of a value in Arrow */
  int64_t nanoseconds; /* PL_ARROW_INT96: of the unit */
  bool has_large_offsets;
  char format[32];       /* as in the specification: "i", "tsu:UTC" */
  const char *extension; /* name of an extension type; NULL: none */
  const char *edges;     /* geoarrow.wkb: how edges run; NULL: straight */
  const char *crs;       /* geoarrow.wkb: the reference system, crs_size bytes */
  size_t crs_size;
} pl_arrow_type;

/* The type that an element's annotations give where they are known and fit, else that of its physical type. Points into the
 * metadata. */
void pl_arrow_type_of(const pl_metadata *metadata, const pl_schema_element *element, pl_arrow_int96 int96,
                      pl_arrow_type *type);

/* GeoArrow's extension metadata, a JSON object: writes up to `capacity` bytes, returns how many there are. */
size_t pl_arrow_geo_metadata(const pl_arrow_type *type, char *out, size_t capacity);

/* Strings and binaries to Arrow's large ones; other types stay. */
void pl_arrow_type_enlarge(pl_arrow_type *type);

#endif
