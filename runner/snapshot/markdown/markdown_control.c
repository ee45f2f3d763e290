#include "runner/snapshot/markdown/address.h"
#include "runner/base/unicode.h"
#include "runner/snapshot/markdown/markdown.h"

#include <string.h>
#include <strings.h>

enum { MAX_OPTIONS = 20 /* of a list, that are printed */ };

static bool is_one_of(const char *value, const char *const *names)
{
    for (; *names; names++) {
        if (strcasecmp(value, *names) == 0) {
            return true;
        }
    }
    return false;
}

static const char *input_type(const struct markdown *markdown, int node)
{
    const char *type = snapshot_attribute(markdown->tree, node, "type");
    return type && *type ? type : "text";
}

static bool is_button_input(const struct markdown *markdown, int node)
{
    static const char *const types[] = { "button", "submit", "reset", "image", NULL };
    return is_one_of(input_type(markdown, node), types);
}

static const char *input_control(const struct markdown *markdown, int node)
{
    const char *type = input_type(markdown, node);
    return strcasecmp(type, "hidden") == 0     ? NULL
           : strcasecmp(type, "checkbox") == 0 ? "checkbox"
           : strcasecmp(type, "radio") == 0    ? "radio"
           : is_button_input(markdown, node)   ? "button"
                                               : "input";
}

const char *markdown_control(const struct markdown *markdown, int node)
{
    const struct snapshot_node *self = &markdown->tree->nodes[node];
    const struct snapshot_meaning *meaning = &markdown->semantics->meanings[node];
    if (self->kind != SNAPSHOT_ELEMENT || self->shadow == SNAPSHOT_USER_AGENT ||
        meaning->is_hidden) {
        return NULL;
    }
    switch (self->tag) {
    case TAG_INPUT:
        return input_control(markdown, node);
    case TAG_TEXTAREA:
        return "textarea";
    case TAG_SELECT:
        return "select";
    case TAG_BUTTON:
    case TAG_SUMMARY:
        return "button";
    default:
        break;
    }
    if (meaning->is_editable) {
        return "textbox";
    }
    return snapshot_role_is_operable(meaning->role) ? snapshot_role_name(meaning->role)
           : meaning->role == ROLE_LINK             ? "link"
           : meaning->tier == TIER_INTERACTIVE      ? "clickable"
                                                    : NULL;
}

bool markdown_is_field(const struct markdown *markdown, int node)
{
    enum snapshot_tag tag = markdown->tree->nodes[node].tag;
    return tag == TAG_TEXTAREA || tag == TAG_SELECT || tag == TAG_INPUT;
}

bool markdown_is_button(const struct markdown *markdown, int node)
{
    static const enum snapshot_role roles[] = {
        ROLE_BUTTON,   ROLE_LINK,   ROLE_TAB,   ROLE_MENUITEM, ROLE_MENUITEMCHECKBOX,
        ROLE_CHECKBOX, ROLE_SWITCH, ROLE_RADIO, ROLE_OPTION,   ROLE_MENUITEMRADIO,
    };
    enum snapshot_tag tag = markdown->tree->nodes[node].tag;
    if (tag == TAG_BUTTON || tag == TAG_SUMMARY) {
        return true;
    }
    for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
        if (markdown->semantics->meanings[node].role == roles[i]) {
            return true;
        }
    }
    return false;
}

void markdown_annotate(struct markdown *markdown, int node)
{
    const char *control = markdown_control(markdown, node);
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
    const struct snapshot_meaning *meaning = &markdown->semantics->meanings[node];
    const struct {
        bool is_so;
        const char *name;
    } states[] = {
        { meaning->checked == CHECK_TRUE, "checked" },
        { meaning->checked == CHECK_MIXED, "mixed" },
        { meaning->pressed == CHECK_TRUE, "pressed" },
        { meaning->selected == CHECK_TRUE, "selected" },
        { meaning->expanded == CHECK_TRUE, "expanded" },
        { meaning->is_required, "required" },
        { meaning->is_readonly, "readonly" },
        { meaning->is_invalid, "invalid" },
        { meaning->is_disabled, "disabled" },
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
            const char *name = markdown->semantics->meanings[node].name;
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
        markdown_text(&markdown->writer, input_type(markdown, node));
    } else {
        markdown_text(&markdown->writer, tag == TAG_SELECT     ? "select"
                                         : tag == TAG_TEXTAREA ? "textarea"
                                                               : "textbox");
    }
}

void markdown_field(struct markdown *markdown, int node)
{
    struct markdown_writer *writer = &markdown->writer;
    const struct snapshot_meaning *meaning = &markdown->semantics->meanings[node];
    bool is_button =
        markdown->tree->nodes[node].tag == TAG_INPUT && is_button_input(markdown, node);
    bool is_named = !(meaning->name_from == NAME_FROM_ELEMENT && is_inside_label(markdown, node));
    markdown_set_apart(markdown, node);
    markdown_open(writer, "[");
    writer->one_line++;
    if (is_button) {
        markdown_text(writer, meaning->name ? meaning->name : input_type(markdown, node));
    } else {
        add_type(markdown, node);
        add_part(markdown, ":", is_named ? meaning->name : NULL);
    }
    writer->has_space = false;
    markdown_states(markdown, node);
    if (!is_button) {
        add_part(markdown, "; placeholder:", meaning->placeholder);
        bool has_value = !meaning->is_private && meaning->checked == CHECK_NONE;
        add_part(markdown, " =", has_value ? meaning->value : NULL);
    }
    if (markdown->tree->nodes[node].tag == TAG_SELECT) {
        add_options(markdown, node);
    }
    writer->one_line--;
    markdown_glue(writer, "]");
    markdown_annotate(markdown, node);
    markdown_set_apart(markdown, node);
}

/* Percent-encodes what could end the address, and what it must not hold. */
static void add_address(struct markdown *markdown, const char *address)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    while (*address) {
        const char *begin = address;
        uint32_t letter = letter_next(&address);
        bool is_encoded = letter <= ' ' || letter_is_treacherous(letter) ||
                          (letter < 0x80 && strchr("<>()\\|\"`", (int)letter));
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
