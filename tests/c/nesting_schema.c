/* The schema of nested columns: what each element is to a reader of Arrow's types (LogicalTypes.md, "Lists" and
 * "Maps" with their rules for older writers), its levels and extent, and how deep it may go. */
#include "footer_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Annotations: by ConvertedType, by LogicalType. */
typedef enum annotation { NONE, LIST, MAP, KEY_VALUE, NEW_LIST, NEW_MAP, VARIANT } annotation;

enum { MOST = 200, REQUIRED = 0, OPTIONAL = 1, REPEATED = 2 };

typedef struct node {
  int repetition, n_children; /* a leaf: n_children is -1 */
  const char *name;
  annotation annotation;
  pl_node_kind kind; /* expected */
} node;

static void write_annotation(thrift_writer *w, annotation annotation) {
  static const int converted[] = {[LIST] = PL_CONVERTED_TYPE_LIST,
                                  [MAP] = PL_CONVERTED_TYPE_MAP,
                                  [KEY_VALUE] = PL_CONVERTED_TYPE_MAP_KEY_VALUE};
  static const int logical[] = {[NEW_LIST] = 3, [NEW_MAP] = 2, [VARIANT] = 16};
  if (annotation == NONE)
    return;
  if (annotation < NEW_LIST) {
    tw_i32(w, 6, converted[annotation]);
    return;
  }
  tw_struct(w, 10);
  tw_struct(w, logical[annotation]);
  tw_close(w);
  tw_close(w);
}

static pl_status parse_schema(const node *nodes, int n_nodes, int n_top, uint64_t max_depth, pl_limits *limits,
                              pl_metadata **metadata) {
  thrift_writer w = {0};
  pl_limits_init(limits);
  if (max_depth != 0)
    limits->max_schema_depth = max_depth;
  tw_reset(&w);
  tw_i32(&w, 1, 2);
  tw_list(&w, 2, TW_STRUCT, (uint64_t)n_nodes + 1);
  tw_open(&w);
  tw_string(&w, 4, "schema");
  tw_i32(&w, 5, n_top);
  tw_close(&w);
  for (int i = 0; i < n_nodes; i++) {
    tw_open(&w);
    if (nodes[i].n_children < 0)
      tw_i32(&w, 1, PL_TYPE_INT32);
    tw_i32(&w, 3, nodes[i].repetition);
    tw_string(&w, 4, nodes[i].name);
    if (nodes[i].n_children >= 0)
      tw_i32(&w, 5, nodes[i].n_children);
    write_annotation(&w, nodes[i].annotation);
    tw_close(&w);
  }
  tw_i64(&w, 3, 0);
  tw_list(&w, 4, TW_STRUCT, 0);
  tw_close(&w);
  const pl_status status = parse_footer(w.bytes, w.size, limits, metadata, NULL);
  tw_free(&w);
  return status;
}

/* ---- levels and extents, by recursion ---- */

typedef struct walk {
  const node *nodes;
  const pl_metadata *metadata;
  const char *what;
  int next;
  uint32_t n_columns;
  uint8_t is_repeated[128];
} walk;

static void check_node(walk *w, int definition, int repetition) {
  const int at = w->next++;
  const node *expected = &w->nodes[at];
  const pl_schema_node *got = pl_metadata_schema_node(w->metadata, (uint32_t)at + 1);
  const int32_t first_column = (int32_t)w->n_columns;
  if (expected->repetition != REQUIRED)
    w->is_repeated[definition++] = expected->repetition == REPEATED;
  repetition += expected->repetition == REPEATED;
  for (int child = 0; child < expected->n_children; child++)
    check_node(w, definition, repetition);
  if (expected->n_children < 0) {
    const pl_column_descriptor *column = pl_metadata_column(w->metadata, w->n_columns++);
    assert_int_equal(column->schema_index, at + 1);
    assert_int_equal(column->max_definition_level, definition);
    assert_int_equal(column->max_repetition_level, repetition);
    for (int level = 0; level < 128; level++) {
      const int64_t half = level < 64 ? column->repeated_levels : column->repeated_levels_high;
      assert_int_equal((uint64_t)half >> level % 64 & 1, level < definition && w->is_repeated[level]);
    }
  }
  if (got->kind != (int32_t)expected->kind)
    fail_msg("%s: element %d, %s, is of kind %d, not %d", w->what, at + 1, expected->name, got->kind,
             expected->kind);
  assert_int_equal(got->max_definition_level, definition);
  assert_int_equal(got->max_repetition_level, repetition);
  assert_int_equal(got->end_index, w->next + 1);
  assert_int_equal(got->first_column, first_column);
  assert_int_equal(got->end_column, w->n_columns);
}

static void check_schema(const char *what, const node *nodes, int n_nodes, int n_top) {
  pl_limits limits;
  pl_metadata *metadata = NULL;
  if (parse_schema(nodes, n_nodes, n_top, 0, &limits, &metadata) != PL_OK)
    fail_msg("%s: does not parse", what);
  walk w = {.nodes = nodes, .metadata = metadata, .what = what};
  for (int i = 0; i < n_top; i++)
    check_node(&w, 0, 0);
  assert_int_equal(w.next, n_nodes);
  assert_int_equal(pl_metadata_n_columns(metadata), w.n_columns);
  const pl_schema_node *root = pl_metadata_schema_node(metadata, 0);
  assert_int_equal(root->kind, PL_NODE_STRUCT);
  assert_int_equal(root->end_index, n_nodes + 1);
  assert_int_equal(root->end_column, w.n_columns);
  assert_null(pl_metadata_schema_node(metadata, (uint32_t)n_nodes + 1));
  pl_metadata_destroy(metadata, &limits);
  assert_int_equal(limits.used_bytes, 0);
}

/* ---- kinds ---- */

#define LEAF_OF(repetition, name) {repetition, -1, name, NONE, PL_NODE_LEAF}

typedef struct schema_case {
  const char *what;
  node nodes[8];
} schema_case;

static const schema_case cases[] = {
    {"a list of three levels",
     {{OPTIONAL, 1, "a", LIST, PL_NODE_LIST},
      {REPEATED, 1, "list", NONE, PL_NODE_LIST_ITEMS},
      LEAF_OF(OPTIONAL, "element")}},
    {"the same by LogicalType",
     {{REQUIRED, 1, "a", NEW_LIST, PL_NODE_LIST},
      {REPEATED, 1, "list", NONE, PL_NODE_LIST_ITEMS},
      LEAF_OF(REQUIRED, "element")}},
    {"names are not enforced",
     {{OPTIONAL, 1, "a", LIST, PL_NODE_LIST},
      {REPEATED, 1, "bag", NONE, PL_NODE_LIST_ITEMS},
      LEAF_OF(OPTIONAL, "array_element")}},
    {"an element that is a group",
     {{OPTIONAL, 1, "a", LIST, PL_NODE_LIST},
      {REPEATED, 1, "list", NONE, PL_NODE_LIST_ITEMS},
      {OPTIONAL, 2, "element", NONE, PL_NODE_STRUCT},
      LEAF_OF(OPTIONAL, "x"),
      LEAF_OF(OPTIONAL, "y")}},
    {"rule 1: the repeated field is no group",
     {{OPTIONAL, 1, "a", LIST, PL_NODE_LIST}, LEAF_OF(REPEATED, "element")}},
    {"rule 2: a group of several fields",
     {{OPTIONAL, 1, "a", LIST, PL_NODE_LIST},
      {REPEATED, 2, "element", NONE, PL_NODE_STRUCT},
      LEAF_OF(REQUIRED, "str"),
      LEAF_OF(REQUIRED, "num")}},
    {"rule 3: a group with one field, which is repeated",
     {{OPTIONAL, 1, "a", LIST, PL_NODE_LIST},
      {REPEATED, 1, "list", NONE, PL_NODE_STRUCT},
      LEAF_OF(REPEATED, "element")}},
    {"rule 4: `array`",
     {{OPTIONAL, 1, "a", LIST, PL_NODE_LIST},
      {REPEATED, 1, "array", NONE, PL_NODE_STRUCT},
      LEAF_OF(REQUIRED, "str")}},
    {"rule 4: the list's name and `_tuple`",
     {{OPTIONAL, 1, "my_list", NEW_LIST, PL_NODE_LIST},
      {REPEATED, 1, "my_list_tuple", NONE, PL_NODE_STRUCT},
      LEAF_OF(REQUIRED, "str")}},
    {"another list's name and `_tuple`",
     {{OPTIONAL, 1, "my_list", LIST, PL_NODE_LIST},
      {REPEATED, 1, "other_tuple", NONE, PL_NODE_LIST_ITEMS},
      LEAF_OF(REQUIRED, "str")}},
    {"`arrays` and `Array` are other names",
     {{OPTIONAL, 1, "a", LIST, PL_NODE_LIST},
      {REPEATED, 1, "arrays", NONE, PL_NODE_LIST_ITEMS},
      {OPTIONAL, 1, "Array", LIST, PL_NODE_LIST},
      {REPEATED, 1, "Array", NONE, PL_NODE_LIST_ITEMS},
      LEAF_OF(REQUIRED, "str")}},
    {"`_tuple` alone",
     {{OPTIONAL, 1, "a", LIST, PL_NODE_LIST},
      {REPEATED, 1, "_tuple", NONE, PL_NODE_LIST_ITEMS},
      LEAF_OF(REQUIRED, "str")}},
    {"lists of two levels in each other",
     {{OPTIONAL, 1, "a", LIST, PL_NODE_LIST},
      {REPEATED, 1, "array", LIST, PL_NODE_LIST},
      LEAF_OF(REPEATED, "array")}},
    {"a repeated group that is a list itself is the element",
     {{OPTIONAL, 1, "a", LIST, PL_NODE_LIST},
      {REPEATED, 1, "b", LIST, PL_NODE_LIST},
      {REPEATED, 1, "list", NONE, PL_NODE_LIST_ITEMS},
      LEAF_OF(OPTIONAL, "element")}},
    {"LIST on a repeated group: a list of lists",
     {{REPEATED, 1, "a", LIST, PL_NODE_LIST},
      {REPEATED, 1, "list", NONE, PL_NODE_LIST_ITEMS},
      LEAF_OF(OPTIONAL, "element")}},
    {"lists of three levels in each other",
     {{OPTIONAL, 1, "a", LIST, PL_NODE_LIST},
      {REPEATED, 1, "list", NONE, PL_NODE_LIST_ITEMS},
      {OPTIONAL, 1, "element", LIST, PL_NODE_LIST},
      {REPEATED, 1, "list", NONE, PL_NODE_LIST_ITEMS},
      LEAF_OF(OPTIONAL, "element")}},
    {"LIST whose child is not repeated is a group",
     {{OPTIONAL, 1, "a", LIST, PL_NODE_STRUCT}, LEAF_OF(OPTIONAL, "element")}},
    {"LIST of two children is a group",
     {{OPTIONAL, 2, "a", LIST, PL_NODE_STRUCT}, LEAF_OF(REPEATED, "x"), LEAF_OF(REPEATED, "y")}},
    {"LIST without children", {{OPTIONAL, 0, "a", LIST, PL_NODE_STRUCT}}},
    {"a list of empty groups",
     {{OPTIONAL, 1, "a", LIST, PL_NODE_LIST}, {REPEATED, 0, "element", NONE, PL_NODE_STRUCT}}},
    {"LIST on a leaf says nothing", {{OPTIONAL, -1, "a", LIST, PL_NODE_LEAF}}},
    {"repeated without annotation",
     {{REPEATED, 2, "a", NONE, PL_NODE_STRUCT}, LEAF_OF(REPEATED, "x"), LEAF_OF(OPTIONAL, "y")}},
    {"a map",
     {{OPTIONAL, 1, "m", MAP, PL_NODE_MAP},
      {REPEATED, 2, "key_value", NONE, PL_NODE_MAP_ENTRIES},
      LEAF_OF(REQUIRED, "key"),
      LEAF_OF(OPTIONAL, "value")}},
    {"the same by LogicalType, names as they come",
     {{REQUIRED, 1, "m", NEW_MAP, PL_NODE_MAP},
      {REPEATED, 2, "entries", NONE, PL_NODE_MAP_ENTRIES},
      LEAF_OF(REQUIRED, "str"),
      LEAF_OF(REQUIRED, "num")}},
    {"a map without value",
     {{OPTIONAL, 1, "m", MAP, PL_NODE_MAP},
      {REPEATED, 1, "key_value", NONE, PL_NODE_MAP_ENTRIES},
      LEAF_OF(REQUIRED, "key")}},
    {"MAP_KEY_VALUE in the place of MAP",
     {{OPTIONAL, 1, "m", KEY_VALUE, PL_NODE_MAP},
      {REPEATED, 2, "map", NONE, PL_NODE_MAP_ENTRIES},
      LEAF_OF(REQUIRED, "key"),
      LEAF_OF(OPTIONAL, "value")}},
    {"MAP_KEY_VALUE inside of MAP says nothing",
     {{OPTIONAL, 1, "m", MAP, PL_NODE_MAP},
      {REPEATED, 2, "map", KEY_VALUE, PL_NODE_MAP_ENTRIES},
      LEAF_OF(REQUIRED, "key"),
      LEAF_OF(OPTIONAL, "value")}},
    {"keys that may be null, as some write them",
     {{OPTIONAL, 1, "m", MAP, PL_NODE_MAP},
      {REPEATED, 2, "map", KEY_VALUE, PL_NODE_MAP_ENTRIES},
      LEAF_OF(OPTIONAL, "key"),
      LEAF_OF(OPTIONAL, "value")}},
    {"a map of lists",
     {{OPTIONAL, 1, "m", MAP, PL_NODE_MAP},
      {REPEATED, 2, "key_value", NONE, PL_NODE_MAP_ENTRIES},
      LEAF_OF(REQUIRED, "key"),
      {OPTIONAL, 1, "value", LIST, PL_NODE_LIST},
      {REPEATED, 1, "list", NONE, PL_NODE_LIST_ITEMS},
      LEAF_OF(OPTIONAL, "element")}},
    {"MAP of three fields is a group",
     {{OPTIONAL, 1, "m", MAP, PL_NODE_STRUCT},
      {REPEATED, 3, "key_value", NONE, PL_NODE_STRUCT},
      LEAF_OF(REQUIRED, "key"),
      LEAF_OF(OPTIONAL, "value"),
      LEAF_OF(OPTIONAL, "more")}},
    {"MAP of a leaf is a group", {{OPTIONAL, 1, "m", MAP, PL_NODE_STRUCT}, LEAF_OF(REPEATED, "key")}},
    {"MAP whose child is not repeated is a group",
     {{OPTIONAL, 1, "m", MAP, PL_NODE_STRUCT},
      {OPTIONAL, 2, "key_value", NONE, PL_NODE_STRUCT},
      LEAF_OF(REQUIRED, "key"),
      LEAF_OF(OPTIONAL, "value")}},
    {"a repeated map",
     {{REPEATED, 1, "m", MAP, PL_NODE_MAP},
      {REPEATED, 2, "key_value", NONE, PL_NODE_MAP_ENTRIES},
      LEAF_OF(REQUIRED, "key"),
      LEAF_OF(OPTIONAL, "value")}},
    {"a list of maps of two levels",
     {{OPTIONAL, 1, "a", LIST, PL_NODE_LIST},
      {REPEATED, 1, "m", MAP, PL_NODE_MAP},
      {REPEATED, 2, "key_value", NONE, PL_NODE_MAP_ENTRIES},
      LEAF_OF(REQUIRED, "key"),
      LEAF_OF(OPTIONAL, "value")}},
    {"a variant in a list",
     {{OPTIONAL, 1, "a", NEW_LIST, PL_NODE_LIST},
      {REPEATED, 1, "list", NONE, PL_NODE_LIST_ITEMS},
      {OPTIONAL, 2, "element", VARIANT, PL_NODE_VARIANT},
      LEAF_OF(REQUIRED, "metadata"),
      LEAF_OF(REQUIRED, "value")}},
    {"empty groups",
     {{OPTIONAL, 2, "a", NONE, PL_NODE_STRUCT},
      {REPEATED, 0, "b", NONE, PL_NODE_STRUCT},
      {OPTIONAL, 1, "c", NONE, PL_NODE_STRUCT},
      {REQUIRED, 0, "d", NONE, PL_NODE_STRUCT}}},
    {"required groups leave no level",
     {{REQUIRED, 1, "a", NONE, PL_NODE_STRUCT},
      {REQUIRED, 2, "b", NONE, PL_NODE_STRUCT},
      LEAF_OF(REQUIRED, "x"),
      LEAF_OF(REPEATED, "y")}},
};

static int n_nodes_of(const schema_case *c) {
  int n = 0;
  while (n < 8 && c->nodes[n].name != NULL)
    n++;
  return n;
}

static void kinds(void **state) {
  (void)state;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    check_schema(cases[c].what, cases[c].nodes, n_nodes_of(&cases[c]), 1);
}

/* All of them beside each other: nothing of one reaches into the next. */
static void kinds_beside_each_other(void **state) {
  (void)state;
  static node nodes[400];
  int n_nodes = 0, n_cases = (int)(sizeof cases / sizeof *cases);
  for (int c = 0; c < n_cases; c++)
    for (int i = 0; i < n_nodes_of(&cases[c]); i++)
      nodes[n_nodes++] = cases[c].nodes[i];
  check_schema("all cases", nodes, n_nodes, n_cases);
}

/* ---- depth ---- */

/* n elements in each other, the last one a leaf. */
static pl_status parse_chain(int repetition, int n, uint64_t max_depth) {
  static node nodes[MOST];
  for (int i = 0; i < n; i++)
    nodes[i] = (node){repetition, i + 1 < n ? 1 : -1, "x", NONE, i + 1 < n ? PL_NODE_STRUCT : PL_NODE_LEAF};
  pl_limits limits;
  pl_metadata *metadata = NULL;
  const pl_status status = parse_schema(nodes, n, 1, max_depth, &limits, &metadata);
  if (status == PL_OK) {
    walk w = {.nodes = nodes, .metadata = metadata, .what = "chain"};
    check_node(&w, 0, 0);
    pl_metadata_destroy(metadata, &limits);
  }
  assert_int_equal(limits.used_bytes, 0);
  return status;
}

static void depth(void **state) {
  (void)state;
  for (int repetition = REQUIRED; repetition <= REPEATED; repetition++) {
    const int most = repetition == REQUIRED ? MOST : 127; /* levels fit a signed byte */
    for (int n = 1; n <= MOST; n++)
      assert_int_equal(parse_chain(repetition, n, MOST), n <= most ? PL_OK : PL_LIMIT);
    assert_int_equal(parse_chain(repetition, 100, 0), PL_OK);
    assert_int_equal(parse_chain(repetition, 101, 0), PL_LIMIT);
    assert_int_equal(parse_chain(repetition, 5, 4), PL_LIMIT);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinds),
      cmocka_unit_test(kinds_beside_each_other),
      cmocka_unit_test(depth),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
