#include "runner/checks/review.h"

#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/checks/approve.h"
#include "runner/checks/baseline.h"
#include "runner/checks/report/page.h"
#include "runner/checks/report/report.h"
#include "runner/checks/report/results.h"
#include "runner/net/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    MAX_PATH = 1024,
    TOKEN_BYTES = 16,
    MAX_MESSAGE = 4 << 20, /* the ids of 10,000 checks */
    AWAY_MS = 20000,       /* without a page until the review ends: it may be reloaded */
    CLOSE_MS = 2000,       /* for pages to receive the last state */
    PRINT_SIZE = 17,
};

enum decision_state { REVIEW_OPEN, REVIEW_ACCEPTED, REVIEW_REJECTED };

static const char *const state_names[] = { "open", "accepted", "rejected" };

/* One check to decide about. */
struct decision {
    const json_t *check;
    enum decision_state state;
    char shown[PRINT_SIZE]; /* the fingerprint of the baseline that pages show; "": none */
    bool is_changed;        /* that is not the one of the report any more */
    struct baseline before; /* what was replaced; its png is NULL if the report has it, too */
    char before_print[PRINT_SIZE];
    char written[PRINT_SIZE]; /* the fingerprint of what this review wrote */
};

/* Used on the loop thread only, except by open and close. Nothing else runs on that loop. */
struct review {
    const struct suite *suite;
    const char *report;
    struct loop *loop;
    struct net_listener *listener;
    json_t *results;
    struct decision *decisions;
    size_t count;
    uint64_t *pages; /* the ids of their connections */
    size_t page_count, page_capacity;
    struct loop_timer *away;
    char token[2 * TOKEN_BYTES + 1];
    char *url;
    int end_fd;
};

/* Writes the fingerprint of a file's bytes (64-bit FNV-1a), or "" if there is none. */
static void print_of(const void *bytes, size_t size, char *ret_print)
{
    const unsigned char *at = bytes;
    uint64_t hash = UINT64_C(14695981039346656037);
    *ret_print = '\0';
    if (at) {
        for (size_t i = 0; i < size; i++) {
            hash = (hash ^ at[i]) * UINT64_C(1099511628211);
        }
        snprintf(ret_print, PRINT_SIZE, "%016llx", (unsigned long long)hash);
    }
}

static const char *id_of(const struct decision *decision)
{
    return results_text(decision->check, "id");
}

/* Reads a picture that the report names; NULL if it has none or it cannot be read. Caller frees. */
static char *report_picture(const struct review *review, const json_t *check, const char *which,
                            size_t *ret_size)
{
    struct br_error ignored;
    const char *name = results_text(json_object_get(check, "images"), which);
    struct file_root *root = *name ? file_root_open(review->report, &ignored) : NULL;
    CLEANUP_FREE char *path = xasprintf("%s/%s", review->report, name);
    char *png = root ? file_read_in(root, path, BASELINE_MAX_PNG, ret_size, &ignored) : NULL;
    file_root_close(root);
    return png;
}

static void print_of_report(const struct review *review, const json_t *check, const char *which,
                            char *ret_print)
{
    size_t size = 0;
    CLEANUP_FREE char *png = report_picture(review, check, which, &size);
    print_of(png, size, ret_print);
}

static json_t *decision_json(const struct decision *decision)
{
    return json_pack("{s:s, s:s, s:s, s:b}", "id", id_of(decision), "state",
                     state_names[decision->state], "baseline", decision->shown, "isChanged",
                     decision->is_changed);
}

static void send_json(struct review *review, uint64_t page, const json_t *message)
{
    CLEANUP_FREE char *text = json_dumps(message, JSON_COMPACT);
    net_send(review->listener, page, text, strlen(text), NET_REPLY);
}

static void send_all(struct review *review, const json_t *message)
{
    for (size_t i = 0; i < review->page_count; i++) {
        send_json(review, review->pages[i], message);
    }
}

static struct decision *find_decision(struct review *review, const char *id)
{
    for (size_t i = 0; i < review->count; i++) {
        if (strcmp(id_of(&review->decisions[i]), id) == 0) {
            return &review->decisions[i];
        }
    }
    return NULL;
}

/* Reads the baseline; fails if it is not the one that the page has shown. */
static bool read_shown(struct review *review, struct decision *decision, const char *shown,
                       struct baseline *ret_baseline, struct br_error *err)
{
    char print[PRINT_SIZE];
    if (!baseline_read(review->suite, id_of(decision), ret_baseline, err)) {
        return false;
    }
    print_of(ret_baseline->png, ret_baseline->size, print);
    if (strcmp(print, shown) == 0) {
        return true;
    }
    memcpy(decision->shown, print, PRINT_SIZE);
    decision->is_changed = true;
    return error_set(err, BR_INVALID_ACTION,
                     *print ? "its baseline has changed meanwhile: look at it again"
                            : "its baseline was removed meanwhile: look at it again");
}

static bool accept(struct review *review, struct decision *decision, const char *shown,
                   struct br_error *err)
{
    struct baseline before = { 0 };
    char print[PRINT_SIZE];
    if (!read_shown(review, decision, shown, &before, err) ||
        !approve_check(review->suite, review->report,
                       json_object_get(review->results, "environment"), decision->check, err)) {
        baseline_finish(&before);
        return false;
    }
    print_of(before.png, before.size, decision->before_print);
    print_of_report(review, decision->check, "expected", print);
    if (strcmp(print, decision->before_print) == 0) {
        free(TAKE(before.png));
    }
    baseline_finish(&decision->before);
    decision->before = before;
    print_of_report(review, decision->check, "actual", decision->written);
    memcpy(decision->shown, decision->written, PRINT_SIZE);
    decision->state = REVIEW_ACCEPTED;
    return true;
}

/* Puts back what accept() has replaced. */
static bool restore(struct review *review, struct decision *decision, struct br_error *err)
{
    struct baseline now = { 0 };
    size_t size = decision->before.size;
    bool is_shown = read_shown(review, decision, decision->written, &now, err);
    baseline_finish(&now);
    if (!is_shown) {
        return false;
    }
    if (!*decision->before_print) {
        return baseline_remove(review->suite, id_of(decision), err);
    }
    CLEANUP_FREE char *kept =
        decision->before.png ? NULL : report_picture(review, decision->check, "expected", &size);
    const char *png = kept ? kept : decision->before.png;
    return png ? baseline_write(review->suite, id_of(decision), png, size, decision->before.origin,
                                err)
               : error_set(err, BR_INVALID_ACTION, "the report has lost the earlier baseline");
}

static bool undo(struct review *review, struct decision *decision, struct br_error *err)
{
    if (decision->state == REVIEW_ACCEPTED) {
        if (!restore(review, decision, err)) {
            return false;
        }
        memcpy(decision->shown, decision->before_print, PRINT_SIZE);
    }
    decision->state = REVIEW_OPEN;
    return true;
}

/* Decides about one check as a page asks, unless another page has decided meanwhile. */
static bool decide(struct review *review, const char *op, const json_t *wanted,
                   struct decision *decision, struct br_error *err)
{
    const char *from = results_text(wanted, "from");
    if (strcmp(from, state_names[decision->state]) != 0) {
        return error_set(err, BR_INVALID_ACTION, "another window has %s it",
                         decision->state == REVIEW_OPEN ? "reopened"
                                                        : state_names[decision->state]);
    }
    if (strcmp(op, "undo") == 0) {
        return undo(review, decision, err);
    }
    if (decision->state != REVIEW_OPEN) {
        return error_set(err, BR_INVALID_ACTION, "it is %s already", from);
    }
    if (strcmp(op, "accept") == 0) {
        return accept(review, decision, results_text(wanted, "baseline"), err);
    }
    decision->state = REVIEW_REJECTED;
    return true;
}

static void end(struct review *review)
{
    eventfd_write(review->end_fd, 1);
}

static void decide_all(struct review *review, uint64_t page, const char *op, const json_t *checks)
{
    json_t *decided = json_array();
    json_t *refused = json_array();
    size_t index;
    const json_t *wanted;
    json_array_foreach (checks, index, wanted) {
        struct br_error err = { 0 };
        struct decision *decision = find_decision(review, results_text(wanted, "id"));
        if (decision && !decide(review, op, wanted, decision, &err)) {
            json_array_append_new(refused, json_pack("{s:s, s:o}", "id", id_of(decision), "why",
                                                     json_text(err.message)));
        }
        if (decision) {
            json_array_append_new(decided, decision_json(decision));
        }
    }
    json_auto_t *state = json_pack("{s:s, s:o, s:s}", "kind", "state", "checks", decided, "folder",
                                   review->suite->shown_baselines);
    send_all(review, state);
    json_auto_t *refusal = json_pack("{s:s, s:o}", "kind", "refused", "checks", refused);
    if (json_array_size(refused)) {
        send_json(review, page, refusal);
    }
}

static void on_message(void *data, uint64_t id, const char *text, size_t length)
{
    static const char *const ops[] = { "accept", "reject", "undo" };
    struct review *review = data;
    struct br_error ignored;
    json_auto_t *message = json_parse(text, length, "the message", &ignored);
    const char *op = results_text(message, "op");
    for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
        if (strcmp(op, ops[i]) == 0) {
            decide_all(review, id, op, json_object_get(message, "checks"));
        }
    }
    if (strcmp(op, "end") == 0) {
        end(review);
    }
}

/* Cancels the end of the review: a page has connected again, or the review is being closed. */
static void cancel_away(void *data)
{
    struct review *review = data;
    struct loop_timer *away = TAKE(review->away);
    if (away) {
        loop_timer_cancel(away);
    }
}

static void on_away(void *data)
{
    struct review *review = data;
    review->away = NULL;
    end(review);
}

static bool on_open(void *data, uint64_t id, const struct net_peer *peer)
{
    struct review *review = data;
    if (strcmp(peer->path, "/decisions") != 0) {
        return false;
    }
    json_t *all = json_array();
    for (size_t i = 0; i < review->count; i++) {
        json_array_append_new(all, decision_json(&review->decisions[i]));
    }
    json_auto_t *state = json_pack("{s:s, s:o, s:s}", "kind", "state", "checks", all, "folder",
                                   review->suite->shown_baselines);
    cancel_away(review);
    review->pages = array_reserve(review->pages, review->page_count, &review->page_capacity,
                                  sizeof(*review->pages));
    review->pages[review->page_count++] = id;
    send_json(review, id, state);
    return true;
}

static void on_closed(void *data, uint64_t id)
{
    struct review *review = data;
    for (size_t i = 0; i < review->page_count; i++) {
        if (review->pages[i] == id) {
            review->pages[i] = review->pages[--review->page_count];
            if (review->page_count == 0 && !review->away) {
                review->away = loop_timer_start(review->loop, AWAY_MS, on_away, review);
            }
            return;
        }
    }
}

/* Answers with a picture of the report, or with the present baseline of a check. */
static void answer_picture(struct review *review, const char *query, struct net_answer *answer)
{
    char id[MAX_PATH];
    char which[16];
    size_t size = 0;
    CLEANUP_FREE char *png = NULL;
    bool is_asked = net_query_param(query, "check", id, sizeof(id)) &&
                    net_query_param(query, "which", which, sizeof(which));
    size_t index;
    const json_t *check;
    json_array_foreach (results_checks(review->results), index, check) {
        if (is_asked && strcmp(results_text(check, "id"), id) == 0) {
            struct br_error ignored;
            struct baseline now = { 0 };
            if (strcmp(which, "baseline") != 0) {
                png = report_picture(review, check, which, &size);
            } else if (baseline_read(review->suite, id, &now, &ignored)) {
                size = now.size;
                png = TAKE(now.png);
            }
            baseline_finish(&now);
            break;
        }
    }
    if (png) {
        answer->status = 200;
        answer->content_type = "image/png";
        strbuf_add(&answer->body, png, size);
    }
}

static void on_request(void *data, const struct net_request *request, struct net_answer *answer)
{
    struct review *review = data;
    bool is_read = strcmp(request->method, "GET") == 0 || strcmp(request->method, "HEAD") == 0;
    if (!request->is_allowed || !is_read) {
        return;
    }
    if (strcmp(request->path, "/") == 0) {
        answer->status = 200;
        answer->content_type = "text/html; charset=utf-8";
        page_add(&answer->body, review->results, true);
    } else if (strcmp(request->path, "/picture") == 0) {
        answer_picture(review, request->query, answer);
    }
}

/* A picture that was approved since the run is accepted. */
static void add_decision(struct review *review, const json_t *check)
{
    struct br_error ignored;
    struct baseline now = { 0 };
    char print[PRINT_SIZE];
    struct decision *decision = &review->decisions[review->count++];
    decision->check = check;
    print_of_report(review, check, "expected", decision->shown);
    print_of_report(review, check, "actual", decision->written);
    if (baseline_read(review->suite, id_of(decision), &now, &ignored)) {
        print_of(now.png, now.size, print);
        if (*print && strcmp(print, decision->written) == 0) {
            decision->state = REVIEW_ACCEPTED;
            memcpy(decision->before_print, decision->shown, PRINT_SIZE);
            memcpy(decision->shown, print, PRINT_SIZE);
        }
    }
    baseline_finish(&now);
}

static bool add_decisions(struct review *review, struct br_error *err)
{
    size_t index;
    const json_t *check;
    const json_t *checks = results_checks(review->results);
    review->decisions = xcalloc(json_array_size(checks) + 1, sizeof(*review->decisions));
    json_array_foreach (checks, index, check) {
        if (!approve_is_open(check)) {
            continue;
        }
        if (!suite_find_check(review->suite, results_text(check, "id"))) {
            error_set(err, BR_INVALID_ACTION, "%s has no check %s, to which %s belongs",
                      review->suite->file, results_text(check, "id"), review->report);
            return error_hint(err, "name the suite after the report: check review REPORT SUITE");
        }
        add_decision(review, check);
    }
    return true;
}

static bool listen_at(struct review *review, int port, struct br_error *err)
{
    unsigned char bytes[TOKEN_BYTES];
    struct net_listener_options options = NET_LISTENER_OPTIONS_INIT;
    const char *const tokens[] = { review->token, NULL };
    arc4random_buf(bytes, sizeof(bytes));
    for (size_t i = 0; i < sizeof(bytes); i++) {
        snprintf(review->token + 2 * i, 3, "%02x", bytes[i]);
    }
    options.name = "review";
    options.port = port;
    options.access.tokens = tokens;
    options.limits.max_message = MAX_MESSAGE;
    options.handler = (struct net_handler){
        .data = review,
        .on_open = on_open,
        .on_message = on_message,
        .on_closed = on_closed,
        .on_request = on_request,
    };
    options.ret_listener = &review->listener;
    review->listener = net_listen(review->loop, &options, err);
    if (!review->listener) {
        return false;
    }
    /* Only the review's own pages may connect. */
    int bound = net_listener_port(review->listener);
    CLEANUP_FREE char *origin = xasprintf("http://127.0.0.1:%d", bound);
    CLEANUP_FREE char *named = xasprintf("http://localhost:%d", bound);
    const char *const origins[] = { origin, named, NULL };
    const struct net_access access = { .tokens = tokens, .origins = origins };
    net_listener_set_access(review->listener, &access);
    review->url = xasprintf("%s/?token=%s", origin, review->token);
    return true;
}

struct review *review_open(struct loop *loop, const struct review_options *options,
                           struct br_error *err)
{
    struct review *review = xcalloc(1, sizeof(*review));
    review->suite = options->suite;
    review->report = options->report;
    review->loop = loop;
    review->end_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    review->results = report_load(options->report, err);
    if (!review->results || !approve_allows(review->results, review->report, err) ||
        !add_decisions(review, err) || !listen_at(review, options->port, err)) {
        json_decref(review_close(review));
        return NULL;
    }
    return review;
}

const char *review_url(const struct review *review)
{
    return review->url;
}

int review_end_fd(const struct review *review)
{
    return review->end_fd;
}

json_t *review_close(struct review *review)
{
    json_t *ids[] = { NULL, json_array(), json_array() };
    size_t open = 0;
    net_listener_close(review->listener, CLOSE_MS);
    loop_call(review->loop, cancel_away, review);
    for (size_t i = 0; i < review->count; i++) {
        struct decision *decision = &review->decisions[i];
        open += decision->state == REVIEW_OPEN;
        if (decision->state != REVIEW_OPEN) {
            json_array_append_new(ids[decision->state], json_text(id_of(decision)));
        }
        baseline_finish(&decision->before);
    }
    if (review->end_fd >= 0) {
        close(review->end_fd);
    }
    json_decref(review->results);
    free(review->decisions);
    free(review->pages);
    free(review->url);
    free(review);
    return json_pack("{s:o, s:o, s:I}", "accepted", ids[REVIEW_ACCEPTED], "rejected",
                     ids[REVIEW_REJECTED], "open", (json_int_t)open);
}
