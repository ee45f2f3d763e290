/* Replies beyond the limits. */
#include "runner/base/strbuf.h"
#include "runner/snapshot/dom/decode.h"
#include "runner/snapshot/semantics/semantics.h"
#include "snapshot_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Adds one document: `count` nodes, each the child of the one before, or all of the root. */
static void add_document(struct strbuf *text, int count, bool is_deep, const char *frames)
{
    strbuf_add_string(text, "{\"nodes\":{\"parentIndex\":[-1");
    for (int i = 1; i < count; i++) {
        strbuf_add_format(text, ",%d", is_deep ? i - 1 : 0);
    }
    static const struct {
        const char *begin, *more;
    } columns[] = {
        { "],\"nodeType\":[9", ",1" },
        { "],\"nodeName\":[-1", ",0" },
        { "],\"nodeValue\":[-1", ",-1" },
        { "],\"backendNodeId\":[1", ",1" },
    };
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        strbuf_add_string(text, columns[i].begin);
        for (int k = 1; k < count; k++) {
            strbuf_add_string(text, columns[i].more);
        }
    }
    strbuf_add_format(text, "],\"contentDocumentIndex\":%s}}", frames);
}

/* Adds and finishes the reply; returns the error's code, or 0. */
static enum br_code read_reply(struct strbuf *text)
{
    struct br_error err = { 0 };
    struct snapshot_tree *tree = snapshot_tree_create(800, 600);
    int part = 0;
    if (snapshot_tree_add(tree, xstrndup(text->data, text->length), text->length, &part, &err)) {
        snapshot_tree_finish(tree, &err);
    }
    if (err.code) {
        assert_true(err.hint[0] != '\0');
    }
    snapshot_tree_destroy(tree);
    return err.code;
}

static enum br_code read_document(int count, bool is_deep)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&text, "{\"documents\":[");
    add_document(&text, count, is_deep, "{\"index\":[],\"value\":[]}");
    strbuf_add_string(&text, "],\"strings\":[\"DIV\"]}");
    return read_reply(&text);
}

static enum br_code read_frames(int count)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_STRBUF struct strbuf frames = STRBUF_INIT(STRBUF_UNCAPPED);
    for (int i = 1; i < count; i++) {
        strbuf_add_format(&frames, "%s%d", i > 1 ? "," : "", i);
    }
    CLEANUP_FREE char *hung =
        xasprintf("{\"index\":[%s],\"value\":[%s]}", frames.data, frames.data);
    strbuf_add_string(&text, "{\"documents\":[");
    add_document(&text, count, false, hung);
    for (int i = 1; i < count; i++) {
        strbuf_add_string(&text, ",");
        add_document(&text, 2, false, "{\"index\":[],\"value\":[]}");
    }
    strbuf_add_string(&text, "],\"strings\":[\"IFRAME\"]}");
    return read_reply(&text);
}

static void test_nodes(void **state)
{
    (void)state;
    assert_int_equal(read_document(SNAPSHOT_MAX_NODES + 1, false), BR_LIMIT_EXCEEDED);
}

/* Many elements with one long attribute value, which the reply contains once. */
static enum br_code read_attributes(int count, size_t length, const char *scheme)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_STRBUF struct strbuf nodes = STRBUF_INIT(STRBUF_UNCAPPED);
    add_document(&nodes, count, false, "{\"index\":[],\"value\":[]}");
    strbuf_add_string(&text, "{\"documents\":[");
    strbuf_add(&text, nodes.data, nodes.length - strlen("}}"));
    strbuf_add_string(&text, ",\"attributes\":[[]");
    for (int i = 1; i < count; i++) {
        strbuf_add_string(&text, ",[1,2]");
    }
    strbuf_add_format(&text, "]}}],\"strings\":[\"A\",\"href\",\"%s", scheme);
    for (size_t i = 0; i < length; i++) {
        strbuf_add(&text, "x", 1);
    }
    strbuf_add_string(&text, "\"]}");
    return read_reply(&text);
}

static void test_attributes(void **state)
{
    (void)state;
    assert_int_equal(read_attributes(128, 1 << 20, "/"), 0);
    assert_int_equal(read_attributes(129, 1 << 20, "/"), BR_LIMIT_EXCEEDED);
    assert_int_equal(read_attributes(129, 1 << 20, "data:"), 0);
}

static void test_depth(void **state)
{
    (void)state;
    assert_int_equal(read_document(SNAPSHOT_MAX_DEPTH + 1, true), 0);
    assert_int_equal(read_document(SNAPSHOT_MAX_DEPTH + 2, true), BR_LIMIT_EXCEEDED);
}

static void test_frames(void **state)
{
    (void)state;
    assert_int_equal(read_frames(SNAPSHOT_MAX_DOCUMENTS), 0);
    assert_int_equal(read_frames(SNAPSHOT_MAX_DOCUMENTS + 1), BR_LIMIT_EXCEEDED);
    assert_int_equal(read_frames(SNAPSHOT_MAX_DOCUMENTS + 500), BR_LIMIT_EXCEEDED);
}

/* Adds buttons named by the element with an id. */
static void add_buttons(struct snapshot_tree *tree, int body, int count, const char *id)
{
    for (int i = 0; i < count; i++) {
        int button = build_element(tree, body, "button");
        build_attribute(tree, "aria-labelledby", id);
        build_box(tree, button, 0, 0, 1, 1);
    }
}

/*
 * Checks the last button's name when `count` buttons refer to `id`; the first one has the whole
 * name.
 */
static void check_last_name(int count, const char *id, const char *last)
{
    enum { PARTS = 200 };
    struct br_error err;
    struct snapshot_tree *tree = snapshot_tree_create(1280, 800);
    int body = build_element(tree, build_document(tree, SNAPSHOT_NONE), "body");
    int big = build_element(tree, body, "div");
    build_attribute(tree, "id", "big");
    build_box(tree, big, 0, 0, 1, 1);
    for (int i = 0; i < PARTS; i++) {
        build_box(tree, build_element(tree, big, "span"), 0, 0, 1, 1)->display = DISPLAY_INLINE;
    }
    build_box(tree, build_text(tree, big, "end"), 0, 0, 1, 1);
    int first = tree->node_count;
    add_buttons(tree, body, count, id);
    assert_true(snapshot_tree_finish(tree, &err));
    struct snapshot_semantics *semantics = snapshot_semantics_create(tree);
    assert_string_equal(semantics->nodes[first].name, "end");
    assert_string_equal(semantics->nodes[tree->node_count - 1].name, last);
    snapshot_semantics_destroy(semantics);
    snapshot_tree_destroy(tree);
}

/* The work for all names together is limited, and a cut is marked. */
static void test_names(void **state)
{
    (void)state;
    CLEANUP_STRBUF struct strbuf nothing = STRBUF_INIT(STRBUF_UNCAPPED);
    for (int i = 0; i < 500; i++) {
        strbuf_add_string(&nothing, "- ");
    }
    strbuf_add_string(&nothing, "big");
    check_last_name(100, "big", "end");
    check_last_name(10000, nothing.data, "…");
}

/* Checks the name of a button whose text is inside `depth` nested elements. */
static void check_nested_name(int depth, const char *name)
{
    struct br_error err;
    struct snapshot_tree *tree = snapshot_tree_create(1280, 800);
    int body = build_element(tree, build_document(tree, SNAPSHOT_NONE), "body");
    int button = build_element(tree, body, "button");
    build_box(tree, button, 0, 0, 1, 1);
    int inner = button;
    for (int i = 0; i < depth; i++) {
        inner = build_element(tree, inner, "span");
        build_box(tree, inner, 0, 0, 1, 1)->display = DISPLAY_INLINE;
    }
    build_box(tree, build_text(tree, inner, "end"), 0, 0, 1, 1);
    assert_true(snapshot_tree_finish(tree, &err));
    struct snapshot_semantics *semantics = snapshot_semantics_create(tree);
    if (name) {
        assert_string_equal(semantics->nodes[button].name, name);
    } else {
        assert_null(semantics->nodes[button].name);
    }
    snapshot_semantics_destroy(semantics);
    snapshot_tree_destroy(tree);
}

/* The recursion for names is limited. */
static void test_nested_names(void **state)
{
    (void)state;
    check_nested_name(400, "end");
    check_nested_name(SNAPSHOT_MAX_DEPTH - 10, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes), cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_depth), cmocka_unit_test(test_frames),
        cmocka_unit_test(test_names), cmocka_unit_test(test_nested_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
