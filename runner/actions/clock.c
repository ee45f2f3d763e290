#include "runner/actions/clock.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/names.h"
#include "runner/base/rfc3339.h"

#include <math.h>
#include <string.h>

#define USUAL_TIME   "2026-01-01T00:00:00Z"
#define LATEST_MS    1e14 /* beyond any sensible date, and far below Chrome's limit */
#define LARGEST_SEED 4294967295.0

enum { USUAL_SEED = 1 };

static bool is_whole(const json_t *value, double max)
{
    double number = json_number_value(value);
    return json_is_number(value) && number == floor(number) && number >= 0 && number <= max;
}

static bool read_time(const json_t *value, int64_t *ret_ms)
{
    *ret_ms = (int64_t)json_number_value(value);
    return is_whole(value, LATEST_MS) ||
           (json_is_string(value) && rfc3339_parse(json_string_value(value), ret_ms));
}

static bool wrong(const struct br_action *action, const char *name, const char *what,
                  const json_t *value, struct br_error *err)
{
    CLEANUP_FREE char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    param_error(action, name, err, "%.80s is no %s", text, what);
    return error_hint(err, "write it as {\"time\": \"%s\", \"seed\": %d}", USUAL_TIME, USUAL_SEED);
}

static bool check_members(const struct br_action *action, const json_t *clock, struct br_error *err)
{
    static const char *const known[] = { "time", "seed" };
    int64_t ms = 0;
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)clock, name, value) {
        bool is_time = strcmp(name, known[0]) == 0;
        if (!is_time && strcmp(name, known[1]) != 0) {
            CLEANUP_FREE char *path = xasprintf("clock.%s", name);
            param_error(action, path, err, "is unknown");
            return names_hint(name, known, sizeof(known) / sizeof(known[0]), err);
        }
        if (is_time && !read_time(value, &ms)) {
            return wrong(action, "clock.time", "time", value, err);
        }
        if (!is_time && !is_whole(value, LARGEST_SEED)) {
            return wrong(action, "clock.seed", "whole number up to 4294967295", value, err);
        }
    }
    return true;
}

bool clock_validate(const struct br_action *action, struct br_error *err)
{
    const json_t *clock = json_object_get(action->params, "clock");
    int64_t ms = 0;
    if (!clock || json_is_boolean(clock) || json_is_null(clock) || read_time(clock, &ms)) {
        return true;
    }
    return json_is_object(clock) ? check_members(action, clock, err)
                                 : wrong(action, "clock", "time", clock, err);
}

json_t *clock_setting(const json_t *clock)
{
    const json_t *time = json_is_object(clock) ? json_object_get(clock, "time") : clock;
    int64_t ms = 0;
    if (json_is_false(clock) || json_is_null(clock)) {
        return json_false();
    }
    if (!read_time(time, &ms)) {
        rfc3339_parse(USUAL_TIME, &ms);
    }
    return json_pack("{s:I, s:I}", "time", (json_int_t)ms, "seed",
                     (json_int_t)json_member_number(clock, "seed", USUAL_SEED));
}
