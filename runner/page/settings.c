#include "runner/base/json.h"
#include "runner/page/state.h"

#include <string.h>

static const json_t *setting(const struct page *page, const char *name)
{
    return json_object_get(page->settings, name);
}

static bool apply_viewport(struct page *page, struct br_error *err)
{
    const json_t *value = setting(page, "viewport");
    struct page_options *options = &page->options;
    options->viewport_width = (int)json_member_number(value, "width", options->viewport_width);
    options->viewport_height = (int)json_member_number(value, "height", options->viewport_height);
    options->device_pixel_ratio =
        json_member_number(value, "deviceScaleFactor", options->device_pixel_ratio);
    return page_command(page, "Emulation.setDeviceMetricsOverride",
                        json_pack("{s:i, s:i, s:f, s:b}", "width", options->viewport_width,
                                  "height", options->viewport_height, "deviceScaleFactor",
                                  options->device_pixel_ratio, "mobile",
                                  json_member_bool(value, "mobile", false)),
                        NULL, err);
}

static bool apply_touch(struct page *page, struct br_error *err)
{
    return page_command(page, "Emulation.setTouchEmulationEnabled",
                        json_pack("{s:b}", "enabled", json_is_true(setting(page, "touch"))), NULL,
                        err);
}

/* The browser's own user agent, the caller's to free; NULL with the error. */
static char *own_user_agent(struct page *page, struct br_error *err)
{
    json_auto_t *version = NULL;
    const char *text = NULL;
    if (!cdp_call(page->client, NULL, "Browser.getVersion", NULL, &version, err) ||
        !json_read(version, "Browser.getVersion", err, "{s:s}", "userAgent", &text)) {
        return NULL;
    }
    return xstrdup(text);
}

/* One command sets the user agent and the languages, and it needs the former. */
static bool apply_user_agent(struct page *page, struct br_error *err)
{
    const char *locale = json_member_string(page->settings, "locale");
    const char *wanted = json_member_string(page->settings, "userAgent");
    CLEANUP_FREE char *agent = wanted ? xstrdup(wanted) : own_user_agent(page, err);
    return agent && page_command(page, "Emulation.setUserAgentOverride",
                                 json_pack("{s:o, s:o*}", "userAgent", json_text(agent),
                                           "acceptLanguage", locale ? json_text(locale) : NULL),
                                 NULL, err);
}

static bool apply_locale(struct page *page, struct br_error *err)
{
    return page_command(page, "Emulation.setLocaleOverride",
                        json_pack("{s:O}", "locale", setting(page, "locale")), NULL, err) &&
           apply_user_agent(page, err);
}

/* Chrome takes some unknown names without a word. */
static bool check_timezone(struct page *page, struct br_error *err)
{
    static const char function[] = "function (zone) { try {"
                                   " new Intl.DateTimeFormat('en', { timeZone: zone });"
                                   " return true; } catch (error) { return false; } }";
    json_auto_t *is_known = NULL;
    const char *zone = json_member_string(page->settings, "timezone");
    return page_call_function(page, function, json_text(zone), &is_known, err) &&
           (json_is_true(is_known) ||
            error_set(err, BR_INVALID_ACTION, "\"%s\" is no time zone", zone));
}

static bool apply_timezone(struct page *page, struct br_error *err)
{
    if (check_timezone(page, err) &&
        page_command(page, "Emulation.setTimezoneOverride",
                     json_pack("{s:O}", "timezoneId", setting(page, "timezone")), NULL, err)) {
        return true;
    }
    return error_hint(err, "a time zone is named as in Europe/Berlin");
}

static bool apply_geolocation(struct page *page, struct br_error *err)
{
    const json_t *value = setting(page, "geolocation");
    return cdp_call(page->client, NULL, "Browser.grantPermissions",
                    json_pack("{s:[s]}", "permissions", "geolocation"), NULL, err) &&
           page_command(page, "Emulation.setGeolocationOverride",
                        json_pack("{s:f, s:f, s:f}", "latitude",
                                  json_member_number(value, "latitude", 0), "longitude",
                                  json_member_number(value, "longitude", 0), "accuracy",
                                  json_member_number(value, "accuracy", 1)),
                        NULL, err);
}

/* One command sets them all. */
static bool apply_media(struct page *page, struct br_error *err)
{
    const char *media = json_member_string(page->settings, "media");
    const char *scheme = json_member_string(page->settings, "colorScheme");
    const char *motion = json_member_string(page->settings, "reducedMotion");
    return page_command(page, "Emulation.setEmulatedMedia",
                        json_pack("{s:s, s:[{s:s, s:s}, {s:s, s:s}]}", "media", media ? media : "",
                                  "features", "name", "prefers-color-scheme", "value",
                                  scheme ? scheme : "", "name", "prefers-reduced-motion", "value",
                                  motion ? motion : ""),
                        NULL, err);
}

/* The same here. Chrome counts bytes a second, -1 is any number. */
static bool apply_network(struct page *page, struct br_error *err)
{
    const json_t *value = setting(page, "network");
    return page_command(page, "Network.emulateNetworkConditions",
                        json_pack("{s:b, s:f, s:f, s:f}", "offline",
                                  json_is_true(setting(page, "offline")), "latency",
                                  json_member_number(value, "latency", 0), "downloadThroughput",
                                  json_member_number(value, "download", -1), "uploadThroughput",
                                  json_member_number(value, "upload", -1)),
                        NULL, err);
}

static bool apply_cpu(struct page *page, struct br_error *err)
{
    return page_command(page, "Emulation.setCPUThrottlingRate",
                        json_pack("{s:O}", "rate", setting(page, "cpuThrottle")), NULL, err);
}

static const struct {
    const char *name;
    bool (*apply)(struct page *page, struct br_error *err); /* NULL: it is only looked at */
} table[] = {
    { "viewport", apply_viewport },
    { "touch", apply_touch },
    { "userAgent", apply_user_agent },
    { "locale", apply_locale },
    { "timezone", apply_timezone },
    { "geolocation", apply_geolocation },
    { "media", apply_media },
    { "colorScheme", apply_media },
    { "reducedMotion", apply_media },
    { "network", apply_network },
    { "offline", apply_network },
    { "cpuThrottle", apply_cpu },
    { "dialog", NULL },
};

/* What Chrome refuses is what the user asked for. */
static bool apply(struct page *page, size_t index, struct br_error *err)
{
    if (!table[index].apply || table[index].apply(page, err)) {
        return true;
    }
    err->code = err->code == BR_UNKNOWN_ERROR ? BR_INVALID_ACTION : err->code;
    return error_context(err, "%s", table[index].name);
}

bool page_set(struct page *page, const char *name, json_t *value, struct br_error *err)
{
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (strcmp(table[i].name, name) != 0) {
            continue;
        }
        json_auto_t *before = json_incref(json_object_get(page->settings, name));
        json_object_set(page->settings, name, value);
        if (apply(page, i, err)) {
            return true;
        }
        /* It does not hold, and a page that takes this one's place shall not try again. */
        if (before) {
            json_object_set(page->settings, name, before);
        } else {
            json_object_del(page->settings, name);
        }
        return false;
    }
    return error_set(err, BR_INVALID_ACTION, "there is no setting \"%s\"", name);
}

void page_set_again(struct page *page, const json_t *settings)
{
    struct br_error err;
    json_object_update(page->settings, (json_t *)settings);
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (setting(page, table[i].name) && !apply(page, i, &err)) {
            page_log(page, BR_LOG_WARNING, "browser", "a setting could not be put back: %s",
                     err.message);
        }
    }
}
