/* Reads the shared suite: tests/vectors/README.md describes the text. */
#ifndef PAGELANE_TESTS_VECTORS_MANIFEST_H
#define PAGELANE_TESTS_VECTORS_MANIFEST_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a case; or, for results too large to keep, only their size and SHA-256. */
typedef struct vector_blob {
  const uint8_t *bytes;
  size_t size;
  int has_digest;
  uint8_t digest[32];
  uint8_t inlined[32];
} vector_blob;

/* What must stand above the entries: a list (`bytes` are its offsets) or an OPTIONAL field (its validity). */
typedef struct vector_parent {
  int is_list;
  unsigned long long level, length, null_count;
  vector_blob bytes;
} vector_parent;

enum { VECTOR_MAX_CHUNKS = 4, VECTOR_MAX_PARENTS = 128 };

typedef struct vector_case {
  const char *name, *kind, *function, *type, *codec, *keep, *status;
  unsigned long long type_length, max_definition_level, max_repetition_level, repeated_levels, max_bytes;
  unsigned long long width, count, capacity, length, in_used, null_count, dictionary_length, n_levels;
  vector_blob bytes, chunks[VECTOR_MAX_CHUNKS];
  vector_parent parents[VECTOR_MAX_PARENTS];
  int n_chunks, n_parents;
  vector_blob values, validity, offsets, data, repetition_levels, definition_levels;
  vector_blob dictionary_values, dictionary_offsets, dictionary_data;
} vector_case;

typedef struct vector_manifest {
  char *text;
  size_t text_size;
  uint8_t *bytes;
  size_t bytes_size;
  char *next; /* the line to be read next */
} vector_manifest;

static void vector_fail(const char *what, const char *detail) {
  fprintf(stderr, "vectors: %s: %s\n", what, detail);
  exit(2);
}

static void *vector_load(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    vector_fail("cannot open", path);
  fseek(file, 0, SEEK_END);
  const long end = ftell(file);
  fseek(file, 0, SEEK_SET);
  char *bytes = malloc((size_t)end + 1);
  if (bytes == NULL || fread(bytes, 1, (size_t)end, file) != (size_t)end)
    vector_fail("cannot read", path);
  bytes[end] = 0;
  fclose(file);
  *size = (size_t)end;
  return bytes;
}

static unsigned vector_digit(char c) {
  return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
}

static void vector_hex(const char *text, size_t size, uint8_t *out) {
  for (size_t i = 0; i < size; i++)
    out[i] = (uint8_t)(vector_digit(text[2 * i]) << 4 | vector_digit(text[2 * i + 1]));
}

/* "-", hex digits, "@offset,size" or "sha256:digest,size" */
static void vector_parse_blob(const vector_manifest *manifest, const char *text, vector_blob *blob) {
  memset(blob, 0, sizeof *blob);
  if (strcmp(text, "-") == 0)
    return;
  if (text[0] == '@') {
    char *end;
    const size_t offset = strtoul(text + 1, &end, 10);
    blob->size = strtoul(end + 1, NULL, 10);
    if (offset > manifest->bytes_size || blob->size > manifest->bytes_size - offset)
      vector_fail("bytes outside the file", text);
    blob->bytes = manifest->bytes + offset;
  } else if (strncmp(text, "sha256:", 7) == 0) {
    blob->has_digest = 1;
    vector_hex(text + 7, 32, blob->digest);
    blob->size = strtoul(text + 7 + 65, NULL, 10);
  } else {
    blob->size = strlen(text) / 2;
    if (blob->size > sizeof blob->inlined)
      vector_fail("too many bytes in the text", text);
    vector_hex(text, blob->size, blob->inlined);
    blob->bytes = NULL; /* a case may be copied: see vector_bytes */
  }
}

static inline const uint8_t *vector_bytes(const vector_blob *blob) {
  return blob->bytes != NULL ? blob->bytes : blob->inlined;
}

/* "list LEVEL LENGTH OFFSETS" or "optional LEVEL LENGTH NULLS VALIDITY" */
static void vector_parse_parent(const vector_manifest *manifest, const char *text, vector_parent *parent) {
  char *next;
  parent->is_list = strncmp(text, "list ", 5) == 0;
  if (!parent->is_list && strncmp(text, "optional ", 9) != 0)
    vector_fail("neither a list nor optional", text);
  parent->level = strtoull(strchr(text, ' '), &next, 10);
  parent->length = strtoull(next, &next, 10);
  parent->null_count = parent->is_list ? 0 : strtoull(next, &next, 10);
  if (*next != ' ')
    vector_fail("a parent without its bytes", text);
  vector_parse_blob(manifest, next + 1, &parent->bytes);
}

static char *vector_line(vector_manifest *manifest) {
  char *line = manifest->next;
  if (*line == 0)
    return NULL;
  char *end = strchr(line, '\n');
  if (end != NULL)
    *end = 0;
  manifest->next = end != NULL ? end + 1 : line + strlen(line);
  return line;
}

static void vector_set(const vector_manifest *manifest, vector_case *c, const char *key, const char *value) {
  const struct {
    const char *key;
    const char **text;
    unsigned long long *number;
    vector_blob *blob;
  } fields[] = {
      {"kind", &c->kind, NULL, NULL},
      {"function", &c->function, NULL, NULL},
      {"type", &c->type, NULL, NULL},
      {"codec", &c->codec, NULL, NULL},
      {"keep", &c->keep, NULL, NULL},
      {"status", &c->status, NULL, NULL},
      {"type_length", NULL, &c->type_length, NULL},
      {"max_definition_level", NULL, &c->max_definition_level, NULL},
      {"max_repetition_level", NULL, &c->max_repetition_level, NULL},
      {"repeated_levels", NULL, &c->repeated_levels, NULL},
      {"max_bytes", NULL, &c->max_bytes, NULL},
      {"width", NULL, &c->width, NULL},
      {"count", NULL, &c->count, NULL},
      {"capacity", NULL, &c->capacity, NULL},
      {"length", NULL, &c->length, NULL},
      {"in_used", NULL, &c->in_used, NULL},
      {"null_count", NULL, &c->null_count, NULL},
      {"dictionary_length", NULL, &c->dictionary_length, NULL},
      {"n_levels", NULL, &c->n_levels, NULL},
      {"bytes", NULL, NULL, &c->bytes},
      {"values", NULL, NULL, &c->values},
      {"validity", NULL, NULL, &c->validity},
      {"offsets", NULL, NULL, &c->offsets},
      {"data", NULL, NULL, &c->data},
      {"repetition_levels", NULL, NULL, &c->repetition_levels},
      {"definition_levels", NULL, NULL, &c->definition_levels},
      {"dictionary_values", NULL, NULL, &c->dictionary_values},
      {"dictionary_offsets", NULL, NULL, &c->dictionary_offsets},
      {"dictionary_data", NULL, NULL, &c->dictionary_data},
  };
  if (strcmp(key, "chunk") == 0) {
    if (c->n_chunks == VECTOR_MAX_CHUNKS)
      vector_fail("too many chunks", c->name);
    vector_parse_blob(manifest, value, &c->chunks[c->n_chunks++]);
    return;
  }
  if (strcmp(key, "parent") == 0) {
    if (c->n_parents == VECTOR_MAX_PARENTS)
      vector_fail("too many parents", c->name);
    vector_parse_parent(manifest, value, &c->parents[c->n_parents++]);
    return;
  }
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
    if (strcmp(key, fields[i].key) != 0)
      continue;
    if (fields[i].text != NULL)
      *fields[i].text = value;
    else if (fields[i].number != NULL)
      *fields[i].number = strtoull(value, NULL, 10);
    else
      vector_parse_blob(manifest, value, fields[i].blob);
    return;
  }
  if (strcmp(key, "note") != 0 && strcmp(key, "writer") != 0)
    vector_fail("unknown word in the manifest", key);
}

/* The next case: 1; 0 at the end. */
static int vector_next(vector_manifest *manifest, vector_case *c) {
  char *line = vector_line(manifest);
  while (line != NULL && strncmp(line, "case ", 5) != 0)
    line = vector_line(manifest);
  if (line == NULL)
    return 0;
  memset(c, 0, sizeof *c);
  c->name = line + 5;
  while ((line = vector_line(manifest)) != NULL && *line != 0) {
    char *value = strchr(line, ' ');
    if (value == NULL)
      vector_fail("a line without a value", line);
    *value = 0;
    vector_set(manifest, c, line, value + 1);
  }
  return 1;
}

#endif
