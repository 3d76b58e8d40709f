/* What the tests use of cmocka, for builds that have none: those for another machine. A failed check prints where it
 * stands and leaves the test by longjmp; the output has the lines that the summary of the tests reads. */
#ifndef PAGELANE_NO_CMOCKA_H
#define PAGELANE_NO_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct CMUnitTest {
  const char *name;
  void (*run)(void **state);
  int (*set_up)(void **state), (*tear_down)(void **state);
};

enum { CMOCKA_PASSED, CMOCKA_FAILED, CMOCKA_SKIPPED };
static jmp_buf cmocka_leave;

#define cmocka_unit_test_setup_teardown(test, set_up, tear_down) {#test, test, set_up, tear_down}
#define cmocka_unit_test(test) cmocka_unit_test_setup_teardown(test, NULL, NULL)
#define cmocka_run_group_tests(tests, set_up, tear_down)                                                       \
  cmocka_run(tests, sizeof(tests) / sizeof *(tests), set_up, tear_down)

#define print_message(...) printf(__VA_ARGS__)
#define skip() longjmp(cmocka_leave, CMOCKA_SKIPPED)
#define fail_msg(...)                                                                                          \
  (printf("%s:%d: ", __FILE__, __LINE__), printf(__VA_ARGS__), printf("\n"),                                   \
   longjmp(cmocka_leave, CMOCKA_FAILED))

#define cmocka_check(holds, text)                                                                              \
  do {                                                                                                         \
    if (!(holds))                                                                                              \
      fail_msg("%s", text);                                                                                    \
  } while (0)
/* As cmocka does: integers of any size and sign as 64 bits. */
#define cmocka_same(a, is, b) cmocka_check((uint64_t)(a)is(uint64_t)(b), #a " " #is " " #b " does not hold")

#define assert_true(x) cmocka_check(x, #x " is false")
#define assert_false(x) cmocka_check(!(x), #x " is true")
#define assert_null(p) cmocka_check((p) == NULL, #p " is not NULL")
#define assert_non_null(p) cmocka_check((p) != NULL, #p " is NULL")
#define assert_ptr_equal(a, b) cmocka_check((const void *)(a) == (const void *)(b), #a " and " #b " differ")
#define assert_int_equal(a, b) cmocka_same(a, ==, b)
#define assert_int_not_equal(a, b) cmocka_same(a, !=, b)
#define assert_in_range(x, least, most)                                                                        \
  cmocka_check((uint64_t)(x) >= (uint64_t)(least) && (uint64_t)(x) <= (uint64_t)(most), #x " is out of range")
#define assert_string_equal(a, b) cmocka_check(strcmp(a, b) == 0, #a " and " #b " differ")
#define assert_memory_equal(a, b, size) cmocka_check(memcmp(a, b, size) == 0, #a " and " #b " differ")

/* What a check or a skip leaves behind is not torn down. */
static inline int cmocka_run_one(const struct CMUnitTest *test, void **state) {
  switch (setjmp(cmocka_leave)) {
  case 0:
    if (test->set_up != NULL && test->set_up(state) != 0)
      return CMOCKA_FAILED;
    test->run(state);
    return test->tear_down != NULL && test->tear_down(state) != 0 ? CMOCKA_FAILED : CMOCKA_PASSED;
  case CMOCKA_SKIPPED:
    return CMOCKA_SKIPPED;
  default:
    return CMOCKA_FAILED;
  }
}

static inline int cmocka_run(const struct CMUnitTest *tests, size_t n, int (*set_up)(void **),
                             int (*tear_down)(void **)) {
  static const char *const marks[] = {"      OK", " FAILED ", " SKIPPED"};
  int counts[3] = {0};
  void *state = NULL;
  bool ready = set_up == NULL || set_up(&state) == 0;
  for (size_t i = 0; i < n && ready; i++) {
    const int result = cmocka_run_one(&tests[i], &state);
    counts[result]++;
    printf("[ %s ] %s\n", marks[result], tests[i].name);
    fflush(stdout);
  }
  if (tear_down != NULL)
    tear_down(&state);
  printf("[==========] %zu test(s) run.\n[  PASSED  ] %d test(s).\n", n, counts[CMOCKA_PASSED]);
  if (counts[CMOCKA_SKIPPED] != 0)
    printf("[  SKIPPED ] %d test(s).\n", counts[CMOCKA_SKIPPED]);
  if (counts[CMOCKA_FAILED] != 0 || !ready)
    printf("[  FAILED  ] %d test(s).\n", ready ? counts[CMOCKA_FAILED] : 1);
  return ready ? counts[CMOCKA_FAILED] : 1;
}

#endif
