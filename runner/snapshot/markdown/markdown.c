#include "runner/snapshot/markdown/markdown.h"

#include "runner/snapshot/markdown/annotation.h"
#include "runner/snapshot/markdown/context.h"
#include "runner/snapshot/markdown/form.h"

#include "runner/base/memory.h"

#include <string.h>

static void save(struct markdown *markdown, size_t length)
{
    markdown->saved = array_reserve(markdown->saved, markdown->saved_count,
                                    &markdown->saved_capacity, sizeof(*markdown->saved));
    markdown->saved[markdown->saved_count++] =
        (struct markdown_saved){ .length = length, .number = markdown->number };
}

static struct markdown_saved restore(struct markdown *markdown)
{
    return markdown->saved[--markdown->saved_count];
}

static void add_item(struct markdown *markdown)
{
    if (markdown->number == 0) {
        save(markdown, markdown_push(&markdown->writer, "- ", "  "));
        return;
    }
    CLEANUP_FREE char *first = xasprintf("%d. ", markdown->number++);
    CLEANUP_FREE char *rest = xasprintf("%*s", (int)strlen(first), "");
    save(markdown, markdown_push(&markdown->writer, first, rest));
}

static void begin_list(struct markdown *markdown, int node)
{
    /* A list at the beginning of an item follows its text without an empty line. */
    markdown_block(&markdown->writer, markdown->writer.prefix.length > 0 ? 1 : 2);
    save(markdown, 0);
    markdown->number = 0;
    if (markdown->tree->nodes[node].tag == TAG_OL) {
        const char *start = snapshot_attribute(markdown->tree, node, "start");
        long number = start ? strtol(start, NULL, 10) : 1;
        markdown->number = number > 0 && number < 100000000 ? (int)number : 1;
    }
}

static void begin_heading(struct markdown *markdown, int node)
{
    static const char marks[] = "###### ";
    int level = markdown->semantics->nodes[node].level;
    level = level < 1 ? 2 : level > 6 ? 6 : level;
    markdown_block(&markdown->writer, 2);
    if (markdown->writer.one_line == 0) {
        markdown_open(&markdown->writer, marks + 6 - level);
    }
    markdown->writer.one_line++;
}

static void begin_bracket(struct markdown *markdown, int node)
{
    markdown_set_apart(markdown, node);
    markdown_open(&markdown->writer, "[");
    markdown->writer.one_line++;
    save(markdown, markdown->writer.out->length);
}

/* A control without text is shown by its name. */
static void end_bracket(struct markdown *markdown, int node)
{
    markdown_glue(&markdown->writer, "");
    const char *name = markdown->semantics->nodes[node].name;
    if (markdown->writer.out->length == restore(markdown).length && name) {
        markdown->writer.has_space = false;
        markdown_text(&markdown->writer, name);
    }
    markdown->writer.one_line--;
    markdown_states(markdown, node);
    markdown_glue(&markdown->writer, "]");
    if (markdown_form(markdown, node) == FORM_LINK) {
        markdown_address(markdown, node, snapshot_attribute(markdown->tree, node, "href"));
    }
    markdown_annotate(markdown, node);
    markdown_set_apart(markdown, node);
}

static void begin_table_part(struct markdown *markdown, int node, enum markdown_form form)
{
    bool is_inside = markdown->table.node != SNAPSHOT_NONE;
    bool is_in_cell = markdown->writer.cell > 0;
    if (form == FORM_TABLE && !is_inside && markdown->writer.one_line == 0) {
        markdown_table_begin(markdown, node);
    } else if (form == FORM_ROW && is_inside && !is_in_cell) {
        markdown_row_begin(markdown, node);
    } else if (form == FORM_CELL && is_inside && !is_in_cell) {
        save(markdown, 1);
        markdown_cell_begin(markdown);
    } else if (form == FORM_CELL) {
        save(markdown, 0);
        markdown_space(&markdown->writer);
    } else {
        markdown_block(&markdown->writer, form == FORM_ROW ? 1 : 2);
    }
}

static void end_table_part(struct markdown *markdown, int node, enum markdown_form form)
{
    bool is_inside = markdown->table.node != SNAPSHOT_NONE && markdown->writer.cell == 0;
    if (form == FORM_CELL) {
        if (restore(markdown).length == 1) {
            markdown_cell_end(markdown, node);
        } else {
            markdown_space(&markdown->writer);
        }
    } else if (form == FORM_ROW && is_inside) {
        markdown_row_end(markdown, node);
    } else if (form == FORM_TABLE && is_inside && markdown->table.node == node) {
        markdown_annotate(markdown, node);
        markdown_table_end(markdown);
    } else {
        markdown_annotate(markdown, node);
        markdown_block(&markdown->writer, form == FORM_ROW ? 1 : 2);
    }
}

static void begin_item(struct markdown *markdown)
{
    if (markdown->writer.one_line > 0) {
        markdown_space(&markdown->writer);
        save(markdown, 0);
    } else {
        add_item(markdown);
    }
}

static void push(struct markdown *markdown, int newlines, const char *first, const char *rest)
{
    markdown_block(&markdown->writer, newlines);
    save(markdown,
         markdown->writer.one_line > 0 ? 0 : markdown_push(&markdown->writer, first, rest));
}

static void pop(struct markdown *markdown, int newlines)
{
    markdown_pop(&markdown->writer, restore(markdown).length);
    markdown_block(&markdown->writer, newlines);
}

/* Handles forms that only set a mark around their content. */
static bool mark(struct markdown *markdown, enum markdown_form form, bool is_begun)
{
    switch (form) {
    case FORM_STRONG:
        markdown_mark(&markdown->writer, MARK_STRONG, is_begun);
        return true;
    case FORM_EMPHASIS:
        markdown_mark(&markdown->writer, MARK_EMPHASIS, is_begun);
        return true;
    case FORM_STRIKE:
        markdown_mark(&markdown->writer, MARK_STRIKE, is_begun);
        return true;
    case FORM_CODE:
    case FORM_PREFORMATTED:
        markdown_code(&markdown->writer, is_begun);
        return true;
    case FORM_BOX:
        markdown_space(&markdown->writer);
        return true;
    case FORM_BLOCK:
        markdown_block(&markdown->writer, 2);
        return true;
    default:
        return false;
    }
}

/* Returns whether the node's children and its end are to be visited. */
static bool begin_node(struct markdown *markdown, int node)
{
    enum markdown_form form = markdown_form(markdown, node);
    if (markdown_leaf(markdown, node, form)) {
        return false;
    }
    switch (form) {
    case FORM_HEADING:
        begin_heading(markdown, node);
        break;
    case FORM_LIST:
        begin_list(markdown, node);
        break;
    case FORM_ITEM:
        begin_item(markdown);
        break;
    case FORM_QUOTE:
        push(markdown, 2, "> ", "> ");
        break;
    case FORM_TERM:
        markdown_block(&markdown->writer, 2);
        markdown_mark(&markdown->writer, MARK_STRONG, true);
        break;
    case FORM_DEFINITION:
        push(markdown, 1, ": ", "  ");
        break;
    case FORM_TABLE:
    case FORM_ROW:
    case FORM_CELL:
        begin_table_part(markdown, node, form);
        break;
    case FORM_LINK:
    case FORM_BUTTON:
        begin_bracket(markdown, node);
        break;
    case FORM_FORM:
        markdown_marker(markdown, "form-start", node);
        break;
    case FORM_FRAME:
        markdown_marker(markdown, "frame-start", node);
        break;
    default:
        mark(markdown, form, true);
        break;
    }
    return true;
}

static void end_node(struct markdown *markdown, int node)
{
    enum markdown_form form = markdown_form(markdown, node);
    bool has_own_annotation =
        form == FORM_LINK || form == FORM_BUTTON || form == FORM_ROW || form == FORM_TABLE;
    if (!has_own_annotation) {
        markdown_annotate(markdown, node);
    }
    switch (form) {
    case FORM_HEADING:
        markdown->writer.one_line--;
        markdown_block(&markdown->writer, 2);
        break;
    case FORM_LIST:
        markdown->number = restore(markdown).number;
        markdown_block(&markdown->writer, markdown->writer.prefix.length > 0 ? 1 : 2);
        break;
    case FORM_ITEM:
    case FORM_DEFINITION:
        pop(markdown, 1);
        break;
    case FORM_QUOTE:
        pop(markdown, 2);
        break;
    case FORM_TERM:
        markdown_mark(&markdown->writer, MARK_STRONG, false);
        markdown_block(&markdown->writer, 1);
        break;
    case FORM_TABLE:
    case FORM_ROW:
    case FORM_CELL:
        end_table_part(markdown, node, form);
        break;
    case FORM_LINK:
    case FORM_BUTTON:
        end_bracket(markdown, node);
        break;
    case FORM_FORM:
        markdown_marker(markdown, "form-end", SNAPSHOT_NONE);
        break;
    case FORM_FRAME:
        markdown_marker(markdown, "frame-end", SNAPSHOT_NONE);
        break;
    default:
        mark(markdown, form, false);
        break;
    }
}

/* Not recursive: a page may be nested deeper than the stack allows. */
static void print_nodes(struct markdown *markdown, int root)
{
    const struct snapshot_node *nodes = markdown->tree->nodes;
    int node = root;
    while (node != SNAPSHOT_NONE) {
        bool has_inside = begin_node(markdown, node);
        if (has_inside && nodes[node].first_child != SNAPSHOT_NONE) {
            node = nodes[node].first_child;
            continue;
        }
        if (has_inside) {
            end_node(markdown, node);
        }
        while (node != root && nodes[node].next == SNAPSHOT_NONE) {
            node = nodes[node].parent;
            end_node(markdown, node);
        }
        node = node == root ? SNAPSHOT_NONE : nodes[node].next;
    }
}

void print_markdown(const struct snapshot_tree *tree, const struct snapshot_semantics *semantics,
                    const struct outline_options *options, const struct markdown_options *how,
                    struct strbuf *text)
{
    struct markdown markdown = {
        .tree = tree,
        .semantics = semantics,
        .options = options,
        .how = how,
        .selectors = selector_map_create(tree),
        .table = { .node = SNAPSHOT_NONE },
    };
    markdown_writer_init(&markdown.writer, text, how->text_length);
    int root =
        options->root == SNAPSHOT_NONE && tree->order_count > 0 ? tree->order[0] : options->root;
    if (!options->keeps_left_out && snapshot_is_left_out(semantics, tree, root)) {
        markdown_leaf(&markdown, root, FORM_LEFT_OUT);
    } else if (root != SNAPSHOT_NONE) {
        print_nodes(&markdown, root);
    }
    markdown_glue(&markdown.writer, text->length > 0 ? "\n" : "");
    markdown_writer_finish(&markdown.writer);
    selector_map_destroy(markdown.selectors);
    free(markdown.saved);
}
