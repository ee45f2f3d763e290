#include "runner/servers/brop/translate.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/base/url_parts.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum {
    CLICK_MS = 5000, /* the specification's default timeouts */
    WAIT_MS = 30000,
    SCRIPT_MS = 30000,
    MAX_MS = 24 * 60 * 60 * 1000,
    LOOK_MS = 2000, /* for get_element, which has no timeout in the specification */
    FILL_MS = 5000, /* and for each character */
    CHARACTER_MS = 5,
    HUMAN_MS = 80, /* between two characters of `humanLike` */
    USUAL_QUALITY = 90,
    MAX_CONTENT = 10000000, /* characters */
    MAX_DETECTED = 10000,   /* elements */
};

/* Copies a member, if the client gave it, under its name in the action. */
static void pass(const json_t *params, const char *name, json_t *action, const char *ours)
{
    json_t *value = json_object_get(params, name);
    if (value && !json_is_null(value)) {
        json_object_set(action, ours, value);
    }
}

static bool add_timeout(const json_t *params, int usual_ms, json_t *action, struct br_error *err)
{
    const json_t *given = json_object_get(params, "timeout");
    double ms = given && !json_is_null(given) ? json_number_value(given) : usual_ms;
    if ((given && !json_is_null(given) && !json_is_number(given)) || !(ms >= 1 && ms <= MAX_MS)) {
        return error_set(err, BR_INVALID_ACTION, "timeout must be 1 to %d milliseconds", MAX_MS);
    }
    json_object_set_new(action, "timeout", json_integer((json_int_t)ms));
    return true;
}

/* Returns the text of a required parameter. NULL with the error. */
static const char *needed_text(const json_t *params, const char *name, bool may_be_empty,
                               struct br_error *err)
{
    const char *text = json_member_string(params, name);
    if (!text || (!*text && !may_be_empty)) {
        error_set(err, BR_INVALID_ACTION, "%s is required", name);
        return NULL;
    }
    return text;
}

/* Reads a quoted string at the end of a selector, `"TEXT")`. NULL: malformed. Caller frees. */
static char *read_quoted(const char *at)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    char quote = *at;
    if (quote != '"' && quote != '\'') {
        size_t length = strcspn(at, ")");
        return length && strcmp(at + length, ")") == 0 ? xstrndup(at, length) : NULL;
    }
    for (at++; *at && *at != quote; at++) {
        at += *at == '\\' && at[1];
        strbuf_add(&text, at, 1);
    }
    return *at == quote && strcmp(at + 1, ")") == 0 && text.length ? strbuf_take(&text) : NULL;
}

static const char *role_of_tag(const char *tag, size_t length)
{
    static const char *const roles[][2] = {
        { "button", "button" },
        { "a", "link" },
        { "summary", "button" },
        { "option", "option" },
    };
    for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
        if (strlen(roles[i][0]) == length && strncmp(tag, roles[i][0], length) == 0) {
            return roles[i][1];
        }
    }
    return NULL;
}

/* Whether the part of a selector before :contains( is a tag's name, or empty. */
static bool is_tag(const char *selector, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!isalnum((unsigned char)selector[i]) && selector[i] != '-' && selector[i] != '*') {
            return false;
        }
    }
    return true;
}

static bool is_word(const char *text, size_t length, const char *const *words)
{
    while (*words && !(strlen(*words) == length && strncmp(text, *words, length) == 0)) {
        words++;
    }
    return *words;
}

/*
 * Skips TYPE: in front of a selector, as comments in Markdown have it: clients send the whole
 * comment. Types that are tags, too, may also begin a selector with a pseudo-class.
 */
static const char *without_type(const char *selector)
{
    static const char *const types[] = {
        "link",   "clickable", "submit", "reset",  "image",    "text",           "email",
        "search", "password",  "tel",    "url",    "number",   "date",           "time",
        "month",  "week",      "color",  "range",  "file",     "datetime-local", "checkbox",
        "radio",  "input",     "option", "select", "textarea", "select-one",     "select-multiple",
        "button", "label",     NULL
    };
    static const char *const tags[] = { "input",  "option", "select", "textarea",
                                        "button", "label",  NULL };
    static const char beginnings[] = "#.[*";
    size_t length = strspn(selector, "abcdefghijklmnopqrstuvwxyz-");
    const char *rest = selector + length + 1;
    if (selector[length] != ':' || !is_word(selector, length, types) || !*rest || *rest == ':') {
        return selector;
    }
    /* A path, such as "main > button:nth-of-type(2)", begins with a tag: "button:hover > b" does
     * not. */
    size_t word = strcspn(rest, " :#.[>(");
    bool is_path = strchr(beginnings, *rest) || strncmp(rest + word, " >", 2) == 0;
    static const char *const states[] = { "hover",    "focus",    "active",   "checked",
                                          "enabled",  "disabled", "empty",    "invalid",
                                          "required", "valid",    "optional", NULL };
    bool is_state = is_word(rest, word, states) || memchr(rest, '-', word);
    return !is_word(selector, length, tags) || (is_path && !is_state) ? rest : selector;
}

bool brop_add_element(const json_t *params, json_t *action, struct br_error *err)
{
    static const char contains[] = ":contains(";
    const char *given = needed_text(params, "selector", false, err);
    const char *selector = given ? without_type(given) : NULL;
    const char *found = selector ? strstr(selector, contains) : NULL;
    if (!selector) {
        return false;
    }
    if (!found) {
        json_object_set_new(action, "selector", json_text(selector));
        /* The first match, as in querySelector(). */
        json_object_set_new(action, "nth", json_integer(0));
        return true;
    }
    size_t length = (size_t)(found - selector);
    CLEANUP_FREE char *text =
        is_tag(selector, length) ? read_quoted(found + sizeof(contains) - 1) : NULL;
    if (!text) {
        error_set(err, BR_INVALID_ACTION, "selector: %.200s is no CSS", selector);
        return error_hint(err, ":contains() is taken only as TAG:contains(\"TEXT\")");
    }
    const char *role = role_of_tag(selector, length);
    if (role) {
        json_object_set_new(action, "role", json_string(role));
    }
    json_object_set_new(action, role ? "name" : "text", json_text(text));
    return true;
}

static bool add_click(const json_t *params, json_t *action, struct br_error *err)
{
    pass(params, "waitForNavigation", action, "waitForNavigation");
    return brop_add_element(params, action, err) && add_timeout(params, CLICK_MS, action, err);
}

static bool add_type(const json_t *params, json_t *action, struct br_error *err)
{
    const char *text = needed_text(params, "text", true, err);
    if (!text || !brop_add_element(params, action, err)) {
        return false;
    }
    if (json_object_get(action, "text")) {
        error_set(err, BR_INVALID_ACTION, "selector: :contains() does not name a field");
        return error_hint(err, "take the field's name, id or label: [name=\"email\"]");
    }
    json_object_set_new(action, "text", json_text(text));
    pass(params, "clear", action, "clear");
    if (json_member_bool(params, "humanLike", false)) {
        json_object_set_new(action, "delay", json_integer(HUMAN_MS));
    }
    pass(params, "delay", action, "delay");
    pass(params, "pressEnter", action, "pressEnter");
    if (!json_member_bool(params, "pressEnter", false)) {
        json_object_set_new(action, "change", json_true());
    }
    /* Typing time is added to the client's timeout. */
    double delay_ms = json_member_number(action, "delay", 0);
    if (!add_timeout(params, CLICK_MS, action, err)) {
        return false;
    }
    double typing_ms = (delay_ms > 0 ? delay_ms + 20 : 5) * (double)strlen(text);
    double whole_ms = json_member_number(action, "timeout", 0) + typing_ms;
    json_object_set_new(action, "timeout",
                        json_integer(whole_ms < MAX_MS ? (json_int_t)whole_ms : MAX_MS));
    return true;
}

static bool add_wait(const json_t *params, json_t *action, struct br_error *err)
{
    bool is_visible = json_member_bool(params, "visible", true);
    json_object_set_new(action, "state", json_string(is_visible ? "visible" : "attached"));
    if (!brop_add_element(params, action, err) || !add_timeout(params, WAIT_MS, action, err)) {
        return false;
    }
    json_t *text = json_object_get(action, "text");
    if (text) {
        /* `text` of a wait means any text of the page. */
        json_object_set_new(action, "targets", json_pack("[O]", text));
        json_object_del(action, "text");
    }
    return true;
}

static bool add_script(const json_t *params, json_t *action, struct br_error *err)
{
    const char *code = needed_text(params, "code", false, err);
    json_t *args = json_object_get(params, "args");
    if (!code) {
        return false;
    }
    if (args && !json_is_array(args) && !json_is_null(args)) {
        return error_set(err, BR_INVALID_ACTION, "args must be an array");
    }
    json_object_set_new(action, "expression", json_text(code));
    json_object_set_new(action, "args", json_is_array(args) ? json_incref(args) : json_array());
    json_object_set_new(action, "typed", json_true());
    pass(params, "awaitPromise", action, "awaitPromise");
    return add_timeout(params, SCRIPT_MS, action, err);
}

static bool add_screenshot(const json_t *params, json_t *action, struct br_error *err)
{
    const json_t *given = json_object_get(params, "format");
    const char *format = json_is_string(given) ? json_string_value(given) : "png";
    bool is_jpeg = strcmp(format, "jpeg") == 0 || strcmp(format, "jpg") == 0;
    if ((!is_jpeg && strcmp(format, "png") != 0) || (given && !json_is_string(given))) {
        error_set(err, BR_INVALID_ACTION, "Unsupported screenshot format: %.40s", format);
        return error_hint(err, "png or jpeg");
    }
    json_object_set_new(action, "format", json_string(is_jpeg ? "jpeg" : "png"));
    /* Clients compare sizes, so the picture is not scaled. */
    json_object_set_new(action, "maxEdge", json_integer(0));
    json_object_set_new(action, "maxPixels", json_integer(0));
    pass(params, "full_page", action, "fullPage");
    if (is_jpeg) {
        json_object_set_new(action, "quality", json_integer(USUAL_QUALITY));
        pass(params, "quality", action, "quality");
    }
    return true;
}

static bool add_dom(const json_t *params, json_t *action, struct br_error *err)
{
    const char *format = json_member_string(params, "format");
    bool is_html = format && strcmp(format, "html") == 0;
    if (format && !is_html && strcmp(format, "markdown") != 0) {
        error_set(err, BR_INVALID_ACTION, "Unsupported format: %.40s", format);
        return error_hint(err, "markdown or html");
    }
    if (is_html) {
        json_object_set_new(action, "type", json_string("content"));
        json_object_set_new(action, "format", json_string("html"));
        json_object_set_new(action, "maxLength", json_integer(MAX_CONTENT));
        return true;
    }
    bool has_selectors = json_member_bool(params, "includeSelectors", true);
    const char *annotations = json_member_string(params, "annotations");
    json_object_set_new(action, "format", json_string("markdown"));
    json_object_set_new(action, "annotations",
                        json_text(!has_selectors ? "none"
                                  : annotations  ? annotations
                                                 : "types"));
    json_object_set_new(action, "textLength", json_integer(0));
    return true;
}

static bool add_inspection(const json_t *params, json_t *action, struct br_error *err)
{
    bool is_multiple = json_member_bool(params, "multiple", false);
    if (!brop_add_element(params, action, err) || !add_timeout(params, LOOK_MS, action, err)) {
        return false;
    }
    if (is_multiple) {
        json_object_set_new(action, "multiple", json_true());
        json_object_del(action, "nth");
    }
    return true;
}

/* Converts a value of fill_form for `fill`: null empties the field. Caller decrefs. */
static json_t *field_value(json_t *given)
{
    return json_is_null(given) ? json_string("") : json_incref(given);
}

static bool add_fill(const json_t *params, json_t *action, struct br_error *err)
{
    const char *name;
    json_t *value;
    json_t *data = json_object_get(params, "formData");
    const char *form = json_member_string(params, "formSelector");
    if (!json_is_object(data)) {
        return error_set(err, BR_INVALID_ACTION, "formData is required");
    }
    size_t characters = 0;
    json_t *fields = json_object();
    json_object_set_new(action, "fields", fields);
    json_object_foreach (data, name, value) {
        characters += json_string_length(value);
        json_object_set_new(fields, name, field_value(value));
    }
    if (form) {
        json_t *named = json_object();
        json_auto_t *selected = json_pack("{s:o}", "selector", json_text(form));
        json_object_set_new(action, "form", named);
        if (!brop_add_element(selected, named, err)) {
            return false;
        }
    }
    json_object_set_new(action, "first", json_true());
    pass(params, "submit", action, "submit");
    double usual_ms = FILL_MS + CHARACTER_MS * (double)characters;
    return add_timeout(params, usual_ms < MAX_MS ? (int)usual_ms : MAX_MS, action, err);
}

static bool add_detect(const json_t *params, json_t *action, struct br_error *err)
{
    (void)err;
    pass(params, "includeHidden", action, "includeHidden");
    pass(params, "minConfidence", action, "minConfidence");
    pass(params, "maxElements", action, "maxElements");
    if (json_member_number(params, "maxElements", 0) > MAX_DETECTED) {
        json_object_set_new(action, "maxElements", json_integer(MAX_DETECTED));
    }
    return true;
}

static bool add_navigate(const json_t *params, json_t *action, struct br_error *err)
{
    const char *url = needed_text(params, "url", false, err);
    if (!url) {
        return false;
    }
    if (strchr("/.?#", *url)) {
        error_set(err, BR_INVALID_ACTION, "url: %.200s is relative, and no page is open", url);
        return error_hint(err, "write the whole URL");
    }
    CLEANUP_FREE char *whole = brop_whole_url(url);
    if (brop_url_is_closed(whole)) {
        return error_set(err, BR_POLICY_DENIED, "Cannot access chrome:// URL: %.1000s", whole);
    }
    json_object_set_new(action, "url", json_text(whole));
    return !json_object_get(params, "timeout") || add_timeout(params, WAIT_MS, action, err);
}

json_t *brop_action(const char *method, const json_t *params, struct br_error *err)
{
    static const struct {
        const char *method, *type;
        bool (*add)(const json_t *params, json_t *action, struct br_error *err);
    } rows[] = {
        { "click", "click", add_click },
        { "type", "type", add_type },
        { "wait_for_element", "wait", add_wait },
        { "evaluate_js", "evaluate", add_script },
        { "get_screenshot", "screenshot", add_screenshot },
        { "get_simplified_dom", "snapshot", add_dom },
        { "get_element", "inspect", add_inspection },
        { "fill_form", "fill", add_fill },
        { "detect_interactive_elements", "detect", add_detect },
        { "navigate", "navigate", add_navigate },
        { "create_tab", "start", add_navigate },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i].method, method) == 0) {
            json_auto_t *action = json_pack("{s:s}", "type", rows[i].type);
            return rows[i].add(params, action, err) ? json_incref(action) : NULL;
        }
    }
    error_set(err, BR_INVALID_ACTION, "Unsupported BROP command: %.100s", method);
    return NULL;
}

bool brop_url_is_closed(const char *url)
{
    static const char *const closed[] = { "chrome:", "chrome-extension:", "edge:", "devtools:" };
    for (size_t i = 0; i < sizeof(closed) / sizeof(closed[0]); i++) {
        if (strncasecmp(url, closed[i], strlen(closed[i])) == 0) {
            return true;
        }
    }
    return strncasecmp(url, "about:", 6) == 0 && strcasecmp(url, "about:blank") != 0 &&
           strncasecmp(url, "about:blank#", 12) != 0 && strcasecmp(url, "about:srcdoc") != 0;
}

char *brop_whole_url(const char *url)
{
    size_t scheme = url_scheme_length(url);
    /* "localhost:3000" and "example.org:80/x" look like a scheme. */
    bool is_port = scheme && isdigit((unsigned char)url[scheme]);
    if (scheme && !is_port) {
        return xstrdup(url);
    }
    size_t length = strcspn(url, ":/?#");
    CLEANUP_FREE char *host = xstrndup(url, *url == '[' ? strcspn(url, "]") + 1 : length);
    return xasprintf("%s://%s", url_host_is_loopback(host) ? "http" : "https", url);
}

/* execute_console accepts three expressions, and console.log of literals. */

/* Adds a literal to the text and returns the position after it; NULL: there is no literal. */
static const char *add_literal(const char *at, struct strbuf *text)
{
    char quote = *at;
    if (quote != '"' && quote != '\'') {
        size_t length = strcspn(at, ",) \t\n");
        CLEANUP_FREE char *word = xstrndup(at, length);
        char *end = word;
        (void)strtod(word, &end);
        bool is_value = (isdigit((unsigned char)*word) || *word == '-') && !*end;
        is_value |= strcmp(word, "true") == 0 || strcmp(word, "false") == 0 ||
                    strcmp(word, "null") == 0 || strcmp(word, "undefined") == 0;
        strbuf_add(text, word, length);
        return length && is_value ? at + length : NULL;
    }
    for (at++; *at && *at != quote && *at != '\n'; at++) {
        at += *at == '\\' && at[1];
        strbuf_add(text, at, 1);
    }
    return *at == quote ? at + 1 : NULL;
}

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

char *brop_console_text(const char *code)
{
    static const char begin[] = "console.log(";
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    if (strncmp(code, begin, sizeof(begin) - 1) != 0) {
        return NULL;
    }
    const char *at = skip_space(code + sizeof(begin) - 1);
    while (at && *at != ')') {
        at = add_literal(at, &text);
        at = at ? skip_space(at) : NULL;
        if (at && *at == ',') {
            strbuf_add(&text, " ", 1);
            at = skip_space(at + 1);
        } else if (at && *at != ')') {
            return NULL;
        }
    }
    if (!at) {
        return NULL;
    }
    at = skip_space(at + 1);
    at = skip_space(at + (*at == ';'));
    return *at ? NULL : strbuf_take(&text);
}

bool brop_console_is_safe(const char *code, struct br_error *err)
{
    static const char *const safe[] = { "document.title", "window.location.href",
                                        "document.readyState" };
    CLEANUP_FREE char *text = brop_console_text(code);
    bool is_safe = text;
    for (size_t i = 0; i < sizeof(safe) / sizeof(safe[0]); i++) {
        is_safe |= strcmp(code, safe[i]) == 0;
    }
    if (is_safe) {
        return true;
    }
    error_set(err, BR_INVALID_ACTION, "Unsupported console operation: %.200s", code);
    return error_hint(err, "document.title, window.location.href, document.readyState, or "
                           "console.log() of literals; evaluate_js runs any code");
}
