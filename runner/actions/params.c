#include "runner/actions/params.h"

#include "runner/base/json.h"

#include <string.h>

bool param_is_given(const struct br_action *action, const char *name)
{
    return json_object_get(action->params, name) != NULL;
}

const char *param_text(const struct br_action *action, const char *name, const char *fallback)
{
    const char *text = json_member_string(action->params, name);
    return text ? text : fallback;
}

double param_number(const struct br_action *action, const char *name, double fallback)
{
    return json_member_number(action->params, name, fallback);
}

int64_t param_integer(const struct br_action *action, const char *name, int64_t fallback)
{
    return (int64_t)json_member_number(action->params, name, (double)fallback);
}

bool param_boolean(const struct br_action *action, const char *name, bool fallback)
{
    return json_member_bool(action->params, name, fallback);
}

int param_choice(const struct br_action *action, const char *name, const char *const *choices,
                 int fallback)
{
    const char *text = param_text(action, name, NULL);
    for (int i = 0; text && choices[i]; i++) {
        if (strcmp(text, choices[i]) == 0) {
            return i;
        }
    }
    return fallback;
}
