/* Suites from the files of other programs. */
#include "imaging/decode.h"
#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/strbuf.h"
#include "runner/base/url_parts.h"
#include "runner/checks/baseline.h"
#include "runner/checks/import.h"
#include "runner/checks/init.h"
#include "runner/checks/report/file_out.h"
#include "runner/checks/suite.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* BackstopJS. */

/* Adds an action for each selector. */
static void take_steps(json_t *check, const json_t *value, const char *type)
{
    json_auto_t *steps = json_object();
    size_t index;
    json_t *one;
    import_selectors(steps, value, "steps");
    json_array_foreach (json_object_get(steps, "steps"), index, one) {
        import_action(check, json_pack("{s:s, s:O}", "type", type, "selector", one));
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
            import_action(check, json_pack("{s:s, s:o, s:o}", "type", "type", "selector",
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
    { "engineOptions", "give --chrome-arg to `check`" },
};

/* Known members without an effect on pictures here. */
static const char *const backstop_ignored[] = {
    "label", "url", "selectors", "sIndex", "requireSameDimensions", "viewports", NULL
};

static void leave_member(struct import *import, const char *label, const char *name,
                         const json_t *value)
{
    const char *instead = "unknown";
    bool is_empty = json_is_false(value) || json_is_null(value) ||
                    (json_is_string(value) && !json_string_length(value)) ||
                    (json_is_array(value) && !json_array_size(value)) ||
                    (json_is_number(value) && json_number_value(value) == 0);
    if (is_empty || import_is_one_of(name, backstop_ignored)) {
        return;
    }
    for (size_t i = 0; i < sizeof(backstop_left) / sizeof(backstop_left[0]); i++) {
        instead = strcmp(name, backstop_left[i].name) == 0 ? backstop_left[i].instead : instead;
    }
    import_note(import, "%s: %s: %s", label, name, instead);
}

/* Takes one member of a scenario, or notes that it has no counterpart. */
static void take_member(struct import *import, const char *label, json_t *check, const char *name,
                        json_t *value)
{
    double number = json_number_value(value);
    if (strcmp(name, "hideSelectors") == 0) {
        import_selectors(check, value, "hide");
    } else if (strcmp(name, "removeSelectors") == 0) {
        import_selectors(check, value, "remove");
    } else if (strcmp(name, "readySelector") == 0 && json_string_length(value)) {
        json_object_set_new(check, "ready", json_pack("{s:O}", "selector", value));
    } else if (strcmp(name, "readyTimeout") == 0 && number >= 1) {
        json_object_set_new(check, "timeout", json_integer(import_whole(number)));
    } else if (strcmp(name, "misMatchThreshold") == 0 && json_is_number(value)) {
        json_object_set_new(check, "maxDiffRatio", json_real(number > 100 ? 1 : number / 100));
    } else if (strcmp(name, "delay") == 0 || strcmp(name, "postInteractionWait") == 0) {
        import_wait(check, value);
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

/* Adds a check for each part of the page that the scenario names. */
static void add_parts(struct import *import, const json_t *scenario, const json_t *check,
                      const char *label)
{
    json_auto_t *parts = json_object();
    import_selectors(parts, json_object_get(scenario, "selectors"), "list");
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
        CLEANUP_FREE char *first = import_key(label);
        CLEANUP_FREE char *last = import_key(part);
        CLEANUP_FREE char *key = xasprintf("%s%zu%s", first, i, last);
        bool is_whole = !json_object_get(own, "selector");
        json_array_append_new(import->parts, json_pack("{s:o, s:s, s:b}", "name",
                                                       json_text(import_check(import, own, name)),
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
        import_note(import, "%s: has no url", label);
        return;
    }
    CLEANUP_FREE char *address = import_address(import, url);
    json_object_set_new(check, "url", json_text(address));
    bool has_parts = json_array_size(json_object_get(scenario, "selectors")) > 0;
    json_object_foreach ((json_t *)scenario, name, value) {
        if (!import_is_one_of(name, backstop_steps) &&
            (has_parts || strcmp(name, "selectorExpansion") != 0)) {
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
        import_note(import, "%s: viewports: add them to the suite's, and name them in the check",
                    label);
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
        int width = import_whole(json_member_number(one, "width", 1280));
        int height = import_whole(json_member_number(one, "height", 720));
        json_object_set_new(import->viewports, own,
                            json_pack("{s:i, s:i}", "width", width, "height", height));
        CLEANUP_FREE char *last = import_key(name ? name : "");
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
        import_note(import, "%s: %s", path, why.message);
        return true;
    }
    if (json_member_bool(part, "isWhole", true) ? width != wanted : width > wanted) {
        import_note(import, "%s: is %d pixels wide, its viewport %d", path, width, wanted);
        return true;
    }
    return report_file_prepare(target, "-o SUITE", err) &&
           report_file_write(target, png, length, err);
}

/* Whether the check runs in this viewport; without a list it runs in all. */
static bool has_viewport(const json_t *part, const char *name)
{
    const json_t *names = json_object_get(part, "viewports");
    bool is_there = !names;
    size_t index;
    const json_t *one;
    json_array_foreach (names, index, one) {
        is_there |= strcmp(json_string_value(one), name) == 0;
    }
    return is_there;
}

/* Copies the pictures that belong to the checks. Returns false if one cannot be written.
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
        CLEANUP_FREE char *key = import_key(stem);
        CLEANUP_FREE char *path = xasprintf("%s/%s", from, entry->d_name);
        size_t i, j;
        const json_t *part, *size;
        json_array_foreach (import->parts, i, part) {
            json_array_foreach (import->sizes, j, size) {
                CLEANUP_FREE char *wanted = xasprintf("%s%s", json_member_string(part, "key"),
                                                      json_member_string(size, "key"));
                if (!has_viewport(part, json_member_string(size, "name"))) {
                    continue;
                }
                bool is_its =
                    import->has_whole_keys ? strcmp(key, wanted) == 0 : ends_with(key, wanted);
                if (!is_known && is_its) {
                    is_known = true;
                    is_fine = take_baseline(import, path, folder, part, size, err);
                }
            }
        }
        if (!is_known) {
            import_note(import, "%s: belongs to no check", path);
        }
    }
    if (source) {
        closedir(source);
    }
    return is_fine;
}

/* Addresses. */

static void add_address(struct import *import, const char *url)
{
    size_t origin = url_origin_length(url);
    CLEANUP_FREE char *address = import_address(import, url);
    json_auto_t *check = json_pack("{s:o}", "url", json_text(address));
    import_check(import, check, url + origin);
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
            import_note(import, "%s: import this sitemap by itself", url);
        } else if (url_is_web(url)) {
            add_address(import, url);
        } else {
            import_note(import, "%s: is no http or https address", url);
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
            import_note(import, "%s: is no http or https address", line);
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
        if (import_lost_pixel_has_name(import->source)) {
            return import_lost_pixel_script(import, text, err);
        }
        if (strstr(text, "export ") || strstr(text, "module.exports")) {
            error_set(err, BR_INVALID_ACTION, "%s is a program, which is not run", import->source);
            return error_hint(err, "write its object as JSON: node -p \"JSON.stringify("
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
    } else if (json_object_get(config, "pageShots") || json_object_get(config, "storybookShots")) {
        return import_lost_pixel(import, config, err);
    } else if (json_is_object(entries) || json_is_object(json_object_get(config, "stories"))) {
        import_storybook(import, entries ? entries : json_object_get(config, "stories"));
    } else {
        error_set(err, BR_INVALID_ACTION,
                  "%s is no backstop.json, Lost Pixel configuration or Storybook's index.json",
                  import->source);
        return error_hint(err, "--import also takes a sitemap.xml and a list of addresses");
    }
    return true;
}

json_t *import_suite(const char *source, const char *file, const char *baselines,
                     struct br_error *err)
{
    size_t length = 0;
    CLEANUP_FREE char *text = import_read(source, &length, err);
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
        is_done = error_set(err, BR_INVALID_ACTION, "--baselines is for BackstopJS and Lost Pixel");
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
