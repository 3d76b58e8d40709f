/* Which elements of a schema are lists, maps and variants. */
#ifndef PAGELANE_FILE_NODE_KINDS_H
#define PAGELANE_FILE_NODE_KINDS_H

#include "pagelane/metadata.h"

/* Sets the kinds of the groups of an image whose tree was checked; all are STRUCT before. `nodes`: those of the
 * image. */
void pl_schema_name_kinds(const pl_metadata *metadata, pl_schema_node *nodes);

#endif
