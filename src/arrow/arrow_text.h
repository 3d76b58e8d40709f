/* Texts put together within a given size: formats, extension metadata, messages. */
#ifndef PAGELANE_ARROW_TEXT_H
#define PAGELANE_ARROW_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What does not fit is left out; `size` counts it all the same. */
typedef struct pl_text {
  char *out;
  size_t capacity, size;
} pl_text;

static inline void pl_text_put(pl_text *text, const char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++, text->size++)
    if (text->size < text->capacity)
      text->out[text->size] = bytes[i];
}

static inline void pl_text_word(pl_text *text, const char *word) {
  pl_text_put(text, word, strlen(word));
}

static inline void pl_text_number(pl_text *text, uint64_t number) {
  char digits[20];
  size_t at = sizeof digits;
  do {
    digits[--at] = (char)('0' + number % 10);
    number /= 10;
  } while (number != 0);
  pl_text_put(text, digits + at, sizeof digits - at);
}

/* Puts the 0 behind the text, or over its last byte where it is longer than its place. */
static inline void pl_text_end(pl_text *text) {
  text->out[text->size < text->capacity ? text->size : text->capacity - 1] = 0;
}

#endif
