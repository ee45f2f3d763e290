#include "runner/snapshot/markdown/control.h"

#include <strings.h>

static bool is_one_of(const char *value, const char *const *names)
{
    for (; *names; names++) {
        if (strcasecmp(value, *names) == 0) {
            return true;
        }
    }
    return false;
}

const char *markdown_input_type(const struct markdown *markdown, int node)
{
    const char *type = snapshot_attribute(markdown->tree, node, "type");
    return type && *type ? type : "text";
}

bool markdown_is_button_input(const struct markdown *markdown, int node)
{
    static const char *const types[] = { "button", "submit", "reset", "image", NULL };
    return is_one_of(markdown_input_type(markdown, node), types);
}

static const char *input_control(const struct markdown *markdown, int node)
{
    const char *type = markdown_input_type(markdown, node);
    return strcasecmp(type, "hidden") == 0            ? NULL
           : strcasecmp(type, "checkbox") == 0        ? "checkbox"
           : strcasecmp(type, "radio") == 0           ? "radio"
           : markdown_is_button_input(markdown, node) ? "button"
                                                      : "input";
}

/* For MARKDOWN_TYPES. Static. */
static const char *typed_input(const char *type)
{
    static const char *const types[] = {
        "button", "checkbox", "color",  "date",     "datetime-local", "email", "file",
        "image",  "month",    "number", "password", "radio",          "range", "reset",
        "search", "submit",   "tel",    "text",     "time",           "url",   "week",
    };
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (strcasecmp(types[i], type) == 0) {
            return types[i];
        }
    }
    return "text";
}

const char *markdown_typed(const struct markdown *markdown, int node)
{
    const struct snapshot_node *self = &markdown->tree->nodes[node];
    switch (self->tag) {
    case TAG_INPUT:
        return typed_input(markdown_input_type(markdown, node));
    case TAG_TEXTAREA:
        return "textarea";
    case TAG_SELECT:
        return snapshot_attribute(markdown->tree, node, "multiple") ? "select-multiple"
                                                                    : "select-one";
    case TAG_BUTTON:
    case TAG_SUMMARY:
        return "button";
    case TAG_LABEL:
        return "label";
    case TAG_A:
        return snapshot_attribute(markdown->tree, node, "href") ? "link" : "clickable";
    default:
        return "clickable";
    }
}

/*
 * For MARKDOWN_TYPES: a label beside its control can be clicked; one around the control adds
 * nothing.
 */
static bool is_label(const struct markdown *markdown, int node)
{
    const struct snapshot_tree *tree = markdown->tree;
    if (markdown->how->style == MARKDOWN_ROLES || tree->nodes[node].tag != TAG_LABEL) {
        return false;
    }
    int inner = snapshot_next(tree, node, node);
    while (inner != SNAPSHOT_NONE && !markdown_is_field(markdown, inner)) {
        inner = snapshot_next(tree, inner, node);
    }
    return inner == SNAPSHOT_NONE;
}

const char *markdown_control(const struct markdown *markdown, int node)
{
    const struct snapshot_node *self = &markdown->tree->nodes[node];
    const struct node_semantics *semantics = &markdown->semantics->nodes[node];
    if (self->kind != SNAPSHOT_ELEMENT || self->shadow == SNAPSHOT_USER_AGENT ||
        semantics->is_hidden) {
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
    if (semantics->is_editable) {
        return "textbox";
    }
    return snapshot_role_is(semantics->role, IS_OPERABLE) ? snapshot_role_name(semantics->role)
           : semantics->role == ROLE_LINK                 ? "link"
           : semantics->category == CATEGORY_INTERACTIVE  ? "clickable"
           : is_label(markdown, node)                     ? "label"
                                                          : NULL;
}

bool markdown_is_field(const struct markdown *markdown, int node)
{
    enum snapshot_tag tag = markdown->tree->nodes[node].tag;
    return tag == TAG_TEXTAREA || tag == TAG_SELECT || tag == TAG_INPUT;
}

bool markdown_is_button(const struct markdown *markdown, int node)
{
    enum snapshot_tag tag = markdown->tree->nodes[node].tag;
    return tag == TAG_BUTTON || tag == TAG_SUMMARY ||
           snapshot_role_is(markdown->semantics->nodes[node].role, IS_PRESSED);
}
