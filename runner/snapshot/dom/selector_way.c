#include "runner/snapshot/dom/selector_way.h"

#include "runner/base/memory.h"
#include "runner/base/unicode.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Bytes of an attribute value in a selector. */
enum { MAX_VALUE = 120 };

/*
 * Escapes an invisible character at name[*i], and moves *i to its last byte: selectors are also
 * read by people.
 */
static bool escape_unseen(struct strbuf *text, const char *name, size_t *i)
{
    const char *at = name + *i;
    uint32_t character = unicode_decode(&at);
    if (!unicode_is_deceptive(character)) {
        return false;
    }
    strbuf_add_format(text, "\\%x ", (unsigned)character);
    *i = (size_t)(at - name) - 1;
    return true;
}

/* Escapes an identifier like CSS.escape(). */
static void add_identifier(struct strbuf *text, const char *name)
{
    for (size_t i = 0; name[i]; i++) {
        unsigned char character = (unsigned char)name[i];
        bool is_first = i == 0 || (i == 1 && name[0] == '-');
        if (escape_unseen(text, name, &i)) {
            continue;
        }
        if (character < 0x20 || (isdigit(character) && is_first)) {
            strbuf_add_format(text, "\\%x ", character);
        } else if (character == '-' && i == 0 && !name[1]) {
            strbuf_add_string(text, "\\-");
        } else if (character == '<' || character == '|') {
            strbuf_add_format(text, "\\%x ", character);
        } else if (character >= 0x80 || isalnum(character) || character == '-' ||
                   character == '_') {
            strbuf_add(text, name + i, 1);
        } else {
            strbuf_add(text, "\\", 1);
            strbuf_add(text, name + i, 1);
        }
    }
}

void selector_add_string(struct strbuf *text, const char *value)
{
    strbuf_add(text, "\"", 1);
    for (size_t i = 0; value[i]; i++) {
        unsigned char character = (unsigned char)value[i];
        if (escape_unseen(text, value, &i)) {
            continue;
        }
        if (character < 0x20 || strchr("<>|`", character)) {
            strbuf_add_format(text, "\\%x ", character);
        } else {
            strbuf_add(text, "\\", character == '"' || character == '\\' ? 1 : 0);
            strbuf_add(text, value + i, 1);
        }
    }
    strbuf_add(text, "\"", 1);
}

/* HTML names are upper case in the reply, SVG names as written. */
void selector_add_tag(const struct snapshot_tree *tree, int node, struct strbuf *text)
{
    const struct snapshot_node *self = &tree->nodes[node];
    if (self->is_svg) {
        add_identifier(text, self->name);
        return;
    }
    CLEANUP_FREE char *name = xstrdup(self->name ? self->name : "");
    for (char *character = name; *character; character++) {
        *character = (char)tolower((unsigned char)*character);
    }
    add_identifier(text, name);
}

static bool is_usable(const char *value)
{
    return value && *value && strlen(value) <= MAX_VALUE;
}

static bool add_attribute(const struct snapshot_tree *tree, int node, const char *name,
                          bool has_tag, struct strbuf *text)
{
    const char *value = snapshot_attribute(tree, node, name);
    if (!is_usable(value)) {
        return false;
    }
    if (has_tag) {
        selector_add_tag(tree, node, text);
    }
    strbuf_add_format(text, "[%s=", name);
    selector_add_string(text, value);
    strbuf_add(text, "]", 1);
    return true;
}

/* The value of other inputs may be text typed by a person. */
static bool is_chosen_by_value(const struct snapshot_tree *tree, int node)
{
    const char *type = snapshot_attribute(tree, node, "type");
    return tree->nodes[node].tag == TAG_INPUT && type &&
           (strcasecmp(type, "radio") == 0 || strcasecmp(type, "checkbox") == 0);
}

bool selector_add_way(const struct snapshot_tree *tree, int node, enum selector_way way,
                      struct strbuf *text)
{
    static const char *const test_ids[] = { "data-testid", "data-test-id", "data-test", "data-cy" };
    const char *id = NULL;
    switch (way) {
    case WAY_ID:
        id = snapshot_attribute(tree, node, "id");
        if (!is_usable(id)) {
            return false;
        }
        strbuf_add(text, "#", 1);
        add_identifier(text, id);
        return true;
    case WAY_TEST_ID:
        for (size_t i = 0; i < sizeof(test_ids) / sizeof(test_ids[0]); i++) {
            if (add_attribute(tree, node, test_ids[i], false, text)) {
                return true;
            }
        }
        return false;
    case WAY_NAME:
        return add_attribute(tree, node, "name", true, text);
    case WAY_NAME_AND_VALUE:
        return is_chosen_by_value(tree, node) &&
               is_usable(snapshot_attribute(tree, node, "value")) &&
               add_attribute(tree, node, "name", true, text) &&
               add_attribute(tree, node, "value", false, text);
    case WAY_LABEL:
    default:
        return add_attribute(tree, node, "aria-label", true, text);
    }
}
