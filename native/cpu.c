/* Which kernels this machine runs. PAGELANE_CPU takes instruction sets away: a list with commas of "-name", which goes for
 * whatever builds on that one too, or "scalar" (nothing but the scalar kernels); what it names that does not exist changes
 * nothing. */
#include "kernels/tables.h"
#include "pagelane/encoding.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#if defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#if defined(__aarch64__)
static bool has_crc32(void) {
#if defined(__linux__)
  return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0;
#else
  return true;
#endif
}
#endif

size_t pl_kernels_list(const pl_kernels *tables[8]) {
  size_t n = 0;
  tables[n++] = &pl_kernels_scalar;
#if defined(__x86_64__)
  /* the compiler's run-time support also asks whether the system saves the registers */
  __builtin_cpu_init();
  if (__builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("pclmul"))
    tables[n++] = &pl_kernels_sse41;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
      __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("pclmul"))
    tables[n++] = &pl_kernels_avx2;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul")) {
    tables[n++] = &pl_kernels_avx512;
    if (__builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2"))
      tables[n++] = &pl_kernels_avx512vbmi;
  }
#elif defined(__aarch64__)
  if (has_crc32())
    tables[n++] = &pl_kernels_neon;
#endif
  return n;
}

static bool allowed(const pl_kernels *table, const char *list) {
  while (list != NULL && *list != '\0') {
    const size_t size = strcspn(list, ",");
    if (size == strlen("scalar") && memcmp(list, "scalar", size) == 0)
      return false;
    if (*list == '-' && size - 1 == strlen(table->name) && memcmp(list + 1, table->name, size - 1) == 0)
      return false;
    list += size;
    list += *list == ',';
  }
  return true;
}

static const pl_kernels *choose(void) {
  const pl_kernels *tables[8];
  const char *list = getenv("PAGELANE_CPU");
  const size_t n = pl_kernels_list(tables);
  size_t best = 0;
  while (best + 1 < n && allowed(tables[best + 1], list))
    best++;
  return tables[best];
}

/* Threads that come at the same time may choose twice; the first one's choice is everybody's. */
const pl_kernels *pl_kernels_get(void) {
  static _Atomic(const pl_kernels *) chosen;
  const pl_kernels *table = atomic_load_explicit(&chosen, memory_order_acquire);
  if (table == NULL) {
    const pl_kernels *mine = choose();
    table = atomic_compare_exchange_strong(&chosen, &table, mine) ? mine : table;
  }
  return table;
}

const char *pl_kernels_name(void) {
  return pl_kernels_get()->name;
}
