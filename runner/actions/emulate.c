#include "profiles/preset.h"
#include "runner/actions/clock.h"
#include "runner/actions/route.h"
#include "runner/page/world/settings.h"

enum { MAX_SIDE = 10000, MAX_LATENCY_MS = 60000 };

static const char *const media[] = { "screen", "print", NULL };
static const char *const schemes[] = { "light", "dark", "no-preference", NULL };
static const char *const motions[] = { "reduce", "no-preference", NULL };

static const struct param viewport[] = {
    PARAM("width", INTEGER, NULL, .min = 1, .max = MAX_SIDE, .is_required = true),
    PARAM("height", INTEGER, NULL, .min = 1, .max = MAX_SIDE, .is_required = true),
    PARAM("deviceScaleFactor", NUMBER, NULL, .min = 0.1, .max = 10),
    PARAM("mobile", BOOLEAN, "As on a phone.", .default_value = "false"),
    { 0 },
};

static const struct param geolocation[] = {
    PARAM("latitude", NUMBER, NULL, .min = -90, .max = 90, .is_required = true),
    PARAM("longitude", NUMBER, NULL, .min = -180, .max = 180, .is_required = true),
    PARAM("accuracy", NUMBER, "Metres.", .min = 0, .max = 1e6),
    { 0 },
};

static const struct param network[] = {
    PARAM("latency", NUMBER, NULL, .min = 0, .max = MAX_LATENCY_MS),
    PARAM("download", NUMBER, NULL, .min = 1, .max = 1e12),
    PARAM("upload", NUMBER, NULL, .min = 1, .max = 1e12),
    { 0 },
};

static const struct param params[] = {
    PARAM("preset", CHOICE,
          "Viewport, touch, user agent and client hints of a device, or for ci what makes pictures "
          "repeatable. Single settings beside it win over it.",
          .choices = preset_names),
    PARAM("viewport", MEMBERS, "The size of the page, CSS pixels.", .members = viewport,
          .example =
              "{\"width\": 390, \"height\": 844, \"deviceScaleFactor\": 3, \"mobile\": true}"),
    PARAM("touch", BOOLEAN, "With a touch screen.", .is_rare = true),
    PARAM("userAgent", NAME, "What the browser says it is.", .is_rare = true),
    PARAM("locale", NAME, "Language and region.", .example = "de-DE", .is_rare = true),
    PARAM("timezone", NAME, "Time zone.", .example = "Europe/Berlin", .is_rare = true),
    PARAM("geolocation", MEMBERS, "Where the device is, degrees.", .members = geolocation,
          .is_rare = true),
    PARAM("media", CHOICE, "The medium of style sheets.", .choices = media, .is_rare = true),
    PARAM("colorScheme", CHOICE, "The scheme of colours that is preferred.", .choices = schemes),
    PARAM("reducedMotion", CHOICE, "Whether less motion is preferred.", .choices = motions,
          .is_rare = true),
    PARAM("network", MEMBERS, "Milliseconds of latency; bytes a second.", .members = network,
          .is_rare = true),
    PARAM("offline", BOOLEAN, "Without a network.", .is_rare = true),
    PARAM("cpuThrottle", NUMBER, "How many times slower scripts run.", .min = 1, .max = 100,
          .is_rare = true),
    PARAM("clock", CLOCK,
          "From the next document on the clock stands still at this time, and random numbers "
          "follow the seed. true takes 2026-01-01T00:00:00Z and 1, as for what is left out; false "
          "or null takes it off.",
          .example = "{\"time\": \"2026-01-01T00:00:00Z\", \"seed\": 1}", .is_rare = true),
    PARAM("headers", HEADERS,
          "Sent with every request, to whatever origin; an empty object takes them back.",
          .example = "{\"X-Test-Run\": \"42\"}", .is_rare = true),
    PARAM("credentials", MEMBERS,
          "For servers that ask for a login (HTTP authentication). With origin for that one alone. "
          "Empty texts take them back. They are offered once: a server that refuses them answers "
          "401.",
          .members = route_credentials, .is_rare = true),
    PARAM("route", LIST,
          "What becomes of requests, by the first rule that matches; takes the place of all rules "
          "before, an empty array leaves none.",
          .max = ROUTE_MAX_RULES, .members = route_rules,
          .example = "[{\"url\": \"*/api/items*\", \"action\": \"fulfill\", \"contentType\": "
                     "\"application/json\", \"body\": \"[]\"}]",
          .is_rare = true),
    { 0 },
};

static const struct rule rules[] = {
    { RULE_ANY, "@own", .text = "needs a setting, such as viewport or colorScheme" },
    { 0 },
};

static bool validate(const struct br_action *action, struct br_error *err)
{
    return clock_validate(action, err) && route_validate(action, err);
}

/* Applies the preset's settings, overridden by the action's own. */
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
    .text = "Makes the page believe something of its device and surroundings, until the next "
            "start. Settings that are not given stay as they are.",
    .params = params,
    .rules = rules,
    .validate = validate,
    .run = run_emulate,
};
