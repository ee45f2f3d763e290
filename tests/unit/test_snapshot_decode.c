#include "runner/base/memory.h"
#include "runner/snapshot/dom/decode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A document with a button that has ::after, text and a frame, and the document of that frame. */
#define STRINGS                                                                                    \
    "[\"http://x/\",\"#document\",\"HTML\",\"BUTTON\",\"::after\",\"#text\",\"Save\",\"id\","      \
    "\"go\",\"IFRAME\",\"block\",\"visible\",\"normal\",\"none\",\"auto\",\"pointer\",\"static\"," \
    "\"1\",\"0px\",\"2px\",\"after\",\"hidden auto\",\"disc\",\"hidden\"]"
#define BUTTON_STYLE "[10,11,12,13,13,15,14,21,16,13,17,22,23]"
#define FRAME_STYLE  "[10,11,12,13,13,14,14,11,16,13,17,13,11,19,19,18,18]"
#define FIRST                                                                                      \
    "{\"documentURL\":0,\"frameId\":6,\"scrollOffsetX\":0,\"scrollOffsetY\":30,\"nodes\":{"        \
    "\"parentIndex\":[-1,0,1,2,2,1],\"nodeType\":[9,1,1,1,3,1],\"nodeName\":[1,2,3,4,5,9],"        \
    "\"nodeValue\":[-1,-1,-1,-1,6,-1],\"backendNodeId\":[1,2,3,4,5,6],"                            \
    "\"attributes\":[[],[],[7,8,8,-1],[],[],[]],\"pseudoType\":{\"index\":[3],\"value\":[20]},"    \
    "\"isClickable\":{\"index\":[2]},\"contentDocumentIndex\":{\"index\":[5],\"value\":[1]}},"     \
    "\"layout\":{\"nodeIndex\":[2,4,5],\"styles\":[" BUTTON_STYLE ",[]," FRAME_STYLE "],"          \
    "\"bounds\":[[10,50,80.5,20],[12,52,30,16],[0,100,300,200]],\"text\":[-1,6,-1],"               \
    "\"paintOrders\":[3,3,4]},\"textBoxes\":{\"layoutIndex\":[1],\"bounds\":[[12,52,30,16]],"      \
    "\"start\":[0],\"length\":[4]}}"
#define SECOND                                                                                     \
    "{\"documentURL\":0,\"frameId\":8,\"nodes\":{\"parentIndex\":[-1,0],\"nodeType\":[9,1],"       \
    "\"nodeName\":[1,2],\"nodeValue\":[-1,-1],\"backendNodeId\":[11,12],\"attributes\":[[],[]]},"  \
    "\"layout\":{},\"textBoxes\":{}}"
#define REPLY "{\"documents\":[" FIRST "," SECOND "],\"strings\":" STRINGS "}"

static bool add(struct snapshot_tree *tree, const char *text, struct br_error *err)
{
    int part = 0;
    return snapshot_tree_add(tree, xstrdup(text), strlen(text), &part, err);
}

static void test_a_page_with_a_frame(void **state)
{
    struct snapshot_tree *tree = snapshot_tree_create(1280, 720);
    struct br_error err = { 0 };
    static const char *const names[] = { "#document", "HTML",   "BUTTON",    "#text",
                                         "::after",   "IFRAME", "#document", "HTML" };
    (void)state;
    assert_true(add(tree, REPLY, &err));
    assert_true(snapshot_tree_finish(tree, &err));
    assert_int_equal(tree->order_count, 8);
    for (int i = 0; i < tree->order_count; i++) {
        assert_string_equal(tree->nodes[tree->order[i]].name, names[i]);
    }
    const struct snapshot_node *button = &tree->nodes[2];
    const struct snapshot_layout *box = snapshot_layout(tree, 2);
    assert_int_equal(button->tag, TAG_BUTTON);
    assert_true(button->is_clickable && box->has_pointer && !box->is_invisible);
    assert_true(box->clips_x && !box->scrolls_x && box->clips_y && box->scrolls_y);
    assert_true(box->has_dots && !snapshot_layout(tree, 5)->has_dots);
    assert_true(box->skips_content && !snapshot_layout(tree, 5)->skips_content);
    assert_true(box->width == 80.5F && box->paint_order == 3);
    assert_string_equal(snapshot_attribute(tree, 2, "id"), "go");
    assert_string_equal(snapshot_attribute(tree, 2, "go"), "");
    assert_null(snapshot_attribute(tree, 2, "class"));
    assert_int_equal(tree->nodes[3].kind, SNAPSHOT_PSEUDO);
    assert_string_equal(tree->nodes[4].text, "Save");
    assert_int_equal(snapshot_layout(tree, 4)->line_count, 1);
    /* The frame's viewport begins inside its border, minus the scroll position. */
    assert_int_equal(tree->documents[1].owner, 5);
    assert_true(tree->documents[1].left == 2 && tree->documents[1].top == 72);
    assert_int_equal(snapshot_tree_find(tree, 0, 12), 7);
    assert_int_equal(snapshot_tree_find(tree, 0, 99), SNAPSHOT_NONE);
    assert_int_equal(snapshot_skip(tree, 2, 0), 5);
    assert_int_equal(snapshot_next(tree, 4, 2), 3);
    snapshot_tree_destroy(tree);
}

static void test_a_frame_of_another_process(void **state)
{
    struct snapshot_tree *tree = snapshot_tree_create(1280, 720);
    struct br_error err = { 0 };
    int part = 0;
    static const char other[] = "{\"documents\":[" SECOND "],\"strings\":" STRINGS "}";
    (void)state;
    assert_true(add(tree, REPLY, &err));
    assert_true(snapshot_tree_add(tree, xstrdup(other), strlen(other), &part, &err));
    assert_int_equal(part, 1);
    assert_false(snapshot_tree_hang(tree, part, 0, 99)); /* there is no such element */
    assert_true(snapshot_tree_hang(tree, part, 0, 3));
    assert_false(snapshot_tree_hang(tree, part, 0, 3)); /* it is already attached */
    assert_true(snapshot_tree_finish(tree, &err));
    assert_int_equal(tree->order_count, 10);
    snapshot_tree_destroy(tree);
}

/* Each case is the valid reply with one thing replaced. */
static void test_what_does_not_fit_together_is_refused(void **state)
{
    static const struct {
        const char *good, *bad;
    } cases[] = {
        { "[-1,0,1,2,2,1]", "[-1,0,1,2,2,5]" },
        { "[-1,0,1,2,2,1]", "[0,0,1,2,2,1]" },
        { "[-1,0,1,2,2,1]", "[-1,-1,1,2,2,1]" },
        { "[-1,0,1,2,2,1]", "[-1,0,1,2,2]" },
        { "[9,1,1,1,3,1]", "[9,1,1,9,3,1]" },
        { "[1,2,3,4,5,9]", "[1,2,3,4,5,900]" },
        { "[1,2,3,4,5,9]", "[1,2,3,4,5,-2]" },
        { "[7,8,8,-1]", "[7,8,-1,8]" },
        { "\"nodeIndex\":[2,4,5]", "\"nodeIndex\":[2,4,6]" },
        { "\"nodeIndex\":[2,4,5]", "\"nodeIndex\":[2,-4,5]" },
        { "[12,52,30,16],[0", "[12,52,30],[0" },
        { "\"layoutIndex\":[1]", "\"layoutIndex\":[3]" },
        { "\"value\":[1]}", "\"value\":[0]}" },
        { "\"value\":[1]}", "\"value\":[2]}" },
        { "\"index\":[5]", "\"index\":[50]" },
        { "\"strings\"", "\"texts\"" },
        { "\"documents\":[", "\"documents\":[7," },
        { "[1,2,3,4,5,6]", "[1,2,3,4,5,6.5]" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct snapshot_tree *tree = snapshot_tree_create(1280, 720);
        struct br_error err = { 0 };
        const char *at = strstr(REPLY, cases[i].good);
        assert_non_null(at);
        CLEANUP_FREE char *text = xasprintf("%.*s%s%s", (int)(at - REPLY), REPLY, cases[i].bad,
                                            at + strlen(cases[i].good));
        assert_false(add(tree, text, &err));
        assert_int_equal(err.code, BR_UNKNOWN_ERROR);
        assert_int_equal(tree->node_count + tree->layout_count + tree->document_count, 0);
        assert_true(add(tree, REPLY, &err)); /* and no part of it remains */
        snapshot_tree_destroy(tree);
    }
}

static void test_any_end_of_the_text_is_refused(void **state)
{
    struct br_error err = { 0 };
    size_t length = strlen(REPLY);
    (void)state;
    for (size_t end = 0; end < length; end++) {
        struct snapshot_tree *tree = snapshot_tree_create(1280, 720);
        CLEANUP_FREE char *text = xstrndup(REPLY, end);
        assert_false(add(tree, text, &err));
        snapshot_tree_destroy(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_page_with_a_frame),
        cmocka_unit_test(test_a_frame_of_another_process),
        cmocka_unit_test(test_what_does_not_fit_together_is_refused),
        cmocka_unit_test(test_any_end_of_the_text_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
