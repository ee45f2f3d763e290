#include "runner/checks/attempt.h"

#include "runner/actions/actions.h"
#include "runner/base/action.h"
#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/base/network_event.h"
#include "runner/base/response.h"
#include "runner/checks/bounds.h"
#include "runner/checks/url.h"
#include "runner/formats/response_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_LOGS = 200,  /* logs stored for an attempt; likewise failed requests and problems */
    SHOTS = 6,       /* until two in a row are identical */
    CLOCK_SHOTS = 2, /* with a virtual clock, which is paused between them */
};

struct steps {
    struct br_session *session;
    const struct suite_check *check;
    struct attempt *attempt;
    const struct attempt_side *side;
    bool is_setup; /* begins without the side's state, and writes it */
};

static void append_all(json_t *array, json_t *items)
{
    size_t index;
    json_t *item;
    json_array_foreach (items, index, item) {
        if (json_array_size(array) < MAX_LOGS) {
            json_array_append(array, item);
        }
    }
}

/* Appends all logs of the page, but only those of the tool that are not about its own steps. */
static void append_logs(json_t *array, json_t *logs)
{
    size_t index;
    json_t *log;
    json_array_foreach (logs, index, log) {
        const char *type = json_member_string(log, "type");
        const char *source = json_member_string(log, "source");
        bool is_step = source && strcmp(source, "tool") == 0 && type &&
                       (strcmp(type, "debug") == 0 || strcmp(type, "verbose") == 0);
        if (!is_step && json_array_size(array) < MAX_LOGS) {
            json_array_append(array, log);
        }
    }
}

static void add_problem(struct attempt *attempt, char *text)
{
    if (json_array_size(attempt->problems) < MAX_LOGS) {
        json_array_append_new(attempt->problems, bounds_text(text));
    }
    free(text);
}

/* Caller frees. */
static char *describe_request(const struct br_network_event *event)
{
    const char *method = event->method ? event->method : "GET";
    return event->status >= 400
               ? xasprintf("%s %s: HTTP status %d", method, event->url, event->status)
               : xasprintf("%s %s: %s", method, event->url, event->error);
}

/* Returns the first line of the message, and its location. Caller frees. */
static char *describe_log(const struct br_log *log)
{
    const char *location = log->location;
    return xasprintf("%s: %.*s%s%s%s", log->kind ? log->kind : "console error",
                     (int)strcspn(log->message, "\n"), log->message, location ? " (" : "",
                     location ? location : "", location ? ")" : "");
}

static json_t *failure_json(const struct br_network_event *event)
{
    json_t *failure = json_pack("{s:o, s:o}", "url", bounds_text(event->url), "method",
                                json_text(event->method ? event->method : "GET"));
    if (event->status) {
        json_object_set_new(failure, "status", json_integer(event->status));
    }
    if (event->error) {
        json_object_set_new(failure, "error", bounds_text(event->error));
    }
    return failure;
}

static void note_requests(struct attempt *attempt, const struct br_response *response)
{
    for (size_t i = 0; i < response->network_event_count; i++) {
        const struct br_network_event *event = &response->network_events[i];
        if (network_event_has_failed(event) && json_array_size(attempt->failures) < MAX_LOGS) {
            json_array_append_new(attempt->failures, failure_json(event));
        }
    }
}

/* A failed request is a problem once, even if the console reports it as well. */
static void note_problems(struct attempt *attempt, const struct br_response *response)
{
    for (size_t i = 0; i < response->log_count; i++) {
        const struct br_log *log = &response->logs[i];
        if (log->type == BR_LOG_ERROR && log->source == BR_SOURCE_BROWSER &&
            !log_is_of_request(log)) {
            add_problem(attempt, describe_log(log));
        }
    }
    for (size_t i = 0; i < response->network_event_count; i++) {
        const struct br_network_event *event = &response->network_events[i];
        if (network_event_has_failed(event)) {
            add_problem(attempt, describe_request(event));
        }
    }
}

/* The status of a page is not doubted where the check allows it; the console repeats it. */
static void note_errors(struct steps *steps, const struct br_response *response)
{
    struct attempt *attempt = steps->attempt;
    for (size_t i = 0; i < response->log_count; i++) {
        const struct br_log *log = &response->logs[i];
        bool is_expected = steps->check->allows_http_errors && log_is_of_request(log);
        if (log->type == BR_LOG_ERROR && log->source == BR_SOURCE_BROWSER && !is_expected &&
            json_array_size(attempt->errors) < MAX_LOGS) {
            CLEANUP_FREE char *text = describe_log(log);
            json_array_append_new(attempt->errors, bounds_text(text));
        }
    }
}

static void note(struct steps *steps, const struct br_response *response)
{
    struct attempt *attempt = steps->attempt;
    json_auto_t *tree = response_json(response, 1); /* the pictures are not needed here */
    append_logs(attempt->logs, json_object_get(tree, "logs"));
    json_t *metrics = json_object_get(tree, "metrics");
    if (metrics) {
        json_decref(attempt->metrics);
        attempt->metrics = json_incref(metrics);
    }
    note_requests(attempt, response);
    note_errors(steps, response);
    if (steps->check->expects_no_errors) {
        note_problems(attempt, response);
    }
    attempt->is_lost |= response->recovered;
}

static bool is_loss(enum br_code code)
{
    return code == BR_BROWSER_CRASHED || code == BR_PAGE_CRASHED || code == BR_DISCONNECTED;
}

/* A page with an HTTP error is not the page to check; any step may lead to one. */
static bool check_status_of_page(struct steps *steps, const struct br_response *response)
{
    struct attempt *attempt = steps->attempt;
    if (response->http_status) {
        attempt->http_status = response->http_status;
    }
    if (response->http_status < 400 || steps->check->allows_http_errors) {
        return true;
    }
    error_set(&attempt->error, BR_NAVIGATION_FAILED, "%s answered with HTTP status %d",
              response->url ? response->url : steps->check->url, response->http_status);
    return error_hint(&attempt->error,
                      "if the check is meant for this page, give it \"allowHttpErrors\": true");
}

/* Runs one action; returns NULL with attempt->error, which begins with the step's purpose. */
static struct br_response *run(struct steps *steps, struct br_action *action, const char *what)
{
    struct attempt *attempt = steps->attempt;
    if (!action_validate(action, &attempt->error)) {
        error_context(&attempt->error, "%s", what);
        return NULL;
    }
    struct br_response *response = br_session_run(steps->session, action);
    note(steps, response);
    if (!response->success) {
        attempt->error = response->error;
        attempt->is_lost |= is_loss(response->error.code);
    }
    if (!response->success || !check_status_of_page(steps, response)) {
        if (attempt->error.code != BR_BROWSER_NOT_FOUND) { /* no matter at which step */
            error_context(&attempt->error, "%s", what);
        }
        br_response_destroy(response);
        return NULL;
    }
    return response;
}

/*
 * Runs an action of ours with the check's time limit, which does not include the start of a
 * browser. The action is not retried: the check as a whole is, and the report says so. Takes
 * ownership of params.
 */
static struct br_response *act(struct steps *steps, const char *type, json_t *params,
                               const char *what)
{
    CLEANUP_ACTION struct br_action *action = action_create(type, (struct source_position){ 0 });
    bool is_start = strcmp(type, "start") == 0;
    json_object_update_new(action->params, params);
    if (!is_start) {
        json_object_set_new(action->params, "retryOptions", json_pack("{s:i}", "maxRetries", 0));
    }
    if (steps->check->timeout_ms && !is_start) {
        json_object_set_new(action->params, "timeout", json_integer(steps->check->timeout_ms));
    }
    return run(steps, action, what);
}

static bool act_only(struct steps *steps, const char *type, json_t *params, const char *what)
{
    CLEANUP_RESPONSE struct br_response *response = act(steps, type, params, what);
    return response;
}

/* Returns the emulated environment, which is the same on every machine. */
static json_t *surroundings(const struct suite_check *check)
{
    const struct suite_viewport *viewport = check->viewport;
    json_t *size =
        json_pack("{s:i, s:i, s:f, s:b}", "width", viewport->width, "height", viewport->height,
                  "deviceScaleFactor", viewport->scale, "mobile", viewport->is_mobile);
    json_t *settings =
        json_pack("{s:s, s:o, s:s, s:s, s:s}", "preset", viewport->preset ? viewport->preset : "ci",
                  "viewport", size, "timezone", "UTC", "locale",
                  viewport->locale ? viewport->locale : "en-US", "reducedMotion", "reduce");
    if (viewport->color_scheme) {
        json_object_set_new(settings, "colorScheme", json_string(viewport->color_scheme));
    }
    if (viewport->media) {
        json_object_set_new(settings, "media", json_string(viewport->media));
    }
    if (check->is_frozen) {
        json_object_set_new(settings, "clock",
                            json_pack("{s:I, s:I}", "time", (json_int_t)check->frozen_at_ms, "seed",
                                      (json_int_t)check->random_seed));
    }
    return settings;
}

/* Returns the address on the side on which the attempt takes place. Caller frees. */
static char *moved_url(const struct steps *steps, const char *url)
{
    const struct attempt_side *side = steps->side;
    return side->to ? url_move(url, side->from, side->to) : xstrdup(url);
}

static json_t *state_params(const char *op, const char *file)
{
    return json_pack("{s:s, s:o}", "op", op, "file", json_text(file));
}

static bool open_page(struct steps *steps)
{
    struct attempt *attempt = steps->attempt;
    CLEANUP_FREE char *url = moved_url(steps, steps->check->url);
    attempt->has_begun =
        act_only(steps, "start", json_pack("{s:s}", "url", "about:blank"), "a new page");
    if (!attempt->has_begun ||
        !act_only(steps, "emulate", surroundings(steps->check), "the viewport") ||
        (steps->side->state && !steps->is_setup &&
         !act_only(steps, "storage", state_params("load", steps->side->state),
                   "the state of \"setup\""))) {
        return false;
    }
    return act_only(steps, "navigate", json_pack("{s:o}", "url", json_text(url)),
                    "opening the page");
}

/* Runs copies of the user's actions, because other threads run them, too. */
static bool run_actions(struct steps *steps)
{
    for (size_t i = 0; steps->check->actions[i]; i++) {
        const struct br_action *given = steps->check->actions[i];
        CLEANUP_ACTION struct br_action *action = action_create(given->type, given->position);
        json_object_update_new(action->params, json_deep_copy(given->params));
        const char *url = json_member_string(action->params, "url");
        if (url) {
            CLEANUP_FREE char *moved = moved_url(steps, url);
            json_object_set_new(action->params, "url", json_text(moved));
        }
        if (steps->check->timeout_ms && !json_object_get(action->params, "timeout")) {
            json_object_set_new(action->params, "timeout", json_integer(steps->check->timeout_ms));
        }
        CLEANUP_FREE char *what = xasprintf("action %zu (%s)", i + 1, given->type);
        CLEANUP_RESPONSE struct br_response *response = run(steps, action, what);
        if (!response) {
            return false;
        }
    }
    return true;
}

static bool await_ready(struct steps *steps)
{
    const struct suite_ready *ready = &steps->check->ready;
    const struct {
        const char *name, *value;
    } waits[] = {
        { "selector", ready->selector },
        { "text", ready->text },
        { "expression", ready->expression },
    };
    for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
        CLEANUP_FREE char *what = xasprintf("ready.%s", waits[i].name);
        if (waits[i].value &&
            !act_only(steps, "wait", json_pack("{s:o}", waits[i].name, json_text(waits[i].value)),
                      what)) {
            return false;
        }
    }
    return !ready->network_idle ||
           act_only(steps, "wait", json_pack("{s:b}", "networkIdle", 1), "ready.networkIdle");
}

static void set_selectors(json_t *params, const char *name, suite_selectors selectors)
{
    json_t *array = json_array();
    for (size_t i = 0; selectors[i]; i++) {
        json_array_append_new(array, json_text(selectors[i]));
    }
    if (json_array_size(array)) {
        json_object_set(params, name, array);
    }
    json_decref(array);
}

/* The selectors of the parts, an array without repetitions. */
static void set_areas(json_t *params, const char *name, const struct suite_areas *areas)
{
    json_auto_t *seen = json_object();
    json_t *array = json_array();
    for (size_t i = 0; i < areas->count; i++) {
        const char *selector = areas->items[i].selector;
        if (selector && !json_object_get(seen, selector)) {
            json_object_set_new(seen, selector, json_true());
            json_array_append_new(array, json_text(selector));
        }
    }
    if (json_array_size(array)) {
        json_object_set(params, name, array);
    }
    json_decref(array);
}

static json_t *screenshot_params(const struct suite_check *check, int shots)
{
    json_t *params = json_pack("{s:s, s:b, s:i, s:b}", "format", "png", "stable", 1, "shots", shots,
                               "ignoreNoAi", 1);
    if (check->at_ms >= 0) {
        json_object_set_new(params, "at", json_integer(check->at_ms));
    }
    if (check->selector) {
        json_object_set_new(params, "selector", json_text(check->selector));
    } else if (check->is_full_page) {
        json_object_set_new(params, "fullPage", json_true());
    }
    set_selectors(params, "hide", check->hide);
    set_selectors(params, "remove", check->remove);
    set_selectors(params, "mask", check->mask);
    set_areas(params, "ignore", &check->ignore);
    set_areas(params, "locate", &check->regions);
    return params;
}

static void add_area(json_t *list, const struct suite_area *area, double x, double y, double width,
                     double height)
{
    json_t *box =
        json_pack("{s:i, s:i, s:i, s:i}", "x", (int)floor(x), "y", (int)floor(y), "width",
                  (int)(ceil(x + width) - floor(x)), "height", (int)(ceil(y + height) - floor(y)));
    if (area->threshold >= 0) {
        json_object_set_new(box, "threshold", json_real(area->threshold));
    }
    json_array_append_new(list, box);
}

/* Returns where the parts are in the picture, in the suite's order. Caller decrefs. */
static json_t *place_areas(const struct suite_areas *areas, const json_t *boxes, double scale)
{
    json_t *list = json_array();
    for (size_t i = 0; i < areas->count; i++) {
        const struct suite_area *area = &areas->items[i];
        size_t index;
        const json_t *box;
        if (!area->selector) {
            add_area(list, area, area->x * scale, area->y * scale, area->width * scale,
                     area->height * scale);
            continue;
        }
        json_array_foreach (boxes, index, box) {
            if (strcmp(json_member_string(box, "selector"), area->selector) == 0) {
                add_area(list, area, json_member_number(box, "x", 0),
                         json_member_number(box, "y", 0), json_member_number(box, "width", 0),
                         json_member_number(box, "height", 0));
            }
        }
    }
    return list;
}

/* Reads what the result of a stable screenshot says about the page's stability. */
static void note_rest(struct attempt *attempt, const json_t *result)
{
    const json_t *changing = json_object_get(result, "changing");
    const char *element = json_member_string(changing, "element");
    append_all(attempt->unstable, json_object_get(result, "reasons"));
    if (changing) {
        CLEANUP_FREE char *text = xasprintf(
            "two pictures in a row were never equal: %.0f pixels at %.0f,%.0f, %.0fx%.0f%s%s",
            json_member_number(changing, "pixels", 0), json_member_number(changing, "x", 0),
            json_member_number(changing, "y", 0), json_member_number(changing, "width", 0),
            json_member_number(changing, "height", 0), element ? ", in " : "",
            element ? element : "");
        json_array_append_new(attempt->unstable, json_text(text));
    }
    json_t *unmatched = json_object_get(result, "unmatched");
    size_t index;
    json_t *one;
    json_array_foreach (unmatched, index, one) {
        CLEANUP_FREE char *text =
            xasprintf("%s: nothing matches \"%s\"", json_member_string(one, "name"),
                      json_member_string(one, "selector"));
        json_array_append_new(attempt->warnings, bounds_text(text));
    }
}

static bool take_picture(struct steps *steps, int shots)
{
    struct attempt *attempt = steps->attempt;
    CLEANUP_RESPONSE struct br_response *response =
        act(steps, "screenshot", screenshot_params(steps->check, shots), "the picture");
    if (!response) {
        return false;
    }
    free(attempt->png);
    attempt->png = (char *)TAKE(response->post.bytes);
    attempt->size = response->post.size;
    attempt->width = response->post.width;
    attempt->height = response->post.height;
    json_array_clear(attempt->unstable);
    json_array_clear(attempt->warnings);
    const json_t *result = response->values->result;
    const struct suite_check *check = steps->check;
    note_rest(attempt, result);
    json_decref(attempt->ignored);
    json_decref(attempt->zones);
    attempt->ignored =
        place_areas(&check->ignore, json_object_get(result, "ignored"), check->viewport->scale);
    attempt->zones =
        place_areas(&check->regions, json_object_get(result, "located"), check->viewport->scale);
    return true;
}

static bool picture(struct steps *steps, const struct baseline *baseline)
{
    struct attempt *attempt = steps->attempt;
    if (steps->check->has_virtual_clock) {
        /* Another try would find an older page. */
        return take_picture(steps, CLOCK_SHOTS);
    }
    if (baseline->png) {
        if (!take_picture(steps, 1)) {
            return false;
        }
        if (attempt->size == baseline->size &&
            memcmp(attempt->png, baseline->png, baseline->size) == 0) {
            return true;
        }
    }
    return take_picture(steps, SHOTS);
}

static bool save_state(struct steps *steps)
{
    return act_only(steps, "storage", state_params("save", steps->side->state),
                    "saving cookies and storage");
}

void attempt_run(struct br_session *session, const struct suite_check *check,
                 const struct attempt_side *side, const struct baseline *baseline,
                 struct attempt *ret_attempt)
{
    *ret_attempt = (struct attempt){
        .unstable = json_array(),
        .warnings = json_array(),
        .problems = json_array(),
        .errors = json_array(),
        .logs = json_array(),
        .failures = json_array(),
    };
    struct steps steps = {
        .session = session,
        .check = check,
        .attempt = ret_attempt,
        .side = side,
        .is_setup = !baseline,
    };
    if (open_page(&steps) && run_actions(&steps) && await_ready(&steps) &&
        (baseline ? picture(&steps, baseline) : save_state(&steps))) {
        ret_attempt->error = (struct br_error){ 0 };
    }
}

void attempt_finish(struct attempt *attempt)
{
    free(attempt->png);
    json_decref(attempt->unstable);
    json_decref(attempt->warnings);
    json_decref(attempt->problems);
    json_decref(attempt->errors);
    json_decref(attempt->ignored);
    json_decref(attempt->zones);
    json_decref(attempt->logs);
    json_decref(attempt->failures);
    json_decref(attempt->metrics);
    *attempt = (struct attempt){ 0 };
}
