#include "runner/sessions/settings.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/shape.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

struct row {
    const char *name;
    enum kind {
        KIND_TEXT,
        KIND_TEXTS,
        KIND_FLAG,
        KIND_NUMBER, /* an int */
        KIND_REAL,
    } kind;
    size_t offset;
};

#define BROWSER(name, kind, member)                                                                \
    {                                                                                              \
        name, kind, offsetof(struct br_browser_options, member)                                    \
    }
#define SESSION(name, kind, member)                                                                \
    {                                                                                              \
        name, kind, offsetof(struct br_session_options, member)                                    \
    }

static const struct row browser_rows[] = {
    BROWSER("chrome", KIND_TEXT, chrome),
    BROWSER("connect", KIND_TEXT, connect),
    BROWSER("project", KIND_TEXT, project),
    BROWSER("profile", KIND_TEXT, profile),
    BROWSER("tempProfile", KIND_FLAG, temp_profile),
    BROWSER("headed", KIND_FLAG, headed),
    BROWSER("noSandbox", KIND_FLAG, no_sandbox),
    BROWSER("stablePixels", KIND_FLAG, stable_pixels),
    BROWSER("chromeArgs", KIND_TEXTS, chrome_args),
    BROWSER("windowWidth", KIND_NUMBER, window_width),
    BROWSER("windowHeight", KIND_NUMBER, window_height),
    { 0 },
};

static const struct row session_rows[] = {
    SESSION("sessionId", KIND_TEXT, session_id),
    SESSION("isolated", KIND_FLAG, isolated),
    SESSION("context", KIND_TEXT, context),
    SESSION("tab", KIND_TEXT, tab),
    SESSION("idleDetachMs", KIND_NUMBER, idle_detach_ms),
    SESSION("downloads", KIND_TEXT, downloads),
    SESSION("preset", KIND_TEXT, preset),
    SESSION("viewportWidth", KIND_NUMBER, viewport_width),
    SESSION("viewportHeight", KIND_NUMBER, viewport_height),
    SESSION("devicePixelRatio", KIND_REAL, device_pixel_ratio),
    SESSION("timeoutMs", KIND_NUMBER, timeout_ms),
    SESSION("screenshots", KIND_NUMBER, screenshots),
    SESSION("maxEdge", KIND_NUMBER, limits.max_edge),
    SESSION("maxPixels", KIND_REAL, limits.max_pixels),
    SESSION("quality", KIND_NUMBER, quality),
    SESSION("maxConsecutiveErrors", KIND_NUMBER, max_consecutive_errors),
    SESSION("totalErrorThreshold", KIND_NUMBER, total_error_threshold),
    SESSION("showActions", KIND_NUMBER, show_actions),
    SESSION("debug", KIND_FLAG, debug),
    SESSION("debugDir", KIND_TEXT, debug_dir),
    SESSION("logFilter", KIND_TEXT, log_filter),
    SESSION("retry", KIND_TEXT, retry),
    SESSION("networkFilter", KIND_NUMBER, network_filter),
    SESSION("allow", KIND_TEXTS, policy.allow),
    SESSION("deny", KIND_TEXTS, policy.deny),
    SESSION("schemes", KIND_TEXTS, policy.schemes),
    SESSION("noEval", KIND_FLAG, policy.no_eval),
    SESSION("files", KIND_TEXT, policy.files),
    SESSION("audit", KIND_TEXT, audit),
    { 0 },
};

_Static_assert(sizeof(enum br_screenshots) == sizeof(int) &&
                   sizeof(enum br_show_actions) == sizeof(int) &&
                   sizeof(enum br_network_filter) == sizeof(int),
               "choices are read and written as int");

static const struct br_browser_options browser_defaults = BR_BROWSER_OPTIONS_INIT;
static const struct br_session_options session_defaults = BR_SESSION_OPTIONS_INIT;

static json_t *texts_json(const char *const *texts)
{
    json_t *array = texts ? json_array() : NULL;
    for (size_t i = 0; texts && texts[i]; i++) {
        json_array_append_new(array, json_text(texts[i]));
    }
    return array;
}

/* Returns NULL for a default value. */
static json_t *value_of(const struct row *row, const void *options, const void *defaults)
{
    const void *field = (const char *)options + row->offset;
    const void *usual = (const char *)defaults + row->offset;
    switch (row->kind) {
    case KIND_TEXT:
        return *(const char *const *)field ? json_text(*(const char *const *)field) : NULL;
    case KIND_TEXTS:
        return texts_json(*(const char *const *const *)field);
    case KIND_FLAG:
        return *(const bool *)field ? json_true() : NULL;
    case KIND_NUMBER:
        return *(const int *)field != *(const int *)usual ? json_integer(*(const int *)field)
                                                          : NULL;
    case KIND_REAL:
        return *(const double *)field != *(const double *)usual ? json_real(*(const double *)field)
                                                                : NULL;
    }
    return NULL;
}

static json_t *write_rows(const struct row *rows, const void *options, const void *defaults)
{
    json_t *object = json_object();
    for (const struct row *row = rows; row->name; row++) {
        json_t *value = value_of(row, options, defaults);
        if (value) {
            json_object_set_new(object, row->name, value);
        }
    }
    return object;
}

json_t *settings_write(const struct br_browser_options *browser,
                       const struct br_session_options *session)
{
    return json_pack("{s:o, s:o}", "browser", write_rows(browser_rows, browser, &browser_defaults),
                     "session", write_rows(session_rows, session, &session_defaults));
}

static bool read_texts(struct settings *settings, const json_t *value, const char *const **ret,
                       struct br_error *err)
{
    size_t index;
    json_t *item;
    if (!json_is_array(value)) {
        return shape_wrong_kind(value, "an array of texts", err);
    }
    const char **texts = xcalloc(json_array_size(value) + 1, sizeof(*texts));
    settings->lists[settings->list_count++] = texts;
    json_array_foreach (value, index, item) {
        texts[index] = json_string_value(item);
        if (!texts[index]) {
            return shape_wrong_kind(item, "a text", err);
        }
    }
    *ret = texts;
    return true;
}

static bool read_value(struct settings *settings, const struct row *row, const json_t *value,
                       void *field, struct br_error *err)
{
    switch (row->kind) {
    case KIND_TEXT:
        *(const char **)field = json_string_value(value);
        return json_is_string(value) || shape_wrong_kind(value, "a text", err);
    case KIND_TEXTS:
        return read_texts(settings, value, (const char *const **)field, err);
    case KIND_FLAG:
        *(bool *)field = json_is_true(value);
        return json_is_boolean(value) || shape_wrong_kind(value, "true or false", err);
    case KIND_NUMBER:
        if (!shape_number(value, INT_MIN, INT_MAX, true, err)) {
            return false;
        }
        *(int *)field = (int)json_number_value(value);
        return true;
    case KIND_REAL:
        *(double *)field = json_number_value(value);
        return shape_number(value, 0, 1e15, false, err);
    }
    return false;
}

static const struct row *find_row(const struct row *rows, const char *name)
{
    while (rows->name && strcmp(rows->name, name) != 0) {
        rows++;
    }
    return rows->name ? rows : NULL;
}

static bool read_rows(struct settings *settings, const char *part, const json_t *object,
                      const struct row *rows, void *options, struct br_error *err)
{
    const char *name;
    json_t *value;
    if (object && !json_is_object(object)) {
        return shape_wrong_kind(object, "an object", err) || error_context(err, "%s", part);
    }
    json_object_foreach ((json_t *)object, name, value) {
        const struct row *row = find_row(rows, name);
        if (!row) {
            return error_set(err, BR_INVALID_ACTION, "%s.%s is unknown", part, name);
        }
        if (!read_value(settings, row, value, (char *)options + row->offset, err)) {
            return error_context(err, "%s.%s", part, name);
        }
    }
    return true;
}

bool settings_read(const json_t *root, struct settings *ret_settings, struct br_error *err)
{
    *ret_settings =
        (struct settings){ .browser = BR_BROWSER_OPTIONS_INIT, .session = BR_SESSION_OPTIONS_INIT };
    if (root && !json_is_object(root)) {
        return shape_wrong_kind(root, "an object", err) || error_context(err, "settings");
    }
    ret_settings->is_blank = json_member_bool(root, "blank", false);
    return read_rows(ret_settings, "browser", json_object_get(root, "browser"), browser_rows,
                     &ret_settings->browser, err) &&
           read_rows(ret_settings, "session", json_object_get(root, "session"), session_rows,
                     &ret_settings->session, err);
}

void settings_finish(struct settings *settings)
{
    for (size_t i = 0; i < settings->list_count; i++) {
        free(settings->lists[i]);
    }
    settings->list_count = 0;
}
