/* The content of outlines: dissolved, joined, repeated and found items; ids. */
#include "runner/base/memory.h"
#include "snapshot_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "runner/base/strbuf.h"

/* Writes "main(heading=Shop e1, text)": roles, names to print, texts and ids. */
static void describe(const struct outline *outline, struct strbuf *text)
{
    int depth = 0;
    for (int i = 0; i < outline->count; i++) {
        const struct outline_item *item = &outline->items[i];
        const struct node_semantics *semantics = &outline->semantics->nodes[item->node];
        int parent = item->parent;
        int level = 0;
        for (; parent != SNAPSHOT_NONE; parent = outline->items[parent].parent) {
            level++;
        }
        for (; depth > level; depth--) {
            strbuf_add(text, ")", 1);
        }
        bool is_first =
            item->parent != SNAPSHOT_NONE && outline->items[item->parent].first_child == i;
        strbuf_add_string(text, is_first ? "(" : i ? (item->is_continued ? "+" : ",") : "");
        depth = level;
        strbuf_add_string(text, outline_is_text(outline, i) ? "text"
                                : item->is_left_out         ? "left-out"
                                                            : snapshot_role_name(semantics->role));
        if (semantics->name && !item->is_name_repeated && !outline_is_text(outline, i)) {
            strbuf_add_format(text, "=%s", semantics->name);
        }
        if (item->text) {
            strbuf_add_format(text, "'%s'", item->text);
        }
        if (item->id) {
            strbuf_add_format(text, " e%u", item->id);
        }
    }
    for (; depth > 0; depth--) {
        strbuf_add(text, ")", 1);
    }
}

static void assert_outline_with(struct test_page *page, const struct outline_options *options,
                                const char *expected)
{
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    struct outline *outline = test_page_outline(page, options);
    describe(outline, &text);
    assert_string_equal(text.data, expected);
    outline_destroy(outline);
    strbuf_finish(&text);
}

static void assert_outline(struct test_page *page, const char *expected)
{
    assert_outline_with(page, &(struct outline_options){ .root = SNAPSHOT_NONE }, expected);
}

static void test_structure_is_hoisted(void **state)
{
    struct test_page *page = *state;
    int around = page->body;
    for (int i = 0; i < 3; i++) {
        around = test_page_add(page, around, "DIV", ROLE_GENERIC, NULL);
    }
    int region = test_page_add(page, around, "MAIN", ROLE_MAIN, NULL);
    around = test_page_add(page, region, "DIV", ROLE_GENERIC, NULL);
    test_page_add(page, around, "BUTTON", ROLE_BUTTON, "A");
    test_page_add(page, region, "BUTTON", ROLE_BUTTON, "B");
    test_page_add(page, page->body, "UL", ROLE_LIST, NULL);
    assert_outline(page, "main e1(button=A e2,button=B e3)");
}

static void test_text_is_joined_within_a_block(void **state)
{
    struct test_page *page = *state;
    test_page_text(page, page->body, "  One ");
    int bold = test_page_add(page, page->body, "B", ROLE_STRONG, NULL);
    test_page_layout(page, bold)->display = DISPLAY_INLINE;
    test_page_text(page, bold, "two");
    test_page_text(page, page->body, " ");
    int upper = test_page_text(page, page->body, " gr\xC3\xBC\xC3\x9F n\xC2\xA0\xC2\xA0x");
    test_page_layout(page, upper)->transform = TRANSFORM_UPPER;
    int block = test_page_add(page, page->body, "DIV", ROLE_GENERIC, NULL);
    int title = test_page_text(page, block, "the semi-end");
    test_page_layout(page, title)->transform = TRANSFORM_CAPITALIZE;
    test_page_text(page, page->body, "\xEE\x80\x81"); /* a glyph of an icon font */
    int hidden = test_page_text(page, page->body, "hidden");
    test_page_semantics(page, hidden)->is_hidden = true;
    test_page_text(page, page->body, "\xC2\xB7");
    assert_outline(page, "text'One two GR\xC3\x9CSS N X',text'The Semi-End'");
}

/* Texts that nearly repeat a name, at each of its letters: compared in linear time. */
static void test_names_that_repeat_themselves(void **state)
{
    enum { BUTTONS = 100, IMAGES = 50, LENGTH = 1000 };
    struct test_page *page = *state;
    char name[LENGTH + 1];
    memset(name, 'a', LENGTH);
    name[LENGTH] = '\0';
    CLEANUP_FREE char *other = xasprintf("%.600sb", name);
    for (int i = 0; i < BUTTONS; i++) {
        int button = test_page_add(page, page->body, "BUTTON", ROLE_BUTTON, name);
        for (int k = 0; k < IMAGES; k++) {
            test_page_add(page, button, "IMG", ROLE_IMAGE, other);
        }
    }
    struct outline_options options = { .root = SNAPSHOT_NONE };
    struct outline *outline = test_page_outline(page, &options);
    assert_int_equal(outline->count, BUTTONS * (1 + IMAGES));
    outline_destroy(outline);
}

static void test_names_stand_once(void **state)
{
    struct test_page *page = *state;
    int button = test_page_add(page, page->body, "BUTTON", ROLE_BUTTON, "Add  to cart");
    test_page_add(page, button, "IMG", ROLE_IMAGE, "Add");
    test_page_text(page, button, "TO CART");
    int close = test_page_add(page, page->body, "BUTTON", ROLE_BUTTON, "Close");
    test_page_text(page, close, "\xC3\x97");
    int inbox = test_page_add(page, page->body, "A", ROLE_LINK, "Inbox");
    test_page_text(page, inbox, "Inbox");
    int badge = test_page_add(page, inbox, "DIV", ROLE_GENERIC, NULL);
    test_page_text(page, badge, "3 new");
    int region = test_page_add(page, page->body, "SECTION", ROLE_REGION, "News");
    test_page_add_inline(page, region, "H2", ROLE_HEADING, "News");
    int group = test_page_add(page, page->body, "FIELDSET", ROLE_GROUP, "Size");
    test_page_text(page, group, "Size");
    test_page_add(page, group, "INPUT", ROLE_RADIO, "Small");
    assert_outline(page, "button=Add  to cart e1,button=Close e2,link=Inbox'3 new' e3,"
                         "region e4(heading=News),group=Size(radio=Small e5)");
}

static void test_labels_stand_once(void **state)
{
    struct test_page *page = *state;
    int label = test_page_add(page, page->body, "LABEL", ROLE_LABEL_TEXT, NULL);
    test_page_text(page, label, "Email");
    int input = test_page_add(page, page->body, "INPUT", ROLE_TEXTBOX, "Email (work)");
    test_page_semantics(page, input)->name_from = NAME_FROM_ELEMENT;
    test_page_text(page, page->body, "We do not tell.");
    int box = test_page_add(page, page->body, "INPUT", ROLE_CHECKBOX, "I agree");
    test_page_semantics(page, box)->name_from = NAME_FROM_ELEMENT;
    test_page_text(page, page->body, "I agree");
    assert_outline(page, "textbox=Email (work) e1,text'We do not tell.',checkbox=I agree e2");
}

static void test_what_reacts_without_saying_so(void **state)
{
    struct test_page *page = *state;
    /* A listener around controls belongs to these. */
    int list = test_page_add(page, page->body, "DIV", ROLE_GENERIC, NULL);
    test_page_semantics(page, list)->category = CATEGORY_INTERACTIVE;
    page->tree->nodes[list].is_clickable = true;
    test_page_add(page, list, "BUTTON", ROLE_BUTTON, "A");
    test_page_add(page, list, "BUTTON", ROLE_BUTTON, "B");
    /* A test id on a container does not make it a control. */
    int wrapper = test_page_add(page, page->body, "DIV", ROLE_GENERIC, NULL);
    test_page_semantics(page, wrapper)->category = CATEGORY_INTERACTIVE;
    test_page_add(page, wrapper, "BUTTON", ROLE_BUTTON, "C");
    int div = test_page_add(page, page->body, "DIV", ROLE_GENERIC, NULL);
    test_page_semantics(page, div)->category = CATEGORY_INTERACTIVE;
    test_page_text(page, div, "Open");
    assert_outline(page, "button=A e1,button=B e2,button=C e3,generic'Open' e4");
}

static void test_elements_with_a_role_that_react(void **state)
{
    struct test_page *page = *state;
    int list = test_page_add(page, page->body, "UL", ROLE_LIST, NULL);
    page->tree->nodes[list].is_clickable = true; /* for its content */
    int clicked = test_page_add(page, list, "LI", ROLE_LISTITEM, NULL);
    page->tree->nodes[clicked].is_clickable = true;
    test_page_text(page, clicked, "Listens");
    int pointed = test_page_add(page, list, "LI", ROLE_LISTITEM, NULL);
    test_page_layout(page, pointed)->has_pointer = true;
    test_page_text(page, pointed, "Has a hand");
    int around = test_page_add(page, list, "LI", ROLE_LISTITEM, NULL);
    test_page_layout(page, around)->has_pointer = true;
    test_page_add_inline(page, around, "A", ROLE_LINK, "Has its own");
    assert_outline(page, "list(listitem'Listens' e1,listitem'Has a hand' e2,"
                         "listitem(link=Has its own e3))");
}

/* A role set by the author does not hide what an HTML control can do. */
static void test_controls_with_other_roles(void **state)
{
    struct test_page *page = *state;
    int row = test_page_add(page, page->body, "BUTTON", ROLE_ROW, "Mail");
    test_page_semantics(page, row)->is_focusable = true;
    int empty = test_page_add(page, page->body, "BUTTON", ROLE_STATUS, NULL);
    test_page_semantics(page, empty)->is_focusable = true;
    int card = test_page_add(page, page->body, "A", ROLE_LISTITEM, NULL);
    test_page_semantics(page, card)->is_focusable = true;
    test_page_add(page, card, "BUTTON", ROLE_BUTTON, "Save");
    int mere = test_page_add(page, page->body, "BUTTON", ROLE_CAPTION, "More");
    test_page_semantics(page, mere)->is_focusable = true;
    test_page_add(page, page->body, "BUTTON", ROLE_ROW, "Off");
    int grid = test_page_add(page, page->body, "DIV", ROLE_GRID, "Days");
    test_page_semantics(page, grid)->is_focusable = true;
    int toast = test_page_add(page, page->body, "DIV", ROLE_ALERT, "Sent");
    page->tree->nodes[toast].is_clickable = true;
    int meter = test_page_add(page, page->body, "METER", ROLE_METER, NULL);
    test_page_semantics(page, meter)->value = "0.3";
    assert_outline(page, "row=Mail e1,status e2,listitem e3(button=Save e4),caption=More e5,"
                         "row=Off,grid=Days e6,alert=Sent e7,meter");
    assert_outline_with(page,
                        &(struct outline_options){ .root = SNAPSHOT_NONE, .is_interactive = true },
                        "row=Mail e1,status e2,listitem e3(button=Save e4),caption=More e5,"
                        "alert=Sent e7");
}

static void test_captions_in_parts(void **state)
{
    struct test_page *page = *state;
    int group = test_page_add(page, page->body, "FIELDSET", ROLE_GROUP, "Size, in cm");
    int legend = test_page_add(page, group, "LEGEND", ROLE_LEGEND, NULL);
    test_page_text(page, legend, "Size,");
    int part = test_page_add(page, legend, "DIV", ROLE_GENERIC, NULL);
    test_page_text(page, part, "in cm");
    test_page_text(page, group, "Size");
    test_page_add(page, group, "INPUT", ROLE_RADIO, "10");
    assert_outline(page, "group=Size, in cm(text'Size',radio=10 e1)");
}

static void test_hidden_controls(void **state)
{
    struct test_page *page = *state;
    int hidden = test_page_add(page, page->body, "BUTTON", ROLE_BUTTON, "Hidden");
    test_page_semantics(page, hidden)->is_hidden = true;
    int clipped = test_page_add(page, page->body, "INPUT", ROLE_CHECKBOX, "Styled");
    test_page_semantics(page, clipped)->is_hidden = true;
    int aria = test_page_add(page, page->body, "BUTTON", ROLE_BUTTON, "Aria");
    test_page_semantics(page, aria)->is_ignored = true;
    int invisible = test_page_add(page, page->body, "INPUT", ROLE_CHECKBOX, "Invisible");
    test_page_semantics(page, invisible)->is_hidden = true;
    test_page_layout(page, invisible)->is_invisible = true;
    assert_outline(page, "checkbox=Styled e1,button=Aria e2");
}

static void test_values_are_not_text(void **state)
{
    struct test_page *page = *state;
    int input = test_page_add(page, page->body, "INPUT", ROLE_TEXTBOX, "Password");
    int inner = test_page_add(page, input, "DIV", ROLE_GENERIC, NULL);
    page->tree->nodes[inner].shadow = SNAPSHOT_USER_AGENT;
    test_page_text(page, inner, "secret");
    int select = test_page_add(page, page->body, "SELECT", ROLE_COMBOBOX, "Colour");
    inner = test_page_add(page, select, "DIV", ROLE_GENERIC, NULL);
    test_page_text(page, inner, "Red");
    int editor = test_page_add(page, page->body, "DIV", ROLE_TEXTBOX, NULL);
    test_page_semantics(page, editor)->value = "Dear Ann";
    int bold = test_page_add(page, editor, "B", ROLE_STRONG, NULL);
    test_page_text(page, bold, "Dear");
    test_page_text(page, editor, " Ann");
    assert_outline(page, "textbox=Password e1,combobox=Colour e2,textbox e3");
    struct outline *all =
        test_page_outline(page, &(struct outline_options){ .root = SNAPSHOT_NONE, .is_all = true });
    for (int i = 0; i < all->count; i++) {
        assert_true(!all->items[i].text || strcmp(all->items[i].text, "secret") != 0);
    }
    outline_destroy(all);
}

static void test_what_scrolls(void **state)
{
    struct test_page *page = *state;
    int box = test_page_add(page, page->body, "DIV", ROLE_GENERIC, NULL);
    test_page_layout(page, box)->scrolls_y = true;
    int inner = test_page_add(page, box, "DIV", ROLE_GENERIC, NULL);
    test_page_text(page, inner, "long");
    test_page_layout(page, inner)->height = 500;
    int small = test_page_add(page, page->body, "DIV", ROLE_GENERIC, NULL);
    test_page_layout(page, small)->scrolls_y = true;
    test_page_text(page, small, "short");
    assert_outline(page, "generic'long' e1,text'short'");
}

static void test_pictures(void **state)
{
    struct test_page *page = *state;
    test_page_add(page, page->body, "IMG", ROLE_IMAGE, "A cat");
    test_page_add(page, page->body, "IMG", ROLE_IMAGE, NULL);
    int chart = test_page_add(page, page->body, "CANVAS", ROLE_CANVAS, NULL);
    test_page_sight(page, chart)->box = (struct snapshot_box){ 0, 0, 300, 150 };
    assert_outline(page, "image=A cat e1,Canvas e2");
}

/* A picture whose name is repeated beside it is shown once. */
static void test_pictures_beside_their_words(void **state)
{
    struct test_page *page = *state;
    test_page_add(page, page->body, "IMG", ROLE_IMAGE, "Five waves at noon");
    int caption = test_page_add(page, page->body, "P", ROLE_PARAGRAPH, NULL);
    test_page_text(page, caption, "Five waves at noon. Photo: Ann");
    int link = test_page_add(page, page->body, "A", ROLE_LINK, NULL);
    test_page_add(page, link, "IMG", ROLE_IMAGE, "Boats");
    test_page_text(page, test_page_add(page, link, "H4", ROLE_HEADING, "Boats"), "Boats");
    assert_outline(page, "image e1,paragraph'Five waves at noon. Photo: Ann',"
                         "link e2(image e3,heading=Boats)");
}

/* Two pictures that repeat each other, and a container, keep the only name. */
static void test_pictures_that_say_it_alone(void **state)
{
    struct test_page *page = *state;
    int list = test_page_add(page, page->body, "UL", ROLE_LIST, NULL);
    for (int i = 0; i < 2; i++) {
        int item = test_page_add(page, list, "LI", ROLE_LISTITEM, "Star");
        test_page_semantics(page, item)->name_from = NAME_FROM_CONTENT;
        test_page_add(page, item, "IMG", ROLE_IMAGE, "Star");
    }
    test_page_text(page, page->body, "Starlings");
    assert_outline(page, "list(listitem(image=Star e1),listitem(image=Star e2)),"
                         "text'Starlings'");
}

static void test_names_of_blanks(void **state)
{
    struct test_page *page = *state;
    test_page_add(page, page->body, "BUTTON", ROLE_BUTTON, "\u00a0");
    test_page_add(page, page->body, "BUTTON", ROLE_BUTTON, "\u00d7");
    assert_outline(page, "button e1,button=\u00d7 e2");
}

static void build_shop(struct test_page *page)
{
    int main = test_page_add(page, page->body, "MAIN", ROLE_MAIN, NULL);
    int heading = test_page_add_inline(page, main, "H2", ROLE_HEADING, "Fruit");
    test_page_semantics(page, heading)->level = 2;
    test_page_text(page, main, "All of it.");
    int table = test_page_add(page, main, "TABLE", ROLE_TABLE, NULL);
    for (int i = 0; i < 2; i++) {
        int row = test_page_add(page, table, "TR", ROLE_ROW, NULL);
        int cell = test_page_add(page, row, "TD", ROLE_CELL, NULL);
        test_page_text(page, cell, i ? "Pear" : "Apple");
        cell = test_page_add(page, row, "TD", ROLE_CELL, NULL);
        int button = test_page_add_inline(page, cell, "BUTTON", ROLE_BUTTON, "Buy");
        test_page_sight(page, button)->place = i ? PLACE_BELOW : PLACE_IN_VIEW;
        test_page_sight(page, cell - 1)->place = i ? PLACE_BELOW : PLACE_IN_VIEW;
    }
    int about = test_page_add_inline(page, main, "H2", ROLE_HEADING, "About");
    test_page_semantics(page, about)->level = 2;
    test_page_text(page, main, "We are many.");
}

static void test_interactive_only(void **state)
{
    build_shop(*state);
    assert_outline_with(*state,
                        &(struct outline_options){ .root = SNAPSHOT_NONE, .is_interactive = true },
                        "main e1(heading=Fruit,table(row(cell'Apple',cell(button=Buy e2)),"
                        "row(cell'Pear',cell(button=Buy e3))))");
}

static void test_viewport_only(void **state)
{
    build_shop(*state);
    assert_outline_with(
        *state, &(struct outline_options){ .root = SNAPSHOT_NONE, .is_in_viewport = true },
        "main e1(heading=Fruit+text'All of it.',table(row(cell'Apple',cell(button=Buy e2)),"
        "row(cell'Pear')),heading=About+text'We are many.')");
}

static void test_find(void **state)
{
    build_shop(*state);
    assert_outline_with(*state,
                        &(struct outline_options){ .root = SNAPSHOT_NONE, .find_text = "PEAR" },
                        "main e1(table(row(cell'Pear',cell(button=Buy e2))))");
    assert_outline_with(
        *state, &(struct outline_options){ .root = SNAPSHOT_NONE, .find_role = ROLE_HEADING },
        "main e1(heading=Fruit,heading=About)");
    assert_outline_with(
        *state, &(struct outline_options){ .root = SNAPSHOT_NONE, .find_text = "plum" }, "");
}

/* A match brings its whole entry: the button beside the name. */
static void test_find_shows_the_whole_entry(void **state)
{
    struct test_page *page = *state;
    static const char *const goods[] = { "Kettle", "Lantern" };
    int list = test_page_add(page, page->body, "UL", ROLE_LIST, NULL);
    for (size_t i = 0; i < sizeof(goods) / sizeof(goods[0]); i++) {
        int entry = test_page_add(page, list, "LI", ROLE_LISTITEM, NULL);
        int heading = test_page_add(page, entry, "H2", ROLE_HEADING, goods[i]);
        test_page_text(page, heading, goods[i]);
        test_page_add(page, entry, "BUTTON", ROLE_BUTTON, "Buy");
    }
    assert_outline_with(page,
                        &(struct outline_options){ .root = SNAPSHOT_NONE, .find_text = "lantern" },
                        "list(listitem(heading=Lantern,button=Buy e1))");
    assert_outline_with(
        page, &(struct outline_options){ .root = SNAPSHOT_NONE, .find_role = ROLE_HEADING },
        "list(listitem(heading=Kettle),listitem(heading=Lantern))");
}

/* A match brings the rest of its line, but not the other links of a menu. */
static void test_find_shows_the_line(void **state)
{
    struct test_page *page = *state;
    static const struct {
        const char *text;
        float y;
    } texts[] = { { "Net", 0 }, { "12", 0 }, { "Total", 30 }, { "24", 32 }, { "Thanks", 60 } };
    int main = test_page_add(page, page->body, "MAIN", ROLE_MAIN, NULL);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        int block = test_page_add(page, main, "DIV", ROLE_GENERIC, NULL);
        int text = test_page_text(page, block, texts[i].text);
        test_page_sight(page, text)->box = (struct snapshot_box){ 0, texts[i].y, 50, 20 };
    }
    for (size_t i = 0; i < 2; i++) {
        int link = test_page_add_inline(page, main, "A", ROLE_LINK, i ? "Terms" : "Help");
        test_page_sight(page, link)->box = (struct snapshot_box){ 0, 90, 50, 20 };
    }
    const struct {
        const char *find, *expected;
    } cases[] = {
        { "total", "main e1(text'Total',text'24')" },
        { "24", "main e1(text'Total',text'24')" },
        { "thanks", "main e1(text'Thanks')" },
        { "help", "main e1(link=Help e2)" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_outline_with(
            page, &(struct outline_options){ .root = SNAPSHOT_NONE, .find_text = cases[i].find },
            cases[i].expected);
    }
}

/* Not even the text of a private editor, in any form. */
static void test_private_editor_has_no_text(void **state)
{
    struct test_page *page = *state;
    int editor = test_page_add(page, page->body, "DIV", ROLE_TEXTBOX, "Card number");
    test_page_semantics(page, editor)->is_private = true;
    test_page_semantics(page, editor)->is_editable = true;
    test_page_text(page, editor, "4111111111111111");
    for (int is_all = 0; is_all < 2; is_all++) {
        struct outline *outline = test_page_outline(
            page, &(struct outline_options){ .root = SNAPSHOT_NONE, .is_all = is_all });
        assert_true(outline->count > 0);
        for (int i = 0; i < outline->count; i++) {
            assert_null(outline->items[i].text);
        }
        outline_destroy(outline);
    }
}

static void test_depth_and_root(void **state)
{
    struct test_page *page = *state;
    build_shop(page);
    assert_outline_with(page, &(struct outline_options){ .root = SNAPSHOT_NONE, .depth = 1 },
                        "main e1");
    int row = SNAPSHOT_NONE;
    for (int i = 0; i < page->tree->node_count; i++) {
        row = page->semantics.nodes[i].role == ROLE_ROW ? i : row;
    }
    assert_outline_with(page, &(struct outline_options){ .root = row },
                        "row(cell'Pear',cell(button=Buy e2))");
    page->semantics.nodes[page->body].is_left_out = true;
    assert_outline_with(page, &(struct outline_options){ .root = row }, "left-out");
}

static void test_ids(void **state)
{
    struct test_page *page = *state;
    build_shop(page);
    assert_outline_with(
        page, &(struct outline_options){ .root = SNAPSHOT_NONE, .has_all_ids = true, .depth = 2 },
        "main e1(heading=Fruit e2+text'All of it.',table e3,heading=About e4+text'We are many.')");
    struct outline_options all = { .root = SNAPSHOT_NONE, .is_all = true };
    struct outline *outline = test_page_outline(page, &all);
    int elements = 0;
    for (int i = 0; i < outline->count; i++) {
        elements += outline->items[i].id != 0;
    }
    int expected = 0;
    for (int i = 0; i < page->tree->node_count; i++) {
        expected += page->tree->nodes[i].kind == SNAPSHOT_ELEMENT;
    }
    assert_int_equal(elements, expected);
    outline_destroy(outline);
}

/* Linear time for every kind of large page. */
static void test_large_pages_end_in_time(void **state)
{
    struct test_page *page = *state;
    int around = page->body;
    for (int i = 0; i < 15000; i++) {
        around = test_page_add(page, around, "DIV", ROLE_GENERIC, "aaaaaaaaaaaaaaaaaaaaaaaa");
        test_page_semantics(page, around)->category = CATEGORY_INTERACTIVE;
        test_page_semantics(page, around)->name_from = NAME_FROM_CONTENT;
        page->tree->nodes[around].is_clickable = true;
        test_page_text(page, around, "aaaaaaaaaaaaaaaaaaaaaaaa");
    }
    for (int i = 0; i < 20000; i++) {
        test_page_add_inline(page, page->body, "A", ROLE_LINK, "aaaaaaaaaaaaaaaaaaaaaaaa");
    }
    clock_t begin = clock();
    struct outline *outline =
        test_page_outline(page, &(struct outline_options){ .root = SNAPSHOT_NONE });
    assert_true(outline->count > 20000);
    outline_destroy(outline);
    assert_true((clock() - begin) / CLOCKS_PER_SEC < 5);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_page_set_up, test_page_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_structure_is_hoisted),
        TEST(test_text_is_joined_within_a_block),
        TEST(test_names_that_repeat_themselves),
        TEST(test_names_stand_once),
        TEST(test_labels_stand_once),
        TEST(test_what_reacts_without_saying_so),
        TEST(test_elements_with_a_role_that_react),
        TEST(test_controls_with_other_roles),
        TEST(test_captions_in_parts),
        TEST(test_hidden_controls),
        TEST(test_values_are_not_text),
        TEST(test_what_scrolls),
        TEST(test_pictures),
        TEST(test_pictures_beside_their_words),
        TEST(test_pictures_that_say_it_alone),
        TEST(test_names_of_blanks),
        TEST(test_interactive_only),
        TEST(test_viewport_only),
        TEST(test_find),
        TEST(test_find_shows_the_whole_entry),
        TEST(test_find_shows_the_line),
        TEST(test_private_editor_has_no_text),
        TEST(test_depth_and_root),
        TEST(test_ids),
        TEST(test_large_pages_end_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
