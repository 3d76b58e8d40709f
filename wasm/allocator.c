/* malloc for the wasm module: the C library's is a seventh of a module that needs a few dozen blocks at a time.
 * One list of free blocks in address order, first fit, neighbours joined when they are freed. Every block
 * starts with its size.
 *
 *   [ size | next ... free ]   [ size | pad | bytes handed out ... ]   sizes count the header and are multiples
 * of 16
 *
 * Memory grows in one generous step when nothing fits: growing costs the engine far more than the pages do. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct block {
  size_t size;
  struct block *next; /* free blocks only */
} block;

enum {
  HEADER = 16, /* keeps what is handed out aligned */
  WASM_PAGE = 65536,
  GROWTH = 16 * WASM_PAGE, /* the least that memory grows by */
};

extern unsigned char __heap_base;
static block *first_free;
static bool is_ready;

static block *block_of(void *pointer) {
  return (block *)(void *)((uint8_t *)pointer - HEADER);
}

static bool meets(const block *a, const block *b) {
  return (const uint8_t *)a + a->size == (const uint8_t *)b;
}

/* Puts a block into the list, joined with the free neighbours it touches. */
static void give_back(block *freed) {
  block *before = NULL, *after = first_free;
  while (after != NULL && after < freed) {
    before = after;
    after = after->next;
  }
  freed->next = after;
  if (after != NULL && meets(freed, after)) {
    freed->size += after->size;
    freed->next = after->next;
  }
  if (before == NULL) {
    first_free = freed;
  } else if (meets(before, freed)) {
    before->size += freed->size;
    before->next = freed->next;
  } else {
    before->next = freed;
  }
}

/* Cuts what a block has over `size` off, if it is enough for another one. */
static void trim(block *b, size_t size) {
  if (b->size - size < 2 * HEADER)
    return;
  block *rest = (block *)(void *)((uint8_t *)b + size);
  rest->size = b->size - size;
  b->size = size;
  give_back(rest);
}

/* At least `size` more bytes at the end of memory, free. */
static bool grow(size_t size) {
  if (!is_ready) { /* what the linker left behind the data comes first */
    is_ready = true;
    const uintptr_t start = ((uintptr_t)&__heap_base + HEADER - 1) & ~(uintptr_t)(HEADER - 1);
    const uintptr_t end = __builtin_wasm_memory_size(0) * (uintptr_t)WASM_PAGE;
    if (end > start + 2 * HEADER) {
      block *rest = (block *)start;
      rest->size = end - start;
      give_back(rest);
      if (rest->size >= size)
        return true;
    }
  }
  const size_t quarter = __builtin_wasm_memory_size(0) * (size_t)(WASM_PAGE / 4);
  const size_t generous = quarter > GROWTH ? quarter : GROWTH;
  size_t n_pages = ((size > generous ? size : generous) + WASM_PAGE - 1) / WASM_PAGE;
  size_t at = __builtin_wasm_memory_grow(0, n_pages);
  if (at == SIZE_MAX) {
    n_pages = (size + WASM_PAGE - 1) / WASM_PAGE;
    at = __builtin_wasm_memory_grow(0, n_pages);
  }
  if (at == SIZE_MAX)
    return false;
  block *fresh = (block *)(at * WASM_PAGE);
  fresh->size = n_pages * WASM_PAGE;
  give_back(fresh);
  return true;
}

void *malloc(size_t wanted) {
  if (wanted > SIZE_MAX / 2)
    return NULL;
  const size_t size = (wanted + 2 * HEADER - 1) & ~(size_t)(HEADER - 1);
  do {
    for (block **link = &first_free; *link != NULL; link = &(*link)->next)
      if ((*link)->size >= size) {
        block *found = *link;
        *link = found->next;
        trim(found, size);
        return (uint8_t *)found + HEADER;
      }
  } while (grow(size));
  return NULL;
}

void *calloc(size_t n, size_t size) {
  if (size != 0 && n > SIZE_MAX / size)
    return NULL;
  void *pointer = malloc(n * size);
  if (pointer != NULL)
    memset(pointer, 0, n * size);
  return pointer;
}

void free(void *pointer) {
  if (pointer != NULL)
    give_back(block_of(pointer));
}

void *realloc(void *pointer, size_t wanted) {
  if (pointer == NULL)
    return malloc(wanted);
  const size_t room = block_of(pointer)->size - HEADER;
  if (wanted <= room) {
    trim(block_of(pointer), (wanted + 2 * HEADER - 1) & ~(size_t)(HEADER - 1));
    return pointer;
  }
  void *moved = malloc(wanted);
  if (moved == NULL)
    return NULL;
  memcpy(moved, pointer, room);
  free(pointer);
  return moved;
}
