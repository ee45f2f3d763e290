#include "runner/snapshot/markdown/annotation.h"

#include "runner/base/unicode.h"
#include "runner/snapshot/markdown/address.h"
#include "runner/snapshot/markdown/control.h"

#include <string.h>
#include <strings.h>

void markdown_annotate(struct markdown *markdown, int node)
{
    const char *control =
        markdown->how->has_no_annotations ? NULL : markdown_control(markdown, node);
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_format(&text, "<!--%s:", control ? control : "");
    if (control && selector_add(markdown->selectors, node, &text)) {
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

/* Percent-encodes what could end the address, and what it must not hold. */
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
    add_address(markdown, address.data);
    markdown_glue(&markdown->writer, ")");
}

/* "<!-- form-start: SELECTOR -->" */
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
