/* Suites from the files of other programs. */
#include "imaging/decode.h"
#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/strbuf.h"
#include "runner/base/url_parts.h"
#include "runner/checks/baseline.h"
#include "runner/checks/init.h"
#include "runner/checks/report/file_out.h"
#include "runner/checks/suite.h"
#include "runner/net/http.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SOURCE = 64 * 1024 * 1024, FETCH_MS = 30000, MAX_NOTES = 1000 };

/* A suite while it is written. */
struct import {
    const char *source; /* a file or a URL */
    json_t *suite, *viewports, *defaults, *checks;
    json_t *used;  /* object: the names of checks */
    json_t *notes; /* array: what was not taken over, as sentences */
    char *base;    /* the origin of the first address, with its slash; NULL: none */
    json_t *parts; /* array: {name of the check, key in names of BackstopJS's pictures, isWhole} */
    json_t *sizes; /* array: {name of the viewport, key, width} */
};

static void __attribute__((format(printf, 2, 3)))
note(struct import *import, const char *format, ...)
{
    char text[1000];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (json_array_size(import->notes) < MAX_NOTES) {
        json_array_append_new(import->notes, json_text(text));
    }
}

/*
 * Returns the address as the suite writes it: relative to the origin of the first one. Caller
 * frees.
 */
static char *suite_address(struct import *import, const char *url)
{
    size_t origin = url_origin_length(url);
    if (!url_is_web(url)) {
        return xstrdup(url);
    }
    if (!import->base) {
        import->base = xasprintf("%.*s/", (int)origin, url);
        json_object_set_new(import->suite, "baseUrl", json_text(import->base));
    }
    bool is_same = strncmp(url, import->base, origin) == 0 && import->base[origin] == '/';
    return is_same ? xasprintf("%s%s", url[origin] == '/' ? "" : "/", url + origin) : xstrdup(url);
}

/* Adds a copy of the check under a name of its own, which it returns. Borrowed. */
static const char *add_check(struct import *import, const json_t *check, const char *name)
{
    json_t *copy = json_object();
    CLEANUP_FREE char *own = init_name(import->used, name);
    json_object_set_new(copy, "name", json_text(own));
    json_object_update(copy, (json_t *)check);
    json_array_append_new(import->checks, copy);
    return json_member_string(copy, "name");
}

/* BackstopJS. */

static void add_action(json_t *check, json_t *action)
{
    json_t *actions = json_object_get(check, "actions");
    if (!actions) {
        actions = json_array();
        json_object_set_new(check, "actions", actions);
    }
    json_array_append_new(actions, action);
}

static void take_selectors(json_t *check, const json_t *value, const char *name)
{
    json_t *list = json_array();
    size_t index;
    const json_t *one;
    if (json_string_length(value)) {
        json_array_append(list, (json_t *)value);
    }
    json_array_foreach (value, index, one) {
        if (json_string_length(one)) {
            json_array_append(list, (json_t *)one);
        }
    }
    if (json_array_size(list)) {
        json_object_set(check, name, list);
    }
    json_decref(list);
}

/* Adds an action for each selector. */
static void take_steps(json_t *check, const json_t *value, const char *type)
{
    json_auto_t *steps = json_object();
    size_t index;
    json_t *one;
    take_selectors(steps, value, "steps");
    json_array_foreach (json_object_get(steps, "steps"), index, one) {
        add_action(check, json_pack("{s:s, s:O}", "type", type, "selector", one));
    }
}

/* Clamps to the range of int; the suite's reader refuses values that are too large. */
static int whole_of(double number)
{
    return number > 1e9 ? 1000000000 : number < -1e9 ? -1000000000 : (int)number;
}

static void take_wait(json_t *check, const json_t *value)
{
    if (json_string_length(value)) {
        add_action(check, json_pack("{s:s, s:O}", "type", "wait", "selector", value));
    } else if (json_number_value(value) > 0) {
        add_action(check, json_pack("{s:s, s:i}", "type", "wait", "ms",
                                    whole_of(json_number_value(value))));
    }
}

static void take_keys(json_t *check, const json_t *value)
{
    size_t index;
    const json_t *one;
    json_array_foreach (value, index, one) {
        const char *selector = json_member_string(one, "selector");
        const char *keys = json_member_string(one, "keyPress");
        if (selector && keys) {
            add_action(check, json_pack("{s:s, s:o, s:o}", "type", "type", "selector",
                                        json_text(selector), "text", json_text(keys)));
        }
    }
}

/* Members of a scenario that have no counterpart, and what to do instead. */
static const struct {
    const char *name, *instead;
} backstop_left[] = {
    { "onBeforeScript", "scripts are not run: write \"actions\", or \"setup\" for a login" },
    { "onReadyScript", "scripts are not run: write \"actions\"" },
    { "cookiePath", "log in with \"setup\", or load a state file with the action \"storage\"" },
    { "readyEvent", "console messages are not awaited: use \"ready\" with an expression" },
    { "referenceUrl", "compare with another address by --against" },
    { "selectorExpansion", "a check has one element; name each one" },
};

/* Known members without an effect on pictures here. */
static const char *const backstop_ignored[] = {
    "label", "url", "selectors", "sIndex", "requireSameDimensions", "viewports", NULL
};

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++) {
        if (strcmp(name, *names) == 0) {
            return true;
        }
    }
    return false;
}

static void leave_member(struct import *import, const char *label, const char *name,
                         const json_t *value)
{
    const char *instead = "unknown";
    bool is_empty = json_is_false(value) || json_is_null(value) ||
                    (json_is_string(value) && !json_string_length(value)) ||
                    (json_is_array(value) && !json_array_size(value)) ||
                    (json_is_number(value) && json_number_value(value) == 0);
    if (is_empty || is_one_of(name, backstop_ignored)) {
        return;
    }
    for (size_t i = 0; i < sizeof(backstop_left) / sizeof(backstop_left[0]); i++) {
        instead = strcmp(name, backstop_left[i].name) == 0 ? backstop_left[i].instead : instead;
    }
    note(import, "%s: %s: %s", label, name, instead);
}

/* Takes one member of a scenario, or notes that it has no counterpart. */
static void take_member(struct import *import, const char *label, json_t *check, const char *name,
                        json_t *value)
{
    double number = json_number_value(value);
    if (strcmp(name, "hideSelectors") == 0) {
        take_selectors(check, value, "hide");
    } else if (strcmp(name, "removeSelectors") == 0) {
        take_selectors(check, value, "remove");
    } else if (strcmp(name, "readySelector") == 0 && json_string_length(value)) {
        json_object_set_new(check, "ready", json_pack("{s:O}", "selector", value));
    } else if (strcmp(name, "readyTimeout") == 0 && number >= 1) {
        json_object_set_new(check, "timeout", json_integer(whole_of(number)));
    } else if (strcmp(name, "misMatchThreshold") == 0 && json_is_number(value)) {
        json_object_set_new(check, "maxDiffRatio", json_real(number > 100 ? 1 : number / 100));
    } else if (strcmp(name, "delay") == 0 || strcmp(name, "postInteractionWait") == 0) {
        take_wait(check, value);
    } else if (strcmp(name, "clickSelector") == 0 || strcmp(name, "clickSelectors") == 0) {
        take_steps(check, value, "click");
    } else if (strcmp(name, "hoverSelector") == 0 || strcmp(name, "hoverSelectors") == 0) {
        take_steps(check, value, "hover");
    } else if (strcmp(name, "scrollToSelector") == 0) {
        take_steps(check, value, "scroll");
    } else if (strcmp(name, "keyPressSelectors") == 0) {
        take_keys(check, value);
    } else {
        leave_member(import, label, name, value);
    }
}

/* The order in which BackstopJS acts; other members do not depend on each other. */
static const char *const backstop_steps[] = { "keyPressSelectors",
                                              "keyPressSelector",
                                              "hoverSelector",
                                              "hoverSelectors",
                                              "clickSelector",
                                              "clickSelectors",
                                              "postInteractionWait",
                                              "scrollToSelector",
                                              "delay",
                                              NULL };

/* Keeps letters and digits, in lower case: each program replaces the others. Caller frees. */
static char *key_of(const char *text)
{
    struct strbuf key = STRBUF_INIT(STRBUF_UNCAPPED);
    for (; *text; text++) {
        char c = (char)tolower((unsigned char)*text);
        if (isalnum((unsigned char)c)) {
            strbuf_add(&key, &c, 1);
        }
    }
    return strbuf_take(&key);
}

/* Adds a check for each part of the page that the scenario names. */
static void add_parts(struct import *import, const json_t *scenario, const json_t *check,
                      const char *label)
{
    json_auto_t *parts = json_object();
    take_selectors(parts, json_object_get(scenario, "selectors"), "list");
    const json_t *list = json_object_get(parts, "list");
    size_t count = json_array_size(list);
    for (size_t i = 0; i < (count ? count : 1); i++) {
        const char *part = count ? json_string_value(json_array_get(list, i)) : "document";
        json_auto_t *own = json_deep_copy(check);
        if (strcmp(part, "document") == 0) {
            json_object_set_new(own, "fullPage", json_true());
        } else if (strcmp(part, "viewport") != 0) {
            json_object_set_new(own, "selector", json_text(part));
        }
        CLEANUP_FREE char *name = count > 1 ? xasprintf("%s %s", label, part) : xstrdup(label);
        CLEANUP_FREE char *first = key_of(label);
        CLEANUP_FREE char *last = key_of(part);
        CLEANUP_FREE char *key = xasprintf("%s%zu%s", first, i, last);
        bool is_whole = !json_object_get(own, "selector");
        json_array_append_new(import->parts, json_pack("{s:o, s:s, s:b}", "name",
                                                       json_text(add_check(import, own, name)),
                                                       "key", key, "isWhole", is_whole));
    }
}

static void add_scenario(struct import *import, const json_t *scenario, size_t number)
{
    const char *url = json_member_string(scenario, "url");
    const char *given = json_member_string(scenario, "label");
    CLEANUP_FREE char *label = given ? xstrdup(given) : xasprintf("scenario %zu", number + 1);
    json_auto_t *check = json_object();
    const char *name;
    json_t *value;
    if (!url) {
        note(import, "%s: has no url", label);
        return;
    }
    CLEANUP_FREE char *address = suite_address(import, url);
    json_object_set_new(check, "url", json_text(address));
    json_object_foreach ((json_t *)scenario, name, value) {
        if (!is_one_of(name, backstop_steps)) {
            take_member(import, label, check, name, value);
        }
    }
    for (size_t i = 0; backstop_steps[i]; i++) {
        value = json_object_get(scenario, backstop_steps[i]);
        if (value) {
            take_member(import, label, check, backstop_steps[i], value);
        }
    }
    if (json_array_size(json_object_get(scenario, "viewports"))) {
        note(import, "%s: viewports: add them to the suite's, and name them in the check", label);
    }
    add_parts(import, scenario, check, label);
}

static void add_viewports(struct import *import, const json_t *viewports)
{
    json_auto_t *used = json_object();
    size_t index;
    const json_t *one;
    json_array_foreach (viewports, index, one) {
        const char *label = json_member_string(one, "label");
        const char *name = label ? label : json_member_string(one, "name");
        CLEANUP_FREE char *own = init_name(used, name ? name : "desktop");
        int width = whole_of(json_member_number(one, "width", 1280));
        int height = whole_of(json_member_number(one, "height", 720));
        json_object_set_new(import->viewports, own,
                            json_pack("{s:i, s:i}", "width", width, "height", height));
        CLEANUP_FREE char *last = key_of(name ? name : "");
        CLEANUP_FREE char *key = xasprintf("%zu%s", index, last);
        json_array_append_new(
            import->sizes, json_pack("{s:s, s:s, s:i}", "name", own, "key", key, "width", width));
    }
}

static void import_backstop(struct import *import, const json_t *config)
{
    static const char *const left[] = { "onBeforeScript", "onReadyScript", "engineOptions",
                                        "dynamicTestId",  "openReport",    NULL };
    size_t index;
    const json_t *scenario;
    add_viewports(import, json_object_get(config, "viewports"));
    double threshold = json_member_number(config, "misMatchThreshold", 0.1);
    json_object_set_new(import->defaults, "maxDiffRatio", json_real(threshold / 100));
    for (size_t i = 0; i < 3; i++) {
        if (json_object_get(config, left[i])) {
            leave_member(import, "the whole file", left[i], json_object_get(config, left[i]));
        }
    }
    json_array_foreach (json_object_get(config, "scenarios"), index, scenario) {
        add_scenario(import, scenario, index);
    }
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    size_t tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Copies one picture, if it is as wide as the check's viewport. */
static bool take_baseline(struct import *import, const char *path, const char *folder,
                          const json_t *part, const json_t *size, struct br_error *err)
{
    struct br_error why;
    size_t length = 0;
    int width = 0, height = 0;
    int wanted = (int)json_member_number(size, "width", 0);
    CLEANUP_FREE char *png = file_read(path, BASELINE_MAX_PNG, &length, &why);
    CLEANUP_FREE char *target = xasprintf("%s/%s@%s.png", folder, json_member_string(part, "name"),
                                          json_member_string(size, "name"));
    if (!png || !image_decode_size(png, length, &width, &height, &why)) {
        note(import, "%s: %s", path, why.message);
        return true;
    }
    if (json_member_bool(part, "isWhole", true) ? width != wanted : width > wanted) {
        note(import, "%s: is %d pixels wide, its viewport %d", path, width, wanted);
        return true;
    }
    return report_file_prepare(target, "-o SUITE", err) &&
           report_file_write(target, png, length, err);
}

/* Copies BackstopJS's pictures that belong to the checks. Returns false if one cannot be written.
 */
static bool take_baselines(struct import *import, const char *from, const char *file,
                           struct br_error *err)
{
    CLEANUP_FREE char *report = suite_report_folder(file);
    CLEANUP_FREE char *folder =
        xasprintf("%.*s.baselines", (int)(strlen(report) - strlen(".report")), report);
    DIR *source = opendir(from);
    bool is_fine =
        source || error_set_errno(err, BR_INVALID_ACTION, errno, "cannot read the folder %s", from);
    for (struct dirent *entry; is_fine && (entry = readdir(source));) {
        bool is_known = false;
        if (!ends_with(entry->d_name, ".png")) {
            continue;
        }
        CLEANUP_FREE char *stem = xstrndup(entry->d_name, strlen(entry->d_name) - 4);
        CLEANUP_FREE char *key = key_of(stem);
        CLEANUP_FREE char *path = xasprintf("%s/%s", from, entry->d_name);
        size_t i, j;
        const json_t *part, *size;
        json_array_foreach (import->parts, i, part) {
            json_array_foreach (import->sizes, j, size) {
                CLEANUP_FREE char *wanted = xasprintf("%s%s", json_member_string(part, "key"),
                                                      json_member_string(size, "key"));
                if (!is_known && ends_with(key, wanted)) {
                    is_known = true;
                    is_fine = take_baseline(import, path, folder, part, size, err);
                }
            }
        }
        if (!is_known) {
            note(import, "%s: belongs to no check", path);
        }
    }
    if (source) {
        closedir(source);
    }
    return is_fine;
}

/* Storybook. */

static bool has_tag(const json_t *story, const char *wanted)
{
    size_t index;
    const json_t *tag;
    json_array_foreach (json_object_get(story, "tags"), index, tag) {
        if (json_is_string(tag) && strcmp(json_string_value(tag), wanted) == 0) {
            return true;
        }
    }
    return false;
}

static void add_story(struct import *import, const json_t *story)
{
    static const char *const usual[] = { "dev", "test", "autodocs", "story", "manifest", NULL };
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:@/-";
    const char *id = json_member_string(story, "id");
    const char *type = json_member_string(story, "type");
    size_t index;
    json_t *tag;
    if (!id || (type && strcmp(type, "story") != 0)) {
        return; /* a page of documentation */
    }
    CLEANUP_FREE char *url = xasprintf("iframe.html?id=%s&viewMode=story", id);
    json_auto_t *check = json_pack("{s:o}", "url", json_text(url));
    json_t *tags = json_array();
    json_array_foreach (json_object_get(story, "tags"), index, tag) {
        const char *text = json_string_value(tag);
        if (text && *text && !is_one_of(text, usual) && !text[strspn(text, plain)]) {
            json_array_append(tags, tag);
        }
    }
    if (json_array_size(tags)) {
        json_object_set(check, "tags", tags);
    }
    json_decref(tags);
    if (has_tag(story, "skip") || has_tag(story, "!test")) {
        json_object_set_new(check, "skip", json_string("its story has the tag skip or !test"));
    }
    add_check(import, check, id);
}

static void import_storybook(struct import *import, const json_t *entries)
{
    const char *id;
    json_t *story;
    size_t folder = 0;
    for (size_t i = 0; import->source[i] && !strchr("?#", import->source[i]); i++) {
        folder = import->source[i] == '/' ? i + 1 : folder;
    }
    CLEANUP_FREE char *base = xstrndup(import->source, folder);
    json_object_set_new(import->suite, "baseUrl", json_text(*base ? base : "."));
    json_object_set_new(
        import->defaults, "ready",
        json_pack(
            "{s:s}", "expression",
            "document.body.matches('.sb-show-main, .sb-show-nopreview, .sb-show-errordisplay')"));
    json_object_foreach ((json_t *)entries, id, story) {
        add_story(import, story);
    }
}

/* Addresses. */

static void add_address(struct import *import, const char *url)
{
    size_t origin = url_origin_length(url);
    CLEANUP_FREE char *address = suite_address(import, url);
    json_auto_t *check = json_pack("{s:o}", "url", json_text(address));
    add_check(import, check, url + origin);
}

/* Returns the text with XML's own entities replaced. Caller frees. */
static char *decode_entities(const char *text, size_t length)
{
    static const struct {
        const char *name, *text;
    } entities[] = {
        { "&amp;", "&" }, { "&lt;", "<" }, { "&gt;", ">" }, { "&quot;", "\"" }, { "&apos;", "'" },
    };
    struct strbuf out = STRBUF_INIT(STRBUF_UNCAPPED);
    for (size_t i = 0; i < length;) {
        size_t taken = 0;
        for (size_t j = 0; j < sizeof(entities) / sizeof(entities[0]) && !taken; j++) {
            size_t size = strlen(entities[j].name);
            if (size <= length - i && memcmp(text + i, entities[j].name, size) == 0) {
                strbuf_add_string(&out, entities[j].text);
                taken = size;
            }
        }
        if (!taken) {
            strbuf_add(&out, text + i, 1);
            taken = 1;
        }
        i += taken;
    }
    return strbuf_take(&out);
}

static void import_sitemap(struct import *import, const char *text)
{
    static const char begin[] = "<loc>", end[] = "</loc>";
    bool is_index = strstr(text, "<sitemapindex") != NULL;
    for (const char *at = text; (at = strstr(at, begin));) {
        at += strlen(begin);
        const char *stop = strstr(at, end);
        if (!stop) {
            break;
        }
        while (at < stop && isspace((unsigned char)*at)) {
            at++;
        }
        size_t length = (size_t)(stop - at);
        while (length > 0 && isspace((unsigned char)at[length - 1])) {
            length--;
        }
        CLEANUP_FREE char *url = decode_entities(at, length);
        if (is_index) {
            note(import, "%s: import this sitemap by itself", url);
        } else if (url_is_web(url)) {
            add_address(import, url);
        } else {
            note(import, "%s: is no http or https address", url);
        }
    }
}

static void import_list(struct import *import, const char *text)
{
    CLEANUP_FREE char *copy = xstrdup(text);
    char *rest = copy;
    for (char *line; (line = strsep(&rest, "\n"));) {
        line += strspn(line, " \t\r");
        line[strcspn(line, " \t\r")] = '\0';
        if (!*line || *line == '#') {
            continue;
        }
        CLEANUP_FREE char *url = url_complete(line);
        if (url_is_web(url)) {
            add_address(import, url);
        } else {
            note(import, "%s: is no http or https address", line);
        }
    }
}

static bool import_text(struct import *import, const char *text, size_t length,
                        struct br_error *err)
{
    const char *begin = text + strspn(text, " \t\r\n\xEF\xBB\xBF");
    if (*begin == '<') {
        import_sitemap(import, begin);
        return true;
    }
    if (*begin != '{') {
        if (strstr(text, "export ") || strstr(text, "module.exports")) {
            error_set(err, BR_INVALID_ACTION, "%s is a program, which is not run", import->source);
            return strstr(import->source, "lostpixel")
                       ? error_hint(err, "import its Storybook's index.json, or a list of pages")
                       : error_hint(err, "write its object as JSON: node -p \"JSON.stringify("
                                         "require('./backstop.config.js'))\" > backstop.json");
        }
        import_list(import, text);
        return true;
    }
    json_auto_t *config = json_parse(begin, length - (size_t)(begin - text), import->source, err);
    if (!config) {
        return false;
    }
    const json_t *entries = json_object_get(config, "entries");
    if (json_object_get(config, "scenarios")) {
        import_backstop(import, config);
    } else if (json_is_object(entries) || json_is_object(json_object_get(config, "stories"))) {
        import_storybook(import, entries ? entries : json_object_get(config, "stories"));
    } else {
        error_set(err, BR_INVALID_ACTION,
                  "%s is neither a backstop.json nor a Storybook's index.json", import->source);
        return error_hint(err, "--import also takes a sitemap.xml and a list of addresses");
    }
    return true;
}

static char *read_source(const char *source, size_t *ret_length, struct br_error *err)
{
    static const struct server_kind kind = { "the server", "", false };
    struct server_url server;
    if (!url_is_web(source)) {
        return file_read(source, MAX_SOURCE, ret_length, err);
    }
    if (!server_url_parse(source, &server, err)) {
        return NULL;
    }
    struct loop *loop = loop_create(server.is_tls, err);
    char *text =
        loop ? http_get(loop, &server, &kind, MAX_SOURCE, deadline_in_ms(FETCH_MS), err) : NULL;
    loop_destroy(loop);
    *ret_length = text ? strlen(text) : 0;
    return text;
}

json_t *import_suite(const char *source, const char *file, const char *baselines,
                     struct br_error *err)
{
    size_t length = 0;
    CLEANUP_FREE char *text = read_source(source, &length, err);
    if (!text) {
        return NULL;
    }
    struct import import = {
        .source = source,
        .suite = json_object(),
        .viewports = json_object(),
        .defaults = json_pack("{s:b}", "fullPage", true),
        .checks = json_array(),
        .used = json_object(),
        .notes = json_array(),
        .parts = json_array(),
        .sizes = json_array(),
    };
    bool is_done = import_text(&import, text, length, err);
    if (is_done && !json_array_size(import.checks)) {
        is_done = error_set(err, BR_INVALID_ACTION, "%s names no page", source);
    }
    if (json_object_size(import.viewports)) {
        json_object_set(import.suite, "viewports", import.viewports);
    }
    json_object_set(import.suite, "defaults", import.defaults);
    json_object_set(import.suite, "checks", import.checks);
    if (is_done && baselines && !json_array_size(import.parts)) {
        is_done = error_set(err, BR_INVALID_ACTION, "--baselines is for a backstop.json");
    }
    is_done = is_done && init_write(file, import.suite, err) &&
              (!baselines || take_baselines(&import, baselines, file, err));
    json_decref(import.suite);
    json_decref(import.viewports);
    json_decref(import.defaults);
    json_decref(import.checks);
    json_decref(import.used);
    json_decref(import.parts);
    json_decref(import.sizes);
    free(import.base);
    if (!is_done) {
        json_decref(import.notes);
        return NULL;
    }
    return import.notes;
}
