#include "runner/base/action.h"

#include "runner/base/json.h"
#include "runner/base/value.h"

#include <string.h>

/* Up to here a double represents every integer. */
#define MAX_WHOLE 9007199254740992.0

/* A line ends with \n, \r\n or \r. Only the first byte of a character advances the column. */
void source_position_advance(struct source_position *position, char last, char c)
{
    if (c == '\n' && last == '\r') {
        return;
    }
    if (c == '\n' || c == '\r') {
        position->line++;
        position->column = 1;
    } else if (((unsigned char)c & 0xC0) != 0x80) {
        position->column++;
    }
}

struct source_position source_position_behind(struct source_position position, const char *text,
                                              size_t length)
{
    for (size_t i = 0; i < length; i++) {
        source_position_advance(&position, i ? text[i - 1] : '\0', text[i]);
    }
    return position;
}

struct br_action *action_create(const char *type, struct source_position position)
{
    struct br_action *action = xcalloc(1, sizeof(*action));
    action->type = xstrdup(type);
    action->position = position;
    action->params = json_object();
    return action;
}

struct br_action *br_action_create(const char *type)
{
    return action_create(type ? type : "", (struct source_position){ 0 });
}

/* Takes ownership of the value; NULL removes the parameter. The action must be validated again. */
static bool set(struct br_action *action, const char *path, json_t *value, struct br_error *err)
{
    action->kind = NULL;
    return value_put(action->params, path, value, err);
}

bool br_action_set_text(struct br_action *action, const char *path, const char *text,
                        struct br_error *err)
{
    return set(action, path, json_text(text), err);
}

bool br_action_set_number(struct br_action *action, const char *path, double number,
                          struct br_error *err)
{
    bool is_whole =
        number >= -MAX_WHOLE && number <= MAX_WHOLE && number == (double)(int64_t)number;
    json_t *value = is_whole ? json_integer((json_int_t)number) : json_real(number);
    if (!value) {
        return error_set(err, BR_INVALID_ACTION, "%s: JSON cannot represent %g", path, number);
    }
    return set(action, path, value, err);
}

bool br_action_set_boolean(struct br_action *action, const char *path, bool boolean,
                           struct br_error *err)
{
    return set(action, path, json_boolean(boolean), err);
}

bool br_action_unset(struct br_action *action, const char *path, struct br_error *err)
{
    return set(action, path, NULL, err);
}

const char *br_action_type(const struct br_action *action)
{
    return action->type;
}

const struct br_value *br_action_params(const struct br_action *action)
{
    return value_of(action->params);
}

bool action_add(struct br_action *action, const char *name, json_t *value,
                struct source_position position)
{
    if (json_object_get(action->params, name)) {
        json_decref(value);
        return false;
    }
    json_object_set_new(action->params, name, value);
    if (position.line) {
        action_add_source(action, name, NULL, position);
    }
    return true;
}

void action_add_source(struct br_action *action, const char *path, const char *text,
                       struct source_position position)
{
    action->sources = array_reserve(action->sources, action->source_count, &action->source_capacity,
                                    sizeof(*action->sources));
    action->sources[action->source_count++] = (struct action_source){
        .path = xstrdup(path),
        .text = xstrdup(text),
        .position = position,
    };
}

static const struct action_source *find_source(const struct br_action *action, const char *path)
{
    for (size_t i = 0; i < action->source_count; i++) {
        if (strcmp(action->sources[i].path, path) == 0) {
            return &action->sources[i];
        }
    }
    return NULL;
}

struct source_position action_param_position(const struct br_action *action, const char *path)
{
    const struct action_source *source = find_source(action, path);
    return source ? source->position : action->position;
}

const char *action_param_text(const struct br_action *action, const char *path)
{
    const struct action_source *source = find_source(action, path);
    return source ? source->text : NULL;
}

void br_action_destroy(struct br_action *action)
{
    if (!action) {
        return;
    }
    for (size_t i = 0; i < action->source_count; i++) {
        free(action->sources[i].path);
        free(action->sources[i].text);
    }
    free(action->sources);
    json_decref(action->params);
    free(action->call_id);
    free(action->call_name);
    free(action->path);
    free(action->type);
    free(action);
}
