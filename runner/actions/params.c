#include "runner/actions/params.h"

#include "runner/base/error.h"
#include "runner/base/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool param_add_place(const struct br_action *action, const char *name, struct br_error *err)
{
    struct source_position at = name ? action_param_position(action, name) : action->position;
    error_context(err, "%s%s%s", action->path ? action->path : action->type, name ? "." : "",
                  name ? name : "");
    if (at.line) {
        error_context(err, "line %u, column %u", at.line, at.column);
    }
    return false;
}

bool param_error(const struct br_action *action, const char *name, struct br_error *err,
                 const char *format, ...)
{
    char text[sizeof(err->message)];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    error_set(err, BR_INVALID_ACTION, "%s", text);
    return param_add_place(action, name, err);
}

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
