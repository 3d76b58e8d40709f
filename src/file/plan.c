/* From a choice of columns, row groups and rows to byte ranges. */
#include "base/error.h"
#include "base/memory.h"
#include "pagelane/file.h"

/* Rows of the chosen row groups that are wanted: [first, end), counted over those groups. */
typedef struct row_window {
  uint64_t first, end;
} row_window;

static pl_status bad_argument(pl_error *error, uint64_t number, const char *message) {
  return pl_fail(error, PL_BAD_ARGUMENT, 0, -1, (int64_t)number, message);
}

static uint32_t chosen(const uint32_t *choice, uint32_t i) {
  return choice != NULL ? choice[i] : i;
}

static pl_status check_choice(const pl_metadata *metadata, const pl_plan_options *options, uint32_t n_columns,
                              uint32_t n_row_groups, uint64_t *n_rows, pl_error *error) {
  for (uint32_t i = 0; i < n_columns; i++)
    if (pl_metadata_column(metadata, chosen(options->columns, i)) == NULL)
      return bad_argument(error, chosen(options->columns, i), "column out of range");
  *n_rows = 0;
  for (uint32_t i = 0; i < n_row_groups; i++) {
    const uint32_t row_group = chosen(options->row_groups, i);
    const pl_row_group *group = pl_metadata_row_group(metadata, row_group);
    if (group == NULL)
      return bad_argument(error, row_group, "row group out of range");
    if (i > 0 && row_group <= chosen(options->row_groups, i - 1))
      return bad_argument(error, row_group, "row groups are not in ascending order");
    *n_rows += (uint64_t)group->num_rows; /* at most the file's num_rows, an int64 */
  }
  if (options->first_row > *n_rows)
    return bad_argument(error, options->first_row, "first row is past the last");
  return PL_OK;
}

pl_status pl_plan_make(const pl_metadata *metadata, const pl_plan_options *options, pl_plan_range *ranges,
                       size_t capacity, size_t *n_ranges, uint64_t *total_rows, pl_error *error) {
  const pl_plan_options everything = {.struct_size = sizeof everything, .n_rows = UINT64_MAX};
  if (options == NULL)
    options = &everything;
  const uint32_t n_columns = options->columns != NULL ? options->n_columns : pl_metadata_n_columns(metadata);
  const uint32_t n_row_groups =
      options->row_groups != NULL ? options->n_row_groups : pl_metadata_n_row_groups(metadata);
  uint64_t n_rows;
  pl_status status = check_choice(metadata, options, n_columns, n_row_groups, &n_rows, error);
  if (status != PL_OK)
    return status;
  if ((uint64_t)n_columns * n_row_groups > SIZE_MAX)
    return bad_argument(error, n_columns, "more ranges than can be counted");

  row_window wanted = {options->first_row, pl_size_add(options->first_row, options->n_rows)};
  if (wanted.end > n_rows)
    wanted.end = n_rows;
  size_t n = 0;
  uint64_t group_start = 0;
  for (uint32_t i = 0; i < n_row_groups; i++) {
    const uint32_t row_group = chosen(options->row_groups, i);
    const uint64_t group_rows = (uint64_t)pl_metadata_row_group(metadata, row_group)->num_rows;
    const uint64_t group_end = group_start + group_rows;
    const uint64_t first = wanted.first > group_start ? wanted.first : group_start;
    const uint64_t end = wanted.end < group_end ? wanted.end : group_end;
    for (uint32_t k = 0; first < end && k < n_columns; k++) {
      pl_plan_range range = {
          .row_group = row_group,
          .column = chosen(options->columns, k),
          .first_row = first - group_start,
          .n_rows = end - first,
          .row_group_rows = group_rows,
      };
      status = pl_metadata_chunk_range(metadata, row_group, range.column, &range.offset, &range.size, error);
      if (status != PL_OK)
        return status;
      if (n < capacity)
        ranges[n] = range;
      n++;
    }
    group_start = group_end;
  }
  *n_ranges = n;
  if (total_rows != NULL)
    *total_rows = wanted.end - wanted.first;
  return PL_OK;
}
