#include "runner/servers/brop/page.h"

#include "imaging/base64.h"
#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/base/rfc3339.h"
#include "runner/base/url_parts.h"
#include "runner/servers/brop/shapes.h"
#include "runner/servers/brop/translate.h"
#include "runner/servers/brop/window.h"

#include <string.h>

enum {
    LOOK_MS = 500, /* for what is reported beside the result */
    READ_MS = 30000,
    LIST_MS = 3000,         /* for a tab's text in a list */
    MAX_CONTENT = 10000000, /* characters */
    MAX_LISTED = 10000,     /* characters of each tab in a list */
    TURN_MS = 60,           /* for a wait, while other commands of its tab are queued */
};

static json_t *value_of(const struct br_response *response)
{
    return response->values ? response->values->result : NULL;
}

/* Like worker_run(), or worker_run_part(). */
static struct br_response *run_action(struct brop_run *run, json_t *instruction, bool is_part,
                                      struct br_error *err)
{
    json_object_set_new(instruction, "screenshots", json_string("none"));
    struct br_response *response = (is_part ? worker_run_part : worker_run)(
        brop_tab_worker(run->tab), run->session, instruction, err);
    if (!response) {
        return NULL;
    }
    /* If the tab has closed itself, the session's page is another tab now. */
    brop_window_note_page(brop_tab_window(run->tab), response->url, response->title);
    return response;
}

/*
 * The same, but returns NULL with the error after a failure. The instruction may be NULL if the
 * error is set already.
 */
static struct br_response *act_once(struct brop_run *run, json_t *instruction, bool is_part,
                                    struct br_error *err)
{
    struct br_response *response = instruction ? run_action(run, instruction, is_part, err) : NULL;
    if (response && !response->success) {
        br_response_destroy(TAKE(response));
    }
    return response;
}

static struct br_response *act(struct brop_run *run, json_t *instruction, struct br_error *err)
{
    return act_once(run, instruction, false, err);
}

/*
 * Runs an action whose result is reported even if it fails. *ret_result may be NULL; the caller
 * decrefs it. Takes ownership of the instruction.
 */
static bool act_with_result(struct brop_run *run, json_t *instruction, json_t **ret_result,
                            struct br_error *err)
{
    CLEANUP_RESPONSE struct br_response *response = run_action(run, instruction, false, err);
    if (!response) {
        return false;
    }
    *ret_result = json_incref(value_of(response));
    return response->success;
}

static json_t *translated(struct brop_run *run, struct br_error *err)
{
    return brop_action(run->method, run->params, err);
}

/* Returns { success, tabId }, which the caller completes. */
static json_t *begin_result(const struct brop_run *run)
{
    return json_pack("{s:b, s:i}", "success", 1, "tabId", (int)brop_tab_id(run->tab));
}

/* Returns the params, where a URL relative to the tab's is absolute. Caller decrefs. */
static json_t *with_whole_url(struct brop_run *run)
{
    const char *url = json_member_string(run->params, "url");
    if (!url || !*url || !strchr("/.?#", *url)) {
        return json_incref((json_t *)run->params);
    }
    json_auto_t *page = json_object();
    brop_tab_describe(run->tab, page, "url", "title", false);
    CLEANUP_FREE char *whole = url_parts_resolve(json_member_string(page, "url"), url);
    json_t *params = json_copy((json_t *)run->params);
    json_object_set_new(params, "url", json_text(whole));
    return params;
}

static bool run_navigate(struct brop_run *run, json_t **ret_result, struct br_error *err)
{
    json_auto_t *params = with_whole_url(run);
    json_t *instruction = brop_action(run->method, params, err);
    if (!instruction) {
        return false;
    }
    brop_tab_set_loading(run->tab, true);
    CLEANUP_RESPONSE struct br_response *response = act(run, instruction, err);
    brop_tab_set_loading(run->tab, false);
    if (!response) {
        return error_context(err, "Navigation failed");
    }
    *ret_result = begin_result(run);
    json_object_set_new(*ret_result, "action", json_string("navigated"));
    brop_tab_describe(run->tab, *ret_result, "url", "title", false);
    if (response->http_status) {
        json_object_set_new(*ret_result, "httpStatus", json_integer(response->http_status));
    }
    return true;
}

bool brop_page_open(struct brop_run *run, struct br_error *err)
{
    const char *url = json_member_string(run->params, "url");
    json_auto_t *params = json_pack("{s:s}", "url", url && *url ? url : "about:blank");
    json_t *instruction = brop_action("create_tab", params, err);
    brop_tab_set_loading(run->tab, true);
    CLEANUP_RESPONSE struct br_response *response = act(run, instruction, err);
    brop_tab_set_loading(run->tab, false);
    return response;
}

/* Returns the URLs before and after a click. A tab that the click closed has no URL after it. */
static json_t *navigation_json(const struct brop_run *run, const char *before,
                               const struct br_response *response)
{
    bool is_there = brop_window_is_page(brop_tab_window(run->tab), run->tab);
    const char *after = is_there ? response->url : NULL;
    bool has_moved = after && before && strcmp(before, after) != 0;
    return json_pack("{s:b, s:o*, s:o*}", "occurred", has_moved, "oldUrl",
                     before ? json_text(before) : NULL, "newUrl", after ? json_text(after) : NULL);
}

/*
 * Returns the `inspect` record of the instruction's element, within the timeout. NULL with the
 * error. Caller decrefs. Pass is_part if the command continues with another action.
 */
static json_t *inspect(struct brop_run *run, const json_t *instruction, int64_t timeout_ms,
                       bool is_part, struct br_error *err)
{
    static const char *const names[] = { "selector", "nth", "role", "name", "targets", NULL };
    json_t *inspection = json_pack("{s:s, s:I}", "type", "inspect", "timeout",
                                   (json_int_t)(timeout_ms > 1 ? timeout_ms : 1));
    for (size_t i = 0; names[i]; i++) {
        json_object_set(inspection, names[i], json_object_get(instruction, names[i]));
    }
    if (!json_object_get(inspection, "selector") && !json_object_get(inspection, "role")) {
        json_object_set(inspection, "text", json_object_get(instruction, "text"));
    }
    CLEANUP_RESPONSE struct br_response *response = act_once(run, inspection, is_part, err);
    return response ? json_incref(json_object_get(value_of(response), "element")) : NULL;
}

/* Inspects the element, then runs the command, both within the command's timeout. */
static struct br_response *act_on_element(struct brop_run *run, bool is_part, json_t **ret_record,
                                          struct br_error *err)
{
    json_auto_t *instruction = translated(run, err);
    int64_t began_ms = clock_monotonic_ms();
    int64_t timeout_ms = (int64_t)json_member_number(instruction, "timeout", 0);
    *ret_record = instruction ? inspect(run, instruction, timeout_ms, true, err) : NULL;
    if (!*ret_record) {
        return NULL;
    }
    int64_t left_ms = timeout_ms - (clock_monotonic_ms() - began_ms);
    json_object_set_new(instruction, "timeout", json_integer(left_ms > 1 ? left_ms : 1));
    return act_once(run, json_incref(instruction), is_part, err);
}

/* The same, with the selector. */
static json_t *begin_element_result(const struct brop_run *run)
{
    json_t *result = begin_result(run);
    json_object_set(result, "selector", json_object_get(run->params, "selector"));
    return result;
}

static bool run_click(struct brop_run *run, json_t **ret_result, struct br_error *err)
{
    json_auto_t *before = json_object();
    json_auto_t *record = NULL;
    brop_tab_describe(run->tab, before, "url", "title", false);
    CLEANUP_RESPONSE struct br_response *response = act_on_element(run, false, &record, err);
    if (!response) {
        return error_context(err, "Click failed");
    }
    const json_t *delivered = response->values ? response->values->delivered : NULL;
    *ret_result = begin_element_result(run);
    json_object_set_new(*ret_result, "clicked", brop_clicked(record));
    json_t *position = brop_box(json_object_get(record, "box"));
    json_object_update_existing(position, (json_t *)delivered);
    json_object_set_new(*ret_result, "position", position);
    json_object_set_new(*ret_result, "navigation",
                        navigation_json(run, json_member_string(before, "url"), response));
    return true;
}

static bool run_type(struct brop_run *run, json_t **ret_result, struct br_error *err)
{
    struct br_error ignored;
    json_auto_t *record = NULL;
    CLEANUP_RESPONSE struct br_response *response = act_on_element(run, true, &record, err);
    if (!response) {
        return error_context(err, "Type failed");
    }
    /* Private values are never sent. */
    bool is_private = json_member_bool(record, "private", false);
    json_auto_t *instruction = translated(run, &ignored);
    json_auto_t *after = inspect(run, instruction, LOOK_MS, false, &ignored);
    *ret_result = begin_element_result(run);
    json_object_set_new(*ret_result, "element", brop_element(after ? after : record));
    json_object_set_new(*ret_result, "typed",
                        is_private ? json_string("***")
                                   : json_incref(json_object_get(run->params, "text")));
    if (after) {
        json_t *value = json_object_get(after, "value");
        json_object_set(*ret_result, "finalValue", value ? value : json_object_get(after, "text"));
    }
    json_object_set_new(*ret_result, "corrections", json_integer(0));
    json_object_set_new(*ret_result, "humanLike",
                        json_boolean(json_member_bool(run->params, "humanLike", false)));
    return true;
}

/* The next command of the tab cancels the wait. */
static bool run_wait(struct brop_run *run, json_t **ret_result, struct br_error *err)
{
    struct br_error why;
    json_auto_t *instruction = translated(run, err);
    if (!instruction) {
        return error_context(err, "Wait for element failed");
    }
    int64_t until_ms = run->began_ms + (int64_t)json_member_number(instruction, "timeout", 0);
    int64_t left_ms = until_ms - clock_monotonic_ms();
    bool is_short = worker_yield(brop_tab_worker(run->tab)) && left_ms > TURN_MS;
    left_ms = is_short ? TURN_MS : left_ms > 1 ? left_ms : 1;
    json_object_set_new(instruction, "timeout", json_integer(left_ms));
    CLEANUP_RESPONSE struct br_response *response = act(run, json_incref(instruction), err);
    if (!response) {
        bool is_interrupted = err->code == BR_CANCELLED || (err->code == BR_TIMEOUT && is_short);
        run->left_ms = is_interrupted ? until_ms - clock_monotonic_ms() : 0;
        return error_context(err, "Wait for element failed");
    }
    json_auto_t *record = inspect(run, instruction, LOOK_MS, false, &why);
    if (!record && why.code == BR_CANCELLED) {
        record = inspect(run, instruction, LOOK_MS, false, &why);
    }
    *ret_result = begin_element_result(run);
    json_object_set_new(*ret_result, "found", json_true());
    json_object_set_new(*ret_result, "waitTime",
                        json_integer(clock_monotonic_ms() - run->began_ms));
    if (record) {
        json_object_set_new(*ret_result, "element", brop_element(record));
    }
    return true;
}

static bool run_element(struct brop_run *run, json_t **ret_result, struct br_error *err)
{
    size_t index;
    json_t *record;
    bool is_multiple = json_member_bool(run->params, "multiple", false);
    CLEANUP_RESPONSE struct br_response *response = act(run, translated(run, err), err);
    if (!response) {
        return error_context(err, "Element not found");
    }
    json_t *found = value_of(response);
    *ret_result = begin_element_result(run);
    json_object_set(*ret_result, "found", json_object_get(found, "found"));
    if (!is_multiple) {
        json_object_set_new(*ret_result, "element",
                            brop_element(json_object_get(found, "element")));
        return true;
    }
    json_t *elements = json_array();
    json_array_foreach (json_object_get(found, "elements"), index, record) {
        json_array_append_new(elements, brop_element(record));
    }
    json_object_set_new(*ret_result, "elements", elements);
    return true;
}

/* Returns the page's content in a format; NULL with the error. Caller decrefs. */
static json_t *content(struct brop_run *run, const char *format, int most, int timeout_ms,
                       struct br_error *err)
{
    json_t *instruction = json_pack("{s:s, s:s, s:i, s:i}", "type", "content", "format", format,
                                    "maxLength", most, "timeout", timeout_ms);
    CLEANUP_RESPONSE struct br_response *response = act(run, instruction, err);
    return response ? json_incref(value_of(response)) : NULL;
}

static bool run_content(struct brop_run *run, json_t **ret_result, struct br_error *err)
{
    json_auto_t *both = content(run, "both", MAX_CONTENT, READ_MS, err);
    if (!both) {
        return error_context(err, "Page content failed");
    }
    *ret_result = json_pack("{s:O*, s:O*, s:O*, s:O*}", "html", json_object_get(both, "html"),
                            "text", json_object_get(both, "content"), "title",
                            json_object_get(both, "title"), "url", json_object_get(both, "url"));
    json_object_set_new(*ret_result, "tabId", json_integer(brop_tab_id(run->tab)));
    return true;
}

char *brop_page_text(struct brop_tab *tab, struct br_session *session, struct br_error *err)
{
    struct brop_run run = { .tab = tab, .session = session };
    json_auto_t *text = content(&run, "text", MAX_LISTED, LIST_MS, err);
    return text ? xstrdup(json_member_string(text, "content")) : NULL;
}

/* The fields are reported even if none was filled: beside the error. */
static bool run_fill(struct brop_run *run, json_t **ret_result, struct br_error *err)
{
    json_auto_t *result = NULL;
    json_t *instruction = translated(run, err);
    if (!instruction) {
        return false;
    }
    bool is_done = act_with_result(run, instruction, &result, err);
    *ret_result = brop_filled(result, json_object_get(run->params, "formData"));
    json_object_set_new(*ret_result, "success", json_boolean(is_done));
    json_object_set_new(*ret_result, "tabId", json_integer(brop_tab_id(run->tab)));
    return is_done || error_context(err, "Fill form failed");
}

static bool run_detect(struct brop_run *run, json_t **ret_result, struct br_error *err)
{
    CLEANUP_RESPONSE struct br_response *response = act(run, translated(run, err), err);
    if (!response) {
        return error_context(err, "Element detection failed");
    }
    *ret_result = brop_detected(value_of(response),
                                json_member_bool(run->params, "includeCoordinates", true));
    json_object_set_new(*ret_result, "success", json_true());
    json_object_set_new(*ret_result, "tabId", json_integer(brop_tab_id(run->tab)));
    json_object_set_new(*ret_result, "timestamp", json_integer(clock_wall_ms()));
    return true;
}

static bool run_script(struct brop_run *run, json_t **ret_result, struct br_error *err)
{
    CLEANUP_RESPONSE struct br_response *response = act(run, translated(run, err), err);
    if (!response) {
        return error_context(err, "JavaScript execution failed");
    }
    const json_t *typed = value_of(response);
    bool is_by_value = json_member_bool(run->params, "returnByValue", true);
    bool is_serializable = json_member_bool(typed, "isSerializable", true);
    *ret_result = begin_result(run);
    json_object_set(*ret_result, "type", json_object_get(typed, "type"));
    json_object_set(*ret_result, "isSerializable", json_object_get(typed, "isSerializable"));
    json_object_set(*ret_result, "isPromise", json_object_get(typed, "isPromise"));
    json_object_set_new(*ret_result, "returnByValue", json_boolean(is_by_value));
    if (!is_by_value) {
        json_t *reference = json_copy((json_t *)typed);
        json_object_del(reference, "value");
        json_object_set_new(*ret_result, "result", reference);
    } else if (is_serializable) {
        json_t *value = json_object_get(typed, "value");
        json_object_set_new(*ret_result, "result", value ? json_incref(value) : json_null());
    } else {
        json_object_set(*ret_result, "result", json_object_get(typed, "description"));
    }
    return true;
}

static bool run_console(struct brop_run *run, json_t **ret_result, struct br_error *err)
{
    const char *code = json_member_string(run->params, "code");
    if (!code) {
        return error_set(err, BR_INVALID_ACTION, "code is required");
    }
    if (!brop_console_is_safe(code, err)) {
        return false;
    }
    CLEANUP_RESPONSE struct br_response *response =
        act(run, json_pack("{s:s, s:s}", "type", "evaluate", "expression", code), err);
    if (!response) {
        return error_context(err, "Console execution failed");
    }
    CLEANUP_FREE char *logged = brop_console_text(code);
    CLEANUP_FREE char *said = logged ? xasprintf("Logged: %s", logged) : NULL;
    json_t *value = value_of(response);
    *ret_result = json_pack("{s:o}", "result",
                            said    ? json_text(said)
                            : value ? json_incref(value)
                                    : json_null());
    return true;
}

static bool run_screenshot(struct brop_run *run, json_t **ret_result, struct br_error *err)
{
    CLEANUP_RESPONSE struct br_response *response = act(run, translated(run, err), err);
    if (!response) {
        return error_context(err, "Screenshot failed");
    }
    const struct br_capture *picture = &response->post;
    size_t length = base64_encoded_size(picture->size);
    CLEANUP_FREE char *data = xmalloc(length + 1);
    base64_encode(picture->bytes, picture->size, data);
    const char *format = json_member_string(run->params, "format");
    *ret_result =
        json_pack("{s:o, s:s, s:i, s:i, s:i}", "image_data", json_stringn_nocheck(data, length),
                  "format", format ? format : "png", "tabId", (int)brop_tab_id(run->tab), "width",
                  picture->width, "height", picture->height);
    brop_tab_describe(run->tab, *ret_result, "tab_url", "tab_title", false);
    return true;
}

static json_t *timestamp(void)
{
    char text[RFC3339_SIZE];
    rfc3339_format(clock_wall_ms(), true, text);
    return json_string(text);
}

/* Limits the instruction to the first visible main part of the page. False: there is none. */
static bool choose_main(struct brop_run *run, json_t *instruction)
{
    static const char selector[] = "main, [role=\"main\"]";
    size_t index;
    json_t *record;
    struct br_error ignored;
    CLEANUP_RESPONSE struct br_response *response = act(
        run, json_pack("{s:s, s:s, s:b}", "type", "inspect", "selector", selector, "multiple", 1),
        &ignored);
    const json_t *found = response ? json_object_get(value_of(response), "elements") : NULL;
    json_array_foreach (found, index, record) {
        if (json_member_bool(record, "visible", false)) {
            json_object_set_new(instruction, "selector", json_string(selector));
            json_object_set_new(instruction, "nth", json_integer((json_int_t)index));
            return true;
        }
    }
    return false;
}

/* The page, or its main part, as Markdown with BROP's annotations, or as markup. */
static bool run_dom(struct brop_run *run, json_t **ret_result, struct br_error *err)
{
    json_t *instruction = translated(run, err);
    if (!instruction) {
        return false;
    }
    const char *format = json_member_string(run->params, "format");
    bool is_html = format && strcmp(format, "html") == 0;
    /* Markup is the main part without scripts, unless the whole document is asked for. */
    bool is_whole = json_member_bool(run->params, "enableDetailedResponse", !is_html);
    bool is_main = !is_whole && choose_main(run, instruction);
    if (is_html && !is_whole) {
        json_object_set_new(instruction, "scripts", json_false());
    }
    CLEANUP_RESPONSE struct br_response *response = act(run, instruction, err);
    if (!response) {
        return error_context(err, "Simplified DOM failed");
    }
    const char *source = is_html   ? is_main ? "main_html" : "full_document_html"
                         : is_main ? "turndown_main"
                                   : "turndown_full";
    json_t *text = json_object_get(value_of(response), is_html ? "content" : "text");
    *ret_result = json_pack("{s:O, s:o, s:{s:s, s:I, s:b}, s:i, s:s}",
                            is_html ? "html" : "markdown", text, "timestamp", timestamp(), "stats",
                            "source", source, is_html ? "htmlLength" : "markdownLength",
                            (json_int_t)json_string_length(text), "processed", 1, "tabId",
                            (int)brop_tab_id(run->tab), "format", is_html ? "html" : "markdown");
    brop_tab_describe(run->tab, *ret_result, "url", "title", false);
    return true;
}

static const struct {
    const char *method;
    bool (*run)(struct brop_run *run, json_t **ret_result, struct br_error *err);
    const char *params; /* have an effect, as do tabId and backend */
} rows[] = {
    { "navigate", run_navigate, "url create_new_tab close_tab timeout" },
    { "click", run_click, "selector waitForNavigation timeout" },
    { "type", run_type, "selector text clear delay humanLike pressEnter timeout" },
    { "wait_for_element", run_wait, "selector visible timeout" },
    { "get_element", run_element, "selector multiple timeout" },
    { "get_page_content", run_content, "" },
    { "fill_form", run_fill, "formData formSelector submit timeout" },
    { "detect_interactive_elements", run_detect,
      "includeHidden includeCoordinates minConfidence maxElements" },
    { "evaluate_js", run_script, "code args awaitPromise returnByValue timeout" },
    { "execute_console", run_console, "code" },
    { "get_screenshot", run_screenshot, "format quality full_page" },
    { "get_simplified_dom", run_dom, "format includeSelectors annotations enableDetailedResponse" },
};

static size_t find(const char *method)
{
    size_t i = 0;
    while (i < sizeof(rows) / sizeof(rows[0]) && strcmp(rows[i].method, method) != 0) {
        i++;
    }
    return i;
}

bool brop_page_has(const char *method)
{
    return find(method) < sizeof(rows) / sizeof(rows[0]);
}

static bool check_access(struct brop_run *run, struct br_error *err)
{
    json_auto_t *page = json_object();
    if (strcmp(run->method, "navigate") == 0 || brop_tab_is_accessible(run->tab)) {
        return true;
    }
    brop_tab_describe(run->tab, page, "url", "title", false);
    return error_set(err, BR_POLICY_DENIED, "Cannot access chrome:// URL: %s",
                     json_member_string(page, "url"));
}

/* Whether a list of names, separated by spaces, contains the name. */
static bool is_in_list(const char *list, const char *name)
{
    size_t length = strlen(name);
    while (*list) {
        size_t next = strcspn(list, " ");
        if (next == length && strncmp(list, name, length) == 0) {
            return true;
        }
        list += next + (list[next] == ' ');
    }
    return false;
}

static const char *why_ignored(const char *name)
{
    return strcmp(name, "pollInterval") == 0 ? "the page is watched, not polled"
           : strcmp(name, "typoChance") == 0 ? "no typos are made"
                                             : "the command does not know it";
}

/* Lists the client's parameters that had no effect. */
static void add_warnings(const struct brop_run *run, const char *known, json_t *result)
{
    enum { MAX_NAMED = 20 };
    const char *name;
    json_t *value;
    json_t *warnings = json_incref(json_object_get(result, "warnings"));
    warnings = warnings ? warnings : json_array();
    json_object_foreach ((json_t *)run->params, name, value) {
        if (!json_is_null(value) && !is_in_list("tabId backend", name) &&
            !is_in_list(known, name) && json_array_size(warnings) < MAX_NAMED) {
            CLEANUP_FREE char *text =
                xasprintf("%.100s has no effect: %s", name, why_ignored(name));
            json_array_append_new(warnings, json_text(text));
        }
    }
    if (json_array_size(warnings)) {
        json_object_set(result, "warnings", warnings);
    }
    json_decref(warnings);
}

bool brop_page_run(struct brop_run *run, json_t **ret_result, struct br_error *err)
{
    size_t row = find(run->method);
    *ret_result = NULL;
    bool is_done = check_access(run, err) && rows[row].run(run, ret_result, err);
    if (*ret_result) {
        add_warnings(run, rows[row].params, *ret_result);
    }
    return is_done;
}
