#include "encodings/encodings.h"

#include <string.h>

static const pl_encoding_entry *const table[] = {
    &pl_encoding_plain,
    &pl_encoding_rle,
    &pl_encoding_rle_dictionary,
    &pl_encoding_plain_dictionary,
    &pl_encoding_delta_binary_packed,
    &pl_encoding_delta_length_byte_array,
    &pl_encoding_delta_byte_array,
    &pl_encoding_byte_stream_split,
    &pl_encoding_alp,
};

const pl_encoding_entry *pl_encoding_find(int32_t encoding) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if ((int32_t)table[i]->id == encoding)
      return table[i];
  return NULL;
}

pl_status pl_value_decoder_open(pl_value_decoder *decoder, int32_t encoding, const pl_value_section *section) {
  decoder->encoding = pl_encoding_find(encoding);
  if (decoder->encoding == NULL || (decoder->encoding->types >> section->type & 1) == 0)
    return PL_UNSUPPORTED;
  decoder->kernels = pl_kernels_get();
  decoder->section = *section;
  return decoder->encoding->open(decoder);
}
