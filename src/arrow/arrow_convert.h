/* Values that Arrow lays out in another way than Parquet. */
#ifndef PAGELANE_ARROW_CONVERT_H
#define PAGELANE_ARROW_CONVERT_H

#include "arrow/arrow_type.h"

/* Writes column->length values of type->width bytes. `type` is one that converts. PL_CORRUPT: a decimal that has more digits
 * than its type. PL_UNSUPPORTED: an interval or INT96 that Arrow's type cannot hold. */
pl_status pl_arrow_convert(const pl_arrow_type *type, const pl_column *column, uint8_t *out);

#endif
