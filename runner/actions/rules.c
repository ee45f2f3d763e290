#include "runner/actions/rules.h"

#include "runner/base/error.h"

#include <string.h>

bool rule_lists(const char *list, const char *word)
{
    size_t length = strlen(word);
    while (*list) {
        size_t item = strcspn(list, " ");
        if (item == length && strncmp(list, word, length) == 0) {
            return true;
        }
        list += item + strspn(list + item, " ");
    }
    return false;
}

/*
 * Returns the value in the notation of rules, or "" if there is none; an absent parameter has its
 * default.
 */
static const char *written_value(const struct br_action *action, const struct param *row)
{
    const json_t *value = json_object_get(action->params, row->name);
    if (!value) {
        return row->default_value ? row->default_value : "";
    }
    return json_is_boolean(value)  ? (json_is_true(value) ? "true" : "false")
           : json_is_string(value) ? json_string_value(value)
                                   : "";
}

static bool holds_here(const struct br_action *action, const struct action_type *type,
                       const struct rule *rule)
{
    if (!rule->when) {
        return true;
    }
    if (!rule->is && !rule->is_not) {
        return param_is_given(action, rule->when);
    }
    const char *value = written_value(action, action_type_param(type, rule->when));
    return rule->is ? rule_lists(rule->is, value) : !rule_lists(rule->is_not, value);
}

/*
 * Returns whether the action violates the rule, and the parameter that the message is about, or
 * NULL for the action.
 */
static bool is_broken(const struct br_action *action, const struct action_type *type,
                      const struct rule *rule, const char **ret_about)
{
    const struct param *rows[RULE_NAMES];
    size_t count = action_type_names(type, rule->names, rows);
    size_t given = 0;
    size_t meant = 0; /* given and not false */
    *ret_about = rule->about;
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_object_get(action->params, rows[i]->name);
        given += value != NULL;
        meant += value && !json_is_false(value);
        if (value && rule->kind == RULE_NONE && !*ret_about) {
            *ret_about = rows[i]->name;
        }
    }
    switch (rule->kind) {
    case RULE_ALL:
        return given < count;
    case RULE_ANY:
        return given == 0;
    case RULE_ONE:
        return meant != 1;
    case RULE_AT_MOST_ONE:
        return meant > 1;
    case RULE_NONE:
        break;
    }
    return given > 0;
}

bool rules_check(const struct br_action *action, const struct action_type *type,
                 const struct rule *rules, struct br_error *err)
{
    for (const struct rule *rule = rules; rule && rule->names; rule++) {
        const char *about;
        if (holds_here(action, type, rule) && is_broken(action, type, rule, &about)) {
            param_error(action, about, err, "%s", rule->text);
            return rule->hint ? error_hint(err, "%s", rule->hint) : false;
        }
    }
    return true;
}

bool rules_refuse(const struct action_type *type, const char *name)
{
    const struct rule *rule = type->rules;
    while (rule && rule->names &&
           (rule->kind != RULE_NONE || rule->when || !rule_lists(rule->names, name))) {
        rule++;
    }
    return rule && rule->names;
}
