#include "runner/actions/validate.h"

#include "runner/actions/param_cure.h"
#include "runner/actions/rules.h"
#include "runner/actions/synonyms.h"
#include "runner/actions/word.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/names.h"

enum { MAX_KNOWN_NAMES = 64 };

static bool unknown_param(const struct br_action *action, const struct action_type *type,
                          const char *name, struct br_error *err)
{
    const char *known[MAX_KNOWN_NAMES];
    size_t count = 0;
    struct action_tables tables = action_type_tables(type);
    for (size_t i = 0; i < PARAM_TABLES; i++) {
        for (const struct param *row = tables.params[i]; row && row->name; row++) {
            known[count++] = row->name;
        }
    }
    param_error(action, name, err, "is not a parameter of this action");
    const struct synonym *synonym = synonym_find(param_synonyms, name);
    while (synonym &&
           (!action_type_param(type, synonym->known) || param_is_given(action, synonym->known))) {
        synonym = synonym_find(synonym + 1, name);
    }
    return synonym ? synonym_hint(synonym, err) : names_hint(name, known, count, err);
}

/* In a provider's strict mode models give every parameter a value: null means absent. */
static void drop_nulls(struct br_action *action, const struct action_type *type)
{
    const char *name;
    json_t *value;
    void *next;
    json_object_foreach_safe(action->params, next, name, value)
    {
        const struct param *param = action_type_param(type, name);
        if (json_is_null(value) && param && param->kind != PARAM_CLOCK) {
            json_object_del(action->params, name);
        }
    }
}

static bool check_rows(struct br_action *action, const struct action_type *type,
                       struct br_error *err)
{
    const char *name;
    json_t *value;
    if (action->call != CALL_NONE) {
        drop_nulls(action, type);
    }
    json_object_foreach (action->params, name, value) {
        if (!action_type_param(type, name)) {
            return unknown_param(action, type, name, err);
        }
    }
    struct action_tables tables = action_type_tables(type);
    for (size_t i = 0; i < PARAM_TABLES; i++) {
        for (const struct param *row = tables.params[i]; row && row->name; row++) {
            /* An action's own row replaces the common one of that name. */
            if (action_type_param(type, row->name) == row && !param_check(action, row, err)) {
                return false;
            }
        }
    }
    return true;
}

/* Rejects an id that no snapshot can have contained. */
static bool check_node(const struct br_action *action, struct br_error *err)
{
    const char *node = param_text(action, "node", NULL);
    if (!node || snapshot_id_parse(node)) {
        return true;
    }
    param_error(action, "node", err, "\"%s\" is not an id of a snapshot", node);
    CLEANUP_FREE char *cure = param_cure_node(node);
    return error_hint(err, "take a snapshot, and use an id from it, such as %s",
                      cure ? cure : "e12");
}

bool action_validate_as(struct br_action *action, const struct action_type *type,
                        struct br_error *err)
{
    action->kind = NULL;
    if (!check_rows(action, type, err) || !word_resolve(action, type, err) ||
        !check_node(action, err)) {
        return false;
    }
    struct action_tables tables = action_type_tables(type);
    for (size_t i = 0; i < RULE_TABLES; i++) {
        if (!rules_check(action, type, tables.rules[i], err)) {
            return false;
        }
    }
    action->kind = type;
    if (type->validate && !type->validate(action, err)) {
        action->kind = NULL;
    }
    return action->kind;
}
