/* What a case must have given, and its share of the suite's digest. */
#ifndef PAGELANE_TESTS_VECTORS_CHECK_H
#define PAGELANE_TESTS_VECTORS_CHECK_H

#include "vectors_result.h"

static bool check_number(const char *name, const char *what, uint64_t expected, uint64_t got) {
  if (expected == got)
    return true;
  printf("FAIL %s: %s %llu, expected %llu\n", name, what, (unsigned long long)got,
         (unsigned long long)expected);
  return false;
}

static bool check_bytes(const char *name, const char *what, const vector_blob *expected,
                        const result_bytes *got) {
  if (expected->size != got->size) {
    printf("FAIL %s: %zu bytes of %s, expected %zu\n", name, got->size, what, expected->size);
    return false;
  }
  if (expected->has_digest) {
    sha256 s;
    uint8_t digest[32];
    sha256_start(&s);
    sha256_add(&s, got->bytes, got->size);
    sha256_finish(&s, digest);
    if (memcmp(digest, expected->digest, 32) == 0)
      return true;
    printf("FAIL %s: another digest of %s\n", name, what);
    return false;
  }
  const uint8_t *bytes = vector_bytes(expected);
  for (size_t i = 0; i < got->size; i++) {
    if (got->bytes[i] != bytes[i]) {
      printf("FAIL %s: byte %zu of %s is %02x, expected %02x\n", name, i, what, got->bytes[i], bytes[i]);
      return false;
    }
  }
  return true;
}

static bool check_parents(const vector_case *c, const vector_result *r) {
  if (!check_number(c->name, "parents", (uint64_t)c->n_parents, r->n_parents))
    return false;
  for (int i = 0; i < c->n_parents; i++) {
    const vector_parent *wanted = &c->parents[i];
    const result_parent *got = &r->parents[i];
    const char *what = wanted->is_list ? "offsets of a list" : "validity of an optional field";
    if (!check_number(c->name, "lists", (uint64_t)wanted->is_list, got->is_list) ||
        !check_number(c->name, "level of a parent", wanted->level, got->level) ||
        !check_number(c->name, "length of a parent", wanted->length, got->length) ||
        !check_number(c->name, "null count of a parent", wanted->null_count, got->null_count) ||
        !check_bytes(c->name, what, &wanted->bytes, wanted->is_list ? &got->offsets : &got->validity))
      return false;
  }
  return true;
}

static bool check_case(const vector_case *c, const vector_result *r) {
  const char *status = pl_status_name(r->status);
  if (r->fault != NULL) {
    printf("FAIL %s: %s\n", c->name, r->fault);
    return false;
  }
  if (strcmp(status, c->status) != 0) {
    printf("FAIL %s: %s, expected %s\n", c->name, status, c->status);
    return false;
  }
  if (r->status != PL_OK)
    return true;
  return check_number(c->name, "length", c->length, r->length) &&
         check_number(c->name, "null count", c->null_count, r->null_count) &&
         check_number(c->name, "bytes used", c->in_used, r->in_used) &&
         check_number(c->name, "levels", c->n_levels, r->n_levels) &&
         check_number(c->name, "dictionary length", c->dictionary_length, r->dictionary_length) &&
         check_bytes(c->name, "values", &c->values, &r->values) &&
         check_bytes(c->name, "validity", &c->validity, &r->validity) &&
         check_bytes(c->name, "offsets", &c->offsets, &r->offsets) &&
         check_bytes(c->name, "data", &c->data, &r->data) &&
         check_bytes(c->name, "repetition levels", &c->repetition_levels, &r->repetition_levels) &&
         check_bytes(c->name, "definition levels", &c->definition_levels, &r->definition_levels) &&
         check_bytes(c->name, "dictionary values", &c->dictionary_values, &r->dictionary_values) &&
         check_bytes(c->name, "dictionary offsets", &c->dictionary_offsets, &r->dictionary_offsets) &&
         check_bytes(c->name, "dictionary data", &c->dictionary_data, &r->dictionary_data) &&
         check_parents(c, r);
}

static void digest_number(sha256 *digest, uint64_t number) {
  uint8_t bytes[8];
  for (int i = 0; i < 8; i++)
    bytes[i] = (uint8_t)(number >> 8 * i);
  sha256_add(digest, bytes, 8);
}

static void digest_bytes(sha256 *digest, const result_bytes *bytes) {
  digest_number(digest, bytes->size);
  sha256_add(digest, bytes->bytes, bytes->size);
}

/* One case's contribution to the suite's digest; README.md of the suite has the order. */
static void result_digest(sha256 *digest, const char *name, const vector_result *result) {
  const uint8_t status = (uint8_t)result->status;
  sha256_add(digest, name, strlen(name));
  sha256_add(digest, "\n", 1);
  sha256_add(digest, &status, 1);
  if (result->status != PL_OK)
    return;
  digest_number(digest, result->length);
  digest_number(digest, result->null_count);
  digest_number(digest, result->in_used);
  digest_number(digest, result->n_levels);
  digest_number(digest, result->dictionary_length);
  digest_bytes(digest, &result->values);
  digest_bytes(digest, &result->validity);
  digest_bytes(digest, &result->offsets);
  digest_bytes(digest, &result->data);
  digest_bytes(digest, &result->repetition_levels);
  digest_bytes(digest, &result->definition_levels);
  digest_bytes(digest, &result->dictionary_values);
  digest_bytes(digest, &result->dictionary_offsets);
  digest_bytes(digest, &result->dictionary_data);
  digest_number(digest, result->n_parents);
  for (size_t i = 0; i < result->n_parents; i++) {
    const result_parent *parent = &result->parents[i];
    digest_number(digest, parent->level);
    digest_number(digest, parent->is_list);
    digest_number(digest, parent->length);
    digest_number(digest, parent->null_count);
    digest_bytes(digest, &parent->validity);
    digest_bytes(digest, &parent->offsets);
  }
}

#endif
