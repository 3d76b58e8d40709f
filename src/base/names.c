#include "pagelane/types.h"

#define NAME_CASE(name, value)                                                                                 \
  case (value):                                                                                                \
    return #name;

const char *pl_status_name(pl_status status) {
  switch ((int)status) { PL_STATUS_LIST(NAME_CASE) }
  return "?";
}

const char *pl_type_name(int32_t type) {
  switch (type) { PL_TYPE_LIST(NAME_CASE) }
  return NULL;
}

const char *pl_encoding_name(int32_t encoding) {
  switch (encoding) { PL_ENCODING_LIST(NAME_CASE) }
  return NULL;
}

const char *pl_codec_name(int32_t codec) {
  switch (codec) { PL_CODEC_LIST(NAME_CASE) }
  return NULL;
}

const char *pl_page_type_name(int32_t page_type) {
  switch (page_type) { PL_PAGE_TYPE_LIST(NAME_CASE) }
  return NULL;
}
