#include "runner/checks/report/results.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"

#include <string.h>

static const char *const status_names[] = {
    [CHECK_ERROR] = "error",     [CHECK_FAILED] = "failed", [CHECK_NEW] = "new",
    [CHECK_UPDATED] = "updated", [CHECK_FLAKY] = "flaky",   [CHECK_NOT_RUN] = "notRun",
    [CHECK_SKIPPED] = "skipped", [CHECK_PASSED] = "passed",
};

const char *status_name(enum check_status status)
{
    return status_names[status];
}

const char *status_label(enum check_status status)
{
    return status == CHECK_NOT_RUN ? "not run" : status_names[status];
}

char *status_counted(enum check_status status, size_t count)
{
    const char *plural = status == CHECK_ERROR && count != 1 ? "s" : "";
    return xasprintf("%zu %s%s", count, status_label(status), plural);
}

char *results_stale_note(const json_t *results)
{
    size_t count = json_array_size(json_object_get(results, "stale"));
    return count == 0 ? NULL
           : count == 1
               ? xstrdup("1 baseline belongs to no check; --prune removes it")
               : xasprintf("%zu baselines belong to no check; --prune removes them", count);
}

enum check_status check_status(const json_t *check)
{
    const char *name = results_text(check, "status");
    enum check_status status = 0;
    while (status < CHECK_STATUS_COUNT && strcmp(name, status_names[status]) != 0) {
        status++;
    }
    return status;
}

const char *results_text(const json_t *object, const char *key)
{
    const char *text = json_member_string(object, key);
    return text ? text : "";
}

json_t *results_other_problems(const json_t *check)
{
    json_t *others = json_array();
    const char *reason = results_text(check, "reason");
    size_t index;
    json_t *problem;
    json_array_foreach (json_object_get(check, "problems"), index, problem) {
        if (!strstr(reason, json_string_value(problem))) {
            json_array_append(others, problem);
        }
    }
    return others;
}

const char *results_picture(const json_t *check)
{
    const json_t *images = json_object_get(check, "images");
    const char *diff = results_text(images, "diff");
    return *diff ? diff : results_text(images, "actual");
}

const json_t *results_checks(const json_t *results)
{
    return json_object_get(results, "checks");
}

size_t results_count(const json_t *results, enum check_status status)
{
    size_t count = 0, index;
    const json_t *check;
    json_array_foreach (results_checks(results), index, check) {
        count += check_status(check) == status;
    }
    return count;
}
