#include "runner/snapshot/semantics/text_alternative.h"

#include "runner/base/strbuf.h"

#include <string.h>

/* Nodes searched for selected options; ARIA lists may be nested. */
enum { MOST_OPTIONS = 50000, MOST_OPTIONS_OF_ARIA = 2000 };

static const char *option_text(struct snapshot_naming *naming, const struct snapshot_facts *facts,
                               int option, int list)
{
    const char *label = snapshot_get(&facts->attributes, option, ATTRIBUTE_ARIA_LABEL);
    label = label && label[0] != '\0' ? label
                                      : snapshot_get(&facts->attributes, option, ATTRIBUTE_LABEL);
    return label && label[0] != '\0' ? label : snapshot_naming_value(naming, option, list);
}

static bool is_chosen(const struct snapshot_facts *facts, int node, bool is_native)
{
    const struct snapshot_node *it = &facts->tree->nodes[node];
    return is_native ? it->tag == TAG_OPTION && it->is_selected
                     : facts->semantics[node].role == ROLE_OPTION &&
                           snapshot_is(&facts->attributes, node, ATTRIBUTE_ARIA_SELECTED, "true");
}

/*
 * Returns the selected options, joined by commas; of a widget that shows some of them, only these.
 */
static const char *chosen(struct snapshot_naming *naming, const struct snapshot_facts *facts,
                          int list, bool is_shown)
{
    bool is_native = facts->tree->nodes[list].tag == TAG_SELECT;
    CLEANUP_STRBUF struct strbuf all = STRBUF_INIT(SNAPSHOT_NAME_LIMIT);
    int left = is_native ? MOST_OPTIONS : MOST_OPTIONS_OF_ARIA;
    for (int i = snapshot_next(facts->tree, list, list); i != SNAPSHOT_NONE && left-- > 0;
         i = snapshot_next(facts->tree, i, list)) {
        bool is_looked_for = !is_shown || !snapshot_fact(facts, i, FACT_UNSEEN);
        const char *text = is_looked_for && is_chosen(facts, i, is_native) &&
                                   !snapshot_is_kept_from(facts, i, list)
                               ? option_text(naming, facts, i, list)
                               : NULL;
        if (text) {
            strbuf_add_string(&all, all.length > 0 ? ", " : "");
            strbuf_add_string(&all, text);
        }
    }
    return all.length == 0 ? NULL : arena_copy(facts->arena, all.data, all.length);
}

/*
 * For an ARIA widget: what it shows has precedence over its hidden options, which may be the same.
 */
static const char *chosen_of_aria(struct snapshot_naming *naming,
                                  const struct snapshot_facts *facts, int list)
{
    const char *text = chosen(naming, facts, list, true);
    return text ? text : chosen(naming, facts, list, false);
}

static const char *filled(const char *value)
{
    return value && value[0] != '\0' ? value : NULL;
}

/* Returns the value that is an element's text, not an attribute. */
static const char *written(struct snapshot_naming *naming, const struct snapshot_facts *facts,
                           int node)
{
    enum snapshot_role role = facts->semantics[node].role;
    bool is_written = role == ROLE_TEXTBOX || role == ROLE_SEARCHBOX || role == ROLE_COMBOBOX ||
                      facts->semantics[node].is_editable;
    return !is_written             ? NULL
           : role == ROLE_COMBOBOX ? snapshot_naming_value(naming, node, node)
                                   : snapshot_naming_content(naming, node, node);
}

static const char *range(const struct snapshot_facts *facts, int node)
{
    const struct snapshot_node *it = &facts->tree->nodes[node];
    const char *text = filled(snapshot_get(&facts->attributes, node, ATTRIBUTE_ARIA_VALUETEXT));
    if (it->tag == TAG_INPUT && !text) {
        text = filled(it->value);
    }
    text = text ? text : filled(snapshot_get(&facts->attributes, node, ATTRIBUTE_ARIA_VALUENOW));
    bool is_native = it->tag == TAG_METER || it->tag == TAG_PROGRESS;
    return text || !is_native ? text
                              : filled(snapshot_get(&facts->attributes, node, ATTRIBUTE_VALUE));
}

const char *snapshot_value(struct snapshot_naming *naming, const struct snapshot_facts *facts,
                           int node)
{
    const struct snapshot_node *it = &facts->tree->nodes[node];
    const struct node_semantics *semantics = &facts->semantics[node];
    if (semantics->is_private || snapshot_fact(facts, node, FACT_UNRENDERED)) {
        return NULL;
    }
    if (it->tag == TAG_SELECT) {
        return chosen(naming, facts, node, false);
    }
    if (snapshot_role_is(semantics->role, IS_RANGE)) {
        return range(facts, node);
    }
    if (snapshot_role_is(semantics->role, HAS_NO_VALUE)) {
        return snapshot_is_input(facts, node, "file") ? filled(it->value) : NULL;
    }
    if (semantics->role == ROLE_LISTBOX) {
        return chosen_of_aria(naming, facts, node);
    }
    if (it->tag == TAG_INPUT || it->tag == TAG_TEXTAREA) {
        return filled(it->value);
    }
    const char *text =
        semantics->role == ROLE_COMBOBOX ? chosen_of_aria(naming, facts, node) : NULL;
    return text ? text : written(naming, facts, node);
}
