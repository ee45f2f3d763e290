#include "runner/cli/option_setters.h"

#include "runner/base/memory.h"
#include "runner/base/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_JOBS = 64,
    MAX_SHARDS = 1000,
    MAX_RETRIES = 100,
    MAX_FAILURES = 100000,
    MAX_PORT = 65535
};

static bool set_number(const char *value, long min, long max, int *field, struct br_error *err)
{
    char *end = NULL;
    errno = 0;
    long number = strtol(value, &end, 10);
    if (end == value || *end != '\0' || errno || number < min || number > max) {
        return error_set(err, BR_INVALID_ACTION, "\"%s\" is not a number from %ld to %ld", value,
                         min, max);
    }
    *field = (int)number;
    return true;
}

void cli_list_add(struct cli_list *list, const char *value)
{
    list->items = array_reserve(list->items, list->count + 1, &list->capacity, sizeof(char *));
    list->items[list->count++] = value;
    list->items[list->count] = NULL;
}

#define DEFINE_SWITCH(name, field)                                                                 \
    bool name(struct cli_options *options, const char *value, struct br_error *err)                \
    {                                                                                              \
        (void)err;                                                                                 \
        (void)value;                                                                               \
        options->check.field = true;                                                               \
        return true;                                                                               \
    }
#define DEFINE_TEXT(name, field)                                                                   \
    bool name(struct cli_options *options, const char *value, struct br_error *err)                \
    {                                                                                              \
        (void)err;                                                                                 \
        options->check.field = value;                                                              \
        return true;                                                                               \
    }
#define DEFINE_NUMBER(name, field, min, max)                                                       \
    bool name(struct cli_options *options, const char *value, struct br_error *err)                \
    {                                                                                              \
        return set_number(value, min, max, &options->check.field, err);                            \
    }
#define DEFINE_LIST(name, field)                                                                   \
    bool name(struct cli_options *options, const char *value, struct br_error *err)                \
    {                                                                                              \
        (void)err;                                                                                 \
        cli_list_add(&options->check.field, value);                                                \
        return true;                                                                               \
    }

DEFINE_TEXT(check_option_report, report)
DEFINE_TEXT(check_option_junit, junit)
DEFINE_TEXT(check_option_timings, timings)
DEFINE_TEXT(check_option_against, against)
DEFINE_TEXT(check_option_import, imported)
DEFINE_TEXT(check_option_baselines, baselines)
DEFINE_LIST(check_option_approve, approved)
DEFINE_LIST(check_option_filter, names)
DEFINE_LIST(check_option_tag, tags)
DEFINE_SWITCH(check_option_prune, prunes)
DEFINE_SWITCH(check_option_init, is_init)
DEFINE_SWITCH(check_option_fail_on_flaky, fails_on_flaky)
DEFINE_SWITCH(check_option_ci, is_ci)
DEFINE_SWITCH(check_option_no_open, has_no_open)
DEFINE_NUMBER(check_option_port, port, 0, MAX_PORT)
DEFINE_SWITCH(check_option_force, is_forced)
DEFINE_SWITCH(check_option_allow_errors, allows_errors)
DEFINE_NUMBER(check_option_jobs, jobs, 1, MAX_JOBS)
DEFINE_NUMBER(check_option_retries, retries, 0, MAX_RETRIES)
DEFINE_NUMBER(check_option_max_failures, max_failures, 1, MAX_FAILURES)

bool check_option_fail_fast(struct cli_options *options, const char *value, struct br_error *err)
{
    (void)value;
    (void)err;
    options->check.max_failures = 1;
    return true;
}

bool check_option_update(struct cli_options *options, const char *value, struct br_error *err)
{
    static const char *const names[] = { "missing", "changed", "all" };
    static const enum update_mode modes[] = { UPDATE_MISSING, UPDATE_CHANGED, UPDATE_ALL };
    size_t count = sizeof(names) / sizeof(names[0]);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(value ? value : "changed", names[i]) == 0) {
            options->check.update = modes[i];
            return true;
        }
    }
    error_set(err, BR_INVALID_ACTION, "\"%s\" is not one of missing, changed, all", value);
    return names_hint(value, names, count, err);
}

bool check_option_shard(struct cli_options *options, const char *value, struct br_error *err)
{
    const char *slash = strchr(value, '/');
    CLEANUP_FREE char *index = xstrndup(value, slash ? (size_t)(slash - value) : 0);
    int *total = &options->check.shard_total;
    if (!slash || !set_number(slash + 1, 1, MAX_SHARDS, total, err) ||
        !set_number(index, 1, *total, &options->check.shard_index, err)) {
        error_set(err, BR_INVALID_ACTION, "\"%s\" is not a shard", value);
        return error_hint(err, "write it as 2/3: the second of three");
    }
    return true;
}

void check_options_finish(struct cli_options *options)
{
    free(options->check.approved.items);
    free(options->check.names.items);
    free(options->check.tags.items);
}
