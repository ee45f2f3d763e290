/* Semantics of nodes: each case is markup; the element with id="x" is described. */
#include "runner/base/memory.h"
#include "snapshot_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runner/base/strbuf.h"
#include "runner/snapshot/dom/decode.h"
#include "runner/snapshot/semantics/semantics.h"

struct page {
    struct snapshot_tree *tree;
    struct arena *arena;
    struct snapshot_semantics *semantics;
};

static bool has(const struct snapshot_tree *tree, int node, const char *name)
{
    return snapshot_attribute(tree, node, name) != NULL;
}

/* Sets the reply's data that markup cannot express, from attributes. */
static void complete(struct snapshot_tree *tree, int i)
{
    struct snapshot_node *node = &tree->nodes[i];
    const struct snapshot_node *parent =
        node->parent == SNAPSHOT_NONE ? NULL : &tree->nodes[node->parent];
    node->is_svg =
        node->tag == TAG_SVG || (parent && parent->is_svg && parent->tag != TAG_FOREIGNOBJECT);
    node->shadow = parent && parent->shadow != SNAPSHOT_LIGHT ? SNAPSHOT_OPEN : SNAPSHOT_LIGHT;
    if (parent && has(tree, node->parent, "shadow")) {
        node->shadow = SNAPSHOT_OPEN;
    }
    if (has(tree, i, "assigned")) {
        node->shadow = SNAPSHOT_LIGHT;
    }
    node->is_checked = has(tree, i, "checked");
    node->is_selected = has(tree, i, "selected");
    node->is_mixed = has(tree, i, "mixed");
    node->is_clickable = has(tree, i, "listens");
    node->value = node->tag == TAG_INPUT ? snapshot_attribute(tree, i, "value") : NULL;
    struct snapshot_layout *layout =
        node->layout == SNAPSHOT_NONE ? NULL : &tree->layouts[node->layout];
    if (!layout) {
        return;
    }
    const struct snapshot_layout *above =
        parent && parent->layout != SNAPSHOT_NONE ? &tree->layouts[parent->layout] : NULL;
    layout->is_invisible = has(tree, i, "invisible") || (above && above->is_invisible);
    layout->is_in_top_layer = has(tree, i, "top");
    layout->has_pointer = has(tree, i, "pointer") || (above && above->has_pointer);
    layout->has_border = has(tree, i, "border");
    layout->has_dots = has(tree, i, "dots");
    if (has(tree, i, "upper") || (above && above->transform == TRANSFORM_UPPER)) {
        layout->transform = TRANSFORM_UPPER;
    }
    layout->skips_content = has(tree, i, "skips");
    if (has(tree, i, "hidden") ||
        (parent && parent->layout == SNAPSHOT_NONE && parent->parent > 0)) {
        node->layout = SNAPSHOT_NONE;
        node->layout_count = 0;
    }
}

static void open_page(struct page *page, const char *markup)
{
    struct br_error err;
    page->tree = snapshot_tree_create(1280, 800);
    page->arena = arena_create();
    int root = build_document(page->tree, SNAPSHOT_NONE);
    int body = build_element(page->tree, root, "body");
    build_box(page->tree, body, 0, 0, 1280, 800);
    build_markup(page->tree, page->arena, body, markup);
    for (int i = 0; i < page->tree->node_count; i++) {
        complete(page->tree, i);
    }
    assert_true(snapshot_tree_finish(page->tree, &err));
    page->semantics = snapshot_semantics_create(page->tree);
}

static void close_page(struct page *page)
{
    snapshot_semantics_destroy(page->semantics);
    arena_destroy(page->arena);
    snapshot_tree_destroy(page->tree);
}

static int find(const struct snapshot_tree *tree, const char *id)
{
    for (int i = 0; i < tree->node_count; i++) {
        const char *other = snapshot_attribute(tree, i, "id");
        if (other && strcmp(other, id) == 0) {
            return i;
        }
    }
    return SNAPSHOT_NONE;
}

static void add_text(struct strbuf *out, const char *before, const char *text)
{
    if (text) {
        strbuf_add_format(out, " %s'%s'", before, text);
    }
}

static void add_check(struct strbuf *out, const char *name, enum snapshot_check check)
{
    static const char *const ways[] = { "", "=no", "", "=mixed" };
    if (check != CHECK_NONE) {
        strbuf_add_format(out, " %s%s", name, ways[check]);
    }
}

static void add_flag(struct strbuf *out, const char *name, bool is_so)
{
    if (is_so) {
        strbuf_add_format(out, " %s", name);
    }
}

/* Writes "checkbox 'Name' checked=no disabled": role, name, and unusual states. */
static void describe(const struct node_semantics *semantics, struct strbuf *out)
{
    strbuf_add_string(out, snapshot_role_name(semantics->role));
    if (semantics->stands_for != ROLE_UNKNOWN) {
        strbuf_add_format(out, " for %s", snapshot_role_name(semantics->stands_for));
    }
    add_text(out, "", semantics->name);
    add_text(out, "description=", semantics->description);
    add_text(out, "value=", semantics->value);
    add_text(out, "placeholder=", semantics->placeholder);
    add_check(out, "checked", semantics->checked);
    add_check(out, "pressed", semantics->pressed);
    add_check(out, "expanded", semantics->expanded);
    add_check(out, "selected", semantics->selected);
    if (semantics->level > 0) {
        strbuf_add_format(out, " level=%d", semantics->level);
    }
    add_flag(out, "disabled", semantics->is_disabled);
    add_flag(out, "required", semantics->is_required);
    add_flag(out, "readonly", semantics->is_readonly);
    add_flag(out, "invalid", semantics->is_invalid);
    add_flag(out, "multiline", semantics->is_multiline);
    add_flag(out, "multiselectable", semantics->is_multiselectable);
    add_flag(out, "modal", semantics->is_modal);
    add_flag(out, "editable", semantics->is_editable);
    add_flag(out, "private", semantics->is_private);
    add_flag(out, "left out", semantics->is_left_out);
    add_flag(out, "ignored", semantics->is_ignored);
    add_flag(out, "hidden", semantics->is_hidden);
    add_flag(out, "inert", semantics->is_inert);
}

struct description {
    const char *markup, *expected;
};

static void check_all(const struct description *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct page page;
        struct strbuf out = STRBUF_INIT(STRBUF_UNCAPPED);
        open_page(&page, cases[i].markup);
        int node = find(page.tree, "x");
        assert_int_not_equal(node, SNAPSHOT_NONE);
        describe(&page.semantics->nodes[node], &out);
        if (strcmp(out.data, cases[i].expected) != 0) {
            fail_msg("%s\n  is       %s\n  and not  %s", cases[i].markup, out.data,
                     cases[i].expected);
        }
        strbuf_finish(&out);
        close_page(&page);
    }
}

#define CHECK_ALL(cases) check_all(cases, sizeof(cases) / sizeof(cases[0]))

static void test_roles_of_elements(void **state)
{
    static const struct description cases[] = {
        { "<a id=\"x\" href=\"/\">Go</a>", "link 'Go'" },
        { "<a id=\"x\">Go</a>", "generic" },
        { "<a id=\"x\" listens=\"\">Go</a>", "link 'Go'" },
        { "<section id=\"x\">s</section>", "generic" },
        { "<section id=\"x\" aria-label=\"S\">s</section>", "region 'S'" },
        { "<form id=\"x\">f</form>", "form" },
        { "<header id=\"x\">h</header>", "banner" },
        { "<article><header id=\"x\">h</header></article>", "sectionheader" },
        { "<main><footer id=\"x\">h</footer></main>", "sectionfooter" },
        { "<main><aside id=\"x\">a</aside></main>", "complementary" },
        { "<article><aside id=\"x\">a</aside></article>", "generic" },
        { "<article><aside id=\"x\" aria-label=\"A\">a</aside></article>", "complementary 'A'" },
        { "<h3 id=\"x\">T</h3>", "heading 'T' level=3" },
        { "<img id=\"x\" alt=\"\"/>", "none ignored" },
        { "<img id=\"x\" alt=\"\" title=\"T\"/>", "image description='T'" },
        { "<img id=\"x\"/>", "image" },
        { "<ul><li id=\"x\">i</li></ul>", "listitem" },
        { "<ul role=\"menu\"><li id=\"x\">i</li></ul>", "none ignored" },
        { "<p id=\"x\"></p>", "paragraph ignored" },
        { "<input id=\"x\" type=\"RANGE\"/>", "slider" },
        { "<input id=\"x\" type=\"datetime-local\"/>", "DateTime" },
        { "<input id=\"x\" list=\"l\"/><datalist id=\"l\"></datalist>", "combobox" },
        { "<input id=\"x\" list=\"missing\"/>", "textbox" },
        { "<input id=\"x\" type=\"hidden\"/>", " ignored" },
        { "<select id=\"x\" size=\"3\"></select>", "listbox" },
        { "<details open=\"\"><summary id=\"x\">S</summary></details>",
          "DisclosureTriangle 'S' expanded" },
        { "<summary id=\"x\">S</summary>", "generic" },
        { "<label id=\"x\">L <input type=\"checkbox\"/></label>", "LabelText ignored" },
        { "<label id=\"x\">L <input/></label>", "LabelText" },
        { "<script id=\"x\">var a</script>", " ignored" },
        { "<no-such id=\"x\">c</no-such>", "generic" },
        { "<div id=\"x\" role=\"paragraph\"></div>", "paragraph" },
        { "<select id=\"x\" multiple=\"\" size=\"0\"></select>", "listbox multiselectable" },
        { "<select id=\"x\" multiple=\"\" size=\"1\"></select>",
          "combobox expanded=no multiselectable" },
        { "<a id=\"x\" xlink:href=\"#\">a</a>", "generic" },
        { "<desc id=\"x\">d</desc>", "generic" },
        { "<dir role=\"group\"><li id=\"x\">i</li></dir>", "listitem" },
        { "<select multiple=\"\"><option id=\"x\" hidden=\"\">o</option></select>",
          "option selected=no ignored hidden" },
        { "<select><option id=\"x\" hidden=\"\">o</option></select>", "option 'o' selected=no" },
        { "<select><button id=\"x\" hidden=\"\">b</button></select>", "button ignored hidden" },
    };
    (void)state;
    CHECK_ALL(cases);
}

static void test_roles_of_tables(void **state)
{
    static const struct description cases[] = {
        { "<table id=\"x\"><tr><th>a</th><th>b</th></tr></table>", "table" },
        { "<table id=\"x\"><tr><td>a</td><td>b</td></tr></table>", "LayoutTable" },
        { "<table id=\"x\"><tr><td border=\"\">a</td><td>b</td></tr></table>", "table" },
        { "<table id=\"x\" border=\"1\"><tr><td>a</td><td>b</td></tr></table>", "table" },
        { "<table id=\"x\"><caption>C</caption><tr><td>a</td></tr></table>", "table 'C'" },
        { "<table><tr><th id=\"x\">a</th><td>b</td></tr></table>", "rowheader 'a'" },
        { "<table><tr><th id=\"x\">a</th><th>b</th></tr></table>", "columnheader 'a'" },
        { "<table><tr><th id=\"x\" scope=\"col\">a</th><td>b</td></tr></table>",
          "columnheader 'a'" },
        { "<table role=\"grid\"><tr><td id=\"x\">a</td></tr></table>", "gridcell 'a'" },
        { "<table role=\"grid\"><tr id=\"x\"><td>a</td><td>b</td></tr></table>", "row 'a b'" },
        { "<table role=\"none\"><tr><td id=\"x\">a</td></tr></table>", "generic" },
        { "<td id=\"x\" colspan=\"2\">a</td>", "generic" },
    };
    (void)state;
    CHECK_ALL(cases);
}

static void test_roles_of_drawings(void **state)
{
    static const struct description cases[] = {
        { "<svg id=\"x\"></svg>", "none ignored" },
        { "<svg id=\"x\">t</svg>", "none ignored" },
        { "<svg id=\"x\" aria-label=\"L\"></svg>", "image 'L'" },
        { "<svg id=\"x\"><path/></svg>", "image" },
        { "<svg id=\"x\"><text>t</text></svg>", "SvgRoot" },
        { "<svg id=\"x\"><text></text></svg>", "image" },
        { "<svg><a id=\"x\"><text>t</text></a></svg>", "none ignored" },
        { "<svg><a id=\"x\" href=\"#\"><text>t</text></a></svg>", "link 't'" },
        { "<svg><use id=\"x\"><title>T</title></use></svg>", "graphics-object 'T'" },
        { "<svg><use id=\"x\"/></svg>", "none ignored" },
    };
    (void)state;
    CHECK_ALL(cases);
}

static void test_roles_that_authors_give(void **state)
{
    static const struct description cases[] = {
        { "<div id=\"x\" role=\"bogus BUTTON link\">B</div>", "button 'B'" },
        { "<div id=\"x\" role=\"img\" aria-label=\"I\"></div>", "image 'I'" },
        { "<div id=\"x\" role=\"Iframe\">d</div>", "generic" },
        { "<button id=\"x\" role=\"none\">B</button>", "button 'B'" },
        { "<h2 id=\"x\" role=\"presentation\">H</h2>", "none ignored" },
        { "<h2 id=\"x\" role=\"none\" aria-live=\"polite\">H</h2>", "heading 'H' level=2" },
        { "<div id=\"x\" role=\"region\">r</div>", "generic" },
        { "<div id=\"x\" role=\"option\">o</div>", "generic" },
        { "<div role=\"listbox\"><div><div id=\"x\" role=\"option\">o</div></div></div>",
          "option 'o'" },
        { "<div role=\"listbox\" aria-owns=\"x\"></div><div id=\"x\" role=\"option\">o</div>",
          "option 'o'" },
        { "<div id=\"x\" role=\"treeitem\">o</div>", "generic" },
        { "<div role=\"tree\"><div role=\"group\"><div id=\"x\" "
          "role=\"treeitem\">o</div></div></div>",
          "treeitem 'o' level=2" },
        { "<iframe id=\"x\" role=\"none\"></iframe>", "IframePresentational" },
        { "<iframe id=\"x\" name=\"billing\"></iframe>", "Iframe 'billing'" },
        { "<iframe id=\"x\" name=\"E096B0D745819E977E9D4665A63D1873\"></iframe>", "Iframe" },
        { "<p id=\"x\" role=\"doc-colophon\">c</p>", "doc-colophon" },
        { "<div id=\"x\" role=\"doc-subtitle\">s</div>", "doc-subtitle 's'" },
    };
    (void)state;
    CHECK_ALL(cases);
}

static void test_names(void **state)
{
    static const struct description cases[] = {
        { "<button id=\"x\"> a <span>b</span>c\n\td </button>", "button 'a bc d'" },
        { "<button id=\"x\"><div>a</div><div>b</div></button>", "button 'a b'" },
        { "<button id=\"x\">a<span aria-hidden=\"true\">h</span>b</button>", "button 'ab'" },
        { "<button id=\"x\">a<span hidden=\"\">h</span>b</button>", "button 'ab'" },
        { "<button id=\"x\">a<span invisible=\"\">h</span></button>", "button 'a'" },
        { "<button id=\"x\" upper=\"\">stra\xC3\x9F"
          "e \xC3\xA9</button>",
          "button 'STRASSE \xC3\x89'" },
        { "<button id=\"x\">a<img alt=\"i\"/>b</button>", "button 'a i b'" },
        { "<button id=\"x\" aria-label=\" A  b \">c</button>", "button 'A b'" },
        { "<button id=\"x\" aria-label=\" \">c</button>", "button 'c'" },
        { "<button id=\"x\" title=\"t\"></button>", "button 't'" },
        { "<button id=\"x\" title=\"t\">c</button>", "button 'c' description='t'" },
        { "<i id=\"a\">A</i><i id=\"b\">B</i><button id=\"x\" aria-labelledby=\"b no "
          "a\">c</button>",
          "button 'B A'" },
        { "<i id=\"a\" hidden=\"\">A <b hidden=\"\">b</b></i><button id=\"x\" "
          "aria-labelledby=\"a\">c</button>",
          "button 'A b'" },
        { "<button id=\"x\" aria-labelledby=\"y\">one</button><button id=\"y\" "
          "aria-labelledby=\"x\">two</button>",
          "button 'two'" },
        { "<button id=\"x\" aria-labelledby=\"x\">self</button>", "button 'self'" },
        { "<button id=\"x\" aria-labelledby=\"x a\" aria-label=\"L\">c</button><i id=\"a\">A</i>",
          "button 'L A'" },
        { "<label for=\"x\">A</label><label>B <input id=\"x\"/> C</label>", "textbox 'A B C'" },
        { "<label for=\"\">A</label><input id=\"x\" placeholder=\"P\"/>", "textbox 'P'" },
        { "<input id=\"x\" title=\"T\" placeholder=\"P\"/>", "textbox 'T' placeholder='P'" },
        { "<label>Every <input type=\"number\" value=\"5\"/> days <input id=\"x\"/></label>",
          "textbox" },
        { "<label><input id=\"x\" type=\"checkbox\"/> After <input value=\"3\"/> times</label>",
          "checkbox 'After 3 times' checked=no" },
        { "<input id=\"x\" type=\"submit\"/>", "button 'Submit'" },
        { "<input id=\"x\" type=\"submit\" value=\"\" title=\"T\"/>", "button description='T'" },
        { "<input id=\"x\" type=\"image\" alt=\"Pay\"/>", "button 'Pay'" },
        { "<select><option id=\"x\"> a<b>b</b> c</option></select>", "option 'ab c' selected=no" },
        { "<map name=\"m\"><area id=\"x\" href=\"#\" alt=\"North\"/></map><img "
          "usemap=\"#m\"/>",
          "link 'North'" },
        { "<fieldset id=\"x\"><p>p</p><legend>L <b>m</b></legend></fieldset>", "group 'L m'" },
        { "<svg id=\"x\"><title>T</title><path/></svg>", "image 'T'" },
        { "<a id=\"x\" href=\"#\"><svg><title>T</title></svg>go</a>", "link 'T go'" },
        { "<p id=\"x\" title=\"T\">p</p>", "paragraph description='T'" },
        { "<i id=\"d\">D</i><a id=\"x\" href=\"#\" aria-describedby=\"d\">l</a>",
          "link 'l' description='D'" },
        { "<div role=\"tree\"><div id=\"x\" role=\"treeitem\">A<div role=\"group\"><div "
          "role=\"treeitem\">B</div></div></div></div>",
          "treeitem 'A' level=1" },
        { "<div shadow=\"\"><i id=\"a\">in</i><input id=\"x\" aria-labelledby=\"a\"/></div><i "
          "id=\"a\">out</i>",
          "textbox 'in'" },
        { "<div shadow=\"\"><i id=\"a\">in</i><slot><input id=\"x\" assigned=\"\" "
          "aria-labelledby=\"a\"/></slot></div><i id=\"a\">out</i>",
          "textbox 'out'" },
        { "<input id=\"x\" type=\"date\" placeholder=\"P\"/>", "Date" },
        { "<button id=\"x\" aria-placeholder=\"P\"></button>", "button" },
        { "<div id=\"x\" role=\"textbox\" placeholder=\"A\" aria-placeholder=\"P\"></div>",
          "textbox 'P'" },
        { "<i id=\"a\">A</i><input id=\"x\" placeholder=\"P\" aria-labelledby=\"a x\"/>",
          "textbox 'A P' placeholder='P'" },
        { "<label>A <input placeholder=\"P\"/></label><label for=\"x\">B <input "
          "placeholder=\"P\"/></label><input id=\"x\"/>",
          "textbox 'B P'" },
        { "<img id=\"x\" alt=\" \" title=\"T\"/>", "image description='T'" },
        { "<p id=\"x\" title=\" T\n u \">p</p>", "paragraph description='T u'" },
        { "<p id=\"x\" title=\" \">p</p>", "paragraph" },
        { "<blockquote id=\"x\" title=\"T\">p</blockquote>", "blockquote 'T'" },
        { "<dfn id=\"x\" title=\"T\"></dfn>", "term description='T'" },
        { "<button id=\"x\">a <address>b</address></button>", "button 'a b'" },
        { "<button id=\"x\">a <svg role=\"none\"><title>T</title></svg></button>", "button 'a'" },
    };
    (void)state;
    CHECK_ALL(cases);
}

static void test_names_leave_out_what_is_inert(void **state)
{
    static const struct description cases[] = {
        { "<button id=\"x\">a<b inert=\"\">b</b></button>", "button 'a'" },
        { "<i id=\"a\" inert=\"\">A</i><button id=\"x\" aria-labelledby=\"a\">c</button>",
          "button 'c'" },
        { "<div inert=\"\"><button id=\"x\">a<b>b</b></button></div>",
          "button 'ab' ignored inert" },
        { "<i id=\"a\" inert=\"\" hidden=\"\">A</i><button id=\"x\" "
          "aria-labelledby=\"a\">c</button>",
          "button 'A'" },
    };
    (void)state;
    CHECK_ALL(cases);
}

static void test_names_have_what_is_owned(void **state)
{
    static const struct description cases[] = {
        { "<i id=\"o\">b</i><button id=\"x\" aria-owns=\"o\">a</button>", "button 'a b'" },
        { "<button id=\"x\">a<i id=\"o\">b</i></button><div aria-owns=\"o\"></div>", "button 'a'" },
        { "<a id=\"x\" href=\"#\" aria-owns=\"p o\">a</a><i id=\"o\">b</i><i id=\"p\">c</i>",
          "link 'a c b'" },
        { "<a id=\"x\" href=\"#\" aria-owns=\"o\">a<i id=\"o\">b</i>c</a>", "link 'ac b'" },
        { "<a href=\"#\" aria-owns=\"o\">a</a><a id=\"x\" href=\"#\" "
          "aria-owns=\"o\">z</a><i id=\"o\">b</i>",
          "link 'z'" },
        { "<div id=\"o\">q<a id=\"x\" href=\"#\" aria-owns=\"o x\">a</a></div>", "link 'a'" },
        { "<a id=\"x\" href=\"#\" aria-owns=\"o\">a</a><b id=\"o\" aria-owns=\"x\">b</b>",
          "link 'a b'" },
    };
    (void)state;
    CHECK_ALL(cases);
}

static void test_states(void **state)
{
    static const struct description cases[] = {
        { "<input id=\"x\" type=\"checkbox\" checked=\"\" aria-checked=\"false\"/>",
          "checkbox checked" },
        { "<input id=\"x\" type=\"checkbox\" mixed=\"\"/>", "checkbox checked=mixed" },
        { "<div id=\"x\" role=\"switch\" aria-checked=\"mixed\">s</div>", "switch 's' checked=no" },
        { "<button id=\"x\" aria-pressed=\"mixed\">b</button>", "button 'b' pressed=mixed" },
        { "<a id=\"x\" href=\"#\" aria-pressed=\"true\">b</a>", "link 'b'" },
        { "<button id=\"x\" aria-expanded=\"false\">b</button>", "button 'b' expanded=no" },
        { "<h1 id=\"x\" aria-expanded=\"true\">b</h1>", "heading 'b' level=1" },
        { "<h1 id=\"x\" aria-level=\"10\">b</h1>", "heading 'b' level=1" },
        { "<div id=\"x\" role=\"heading\" aria-level=\"4\">b</div>", "heading 'b' level=4" },
        { "<div id=\"x\" role=\"heading\">b</div>", "heading 'b' level=2" },
        { "<div id=\"x\" role=\"tab\" aria-selected=\"true\">b</div>", "tab 'b' selected" },
        { "<div id=\"x\" role=\"tab\">b</div>", "tab 'b' selected=no" },
        { "<select><option id=\"x\" selected=\"\">o</option></select>", "option 'o' selected" },
        { "<select><optgroup disabled=\"\"><option id=\"x\">o</option></optgroup></select>",
          "option 'o' selected=no disabled" },
        { "<fieldset disabled=\"\"><legend><input id=\"x\"/></legend></fieldset>", "textbox" },
        { "<fieldset disabled=\"\"><legend>a</legend><legend><input id=\"x\"/></legend></fieldset>",
          "textbox disabled" },
        { "<fieldset disabled=\"\"><fieldset><legend><input "
          "id=\"x\"/></legend></fieldset></fieldset>",
          "textbox disabled" },
        { "<fieldset disabled=\"\"><a id=\"x\" href=\"#\">l</a></fieldset>", "link 'l'" },
        { "<div aria-disabled=\"true\"><a id=\"x\" href=\"#\">l</a></div>", "link 'l' disabled" },
        { "<div aria-disabled=\"true\"><a id=\"x\" href=\"#\" aria-disabled=\"false\">l</a></div>",
          "link 'l'" },
        { "<my-b shadow=\"\" disabled=\"\"><button id=\"x\">b</button></my-b>",
          "button 'b' disabled" },
        { "<input id=\"x\" required=\"\" readonly=\"\" aria-invalid=\"true\"/>",
          "textbox required readonly invalid" },
        { "<button id=\"x\" required=\"\" readonly=\"\">b</button>", "button 'b'" },
        { "<input id=\"x\" type=\"file\" required=\"\" readonly=\"\"/>",
          "button 'Choose File' required" },
        { "<textarea id=\"x\"></textarea>", "textbox multiline" },
        { "<select id=\"x\" multiple=\"\"></select>", "listbox multiselectable" },
        { "<button id=\"x\" popovertarget=\"p\">b</button><div id=\"p\" popover=\"\" "
          "top=\"\">p</div>",
          "button 'b' expanded" },
        { "<form><button id=\"x\" popovertarget=\"p\">b</button></form><div id=\"p\" "
          "popover=\"\">p</div>",
          "button 'b'" },
        { "<dialog id=\"x\" open=\"\" top=\"\">d</dialog>", "dialog modal" },
        { "<dialog id=\"x\" open=\"\">d</dialog>", "dialog" },
        { "<dialog open=\"\" top=\"\">d</dialog><button id=\"x\">b</button>",
          "button 'b' ignored inert" },
        { "<dialog open=\"\" top=\"\"><button id=\"x\">b</button></dialog>", "button 'b'" },
        { "<div inert=\"\"><button id=\"x\">b</button></div>", "button 'b' ignored inert" },
        { "<div aria-hidden=\"true\"><button id=\"x\">b</button></div>", "button 'b' ignored" },
        { "<div hidden=\"\"><button id=\"x\">b</button></div>", "button ignored hidden" },
        { "<div skips=\"\"><button id=\"x\">b</button></div>", "button ignored hidden" },
        { "<tr skips=\"\"><td id=\"x\">c</td></tr>", "generic" },
        { "<div invisible=\"\"><button id=\"x\">b</button></div>", "button ignored hidden" },
        { "<div id=\"x\" contenteditable=\"\">e</div>", "generic value='e' editable" },
        { "<div id=\"x\" data-no-ai=\"\">e</div>", "generic left out" },
    };
    (void)state;
    CHECK_ALL(cases);
}

static void test_values_and_what_is_private(void **state)
{
    static const struct description cases[] = {
        { "<input id=\"x\" value=\"v\"/>", "textbox value='v'" },
        { "<select id=\"x\"><option>a</option><option selected=\"\"> b </option></select>",
          "combobox value='b' expanded=no" },
        { "<div id=\"x\" role=\"slider\" aria-valuenow=\"3\" aria-valuetext=\"three\"></div>",
          "slider value='three'" },
        { "<div id=\"x\" role=\"combobox\" tabindex=\"0\">Banana</div>",
          "combobox value='Banana'" },
        { "<input id=\"x\" type=\"checkbox\" value=\"on\"/>", "checkbox checked=no" },
        { "<input id=\"x\" type=\"password\" value=\"v\"/>", "textbox private" },
        { "<input id=\"x\" autocomplete=\"section-a billing cc-number\" value=\"v\"/>",
          "textbox private" },
        { "<input id=\"x\" autocomplete=\"cc-exp-month\" value=\"v\"/>", "textbox private" },
        { "<input id=\"x\" autocomplete=\"one-time-code\" value=\"v\"/>", "textbox private" },
        { "<input id=\"x\" name=\"card[number]\" value=\"v\"/>", "textbox private" },
        { "<input id=\"x\" name=\"cardNumber\" value=\"v\"/>", "textbox private" },
        { "<input id=\"x\" aria-label=\"CVC code\" value=\"v\"/>", "textbox 'CVC code' private" },
        { "<label>Card number <input id=\"x\" value=\"v\"/></label>",
          "textbox 'Card number' private" },
        { "<input id=\"x\" name=\"otp\" value=\"v\"/>", "textbox private" },
        { "<input id=\"x\" name=\"pwd\" value=\"v\"/>", "textbox private" },
        { "<input id=\"x\" name=\"keyPassphrase\" value=\"v\"/>", "textbox private" },
        { "<label>Card no. <input id=\"x\" value=\"v\"/></label>", "textbox 'Card no.' private" },
        { "<label>Card note <input id=\"x\" value=\"v\"/></label>",
          "textbox 'Card note' value='v'" },
        { "<label for=\"x\">A</label><label for=\"x\">PIN or password</label>"
          "<input id=\"x\" value=\"v\"/>",
          "textbox 'A PIN or password' private" },
        { "<input id=\"x\" dots=\"\" value=\"v\"/>", "textbox private" },
        { "<my-b shadow=\"\" label=\"CVC\"><input id=\"x\" value=\"v\"/></my-b>",
          "textbox private" },
        { "<my-b shadow=\"\" type=\"password\"><p><input id=\"x\" value=\"v\"/></p></my-b>",
          "textbox private" },
        { "<my-b shadow=\"\" label=\"CVC\"><input id=\"x\" value=\"v\"/><input/></my-b>",
          "textbox value='v'" },
        { "<my-b shadow=\"\" label=\"CVC\"><slot><input id=\"x\" assigned=\"\" "
          "value=\"v\"/></slot></my-b>",
          "textbox value='v'" },
        { "<input id=\"x\" name=\"hotpot\" value=\"v\"/>", "textbox value='v'" },
        { "<input id=\"x\" name=\"discard\" value=\"v\"/>", "textbox value='v'" },
        { "<label><input id=\"x\" type=\"checkbox\"/> Use <input type=\"password\" value=\"v\"/> "
          "now</label>",
          "checkbox 'Use now' checked=no" },
        { "<p id=\"p\"><input type=\"password\" value=\"v\"/></p><button id=\"x\" "
          "aria-labelledby=\"p\">b</button>",
          "button 'b'" },
    };
    (void)state;
    CHECK_ALL(cases);
}

/* Content of data-no-ai is not revealed by its ancestors, or by references to it. */
static void test_what_is_kept_from_models(void **state)
{
    static const struct description cases[] = {
        { "<i id=\"o\" data-no-ai=\"\">secret</i><button id=\"x\" aria-owns=\"o\">a</button>",
          "button 'a'" },
        { "<button id=\"x\">a<b data-no-ai=\"\">secret</b></button>", "button 'a'" },
        { "<i id=\"a\" data-no-ai=\"\">secret</i><button id=\"x\" aria-labelledby=\"a\" "
          "aria-describedby=\"a\">b</button>",
          "button 'b'" },
        { "<select id=\"x\"><option>a</option><option data-no-ai=\"\" "
          "selected=\"\">secret</option></select>",
          "combobox expanded=no" },
        { "<select id=\"x\"><optgroup data-no-ai=\"\"><option label=\"secret\" "
          "selected=\"\">s</option></optgroup></select>",
          "combobox expanded=no" },
        { "<div id=\"x\" role=\"listbox\"><div role=\"option\" data-no-ai=\"\" "
          "aria-selected=\"true\">secret</div></div>",
          "listbox" },
        { "<select id=\"x\" data-no-ai=\"\"><option selected=\"\">own</option></select>",
          "combobox value='own' expanded=no left out" },
        { "<table id=\"x\" aria-label=\"T\"><caption data-no-ai=\"\">secret</caption></table>",
          "table 'T'" },
        { "<table id=\"x\"><caption data-no-ai=\"\">secret</caption></table>", "table" },
        { "<svg id=\"x\" role=\"img\"><title data-no-ai=\"\">secret</title></svg>", "image" },
        { "<svg id=\"x\" aria-label=\"S\"><desc data-no-ai=\"\">secret</desc></svg>", "image 'S'" },
        { "<div data-no-ai=\"\"><input id=\"c\" type=\"checkbox\" aria-label=\"secret\" "
          "hidden=\"\" checked=\"\"/></div><label id=\"x\" for=\"c\">L</label>",
          "LabelText" },
        { "<input id=\"c\" type=\"checkbox\" hidden=\"\"/><label id=\"x\" for=\"c\">L <i "
          "data-no-ai=\"\">secret</i></label>",
          "LabelText for checkbox 'L' checked=no" },
    };
    (void)state;
    CHECK_ALL(cases);
}

/* A label that is all that is visible of a control. */
static void test_labels_of_hidden_controls(void **state)
{
    static const struct {
        const char *markup, *expected;
        enum snapshot_name_from from;
    } cases[] = {
        { "<input id=\"c\" type=\"checkbox\" hidden=\"\"/><label id=\"x\" for=\"c\">L</label>",
          "LabelText for checkbox 'L' checked=no", NAME_FROM_CONTENT },
        { "<input id=\"c\" type=\"radio\" hidden=\"\" aria-label=\" A  b \"/><label id=\"x\" "
          "for=\"c\">L</label>",
          "LabelText for radio 'A b' checked=no", NAME_FROM_ATTRIBUTE },
        { "<input id=\"c\" type=\"radio\" hidden=\"\" aria-label=\" \"/><label id=\"x\" "
          "for=\"c\">L</label>",
          "LabelText for radio 'L' checked=no", NAME_FROM_CONTENT },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct description described = { cases[i].markup, cases[i].expected };
        check_all(&described, 1);
        struct page page;
        open_page(&page, cases[i].markup);
        assert_int_equal(page.semantics->nodes[find(page.tree, "x")].name_from, cases[i].from);
        close_page(&page);
    }
}

struct tier_case {
    const char *markup;
    enum snapshot_category category;
};

static void test_tiers(void **state)
{
    static const struct tier_case cases[] = {
        { "<button id=\"x\">b</button>", CATEGORY_SEMANTIC },
        { "<div id=\"x\">d</div>", CATEGORY_STRUCTURAL },
        { "<p id=\"x\">d</p>", CATEGORY_STRUCTURAL },
        { "<div id=\"x\" aria-label=\"L\">d</div>", CATEGORY_SEMANTIC },
        { "<div id=\"x\" listens=\"\">d</div>", CATEGORY_INTERACTIVE },
        { "<div id=\"x\" listens=\"\"><button>b</button></div>", CATEGORY_STRUCTURAL },
        { "<div><div id=\"x\" listens=\"\"><button>b</button></div></div>", CATEGORY_INTERACTIVE },
        { "<div id=\"x\" onclick=\"f()\">d</div>", CATEGORY_INTERACTIVE },
        { "<div id=\"x\" pointer=\"\">d</div>", CATEGORY_INTERACTIVE },
        { "<div pointer=\"\"><div id=\"x\">d</div></div>", CATEGORY_STRUCTURAL },
        { "<button><span id=\"x\" pointer=\"\">d</span></button>", CATEGORY_STRUCTURAL },
        { "<div id=\"x\" tabindex=\"0\">d</div>", CATEGORY_INTERACTIVE },
        { "<div id=\"x\" tabindex=\"-1\">d</div>", CATEGORY_STRUCTURAL },
        { "<div id=\"x\" contenteditable=\"true\">d</div>", CATEGORY_INTERACTIVE },
        { "<div id=\"x\" data-testid=\"t\">d</div>", CATEGORY_INTERACTIVE },
        { "<div id=\"x\" class=\"card btn-primary\">d</div>", CATEGORY_INTERACTIVE },
        { "<div id=\"x\" class=\"btn-group\"><button>b</button></div>", CATEGORY_STRUCTURAL },
        { "<div id=\"x\" class=\"button_x\"></div>", CATEGORY_STRUCTURAL },
        { "<div id=\"x\" class=\"abtn\">d</div>", CATEGORY_STRUCTURAL },
        { "<a href=\"#\"><span id=\"x\" class=\"btn\">d</span></a>", CATEGORY_STRUCTURAL },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct page page;
        open_page(&page, cases[i].markup);
        const struct node_semantics *semantics = &page.semantics->nodes[find(page.tree, "x")];
        if (semantics->category != cases[i].category) {
            fail_msg("%s: tier %d", cases[i].markup, (int)semantics->category);
        }
        close_page(&page);
    }
}

/* Names of nested elements, and of references to one large text, are computed in time. */
static void test_names_that_are_nested_are_bounded(void **state)
{
    enum { DEPTH = 15000 };
    struct br_error err;
    struct snapshot_tree *tree = snapshot_tree_create(1280, 800);
    int node = build_document(tree, SNAPSHOT_NONE);
    (void)state;
    for (int i = 0; i < DEPTH; i++) {
        node = build_element(tree, node, i % 2 ? "div" : "button");
        build_attribute(tree, "aria-labelledby", "x y");
        build_attribute(tree, "id", i % 3 ? "x" : "y");
        build_box(tree, node, 0, 0, 1, 1);
        build_box(tree, build_text(tree, node, "word"), 0, 0, 1, 1);
    }
    assert_true(snapshot_tree_finish(tree, &err));
    struct snapshot_semantics *semantics = snapshot_semantics_create(tree);
    const char *name = semantics->nodes[1].name;
    assert_non_null(name);
    assert_true(strlen(name) < 10000);
    snapshot_semantics_destroy(semantics);
    snapshot_tree_destroy(tree);
}

static void test_a_long_name_is_cut_between_characters(void **state)
{
    enum { COUNT = 6000 };
    struct strbuf markup = STRBUF_INIT(STRBUF_UNCAPPED);
    struct page page;
    (void)state;
    strbuf_add_string(&markup, "<button id=\"x\">a");
    for (int i = 0; i < COUNT; i++) {
        strbuf_add_string(&markup, "\xC3\xA9");
    }
    strbuf_add_string(&markup, "</button>");
    open_page(&page, markup.data);
    assert_int_equal(strlen(page.semantics->nodes[find(page.tree, "x")].name), 9999);
    close_page(&page);
    strbuf_finish(&markup);
}

/* <div><::first-letter>C<b>ancel</b></div>: the letter comes before its element. */
static void test_a_first_letter_is_of_its_word(void **state)
{
    struct snapshot_tree *tree = snapshot_tree_create(1280, 720);
    struct br_error err;
    int block = build_element(tree, build_document(tree, SNAPSHOT_NONE), "DIV");
    int letter = build_text(tree, block, "C");
    build_box(tree, letter, 0, 0, 10, 10);
    int text = build_text(tree, build_element(tree, block, "B"), "\n Cancel");
    build_box(tree, text, 10, 0, 40, 10);
    tree->nodes[letter].kind = SNAPSHOT_PSEUDO;
    tree->nodes[letter].name = "::first-letter";
    tree->layouts[tree->nodes[letter].layout].text = " C";
    tree->layouts[tree->nodes[text].layout].text = "ancel";
    int other = build_text(tree, block, "Cargo");
    build_box(tree, other, 50, 0, 40, 10);
    tree->layouts[tree->nodes[other].layout].text = "argo";
    (void)state;
    assert_true(snapshot_tree_finish(tree, &err));
    assert_string_equal(snapshot_layout(tree, text)->text, "Cancel");
    assert_null(snapshot_layout(tree, letter)->text);
    assert_string_equal(snapshot_layout(tree, other)->text, "argo");
    snapshot_tree_destroy(tree);
}

static json_t *chromes(int64_t id, const char *role, const char *name, const char *checked)
{
    return json_pack("{s:I, s:b, s:{s:s}, s:{s:s}, s:[{s:s, s:{s:s}}, {s:s, s:{s:b}}]}",
                     "backendDOMNodeId", (json_int_t)id, "ignored", 0, "role", "value", role,
                     "name", "value", name, "properties", "name", "checked", "value", "value",
                     checked, "name", "disabled", "value", "value", 1);
}

static void test_chromes_tree_wins(void **state)
{
    static const char reply[] =
        "{\"documents\":[{\"nodes\":{\"parentIndex\":[-1,0,1,1],\"nodeType\":[9,1,1,1],"
        "\"nodeName\":[0,1,2,2],\"nodeValue\":[-1,-1,-1,-1],\"backendNodeId\":[1,2,3,4],"
        "\"attributes\":[[],[],[],[]]},"
        "\"layout\":{\"nodeIndex\":[0,1,2,3],\"styles\":[[],[],[],[]],"
        "\"bounds\":[[0,0,9,9],[0,0,9,9],[0,0,9,9],[0,0,9,9]],\"text\":[-1,-1,-1,-1]},"
        "\"textBoxes\":{\"layoutIndex\":[],\"bounds\":[],\"start\":[],\"length\":[]}}],"
        "\"strings\":[\"#document\",\"BODY\",\"MY-BOX\"]}";
    struct br_error err;
    int part = 0;
    struct snapshot_tree *tree = snapshot_tree_create(1280, 800);
    (void)state;
    assert_true(snapshot_tree_add(tree, xstrdup(reply), strlen(reply), &part, &err));
    assert_true(snapshot_tree_finish(tree, &err));
    struct snapshot_semantics *semantics = snapshot_semantics_create(tree);
    assert_int_equal(semantics->nodes[2].role, ROLE_GENERIC);
    json_t *nodes = json_array();
    json_array_append_new(nodes, chromes(3, "checkbox", " Agree\n to it ", "mixed"));
    json_array_append_new(nodes, chromes(77, "button", "Nobody", "true"));
    snapshot_semantics_apply(semantics, tree, part, nodes, false);
    assert_int_equal(semantics->nodes[2].role, ROLE_CHECKBOX);
    assert_string_equal(semantics->nodes[2].name, "Agree to it");
    assert_int_equal(semantics->nodes[2].checked, CHECK_MIXED);
    assert_true(semantics->nodes[2].is_disabled);
    assert_false(semantics->nodes[3].is_ignored);
    snapshot_semantics_apply(semantics, tree, part, nodes, true);
    assert_true(semantics->nodes[3].is_ignored);
    assert_false(semantics->nodes[2].is_ignored);
    json_decref(nodes);
    snapshot_semantics_destroy(semantics);
    snapshot_tree_destroy(tree);
}

/* Chrome's names do not consider what is private or kept from models: then ours stay. */
static void test_chromes_names_tell_no_secrets(void **state)
{
    static const struct {
        const char *markup, *name;
    } cases[] = {
        { "<button id=\"x\">a</button><input name=\"cvc\" value=\"4  1\"/>", "a 4 1" },
        { "<button id=\"x\">a</button><div contenteditable=\"\" id=\"cvc\">4 1</div>", "a 4 1" },
        { "<button id=\"x\">a</button><p id=\"p\" data-no-ai=\"\">b</p>", "b" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct page page;
        open_page(&page, cases[i].markup);
        int node = find(page.tree, "x");
        /* The builder assigns no parts. */
        struct snapshot_part part = { .first_node = 0, .end_node = page.tree->node_count };
        page.tree->parts = &part;
        json_t *nodes = json_array();
        json_array_append_new(
            nodes, chromes(page.tree->nodes[node].backend_id, "button", cases[i].name, "false"));
        snapshot_semantics_apply(page.semantics, page.tree, 0, nodes, false);
        assert_string_equal(page.semantics->nodes[node].name, "a");
        assert_true(page.semantics->nodes[node].is_disabled);
        page.tree->parts = NULL;
        json_decref(nodes);
        close_page(&page);
    }
}

static void test_role_names(void **state)
{
    (void)state;
    assert_int_equal(snapshot_role_from_name("img"), ROLE_IMAGE);
    assert_int_equal(snapshot_role_from_name("Presentation"), ROLE_NONE);
    assert_int_equal(snapshot_role_from_name("ColorWell"), ROLE_COLOR_WELL);
    assert_int_equal(snapshot_role_from_name("no role"), ROLE_UNKNOWN);
    assert_int_equal(snapshot_role_from_name(""), ROLE_UNKNOWN);
    assert_string_equal(snapshot_role_name(ROLE_DISCLOSURE_TRIANGLE), "DisclosureTriangle");
    assert_string_equal(snapshot_role_name(ROLE_UNKNOWN), "");
    assert_true(snapshot_role_is(ROLE_SWITCH, IS_OPERABLE));
    assert_false(snapshot_role_is(ROLE_HEADING, IS_OPERABLE));
    assert_true(snapshot_role_is(ROLE_MAIN, IS_REGION));
    assert_false(snapshot_role_is(ROLE_LIST, IS_REGION));
    assert_true(snapshot_role_is(ROLE_LIST, IS_REGION | IS_PART_OF_NAMES));
    assert_true(snapshot_role_is(ROLE_UNKNOWN, IS_LAYOUT));
    assert_false(snapshot_role_is(ROLE_UNKNOWN, IS_OPERABLE | IS_REGION));
    /* The last row of the table is that of the last role. */
    assert_true(snapshot_role_is(ROLE_VIDEO, IS_MEDIUM));
    assert_string_equal(snapshot_role_name(ROLE_VIDEO), "Video");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roles_of_elements),
        cmocka_unit_test(test_roles_of_tables),
        cmocka_unit_test(test_roles_of_drawings),
        cmocka_unit_test(test_roles_that_authors_give),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_names_leave_out_what_is_inert),
        cmocka_unit_test(test_names_have_what_is_owned),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_values_and_what_is_private),
        cmocka_unit_test(test_what_is_kept_from_models),
        cmocka_unit_test(test_labels_of_hidden_controls),
        cmocka_unit_test(test_tiers),
        cmocka_unit_test(test_names_that_are_nested_are_bounded),
        cmocka_unit_test(test_a_long_name_is_cut_between_characters),
        cmocka_unit_test(test_a_first_letter_is_of_its_word),
        cmocka_unit_test(test_chromes_tree_wins),
        cmocka_unit_test(test_chromes_names_tell_no_secrets),
        cmocka_unit_test(test_role_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
