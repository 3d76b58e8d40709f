/* LZ4 against its block format's description and a decoder that goes byte by byte: blocks, and Hadoop's frames around
 * them. */
#include "codec_run.h"

/* A length that the token's 4 bits cannot hold goes on after it. */
static void put_rest(bytes *b, size_t length) {
  if (length < 15)
    return;
  for (length -= 15; length >= 255; length -= 255)
    put_byte(b, 255);
  put_byte(b, (unsigned)length);
}

static void put_token(bytes *b, const void *literals, size_t size, size_t copy) {
  const size_t m = copy == 0 ? 0 : copy - 4;
  put_byte(b, (unsigned)((size < 15 ? size : 15) << 4 | (m < 15 ? m : 15)));
  put_rest(b, size);
  put(b, literals, size);
}

static void put_sequence(bytes *b, const void *literals, size_t size, size_t offset, size_t copy) {
  put_token(b, literals, size, copy);
  put_byte(b, offset & 255);
  put_byte(b, (unsigned)(offset >> 8));
  put_rest(b, copy - 4);
}

static void put_last(bytes *b, const void *literals, size_t size) {
  put_token(b, literals, size, 0);
}

static void put_big_endian(bytes *b, size_t number) {
  for (int shift = 24; shift >= 0; shift -= 8)
    put_byte(b, number >> shift & 255);
}

/* The format description, a byte at a time. The size of the output; -1: not a whole block, or more than that. */
static ptrdiff_t reference(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size) {
  size_t i = 0, o = 0;
  while (i < in_size) {
    const unsigned token = in[i++];
    for (int part = 0; part < 2; part++) {
      size_t length = part == 0 ? token >> 4 : token & 15, offset = 0;
      if (part == 1) {
        if (in_size - i < 2)
          return -1;
        offset = (size_t)in[i] + 256 * (size_t)in[i + 1];
        i += 2;
        if (offset == 0 || offset > o)
          return -1;
      }
      for (bool more = length == 15; more; more = in[i++] == 255) {
        if (i == in_size)
          return -1;
        length += in[i];
      }
      for (length += part == 0 ? 0 : 4; length > 0; length--, o++) {
        if (o == out_size || (part == 0 && i == in_size))
          return -1;
        out[o] = part == 0 ? in[i++] : out[o - offset];
      }
      if (part == 0 && i == in_size)
        return (ptrdiff_t)o;
    }
  }
  return -1;
}

static void test_by_hand(void **state) {
  (void)state;
  bytes b = {.size = 0};
  assert_int_equal(run(pl_lz4_raw_decompress, b.data, 0, 0, NULL), PL_TRUNCATED);
  put_last(&b, "", 0); /* a block of no bytes */
  assert_int_equal(b.size, 1);
  assert_int_equal(run(pl_lz4_raw_decompress, b.data, 1, 0, NULL), PL_OK);
  assert_int_equal(run(pl_lz4_raw_decompress, b.data, 1, 1, NULL), PL_TRUNCATED);
  put_byte(&b, 1); /* and what is left over */
  put_byte(&b, 0);
  assert_int_equal(run(pl_lz4_raw_decompress, b.data, b.size, 0, NULL), PL_CORRUPT);

  b.size = 0; /* the last literals repeat their own bytes: xabababab!! */
  put_sequence(&b, "xab", 3, 2, 6);
  put_last(&b, "!!", 2);
  const uint8_t exact[] = {0x32, 'x', 'a', 'b', 0x02, 0x00, 0x20, '!', '!'};
  assert_int_equal(b.size, sizeof exact);
  assert_memory_equal(b.data, exact, sizeof exact);
  assert_int_equal(run(pl_lz4_raw_decompress, b.data, b.size, 11, (const uint8_t *)"xabababab!!"), PL_OK);
  assert_int_equal(run(pl_lz4_raw_decompress, b.data, b.size, 10, NULL), PL_CORRUPT);
  assert_int_equal(run(pl_lz4_raw_decompress, b.data, b.size, 12, NULL), PL_TRUNCATED);
  for (size_t n = 0; n < b.size; n++)
    assert_int_equal(run(pl_lz4_raw_decompress, b.data, n, 11, NULL), PL_TRUNCATED);

  static const struct {
    size_t offset, copy;
    pl_status status;
  } copies[] = {
      {3, 4, PL_OK},        {1, 4, PL_OK},          {0, 4, PL_CORRUPT},
      {4, 4, PL_CORRUPT},   {65535, 4, PL_CORRUPT}, {3, 5, PL_CORRUPT}, /* the literal has no room */
      {3, 6, PL_CORRUPT},                                               /* nor has the copy */
      {3, 500, PL_CORRUPT},                                             /* by far */
  };
  for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++) {
    b.size = 0;
    put_sequence(&b, "abc", 3, copies[i].offset, copies[i].copy);
    put_last(&b, "z", 1);
    const pl_status status = run(pl_lz4_raw_decompress, b.data, b.size, 8, NULL);
    if (status != copies[i].status)
      fail_msg("copy %zu: %s", i, pl_status_name(status));
  }
  memset(b.data, 255, 1 << 16); /* lengths that never end */
  assert_int_equal(run(pl_lz4_raw_decompress, b.data, 1 << 16, 1000, NULL), PL_TRUNCATED);
}

static void test_literals(void **state) {
  (void)state;
  static bytes b, text;
  text.size = 0;
  for (int i = 0; i < 70000; i++)
    put_byte(&text, random_below(256));
  static const size_t sizes[] = {1, 14, 15, 16, 17, 32, 269, 270, 271, 524, 525, 65535, 70000};
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    b.size = 0;
    put_last(&b, text.data, sizes[s]);
    assert_int_equal(run(pl_lz4_raw_decompress, b.data, b.size, sizes[s], text.data), PL_OK);
    assert_int_equal(run(pl_lz4_raw_decompress, b.data, b.size - 1, sizes[s], NULL), PL_TRUNCATED);
    assert_int_equal(run(pl_lz4_raw_decompress, b.data, b.size, sizes[s] - 1, NULL), PL_CORRUPT);
  }
}

/* Every offset up to 40 with every length up to 80 and some long ones, close to the output's end and far from it. */
static void test_overlaps(void **state) {
  (void)state;
  static uint8_t expected[5000], literals[64];
  for (unsigned i = 0; i < sizeof literals; i++)
    literals[i] = (uint8_t)(i * 7 + 1);
  for (size_t offset = 1; offset <= 40; offset++) {
    for (size_t copy = 4; copy <= 4000; copy += copy < 80 ? 1 : 653) {
      for (size_t after = 0; after <= 40; after += 5) {
        bytes b = {.size = 0};
        const size_t total = 40 + copy + after;
        put_sequence(&b, literals, 40, offset, copy);
        put_last(&b, literals, after);
        assert_int_equal(reference(b.data, b.size, expected, total), total);
        assert_int_equal(run(pl_lz4_raw_decompress, b.data, b.size, total, expected), PL_OK);
      }
    }
  }
}

/* A random block; the size of what it holds. */
static size_t put_random_block(bytes *b, uint32_t n_sequences) {
  static uint8_t literals[300];
  for (size_t i = 0; i < sizeof literals; i++)
    literals[i] = (uint8_t)random_below(256);
  size_t n_out = 0;
  for (; n_sequences > 0; n_sequences--) {
    const size_t size = random_below(random_below(4) ? 20 : 300),
                 copy = 4 + random_below(random_below(4) ? 20 : 300);
    n_out += size;
    if (n_out == 0)
      continue;
    size_t offset = 1 + random_below(random_below(2) ? 20 : 3000);
    offset = offset > n_out ? n_out : offset;
    put_sequence(b, literals, size, offset, copy);
    n_out += copy;
  }
  const size_t last = random_below(30);
  put_last(b, literals, last);
  return n_out + last;
}

/* Random blocks, right and damaged, against the reference; with the frame's header before them too. */
static void test_random(void **state) {
  (void)state;
  static bytes block, framed;
  static uint8_t expected[1 << 17];
  size_t n_right = 0, n_wrong = 0;
  for (int round = 0; round < 4000; round++) {
    block.size = framed.size = 0;
    const size_t n_out = put_random_block(&block, random_below(30));
    assert_int_equal(reference(block.data, block.size, expected, n_out), n_out);
    assert_int_equal(run(pl_lz4_raw_decompress, block.data, block.size, n_out, expected), PL_OK);
    assert_int_equal(run(pl_lz4_decompress, block.data, block.size, n_out, expected), PL_OK);
    if (n_out == 0)
      continue;
    put_big_endian(&framed, n_out);
    put_big_endian(&framed, block.size);
    put(&framed, block.data, block.size);
    assert_int_equal(run(pl_lz4_decompress, framed.data, framed.size, n_out, expected), PL_OK);
    for (int damage = 0; damage < 4; damage++) {
      const size_t at = random_below((uint32_t)block.size);
      const uint8_t was = block.data[at];
      block.data[at] = framed.data[at + 8] = (uint8_t)random_below(256);
      const bool right = reference(block.data, block.size, expected, n_out) == (ptrdiff_t)n_out;
      const uint8_t *wanted = right ? expected : NULL;
      assert_int_equal(run(pl_lz4_raw_decompress, block.data, block.size, n_out, wanted) == PL_OK, right);
      assert_int_equal(run(pl_lz4_decompress, framed.data, framed.size, n_out, wanted) == PL_OK, right);
      n_right += right;
      n_wrong += !right;
      block.data[at] = framed.data[at + 8] = was;
    }
  }
  assert_true(n_right > 1000 && n_wrong > 1000);
}

/* Frames of one chunk and of several, one frame or several; copies do not reach into the chunk before. */
static void test_frames(void **state) {
  (void)state;
  const uint8_t *text = (const uint8_t *)"aaaaaaaabbbbccccc";
  bytes b = {.size = 0};
  put_big_endian(&b, 12);
  put_big_endian(&b, 6); /* 8 x a, in a chunk that ends in literals */
  put_sequence(&b, "a", 1, 1, 6);
  put_last(&b, "a", 1);
  put_big_endian(&b, 5);
  put_last(&b, "bbbb", 4);
  const size_t first_frame = b.size;
  put_big_endian(&b, 5);
  put_big_endian(&b, 6);
  put_last(&b, "ccccc", 5);
  assert_int_equal(run(pl_lz4_decompress, b.data, b.size, 17, text), PL_OK);
  assert_int_equal(run(pl_lz4_decompress, b.data, first_frame, 12, text), PL_OK);
  assert_int_equal(run(pl_lz4_raw_decompress, b.data, b.size, 17, NULL), PL_CORRUPT);
  for (size_t n = 0; n < b.size; n++)
    assert_int_equal(run(pl_lz4_decompress, b.data, n, 17, NULL), PL_TRUNCATED);
  assert_int_equal(run(pl_lz4_decompress, b.data, b.size, 16, NULL), PL_CORRUPT);
  assert_int_equal(run(pl_lz4_decompress, b.data, b.size, 18, NULL), PL_TRUNCATED);
  assert_int_equal(run(pl_lz4_decompress, b.data, b.size, 12, NULL), PL_CORRUPT); /* a frame left over */
  b.data[3] = 13; /* a frame that is longer than its chunks */
  assert_int_equal(run(pl_lz4_decompress, b.data, first_frame, 13, NULL), PL_TRUNCATED);
  b.data[3] = 11; /* and one that is shorter */
  assert_int_equal(run(pl_lz4_decompress, b.data, first_frame, 11, NULL), PL_CORRUPT);

  b.size = 0;
  put_big_endian(&b, 9);
  put_big_endian(&b, 5);
  put_last(&b, "aaaa", 4);
  put_big_endian(&b, 5);
  put_sequence(&b, "", 0, 4, 4);
  put_last(&b, "b", 1);
  assert_int_equal(run(pl_lz4_decompress, b.data, b.size, 9, NULL), PL_CORRUPT);
}

/* A block begins with a literal, so that as a frame it would announce 256 MiB or more. */
static void test_bare_block(void **state) {
  (void)state;
  static bytes b;
  static uint8_t expected[1 << 17];
  b.size = 0;
  put_sequence(&b, "\0", 1, 1, 60000);
  put_last(&b, "12345", 5);
  const size_t n_out = 1 + 60000 + 5;
  assert_int_equal(reference(b.data, b.size, expected, n_out), n_out);
  assert_int_equal(run(pl_lz4_decompress, b.data, b.size, n_out, expected), PL_OK);
  assert_int_equal(run(pl_lz4_decompress, b.data, b.size - 1, n_out, NULL), PL_TRUNCATED);
  assert_int_equal(run(pl_lz4_decompress, b.data, b.size, n_out - 1, NULL), PL_CORRUPT);
  assert_int_equal(run(pl_lz4_decompress, b.data, 0, n_out, NULL), PL_TRUNCATED);
}

static void test_bound(void **state) {
  (void)state;
  assert_int_equal(pl_codec_output_bound(PL_CODEC_LZ4, 100), 25500);
  bytes b = {.size = 0};
  put_sequence(&b, "a", 1, 1, 4 + 15 + 255 * 1000);
  put_last(&b, "bcdef", 5);
  const size_t n_out = 1 + 4 + 15 + 255 * 1000 + 5;
  assert_int_equal(run(pl_lz4_raw_decompress, b.data, b.size, n_out, NULL), PL_OK);
  assert_true(n_out <= pl_codec_output_bound(PL_CODEC_LZ4_RAW, b.size));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_by_hand), cmocka_unit_test(test_literals), cmocka_unit_test(test_overlaps),
      cmocka_unit_test(test_random),  cmocka_unit_test(test_frames),   cmocka_unit_test(test_bare_block),
      cmocka_unit_test(test_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
