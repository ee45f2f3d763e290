#include "runner/checks/suite_actions.h"

#include "runner/actions/actions.h"
#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/checks/url.h"
#include "runner/formats/xml.h"

#include <string.h>

/* A list of actions that is being read; from XML, `source` names the file, or is NULL. */
struct gathering {
    struct suite_reader *reader;
    const struct suite_place *place;
    const char *source;
    struct br_action **defaults; /* of `defaults`; NULL-terminated */
    struct br_action **actions;  /* borrowed from the memory; NULL-terminated at the end */
    size_t count, capacity;
    bool is_over_limit;
};

/* Actions that a check must not contain. */
static const struct {
    const char *type, *why;
} refused[] = {
    { "start", "the check opens its page itself; give the address as the check's \"url\", or "
               "navigate" },
    { "stop", "the page is closed after the picture; leave it out" },
};

static void report(const struct gathering *gathering, const struct suite_place *place,
                   const struct br_error *err)
{
    suite_problem(gathering->reader->problems, place, "%s%s%s%s%s",
                  gathering->source ? gathering->source : "", gathering->source ? ": " : "",
                  err->message, *err->hint ? "; " : "", err->hint);
}

static bool check_type(const struct br_action *action, struct br_error *err)
{
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        if (strcmp(action->type, refused[i].type) == 0) {
            param_error(action, NULL, err, "is not for checks");
            return error_hint(err, "%s", refused[i].why);
        }
    }
    return true;
}

/* Makes the URL of a page to open absolute, relative to the suite's site. */
static void complete_url(const struct suite_reader *reader, struct br_action *action)
{
    bool is_opened = strcmp(action->type, "navigate") == 0 || strcmp(action->type, "tab") == 0;
    const char *url = json_member_string(action->params, "url");
    struct br_error err = { 0 };
    if (!is_opened || !url || !reader->base_url || url_is_absolute(url, &err) || err.code) {
        return;
    }
    CLEANUP_FREE char *absolute = url_of_suite(reader->base_url, url);
    json_object_set_new(action->params, "url", json_text(absolute));
}

static void append(struct gathering *gathering, struct br_action *action)
{
    gathering->actions = array_reserve(gathering->actions, gathering->count + 1,
                                       &gathering->capacity, sizeof(*gathering->actions));
    gathering->actions[gathering->count++] = action;
}

/* Takes ownership of the action. */
static void gather(struct gathering *gathering, const struct suite_place *place,
                   struct br_action *action)
{
    struct br_error err = { 0 };
    suite_memory_keep_action(gathering->reader->memory, action);
    complete_url(gathering->reader, action);
    if (!check_type(action, &err) || !action_validate(action, &err)) {
        report(gathering, place, &err);
    }
    append(gathering, action);
}

static bool check_count(const struct gathering *gathering, struct br_error *err)
{
    return gathering->count < SUITE_MAX_ACTIONS ||
           error_set(err, BR_LIMIT_EXCEEDED, "more than %d actions", SUITE_MAX_ACTIONS);
}

static bool on_action(void *data, struct br_action *action, struct br_error *err)
{
    struct gathering *gathering = data;
    if (!check_count(gathering, err)) {
        br_action_destroy(action);
        return false;
    }
    gather(gathering, gathering->place, action);
    return true;
}

static void read_xml(struct gathering *gathering, const char *text, size_t length)
{
    struct br_error err = { 0 };
    struct xml_reader *reader = xml_reader_create(NULL, on_action, gathering);
    if (!xml_reader_feed(reader, text, length, &err) || !xml_reader_end(reader, &err)) {
        report(gathering, gathering->place, &err);
    }
    xml_reader_destroy(reader);
}

/* Terminates the list and passes it to the memory. */
static struct br_action **take_actions(struct gathering *gathering)
{
    gathering->actions = array_reserve(gathering->actions, gathering->count, &gathering->capacity,
                                       sizeof(*gathering->actions));
    gathering->actions[gathering->count] = NULL;
    return suite_memory_keep(gathering->reader->memory, gathering->actions);
}

/* Returns the actions of a file that was already read, even with problems; NULL if it was not. */
static struct br_action **find_file(const struct suite_reader *reader, const char *path)
{
    const json_t *index = json_object_get(reader->action_files, path);
    return index ? reader->action_lists[json_integer_value(index)] : NULL;
}

static void keep_file(struct suite_reader *reader, const char *path, struct br_action **actions)
{
    json_object_set_new(reader->action_files, path,
                        json_integer((json_int_t)reader->action_list_count));
    reader->action_lists =
        array_reserve(reader->action_lists, reader->action_list_count,
                      &reader->action_list_capacity, sizeof(*reader->action_lists));
    reader->action_lists[reader->action_list_count++] = actions;
}

static void read_file(struct gathering *gathering, const char *path)
{
    struct br_error err = { 0 };
    size_t length = 0;
    const char *directory = gathering->reader->suite->directory;
    CLEANUP_FREE char *whole = *path == '/' ? xstrdup(path) : xasprintf("%s/%s", directory, path);
    CLEANUP_FREE char *text = file_read(whole, INSTRUCTION_MAX_BYTES, &length, &err);
    if (!text) {
        error_hint(&err, "paths are relative to the suite's folder");
        report(gathering, gathering->place, &err);
        return;
    }
    gathering->source = path;
    read_xml(gathering, text, length);
}

static void read_file_member(struct suite_reader *reader, const struct suite_place *place,
                             const struct suite_member *member, void *field)
{
    char *path = NULL;
    suite_read_text(reader, place, member, &path);
    struct br_action **actions = path ? find_file(reader, path) : NULL;
    if (path && !actions) {
        struct gathering gathering = { .reader = reader, .place = place };
        read_file(&gathering, path);
        actions = take_actions(&gathering);
        keep_file(reader, path, actions);
    }
    if (actions) {
        *(struct br_action ***)field = actions;
    }
}

static const struct suite_member file_members[] = {
    { "file", read_file_member, 0, 0, 0, NULL },
    { 0 },
};

/* Appends a list that was already read; returns false at the limit. */
static bool join(struct gathering *gathering, struct br_action *const *actions)
{
    struct br_error err = { 0 };
    for (size_t i = 0; actions && actions[i]; i++) {
        if (!check_count(gathering, &err)) {
            report(gathering, gathering->place, &err);
            return false;
        }
        append(gathering, actions[i]);
    }
    return true;
}

/*
 * Reads an action, a file of actions, or "defaults", which inserts those of `defaults`. Returns
 * false at the limit.
 */
static bool read_item(struct gathering *gathering, const struct suite_place *item)
{
    const char *type = json_member_string(item->value, "type");
    const char *word = json_string_value(item->value);
    struct br_error err = { 0 };
    if (word && strcmp(word, "defaults") == 0) {
        return join(gathering, gathering->defaults);
    }
    if (!json_is_object(item->value)) {
        suite_wrong_kind(gathering->reader, item, "an action, {\"file\": …}, or \"defaults\"");
        return true;
    }
    if (!type && json_object_get(item->value, "file")) {
        struct br_action **actions = NULL;
        suite_read_members(gathering->reader, item, file_members, &actions);
        return join(gathering, actions);
    }
    if (!check_count(gathering, &err)) {
        report(gathering, gathering->place, &err);
        return false;
    }
    if (!type) {
        suite_problem(gathering->reader->problems, item,
                      "needs a \"type\", as in {\"type\": \"click\", \"selector\": \"#go\"}");
        return true;
    }
    struct br_action *action = action_create(type, (struct source_position){ 0 });
    /* A copy: validation converts values to their types, and the defaults are read only once. */
    json_decref(action->params);
    action->params = json_deep_copy(item->value);
    json_object_del(action->params, "type");
    gather(gathering, item, action);
    return true;
}

static void read_array(struct gathering *gathering)
{
    size_t count = json_array_size(gathering->place->value);
    bool is_within = true;
    for (size_t i = 0; is_within && i < count; i++) {
        const struct suite_place item = suite_item_place(gathering->place, i);
        is_within = read_item(gathering, &item);
    }
}

void suite_read_actions(struct suite_reader *reader, const struct suite_place *place,
                        const struct suite_member *member, void *field)
{
    struct gathering gathering = {
        .reader = reader,
        .place = place,
        .defaults = *(struct br_action ***)field,
    };
    (void)member;
    if (json_is_string(place->value)) {
        read_xml(&gathering, json_string_value(place->value), json_string_length(place->value));
    } else if (json_is_array(place->value)) {
        read_array(&gathering);
    } else if (json_is_object(place->value)) {
        suite_read_members(reader, place, file_members, field);
        if (!json_object_get(place->value, "file")) {
            suite_problem(reader->problems, place, "needs a \"file\"");
        }
        return;
    } else {
        suite_wrong_kind(reader, place, "XML as text, {\"file\": …}, or an array of actions");
        return;
    }
    *(struct br_action ***)field = take_actions(&gathering);
}
