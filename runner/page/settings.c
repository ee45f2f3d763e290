#include "runner/base/json.h"
#include "runner/base/strbuf.h"
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
                        json_pack("{s:i, s:i, s:f, s:b, s:O*, s:O*}", "width",
                                  options->viewport_width, "height", options->viewport_height,
                                  "deviceScaleFactor", options->device_pixel_ratio, "mobile",
                                  json_member_bool(value, "mobile", false), "screenWidth",
                                  json_object_get(value, "screenWidth"), "screenHeight",
                                  json_object_get(value, "screenHeight")),
                        NULL, err);
}

static bool apply_touch(struct page *page, struct br_error *err)
{
    return page_command(page, "Emulation.setTouchEmulationEnabled",
                        json_pack("{s:b}", "enabled", json_is_true(setting(page, "touch"))), NULL,
                        err);
}

/* The browser's version, such as "156.0.8078.79", the caller's to free; NULL with the error. */
static char *browser_version(struct page *page, struct br_error *err)
{
    json_auto_t *version = NULL;
    const char *product = NULL;
    if (!cdp_call(page->client, NULL, "Browser.getVersion", NULL, &version, err) ||
        !json_read(version, "Browser.getVersion", err, "{s:s}", "product", &product)) {
        return NULL;
    }
    const char *slash = strchr(product, '/');
    return xstrdup(slash ? slash + 1 : product);
}

/* A user agent with the browser's major version in its place. */
static json_t *with_version(const char *agent, const char *major)
{
    static const char mark[] = "${major}";
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    for (const char *place; (place = strstr(agent, mark)); agent = place + strlen(mark)) {
        strbuf_add(&text, agent, (size_t)(place - agent));
        strbuf_add_string(&text, major);
    }
    strbuf_add_string(&text, agent);
    return json_text(text.data);
}

/* As Chrome writes them: itself, what it is made of, and one that makes sure nobody compares. */
static json_t *brands(const char *version, const char *of_grease)
{
    return json_pack("[{s:s, s:s}, {s:s, s:s}, {s:s, s:s}]", "brand", "Chromium", "version",
                     version, "brand", "Google Chrome", "version", version, "brand", "Not:A-Brand",
                     "version", of_grease);
}

/* Client hints say the same as the user agent, and so do what scripts see of both. */
static json_t *client_hints(const json_t *metadata, const char *version, const char *major)
{
    json_t *hints = json_copy((json_t *)metadata);
    json_object_set_new(hints, "brands", brands(major, "8"));
    json_object_set_new(hints, "fullVersionList", brands(version, "8.0.0.0"));
    json_object_set_new(hints, "fullVersion", json_string(version));
    return hints;
}

/* The user agent of a preset: {text, platform, metadata}, each of them optional. */
static json_t *described_agent(struct page *page, const json_t *value, struct br_error *err)
{
    const char *text = json_member_string(value, "text");
    const json_t *metadata = json_object_get(value, "metadata");
    CLEANUP_FREE char *version = browser_version(page, err);
    if (!version) {
        return NULL;
    }
    CLEANUP_FREE char *major = xstrndup(version, strcspn(version, "."));
    return json_pack("{s:o, s:O*, s:o*}", "userAgent", with_version(text ? text : "", major),
                     "platform", json_object_get(value, "platform"), "userAgentMetadata",
                     metadata ? client_hints(metadata, version, major) : NULL);
}

/* One command sets the user agent and the languages; an empty agent is the browser's own. */
static bool apply_user_agent(struct page *page, struct br_error *err)
{
    const json_t *value = setting(page, "userAgent");
    json_t *locale = json_object_get(page->settings, "locale");
    json_t *command = json_is_object(value)
                          ? described_agent(page, value, err)
                          : json_pack("{s:o}", "userAgent",
                                      value ? json_incref((json_t *)value) : json_string(""));
    if (command && locale) {
        json_object_set(command, "acceptLanguage", locale);
    }
    return command && page_command(page, "Emulation.setUserAgentOverride", command, NULL, err);
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

bool page_set_all(struct page *page, const json_t *settings, struct br_error *err)
{
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        json_t *value = json_object_get(settings, table[i].name);
        if (value && !page_set(page, table[i].name, value, err)) {
            return false;
        }
    }
    return true;
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
