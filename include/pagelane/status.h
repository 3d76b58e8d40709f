/* What every function that can fail returns, and how an error says where it stands. */
#ifndef PAGELANE_STATUS_H
#define PAGELANE_STATUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(PAGELANE_STATIC) || defined(__wasm__)
#define PL_API
#elif defined(_WIN32)
#define PL_API __declspec(dllexport)
#else
#define PL_API __attribute__((visibility("default")))
#endif

/* clang-format off */
/* X(name, value): the whole list; the numbers are final. */
#define PL_STATUS_LIST(X)                                                                                    \
  X(OK, 0)           /* done */                                                                              \
  X(TRUNCATED, 1)    /* the input ends before what it announces */                                           \
  X(CORRUPT, 2)      /* the input contradicts the format or itself */                                        \
  X(UNSUPPORTED, 3)  /* legal, but this build or version cannot decode it; the error names it */             \
  X(LIMIT, 4)        /* a limit of pl_limits would be passed; nothing was allocated for it */                \
  X(NO_MEMORY, 5)    /* the allocator gave nothing */                                                        \
  X(NO_SPACE, 6)     /* the caller's output buffer is too small */                                           \
  X(BAD_ARGUMENT, 7) /* the call itself is wrong, whatever the input */                                      \
  X(CHECKSUM, 8)     /* a page checksum does not match (only where checking was asked for) */                \
  X(KEY, 9)          /* an encryption key is missing or wrong */

/* clang-format on */

typedef enum pl_status {
#define PL_STATUS_ENUM(name, value) PL_##name = (value),
  PL_STATUS_LIST(PL_STATUS_ENUM)
#undef PL_STATUS_ENUM
} pl_status;

/* Where and why a call failed. Every function that takes a `pl_error *` accepts NULL. Set only when the call
 * does not return PL_OK. */
typedef struct pl_error {
  pl_status status;
  uint64_t offset;     /* byte offset: in the file where the bytes come from a file, else in the input given */
  int64_t page;        /* number of the page within its column chunk, from 0; -1 where no page is concerned */
  int64_t number;      /* the number the message speaks of ("codec", "encoding"); -1 where it speaks of none */
  const char *message; /* a static English phrase, never NULL after a failure */
} pl_error;

/* The status as its name without prefix ("CORRUPT"); "?" for a number that is no status. */
PL_API const char *pl_status_name(pl_status status);

#ifdef __cplusplus
}
#endif
#endif
