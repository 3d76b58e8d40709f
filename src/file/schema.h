/* The schema tree of FileMetaData.schema, which stands there in depth-first order: each element, then its
 * num_children subtrees. */
#ifndef PAGELANE_FILE_SCHEMA_H
#define PAGELANE_FILE_SCHEMA_H

#include "file/thrift.h"

/* Subtrees that follow an element. */
static inline uint32_t pl_schema_n_children(const pl_schema_element *element) {
  return element->num_children > 0 ? (uint32_t)element->num_children : 0;
}

/* A leaf has values. What has neither a type nor children is an empty group. Some writers give leaves a
 * num_children of 0. */
static inline bool pl_schema_is_leaf(const pl_schema_element *element) {
  return pl_schema_n_children(element) == 0 && PL_HAS(schema_element, element, type);
}

/* Checks the tree of the image that `reader` has made, and adds the list of column descriptors to it.
 * PL_CORRUPT: children that do not add up, an unknown type or repetition, a fixed length that is not
 * positive. PL_LIMIT: too deep, or no more memory allowed. Message and number of a failure: in `reader`. */
pl_status pl_schema_finish(pl_thrift_reader *reader);

#endif
