#include "runner/formats/answer_text.h"

#include "runner/base/json.h"
#include "runner/base/json_layout.h"
#include "runner/base/log.h"
#include "runner/base/memory.h"
#include "runner/base/url_parts.h"
#include "runner/base/utf8.h"
#include "runner/formats/terminal_log.h"

#include <inttypes.h>
#include <string.h>

static const char red[] = "\033[31m";
static const char color_end[] = "\033[0m";

/* The wording for a successful action, and what follows it. */
static const struct wording {
    const char *type, *words;
    bool has_element;  /* the element follows */
    const char *param; /* the parameter that follows; never typed text */
} wordings[] = {
    { "start", "opened", false, NULL },
    { "navigate", "navigated", false, NULL },
    { "back", "went back", false, NULL },
    { "forward", "went forward", false, NULL },
    { "reload", "reloaded", false, NULL },
    { "click", "clicked", true, NULL },
    { "hover", "pointed at", true, NULL },
    { "highlight", "marked", true, NULL },
    { "focus", "focused", true, NULL },
    { "drag", "dragged", true, NULL },
    { "type", "typed", true, NULL },
    { "press", "pressed", false, "key" },
    { "select", "chose from", true, NULL },
    { "check", "checked", true, NULL },
    { "upload", "uploaded", true, NULL },
    { "scroll", "scrolled", true, NULL },
    { "wheel", "turned the wheel", true, NULL },
    { "wait", "waited", false, NULL },
    { "tab", "tabs", false, NULL },
    { "dialog", "dialogs are answered", false, NULL },
    { "emulate", "emulated", false, "preset" },
    { "cookies", "cookies", false, "op" },
    { "storage", "storage", false, "op" },
    { "screenshot", "took a picture", true, NULL },
    { "pdf", "printed", false, "file" },
    { "snapshot", "took a snapshot", true, NULL },
    { "fill", "filled in", false, NULL },
    { "inspect", "looked at", true, NULL },
    { "content", "read", true, NULL },
    { "detect", "looked for controls", false, NULL },
    { "evaluate", "evaluated", false, NULL },
    { "logs", "logs", false, NULL },
    { "network", "requests", false, NULL },
    { "diagnose", "diagnosed", false, NULL },
    { "stop", "stopped", false, NULL },
};

static const struct wording *find_wording(const char *type)
{
    for (size_t i = 0; i < sizeof(wordings) / sizeof(wordings[0]); i++) {
        if (strcmp(wordings[i].type, type) == 0) {
            return &wordings[i];
        }
    }
    return NULL;
}

/* Returns the fallback for a number outside of int. */
static int member_int(const json_t *object, const char *key, int fallback)
{
    double number = json_member_number(object, key, fallback);
    return number >= 0 && number <= INT32_MAX ? (int)number : fallback;
}

/* Adds a text as one line, cut after TERMINAL_LINE_MAX bytes. */
static void add_line(struct strbuf *text, const char *before, const char *line, const char *behind)
{
    CLEANUP_STRBUF struct strbuf cut = STRBUF_INIT(TERMINAL_LINE_MAX);
    terminal_add_harmless(&cut, line);
    strbuf_add_string(text, before);
    strbuf_add(text, cut.data, cut.length);
    strbuf_add_string(text, cut.overflowed ? "…" : "");
    strbuf_add_string(text, behind);
}

/* Adds lines, and a newline at the end if there is none. */
static void add_lines(struct strbuf *text, const char *lines)
{
    terminal_add_harmless_lines(text, lines);
    strbuf_add_string(text, text->length && text->data[text->length - 1] == '\n' ? "" : "\n");
}

static void add_json(struct strbuf *text, const json_t *value)
{
    CLEANUP_STRBUF struct strbuf layout = STRBUF_INIT(STRBUF_UNCAPPED);
    json_layout(value, &layout);
    add_lines(text, layout.data);
}

static void add_size(struct strbuf *text, double bytes)
{
    if (bytes < 1000) {
        strbuf_add_format(text, "%.0f bytes", bytes);
    } else if (bytes < 999500) {
        strbuf_add_format(text, "%.0f KB", bytes / 1000);
    } else {
        strbuf_add_format(text, "%.1f MB", bytes / 1000000);
    }
}

/* The first target that is a text instead of a selector, or else the first one. */
static const char *target_of(const json_t *params)
{
    size_t index;
    json_t *target;
    const json_t *targets = json_object_get(params, "targets");
    json_array_foreach (targets, index, target) {
        const char *text = json_string_value(target);
        if (text && *text != '[') {
            return text;
        }
    }
    return json_string_value(json_is_array(targets) ? json_array_get(targets, 0) : targets);
}

/* The element's name, printed in quotes. `has_own_text`: `text` belongs to the action. */
static const char *name_of(const json_t *params, bool has_own_text)
{
    const char *text = has_own_text ? NULL : json_member_string(params, "text");
    const char *test_id = json_member_string(params, "testId");
    const char *word = json_member_string(params, "element");
    return json_member_string(params, "role") ? json_member_string(params, "name")
           : word                             ? word
           : text                             ? text
           : test_id                          ? test_id
                                              : target_of(params);
}

/* Whether the word is an id, a position or a selector, which are printed without quotes. */
static bool is_plain_word(const char *word)
{
    size_t digits = *word == 'e' ? strspn(word + 1, "0123456789") : 0;
    return strchr("#.[@", *word) || (digits && !word[1 + digits]) ||
           word[strspn(word, "0123456789.,")] == '\0';
}

/* Adds ` button "Save"`, ` "Save"`, ` #save`, ` e12` or ` 10,20`. False: there is no element. */
static bool add_element(struct strbuf *text, const json_t *params, bool has_own_text)
{
    const char *node = json_member_string(params, "node");
    const char *selector = json_member_string(params, "selector");
    const char *word = json_member_string(params, "element");
    const char *plain = node ? node : word && is_plain_word(word) ? word : selector;
    const char *role = json_member_string(params, "role");
    const char *name = name_of(params, has_own_text);
    if (plain) {
        add_line(text, " ", plain, "");
    } else if (role || name) {
        add_line(text, role ? " " : "", role ? role : "", "");
        add_line(text, name ? " \"" : "", name ? name : "", name ? "\"" : "");
    } else if (json_is_number(json_object_get(params, "x"))) {
        strbuf_add_format(text, " %g,%g", json_member_number(params, "x", 0),
                          json_member_number(params, "y", 0));
    } else {
        return false;
    }
    return true;
}

static bool is_type(const char *type, const char *one)
{
    return strcmp(type, one) == 0;
}

/* Adds what belongs to one type only. */
static void add_details(struct strbuf *text, const char *type, const json_t *instruction)
{
    const json_t *to = json_object_get(instruction, "to");
    if (is_type(type, "drag") && to) {
        strbuf_add_string(text, " to");
        add_element(text, to, false);
    }
    if (is_type(type, "dialog") && json_object_get(instruction, "accept")) {
        bool is_accepted = json_member_bool(instruction, "accept", false);
        strbuf_add_string(text, is_accepted ? ": accepted" : ": dismissed");
    }
}

/* Whether a scroll is by a distance. */
static bool is_by(const json_t *instruction)
{
    const char *mode = json_member_string(instruction, "mode");
    return json_object_get(instruction, "y") && (!mode || is_type(mode, "delta")) &&
           !json_object_get(instruction, "element") && !json_object_get(instruction, "node");
}

static void add_done(const struct answer_text *options, const json_t *response, const char *type,
                     struct strbuf *text)
{
    const json_t *instruction = options->instruction;
    const struct wording *wording = find_wording(type);
    const char *param =
        wording && wording->param ? json_member_string(instruction, wording->param) : NULL;
    bool has_own_text = is_type(type, "type") || is_type(type, "wait");
    bool is_unchecked = is_type(type, "check") && !json_member_bool(instruction, "checked", true);
    add_line(text, is_unchecked ? "un" : "", wording ? wording->words : type, "");
    if (param) {
        add_line(text, " ", param, "");
    }
    CLEANUP_STRBUF struct strbuf element = STRBUF_INIT(STRBUF_UNCAPPED);
    if (wording && wording->has_element && add_element(&element, instruction, has_own_text)) {
        strbuf_add_string(text, is_type(type, "type")         ? " into"
                                : is_type(type, "screenshot") ? " of"
                                : is_type(type, "snapshot")   ? " of"
                                : is_type(type, "upload")     ? " to"
                                : is_type(type, "wheel")      ? " over"
                                : is_type(type, "scroll")     ? is_by(instruction) ? " by" : " to"
                                                              : "");
        strbuf_add(text, element.data, element.length);
    }
    add_details(text, type, instruction);
    const char *hit = json_member_string(json_object_get(response, "delivered"), "element");
    if (hit) {
        add_line(text, " (", hit, ")");
    }
    int status = member_int(response, "httpStatus", 0);
    if (status) {
        strbuf_add_format(text, ", HTTP %d", status);
    }
}

static void add_failure(const struct answer_text *options, const json_t *response,
                        struct strbuf *text)
{
    const char *code = json_member_string(response, "errorCode");
    const char *message = json_member_string(response, "error");
    const char *hint = json_member_string(response, "hint");
    strbuf_add_format(text, "%sfailed:%s", options->has_colors ? red : "",
                      options->has_colors ? color_end : "");
    add_line(text, " ", code ? code : "UNKNOWN_ERROR", "");
    add_line(text, " ", message ? message : "", "");
    if (hint && *hint) {
        add_line(text, "\n  hint: ", hint, "");
    }
}

/* Adds what happened, in one or two lines. */
static void add_head(const struct answer_text *options, const json_t *response, bool is_success,
                     struct strbuf *text)
{
    const char *type = json_member_string(response, "type");
    int attempts = member_int(response, "attempts", 1);
    if (is_success) {
        add_done(options, response, type ? type : "", text);
        if (attempts > 1) {
            strbuf_add_format(text, ", at try %d", attempts);
        }
    } else {
        add_failure(options, response, text);
    }
    strbuf_add_string(text, "\n");
    if (json_member_bool(response, "recovered", false)) {
        strbuf_add_string(text, "the page was lost, and was restored\n");
    }
}

static void add_page(const json_t *response, struct strbuf *text)
{
    const char *url = json_member_string(response, "url");
    const char *title = json_member_string(response, "title");
    if (url) {
        add_line(text, "at ", url, "");
        if (title && *title) {
            add_line(text, " \"", title, "\"");
        }
        strbuf_add_string(text, "\n");
    }
}

/* Rebuilds the log entry from a member of `logs`. Its texts are borrowed. */
static struct br_log log_of(const json_t *entry)
{
    struct br_log log = { .type = BR_LOG_INFO };
    const char *type = json_member_string(entry, "type");
    const char *source = json_member_string(entry, "source");
    if (type) {
        log_type_from_name(type, &log.type);
    }
    log.source = source && strcmp(source, "tool") == 0 ? BR_SOURCE_TOOL : BR_SOURCE_BROWSER;
    log.message = (char *)json_member_string(entry, "message");
    log.category = (char *)json_member_string(entry, "category");
    log.location = (char *)json_member_string(entry, "location");
    log.count = member_int(entry, "count", 1);
    return log;
}

/* Whether it is the icon that Chrome requests by itself: network_event_is_icon(). */
static bool is_icon(const json_t *request)
{
    const char *url = json_member_string(request, "url");
    const char *type = json_member_string(request, "type");
    return url && type && is_type(type, "other") &&
           strcmp(url + url_origin_length(url), "/favicon.ico") == 0;
}

static bool is_failed_request(const json_t *request)
{
    double status = json_member_number(request, "status", 0);
    return !json_member_bool(request, "canceled", false) && !is_icon(request) &&
           (json_member_string(request, "error") || status >= 400);
}

/* Whether Chrome's log only repeats a failed request. */
static bool is_shown_by_request(const json_t *response, const struct br_log *log)
{
    size_t index;
    json_t *request;
    if (!log_is_of_request(log) || !log->location) {
        return false;
    }
    json_array_foreach (json_object_get(response, "networkEvents"), index, request) {
        const char *url = json_member_string(request, "url");
        if (url && is_failed_request(request) && strncmp(log->location, url, strlen(url)) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether the log only repeats the hint of the failure. */
static bool is_shown_by_failure(const json_t *response, const struct br_log *log)
{
    const char *hint = json_member_string(response, "hint");
    return hint && log->source == BR_SOURCE_TOOL && log->message && strcmp(log->message, hint) == 0;
}

/* "GET 404 URL (fetch, 12 ms): why" */
static void add_request(const json_t *request, struct strbuf *line)
{
    const char *method = json_member_string(request, "method");
    const char *type = json_member_string(request, "type");
    const char *error = json_member_string(request, "error");
    const char *url = json_member_string(request, "url");
    int status = member_int(request, "status", 0);
    double duration_ms = json_member_number(request, "durationMs", -1);
    strbuf_add_string(line, method ? method : "");
    if (status) {
        strbuf_add_format(line, " %d", status);
    }
    strbuf_add_string(line, " ");
    strbuf_add_string(line, url ? url : "");
    if (type || duration_ms >= 0) {
        strbuf_add_format(line, " (%s", type ? type : "");
        if (duration_ms >= 0) {
            strbuf_add_format(line, "%s%.0f ms", type ? ", " : "", duration_ms);
        }
        strbuf_add_string(line, ")");
    }
    if (error) {
        strbuf_add_format(line, ": %s", error);
    }
}

static const char tab_opened[] = "the page opened tab ";

/*
 * Whether the entry is also shown for a successful action: our own warnings, such as that the field
 * does not hold the typed text, answers to dialogs, and new tabs.
 */
static bool is_note(const struct br_log *log)
{
    bool is_dialog = log->category && strcmp(log->category, "dialog") == 0;
    bool is_tab = log->message && strncmp(log->message, tab_opened, strlen(tab_opened)) == 0;
    return log->source == BR_SOURCE_TOOL && (log->type == BR_LOG_WARNING || is_dialog || is_tab);
}

/* Lines of logs, as far as they may be shown; `count` counts all of them. */
struct lines {
    struct terminal_log log;
    struct strbuf *text;
    bool is_brief;
    size_t count;
};

static size_t max_lines(const struct lines *lines)
{
    return lines->is_brief ? ANSWER_BRIEF_ERRORS : ANSWER_MAX_ERRORS;
}

static void add_one(struct lines *lines, const struct br_log *log)
{
    if (lines->count++ >= max_lines(lines)) {
        return;
    }
    size_t start = lines->text->length;
    terminal_log_add(&lines->log, log, lines->text);
    if (lines->is_brief && lines->text->length > start + ANSWER_BRIEF_LINE) {
        const char *line = lines->text->data + start;
        strbuf_truncate(lines->text, start + utf8_cut(line, ANSWER_BRIEF_LINE));
        strbuf_add_string(lines->text, "…\n");
    }
}

static void add_rest(const struct lines *lines, const char *what)
{
    if (lines->count > max_lines(lines)) {
        strbuf_add_format(lines->text, "… and %zu more %s\n", lines->count - max_lines(lines),
                          what);
    }
}

static void add_errors(const struct answer_text *options, const json_t *response,
                       struct strbuf *text)
{
    size_t index;
    json_t *item;
    struct lines errors = { { BR_LOG_ERROR, options->has_colors }, text, options->is_brief, 0 };
    json_array_foreach (json_object_get(response, "logs"), index, item) {
        struct br_log log = log_of(item);
        bool is_shown = is_shown_by_request(response, &log) || is_shown_by_failure(response, &log);
        if (log.type == BR_LOG_ERROR && !is_shown) {
            add_one(&errors, &log);
        }
    }
    json_array_foreach (json_object_get(response, "networkEvents"), index, item) {
        if (is_failed_request(item)) {
            CLEANUP_STRBUF struct strbuf line = STRBUF_INIT(STRBUF_UNCAPPED);
            add_request(item, &line);
            struct br_log log = { .type = BR_LOG_ERROR };
            log.category = (char *)"network";
            log.message = line.data;
            add_one(&errors, &log);
        }
    }
    add_rest(&errors, "errors");
}

/* Adds the end of a list of the journal: its count, and the cursor for the next one. */
static void add_cursor(const json_t *result, size_t count, const char *one, const char *several,
                       struct strbuf *text)
{
    double lost = json_member_number(result, "lost", 0);
    const json_t *next = json_object_get(result, "next");
    strbuf_add_format(text, "%zu %s", count, count == 1 ? one : several);
    if (lost > 0) {
        strbuf_add_format(text, ", %.0f before them lost", lost);
    }
    if (json_is_integer(next)) {
        strbuf_add_format(text, "%s: since %" JSON_INTEGER_FORMAT,
                          json_member_bool(result, "more", false) ? ", and more" : "",
                          json_integer_value(next));
    }
    strbuf_add_string(text, "\n");
}

static void add_log_entries(const struct answer_text *options, const json_t *result,
                            struct strbuf *text)
{
    size_t index;
    json_t *entry;
    const json_t *entries = json_object_get(result, "entries");
    struct terminal_log how = { BR_LOG_VERBOSE, options->has_colors };
    json_array_foreach (entries, index, entry) {
        struct br_log log = log_of(entry);
        const char *hint = json_member_string(entry, "hint");
        terminal_log_add(&how, &log, text);
        if (hint) {
            add_line(text, "  hint: ", hint, "\n");
        }
    }
    add_cursor(result, json_array_size(entries), "entry", "entries", text);
}

/* Whether it is a file of the page's own that arrived, which an unfiltered list only counts. */
static bool is_static(const json_t *request)
{
    static const char *const types[] = { "font", "image", "media", "script", "stylesheet" };
    const char *type = json_member_string(request, "type");
    bool is_among = is_icon(request);
    for (size_t i = 0; type && i < sizeof(types) / sizeof(types[0]); i++) {
        is_among |= is_type(type, types[i]);
    }
    return is_among && (is_icon(request) || !is_failed_request(request));
}

/* Whether the list has a filter of the caller's. */
static bool is_filtered(const json_t *instruction)
{
    static const char *const filters[] = { "url", "status", "resourceTypes", "failed", "contains" };
    bool has_one = false;
    for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
        has_one |= json_object_get(instruction, filters[i]) != NULL;
    }
    return has_one;
}

static void add_requests(const struct answer_text *options, const json_t *result,
                         struct strbuf *text)
{
    size_t index;
    json_t *request;
    size_t omitted = 0;
    bool shows_all = is_filtered(options->instruction);
    const json_t *requests = json_object_get(result, "requests");
    json_array_foreach (requests, index, request) {
        if (!shows_all && is_static(request)) {
            omitted++;
            continue;
        }
        CLEANUP_STRBUF struct strbuf line = STRBUF_INIT(STRBUF_UNCAPPED);
        strbuf_add_format(&line, "%.0f ", json_member_number(request, "id", 0));
        add_request(request, &line);
        add_line(text, "", line.data, "\n");
    }
    add_cursor(result, json_array_size(requests), "request", "requests", text);
    if (omitted) {
        strbuf_add_format(text,
                          "%zu of them, for files of the page, are not shown: act network / "
                          "shows all\n",
                          omitted);
    }
}

static void add_tabs(const json_t *result, struct strbuf *text)
{
    size_t index;
    json_t *tab;
    json_array_foreach (result, index, tab) {
        const char *url = json_member_string(tab, "url");
        const char *title = json_member_string(tab, "title");
        const char *free_tab = json_member_string(tab, "tab"); /* one that may be adopted */
        strbuf_add_string(text, json_member_bool(tab, "active", false) ? "* " : "  ");
        if (free_tab) {
            add_line(text, "adopt ", free_tab, " ");
        } else {
            strbuf_add_format(text, "%.0f ", json_member_number(tab, "id", 0));
        }
        add_line(text, "", url ? url : "", "");
        if (title && *title) {
            add_line(text, " \"", title, "\"");
        }
        strbuf_add_string(text, "\n");
    }
}

/* now at 0,720, at the end */
static void add_position(const json_t *result, struct strbuf *text)
{
    strbuf_add_format(text, "now at %g,%g%s\n", json_member_number(result, "x", 0),
                      json_member_number(result, "y", 0),
                      json_member_bool(result, "atEnd", false) ? ", at the end" : "");
}

static void add_snapshot(const json_t *result, struct strbuf *text)
{
    const char *outline = json_member_string(result, "text");
    if (outline) {
        add_lines(text, outline);
        return;
    }
    json_auto_t *shown = json_copy((json_t *)result);
    json_object_del(shown, "format");
    add_json(text, shown);
}

/* 3 pages, 34 KB */
static void add_pdf(const json_t *result, struct strbuf *text)
{
    int pages = member_int(result, "pages", 0);
    if (pages) {
        strbuf_add_format(text, "%d page%s, ", pages, pages == 1 ? "" : "s");
    }
    add_size(text, json_member_number(result, "bytes", 0));
    strbuf_add_string(text, "\n");
}

static void add_result(const struct answer_text *options, const json_t *response,
                       struct strbuf *text)
{
    const char *type = json_member_string(response, "type");
    const json_t *result = json_object_get(response, "result");
    if (!result || !type) {
        return;
    }
    if (is_type(type, "logs") && json_is_array(json_object_get(result, "entries"))) {
        add_log_entries(options, result, text);
    } else if (is_type(type, "network") && json_is_array(json_object_get(result, "requests"))) {
        add_requests(options, result, text);
    } else if (is_type(type, "tab") && json_is_array(result)) {
        add_tabs(result, text);
    } else if (is_type(type, "scroll") && json_is_object(result)) {
        add_position(result, text);
    } else if (is_type(type, "snapshot") && json_is_object(result)) {
        add_snapshot(result, text);
    } else if (is_type(type, "pdf") && json_is_object(result)) {
        add_pdf(result, text);
    } else if (is_type(type, "content") && json_member_string(result, "content")) {
        add_lines(text, json_member_string(result, "content"));
    } else if (json_is_string(result) && options->is_raw) {
        strbuf_add(text, json_string_value(result), json_string_length(result));
        strbuf_add_string(text, "\n");
    } else if (json_is_string(result)) {
        add_lines(text, json_string_value(result));
    } else {
        add_json(text, result);
    }
}

static void add_downloads(const json_t *response, struct strbuf *text)
{
    size_t index;
    json_t *download;
    json_array_foreach (json_object_get(response, "downloads"), index, download) {
        const char *file = json_member_string(download, "file");
        const char *name = json_member_string(download, "suggestedName");
        const char *state = json_member_string(download, "state");
        add_line(text, "download: ", file ? file : name ? name : "", ", ");
        add_size(text, json_member_number(download, "bytes", 0));
        add_line(text, ", ", state ? state : "", "\n");
    }
}

static void add_pictures(const struct answer_text *options, struct strbuf *text)
{
    for (size_t i = 0; i < options->picture_count; i++) {
        const struct answer_picture *picture = &options->pictures[i];
        add_line(text, "picture: ", picture->path, "");
        if (picture->width > 0 && picture->height > 0) {
            strbuf_add_format(text, " %dx%d", picture->width, picture->height);
        }
        if (picture->scale > 0 && picture->scale != 1) {
            strbuf_add_format(text, " at scale %.3g", picture->scale);
        }
        strbuf_add_string(text, ", ");
        add_size(text, (double)picture->size);
        strbuf_add_string(text, "\n");
    }
}

/* appeared: dialog "Delete order": Delete order 1001? Cancel Delete */
static void add_appeared(const json_t *response, struct strbuf *text)
{
    size_t index;
    json_t *item;
    json_array_foreach (json_object_get(response, "appeared"), index, item) {
        const char *role = json_member_string(item, "role");
        const char *name = json_member_string(item, "name");
        const char *said = json_member_string(item, "text");
        add_line(text, "appeared: ", role ? role : "", "");
        add_line(text, name ? " \"" : "", name ? name : "", name ? "\"" : "");
        add_line(text, ": ", said ? said : "", "\n");
    }
}

/* waited 8.25 ms for Runtime.callFunctionOn elements.steady, from 1.50 ms on */
static void add_timings(const json_t *response, struct strbuf *text)
{
    size_t index;
    json_t *item;
    json_array_foreach (json_object_get(response, "timings"), index, item) {
        strbuf_add_format(text, "waited %.2f ms for ", json_member_number(item, "ms", 0));
        add_line(text, "", json_member_string(item, "what"), "");
        strbuf_add_format(text, ", from %.2f ms on\n", json_member_number(item, "atMs", 0));
    }
}

void answer_text_add_notes(const struct answer_text *options, const json_t *response,
                           struct strbuf *text)
{
    size_t index;
    json_t *item;
    struct lines notes = { { BR_LOG_VERBOSE, options->has_colors }, text, false, 0 };
    add_appeared(response, text);
    json_array_foreach (json_object_get(response, "logs"), index, item) {
        struct br_log log = log_of(item);
        if (is_note(&log) && strncmp(log.message, tab_opened, strlen(tab_opened)) == 0) {
            const char *tab = log.message + strlen(tab_opened);
            CLEANUP_FREE char *number = xstrndup(tab, strspn(tab, "0123456789"));
            add_line(text, "new tab ", tab, "");
            add_line(text, " (act tab ", number, ")\n");
        } else if (is_note(&log)) {
            add_one(&notes, &log);
        }
    }
    add_rest(&notes, "notes");
}

bool answer_text_is_bare(const struct answer_text *options, const json_t *response)
{
    return options->is_bare && json_member_bool(response, "success", false) &&
           (json_object_get(response, "result") || options->picture_count > 0);
}

void answer_text_add(const struct answer_text *options, const json_t *response, struct strbuf *text)
{
    if (!answer_text_is_bare(options, response)) {
        add_head(options, response, json_member_bool(response, "success", false), text);
        add_page(response, text);
        answer_text_add_notes(options, response, text);
        add_errors(options, response, text);
    }
    add_result(options, response, text);
    add_downloads(response, text);
    add_pictures(options, text);
    add_timings(response, text);
}
