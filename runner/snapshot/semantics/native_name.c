#include "runner/snapshot/semantics/facts.h"

#include "runner/snapshot/semantics/input_type.h"
#include "runner/snapshot/semantics/references.h"

#include <string.h>
#include <strings.h>

/* Default texts of form buttons without a value, in Chrome's language, which we set. */
static const struct {
    const char *type, *text;
} defaults[] = { { "submit", "Submit" }, { "reset", "Reset" } };

static const char *filled(const struct snapshot_facts *facts, int node,
                          enum snapshot_attribute_number number)
{
    const char *value = snapshot_get(&facts->attributes, node, number);
    return value && value[0] != '\0' ? value : NULL;
}

bool snapshot_is_text_button(const struct snapshot_facts *facts, int node)
{
    return snapshot_is_input(facts, node, "button") || snapshot_is_input(facts, node, "submit") ||
           snapshot_is_input(facts, node, "reset");
}

static const char *image_button(const struct snapshot_facts *facts, int node)
{
    static const uint8_t sources[] = { ATTRIBUTE_ALT, ATTRIBUTE_VALUE, ATTRIBUTE_TITLE };
    for (size_t i = 0; i < sizeof(sources); i++) {
        const char *text = filled(facts, node, (enum snapshot_attribute_number)sources[i]);
        if (text) {
            return text;
        }
    }
    return "Submit";
}

static const char *input_name(const struct snapshot_facts *facts, int node)
{
    if (snapshot_is_input(facts, node, "image")) {
        return image_button(facts, node);
    }
    if (snapshot_is_input(facts, node, "file")) {
        return snapshot_has(&facts->attributes, node, ATTRIBUTE_MULTIPLE) ? "Choose Files"
                                                                          : "Choose File";
    }
    bool is_button = snapshot_is_input(facts, node, "button");
    for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++) {
        if (snapshot_is_input(facts, node, defaults[i].type)) {
            const char *value = snapshot_get(&facts->attributes, node, ATTRIBUTE_VALUE);
            return value ? value : defaults[i].text;
        }
    }
    return is_button ? snapshot_get(&facts->attributes, node, ATTRIBUTE_VALUE) : NULL;
}

const char *snapshot_native_name(const struct snapshot_facts *facts, int node)
{
    switch (facts->tree->nodes[node].tag) {
    case TAG_INPUT:
        return input_name(facts, node);
    case TAG_AREA:
    case TAG_IMG:
        return filled(facts, node, ATTRIBUTE_ALT);
    case TAG_OPTGROUP:
    case TAG_OPTION:
        return filled(facts, node, ATTRIBUTE_LABEL);
    case TAG_TABLE:
        return filled(facts, node, ATTRIBUTE_SUMMARY);
    case TAG_A:
        return facts->tree->nodes[node].is_svg ? filled(facts, node, ATTRIBUTE_XLINK_TITLE) : NULL;
    default:
        return NULL;
    }
}

bool snapshot_has_empty_name(const struct snapshot_facts *facts, int node)
{
    bool is_image = facts->tree->nodes[node].tag == TAG_IMG;
    const char *text = is_image ? snapshot_get(&facts->attributes, node, ATTRIBUTE_ALT) : NULL;
    if (snapshot_is_text_button(facts, node)) {
        text = snapshot_get(&facts->attributes, node, ATTRIBUTE_VALUE);
    }
    return text && text[strspn(text, " \t\n\f\r")] == '\0';
}

const char *snapshot_placeholder(const struct snapshot_facts *facts, int node)
{
    enum snapshot_role role = facts->semantics[node].role;
    bool is_field = snapshot_takes_text(facts, node);
    const char *text = is_field ? filled(facts, node, ATTRIBUTE_PLACEHOLDER) : NULL;
    bool is_given = is_field || role == ROLE_TEXTBOX || role == ROLE_SEARCHBOX;
    return text || !is_given ? text : filled(facts, node, ATTRIBUTE_ARIA_PLACEHOLDER);
}

/* Returns what <use> shows; the reply does not follow the reference. */
static int used_by(const struct snapshot_facts *facts, int node)
{
    const char *href = filled(facts, node, ATTRIBUTE_HREF);
    href = href ? href : filled(facts, node, ATTRIBUTE_XLINK_HREF);
    return href && href[0] == '#' ? snapshot_facts_find(facts, node, href + 1, strlen(href + 1))
                                  : SNAPSHOT_NONE;
}

int snapshot_naming_child(const struct snapshot_facts *facts, int node)
{
    const struct snapshot_node *it = &facts->tree->nodes[node];
    if (it->tag == TAG_SVG && facts->semantics[node].role == ROLE_NONE) {
        return SNAPSHOT_NONE;
    }
    if (it->is_svg) {
        int title = snapshot_facts_child(facts, node, TAG_TITLE);
        bool is_other = title == SNAPSHOT_NONE && it->tag == TAG_USE;
        int used = is_other ? used_by(facts, node) : SNAPSHOT_NONE;
        return used == SNAPSHOT_NONE ? title : snapshot_facts_child(facts, used, TAG_TITLE);
    }
    return it->tag == TAG_FIELDSET ? snapshot_facts_child(facts, node, TAG_LEGEND)
           : it->tag == TAG_TABLE  ? snapshot_facts_child(facts, node, TAG_CAPTION)
                                   : SNAPSHOT_NONE;
}

const char *snapshot_value_in_name(const struct snapshot_facts *facts, int node)
{
    const struct node_semantics *semantics = &facts->semantics[node];
    return snapshot_role_is(semantics->role, SHOWS_VALUE_IN_NAMES) ? semantics->value : NULL;
}

bool snapshot_is_named_by_content(const struct snapshot_facts *facts, int node)
{
    const struct node_semantics *semantics = &facts->semantics[node];
    return !semantics->is_editable &&
           (snapshot_role_is(semantics->role, IS_NAMED_BY_CONTENT) ||
            (semantics->role == ROLE_ROW && snapshot_fact(facts, node, FACT_IN_GRID)));
}

bool snapshot_gives_content(const struct snapshot_facts *facts, int node)
{
    enum snapshot_role role = facts->semantics[node].role;
    enum snapshot_tag tag = facts->tree->nodes[node].tag;
    return snapshot_role_is(role, IS_PART_OF_NAMES) || snapshot_is_named_by_content(facts, node) ||
           (role == ROLE_CONTENTINFO && tag == TAG_FOOTER) ||
           (role == ROLE_GROUP && (tag == TAG_DETAILS || tag == TAG_ADDRESS));
}
