/* Where nodes are visible, and what covers them. */
#include "runner/snapshot/semantics/visibility.h"

#include "runner/base/memory.h"
#include "snapshot_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A page of 800 by 600 with a body, and its data. */
struct page {
    struct snapshot_tree *tree;
    int root, body;
    bool is_target[64];
    bool is_hidden[64];
    struct snapshot_visibility *visibility;
};

static int setup(void **state)
{
    struct page *page = xcalloc(1, sizeof(*page));
    page->tree = snapshot_tree_create(800, 600);
    int document = build_document(page->tree, SNAPSHOT_NONE);
    page->root = build_element(page->tree, document, "HTML");
    build_box(page->tree, page->root, 0, 0, 800, 3000);
    page->body = build_element(page->tree, page->root, "BODY");
    build_box(page->tree, page->body, 0, 0, 800, 3000);
    *state = page;
    return 0;
}

static int teardown(void **state)
{
    struct page *page = *state;
    snapshot_visibility_destroy(page->visibility);
    snapshot_tree_destroy(page->tree);
    free(page);
    return 0;
}

static int add(struct page *page, int parent, const char *tag, float x, float y, float width,
               float height)
{
    int node = build_element(page->tree, parent, tag);
    build_box(page->tree, node, x, y, width, height);
    return node;
}

/* Adds something clickable. */
static int add_target(struct page *page, int parent, float x, float y, float width, float height)
{
    int node = add(page, parent, "BUTTON", x, y, width, height);
    page->is_target[node] = true;
    return node;
}

static struct snapshot_layout *layout_of(struct page *page, int node)
{
    return &page->tree->layouts[page->tree->nodes[node].layout];
}

static void look_within(struct page *page, const struct snapshot_box *view)
{
    struct br_error err;
    assert_true(snapshot_tree_finish(page->tree, &err));
    struct node_semantics nodes[64] = { 0 };
    assert_true(page->tree->node_count <= 64);
    for (int i = 0; i < page->tree->node_count; i++) {
        nodes[i].category = page->is_target[i] ? CATEGORY_INTERACTIVE : CATEGORY_STRUCTURAL;
        nodes[i].is_hidden = page->is_hidden[i];
    }
    struct snapshot_semantics semantics = { .nodes = nodes };
    page->visibility = view ? snapshot_visibility_create_within(page->tree, &semantics, view)
                            : snapshot_visibility_create(page->tree, &semantics);
}

static void look(struct page *page)
{
    look_within(page, NULL);
}

static enum snapshot_place place_of(const struct page *page, int node)
{
    return page->visibility->placements[node].place;
}

static void assert_box(const struct page *page, int node, float x, float y, float width,
                       float height)
{
    const struct snapshot_box *box = &page->visibility->placements[node].box;
    assert_float_equal(box->x, x, 0.01);
    assert_float_equal(box->y, y, 0.01);
    assert_float_equal(box->width, width, 0.01);
    assert_float_equal(box->height, height, 0.01);
}

static void assert_occluder(const struct page *page, int node, int occluder)
{
    const struct snapshot_placement *placement = &page->visibility->placements[node];
    assert_int_equal(placement->is_occluded, occluder != SNAPSHOT_NONE);
    assert_int_equal(placement->occluder, occluder);
}

static void test_places_when_the_page_is_scrolled(void **state)
{
    struct page *page = *state;
    page->tree->documents[0].scroll_y = 1000;
    int above = add(page, page->body, "P", 0, 900, 100, 90);
    int seen = add(page, page->body, "P", 0, 990, 100, 20);
    int below = add(page, page->body, "P", 0, 1600, 100, 20);
    int aside = add(page, page->body, "P", 900, 1100, 100, 20);
    int out_of_reach = add(page, page->body, "P", -500, 1100, 100, 20);
    int empty = add(page, page->body, "P", 10, 1100, 0, 20);
    int unrendered = build_element(page->tree, page->body, "P");
    int fixed = add(page, page->body, "P", 10, 1010, 100, 20);
    layout_of(page, fixed)->is_fixed = layout_of(page, fixed)->is_positioned = true;
    int fixed_outside = add(page, page->body, "P", 10, 1700, 100, 20);
    layout_of(page, fixed_outside)->is_fixed = true;
    look(page);
    assert_int_equal(place_of(page, above), PLACE_ABOVE);
    assert_int_equal(place_of(page, seen), PLACE_IN_VIEW);
    assert_box(page, seen, 0, -10, 100, 20);
    assert_int_equal(place_of(page, below), PLACE_BELOW);
    assert_int_equal(place_of(page, aside), PLACE_ASIDE);
    assert_int_equal(place_of(page, out_of_reach), PLACE_OUTSIDE);
    assert_int_equal(place_of(page, empty), PLACE_NOWHERE);
    assert_int_equal(place_of(page, unrendered), PLACE_NOWHERE);
    assert_box(page, fixed, 10, 10, 100, 20);
    assert_int_equal(place_of(page, fixed), PLACE_IN_VIEW);
    assert_int_equal(place_of(page, fixed_outside), PLACE_OUTSIDE);
}

static void test_places_when_read_from_right_to_left(void **state)
{
    struct page *page = *state;
    page->tree->documents[0].scroll_x = -100;
    int aside = add(page, page->body, "P", -300, 100, 100, 20);
    look(page);
    assert_int_equal(place_of(page, aside), PLACE_ASIDE);
    assert_box(page, aside, -200, 100, 100, 20);
}

static void test_places_inside_of_boxes_that_clip(void **state)
{
    struct page *page = *state;
    int scroller = add(page, page->body, "DIV", 100, 100, 200, 100);
    layout_of(page, scroller)->clips_x = layout_of(page, scroller)->clips_y = true;
    layout_of(page, scroller)->scrolls_y = true;
    int scrolled_up = add(page, scroller, "P", 100, 50, 100, 40);
    int scrolled_down = add(page, scroller, "P", 100, 250, 100, 40);
    int cut_off = add(page, scroller, "P", 350, 120, 100, 40);
    int partly = add(page, scroller, "P", 100, 190, 100, 40);
    int absolute = add(page, scroller, "P", 100, 300, 100, 40);
    layout_of(page, absolute)->is_absolute = true;
    int hiding = add(page, scroller, "DIV", 100, 100, 100, 50);
    layout_of(page, hiding)->clips_x = layout_of(page, hiding)->clips_y = true;
    int hidden = add(page, hiding, "P", 100, 160, 100, 40);
    int low = add(page, scroller, "DIV", 100, 250, 200, 50);
    layout_of(page, low)->clips_x = layout_of(page, low)->clips_y = true;
    int in_low = add(page, low, "P", 100, 250, 200, 50);
    look(page);
    assert_int_equal(place_of(page, scrolled_up), PLACE_ABOVE);
    assert_int_equal(place_of(page, scrolled_down), PLACE_BELOW);
    assert_int_equal(place_of(page, cut_off), PLACE_NOWHERE);
    assert_int_equal(place_of(page, partly), PLACE_IN_VIEW);
    /* The scrollable box is not its containing block. */
    assert_int_equal(place_of(page, absolute), PLACE_IN_VIEW);
    assert_int_equal(place_of(page, hidden), PLACE_NOWHERE);
    assert_int_equal(place_of(page, in_low), PLACE_BELOW);
}

static void test_absolute_boxes_are_clipped_by_what_they_are_positioned_in(void **state)
{
    struct page *page = *state;
    int hiding = add(page, page->body, "DIV", 100, 100, 200, 100);
    layout_of(page, hiding)->clips_x = layout_of(page, hiding)->clips_y = true;
    layout_of(page, hiding)->is_positioned = true;
    int plain = add(page, hiding, "DIV", 100, 100, 200, 100);
    int absolute = add(page, plain, "P", 100, 300, 100, 40);
    layout_of(page, absolute)->is_absolute = true;
    int modal = add(page, plain, "DIALOG", 100, 300, 100, 40);
    layout_of(page, modal)->is_in_top_layer = true;
    look(page);
    assert_int_equal(place_of(page, absolute), PLACE_NOWHERE);
    assert_int_equal(place_of(page, modal), PLACE_IN_VIEW);
}

static void test_what_has_no_box_is_where_its_children_are(void **state)
{
    struct page *page = *state;
    int contents = build_element(page->tree, page->body, "X-CARD");
    int empty = add(page, contents, "A", 0, 0, 0, 0);
    add(page, empty, "DIV", 10, 10, 100, 20);
    add(page, empty, "DIV", 50, 30, 100, 20);
    add(page, contents, "DIV", 10, 900, 100, 20);
    look(page);
    assert_int_equal(place_of(page, contents), PLACE_IN_VIEW);
    assert_box(page, empty, 10, 10, 140, 40);
    assert_box(page, contents, 10, 10, 140, 40);
}

/* Adds a frame at 100,100 whose content begins at 105,105 and is scrolled by 50. */
static int add_frame(struct page *page)
{
    int frame = add(page, page->body, "IFRAME", 100, 100, 210, 110);
    layout_of(page, frame)->inset_left = layout_of(page, frame)->inset_top = 5;
    int root = build_document(page->tree, frame);
    page->tree->documents[1].scroll_y = 50;
    return add(page, root, "HTML", 0, 0, 200, 1000);
}

static void test_places_in_frames(void **state)
{
    struct page *page = *state;
    int root = add_frame(page);
    int above = add(page, root, "P", 10, 10, 50, 20);
    int seen = add(page, root, "P", 10, 60, 50, 20);
    int below = add(page, root, "P", 10, 200, 50, 20);
    look(page);
    assert_int_equal(place_of(page, above), PLACE_ABOVE);
    assert_int_equal(place_of(page, seen), PLACE_IN_VIEW);
    assert_box(page, seen, 115, 115, 50, 20);
    assert_int_equal(place_of(page, below), PLACE_BELOW);
}

static void test_frames_that_are_out_of_view_have_all_of_it_out_of_view(void **state)
{
    struct page *page = *state;
    int root = add_frame(page);
    page->tree->layouts[page->tree->nodes[page->tree->nodes[page->body].first_child].layout].y =
        2000;
    int inner = add(page, root, "P", 10, 60, 50, 20);
    look(page);
    assert_int_equal(place_of(page, inner), PLACE_BELOW);
}

static void test_covers_are_found_by_paint_order(void **state)
{
    struct page *page = *state;
    int low = add_target(page, page->body, 0, 0, 100, 20);
    int high = add_target(page, page->body, 0, 50, 100, 20);
    layout_of(page, high)->paint_order = 9;
    int beside = add_target(page, page->body, 0, 100, 100, 20);
    int occluder = add(page, page->body, "DIV", 30, 0, 40, 100);
    layout_of(page, occluder)->paint_order = 5;
    layout_of(page, occluder)->is_transparent = true;
    int inner = add(page, occluder, "SPAN", 30, 0, 40, 100);
    layout_of(page, inner)->paint_order = 5;
    look(page);
    assert_occluder(page, low, inner);
    assert_occluder(page, high, SNAPSHOT_NONE);
    assert_occluder(page, beside, SNAPSHOT_NONE);
}

/* A picture of a part of the page, above and below the viewport. */
static void test_view_is_looked_through(void **state)
{
    struct page *page = *state;
    page->tree->documents[0].scroll_y = 500;
    int above = add_target(page, page->body, 10, 400, 100, 20);
    int below = add_target(page, page->body, 10, 2000, 100, 20);
    int covered = add_target(page, page->body, 200, 2000, 100, 20);
    int occluder = add(page, page->body, "DIV", 200, 1990, 100, 60);
    layout_of(page, occluder)->paint_order = 5;
    int beyond = add_target(page, page->body, 10, 2900, 100, 20);
    int cut = add_target(page, page->body, 10, 2395, 100, 20);
    look_within(page, &(struct snapshot_box){ 0, -500, 800, 2400 });
    assert_int_equal(place_of(page, above), PLACE_IN_VIEW);
    assert_int_equal(place_of(page, below), PLACE_IN_VIEW);
    assert_int_equal(place_of(page, beyond), PLACE_BELOW);
    assert_occluder(page, above, SNAPSHOT_NONE);
    assert_occluder(page, below, SNAPSHOT_NONE);
    assert_occluder(page, covered, occluder);

    struct snapshot_box shown;
    const struct snapshot_placement *placement = &page->visibility->placements[cut];
    assert_true(snapshot_visibility_shown(page->visibility, cut, &placement->box, &shown));
    assert_float_equal(shown.y, 1895, 0.01);
    assert_float_equal(shown.height, 5, 0.01);
    placement = &page->visibility->placements[beyond];
    assert_false(snapshot_visibility_shown(page->visibility, beyond, &placement->box, &shown));
}

static void test_covers_are_none_when_clicks_pass_them(void **state)
{
    struct page *page = *state;
    int target = add_target(page, page->body, 0, 0, 100, 20);
    int pane = add(page, page->body, "DIV", 0, 0, 800, 600);
    layout_of(page, pane)->takes_no_pointer = true;
    int text = build_text(page->tree, pane, "A watermark");
    build_box(page->tree, text, 0, 0, 100, 20);
    build_line(page->tree, 0, 0, 100, 20);
    int invisible = add(page, page->body, "DIV", 0, 0, 800, 600);
    layout_of(page, invisible)->is_invisible = true;
    int clipping = add(page, page->body, "DIV", 0, 300, 800, 100);
    layout_of(page, clipping)->clips_x = layout_of(page, clipping)->clips_y = true;
    add(page, clipping, "DIV", 0, 0, 800, 600);
    add(page, target, "SPAN", 0, 0, 100, 20);
    /* Content of a closed <details> has boxes if they were requested before. */
    int folded = add(page, page->body, "DIV", 0, 0, 800, 600);
    page->is_hidden[folded] = true;
    look(page);
    assert_occluder(page, target, SNAPSHOT_NONE);
}

/*
 * A line of text is painted above the blocks of its layer, wherever they are, for example in cells.
 */
static void test_links_in_cells_are_not_covered_by_the_next_cell(void **state)
{
    struct page *page = *state;
    int cell = add(page, page->body, "TD", 0, 0, 100, 20);
    int link = add_target(page, cell, 0, 0, 60, 20);
    layout_of(page, link)->display = DISPLAY_INLINE;
    int text = build_text(page->tree, link, "one");
    build_box(page->tree, text, 0, 0, 60, 20);
    build_line(page->tree, 0, 0, 60, 20);
    int next = add(page, page->body, "TD", 20, 0, 100, 20);
    layout_of(page, next)->display = DISPLAY_TABLE_CELL;
    look(page);
    assert_occluder(page, link, SNAPSHOT_NONE);
}

/*
 * A link from the end of one line to the beginning of the next; the middle of its box belongs to
 * other text.
 */
static void test_wrapped_links_are_tested_on_their_first_line(void **state)
{
    struct page *page = *state;
    int other = SNAPSHOT_NONE;
    for (int is_over_line = 0; is_over_line < 2; is_over_line++) {
        float top = is_over_line ? 100 : 0;
        int link = add_target(page, page->body, 0, top, 400, 40);
        layout_of(page, link)->display = DISPLAY_INLINE;
        int text = build_text(page->tree, link, "a link that wraps");
        build_box(page->tree, text, 0, top, 400, 40);
        build_line(page->tree, 300, top, 100, 20);
        build_line(page->tree, 0, top + 20, 100, 20);
        other = add_target(page, page->body, is_over_line ? 300 : 150, top, 100, 40);
        layout_of(page, other)->paint_order = 1;
    }
    look(page);
    const struct snapshot_placement *placements = page->visibility->placements;
    assert_false(placements[page->body + 1].is_occluded);
    assert_true(placements[page->body + 4].is_occluded);
    assert_int_equal(placements[page->body + 4].occluder, other);
}

static void test_controls_below_their_label_are_not_covered(void **state)
{
    struct page *page = *state;
    int label = add(page, page->body, "LABEL", 0, 0, 50, 20);
    int switched = add_target(page, label, 0, 0, 50, 20);
    int knob = add(page, label, "SPAN", 0, 0, 50, 20);
    layout_of(page, knob)->paint_order = 3;
    int named = build_element(page->tree, page->body, "INPUT");
    build_attribute(page->tree, "id", "n");
    build_box(page->tree, named, 0, 50, 50, 20);
    page->is_target[named] = true;
    for (int i = 0; i < 2; i++) {
        int drawn = build_element(page->tree, page->body, "LABEL");
        build_attribute(page->tree, "for", i == 0 ? "n" : "other");
        build_box(page->tree, drawn, 0, 50, 50, 20)->paint_order = 3 - i;
    }
    look(page);
    assert_occluder(page, switched, SNAPSHOT_NONE);
    assert_occluder(page, named, SNAPSHOT_NONE);
}

static void test_covers_are_named_by_their_element(void **state)
{
    struct page *page = *state;
    int target = add_target(page, page->body, 0, 0, 100, 20);
    int card = add(page, page->body, "A", 0, 200, 100, 20);
    int stretched = build_element(page->tree, card, "::after");
    page->tree->nodes[stretched].kind = SNAPSHOT_PSEUDO;
    build_box(page->tree, stretched, 0, 0, 800, 600)->paint_order = 2;
    look(page);
    assert_occluder(page, target, card);
}

static void test_what_covers_a_frame_covers_what_is_in_it(void **state)
{
    struct page *page = *state;
    int root = add_frame(page);
    int left = add_target(page, root, 10, 60, 50, 20);
    int right = add_target(page, root, 120, 60, 50, 20);
    layout_of(page, left)->paint_order = 7; /* which has no meaning outside its document */
    int occluder = add(page, page->body, "DIV", 100, 100, 80, 110);
    layout_of(page, occluder)->paint_order = 2;
    int behind = add_target(page, page->body, 220, 150, 20, 20);
    layout_of(page, behind)->paint_order = -1;
    look(page);
    assert_occluder(page, left, occluder);
    assert_occluder(page, right, SNAPSHOT_NONE);
    assert_occluder(page, behind, page->tree->nodes[page->body].first_child);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
        TEST(test_places_when_the_page_is_scrolled),
        TEST(test_places_when_read_from_right_to_left),
        TEST(test_places_inside_of_boxes_that_clip),
        TEST(test_absolute_boxes_are_clipped_by_what_they_are_positioned_in),
        TEST(test_what_has_no_box_is_where_its_children_are),
        TEST(test_places_in_frames),
        TEST(test_frames_that_are_out_of_view_have_all_of_it_out_of_view),
        TEST(test_covers_are_found_by_paint_order),
        TEST(test_view_is_looked_through),
        TEST(test_covers_are_none_when_clicks_pass_them),
        TEST(test_links_in_cells_are_not_covered_by_the_next_cell),
        TEST(test_wrapped_links_are_tested_on_their_first_line),
        TEST(test_controls_below_their_label_are_not_covered),
        TEST(test_covers_are_named_by_their_element),
        TEST(test_what_covers_a_frame_covers_what_is_in_it),
#undef TEST
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
