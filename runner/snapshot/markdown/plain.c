#include "runner/snapshot/markdown/context.h"
#include "runner/snapshot/markdown/form.h"
#include "runner/snapshot/markdown/markdown.h"

#include <ctype.h>
#include <string.h>

/* State of writing a page as plain text. */
struct plain {
    const struct markdown *markdown;
    struct strbuf *text;
    int newlines;   /* pending before the next text */
    bool has_space; /* pending, unless at the beginning of a line */
    bool has_tab;   /* pending: the row's next cell begins */
};

static void end_line(struct plain *plain, int newlines)
{
    plain->newlines = plain->newlines > newlines ? plain->newlines : newlines;
    plain->has_tab = false;
}

static void add_due(struct plain *plain)
{
    static const char lines[] = "\n\n";
    if (plain->text->length > 0 && plain->newlines > 0) {
        strbuf_add(plain->text, lines, (size_t)plain->newlines);
    } else if (plain->text->length > 0 && (plain->has_tab || plain->has_space)) {
        strbuf_add(plain->text, plain->has_tab ? "\t" : " ", 1);
    }
    plain->newlines = 0;
    plain->has_space = plain->has_tab = false;
}

static void add_words(struct plain *plain, const char *text)
{
    while (text && *text) {
        size_t spaces = strspn(text, " \t\n\f\r");
        size_t length = strcspn(text + spaces, " \t\n\f\r");
        plain->has_space |= spaces > 0;
        if (length > 0) {
            add_due(plain);
            strbuf_add(plain->text, text + spaces, length);
        }
        text += spaces + length;
    }
}

static void add_lines(struct plain *plain, const char *text)
{
    while (text && *text) {
        size_t length = strcspn(text, "\n");
        if (length > 0) {
            add_due(plain);
            strbuf_add(plain->text, text, length);
        }
        plain->newlines += text[length] == '\n' && plain->newlines < 2;
        text += length + (text[length] == '\n');
    }
}

static bool is_preformatted(const struct plain *plain, int node)
{
    const struct snapshot_node *nodes = plain->markdown->tree->nodes;
    while (node != SNAPSHOT_NONE && nodes[node].tag != TAG_PRE) {
        node = nodes[node].parent;
    }
    return node != SNAPSHOT_NONE;
}

static void add_text(struct plain *plain, int node)
{
    const struct snapshot_tree *tree = plain->markdown->tree;
    const struct node_semantics *semantics = plain->markdown->semantics->nodes;
    const struct snapshot_layout *layout = snapshot_layout(tree, node);
    int parent = tree->nodes[node].parent;
    bool is_hidden =
        semantics[node].is_hidden ||
        (parent != SNAPSHOT_NONE && snapshot_layout(tree, parent) && semantics[parent].is_hidden);
    if (!layout || is_hidden) {
        return;
    }
    if (is_preformatted(plain, node)) {
        add_lines(plain, tree->nodes[node].text);
    } else {
        add_words(plain, layout->text ? layout->text : tree->nodes[node].text);
    }
}

/* Returns the line breaks before and after a node. */
static int lines_around(const struct plain *plain, int node, enum markdown_form form)
{
    const struct snapshot_layout *layout = snapshot_layout(plain->markdown->tree, node);
    switch (form) {
    case FORM_HEADING:
    case FORM_LIST:
    case FORM_QUOTE:
    case FORM_PREFORMATTED:
    case FORM_TABLE:
    case FORM_RULE:
        return 2;
    case FORM_BLOCK:
        return plain->markdown->tree->nodes[node].tag == TAG_P ? 2 : 1;
    case FORM_ITEM:
    case FORM_TERM:
    case FORM_DEFINITION:
    case FORM_ROW:
    case FORM_FORM:
    case FORM_FRAME:
        return 1;
    case FORM_LINK:
    case FORM_BUTTON:
        return layout && layout->display == DISPLAY_BLOCK;
    default:
        return 0;
    }
}

static void set_apart(struct plain *plain, int node, enum markdown_form form)
{
    int newlines = lines_around(plain, node, form);
    if (newlines) {
        end_line(plain, newlines);
    }
    plain->has_space |= form == FORM_BOX || form == FORM_BUTTON;
}

/* Returns whether the node's children and its end are to be visited. */
static bool begin_node(struct plain *plain, int node)
{
    enum markdown_form form = markdown_form(plain->markdown, node);
    const struct snapshot_tree *tree = plain->markdown->tree;
    switch (form) {
    case FORM_NOTHING:
    case FORM_LEFT_OUT:
    case FORM_GENERATED:
    case FORM_FIELD:
    case FORM_IMAGE:
        return false;
    case FORM_TEXT:
        add_text(plain, node);
        return false;
    case FORM_BREAK:
        plain->newlines += plain->newlines < 2;
        return false;
    case FORM_CELL:
        plain->has_tab = plain->newlines == 0;
        return true;
    default:
        set_apart(plain, node, form);
        return tree->nodes[node].shadow != SNAPSHOT_USER_AGENT;
    }
}

static void end_node(struct plain *plain, int node)
{
    set_apart(plain, node, markdown_form(plain->markdown, node));
}

void print_plain(const struct snapshot_tree *tree, const struct snapshot_semantics *semantics,
                 const struct outline_options *options, struct strbuf *text)
{
    const struct markdown_options how = { .has_no_annotations = true };
    const struct markdown markdown = {
        .tree = tree, .semantics = semantics, .options = options, .how = &how
    };
    struct plain plain = { .markdown = &markdown, .text = text };
    const struct snapshot_node *nodes = tree->nodes;
    int root =
        options->root == SNAPSHOT_NONE && tree->order_count > 0 ? tree->order[0] : options->root;
    int node = root;
    if (!options->keeps_left_out && root != SNAPSHOT_NONE &&
        snapshot_is_left_out(semantics, tree, root)) {
        return;
    }
    /* Not recursive: a page may be nested deeper than the stack allows. */
    while (node != SNAPSHOT_NONE) {
        bool has_inside = begin_node(&plain, node);
        if (has_inside && nodes[node].first_child != SNAPSHOT_NONE) {
            node = nodes[node].first_child;
            continue;
        }
        if (has_inside) {
            end_node(&plain, node);
        }
        while (node != root && nodes[node].next == SNAPSHOT_NONE) {
            node = nodes[node].parent;
            end_node(&plain, node);
        }
        node = node == root ? SNAPSHOT_NONE : nodes[node].next;
    }
    if (text->length > 0) {
        strbuf_add(text, "\n", 1);
    }
}
