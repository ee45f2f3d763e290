#include "runner/snapshot/semantics/implicit_role.h"

#include "runner/snapshot/semantics/input_type.h"
#include "runner/snapshot/semantics/references.h"

#include <stddef.h>
#include <string.h>

/* Area in CSS pixels of a meaningful drawing. */
enum { MIN_AREA = 10000 };

/* Roles that depend on the tag alone; GENERIC for tags not listed here. */
static const uint8_t by_tag[] = {
    [TAG_ABBR] = ROLE_ABBR,
    [TAG_ADDRESS] = ROLE_GROUP,
    [TAG_ARTICLE] = ROLE_ARTICLE,
    [TAG_AUDIO] = ROLE_AUDIO,
    [TAG_BLOCKQUOTE] = ROLE_BLOCKQUOTE,
    [TAG_BR] = ROLE_LINE_BREAK,
    [TAG_BUTTON] = ROLE_BUTTON,
    [TAG_CAPTION] = ROLE_CAPTION,
    [TAG_CODE] = ROLE_CODE,
    [TAG_DD] = ROLE_DEFINITION,
    [TAG_DEL] = ROLE_DELETION,
    [TAG_DETAILS] = ROLE_GROUP,
    [TAG_DFN] = ROLE_TERM,
    [TAG_DIALOG] = ROLE_DIALOG,
    [TAG_DIR] = ROLE_LIST,
    [TAG_DL] = ROLE_DESCRIPTION_LIST,
    [TAG_DT] = ROLE_TERM,
    [TAG_EM] = ROLE_EMPHASIS,
    [TAG_EMBED] = ROLE_EMBEDDED_OBJECT,
    [TAG_FIELDSET] = ROLE_GROUP,
    [TAG_FIGCAPTION] = ROLE_FIGCAPTION,
    [TAG_FIGURE] = ROLE_FIGURE,
    [TAG_FORM] = ROLE_FORM,
    [TAG_FRAME] = ROLE_IFRAME,
    [TAG_H1] = ROLE_HEADING,
    [TAG_H2] = ROLE_HEADING,
    [TAG_H3] = ROLE_HEADING,
    [TAG_H4] = ROLE_HEADING,
    [TAG_H5] = ROLE_HEADING,
    [TAG_H6] = ROLE_HEADING,
    [TAG_HGROUP] = ROLE_GROUP,
    [TAG_HR] = ROLE_SEPARATOR,
    [TAG_IFRAME] = ROLE_IFRAME,
    [TAG_INS] = ROLE_INSERTION,
    [TAG_LABEL] = ROLE_LABEL_TEXT,
    [TAG_LEGEND] = ROLE_LEGEND,
    [TAG_MAIN] = ROLE_MAIN,
    [TAG_MARK] = ROLE_MARK,
    [TAG_MATH] = ROLE_MATHML_MATH,
    [TAG_MENU] = ROLE_LIST,
    [TAG_METER] = ROLE_METER,
    [TAG_NAV] = ROLE_NAVIGATION,
    [TAG_OBJECT] = ROLE_PLUGIN_OBJECT,
    [TAG_OL] = ROLE_LIST,
    [TAG_OPTGROUP] = ROLE_GROUP,
    [TAG_OPTION] = ROLE_OPTION,
    [TAG_OUTPUT] = ROLE_STATUS,
    [TAG_P] = ROLE_PARAGRAPH,
    [TAG_PROGRESS] = ROLE_PROGRESSBAR,
    [TAG_RP] = ROLE_NONE,
    [TAG_RT] = ROLE_NONE,
    [TAG_RUBY] = ROLE_RUBY,
    [TAG_S] = ROLE_DELETION,
    [TAG_SEARCH] = ROLE_SEARCH,
    [TAG_STRONG] = ROLE_STRONG,
    [TAG_SUB] = ROLE_SUBSCRIPT,
    [TAG_SUP] = ROLE_SUPERSCRIPT,
    [TAG_TEXTAREA] = ROLE_TEXTBOX,
    [TAG_TIME] = ROLE_TIME,
    [TAG_UL] = ROLE_LIST,
    [TAG_VIDEO] = ROLE_VIDEO,
    [TAG_WBR] = ROLE_NONE,
};

static bool has_list(const struct snapshot_facts *facts, int node)
{
    const char *id = snapshot_get(&facts->attributes, node, ATTRIBUTE_LIST);
    int list = id ? snapshot_facts_find(facts, node, id, strlen(id)) : SNAPSHOT_NONE;
    return list != SNAPSHOT_NONE && facts->tree->nodes[list].tag == TAG_DATALIST;
}

static enum snapshot_role input_role(const struct snapshot_facts *facts, int node)
{
    enum snapshot_role role = snapshot_input_role(facts, node);
    bool takes_list = role != ROLE_COLOR_WELL && role != ROLE_BUTTON && role != ROLE_CHECKBOX &&
                      role != ROLE_RADIO && role != ROLE_UNKNOWN;
    return takes_list && has_list(facts, node) ? ROLE_COMBOBOX : role;
}

static bool is_shown_by_author(const struct snapshot_facts *facts, int node)
{
    return snapshot_is_named(facts, node) || snapshot_takes_focus(facts, node) ||
           snapshot_has(&facts->attributes, node, ATTRIBUTE_ONCLICK) ||
           snapshot_has(&facts->attributes, node, ATTRIBUTE_ARIA_DESCRIBEDBY) ||
           facts->tree->nodes[node].is_clickable;
}

static enum snapshot_role image_role(const struct snapshot_facts *facts, int node)
{
    const char *alt = snapshot_get(&facts->attributes, node, ATTRIBUTE_ALT);
    return alt && alt[0] == '\0' && !is_shown_by_author(facts, node) ? ROLE_NONE : ROLE_IMAGE;
}

static enum snapshot_role anchor_role(const struct snapshot_facts *facts, int node)
{
    bool is_link = snapshot_has(&facts->attributes, node, ATTRIBUTE_HREF) ||
                   (facts->tree->nodes[node].is_svg &&
                    snapshot_has(&facts->attributes, node, ATTRIBUTE_XLINK_HREF)) ||
                   snapshot_has(&facts->attributes, node, ATTRIBUTE_ONCLICK) ||
                   facts->tree->nodes[node].is_clickable;
    return is_link ? ROLE_LINK : ROLE_GENERIC;
}

static enum snapshot_role summary_role(const struct snapshot_facts *facts, int node)
{
    int parent = facts->tree->nodes[node].parent;
    if (facts->tree->nodes[parent].tag != TAG_DETAILS) {
        return ROLE_GENERIC;
    }
    return snapshot_is_filled(&facts->attributes, parent, ATTRIBUTE_NAME)
               ? ROLE_DISCLOSURE_TRIANGLE_GROUPED
               : ROLE_DISCLOSURE_TRIANGLE;
}

/* An item of a list that has another role is not a list item. */
static enum snapshot_role item_role(const struct snapshot_facts *facts, int node)
{
    int parent = facts->tree->nodes[node].parent;
    enum snapshot_tag tag = facts->tree->nodes[parent].tag;
    bool is_in_list = tag == TAG_UL || tag == TAG_OL || tag == TAG_MENU;
    return is_in_list && facts->semantics[parent].role != ROLE_LIST &&
                   !snapshot_is(&facts->attributes, node, ATTRIBUTE_ROLE, "listitem")
               ? ROLE_NONE
               : ROLE_LISTITEM;
}

/* Returns a role for headers and footers of the page, but not of its parts. */
static enum snapshot_role landmark(const struct snapshot_facts *facts, int node,
                                   enum snapshot_role of_page, enum snapshot_role of_section)
{
    return snapshot_fact(facts, node, FACT_IN_SECTION | FACT_IN_MAIN) ? of_section : of_page;
}

static enum snapshot_role aside_role(const struct snapshot_facts *facts, int node)
{
    return snapshot_fact(facts, node, FACT_IN_SECTION) && !snapshot_is_named(facts, node)
               ? ROLE_GENERIC
               : ROLE_COMPLEMENTARY;
}

bool snapshot_is_large_drawing(const struct snapshot_facts *facts, int node)
{
    const struct snapshot_layout *layout = snapshot_layout(facts->tree, node);
    return layout && layout->width >= SNAPSHOT_MIN_PICTURE &&
           layout->height >= SNAPSHOT_MIN_PICTURE && layout->width * layout->height >= MIN_AREA &&
           !snapshot_fact(facts, node, FACT_ARIA_HIDDEN);
}

static enum snapshot_role canvas_role(const struct snapshot_facts *facts, int node)
{
    bool is_shown = facts->tree->nodes[node].first_child != SNAPSHOT_NONE ||
                    is_shown_by_author(facts, node) || snapshot_is_large_drawing(facts, node);
    return is_shown ? ROLE_CANVAS : ROLE_NONE;
}

static bool is_svg_part(const struct snapshot_facts *facts, int node)
{
    return snapshot_facts_child(facts, node, TAG_TITLE) != SNAPSHOT_NONE ||
           snapshot_facts_child(facts, node, TAG_DESC) != SNAPSHOT_NONE ||
           is_shown_by_author(facts, node);
}

/* An empty drawing has no role. */
static enum snapshot_role drawing_role(const struct snapshot_facts *facts, int node)
{
    const struct snapshot_node *nodes = facts->tree->nodes;
    int child = nodes[node].first_child;
    while (child != SNAPSHOT_NONE && nodes[child].kind != SNAPSHOT_ELEMENT) {
        child = nodes[child].next;
    }
    return child == SNAPSHOT_NONE && !is_shown_by_author(facts, node) ? ROLE_NONE : ROLE_SVG_ROOT;
}

static enum snapshot_role svg_role(const struct snapshot_facts *facts, int node)
{
    switch (facts->tree->nodes[node].tag) {
    case TAG_SVG:
        return drawing_role(facts, node);
    case TAG_A:
        if (anchor_role(facts, node) == ROLE_LINK) {
            return ROLE_LINK;
        }
        return is_svg_part(facts, node) ? ROLE_GROUP : ROLE_NONE;
    case TAG_TEXT:
        return snapshot_fact(facts, node, FACT_HAS_CONTENT) ? ROLE_GENERIC : ROLE_NONE;
    case TAG_G:
        return is_svg_part(facts, node) ? ROLE_GROUP : ROLE_NONE;
    case TAG_IMAGE:
        return is_svg_part(facts, node) ? ROLE_IMAGE : ROLE_NONE;
    case TAG_USE:
        return is_svg_part(facts, node) ? ROLE_GRAPHICS_OBJECT : ROLE_NONE;
    case TAG_CIRCLE:
    case TAG_ELLIPSE:
    case TAG_LINE:
    case TAG_PATH:
    case TAG_POLYGON:
    case TAG_POLYLINE:
    case TAG_RECT:
        return is_svg_part(facts, node) ? ROLE_GRAPHICS_SYMBOL : ROLE_NONE;
    default:
        return ROLE_NONE;
    }
}

/* Detects display: list-item, which is not requested itself. */
static bool has_marker(const struct snapshot_tree *tree, int node)
{
    int child = tree->nodes[node].first_child;
    return child != SNAPSHOT_NONE && tree->nodes[child].kind == SNAPSHOT_PSEUDO &&
           tree->nodes[child].name && strcmp(tree->nodes[child].name, "::marker") == 0;
}

enum snapshot_role snapshot_role_implicit(struct snapshot_facts *facts, int node)
{
    const struct snapshot_node *it = &facts->tree->nodes[node];
    if (it->is_svg) {
        return svg_role(facts, node);
    }
    switch (it->tag) {
    case TAG_A:
        return anchor_role(facts, node);
    case TAG_AREA:
        return snapshot_has(&facts->attributes, node, ATTRIBUTE_HREF) ? ROLE_LINK : ROLE_NONE;
    case TAG_ASIDE:
        return aside_role(facts, node);
    case TAG_CANVAS:
        return canvas_role(facts, node);
    case TAG_FOOTER:
        return landmark(facts, node, ROLE_CONTENTINFO, ROLE_SECTION_FOOTER);
    case TAG_HEADER:
        return landmark(facts, node, ROLE_BANNER, ROLE_SECTION_HEADER);
    case TAG_IMG:
        return image_role(facts, node);
    case TAG_INPUT:
        return input_role(facts, node);
    case TAG_LI:
        return item_role(facts, node);
    case TAG_SECTION:
        return snapshot_is_named(facts, node) ? ROLE_REGION : ROLE_GENERIC;
    case TAG_SELECT:
        return snapshot_is_drawn_whole(facts, node) ? ROLE_LISTBOX : ROLE_COMBOBOX;
    case TAG_SUMMARY:
        return summary_role(facts, node);
    case TAG_TABLE:
        return snapshot_table_is_data(facts, node) ? ROLE_TABLE : ROLE_LAYOUT_TABLE;
    case TAG_TBODY:
    case TAG_TD:
    case TAG_TFOOT:
    case TAG_TH:
    case TAG_THEAD:
    case TAG_TR:
        return snapshot_table_part(facts, node);
    default:
        break;
    }
    enum snapshot_role role =
        (size_t)it->tag < sizeof(by_tag) ? (enum snapshot_role)by_tag[it->tag] : ROLE_UNKNOWN;
    if (role != ROLE_UNKNOWN) {
        return role;
    }
    if (has_marker(facts->tree, node)) {
        return ROLE_LISTITEM;
    }
    return snapshot_has(&facts->attributes, node, ATTRIBUTE_POPOVER) ? ROLE_GROUP : ROLE_GENERIC;
}
