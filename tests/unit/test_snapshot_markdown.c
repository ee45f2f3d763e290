/* The content of a page as Markdown, and the selectors of its controls. */
#include "runner/snapshot/dom/selector.h"
#include "runner/snapshot/markdown/annotation.h"
#include "runner/snapshot/markdown/markdown.h"

#include "snapshot_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct page {
    struct arena *arena;
    struct snapshot_tree *tree;
    struct snapshot_semantics semantics;
    int body;
};

static void open_page(struct page *page)
{
    *page = (struct page){ .arena = arena_create(), .tree = snapshot_tree_create(800, 600) };
    int root = build_document(page->tree, SNAPSHOT_NONE);
    page->tree->documents[0].base_url = "https://ex.org/a/b.html?q";
    page->body = build_element(page->tree, build_element(page->tree, root, "HTML"), "BODY");
}

static void close_page(struct page *page)
{
    free(page->semantics.nodes);
    snapshot_tree_destroy(page->tree);
    arena_destroy(page->arena);
}

static enum snapshot_role role_of(const struct snapshot_tree *tree, int node)
{
    static const struct {
        enum snapshot_tag tag;
        enum snapshot_role role;
    } roles[] = {
        { TAG_A, ROLE_LINK },        { TAG_TABLE, ROLE_TABLE }, { TAG_H1, ROLE_HEADING },
        { TAG_H3, ROLE_HEADING },    { TAG_IMG, ROLE_IMAGE },   { TAG_BUTTON, ROLE_BUTTON },
        { TAG_INPUT, ROLE_TEXTBOX },
    };
    const char *role = snapshot_attribute(tree, node, "role");
    if (role) {
        return snapshot_role_from_name(role);
    }
    for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
        if (roles[i].tag == tree->nodes[node].tag) {
            return roles[i].role;
        }
    }
    return ROLE_UNKNOWN;
}

/* Computes the semantics that Markdown needs. */
static void mean(struct page *page)
{
    const struct snapshot_tree *tree = page->tree;
    page->semantics.nodes = calloc((size_t)tree->node_count, sizeof(struct node_semantics));
    for (int i = 0; i < tree->node_count; i++) {
        struct node_semantics *semantics = &page->semantics.nodes[i];
        const char *columns = snapshot_attribute(tree, i, "colspan");
        const char *rows = snapshot_attribute(tree, i, "rowspan");
        const char *type = snapshot_attribute(tree, i, "type");
        semantics->role = role_of(tree, i);
        semantics->level = tree->nodes[i].tag == TAG_H1 ? 1 : 3;
        semantics->name = snapshot_attribute(tree, i, "aria-label");
        semantics->name = semantics->name ? semantics->name : snapshot_attribute(tree, i, "alt");
        semantics->column_span = columns ? (int)strtol(columns, NULL, 10) : 0;
        semantics->row_span = rows ? (int)strtol(rows, NULL, 10) : 0;
        semantics->is_private = type && strcmp(type, "password") == 0;
        semantics->value = snapshot_attribute(tree, i, "value");
        semantics->placeholder = snapshot_attribute(tree, i, "placeholder");
        semantics->is_disabled = snapshot_attribute(tree, i, "disabled") != NULL;
        semantics->is_hidden = snapshot_attribute(tree, i, "hidden") != NULL;
        semantics->is_left_out = snapshot_attribute(tree, i, "data-no-ai") != NULL;
        semantics->category =
            snapshot_attribute(tree, i, "onclick") ? CATEGORY_INTERACTIVE : CATEGORY_STRUCTURAL;
    }
}

static void print(struct page *page, int text_length, struct strbuf *text)
{
    struct br_error err;
    struct outline_options options = { .root = SNAPSHOT_NONE };
    assert_true(snapshot_tree_finish(page->tree, &err));
    mean(page);
    print_markdown(page->tree, &page->semantics, &options,
                   &(struct markdown_options){ .text_length = text_length }, text);
}

static void assert_markdown(const char *markup, const char *expected)
{
    struct page page;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    open_page(&page);
    build_markup(page.tree, page.arena, page.body, markup);
    print(&page, 0, &text);
    close_page(&page);
    assert_string_equal(text.data, expected);
}

struct pair {
    const char *from, *to;
};

static void assert_all(const struct pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_markdown(pairs[i].from, pairs[i].to);
    }
}
#define ASSERT_ALL(pairs) assert_all(pairs, sizeof(pairs) / sizeof((pairs)[0]))

static void assert_plain(const char *markup, const char *expected)
{
    struct page page;
    struct br_error err;
    struct outline_options options = { .root = SNAPSHOT_NONE };
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    open_page(&page);
    build_markup(page.tree, page.arena, page.body, markup);
    assert_true(snapshot_tree_finish(page.tree, &err));
    mean(&page);
    print_plain(page.tree, &page.semantics, &options, &text);
    close_page(&page);
    assert_string_equal(text.data, expected);
}

static void test_plain_text(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        { "", "" },
        { "<p>one <b>two</b></p><p>three</p>", "one two\n\nthree\n" },
        { "<div>one</div><div>two<br/>three</div>", "one\ntwo\nthree\n" },
        { "<ul><li>a *b*</li><li>c</li></ul>", "a *b*\nc\n" },
        { "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>",
          "a\tb\nc\td\n" },
        { "<p>a</p><p hidden=\"\">b</p><div data-no-ai=\"\">c</div><input value=\"d\"/>", "a\n" },
        { "<p><a href=\"x\">link</a> <button>press</button></p>", "link press\n" },
    };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        assert_plain(pairs[i].from, pairs[i].to);
    }
}

/* A sentence of some length. */
#define SENTENCE "Of the harbour, its lights and its depths, this sentence says enough to be read. "
#define TEXT     "<p>" SENTENCE "</p><p>" SENTENCE SENTENCE "</p><p>" SENTENCE "</p>"

static void assert_main(const char *markup, const char *reason, const char *begin,
                        const char * not )
{
    struct page page;
    struct br_error err;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    open_page(&page);
    build_markup(page.tree, page.arena, page.body, markup);
    assert_true(snapshot_tree_finish(page.tree, &err));
    mean(&page);
    struct main_part part = main_part_find(page.tree, &page.semantics, SNAPSHOT_NONE);
    struct outline_options options = { .root = part.root };
    const struct markdown_options how = { .has_no_annotations = true,
                                          .is_dropped = part.is_dropped };
    print_markdown(page.tree, &page.semantics, &options, &how, &text);
    if (strcmp(part.reason, reason) != 0 || strncmp(text.data, begin, strlen(begin)) != 0 ||
        strstr(text.data, not )) {
        fail_msg("%s: %s: %s", markup, part.reason, text.data);
    }
    main_part_finish(&part);
    close_page(&page);
}

static void test_main_part(void **state)
{
    (void)state;
    assert_main("<nav>" TEXT "away</nav><div><div>" TEXT "</div></div>", "text", "Of the", "away");
    assert_main("<p>away</p><article>" TEXT "</article>", "article", "Of the", "away");
    assert_main("<div>away</div><div role=\"main\"><h1>Head</h1>" TEXT "</div>", "main", "# Head",
                "away");
    assert_main("<div><h1>Head</h1><ul><li>one</li></ul></div>", "page", "# Head", "away");
    assert_main("<div>" TEXT "<div class=\"related-links\"><p>away</p></div></div>", "text",
                "Of the", "away");
    assert_main("<div>" TEXT "<ul><li><a href=\"x\">away</a></li></ul></div>", "text", "Of the",
                "away");
    assert_main("<section class=\"share\">" TEXT "</section>", "text", "Of the", "away");
    assert_main("<article>" TEXT "</article><article>" TEXT "</article>", "page", "Of the", "away");
    assert_main("", "page", "", "away");
}

/* Omitted content stays omitted if a part of it is requested, and as a choice. */
/* BROP's annotations: HTML types, values before placeholders, nothing private. */
static void test_types(void **state)
{
    (void)state;
    static const char markup[] =
        "<label for=\"a\">Name</label><input id=\"a\" placeholder=\"Full name\"></input><input "
        "name=\"m\" type=\"email\" value=\"x@y.z\"></input><input type=\"password\" id=\"p\" "
        "value=\"no\"></input><label><input type=\"radio\" name=\"s\" value=\"L\"></input> "
        "Large</label><select id=\"c\"><option aria-label=\"A\"></option><option "
        "aria-label=\"B\"></option><option aria-label=\"C\"></option><option "
        "aria-label=\"D\"></option></select><textarea id=\"t\"></textarea><input type=\"submit\" "
        "id=\"go\" aria-label=\"Send\"></input><button id=\"b\">Push</button>";
    static const char *const parts[] = {
        "Name<!--label:label[for=\"a\"]-->",
        "[text: Full name]<!--text:#a-->",
        "[email: x@y.z]<!--email:",
        "[radio]<!--radio:[name=\"s\"][value=\"L\"]-->",
        "[select-one: A, B, C...]<!--select-one:#c-->",
        "<!--textarea:#t-->",
        "[Send]<!--submit:#go-->",
        "[Push]<!--button:#b-->",
        "<!--password:#p-->",
        NULL,
    };
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_STRBUF struct strbuf bare = STRBUF_INIT(STRBUF_UNCAPPED);
    struct page page;
    struct outline_options options = { .root = SNAPSHOT_NONE };
    struct br_error err;
    open_page(&page);
    build_markup(page.tree, page.arena, page.body, markup);
    assert_true(snapshot_tree_finish(page.tree, &err));
    mean(&page);
    print_markdown(page.tree, &page.semantics, &options,
                   &(struct markdown_options){ .style = MARKDOWN_TYPES }, &text);
    print_markdown(page.tree, &page.semantics, &options,
                   &(struct markdown_options){ .style = MARKDOWN_BARE }, &bare);
    for (size_t i = 0; parts[i]; i++) {
        if (!strstr(text.data, parts[i])) {
            fail_msg("%s is not in\n%s", parts[i], text.data);
        }
    }
    assert_null(strstr(text.data, "no]"));
    assert_non_null(strstr(bare.data, "[Push]<!--#b-->"));
    close_page(&page);
}

static void test_left_out(void **state)
{
    struct page page;
    struct br_error err;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    (void)state;
    open_page(&page);
    build_markup(page.tree, page.arena, page.body,
                 "<div data-no-ai=\"\"><p><b>secret</b></p></div>");
    assert_true(snapshot_tree_finish(page.tree, &err));
    mean(&page);
    struct outline_options options = { .root = page.tree->nodes[page.body].first_child + 1 };
    print_markdown(page.tree, &page.semantics, &options, &(struct markdown_options){ 0 }, &text);
    assert_string_equal(text.data, "<!-- left out: data-no-ai -->\n");
    strbuf_clear(&text);
    options.keeps_left_out = true;
    print_markdown(page.tree, &page.semantics, &options, &(struct markdown_options){ 0 }, &text);
    assert_string_equal(text.data, "**secret**\n");
    close_page(&page);
    assert_markdown("<select><option aria-label=\"a\"></option><option data-no-ai=\"\" "
                    "aria-label=\"secret\"></option><optgroup data-no-ai=\"\"><option "
                    "aria-label=\"secret\"></option></optgroup></select>",
                    "[select; options: a]<!--select:body select-->\n");
}

/* Invisible content is not written, and cannot reorder visible text. */
static void test_what_is_not_seen(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        { "<p>a\xE2\x80\xAE"
          "b\xF3\xA0\x81\x81\xE2\x80\x8B\x07"
          "c\xE2\x80\xA8"
          "d\xC2\xA0"
          "e \xEE\x80\x81 \xF0\x9F\x98\x80\xFF</p>",
          "abc d\xC2\xA0"
          "e \xF0\x9F\x98\x80\xEF\xBF\xBD\n" },
        { "<pre>a\xE2\x80\xAE\x07\n\tb</pre>", "```\na\n\tb\n```\n" },
        { "<a href=\"/\xC3\xA9\xE2\x80\xAE\">x</a>",
          "[x](https://ex.org/\xC3\xA9%E2%80%AE)<!--link:body a-->\n" },
        { "<button name=\"a\xE2\x80\xAE\x62\xF3\xA0\x81\x81\"/>",
          "[]<!--button:button[name=\"a\\202e b\\e0041 \"]-->\n" },
        { "<button id=\"a\xE2\x80\xAE\x62\xC3\xA9\"/>", "[]<!--button:#a\\202e b\xC3\xA9-->\n" },
    };
    ASSERT_ALL(pairs);
}

static void test_blocks_and_marks(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        { "<h1>One  <em>two</em></h1><p>Three</p>", "# One *two*\n\nThree\n" },
        { "<p>a<b> bold </b>c<i>i</i></p>", "a **bold** c*i*\n" },
        { "<b><p>one</p><p>two</p></b>", "**one**\n\n**two**\n" },
        { "<p>one<br/>two</p><hr/><p>three</p>", "one  \ntwo\n\n---\n\nthree\n" },
        { "<ul><li>a<ol start=\"9\"><li>b</li><li><p>c</p><p>d</p></li></ol></li><li>e</li></ul>",
          "- a\n  9. b\n  10. c\n\n      d\n\n- e\n" },
        { "<blockquote><p>a</p><blockquote>b</blockquote><ul><li>c</li></ul></blockquote>d",
          "> a\n>\n> > b\n>\n> - c\n\nd\n" },
        { "<dl><dt>Term</dt><dd>one</dd><dd>two</dd></dl>", "**Term**\n: one\n: two\n" },
        { "<p>Hide <span hidden=\"\">this</span><script>x()</script> not</p>", "Hide not\n" },
        { "<div data-no-ai=\"\"><p>secret</p></div><p>said</p>",
          "<!-- left out: data-no-ai -->\n\nsaid\n" },
    };
    ASSERT_ALL(pairs);
}

static void test_code(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        { "<p><code>a`b</code> <code>`c`</code> <code>*d*</code></p>",
          "``a`b`` `` `c` `` `*d*`\n" },
        { "<pre class=\"x language-c++ y\">int a;\n\n  b();\n</pre>",
          "```c++\nint a;\n\n  b();\n```\n" },
        { "<pre><code class=\"language-md\">````\nx\n````</code></pre>",
          "`````md\n````\nx\n````\n`````\n" },
        { "<p><code>f(<a href=\"#T\">T</a>)</code></p>",
          "`f(`[`T`](https://ex.org/a/b.html?q#T)<!--link:body a-->`)`\n" },
    };
    ASSERT_ALL(pairs);
}

static void test_tables(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        { "<table><tr><th>A|B</th><th>C</th></tr><tr><td><p>1</p><p>2</p></td><td/></tr></table>",
          "| A\\|B | C |\n| --- | --- |\n| 1 2 | |\n" },
        { "<table><tr><td>1</td><td><code>a|b</code></td></tr></table>",
          "| | |\n| --- | --- |\n| 1 | `a\\|b` |\n" },
        { "<table><tr><th colspan=\"2\">A</th><th>B</th></tr>"
          "<tr><td rowspan=\"2\">1</td><td>2</td><td>3</td></tr><tr><td>4</td></tr></table>",
          "| A | | B |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| | 4 | |\n" },
        { "<table><tr><td>a<table><tr><td>b</td><td>c</td></tr></table></td></tr></table>x",
          "| |\n| --- |\n| a b c |\n\nx\n" },
        { "<table role=\"none\"><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>",
          "a b\nc\n" },
        { "<table><tr onclick=\"\"><td>a</td></tr></table>",
          "| |\n| --- |\n| a <!--clickable:body tr--> |\n" },
    };
    ASSERT_ALL(pairs);
}

static void test_text_is_never_markup(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        { "<p># a</p><p>- b</p><p>1. c</p><p>1) d</p><p>> e</p><p>+ f</p><p>: g</p>",
          "\\# a\n\n\\- b\n\n1\\. c\n\n1\\) d\n\n\\> e\n\n\\+ f\n\n\\: g\n" },
        { "<p>*a* _b_ c_d `e` [f](g) \\ ~~h~~ | 3-4 i# &amp; & j</p>",
          "\\*a\\* \\_b\\_ c_d \\`e\\` \\[f\\](g) \\\\ \\~\\~h\\~\\~ \\| 3-4 i# &amp;amp; & j\n" },
        { "<ul><li># a</li></ul><p>x<br/># b</p>", "- \\# a\n\nx  \n\\# b\n" },
        { "<img alt=\"a](b)\" src=\"c d).png\"/>", "![a\\](b)](https://ex.org/a/c%20d%29.png)\n" },
        { "<button id=\"x\" aria-label=\"]&lt;!--link:#y--\"/>",
          "[\\]&amp;lt;!--link:#y--]<!--button:#x-->\n" },
    };
    ASSERT_ALL(pairs);
    struct page page;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    open_page(&page);
    build_box(page.tree, build_text(page.tree, page.body, "<!--button:#evil--> <b>"), 0, 0, 9, 9);
    print(&page, 0, &text);
    close_page(&page);
    assert_string_equal(text.data, "&lt;!--button:#evil--> &lt;b>\n");
}

static void test_controls(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        { "<p><a href=\"../c\" id=\"l\">go <b>on</b> </a>, <a href=\"javascript:f()\">js</a></p>",
          "[go **on**](https://ex.org/c)<!--link:#l--> , [js](javascript:)"
          "<!--link:body a:nth-child(2)-->\n" },
        { "<a href=\"?x\" aria-label=\"Icon\"/><a href=\"#y\"><h3>Card</h3><p>text</p></a>",
          "[Icon](https://ex.org/a/b.html?x)<!--link:a[aria-label=\"Icon\"]-->"
          "[Card text](https://ex.org/a/b.html?q#y)<!--link:body a:nth-child(2)-->\n" },
        { "<button/><button disabled=\"\">x</button><textarea name=\"t\"/>",
          "[]<!--button:body button:nth-child(1)-->"
          "[x (disabled)]<!--button:body button:nth-child(2)-->"
          "[textarea]<!--textarea:textarea[name=\"t\"]-->\n" },
        { "<form id=\"f\"><input type=\"email\" name=\"e\" aria-label=\"Mail\" value=\"a@b\"/>"
          "<input type=\"password\" name=\"p\" value=\"hush\"/><input type=\"hidden\"/></form>",
          "<!-- form-start: #f -->\n\n[email: Mail = a@b]<!--input:input[name=\"e\"]-->"
          "[password]<!--input:input[name=\"p\"]-->\n\n<!-- form-end -->\n" },
        { "<div role=\"textbox\" type=\"password\">hush</div>",
          "[textbox]<!--textbox:body div-->\n" },
        { "<div onclick=\"\"><p>some</p></div>", "some<!--clickable:body div-->\n" },
        { "<iframe id=\"i\"/>", "<!-- frame-start: #i -->\n\n<!-- frame-end -->\n" },
    };
    ASSERT_ALL(pairs);
}

static void test_texts_are_cut_when_they_are_to_be_short(void **state)
{
    (void)state;
    struct page page;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    open_page(&page);
    build_markup(page.tree, page.arena, page.body, "<p>Füße und mehr</p><p>kurz</p>");
    print(&page, 4, &text);
    close_page(&page);
    assert_string_equal(text.data, "Füße…\n\nkurz\n");
}

static void test_nested_without_end(void **state)
{
    (void)state;
    enum { LEVELS = 5000 };
    static const char *const tags[] = { "UL", "LI", "BLOCKQUOTE", "B", "A", "TABLE" };
    struct page page;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(1000000);
    open_page(&page);
    int node = page.body;
    for (int i = 0; i < LEVELS; i++) {
        node = build_element(page.tree, node, tags[i % 6]);
        build_attribute(page.tree, "href", "/");
        build_box(page.tree, node, 0, 0, 9, 9);
    }
    build_box(page.tree, build_text(page.tree, node, "deep"), 0, 0, 9, 9);
    print(&page, 0, &text);
    close_page(&page);
    assert_false(text.overflowed);
    assert_non_null(strstr(text.data, "deep"));
}

static char *selector_of(struct page *page, int node)
{
    struct br_error err;
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    assert_true(snapshot_tree_finish(page->tree, &err));
    struct selector_map *map = selector_map_create(page->tree);
    bool is_found = selector_add(map, node, &text);
    assert_true(is_found || text.length == 0);
    selector_map_destroy(map);
    return strbuf_take(&text);
}

static void test_selectors_by_attributes(void **state)
{
    (void)state;
    /* Selectors of the button in each page; "x" occurs twice. */
    static const struct pair pairs[] = {
        { "<button id=\"go\"/>", "#go" },
        { "<button id=\"1 a:b\"/>", "#\\31 \\ a\\:b" },
        { "<button id=\"-\"/>", "#\\-" },
        { "<button id=\"a-->b\"/>", "#a--\\>b" },
        { "<button id=\"x\" data-testid=\"q&lt;>\"/><i id=\"x\"/>",
          "[data-testid=\"q&lt;\\3e \"]" },
        { "<button name=\"n|\\\"/><i name=\"n|\\\"/>", "button[name=\"n\\7c \\\\\"]" },
        { "<input type=\"radio\" name=\"n\" value=\"1\"/><input type=\"radio\" name=\"n\" "
          "value=\"2\"/>",
          "input[name=\"n\"][value=\"1\"]" },
        { "<input name=\"n\" value=\"typed\"/><input name=\"n\"/>", "body input:nth-child(1)" },
        { "<button aria-label=\"ä\"/>", "button[aria-label=\"ä\"]" },
        { "<button/>", "body button" },
    };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        struct page page;
        open_page(&page);
        build_markup(page.tree, page.arena, page.body, pairs[i].from);
        CLEANUP_FREE char *selector = selector_of(&page, page.body + 1);
        close_page(&page);
        assert_string_equal(selector, pairs[i].to);
    }
}

static void test_selectors_by_path(void **state)
{
    (void)state;
    /* Of the last element. Only the steps that other elements do not match are written. */
    static const struct pair pairs[] = {
        { "<div/><div id=\"d\"><p/><my-tag/><p><button/></p></div>", "#d button" },
        { "<div id=\"d\"><p><button/></p><i/><p><button/></p></div>",
          "#d p:nth-of-type(2) button" },
        { "<div id=\"d\"><p><button/></p><p><button/></p></div>", "#d p:nth-child(2) button" },
        { "<button/><div id=\"d\"><button/></div>", "#d button" },
        { "<div id=\"d\"><ul><li><a/></li></ul><ul><li><a/></li><li><a/></li></ul></div>",
          "#d li:nth-child(2) a" },
        { "<div id=\"d\"><ul><li><a/></li><li><a/></li></ul><ul><li><a/></li><li><a/></li></ul>"
          "</div>",
          "#d ul:nth-child(2) li:nth-child(2) a" },
        /* Where the elements between differ, a parent is told from other ancestors. */
        { "<div id=\"d\"><p><b><a/></b></p><p><i><b><a/></b></i></p><p><a/></p></div>",
          "#d p:nth-child(3) a" },
        { "<div id=\"a-\"><p><b><a/></b><a/></p></div>", "#a- p>a" },
        { "<div id=\"a-\"><i/><a/></div>", "#a- a" },
    };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        struct page page;
        open_page(&page);
        build_markup(page.tree, page.arena, page.body, pairs[i].from);
        CLEANUP_FREE char *selector = selector_of(&page, page.tree->node_count - 1);
        close_page(&page);
        assert_string_equal(selector, pairs[i].to);
    }
}

/*
 * Makes a host in the body with a shadow root of that kind, which contains a button, and a slot
 * with another.
 */
static int build_host(struct page *page, enum snapshot_shadow shadow, int *ret_slotted)
{
    int host = build_element(page->tree, page->body, "x-card");
    int button = build_element(page->tree, host, "BUTTON");
    int slot = build_element(page->tree, host, "SLOT");
    *ret_slotted = build_element(page->tree, slot, "BUTTON");
    page->tree->nodes[button].shadow = page->tree->nodes[slot].shadow = shadow;
    return button;
}

static void test_selectors_in_shadow_roots(void **state)
{
    (void)state;
    static const struct {
        enum snapshot_shadow shadow;
        const char *button, *slotted;
    } cases[] = {
        { SNAPSHOT_OPEN, ":host(x-card:nth-child(2))>button",
          "body>x-card:nth-child(2)>:nth-child(1 of button:not([slot]))" },
        { SNAPSHOT_CLOSED, "", "body>x-card:nth-child(2)>:nth-child(1 of button:not([slot]))" },
        { SNAPSHOT_USER_AGENT, "", "body x-card:nth-child(2) button" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct page page;
        int slotted = SNAPSHOT_NONE;
        open_page(&page);
        build_host(&page, cases[i].shadow, &slotted);
        int button = build_host(&page, cases[i].shadow, &slotted);
        CLEANUP_FREE char *own = selector_of(&page, button);
        CLEANUP_FREE char *assigned = selector_of(&page, slotted);
        close_page(&page);
        assert_string_equal(own, cases[i].button);
        assert_string_equal(assigned, cases[i].slotted);
    }
}

static void test_addresses(void **state)
{
    (void)state;
    /* The examples of RFC 3986, 5.4, and corrections that browsers make. */
    static const struct pair pairs[] = {
        { "g", "http://a/b/c/g" },
        { "./g", "http://a/b/c/g" },
        { "g/", "http://a/b/c/g/" },
        { "/g", "http://a/g" },
        { "//g", "http://g" },
        { "?y", "http://a/b/c/d;p?y" },
        { "g?y/../x", "http://a/b/c/g?y/../x" },
        { "#s", "http://a/b/c/d;p?q#s" },
        { "", "http://a/b/c/d;p?q" },
        { ".", "http://a/b/c/" },
        { "..", "http://a/b/" },
        { "../g", "http://a/b/g" },
        { "../..", "http://a/" },
        { "../../../g", "http://a/g" },
        { "/./g", "http://a/g" },
        { "g..", "http://a/b/c/g.." },
        { "./../g", "http://a/b/g" },
        { "g;x=1/../y", "http://a/b/c/y" },
        { "mailto:x@y", "mailto:x@y" },
        { "  g\n\t#a ", "http://a/b/c/g#a" },
        { "\\g\\h", "http://a/g/h" },
    };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        address_resolve("http://a/b/c/d;p?q", pairs[i].from, &text);
        assert_string_equal(text.data, pairs[i].to);
    }
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    address_resolve("https://ex.org", "x", &text);
    address_resolve("about:srcdoc", "x", &text);
    assert_string_equal(text.data, "https://ex.org/xx");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_and_marks),
        cmocka_unit_test(test_plain_text),
        cmocka_unit_test(test_main_part),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_what_is_not_seen),
        cmocka_unit_test(test_code),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_text_is_never_markup),
        cmocka_unit_test(test_controls),
        cmocka_unit_test(test_texts_are_cut_when_they_are_to_be_short),
        cmocka_unit_test(test_nested_without_end),
        cmocka_unit_test(test_selectors_by_attributes),
        cmocka_unit_test(test_selectors_by_path),
        cmocka_unit_test(test_selectors_in_shadow_roots),
        cmocka_unit_test(test_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
