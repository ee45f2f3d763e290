#include "runner/checks/suite_load.h"

#include "runner/base/file.h"
#include "runner/base/json_position.h"
#include "runner/checks/suite_reader.h"
#include "runner/checks/suite_settings.h"
#include "runner/checks/suite_surroundings.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

static const char other_has_only[] = "another check has \"only\"";

/* Compares used names without case, because some file systems ignore it. */
static void lower(char *text)
{
    for (; *text; text++) {
        *text = (char)tolower((unsigned char)*text);
    }
}

static void refuse_twice(struct suite_reader *reader, const struct suite_place *place, json_t *used,
                         const char *name)
{
    CLEANUP_FREE char *key = xstrdup(name);
    lower(key);
    const char *first = json_string_value(json_object_get(used, key));
    const struct suite_place at = suite_member_place(place, "name");
    if (first && strcmp(first, name) == 0) {
        suite_problem(reader->problems, &at, "\"%s\" is the name of two checks; rename one", name);
    } else if (first) {
        suite_problem(
            reader->problems, &at,
            "\"%s\" and \"%s\" are the same file on file systems that ignore case; rename one",
            name, first);
    }
    json_object_set_new(used, key, json_string(name));
}

static void add_check(struct suite_reader *reader, const struct suite_settings *settings,
                      const struct suite_viewport *viewport, size_t *capacity)
{
    struct suite *suite = reader->suite;
    suite->checks =
        array_reserve(suite->checks, suite->check_count, capacity, sizeof(*suite->checks));
    struct suite_check *check = &suite->checks[suite->check_count++];
    *check = settings->check;
    check->viewport = viewport;
    check->id = suite_memory_keep(reader->memory, xasprintf("%s@%s", check->name, viewport->name));
}

/* Adds a check in all its viewports. Returns false at the limit. */
static bool add_checks(struct suite_reader *reader, const struct suite_settings *settings,
                       const struct suite_place *place, size_t *capacity)
{
    for (size_t i = 0; i < settings->viewport_count; i++) {
        if (reader->suite->check_count == SUITE_MAX_CHECKS) {
            suite_problem(
                reader->problems, place,
                "more than %d checks, counted in each of their viewports; split it into two suites",
                SUITE_MAX_CHECKS);
            return false;
        }
        add_check(reader, settings, settings->viewports[i], capacity);
    }
    return true;
}

static void skip_others(struct suite *suite, const bool *is_only, struct suite_reader *reader)
{
    char *reason = suite_keep_text(reader, other_has_only);
    for (size_t i = 0; i < suite->check_count; i++) {
        if (!is_only[i] && !suite->checks[i].is_skipped) {
            suite->checks[i].is_skipped = true;
            suite->checks[i].skip_reason = reason;
        }
    }
}

static void read_checks(struct suite_reader *reader, const struct suite_place *place,
                        const struct suite_settings *defaults)
{
    size_t count = json_array_size(place->value);
    size_t capacity = 0;
    bool has_only = false;
    CLEANUP_FREE bool *is_only = xcalloc(SUITE_MAX_CHECKS, sizeof(*is_only));
    json_auto_t *used = json_object();
    for (size_t i = 0; i < count; i++) {
        const struct suite_place item = suite_item_place(place, i);
        struct suite_settings settings = *defaults;
        suite_settings_read_check(&settings, reader, &item);
        if (!settings.check.name) {
            continue;
        }
        refuse_twice(reader, &item, used, settings.check.name);
        size_t first = reader->suite->check_count;
        if (!add_checks(reader, &settings, &item, &capacity)) {
            return;
        }
        has_only |= settings.is_only;
        memset(is_only + first, settings.is_only, reader->suite->check_count - first);
    }
    if (has_only) {
        skip_others(reader->suite, is_only, reader);
    }
}

static void read_all_checks(struct suite_reader *reader, const struct suite_place *root)
{
    const struct suite_place defaults = suite_member_place(root, "defaults");
    const struct suite_place checks = suite_member_place(root, "checks");
    struct suite_settings settings;
    suite_settings_init(&settings, reader);
    if (defaults.value) {
        suite_settings_read_defaults(&settings, reader, &defaults);
    }
    if (!checks.value) {
        suite_problem(reader->problems, root, "needs \"checks\", an array with at least one");
    } else if (!json_is_array(checks.value)) {
        suite_wrong_kind(reader, &checks, "an array");
    } else if (json_array_size(checks.value) == 0) {
        suite_problem(reader->problems, &checks, "is empty; a suite has at least one check");
    } else {
        read_checks(reader, &checks, &settings);
    }
}

/* All members; those without a reader here are read later, because they depend on each other. */
static const struct suite_member members[] = {
    { "$schema", suite_read_text, 0, 0, 0, NULL },
    { "baseUrl", NULL, 0, 0, 0, NULL },
    { "server", NULL, 0, 0, 0, NULL },
    { "baselines", NULL, 0, 0, 0, NULL },
    { "clock", NULL, 0, 0, 0, NULL },
    { "viewports", NULL, 0, 0, 0, NULL },
    { "setup", NULL, 0, 0, 0, NULL },
    { "defaults", NULL, 0, 0, 0, NULL },
    { "checks", NULL, 0, 0, 0, NULL },
    { 0 },
};

static void read_clock(struct suite_reader *reader, const struct suite_place *root)
{
    static const char *const clocks[] = { "real", "virtual" };
    const struct suite_place place = suite_member_place(root, "clock");
    const char *name = json_string_value(place.value);
    if (!place.value) {
        return;
    }
    if (!name || (strcmp(name, clocks[0]) != 0 && strcmp(name, clocks[1]) != 0)) {
        suite_wrong_kind(reader, &place, "\"real\" or \"virtual\"");
        return;
    }
    reader->suite->has_virtual_clock = strcmp(name, clocks[1]) == 0;
}

static void read_root(struct suite_reader *reader, const struct suite_place *root)
{
    char *schema = NULL;
    if (!json_is_object(root->value)) {
        suite_wrong_kind(reader, root, "an object");
        return;
    }
    suite_read_members(reader, root, members, &schema);
    suite_read_base_url(reader, root);
    suite_read_baselines(reader, root);
    suite_read_viewports(reader, root);
    suite_read_server(reader, root);
    read_clock(reader, root);
    suite_settings_read_setup(reader, root);
    read_all_checks(reader, root);
}

static bool on_duplicate(void *data, const char *key, struct source_position position)
{
    struct suite_problems *problems = data;
    suite_problem_at(problems, position.line, position.column, "\"%.100s\" is given twice", key);
    return problems->count < SUITE_MAX_PROBLEMS;
}

static void report_syntax(struct suite_problems *problems, const json_error_t *where)
{
    bool is_comment = strstr(where->text, "near '/'") != NULL;
    unsigned column = where->column > 0 ? (unsigned)where->column : 1;
    suite_problem_at(problems, (unsigned)where->line, column, "is no JSON: %s%s", where->text,
                     is_comment ? "; JSON has no comments" : "");
}

/* Some editors begin a file with it. */
static const char byte_order_mark[] = "\xEF\xBB\xBF";

static void read_text(struct suite_reader *reader, const char *text, size_t length)
{
    json_error_t where;
    struct suite_problems *problems = reader->problems;
    size_t mark = strlen(byte_order_mark);
    mark = length >= mark && memcmp(text, byte_order_mark, mark) == 0 ? mark : 0;
    problems->text = text + mark;
    problems->length = length - mark;
    json_auto_t *root = json_loadb(problems->text, problems->length, JSON_DECODE_ANY, &where);
    if (!root) {
        report_syntax(problems, &where);
        return;
    }
    json_find_duplicates(problems->text, problems->length, on_duplicate, problems);
    const struct suite_place place = { .value = root };
    read_root(reader, &place);
}

static void read_file(struct suite_reader *reader)
{
    struct br_error err = { 0 };
    size_t length = 0;
    struct suite *suite = reader->suite;
    CLEANUP_FREE char *text = file_read(suite->file, SUITE_MAX_BYTES, &length, &err);
    if (!text) {
        bool is_missing = access(suite->file, F_OK) != 0;
        suite_problem_of_file(
            reader->problems, "%s%s", err.message,
            is_missing ? "; `browser-runner check --init SUITE.json URL…` writes a first one" : "");
        return;
    }
    if (suite_find_directory(reader)) {
        read_text(reader, text, length);
    }
}

struct suite *suite_load(const char *file, struct strbuf *lines)
{
    struct suite *suite = xcalloc(1, sizeof(*suite));
    struct suite_problems problems = { .file = file, .lines = lines };
    suite->memory = suite_memory_create();
    struct suite_reader reader = {
        .suite = suite,
        .memory = suite->memory,
        .problems = &problems,
        .action_files = json_object(),
    };
    suite->file = suite_keep_text(&reader, file);
    read_file(&reader);
    suite_problems_end(&problems);
    json_decref(reader.action_files);
    free(reader.action_lists);
    if (problems.count > 0) {
        suite_destroy(suite);
        return NULL;
    }
    return suite;
}

bool suite_load_clock(struct suite *suite, bool is_virtual, int at_ms, struct br_error *err)
{
    suite->has_virtual_clock |= is_virtual;
    for (size_t i = 0; i < suite->check_count; i++) {
        struct suite_check *check = &suite->checks[i];
        check->has_virtual_clock = suite->has_virtual_clock;
        check->at_ms = check->at_ms < 0 ? at_ms : check->at_ms;
        if (check->at_ms >= 0 && !check->has_virtual_clock) {
            error_set(err, BR_INVALID_ACTION, "%s: \"at\" needs a virtual clock", check->id);
            return error_hint(err,
                              "add \"clock\": \"virtual\" to the suite, or use --clock virtual");
        }
    }
    return true;
}
