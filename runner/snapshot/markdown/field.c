#include "runner/snapshot/markdown/context.h"

#include "runner/snapshot/markdown/annotation.h"
#include "runner/snapshot/markdown/control.h"
#include "runner/snapshot/markdown/form.h"

#include <string.h>

enum {
    MAX_OPTIONS = 20, /* options printed for a list */
    MAX_TYPED = 3,    /* the same for MARKDOWN_TYPES */
};

/* Adds our own text, followed by text of the page. */
static void add_part(struct markdown *markdown, const char *before, const char *text)
{
    if (text && *text) {
        markdown_glue(&markdown->writer, before);
        markdown_space(&markdown->writer);
        markdown_text(&markdown->writer, text);
        markdown->writer.has_space = false;
    }
}

/* Returns whether the control has a label around or beside it, which is printed there. */
static bool is_inside_label(const struct markdown *markdown, int node)
{
    const struct snapshot_node *nodes = markdown->tree->nodes;
    int parent = nodes[node].parent;
    return parent != SNAPSHOT_NONE && nodes[parent].tag == TAG_LABEL;
}

/*
 * Calls add(…) with each option's name, at most `most` times, and once with NULL if there are more.
 */
static void each_option(struct markdown *markdown, int list, int most,
                        void (*add)(struct markdown *markdown, int count, const char *name))
{
    const struct snapshot_tree *tree = markdown->tree;
    int count = 0;
    int node = snapshot_next(tree, list, list);
    while (node != SNAPSHOT_NONE && count <= most) {
        if (markdown_form(markdown, node) == FORM_LEFT_OUT) {
            node = snapshot_skip(tree, node, list);
        } else if (tree->nodes[node].tag == TAG_OPTION) {
            const char *name = markdown->semantics->nodes[node].name;
            add(markdown, count, count == most ? NULL : name ? name : "-");
            count++;
            node = snapshot_skip(tree, node, list);
        } else {
            node = snapshot_next(tree, node, list);
        }
    }
}

static void add_option(struct markdown *markdown, int count, const char *name)
{
    add_part(markdown, count == 0 ? "; options:" : ",", name ? name : "…");
}

static void add_typed_option(struct markdown *markdown, int count, const char *name)
{
    if (name) {
        add_part(markdown, count == 0 ? ":" : ",", name);
    } else {
        markdown_glue(&markdown->writer, "...");
    }
}

static void add_type(struct markdown *markdown, int node)
{
    enum snapshot_tag tag = markdown->tree->nodes[node].tag;
    if (tag == TAG_INPUT) {
        /* The attribute can have any value: it is treated as text of the page. */
        markdown_text(&markdown->writer, markdown_input_type(markdown, node));
    } else {
        markdown_text(&markdown->writer, tag == TAG_SELECT     ? "select"
                                         : tag == TAG_TEXTAREA ? "textarea"
                                                               : "textbox");
    }
}

static bool has_text(const char *text)
{
    return text && *text;
}

/* Writes the content of the brackets for MARKDOWN_TYPES. */
static void add_typed(struct markdown *markdown, int node)
{
    struct markdown_writer *writer = &markdown->writer;
    const struct node_semantics *semantics = &markdown->semantics->nodes[node];
    const char *type = markdown_typed(markdown, node);
    bool is_input = markdown->tree->nodes[node].tag == TAG_INPUT;
    bool is_named = (is_input && markdown_is_button_input(markdown, node)) ||
                    strcmp(type, "checkbox") == 0 || strcmp(type, "radio") == 0;
    if (is_named) {
        markdown_text(writer, has_text(semantics->name) ? semantics->name : type);
    } else if (markdown->tree->nodes[node].tag == TAG_SELECT) {
        markdown_text(writer, type);
        each_option(markdown, node, MAX_TYPED, add_typed_option);
    } else {
        bool has_value = !semantics->is_private && has_text(semantics->value);
        markdown_text(writer, type);
        add_part(markdown, ":",
                 has_value                          ? semantics->value
                 : has_text(semantics->placeholder) ? semantics->placeholder
                                                    : semantics->name);
    }
    writer->has_space = false;
}

/* Writes the content of the brackets for MARKDOWN_ROLES. */
static void add_field(struct markdown *markdown, int node)
{
    struct markdown_writer *writer = &markdown->writer;
    const struct node_semantics *semantics = &markdown->semantics->nodes[node];
    bool is_button =
        markdown->tree->nodes[node].tag == TAG_INPUT && markdown_is_button_input(markdown, node);
    bool is_named = !(semantics->name_from == NAME_FROM_ELEMENT && is_inside_label(markdown, node));
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
        each_option(markdown, node, MAX_OPTIONS, add_option);
    }
}

void markdown_field(struct markdown *markdown, int node)
{
    struct markdown_writer *writer = &markdown->writer;
    markdown_set_apart(markdown, node);
    markdown_open(writer, "[");
    writer->one_line++;
    if (markdown->how->style == MARKDOWN_ROLES) {
        add_field(markdown, node);
    } else {
        add_typed(markdown, node);
    }
    writer->one_line--;
    markdown_glue(writer, "]");
    markdown_annotate(markdown, node);
    markdown_set_apart(markdown, node);
}
