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
    PARAM("mobile", BOOLEAN, "Behaves like a phone.", .default_value = "false"),
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
          "The viewport, touch screen, user agent and client hints of a device; ci makes pictures "
          "repeatable. Settings given beside it have precedence.",
          .choices = preset_names),
    PARAM("viewport", MEMBERS, "The size of the viewport, CSS pixels.", .members = viewport,
          .example =
              "{\"width\": 390, \"height\": 844, \"deviceScaleFactor\": 3, \"mobile\": true}"),
    PARAM("touch", BOOLEAN, "Emulates a touch screen.", .is_rare = true),
    PARAM("userAgent", NAME, "The user agent that the browser reports.", .is_rare = true),
    PARAM("locale", NAME, "Language and region.", .example = "de-DE", .is_rare = true),
    PARAM("timezone", NAME, "Time zone.", .example = "Europe/Berlin", .is_rare = true),
    PARAM("geolocation", MEMBERS, "The device's location in degrees.", .members = geolocation,
          .is_rare = true),
    PARAM("media", CHOICE, "The media type for style sheets.", .choices = media, .is_rare = true),
    PARAM("colorScheme", CHOICE, "The preferred colour scheme.", .choices = schemes),
    PARAM("reducedMotion", CHOICE, "The preference for reduced motion.", .choices = motions,
          .is_rare = true),
    PARAM("network", MEMBERS, "Latency in milliseconds; bytes per second.", .members = network,
          .is_rare = true),
    PARAM("offline", BOOLEAN, "Disconnects the network.", .is_rare = true),
    PARAM("cpuThrottle", NUMBER, "The factor by which scripts are slowed down.", .min = 1,
          .max = 100, .is_rare = true),
    PARAM("clock", CLOCK,
          "From the next document on, the clock stands still at this time, and random numbers "
          "follow the seed. true means 2026-01-01T00:00:00Z and 1, which are also the defaults of "
          "the members; false or null ends it.",
          .example = "{\"time\": \"2026-01-01T00:00:00Z\", \"seed\": 1}", .is_rare = true),
    PARAM("headers", HEADERS,
          "Headers sent with every request, to any origin; an empty object removes them.",
          .example = "{\"X-Test-Run\": \"42\"}", .is_rare = true),
    PARAM("credentials", MEMBERS,
          "The login for servers that require HTTP authentication. With origin only for that one. "
          "Empty texts remove it. It is sent once: a server that refuses it answers 401.",
          .members = route_credentials, .is_rare = true),
    PARAM("route", LIST,
          "Rules for requests, of which the first matching one applies. Replaces all earlier "
          "rules; an empty array removes them.",
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
    .text = "Emulates properties of the device and its environment, until the next start. Settings "
            "that are not given stay unchanged.",
    .params = params,
    .rules = rules,
    .validate = validate,
    .run = run_emulate,
};
