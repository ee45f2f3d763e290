/* Replies that are too much of something. */
#include "runner/base/strbuf.h"
#include "runner/snapshot/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* One document: `count` nodes, each the child of the one before, or all of the root. */
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

/* Adds and finishes the reply; the error's code, or 0. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
