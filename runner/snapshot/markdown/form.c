#include "runner/snapshot/markdown/form.h"

#include "runner/snapshot/markdown/context.h"
#include "runner/snapshot/markdown/control.h"

static enum markdown_form form_of_tag(enum snapshot_tag tag)
{
    switch (tag) {
    case TAG_BR:
        return FORM_BREAK;
    case TAG_HR:
        return FORM_RULE;
    case TAG_UL:
    case TAG_OL:
    case TAG_MENU:
        return FORM_LIST;
    case TAG_LI:
        return FORM_ITEM;
    case TAG_BLOCKQUOTE:
        return FORM_QUOTE;
    case TAG_PRE:
        return FORM_PREFORMATTED;
    case TAG_CODE:
    case TAG_KBD:
    case TAG_SAMP:
        return FORM_CODE;
    case TAG_STRONG:
    case TAG_B:
        return FORM_STRONG;
    case TAG_EM:
    case TAG_I:
    case TAG_CITE:
        return FORM_EMPHASIS;
    case TAG_DEL:
    case TAG_S:
        return FORM_STRIKE;
    case TAG_DT:
        return FORM_TERM;
    case TAG_DD:
        return FORM_DEFINITION;
    case TAG_FORM:
        return FORM_FORM;
    default:
        return FORM_PLAIN;
    }
}

static enum markdown_form form_of_box(const struct snapshot_layout *layout)
{
    return !layout                             ? FORM_PLAIN
           : layout->display == DISPLAY_BLOCK  ? FORM_BLOCK
           : layout->display == DISPLAY_INLINE ? FORM_PLAIN
                                               : FORM_BOX;
}

static bool is_picture(const struct markdown *markdown, int node)
{
    enum snapshot_tag tag = markdown->tree->nodes[node].tag;
    enum snapshot_role role = markdown->semantics->nodes[node].role;
    return tag == TAG_IMG || tag == TAG_SVG || tag == TAG_CANVAS || tag == TAG_VIDEO ||
           tag == TAG_AUDIO || role == ROLE_IMAGE;
}

/* Returns PLAIN for a control without a form of its own: its other properties decide. */
static enum markdown_form form_of_control(const struct markdown *markdown, int node)
{
    const struct snapshot_tree *tree = markdown->tree;
    return tree->nodes[node].tag == TAG_A && snapshot_attribute(tree, node, "href") ? FORM_LINK
           : markdown_is_field(markdown, node) || markdown->semantics->nodes[node].is_private
               ? FORM_FIELD
           : is_picture(markdown, node)         ? FORM_IMAGE
           : markdown_is_button(markdown, node) ? FORM_BUTTON
                                                : FORM_PLAIN;
}

/* Returns the form of a part of a data table; parts of layout tables have none. */
static enum markdown_form form_in_table(const struct markdown *markdown, int node)
{
    enum snapshot_role role = markdown->semantics->nodes[node].role;
    if (snapshot_role_is(role, IS_TABLE)) {
        return FORM_TABLE;
    }
    return markdown_is_row(markdown, node)    ? FORM_ROW
           : markdown_is_cell(markdown, node) ? FORM_CELL
                                              : FORM_PLAIN;
}

static bool is_never_shown(const struct snapshot_node *node)
{
    return node->tag == TAG_SCRIPT || node->tag == TAG_STYLE || node->tag == TAG_TEMPLATE ||
           node->tag == TAG_NOSCRIPT || node->tag == TAG_HEAD;
}

static enum markdown_form form_of_element(const struct markdown *markdown, int node)
{
    const struct snapshot_node *self = &markdown->tree->nodes[node];
    const struct node_semantics *semantics = &markdown->semantics->nodes[node];
    bool is_dropped = markdown->how->is_dropped && markdown->how->is_dropped[node];
    if (is_never_shown(self) || is_dropped) {
        return FORM_NOTHING;
    }
    if (semantics->is_left_out && !markdown->options->keeps_left_out) {
        return FORM_LEFT_OUT;
    }
    if (self->tag == TAG_IFRAME || self->tag == TAG_FRAME) {
        return semantics->is_hidden ? FORM_NOTHING : FORM_FRAME;
    }
    if (semantics->is_hidden) {
        return markdown_is_field(markdown, node) ? FORM_NOTHING : FORM_PLAIN;
    }
    bool is_control = markdown_control(markdown, node) || semantics->is_private;
    enum markdown_form form = is_control ? form_of_control(markdown, node) : FORM_PLAIN;
    if (form == FORM_PLAIN && is_picture(markdown, node)) {
        form = FORM_IMAGE;
    }
    form = form == FORM_PLAIN ? form_in_table(markdown, node) : form;
    form = form == FORM_PLAIN ? form_of_tag(self->tag) : form;
    if (form == FORM_PLAIN && semantics->role == ROLE_HEADING) {
        form = FORM_HEADING;
    }
    bool is_part = self->tag == TAG_THEAD || self->tag == TAG_TBODY || self->tag == TAG_TFOOT ||
                   semantics->role == ROLE_ROWGROUP;
    return form == FORM_PLAIN && !is_part ? form_of_box(snapshot_layout(markdown->tree, node))
                                          : form;
}

enum markdown_form markdown_form(const struct markdown *markdown, int node)
{
    switch (markdown->tree->nodes[node].kind) {
    case SNAPSHOT_TEXT:
        return FORM_TEXT;
    case SNAPSHOT_PSEUDO:
        return FORM_GENERATED;
    case SNAPSHOT_DOCUMENT:
        return FORM_PLAIN;
    case SNAPSHOT_ELEMENT:
    default:
        return form_of_element(markdown, node);
    }
}
