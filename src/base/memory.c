#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void *default_resize(void *context, void *pointer, size_t old_size, size_t new_size) {
  (void)context;
  (void)old_size;
  if (new_size == 0) {
    free(pointer);
    return NULL;
  }
  return realloc(pointer, new_size);
}

void pl_limits_init(pl_limits *limits) {
  memset(limits, 0, sizeof *limits);
  limits->struct_size = sizeof *limits;
#define DEFAULT(name, default_value, what) limits->name = (default_value);
  PL_LIMITS_LIST(DEFAULT)
#undef DEFAULT
  limits->allocator.resize = default_resize;
}

pl_status pl_limits_charge(pl_limits *limits, uint64_t size) {
  if (limits->used_bytes > limits->max_bytes || size > limits->max_bytes - limits->used_bytes)
    return PL_LIMIT;
  limits->used_bytes += size;
  if (limits->used_bytes > limits->peak_bytes)
    limits->peak_bytes = limits->used_bytes;
  return PL_OK;
}

void pl_limits_release(pl_limits *limits, uint64_t size) {
  limits->used_bytes -= size < limits->used_bytes ? size : limits->used_bytes;
}

pl_status pl_memory_resize(pl_limits *limits, void *pointer_to_pointer, uint64_t old_size, uint64_t new_size) {
  void *pointer;
  memcpy(&pointer, pointer_to_pointer, sizeof pointer);
  if (new_size > SIZE_MAX)
    return PL_LIMIT;
  if (new_size > old_size) {
    const pl_status status = pl_limits_charge(limits, new_size - old_size);
    if (status != PL_OK)
      return status;
  }
  void *moved =
      limits->allocator.resize(limits->allocator.context, pointer, (size_t)old_size, (size_t)new_size);
  if (moved == NULL && new_size != 0) {
    if (new_size > old_size)
      pl_limits_release(limits, new_size - old_size);
    return PL_NO_MEMORY;
  }
  if (new_size < old_size)
    pl_limits_release(limits, old_size - new_size);
  memcpy(pointer_to_pointer, &moved, sizeof moved);
  return PL_OK;
}

void pl_memory_free(pl_limits *limits, void *pointer_to_pointer, uint64_t size) {
  void *pointer;
  memcpy(&pointer, pointer_to_pointer, sizeof pointer);
  if (pointer == NULL)
    return;
  limits->allocator.resize(limits->allocator.context, pointer, (size_t)size, 0);
  pl_limits_release(limits, size);
  pointer = NULL;
  memcpy(pointer_to_pointer, &pointer, sizeof pointer);
}

pl_status pl_buffer_reserve(pl_limits *limits, pl_buffer *buffer, uint64_t size) {
  if (size <= buffer->size)
    return PL_OK;
  const uint64_t generous = buffer->size + buffer->size / 2;
  uint64_t new_size = size < generous ? generous : size;
  pl_status status = pl_memory_resize(limits, &buffer->bytes, buffer->size, new_size);
  if (status != PL_OK && new_size > size) {
    new_size = size;
    status = pl_memory_resize(limits, &buffer->bytes, buffer->size, new_size);
  }
  if (status == PL_OK)
    buffer->size = new_size;
  return status;
}

void pl_buffer_free(pl_limits *limits, pl_buffer *buffer) {
  pl_memory_free(limits, &buffer->bytes, buffer->size);
  buffer->size = 0;
}
