/* Codecs: Snappy against its format description and a decoder that goes byte by byte; zstd, gzip and Brotli against
 * the compressors of their libraries. LZ4 has a file of its own. */
#include "codec_run.h"

#ifdef PAGELANE_WITH_BROTLI
#include <brotli/encode.h>
#endif
#ifdef PAGELANE_WITH_ZLIB
#include <zlib.h>
#endif
#ifdef PAGELANE_WITH_ZSTD
#include <zstd.h>
#endif

/* ---- Snappy ---- */

static void put_literal(bytes *b, const char *text) {
  const size_t size = strlen(text);
  put_byte(b, (unsigned)(size - 1) << 2);
  put(b, text, size);
}

/* A literal whose length stands in n bytes after the tag. */
static void put_long_literal(bytes *b, const uint8_t *data, size_t size, unsigned n) {
  put_byte(b, (59 + n) << 2);
  for (unsigned i = 0; i < n; i++)
    put_byte(b, (unsigned)((size - 1) >> (8 * i)) & 255);
  put(b, data, size);
}

static void put_copy(bytes *b, unsigned kind, uint32_t offset, uint32_t size) {
  if (kind == 1) {
    put_byte(b, (offset >> 8) << 5 | (size - 4) << 2 | 1);
    put_byte(b, offset & 255);
  } else {
    put_byte(b, (size - 1) << 2 | kind);
    for (unsigned i = 0; i < (kind == 2 ? 2 : 4); i++)
      put_byte(b, offset >> (8 * i) & 255);
  }
}

/* The format description, a byte at a time. false: not a whole stream of exactly out_size bytes. */
static bool snappy_reference(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size) {
  size_t i = 0, o = 0;
  uint64_t announced = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (i == in_size || shift > 28 || (shift == 28 && in[i] > 15))
      return false;
    announced |= (uint64_t)(in[i] & 127) << shift;
    if (in[i++] < 128)
      break;
  }
  if (announced != out_size)
    return false;
  while (i < in_size) {
    const unsigned tag = in[i++];
    uint64_t size, offset = 0;
    unsigned n_more = 0;
    if ((tag & 3) == 0)
      n_more = tag >> 2 < 60 ? 0 : (tag >> 2) - 59;
    else
      n_more = (tag & 3) == 3 ? 4 : tag & 3;
    if (in_size - i < n_more)
      return false;
    uint64_t more = 0;
    for (unsigned k = 0; k < n_more; k++)
      more |= (uint64_t)in[i++] << (8 * k);
    if ((tag & 3) == 0) {
      size = (n_more == 0 ? tag >> 2 : more) + 1;
    } else if ((tag & 3) == 1) {
      size = (tag >> 2 & 7) + 4;
      offset = (uint64_t)(tag >> 5) * 256 + more;
    } else {
      size = (tag >> 2) + 1;
      offset = more;
    }
    if ((tag & 3) != 0 && (offset == 0 || offset > o))
      return false;
    for (; size > 0; size--, o++) {
      if (o == out_size || ((tag & 3) == 0 && i == in_size))
        return false;
      out[o] = (tag & 3) == 0 ? in[i++] : out[o - offset];
    }
  }
  return o == out_size;
}

static void test_snappy_by_hand(void **state) {
  (void)state;
  bytes b = {.size = 0};
  put_uleb(&b, 0);
  assert_int_equal(run(pl_snappy_decompress, b.data, 1, 0, NULL), PL_OK);
  assert_int_equal(run(pl_snappy_decompress, b.data, 1, 1, NULL), PL_CORRUPT);
  assert_int_equal(run(pl_snappy_decompress, b.data, 0, 0, NULL), PL_TRUNCATED);
  put_byte(&b, 0); /* a literal after the end */
  put_byte(&b, 'x');
  assert_int_equal(run(pl_snappy_decompress, b.data, b.size, 0, NULL), PL_CORRUPT);

  b.size = 0; /* the description's example of a copy that repeats its own bytes: xababab */
  put_uleb(&b, 7);
  put_literal(&b, "xab");
  put_copy(&b, 1, 2, 4);
  const uint8_t exact[] = {0x07, 0x08, 'x', 'a', 'b', 0x01, 0x02};
  assert_int_equal(b.size, sizeof exact);
  assert_memory_equal(b.data, exact, sizeof exact);
  assert_int_equal(run(pl_snappy_decompress, b.data, b.size, 7, (const uint8_t *)"xababab"), PL_OK);
  assert_int_equal(run(pl_snappy_decompress, b.data, b.size, 6, NULL), PL_CORRUPT);
  for (size_t n = 0; n < b.size; n++)
    assert_int_equal(run(pl_snappy_decompress, b.data, n, 7, NULL), PL_TRUNCATED);

  static const struct {
    unsigned kind;
    uint32_t offset, size;
    pl_status status;
  } copies[] = {
      {1, 3, 4, PL_OK},          {1, 4, 4, PL_CORRUPT},
      {1, 0, 4, PL_CORRUPT},     {2, 3, 4, PL_OK},
      {2, 65535, 4, PL_CORRUPT}, {3, 3, 4, PL_OK},
      {3, 0, 4, PL_CORRUPT},     {3, UINT32_MAX, 4, PL_CORRUPT},
      {2, 1, 5, PL_CORRUPT},     /* past the output */ {2, 1, 3, PL_TRUNCATED},
  };
  for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++) {
    b.size = 0;
    put_uleb(&b, 7);
    put_literal(&b, "abc");
    put_copy(&b, copies[i].kind, copies[i].offset, copies[i].size);
    const pl_status status = run(pl_snappy_decompress, b.data, b.size, 7, (const uint8_t *)"abcabca");
    if (status != copies[i].status)
      fail_msg("copy %zu: %s", i, pl_status_name(status));
  }

  static const uint8_t sizes[][8] = {{0x80, 0x80, 0x80, 0x80, 0x80, 0x00}, {0xFF, 0xFF, 0xFF, 0xFF, 0x1F}};
  for (size_t i = 0; i < 2; i++) /* sizes of 6 bytes, and of 33 bits */
    assert_int_equal(run(pl_snappy_decompress, sizes[i], sizeof sizes[i], 8, NULL), PL_CORRUPT);
  const uint8_t long_literal[] = {0x08, 63 << 2, 0xFF, 0xFF, 0xFF, 0xFF, 'a'}; /* of 2^32 bytes */
  assert_int_equal(run(pl_snappy_decompress, long_literal, sizeof long_literal, 8, NULL), PL_CORRUPT);
}

static void test_snappy_literals(void **state) {
  (void)state;
  static bytes b, text;
  text.size = 0;
  for (int i = 0; i < 70000; i++)
    put_byte(&text, random_below(256));
  static const size_t sizes[] = {1, 15, 16, 17, 59, 60, 61, 255, 256, 257, 65535, 65536, 70000};
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    for (unsigned n = 1; n <= 4; n++) {
      if (n < 4 && (sizes[s] - 1) >> (8 * n) != 0)
        continue;
      b.size = 0;
      put_uleb(&b, sizes[s]);
      put_long_literal(&b, text.data, sizes[s], n);
      assert_int_equal(run(pl_snappy_decompress, b.data, b.size, sizes[s], text.data), PL_OK);
      assert_int_equal(run(pl_snappy_decompress, b.data, b.size - 1, sizes[s], NULL), PL_TRUNCATED);
    }
  }
}

/* Every offset up to 40 with every length, close to the output's end and far from it. */
static void test_snappy_overlaps(void **state) {
  (void)state;
  for (uint32_t offset = 1; offset <= 40; offset++) {
    for (uint32_t size = 1; size <= 64; size++) {
      for (size_t after = 0; after <= 40; after += 8) {
        bytes b = {.size = 0};
        uint8_t expected[200];
        const size_t total = 40 + size + after;
        put_uleb(&b, total);
        put_byte(&b, 39 << 2);
        for (unsigned i = 0; i < 40; i++)
          put_byte(&b, i * 7 + 1);
        put_copy(&b, size % 2 ? 2 : 3, offset, size);
        if (after != 0)
          put_byte(&b, (unsigned)(after - 1) << 2);
        for (size_t i = 0; i < after; i++)
          put_byte(&b, 200 + (unsigned)i);
        assert_true(snappy_reference(b.data, b.size, expected, total));
        assert_int_equal(expected[40 + size - 1], expected[40 + size - 1 - offset]);
        assert_int_equal(run(pl_snappy_decompress, b.data, b.size, total, expected), PL_OK);
      }
    }
  }
}

/* Random streams, right and damaged, against the reference. */
static void test_snappy_random(void **state) {
  (void)state;
  static bytes b;
  static uint8_t expected[1 << 17];
  size_t n_right = 0, n_wrong = 0;
  for (int round = 0; round < 4000; round++) {
    bytes body = {.size = 0};
    size_t n_out = 0;
    for (uint32_t n = random_below(30); n > 0; n--) {
      const unsigned kind = random_below(4);
      uint32_t size = 1 + random_below(64), offset = 1 + random_below(random_below(2) ? 20 : 300);
      if (kind == 0 || n_out == 0) {
        put_byte(&body, ((size > 60 ? 60 : size) - 1) << 2);
        size = size > 60 ? 60 : size;
        for (uint32_t i = 0; i < size; i++)
          put_byte(&body, random_below(256));
      } else {
        if (kind == 1)
          size = 4 + random_below(8);
        put_copy(&body, kind, offset > n_out ? (uint32_t)n_out : offset, size);
      }
      n_out += size;
    }
    b.size = 0;
    put_uleb(&b, n_out);
    put(&b, body.data, body.size);
    assert_true(snappy_reference(b.data, b.size, expected, n_out));
    assert_int_equal(run(pl_snappy_decompress, b.data, b.size, n_out, expected), PL_OK);
    for (int damage = 0; damage < 4; damage++) {
      const size_t at = random_below((uint32_t)b.size);
      const uint8_t was = b.data[at];
      b.data[at] = (uint8_t)random_below(256);
      const bool right = snappy_reference(b.data, b.size, expected, n_out);
      assert_int_equal(run(pl_snappy_decompress, b.data, b.size, n_out, right ? expected : NULL) == PL_OK,
                       right);
      n_right += right;
      n_wrong += !right;
      b.data[at] = was;
    }
  }
  assert_true(n_right > 1000 && n_wrong > 1000);
}

/* ---- What all codecs of a library must do ---- */

static void fill_text(bytes *b, size_t size) {
  static const char *const words[] = {"page ", "level ", "row ", "chunk ", "\0\0\0\1", "dictionary "};
  b->size = 0;
  while (b->size < size) {
    const char *word = words[random_below(6)];
    put(b, word, word[0] == 0 ? 4 : strlen(word));
  }
  b->size = size;
}

typedef size_t compress_function(const uint8_t *in, size_t in_size, uint8_t *out, size_t capacity);

/* `joins`: two streams one after another are one page. */
static void check_codec(pl_decompress *decompress, compress_function *compress, bool joins) {
  static bytes text, packed, two;
  static const size_t sizes[] = {1, 100, 5000, 100000};
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    const size_t size = sizes[s];
    fill_text(&text, size);
    packed.size = compress(text.data, size, packed.data, sizeof packed.data);
    assert_true(packed.size > 0);
    assert_int_equal(run(decompress, packed.data, packed.size, size, text.data), PL_OK);
    assert_int_equal(run(decompress, packed.data, packed.size, size - 1, NULL), PL_CORRUPT);
    assert_int_equal(run(decompress, packed.data, packed.size, size + 1, NULL), PL_CORRUPT);
    const size_t step = packed.size / 50 + 1;
    for (size_t n = 0; n < packed.size; n += step)
      assert_int_equal(run(decompress, packed.data, n, size, NULL), PL_TRUNCATED);
    assert_int_equal(run(decompress, packed.data, packed.size - 1, size, NULL), PL_TRUNCATED);
    packed.data[packed.size] = 0x42; /* a byte left over */
    assert_int_equal(run(decompress, packed.data, packed.size + 1, size, NULL), PL_CORRUPT);
    if (size > 5000)
      continue;
    for (size_t i = 0; i < packed.size; i++) { /* any status, no access past an end */
      const uint8_t was = packed.data[i];
      packed.data[i] ^= (uint8_t)(1 + random_below(255));
      (void)run(decompress, packed.data, packed.size, size, NULL);
      packed.data[i] = was;
    }
    two.size = 0;
    put(&two, packed.data, packed.size);
    put(&two, packed.data, packed.size);
    put(&text, text.data, size);
    assert_int_equal(run(decompress, two.data, two.size, 2 * size, text.data), joins ? PL_OK : PL_CORRUPT);
    assert_int_equal(run(decompress, two.data, two.size, size, NULL), PL_CORRUPT);
    assert_int_equal(run(decompress, two.data, packed.size, 2 * size, NULL), PL_CORRUPT);
  }
  packed.size = compress(text.data, 0, packed.data, sizeof packed.data);
  assert_int_equal(run(decompress, packed.data, packed.size, 0, NULL), PL_OK);
  assert_int_equal(run(decompress, packed.data, 0, 0, NULL), PL_TRUNCATED);

  /* working memory counts: with none allowed there is a clean answer */
  packed.size = compress(text.data, 5000, packed.data, sizeof packed.data);
  pl_limits limits;
  pl_limits_init(&limits);
  limits.max_bytes = 1000;
  assert_int_equal(decompress(packed.data, packed.size, two.data, 5000, &limits), PL_LIMIT);
  assert_int_equal(limits.used_bytes, 0);
}

#ifdef PAGELANE_WITH_ZSTD
static size_t zstd_compress(const uint8_t *in, size_t in_size, uint8_t *out, size_t capacity) {
  const size_t size = ZSTD_compress(out, capacity, in, in_size, 3);
  assert_false(ZSTD_isError(size));
  return size;
}
#endif

static void test_zstd(void **state) {
  (void)state;
  pl_decompress *decompress = pl_codec_decompress(PL_CODEC_ZSTD);
#ifdef PAGELANE_WITH_ZSTD
  check_codec(decompress, zstd_compress, true);
  /* a skippable frame: magic, size, bytes */
  static const uint8_t skippable[] = {0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'};
  bytes b = {.size = 0};
  put(&b, skippable, sizeof skippable);
  b.size += zstd_compress((const uint8_t *)"text", 4, b.data + b.size, 1000);
  put(&b, skippable, sizeof skippable);
  assert_int_equal(run(decompress, b.data, b.size, 4, (const uint8_t *)"text"), PL_OK);
  assert_int_equal(run(decompress, b.data, b.size - 1, 4, NULL), PL_TRUNCATED);
  assert_int_equal(run(decompress, skippable, sizeof skippable, 4, NULL), PL_CORRUPT);
#else
  assert_null(decompress);
  skip();
#endif
}

#ifdef PAGELANE_WITH_ZLIB
static size_t deflate_as(int window_bits, const uint8_t *in, size_t in_size, uint8_t *out, size_t capacity) {
  z_stream stream = {0};
  assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = (Bytef *)(uintptr_t)in;
  stream.avail_in = (uInt)in_size;
  stream.next_out = out;
  stream.avail_out = (uInt)capacity;
  assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
  const size_t size = capacity - stream.avail_out;
  deflateEnd(&stream);
  return size;
}

static size_t gzip_compress(const uint8_t *in, size_t in_size, uint8_t *out, size_t capacity) {
  return deflate_as(15 + 16, in, in_size, out, capacity);
}
#endif

static void test_gzip(void **state) {
  (void)state;
  pl_decompress *decompress = pl_codec_decompress(PL_CODEC_GZIP);
#ifdef PAGELANE_WITH_ZLIB
  check_codec(decompress, gzip_compress, true);
  const uint8_t *text = (const uint8_t *)"some text, some text, some text";
  bytes b = {.size = deflate_as(15, text, 31, b.data, 1000)};
  assert_int_equal(run(decompress, b.data, b.size, 31, NULL), PL_CORRUPT); /* a zlib wrapper */
  b.size = deflate_as(-15, text, 31, b.data, 1000);
  assert_int_equal(run(decompress, b.data, b.size, 31, NULL), PL_CORRUPT); /* none at all */
  b.size = gzip_compress(text, 31, b.data, 1000);
  memset(b.data + b.size, 0, 20);
  assert_int_equal(run(decompress, b.data, b.size + 20, 31, text), PL_OK); /* padding */
  assert_int_equal(run(decompress, b.data, b.size + 20, 32, NULL), PL_CORRUPT);
  b.data[b.size + 19] = 1;
  assert_int_equal(run(decompress, b.data, b.size + 20, 31, NULL), PL_CORRUPT);
  b.data[b.size - 5] ^= 1; /* the member's CRC */
  assert_int_equal(run(decompress, b.data, b.size, 31, NULL), PL_CORRUPT);
  /* a member of no bytes after the output is full */
  b.size = gzip_compress(text, 31, b.data, 1000);
  b.size += gzip_compress(text, 0, b.data + b.size, 1000);
  assert_int_equal(run(decompress, b.data, b.size, 31, text), PL_OK);
#else
  assert_null(decompress);
  skip();
#endif
}

#ifdef PAGELANE_WITH_BROTLI
static size_t brotli_compress(const uint8_t *in, size_t in_size, uint8_t *out, size_t capacity) {
  assert_true(
      BrotliEncoderCompress(9, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_GENERIC, in_size, in, &capacity, out));
  return capacity;
}
#endif

static void test_brotli(void **state) {
  (void)state;
  pl_decompress *decompress = pl_codec_decompress(PL_CODEC_BROTLI);
#ifdef PAGELANE_WITH_BROTLI
  check_codec(decompress, brotli_compress, false);
  /* RFC 7932, section 9.2: a stream of no bytes is 06; so is what a window of 16 and the last, empty meta-block make */
  assert_int_equal(run(decompress, (const uint8_t *)"\x06", 1, 0, NULL), PL_OK);
  assert_int_equal(run(decompress, (const uint8_t *)"\x06", 1, 1, NULL), PL_CORRUPT);
  /* the most that can come of few bytes stays below the bound */
  enum { LARGE = 16 << 20 };
  uint8_t *zeros = calloc(1, LARGE);
  assert_non_null(zeros);
  bytes b;
  b.size = brotli_compress(zeros, LARGE, b.data, sizeof b.data);
  assert_int_equal(run(decompress, b.data, b.size, LARGE, zeros), PL_OK);
  assert_true(LARGE <= pl_codec_output_bound(PL_CODEC_BROTLI, b.size));
  free(zeros);
#else
  assert_null(decompress);
  skip();
#endif
}

static void test_table(void **state) {
  (void)state;
  assert_ptr_equal(pl_codec_decompress(PL_CODEC_SNAPPY), pl_snappy_decompress);
  assert_ptr_equal(pl_codec_decompress(PL_CODEC_LZ4), pl_lz4_decompress);
  assert_ptr_equal(pl_codec_decompress(PL_CODEC_LZ4_RAW), pl_lz4_raw_decompress);
  assert_null(pl_codec_decompress(PL_CODEC_UNCOMPRESSED));
  assert_null(pl_codec_decompress(PL_CODEC_LZO));
  assert_null(pl_codec_decompress(-1));
  assert_null(pl_codec_decompress(INT32_MAX));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_snappy_by_hand),
      cmocka_unit_test(test_snappy_literals),
      cmocka_unit_test(test_snappy_overlaps),
      cmocka_unit_test(test_snappy_random),
      cmocka_unit_test(test_zstd),
      cmocka_unit_test(test_gzip),
      cmocka_unit_test(test_brotli),
      cmocka_unit_test(test_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
