#include "runner/actions/action_type.h"

#include "runner/actions/shared_params.h"

#include <string.h>

/* The ways to name an element; some types have `text` in addition. */
static const char *const ways[] = {
    "node", "selector", "element", "testId", "role", "targets", NULL
};

static const struct param *find_row(const struct param *rows, const char *name)
{
    while (rows && rows->name && strcmp(rows->name, name) != 0) {
        rows++;
    }
    return rows && rows->name ? rows : NULL;
}

bool action_type_is_by_text(const struct action_type *type)
{
    return type->names != NAMES_NOTHING && !find_row(type->params, "text");
}

struct action_tables action_type_tables(const struct action_type *type)
{
    bool is_place = type->names == NAMES_PLACE || type->names == NAMES_PLACE_OR_NOTHING;
    bool is_element = type->names == NAMES_ELEMENT || type->names == NAMES_ELEMENT_OR_NOTHING;
    return (struct action_tables){
        .params = { type->params, is_element || is_place ? shared_element_params : NULL,
                    action_type_is_by_text(type) ? shared_text_params : NULL,
                    is_place ? shared_place_params : NULL, shared_common_params },
        .rules = { type->names == NAMES_ELEMENT ? shared_needed_element_rules : NULL,
                   is_element ? shared_element_rules : NULL, is_place ? shared_place_rules : NULL,
                   type->names == NAMES_PLACE ? shared_needed_place_rules : NULL, type->rules },
    };
}

const struct param *action_type_param(const struct action_type *type, const char *name)
{
    struct action_tables tables = action_type_tables(type);
    const struct param *row = NULL;
    for (size_t i = 0; i < PARAM_TABLES && !row; i++) {
        row = find_row(tables.params[i], name);
    }
    return row;
}

static size_t add_ways(const struct action_type *type, const struct param *ret_rows[RULE_NAMES])
{
    size_t count = 0;
    for (size_t i = 0; ways[i]; i++) {
        ret_rows[count++] = find_row(shared_element_params, ways[i]);
    }
    if (action_type_is_by_text(type)) {
        ret_rows[count++] = shared_text_params;
    }
    return count;
}

size_t action_type_names(const struct action_type *type, const char *list,
                         const struct param *ret_rows[RULE_NAMES])
{
    size_t count = 0;
    while (*list) {
        size_t length = strcspn(list, " ");
        char name[32] = "";
        memcpy(name, list, length < sizeof(name) ? length : sizeof(name) - 1);
        if (strcmp(name, "@element") == 0) {
            count += add_ways(type, ret_rows + count);
        } else if (strcmp(name, "@own") == 0) {
            for (const struct param *row = type->params; row->name; row++) {
                ret_rows[count++] = row;
            }
        } else {
            ret_rows[count++] = action_type_param(type, name);
        }
        list += length + strspn(list + length, " ");
    }
    return count;
}
