/* The grid of DELTA_BYTE_ARRAY that was published with Arrow's change to decode fixed-width values without views: values of
 * 2 and 16 bytes, batches of 512 and 2,048, of which 10, 90 and 99 % share a prefix of random length with the one before;
 * and strings of 0 to 64 bytes. A batch is one value section. Every round times all arms in turn over the same batches.
 *
 *   dense            values straight to their places (strings: offsets and data)
 *   views            pointer and size of each
 *   views-then-copy  views, and each copied to its place: what there was before
 *   views-only       a decoder that knows views alone, written for that
 *
 *   flba [ROUNDS [CASE]]
 *
 * Prints one JSON object a case and arm: {"case", "isa", "arm", "ns": [a value's nanoseconds by round]}. */
#define _POSIX_C_SOURCE 200809L
#include "flba_views_only.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_VALUES = 2048, MAX_WIDTH = 64, BATCH_VALUES = 65536, N_ARMS = 4, MAX_ROUNDS = 1000, REPEATS = 8 };

typedef struct batch {
  uint8_t *section;
  size_t size;
} batch;

typedef struct bench_case {
  uint32_t width; /* 0: strings */
  size_t n;       /* values a batch */
  uint32_t prefixed;
  batch batches[BATCH_VALUES / 512];
  size_t n_batches;
} bench_case;

static uint8_t out[MAX_VALUES * MAX_WIDTH + 64], arena[MAX_VALUES * MAX_WIDTH + 64];
static pl_view views[MAX_VALUES];
static int32_t offsets[MAX_VALUES + 1];

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

/* ---- arms: decode one batch, return the bytes of its values ---- */

static size_t run_dense(const bench_case *c, const batch *b) {
  size_t n, used;
  const pl_status status =
      c->width != 0
          ? pl_delta_byte_array_decode_fixed(b->section, b->size, c->width, out, sizeof out, &n, &used)
          : pl_delta_byte_array_decode_offsets(b->section, b->size, offsets, MAX_VALUES + 1, out, sizeof out,
                                               &n, &used);
  if (status != PL_OK)
    fail("dense");
  return c->width != 0 ? n * c->width : (size_t)offsets[n];
}

static size_t run_views(const bench_case *c, const batch *b) {
  size_t n, used;
  if (pl_delta_byte_array_decode_views(b->section, b->size, arena, sizeof arena, views, MAX_VALUES, &n,
                                       &used) != PL_OK)
    fail("views");
  return n * c->width;
}

static size_t run_views_then_copy(const bench_case *c, const batch *b) {
  size_t n, used, at = 0;
  if (pl_delta_byte_array_decode_views(b->section, b->size, arena, sizeof arena, views, MAX_VALUES, &n,
                                       &used) != PL_OK)
    fail("views");
  if (c->width != 0) {
    for (size_t i = 0; i < n; i++)
      memcpy(out + i * c->width, views[i].bytes, c->width);
    return n * c->width;
  }
  offsets[0] = 0;
  for (size_t i = 0; i < n; i++) {
    memcpy(out + at, views[i].bytes, views[i].size);
    at += views[i].size;
    offsets[i + 1] = (int32_t)at;
  }
  return at;
}

static size_t run_views_only(const bench_case *c, const batch *b) {
  size_t n;
  if (!views_only_decode(b->section, b->size, arena, sizeof arena, views, MAX_VALUES, &n))
    fail("views-only");
  return n * c->width;
}

static const struct {
  const char *name;
  size_t (*run)(const bench_case *c, const batch *b);
} arms[N_ARMS] = {
    {"dense", run_dense},
    {"views", run_views},
    {"views-then-copy", run_views_then_copy},
    {"views-only", run_views_only},
};

/* ---- batches ---- */

/* A share of the values begins with a random part of the value before. */
static batch make_batch(ref_random *random, const bench_case *c) {
  static uint8_t data[MAX_VALUES * MAX_WIDTH];
  uint64_t prefixes[MAX_VALUES], suffixes[MAX_VALUES];
  uint64_t last = 0;
  uint8_t *to = data, *previous = data;
  batch b = {malloc(4 * MAX_VALUES * MAX_WIDTH), 0};
  if (b.section == NULL)
    fail("no memory");
  for (size_t i = 0; i < c->n; i++, previous = to, to += last) {
    const uint64_t size = c->width != 0 ? c->width : ref_below(random, MAX_WIDTH + 1);
    const uint64_t most = size < last ? size : last;
    const bool shares = i != 0 && most != 0 && ref_below(random, 100) < c->prefixed;
    uint64_t prefix = shares ? 1 + ref_below(random, most) : 0;
    memcpy(to, previous, prefix);
    for (uint64_t k = prefix; k < size; k++)
      to[k] = (uint8_t)ref_next(random);
    while (prefix < most && to[prefix] == previous[prefix])
      prefix++;
    prefixes[i] = prefix;
    suffixes[i] = size - prefix;
    last = size;
  }
  b.size = ref_write_delta(random, prefixes, c->n, 32, 128, 4, false, b.section);
  b.size += ref_write_delta(random, suffixes, c->n, 32, 128, 4, false, b.section + b.size);
  to = data;
  for (size_t i = 0; i < c->n; i++) {
    memcpy(b.section + b.size, to + prefixes[i], suffixes[i]);
    b.size += suffixes[i];
    to += prefixes[i] + suffixes[i];
  }
  return b;
}

/* The arms must agree. */
static void check(const bench_case *c, const batch *b) {
  static uint8_t expected[sizeof out];
  const size_t size = run_views_then_copy(c, b);
  memcpy(expected, out, size);
  memset(out, 0, size);
  if (run_dense(c, b) != size || memcmp(out, expected, size) != 0)
    fail("dense and views differ");
  run_views_only(c, b);
  size_t at = 0;
  for (size_t i = 0; i < c->n; at += views[i++].size)
    if (at + views[i].size > size || memcmp(views[i].bytes, expected + at, views[i].size) != 0)
      fail("views-only differs");
}

/* Of this thread: a round is long, and machines are shared. */
static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static double time_arm(const bench_case *c, size_t arm, unsigned repeats) {
  size_t sum = 0;
  const uint64_t start = now();
  for (unsigned r = 0; r < repeats; r++)
    for (size_t i = 0; i < c->n_batches; i++)
      sum += arms[arm].run(c, &c->batches[i]);
  const uint64_t end = now();
  if (sum == 1)
    fail("impossible");
  return (double)(end - start) / ((double)c->n * (double)c->n_batches * repeats);
}

static void run_case(bench_case *c, const char *name, unsigned rounds) {
  static double ns[N_ARMS][MAX_ROUNDS];
  ref_random random = {c->width * 1000 + c->prefixed};
  c->n_batches = BATCH_VALUES / c->n;
  for (size_t i = 0; i < c->n_batches; i++) {
    c->batches[i] = make_batch(&random, c);
    check(c, &c->batches[i]);
  }
  for (size_t arm = 0; arm < N_ARMS; arm++)
    time_arm(c, arm, REPEATS);
  for (unsigned round = 0; round < rounds; round++)
    for (size_t a = 0; a < N_ARMS; a++) {
      const size_t arm = (a + round) % N_ARMS;
      ns[arm][round] = time_arm(c, arm, REPEATS);
    }
  for (size_t a = 0; a < N_ARMS; a++) {
    printf("{\"case\":\"%s\",\"isa\":\"%s\",\"arm\":\"%s\",\"ns\":[", name, pl_kernels_name(), arms[a].name);
    for (unsigned round = 0; round < rounds; round++)
      printf("%s%.4f", round == 0 ? "" : ",", ns[a][round]);
    printf("]}\n");
  }
  for (size_t i = 0; i < c->n_batches; i++)
    free(c->batches[i].section);
}

int main(int argc, char **argv) {
  static const uint32_t widths[] = {2, 16, 0}, sizes[] = {512, 2048}, prefixed[] = {10, 90, 99};
  static bench_case c;
  const unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 11;
  bool found = false;
  for (size_t w = 0; w < 3; w++)
    for (size_t n = 0; n < 2; n++)
      for (size_t p = 0; p < 3; p++) {
        char name[64], width[16] = "strings";
        if (widths[w] != 0)
          snprintf(width, sizeof width, "%u", (unsigned)widths[w]);
        snprintf(name, sizeof name, "%s-%u-%u", width, (unsigned)sizes[n], (unsigned)prefixed[p]);
        if (argc > 2 && strcmp(argv[2], name) != 0)
          continue;
        c = (bench_case){.width = widths[w], .n = sizes[n], .prefixed = prefixed[p]};
        found = true;
        if (rounds != 0 && rounds <= MAX_ROUNDS)
          run_case(&c, name, rounds);
      }
  if (!found || rounds == 0 || rounds > MAX_ROUNDS)
    fail("flba [ROUNDS [CASE]]: at most 1000 rounds; a case like 16-512-90 or strings-2048-10");
  return 0;
}
