/* One row an encoding; each is defined in the file that bears its name. */
#ifndef PAGELANE_ENCODINGS_ENCODINGS_H
#define PAGELANE_ENCODINGS_ENCODINGS_H

#include "encodings/encoding.h"

extern const pl_encoding_entry pl_encoding_plain;
extern const pl_encoding_entry pl_encoding_rle;
extern const pl_encoding_entry pl_encoding_rle_dictionary;
extern const pl_encoding_entry pl_encoding_plain_dictionary; /* the same, under its old number */
extern const pl_encoding_entry pl_encoding_delta_binary_packed;
extern const pl_encoding_entry pl_encoding_delta_length_byte_array;
extern const pl_encoding_entry pl_encoding_delta_byte_array;
extern const pl_encoding_entry pl_encoding_byte_stream_split;
extern const pl_encoding_entry pl_encoding_alp;

#endif
