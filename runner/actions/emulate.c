#include "profiles/preset.h"
#include "runner/actions/clock.h"
#include "runner/actions/route.h"
#include "runner/page/world/settings.h"

enum { MAX_SIDE = 10000, MAX_LATENCY_MS = 60000 };

static const char *const media[] = { "screen", "print", NULL };
static const char *const schemes[] = { "light", "dark", "no-preference", NULL };
static const char *const motions[] = { "reduce", "no-preference", NULL };

static const struct param viewport[] = {
    { .name = "width", .kind = PARAM_INTEGER, .min = 1, .max = MAX_SIDE, .is_required = true },
    { .name = "height", .kind = PARAM_INTEGER, .min = 1, .max = MAX_SIDE, .is_required = true },
    { .name = "deviceScaleFactor", .kind = PARAM_NUMBER, .min = 0.1, .max = 10 },
    { .name = "mobile", .kind = PARAM_BOOLEAN },
    { 0 },
};

static const struct param geolocation[] = {
    { .name = "latitude", .kind = PARAM_NUMBER, .min = -90, .max = 90, .is_required = true },
    { .name = "longitude", .kind = PARAM_NUMBER, .min = -180, .max = 180, .is_required = true },
    { .name = "accuracy", .kind = PARAM_NUMBER, .min = 0, .max = 1e6 },
    { 0 },
};

static const struct param network[] = {
    { .name = "latency", .kind = PARAM_NUMBER, .min = 0, .max = MAX_LATENCY_MS },
    { .name = "download", .kind = PARAM_NUMBER, .min = 1, .max = 1e12 },
    { .name = "upload", .kind = PARAM_NUMBER, .min = 1, .max = 1e12 },
    { 0 },
};

static const struct param params[] = {
    { .name = "preset", .kind = PARAM_CHOICE, .choices = preset_names },
    { .name = "viewport", .kind = PARAM_MEMBERS, .members = viewport },
    { .name = "touch", .kind = PARAM_BOOLEAN },
    { .name = "userAgent", .kind = PARAM_NAME },
    { .name = "locale", .kind = PARAM_NAME },
    { .name = "timezone", .kind = PARAM_NAME },
    { .name = "geolocation", .kind = PARAM_MEMBERS, .members = geolocation },
    { .name = "media", .kind = PARAM_CHOICE, .choices = media },
    { .name = "colorScheme", .kind = PARAM_CHOICE, .choices = schemes },
    { .name = "reducedMotion", .kind = PARAM_CHOICE, .choices = motions },
    { .name = "network", .kind = PARAM_MEMBERS, .members = network },
    { .name = "offline", .kind = PARAM_BOOLEAN },
    { .name = "cpuThrottle", .kind = PARAM_NUMBER, .min = 1, .max = 100 },
    { .name = "clock", .kind = PARAM_ANY },
    { .name = "headers", .kind = PARAM_OBJECT },
    { .name = "credentials", .kind = PARAM_MEMBERS, .members = route_credentials },
    { .name = "route", .kind = PARAM_LIST, .max = ROUTE_MAX_RULES, .members = route_rules },
    { 0 },
};

static bool validate(const struct br_action *action, struct br_error *err)
{
    for (const struct param *row = params; row->name; row++) {
        if (param_is_given(action, row->name)) {
            return clock_validate(action, err) && route_validate(action, err);
        }
    }
    return param_error(action, NULL, err, "needs a setting, such as viewport or colorScheme");
}

/* A preset's settings, and over them those of the action itself. */
static bool run_emulate(struct action_run *run, struct br_error *err)
{
    const char *preset = param_text(run->action, "preset", NULL);
    json_auto_t *settings = preset ? preset_load(preset, err) : json_object();
    if (!settings) {
        return false;
    }
    json_object_update(settings, run->action->params);
    json_t *route = json_object_get(settings, "route");
    json_auto_t *loaded = route ? route_load(route, run->policy, err) : NULL;
    if (route && !loaded) {
        return false;
    }
    if (route) {
        json_object_set(settings, "route", loaded);
    }
    const json_t *clock = json_object_get(settings, "clock");
    if (clock) {
        json_object_set_new(settings, "clock", clock_setting(clock));
    }
    return page_set_all(run->page, settings, err);
}

const struct action_type action_emulate = {
    .name = "emulate",
    .params = params,
    .validate = validate,
    .run = run_emulate,
};
