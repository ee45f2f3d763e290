#include "runner/cli/act_words.h"

#include "runner/actions/actions.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/cli/act_param.h"
#include "runner/cli/act_take.h"

#include <string.h>

static void finish(struct act_reading *reading)
{
    json_decref(reading->params);
    free(reading->words);
}

/* Collects the plain words; the others are parameters. */
static bool split(struct act_reading *reading, int count, char **words, struct br_error *err)
{
    bool is_plain = false;
    reading->words = xcalloc((size_t)count + 1, sizeof(*reading->words));
    for (int i = 1; i < count; i++) {
        if (is_plain || strncmp(words[i], "--", 2) != 0) {
            reading->words[reading->count++] = words[i];
        } else if (!words[i][2]) {
            is_plain = true;
        } else if (!act_param_read(reading->type, count, words, &i, reading->params, err)) {
            return false;
        }
    }
    return true;
}

/* Sets the row's default parameter if it was not given. */
static bool add_defaults(struct act_reading *reading, struct br_error *err)
{
    const char *name = reading->row.usual_name;
    return !name || json_object_get(reading->params, name) ||
           act_take_param(reading, name, reading->row.usual_value, err);
}

static bool validate(const struct act_reading *reading, const json_t *params, struct br_error *err)
{
    CLEANUP_ACTION struct br_action *action =
        action_create(reading->type->name, (struct source_position){ 0 });
    json_decref(action->params);
    action->params = json_deep_copy(params);
    if (action_validate(action, err)) {
        return true;
    }
    return *err->hint ? false : act_take_usage(&reading->row, err);
}

static json_t *assemble(const struct act_reading *reading, struct br_error *err)
{
    if (!validate(reading, reading->params, err)) {
        return NULL;
    }
    json_t *instruction = json_pack("{s:s}", "type", reading->type->name);
    json_object_update(instruction, reading->params);
    return instruction;
}

/* Reports INVALID_ACTION with the nearest type. */
static json_t *refuse_type(const char *name, struct br_error *err)
{
    CLEANUP_ACTION struct br_action *action = action_create(name, (struct source_position){ 0 });
    action_validate(action, err);
    return NULL;
}

json_t *act_words_read(int count, char **words, const char *directory, struct br_error *err)
{
    if (count == 0) {
        error_set(err, BR_INVALID_ACTION, "act needs the type of an action after it");
        error_hint(err, "see browser-runner help actions");
        return NULL;
    }
    const struct act_alias *alias = act_alias_find(words[0]);
    const struct action_type *type = action_type_find(alias ? alias->type : words[0]);
    if (!type) {
        return refuse_type(words[0], err);
    }
    CLEANUP(finish)
    struct act_reading reading = {
        .row = act_row_find(type->name),
        .type = type,
        .params = json_object(),
    };
    bool is_read =
        split(&reading, count, words, err) &&
        (!alias || !alias->param || act_take_param(&reading, alias->param, alias->value, err)) &&
        act_take_words(&reading, err) && add_defaults(&reading, err);
    if (!is_read) {
        return NULL;
    }
    act_param_place_files(type, directory, reading.params);
    return assemble(&reading, err);
}

void act_words_usage(FILE *file)
{
    for (size_t i = 0; act_row_at(i); i++) {
        const struct act_row *row = act_row_at(i);
        fprintf(file, "%s  %s%s%s\n", i ? "\n" : "", row->type, *row->usage ? " " : "", row->usage);
        for (const char *const *example = row->examples; *example; example++) {
            fprintf(file, "      browser-runner act %s\n", *example);
        }
    }
}

const char *act_words_example(size_t index)
{
    for (size_t i = 0; act_row_at(i); i++) {
        for (const char *const *example = act_row_at(i)->examples; *example; example++) {
            if (index-- == 0) {
                return *example;
            }
        }
    }
    return NULL;
}
