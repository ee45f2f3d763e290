#include "runner/snapshot/markdown/form.h"

#include "runner/snapshot/markdown/annotation.h"
#include "runner/snapshot/markdown/context.h"

#include <ctype.h>
#include <string.h>

static void add_text(struct markdown *markdown, int node)
{
    const struct snapshot_tree *tree = markdown->tree;
    const struct node_semantics *semantics = markdown->semantics->nodes;
    const struct snapshot_layout *layout = snapshot_layout(tree, node);
    int parent = tree->nodes[node].parent;
    bool is_hidden =
        semantics[node].is_hidden || (snapshot_layout(tree, parent) && semantics[parent].is_hidden);
    if (layout && !is_hidden) {
        const char *text = layout->text ? layout->text : tree->nodes[node].text;
        markdown_text(&markdown->writer, text ? text : "");
    }
}

static void add_generated(struct markdown *markdown, int node)
{
    const struct snapshot_tree *tree = markdown->tree;
    const struct snapshot_node *self = &tree->nodes[node];
    bool is_marker = self->name && strcmp(self->name, "::marker") == 0;
    for (int i = 1; !is_marker && i < self->layout_count; i++) {
        const char *text = tree->layouts[self->layout + i].text;
        if (text && !tree->layouts[self->layout].is_invisible) {
            markdown_text(&markdown->writer, text);
        }
    }
}

static void add_image(struct markdown *markdown, int node)
{
    const struct snapshot_tree *tree = markdown->tree;
    const struct snapshot_node *self = &tree->nodes[node];
    const char *name = markdown->semantics->nodes[node].name;
    bool is_plain = self->tag == TAG_IMG && !snapshot_attribute(tree, node, "alt");
    if (name || is_plain) {
        const char *source = snapshot_attribute(tree, node, "src");
        markdown_open(&markdown->writer, "![");
        markdown->writer.one_line++;
        markdown_text(&markdown->writer, name ? name : "");
        markdown->writer.one_line--;
        markdown->writer.has_space = false;
        markdown_glue(&markdown->writer, "]");
        markdown_address(markdown, node, self->picture ? self->picture : source);
    }
    markdown_annotate(markdown, node);
}

/* Finds the language in a class such as "language-c". */
static void find_language(const struct snapshot_tree *tree, int node, struct strbuf *language)
{
    const char *classes = snapshot_attribute(tree, node, "class");
    const char *found = classes ? strstr(classes, "language-") : NULL;
    found = found ? found + strlen("language-") : NULL;
    for (; found && *found && (isalnum((unsigned char)*found) || strchr("+-#._", *found));
         found++) {
        strbuf_add(language, found, 1);
    }
}

static void add_line_end(struct strbuf *text)
{
    if (text->length > 0 && text->data[text->length - 1] != '\n') {
        strbuf_add(text, "\n", 1);
    }
}

/*
 * Adds all text unchanged; skips controls in it, such as a copy button, but keeps text after them.
 */
static void add_preformatted(struct markdown *markdown, int root)
{
    const struct snapshot_tree *tree = markdown->tree;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_STRBUF struct strbuf language = STRBUF_INIT(STRBUF_UNCAPPED);
    find_language(tree, root, &language);
    int node = snapshot_next(tree, root, root);
    while (node != SNAPSHOT_NONE) {
        enum markdown_form form = markdown_form(markdown, node);
        bool is_skipped = form == FORM_NOTHING || form == FORM_LEFT_OUT || form == FORM_BUTTON ||
                          form == FORM_FIELD || form == FORM_FRAME;
        if (form == FORM_TEXT && snapshot_layout(tree, node)) {
            strbuf_add_string(&text, tree->nodes[node].text ? tree->nodes[node].text : "");
        } else if (form == FORM_BREAK) {
            strbuf_add(&text, "\n", 1);
        } else if (form == FORM_BLOCK || form == FORM_ITEM) {
            add_line_end(&text);
        }
        if (language.length == 0 && tree->nodes[node].tag == TAG_CODE) {
            find_language(tree, node, &language);
        }
        node = is_skipped ? snapshot_skip(tree, node, root) : snapshot_next(tree, node, root);
    }
    markdown_block(&markdown->writer, 2);
    markdown_fence(&markdown->writer, language.data, text.data);
    markdown_block(&markdown->writer, 2);
}

bool markdown_leaf(struct markdown *markdown, int node, enum markdown_form form)
{
    switch (form) {
    case FORM_NOTHING:
        return true;
    case FORM_LEFT_OUT:
        markdown_marker(markdown, "left out: data-no-ai", SNAPSHOT_NONE);
        return true;
    case FORM_TEXT:
        add_text(markdown, node);
        return true;
    case FORM_GENERATED:
        add_generated(markdown, node);
        return true;
    case FORM_BREAK:
        markdown_break(&markdown->writer);
        return true;
    case FORM_RULE:
        markdown_block(&markdown->writer, 2);
        if (markdown->writer.one_line == 0) {
            markdown_raw(&markdown->writer, "---");
        }
        markdown_block(&markdown->writer, 2);
        return true;
    case FORM_PREFORMATTED:
        if (markdown->writer.one_line > 0) {
            return false;
        }
        add_preformatted(markdown, node);
        return true;
    case FORM_IMAGE:
        add_image(markdown, node);
        return true;
    case FORM_FIELD:
        markdown_field(markdown, node);
        return true;
    default:
        return false;
    }
}
