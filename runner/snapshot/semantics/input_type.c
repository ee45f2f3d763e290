#include "runner/snapshot/semantics/input_type.h"

#include <strings.h>

static const struct {
    const char *type;
    enum snapshot_role role;
} inputs[] = {
    { "button", ROLE_BUTTON },
    { "checkbox", ROLE_CHECKBOX },
    { "color", ROLE_COLOR_WELL },
    { "date", ROLE_DATE },
    { "datetime-local", ROLE_DATE_TIME },
    { "file", ROLE_BUTTON },
    { "hidden", ROLE_UNKNOWN },
    { "image", ROLE_BUTTON },
    { "month", ROLE_DATE_TIME },
    { "number", ROLE_SPINBUTTON },
    { "radio", ROLE_RADIO },
    { "range", ROLE_SLIDER },
    { "reset", ROLE_BUTTON },
    { "search", ROLE_SEARCHBOX },
    { "submit", ROLE_BUTTON },
    { "time", ROLE_INPUT_TIME },
    { "week", ROLE_DATE_TIME },
};

enum snapshot_role snapshot_input_role(const struct snapshot_facts *facts, int node)
{
    const char *type = snapshot_get(&facts->attributes, node, ATTRIBUTE_TYPE);
    enum snapshot_role role = ROLE_TEXTBOX;
    for (size_t i = 0; type && i < sizeof(inputs) / sizeof(inputs[0]); i++) {
        role = strcasecmp(type, inputs[i].type) == 0 ? inputs[i].role : role;
    }
    return role;
}

bool snapshot_takes_text(const struct snapshot_facts *facts, int node)
{
    enum snapshot_tag tag = facts->tree->nodes[node].tag;
    enum snapshot_role role = tag == TAG_INPUT ? snapshot_input_role(facts, node) : ROLE_UNKNOWN;
    return tag == TAG_TEXTAREA || role == ROLE_TEXTBOX || role == ROLE_SEARCHBOX ||
           role == ROLE_SPINBUTTON;
}

bool snapshot_takes_date(const struct snapshot_facts *facts, int node)
{
    enum snapshot_tag tag = facts->tree->nodes[node].tag;
    enum snapshot_role role = tag == TAG_INPUT ? snapshot_input_role(facts, node) : ROLE_UNKNOWN;
    return role == ROLE_DATE || role == ROLE_DATE_TIME || role == ROLE_INPUT_TIME;
}
