#include "runner/page/world/settings.h"

#include "runner/base/json.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/options.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/world/agent.h"
#include "runner/page/world/route.h"
#include "runner/page/world/setting.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool keep_viewport(struct page *page, struct br_error *err)
{
    const json_t *value = setting_get(page, "viewport");
    struct page_options *options = &page->options;
    (void)err;
    options->is_mobile = json_member_bool(value, "mobile", false);
    options->viewport_width = (int)json_member_number(value, "width", options->viewport_width);
    options->viewport_height = (int)json_member_number(value, "height", options->viewport_height);
    options->device_pixel_ratio =
        json_member_number(value, "deviceScaleFactor", options->device_pixel_ratio);
    return true;
}

static const char *viewport_command(struct page *page, json_t **ret_params)
{
    const json_t *value = setting_get(page, "viewport");
    const struct page_options *options = &page->options;
    *ret_params =
        json_pack("{s:i, s:i, s:f, s:b, s:O*, s:O*}", "width", options->viewport_width, "height",
                  options->viewport_height, "deviceScaleFactor", options->device_pixel_ratio,
                  "mobile", json_member_bool(value, "mobile", false), "screenWidth",
                  json_object_get(value, "screenWidth"), "screenHeight",
                  json_object_get(value, "screenHeight"));
    return "Emulation.setDeviceMetricsOverride";
}

static const char *touch_command(struct page *page, json_t **ret_params)
{
    *ret_params = json_pack("{s:b}", "enabled", json_is_true(setting_get(page, "touch")));
    return "Emulation.setTouchEmulationEnabled";
}

static const char *locale_command(struct page *page, json_t **ret_params)
{
    *ret_params = json_pack("{s:O}", "locale", setting_get(page, "locale"));
    return "Emulation.setLocaleOverride";
}

/* Chrome silently accepts some unknown names. */
static bool check_timezone(struct page *page, struct br_error *err)
{
    static const char function[] = "function (zone) { try {"
                                   " new Intl.DateTimeFormat('en', { timeZone: zone });"
                                   " return true; } catch (error) { return false; } }";
    json_auto_t *is_known = NULL;
    const char *zone = json_member_string(setting_all(page), "timezone");
    if (!page_call_function(page, function, json_text(zone), &is_known, err)) {
        return false;
    }
    if (json_is_true(is_known)) {
        return true;
    }
    error_set(err, BR_INVALID_ACTION, "\"%s\" is not a time zone", zone);
    return error_hint(err, "write a time zone like Europe/Berlin");
}

static const char *timezone_command(struct page *page, json_t **ret_params)
{
    *ret_params = json_pack("{s:O}", "timezoneId", setting_get(page, "timezone"));
    return "Emulation.setTimezoneOverride";
}

static bool grant_geolocation(struct page *page, struct br_error *err)
{
    return cdp_call(page->client, NULL, "Browser.grantPermissions",
                    page_in_context(page, json_pack("{s:[s]}", "permissions", "geolocation")), NULL,
                    err);
}

static const char *geolocation_command(struct page *page, json_t **ret_params)
{
    const json_t *value = setting_get(page, "geolocation");
    *ret_params = json_pack("{s:f, s:f, s:f}", "latitude", json_member_number(value, "latitude", 0),
                            "longitude", json_member_number(value, "longitude", 0), "accuracy",
                            json_member_number(value, "accuracy", 1));
    return "Emulation.setGeolocationOverride";
}

/* One command sets all media features. */
static const char *media_command(struct page *page, json_t **ret_params)
{
    const char *media = json_member_string(setting_all(page), "media");
    const char *scheme = json_member_string(setting_all(page), "colorScheme");
    const char *motion = json_member_string(setting_all(page), "reducedMotion");
    *ret_params =
        json_pack("{s:s, s:[{s:s, s:s}, {s:s, s:s}]}", "media", media ? media : "", "features",
                  "name", "prefers-color-scheme", "value", scheme ? scheme : "", "name",
                  "prefers-reduced-motion", "value", motion ? motion : "");
    return "Emulation.setEmulatedMedia";
}

/* One command for several settings. Chrome expects bytes per second; -1 means unlimited. */
static const char *network_command(struct page *page, json_t **ret_params)
{
    const json_t *value = setting_get(page, "network");
    *ret_params =
        json_pack("{s:b, s:f, s:f, s:f}", "offline", json_is_true(setting_get(page, "offline")),
                  "latency", json_member_number(value, "latency", 0), "downloadThroughput",
                  json_member_number(value, "download", -1), "uploadThroughput",
                  json_member_number(value, "upload", -1));
    return "Network.emulateNetworkConditions";
}

static const char *cpu_command(struct page *page, json_t **ret_params)
{
    *ret_params = json_pack("{s:O}", "rate", setting_get(page, "cpuThrottle"));
    return "Emulation.setCPUThrottlingRate";
}

static bool make_clock_key(struct page *page, struct br_error *err)
{
    uint64_t parts[2];
    if (page->clock_key[0]) {
        return true;
    }
    if (getentropy(parts, sizeof(parts)) != 0) {
        return error_set(err, BR_UNKNOWN_ERROR, "the system gives no random numbers");
    }
    snprintf(page->clock_key, sizeof(page->clock_key), "%016" PRIx64 "%016" PRIx64, parts[0],
             parts[1]);
    return true;
}

/* The script stays in the session; one added later overrides it. */
static const char *clock_command(struct page *page, json_t **ret_params)
{
    json_t *value = setting_get(page, "clock");
    json_auto_t *wanted = json_is_object(value) ? json_incref(value) : json_null();
    CLEANUP_FREE char *text = json_dumps(wanted, JSON_COMPACT | JSON_ENCODE_ANY);
    CLEANUP_FREE char *source = xasprintf("(%s)(\"%s\", %s)", script_clock, page->clock_key, text);
    *ret_params = json_pack("{s:o}", "source", json_text(source));
    return "Page.addScriptToEvaluateOnNewDocument";
}

static const char *headers_command(struct page *page, json_t **ret_params)
{
    *ret_params = json_pack("{s:O}", "headers", setting_get(page, "headers"));
    return "Network.setExtraHTTPHeaders";
}

static const struct {
    const char *name; /* several rows may have the same name */
    /* Prepares the command, and checks what Chrome does not. NULL: nothing. */
    bool (*prepare)(struct page *page, struct br_error *err);
    /* Returns the method and its parameters. NULL: the setting is only stored. */
    const char *(*command)(struct page *page, json_t **ret_params);
    bool is_for_frames; /* sent to each process of the page */
} table[] = {
    { "viewport", keep_viewport, viewport_command, false },
    { "touch", NULL, touch_command, true },
    { "userAgent", agent_prepare, agent_command, true },
    { "locale", NULL, locale_command, true },
    { "locale", agent_prepare, agent_command, true },
    { "timezone", check_timezone, timezone_command, true },
    { "geolocation", grant_geolocation, geolocation_command, true },
    { "media", NULL, media_command, true },
    { "colorScheme", NULL, media_command, true },
    { "reducedMotion", NULL, media_command, true },
    { "network", NULL, network_command, true },
    { "offline", NULL, network_command, true },
    { "cpuThrottle", NULL, cpu_command, false },
    { "clock", make_clock_key, clock_command, true },
    { "headers", NULL, headers_command, true },
    { "credentials", NULL, route_command, true },
    { "route", NULL, route_command, true },
    { "dialog", NULL, NULL, false },
};
enum { ROW_COUNT = sizeof(table) / sizeof(table[0]) };

static void send_to_frames(struct page *page, size_t index)
{
    if (!table[index].is_for_frames || !table[index].command) {
        return;
    }
    bool is_frame = false;
    const char *session_id = NULL;
    for (size_t i = 0; (session_id = frames_session(page, i, &is_frame)); i++) {
        json_t *params = NULL;
        const char *method = table[index].command(page, &params);
        cdp_post(page->client, session_id, method, params);
    }
}

/* The value that Chrome refuses is the user's. */
static bool refused(size_t index, struct br_error *err)
{
    err->code = err->code == BR_UNKNOWN_ERROR ? BR_INVALID_ACTION : err->code;
    return error_context(err, "%s", table[index].name);
}

/* A row whose command was sent. */
struct sent {
    const char *method; /* NULL: no command */
    int64_t id;
    bool is_open; /* the reply has not been received */
};

static bool send_row(struct page *page, size_t index, struct sent *ret_sent, struct br_error *err)
{
    json_t *params = NULL;
    *ret_sent = (struct sent){ 0 };
    if ((table[index].prepare && !table[index].prepare(page, err)) ||
        (table[index].is_for_frames && !frames_hold(page, err))) {
        return refused(index, err);
    }
    if (table[index].command) {
        ret_sent->method = table[index].command(page, &params);
        ret_sent->id = page_send(page, ret_sent->method, params, err);
    }
    ret_sent->is_open = true;
    return true;
}

static bool receive_row(struct page *page, size_t index, struct sent *sent, struct br_error *err)
{
    sent->is_open = false;
    if (sent->method && !cdp_receive(page->client, sent->id, sent->method, NULL, err)) {
        return refused(index, err);
    }
    send_to_frames(page, index);
    return true;
}

static bool apply(struct page *page, size_t index, struct br_error *err)
{
    struct sent sent;
    return send_row(page, index, &sent, err) && receive_row(page, index, &sent, err);
}

static bool apply_all(struct page *page, const char *name, struct br_error *err)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (strcmp(table[i].name, name) == 0 && !apply(page, i, err)) {
            return false;
        }
    }
    return true;
}

/* Removes a setting that failed: a page that replaces this one must not try it again. */
static void put_back(struct page *page, const char *name, const json_t *before)
{
    json_t *value = json_object_get(before, name);
    if (value) {
        json_object_set(setting_all(page), name, value);
    } else {
        json_object_del(setting_all(page), name);
    }
}

bool page_set(struct page *page, const char *name, json_t *value, struct br_error *err)
{
    json_auto_t *before = json_copy(setting_all(page));
    json_object_set(setting_all(page), name, value);
    if (apply_all(page, name, err)) {
        return true;
    }
    put_back(page, name, before);
    return false;
}

/* Returns whether an earlier command of the same setting must succeed before this one is sent. */
static bool is_continued(size_t index)
{
    return index > 0 && strcmp(table[index - 1].name, table[index].name) == 0;
}

/* Sends rows until one fails, *ret_failed. All open ones must be received. */
static bool send_all(struct page *page, const json_t *settings, struct sent *sent,
                     size_t *ret_failed, struct br_error *err)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        json_t *value = json_object_get(settings, table[i].name);
        if (!value) {
            continue;
        }
        json_object_set(setting_all(page), table[i].name, value);
        *ret_failed = i;
        if ((is_continued(i) && !receive_row(page, i - 1, &sent[i - 1], err)) ||
            !send_row(page, i, &sent[i], err)) {
            return false;
        }
    }
    return true;
}

bool page_set_all(struct page *page, const json_t *settings, struct br_error *err)
{
    struct sent sent[ROW_COUNT] = { 0 };
    struct br_error later = { 0 };
    json_auto_t *before = json_copy(setting_all(page));
    size_t failed = 0;
    bool is_done = send_all(page, settings, sent, &failed, err);
    if (!is_done) {
        put_back(page, table[failed].name, before);
    }
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (sent[i].is_open && !receive_row(page, i, &sent[i], is_done ? err : &later)) {
            put_back(page, table[i].name, before);
            is_done = false;
        }
    }
    return is_done;
}

void page_set_again(struct page *page, const json_t *settings)
{
    struct br_error err;
    json_object_update(setting_all(page), (json_t *)settings);
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (setting_get(page, table[i].name) && !apply(page, i, &err)) {
            page_log(page, BR_LOG_WARNING, "browser", "a setting could not be restored: %s",
                     err.message);
        }
    }
}

void settings_tell(struct page *page, const char *session_id)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (table[i].is_for_frames && table[i].command && setting_get(page, table[i].name)) {
            json_t *params = NULL;
            const char *method = table[i].command(page, &params);
            cdp_post(page->client, session_id, method, params);
        }
    }
}

bool settings_restore_screen(struct page *page, const char *session_id, struct br_error *err)
{
    json_t *viewport = NULL;
    json_t *touch = NULL;
    const char *method = viewport_command(page, &viewport);
    if (!cdp_call(page->client, session_id, method, viewport, NULL, err)) {
        return false;
    }
    if (!setting_get(page, "touch")) {
        return true;
    }
    method = touch_command(page, &touch);
    return cdp_call(page->client, session_id, method, touch, NULL, err);
}
