/* pagelane: Apache Parquet pages at memory speed. The whole public C API, in three levels:
 *   encoding.h  values: one pure function per encoding and type
 *   page.h      pages: headers, and a column builder to which pages are appended
 *   file.h      files: the footer's metadata, plans of byte ranges, column chunks as step machines
 * and arrow.h, which hands columns and whole files on to Arrow.
 * status.h and types.h hold what all of them share. */
#ifndef PAGELANE_H
#define PAGELANE_H

#define PAGELANE_VERSION "0.1.0"

#include "pagelane/arrow.h"
#include "pagelane/encoding.h"
#include "pagelane/file.h"
#include "pagelane/page.h"
#include "pagelane/status.h"
#include "pagelane/types.h"

#endif
