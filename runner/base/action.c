#include "runner/base/action.h"

#include <string.h>

struct br_action *action_create(const char *type, struct source_position position)
{
    struct br_action *action = xcalloc(1, sizeof(*action));
    action->type = xstrdup(type);
    action->position = position;
    action->params = json_object();
    return action;
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
        action->positions = array_reserve(action->positions, action->position_count,
                                          &action->position_capacity, sizeof(*action->positions));
        action->positions[action->position_count++] = (struct action_param_position){
            .name = xstrdup(name),
            .position = position,
        };
    }
    return true;
}

struct source_position action_param_position(const struct br_action *action, const char *name)
{
    for (size_t i = 0; i < action->position_count; i++) {
        if (strcmp(action->positions[i].name, name) == 0) {
            return action->positions[i].position;
        }
    }
    return action->position;
}

void br_action_destroy(struct br_action *action)
{
    if (!action) {
        return;
    }
    for (size_t i = 0; i < action->position_count; i++) {
        free(action->positions[i].name);
    }
    free(action->positions);
    json_decref(action->params);
    free(action->type);
    free(action);
}
