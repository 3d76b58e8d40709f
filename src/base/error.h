/* Fills a pl_error, if the caller wants one, and returns its status. */
#ifndef PAGELANE_BASE_ERROR_H
#define PAGELANE_BASE_ERROR_H

#include "pagelane/status.h"

static inline pl_status pl_fail(pl_error *error, pl_status status, uint64_t offset, int64_t page,
                                int64_t number, const char *message) {
  if (error != NULL)
    *error = (pl_error){status, offset, page, number, message};
  return status;
}

#endif
