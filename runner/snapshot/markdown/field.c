#include "runner/snapshot/markdown/field.h"

#include "runner/snapshot/markdown/annotation.h"
#include "runner/snapshot/markdown/control.h"
#include "runner/snapshot/markdown/form.h"

enum { MAX_OPTIONS = 20 /* of a list, that are printed */ };

/* Ours, and behind it what the page says. */
static void add_part(struct markdown *markdown, const char *before, const char *text)
{
    if (text && *text) {
        markdown_glue(&markdown->writer, before);
        markdown_space(&markdown->writer);
        markdown_text(&markdown->writer, text);
        markdown->writer.has_space = false;
    }
}

/* The label stands around the control, or beside it, and is printed there. */
static bool is_inside_label(const struct markdown *markdown, int node)
{
    const struct snapshot_node *nodes = markdown->tree->nodes;
    int parent = nodes[node].parent;
    return parent != SNAPSHOT_NONE && nodes[parent].tag == TAG_LABEL;
}

static void add_options(struct markdown *markdown, int list)
{
    const struct snapshot_tree *tree = markdown->tree;
    int count = 0;
    int node = snapshot_next(tree, list, list);
    while (node != SNAPSHOT_NONE && count <= MAX_OPTIONS) {
        if (markdown_form(markdown, node) == FORM_LEFT_OUT) {
            node = snapshot_skip(tree, node, list);
        } else if (tree->nodes[node].tag == TAG_OPTION) {
            const char *name = markdown->semantics->nodes[node].name;
            const char *shown = count == MAX_OPTIONS ? "…" : name ? name : "-";
            add_part(markdown, count == 0 ? "; options:" : ",", shown);
            count++;
            node = snapshot_skip(tree, node, list);
        } else {
            node = snapshot_next(tree, node, list);
        }
    }
}

static void add_type(struct markdown *markdown, int node)
{
    enum snapshot_tag tag = markdown->tree->nodes[node].tag;
    if (tag == TAG_INPUT) {
        /* Whatever the attribute says: it is text of the page. */
        markdown_text(&markdown->writer, markdown_input_type(markdown, node));
    } else {
        markdown_text(&markdown->writer, tag == TAG_SELECT     ? "select"
                                         : tag == TAG_TEXTAREA ? "textarea"
                                                               : "textbox");
    }
}

void markdown_field(struct markdown *markdown, int node)
{
    struct markdown_writer *writer = &markdown->writer;
    const struct node_semantics *semantics = &markdown->semantics->nodes[node];
    bool is_button =
        markdown->tree->nodes[node].tag == TAG_INPUT && markdown_is_button_input(markdown, node);
    bool is_named = !(semantics->name_from == NAME_FROM_ELEMENT && is_inside_label(markdown, node));
    markdown_set_apart(markdown, node);
    markdown_open(writer, "[");
    writer->one_line++;
    if (is_button) {
        markdown_text(writer,
                      semantics->name ? semantics->name : markdown_input_type(markdown, node));
    } else {
        add_type(markdown, node);
        add_part(markdown, ":", is_named ? semantics->name : NULL);
    }
    writer->has_space = false;
    markdown_states(markdown, node);
    if (!is_button) {
        add_part(markdown, "; placeholder:", semantics->placeholder);
        bool has_value = !semantics->is_private && semantics->checked == CHECK_NONE;
        add_part(markdown, " =", has_value ? semantics->value : NULL);
    }
    if (markdown->tree->nodes[node].tag == TAG_SELECT) {
        add_options(markdown, node);
    }
    writer->one_line--;
    markdown_glue(writer, "]");
    markdown_annotate(markdown, node);
    markdown_set_apart(markdown, node);
}
