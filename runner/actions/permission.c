#include "runner/actions/permission.h"

#include "runner/base/error.h"
#include "runner/base/json.h"

static bool check_text(const struct param *row, const char *text, const struct policy *policy,
                       struct br_error *err)
{
    switch (row->use) {
    case USE_SCRIPT:
        return policy_check_script(policy, row->name, err);
    case USE_FILE:
        return policy_check_file(policy, text, err);
    case USE_OPENED:
        return policy_check_opened(policy, text, err);
    case USE_PLAIN:
        break;
    }
    return true;
}

static bool check_items(const struct param *row, const json_t *list, const struct policy *policy,
                        struct br_error *err)
{
    size_t index;
    json_t *item;
    json_array_foreach (list, index, item) {
        if (row->members
                ? !permission_check(row->members, item, policy, err)
                : json_is_string(item) && !check_text(row, json_string_value(item), policy, err)) {
            return false;
        }
    }
    return true;
}

bool permission_check(const struct param *rows, const json_t *values, const struct policy *policy,
                      struct br_error *err)
{
    for (const struct param *row = rows; policy && row && row->name; row++) {
        const json_t *value = json_object_get(values, row->name);
        const char *text = json_string_value(value);
        bool is_fine = json_is_array(value)    ? check_items(row, value, policy, err)
                       : json_is_object(value) ? permission_check(row->members, value, policy, err)
                                               : !text || check_text(row, text, policy, err);
        if (!is_fine) {
            return false;
        }
    }
    return true;
}
