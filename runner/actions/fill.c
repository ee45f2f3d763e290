#include "runner/page/element/fill.h"
#include "runner/actions/common.h"
#include "runner/actions/naming.h"
#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/response.h"
#include "runner/observe/stream.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/identify.h"
#include "runner/page/element/named.h"
#include "runner/page/element/typing.h"

#include <string.h>

static const struct param params[] = {
    PARAM("fields", FIELDS,
          "The values for the fields: an object with the fields' names, ids, test ids, "
          "placeholders or labels as keys; or an array of elements, each with a value. A text is "
          "typed, or chosen by value or label; true and false check and uncheck; an array is for "
          "fields with several values. They are filled in this order.",
          .is_required = true,
          .example = "{\"email\": \"zoe@example.org\", \"newsletter\": true, \"size\": \"L\"}"),
    PARAM("form", TARGET, "The form, or another container of the fields, named like any element.",
          .is_rare = true),
    PARAM("first", BOOLEAN,
          "True: where several fields have a name, fills the first one that is visible. Otherwise "
          "that is an error.",
          .default_value = "false", .is_rare = true),
    PARAM("submit", BOOLEAN,
          "True: submits the form afterwards, by a click on its button, or as the Enter key does "
          "if it has none. Required fields must be filled.",
          .default_value = "false"),
    PARAM("ignoreNoAi", BOOLEAN,
          "True: also fills fields that the page hides from models by data-no-ai.",
          .default_value = "false", .is_rare = true),
    { 0 },
};

/* For an element of a field: `name` without `role` is not allowed there. */
static const char field_hint[] = "write it as {\"selector\": \"#email\", \"value\": \"a@b.c\"}";
static const char form_hint[] = "write it as {\"selector\": \"#checkout\"}";

/* Parses an object parameter that names an element; NULL with an error. Points are not allowed. */
static struct br_action *parse_element(const struct br_action *action, const char *path,
                                       const json_t *given, const char *hint, struct br_error *err)
{
    CLEANUP_ACTION struct br_action *element = naming_parse(action, path, given, hint, err);
    if (element && !action_names_element(element)) {
        param_error(element, NULL, err, "is a place, but has to be an element");
        error_hint(err, "%s", hint);
        return NULL;
    }
    return TAKE(element);
}

/* Returns whether it is text, a number, a boolean, or an array of texts. */
static bool is_value(const json_t *value)
{
    size_t index;
    json_t *item;
    json_array_foreach (value, index, item) {
        if (!json_is_string(item)) {
            return false;
        }
    }
    return json_is_string(value) || json_is_number(value) || json_is_boolean(value) ||
           (json_is_array(value) && json_array_size(value) <= PARAM_MAX_LISTED);
}

static bool check_value(const struct br_action *action, const char *path, const json_t *value,
                        struct br_error *err)
{
    if (is_value(value)) {
        return true;
    }
    param_error(action, path, err, value ? "is not a value for a field" : "is missing");
    return error_hint(
        err, "write a text, a number, true, false or an array of texts; \"\" empties a field");
}

static bool check_items(const struct br_action *action, const json_t *items, struct br_error *err)
{
    size_t index;
    json_t *item;
    json_array_foreach (items, index, item) {
        CLEANUP_FREE char *path = xasprintf("fields[%zu]", index);
        CLEANUP_FREE char *value_path = xasprintf("%s.value", path);
        CLEANUP_ACTION struct br_action *element = NULL;
        if (!json_is_object(item)) {
            param_error(action, path, err, "is no object");
            return error_hint(err, "%s", field_hint);
        }
        json_auto_t *way = json_copy(item);
        json_object_del(way, "value");
        element = parse_element(action, path, way, field_hint, err);
        if (!element || !check_value(action, value_path, json_object_get(item, "value"), err)) {
            return false;
        }
    }
    return true;
}

static bool validate(const struct br_action *action, struct br_error *err)
{
    const json_t *fields = json_object_get(action->params, "fields");
    const json_t *form = json_object_get(action->params, "form");
    CLEANUP_ACTION struct br_action *element = NULL;
    const char *name;
    json_t *value;
    if (form && !(element = parse_element(action, "form", form, form_hint, err))) {
        return false;
    }
    json_object_foreach ((json_t *)fields, name, value) {
        CLEANUP_FREE char *path = xasprintf("fields.%s", name);
        if (!check_value(action, path, value, err)) {
            return false;
        }
    }
    return check_items(action, fields, err);
}

/* State of filling the fields. */
struct filling {
    struct action_run *run;
    struct page_node form; /* backend_id 0: no form is named */
    int64_t patience_ms;   /* total time to wait for missing elements */
    json_t *entries;       /* of the result */
    json_t *places;        /* those of fields in a form */
    struct br_error first; /* error of the first skipped field */
    int filled, skipped;
};

static json_t *new_entry(const char *field)
{
    return json_pack("{s:o, s:b}", "field", json_text(field), "filled", 0);
}

/* Returns whether the remaining fields may still be filled. */
static bool may_go_on(const struct filling *filling, const struct br_error *err)
{
    struct br_error ended;
    return page_check_alive(filling->run->page, &ended) && err->code != BR_TIMEOUT &&
           err->code != BR_CANCELLED && err->code != BR_DISCONNECTED;
}

static bool fill_one(struct filling *filling, const char *name, struct page_target *target,
                     const json_t *value, struct br_error *err)
{
    json_t *entry = new_entry(name);
    int64_t began_ms = clock_monotonic_ms();
    json_array_append_new(filling->entries, entry);
    target->within = target->field && filling->form.backend_id ? &filling->form : NULL;
    target->ignores_no_ai |= param_boolean(filling->run->action, "ignoreNoAi", false);
    target->patience_ms = filling->patience_ms;
    bool is_filled = page_fill(filling->run->page, target, value, entry, err);
    json_auto_t *place = page_fill_place(entry);
    if (is_filled) {
        filling->filled++;
        json_object_set_new(entry, "filled", json_true());
        if (place) {
            json_array_append(filling->places, place);
        }
        return true;
    }
    if (err->code == BR_TARGET_AMBIGUOUS && !*err->hint) {
        error_hint(err, "name the form by form; or name the field by a selector; or set first");
    }
    filling->first = filling->skipped++ ? filling->first : *err;
    json_object_set_new(entry, "code", json_string(br_code_name(err->code)));
    json_object_set_new(entry, "why", json_text(err->message));
    if (*err->hint) {
        json_object_set_new(entry, "hint", json_text(err->hint));
    }
    int64_t left_ms = filling->patience_ms - (clock_monotonic_ms() - began_ms);
    filling->patience_ms = left_ms > 0 ? left_ms : 0;
    return may_go_on(filling, err);
}

static bool fill_by_names(struct filling *filling, const json_t *fields, struct br_error *err)
{
    const char *name;
    json_t *value;
    json_auto_t *names = json_array();
    json_object_foreach ((json_t *)fields, name, value) {
        json_array_append_new(names, json_text(name));
    }
    bool is_first = param_boolean(filling->run->action, "first", false);
    json_object_foreach ((json_t *)fields, name, value) {
        struct page_target target = { .field = name, .beside = names, .nth = is_first ? 0 : -1 };
        if (!fill_one(filling, name, &target, value, err)) {
            return false;
        }
    }
    return true;
}

/* Returns how the element was named. Borrowed. */
static const char *called(const struct br_action *element)
{
    static const char *const ways[] = { "node", "selector", "element", "testId",
                                        "text", "name",     "role" };
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        if (param_text(element, ways[i], NULL)) {
            return param_text(element, ways[i], NULL);
        }
    }
    const json_t *targets = json_object_get(element->params, "targets");
    const char *first = json_string_value(json_array_get(targets, 0));
    return first ? first : "";
}

static bool fill_by_elements(struct filling *filling, const json_t *fields, struct br_error *err)
{
    size_t index;
    json_t *item;
    json_array_foreach (fields, index, item) {
        struct page_target target;
        json_auto_t *way = json_copy(item);
        json_object_del(way, "value");
        CLEANUP_ACTION struct br_action *element =
            parse_element(filling->run->action, "fields", way, field_hint, err);
        if (!element || !action_find_target(filling->run, element, &target, err) ||
            !fill_one(filling, called(element), &target, json_object_get(item, "value"), err)) {
            return false;
        }
    }
    return true;
}

/* Finds the form, if one is named. */
static bool find_form(struct filling *filling, struct br_error *err)
{
    const json_t *form = json_object_get(filling->run->action->params, "form");
    struct page_target target;
    if (!form) {
        return true;
    }
    CLEANUP_ACTION struct br_action *element =
        parse_element(filling->run->action, "form", form, form_hint, err);
    if (!element || !action_find_target(filling->run, element, &target, err)) {
        return false;
    }
    target.patience_ms = filling->patience_ms;
    return (page_locate_node(filling->run->page, &target, &filling->form, err)) ||
           error_context(err, "form");
}

static void set_result(struct filling *filling, bool has_form, const bool *is_submitted)
{
    json_t *result = json_pack("{s:i, s:i, s:b, s:O}", "filled", filling->filled, "skipped",
                               filling->skipped, "formFound", has_form, "fields", filling->entries);
    if (is_submitted) {
        json_object_set_new(result, "submitted", json_boolean(*is_submitted));
    }
    response_set_result(filling->run->response, result);
}

static bool fill(struct filling *filling, struct br_error *err)
{
    const json_t *fields = json_object_get(filling->run->action->params, "fields");
    bool is_submitted = false;
    if (!find_form(filling, err)) {
        set_result(filling, false, NULL);
        return false;
    }
    CLEANUP_FREE char *frame_id = xstrdup(filling->form.frame_id);
    CLEANUP_FREE char *loader_id = xstrdup(filling->form.loader_id);
    filling->form.frame_id = frame_id;
    filling->form.loader_id = loader_id;
    bool goes_on = json_is_object(fields) ? fill_by_names(filling, fields, err)
                                          : fill_by_elements(filling, fields, err);
    bool has_form = filling->form.backend_id || json_array_size(filling->places) > 0;
    set_result(filling, has_form, NULL);
    if (!goes_on) {
        return error_context(err, "%d of the fields were filled", filling->filled);
    }
    if (!filling->filled) {
        *err = filling->first;
        return error_context(err, "no field was filled");
    }
    if (!typing_commit(filling->run->page, err)) {
        return false;
    }
    if (!param_boolean(filling->run->action, "submit", false)) {
        return true;
    }
    bool is_done =
        page_submit(filling->run->page, filling->places, TARGET_PATIENCE_MS, &is_submitted, err);
    set_result(filling, has_form, &is_submitted);
    if (is_done && !is_submitted) {
        log_tool(filling->run->logs, BR_LOG_WARNING, "input",
                 "the button was clicked, but the page reported no submit event");
    }
    return is_done;
}

static bool run_fill(struct action_run *run, struct br_error *err)
{
    /* Missing elements must leave time for the others. */
    int64_t half_ms = action_timeout_ms(run->action, 2 * TARGET_PATIENCE_MS) / 2;
    int64_t patience_ms = half_ms < TARGET_PATIENCE_MS ? half_ms : TARGET_PATIENCE_MS;
    struct filling filling = {
        .run = run,
        .patience_ms = patience_ms < run->patience_ms ? patience_ms : run->patience_ms,
        .entries = json_array(),
        .places = json_array(),
    };
    struct page_mark before = page_mark(run->page);
    bool is_done = fill(&filling, err);
    json_decref(filling.entries);
    json_decref(filling.places);
    return is_done && action_settle(run, before, false, err);
}

const struct action_type action_fill = {
    .name = "fill",
    .text = "Fills in several fields of any kind at once, and reports the result of each.",
    .params = params,
    .validate = validate,
    .run = run_fill,
};
