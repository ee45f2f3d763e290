#include "runner/snapshot/markdown/annotation.h"

#include "runner/base/unicode.h"
#include "runner/base/url_parts.h"
#include "runner/snapshot/markdown/control.h"

#include <string.h>
#include <strings.h>

/* Returns whether the value can stand in quotes inside a comment. */
static bool is_plain(const char *value)
{
    return value && *value && !strpbrk(value, "\"\\<>|\r\n") && !strstr(value, "--");
}

static bool is_radio_of(const struct snapshot_tree *tree, int node, const char *name,
                        const char *value)
{
    if (tree->nodes[node].tag != TAG_INPUT) {
        return false;
    }
    const char *type = snapshot_attribute(tree, node, "type");
    const char *own_name = snapshot_attribute(tree, node, "name");
    const char *own_value = snapshot_attribute(tree, node, "value");
    return type && strcasecmp(type, "radio") == 0 && own_name && own_value &&
           strcmp(own_name, name) == 0 && strcmp(own_value, value) == 0;
}

/* Adds `[name="size"][value="M"]` for a radio button if that is unique; otherwise false. */
static bool add_radio(const struct snapshot_tree *tree, int node, struct strbuf *text)
{
    const char *name = snapshot_attribute(tree, node, "name");
    const char *value = snapshot_attribute(tree, node, "value");
    int count = 0;
    if (snapshot_attribute(tree, node, "id") || !is_plain(name) || !is_plain(value) ||
        !is_radio_of(tree, node, name, value)) {
        return false;
    }
    for (int i = 0; i < tree->node_count && count < 2; i++) {
        count += is_radio_of(tree, i, name, value);
    }
    if (count == 1) {
        strbuf_add_format(text, "[name=\"%s\"][value=\"%s\"]", name, value);
    }
    return count == 1;
}

static bool is_label_of(const struct snapshot_tree *tree, int node, const char *id)
{
    const char *own_id =
        tree->nodes[node].tag == TAG_LABEL ? snapshot_attribute(tree, node, "for") : NULL;
    return own_id && strcmp(own_id, id) == 0;
}

/* Adds `label[for="name"]` for a label if that is unique; otherwise false. */
static bool add_label(const struct snapshot_tree *tree, int node, struct strbuf *text)
{
    const char *id = snapshot_attribute(tree, node, "for");
    int count = 0;
    if (snapshot_attribute(tree, node, "id") || !is_plain(id) || !is_label_of(tree, node, id)) {
        return false;
    }
    for (int i = 0; i < tree->node_count && count < 2; i++) {
        count += is_label_of(tree, i, id);
    }
    if (count == 1) {
        strbuf_add_format(text, "label[for=\"%s\"]", id);
    }
    return count == 1;
}

void markdown_annotate(struct markdown *markdown, int node)
{
    enum markdown_style style = markdown->how->style;
    const char *control =
        markdown->how->has_no_annotations ? NULL : markdown_control(markdown, node);
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    if (!control) {
        return;
    }
    strbuf_add_string(&text, "<!--");
    if (style != MARKDOWN_BARE) {
        strbuf_add_format(
            &text, "%s:", style == MARKDOWN_ROLES ? control : markdown_typed(markdown, node));
    }
    if ((style != MARKDOWN_ROLES &&
         (add_radio(markdown->tree, node, &text) || add_label(markdown->tree, node, &text))) ||
        selector_add(markdown->selectors, node, &text)) {
        strbuf_add_string(&text, "-->");
        markdown_glue(&markdown->writer, text.data);
    }
}

void markdown_set_apart(struct markdown *markdown, int node)
{
    const struct snapshot_layout *layout = snapshot_layout(markdown->tree, node);
    if (layout && layout->display == DISPLAY_BLOCK) {
        markdown_block(&markdown->writer, 1);
    } else if (layout && layout->display != DISPLAY_INLINE) {
        markdown_space(&markdown->writer);
    }
}

void markdown_states(struct markdown *markdown, int node)
{
    const struct node_semantics *semantics = &markdown->semantics->nodes[node];
    const struct {
        bool is_so;
        const char *name;
    } states[] = {
        { semantics->checked == CHECK_TRUE, "checked" },
        { semantics->checked == CHECK_MIXED, "mixed" },
        { semantics->pressed == CHECK_TRUE, "pressed" },
        { semantics->selected == CHECK_TRUE, "selected" },
        { semantics->expanded == CHECK_TRUE, "expanded" },
        { semantics->is_required, "required" },
        { semantics->is_readonly, "readonly" },
        { semantics->is_invalid, "invalid" },
        { semantics->is_disabled, "disabled" },
    };
    const char *before = " (";
    for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
        if (states[i].is_so) {
            markdown_glue(&markdown->writer, before);
            markdown_glue(&markdown->writer, states[i].name);
            before = ", ";
        }
    }
    if (*before == ',') {
        markdown_glue(&markdown->writer, ")");
    }
}

/* Percent-encodes characters that could end the address or are not allowed in it. */
static void add_address(struct markdown *markdown, const char *address)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    while (*address) {
        const char *begin = address;
        uint32_t character = unicode_decode(&address);
        bool is_encoded = character <= ' ' || unicode_is_deceptive(character) ||
                          (character < 0x80 && strchr("<>()\\|\"`", (int)character));
        for (; begin < address; begin++) {
            if (is_encoded) {
                strbuf_add_format(&text, "%%%02X", (unsigned)(unsigned char)*begin);
            } else {
                strbuf_add(&text, begin, 1);
            }
        }
    }
    markdown_glue(&markdown->writer, text.data);
}

/*
 * Removes the part that an address has in common with the page's own, as BROP does: "/cart",
 * "#top". Borrowed from the address.
 */
static const char *without_page(const struct markdown *markdown, const char *address)
{
    const char *page = markdown->tree->documents[0].url;
    size_t origin = page ? url_origin_length(page) : 0;
    size_t whole = page ? strcspn(page, "#") : 0;
    if (markdown->how->style == MARKDOWN_ROLES || origin == 0 ||
        strncmp(address, page, origin) != 0 || address[origin] != '/') {
        return address;
    }
    bool is_within = strncmp(address, page, whole) == 0 && address[whole] == '#';
    return address + (is_within ? whole : origin);
}

void markdown_address(struct markdown *markdown, int node, const char *reference)
{
    static const char *const long_ones[] = { "data:", "javascript:", "blob:" };
    const struct snapshot_tree *tree = markdown->tree;
    const char *base = tree->documents[tree->nodes[node].document].base_url;
    CLEANUP_STRBUF struct strbuf address = STRBUF_INIT(STRBUF_UNCAPPED);
    address_resolve(base ? base : "", reference ? reference : "", &address);
    markdown_glue(&markdown->writer, "(");
    for (size_t i = 0; i < sizeof(long_ones) / sizeof(long_ones[0]); i++) {
        if (strncasecmp(address.data, long_ones[i], strlen(long_ones[i])) == 0) {
            strbuf_clear(&address);
            strbuf_add_string(&address, long_ones[i]);
        }
    }
    add_address(markdown, without_page(markdown, address.data));
    markdown_glue(&markdown->writer, ")");
}

void markdown_marker(struct markdown *markdown, const char *name, int node)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    markdown_block(&markdown->writer, 2);
    if (markdown->how->has_no_annotations) {
        return;
    }
    strbuf_add_format(&text, "<!-- %s", name);
    if (node != SNAPSHOT_NONE) {
        size_t before = text.length;
        strbuf_add_string(&text, ": ");
        if (!selector_add(markdown->selectors, node, &text)) {
            text.length = before;
        }
    }
    strbuf_add_string(&text, " -->");
    markdown_raw(&markdown->writer, text.data);
    markdown_block(&markdown->writer, 2);
}
