#include "runner/page/core/virtual_time.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/cdp/targets.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    STEP_MS = 50,      /* frames are drawn when the document's age is a multiple */
    ROUND_MS = 500,    /* the age at which a page has settled is a multiple */
    STILL_ROUNDS = 2,  /* without a change, for a page that has settled */
    MIN_AGE_MS = 3000, /* of a page that has settled */
    NETWORK_MS = 5000, /* limit for requests that pause the time */
    DRAW_MS = 2000,    /* limit for a frame that nothing waits for any more */
    CAPTURE_MS = 4,    /* between the first two frames of a capture; then twice as long each time */
    MAX_CAPTURE_MS = 250,
};

/* The same date as that of a frozen clock (suite_settings.c): 2026-01-01. */
#define FIRST_DATE_MS 1767225600000.0

/* Frames must have different times; the page sees times only to a tenth of a millisecond. */
#define TICK_MS 0.001

static const char policy_method[] = "Emulation.setVirtualTimePolicy";
static const char frame_method[] = "HeadlessExperimental.beginFrame";
static const char ask_method[] = "Runtime.evaluate";

enum phase {
    PHASE_STANDS,  /* no command is pending */
    PHASE_ASKED,   /* the page was asked to reply to all commands before */
    PHASE_GRANTED, /* time passes */
    PHASE_DRAWS,   /* a frame is drawn */
};

struct virtual_time {
    bool is_on;
    enum phase phase;
    int64_t id;         /* of the pending command */
    bool has_expired;   /* the granted time has passed */
    bool is_asked;      /* the page has replied since the last step */
    bool is_held;       /* see virtual_time_hold() */
    bool is_impatient;  /* time also passes while requests are pending */
    bool has_changed;   /* the last frame drew something new */
    int64_t capture_ms; /* interval until the next frame of a capture */
    double granted_ms;
    struct deadline patience; /* until then, requests pause the granted time */
    double base_ms;           /* Chrome's ticks at which time began in the page's process */
    double passed_ms;         /* since */
    double frame_ms;          /* ticks of the last frame */
    double date_ms;           /* date at base_ms */
    unsigned documents;       /* page_mark() of the document whose age is counted */
    double born_ms;           /* passed_ms when it came */
    char key[33];             /* of frames.js */
};

void virtual_time_init(struct page *page)
{
    page->time = xcalloc(1, sizeof(*page->time));
}

void virtual_time_finish(struct page *page)
{
    free(TAKE(page->time));
}

bool virtual_time_is_on(const struct page *page)
{
    return page->time->is_on;
}

bool virtual_time_on_event(struct page *page, const char *method)
{
    if (strcmp(method, "Emulation.virtualTimeBudgetExpired") != 0) {
        return false;
    }
    page->time->has_expired = true;
    return true;
}

static bool send(struct page *page, enum phase phase, const char *method, json_t *params)
{
    struct br_error ignored;
    page->time->id = page_send(page, method, params, &ignored);
    page->time->phase = page->time->id >= 0 ? phase : PHASE_STANDS;
    return page->time->id >= 0;
}

static bool grant(struct page *page, double ms)
{
    struct virtual_time *time = page->time;
    time->has_expired = false;
    time->granted_ms = ms;
    time->patience = deadline_in_ms(NETWORK_MS);
    return send(page, PHASE_GRANTED, policy_method,
                json_pack("{s:s, s:f}", "policy",
                          time->is_impatient ? "advance" : "pauseIfNetworkFetchesPending", "budget",
                          ms));
}

static bool draw(struct page *page, struct deadline deadline)
{
    struct virtual_time *time = page->time;
    struct targets *targets = page->options.targets;
    if (!targets_begin_frame(targets, page, deadline)) {
        return false;
    }
    time->frame_ms = fmax(time->base_ms + time->passed_ms, time->frame_ms + TICK_MS);
    /* Chrome cuts the number to whole microseconds. */
    bool is_sent = send(page, PHASE_DRAWS, frame_method,
                        json_pack("{s:f}", "frameTimeTicks", time->frame_ms + TICK_MS / 4));
    if (!is_sent) {
        targets_end_frame(targets, page);
    }
    return is_sent;
}

static bool ask(struct page *page)
{
    return send(page, PHASE_ASKED, ask_method, json_pack("{s:s}", "expression", "0"));
}

/* Another process of the page has a time of its own, in which only the date goes on. */
static void enter_process(struct virtual_time *time, double base_ms)
{
    if (base_ms != time->base_ms) {
        time->date_ms += time->passed_ms;
        time->born_ms -= time->passed_ms;
        time->passed_ms = 0;
        time->base_ms = base_ms;
    }
}

static bool has_come(void *data)
{
    const struct page *page = data;
    const struct virtual_time *time = page->time;
    return cdp_has_reply(page->client, time->id) &&
           (time->phase != PHASE_GRANTED || time->has_expired);
}

/* Takes the reply to the pending command. */
static bool receive(struct page *page, struct br_error *err)
{
    struct virtual_time *time = page->time;
    enum phase phase = time->phase;
    json_auto_t *reply = NULL;
    time->phase = PHASE_STANDS;
    bool is_done = cdp_receive(page->client, time->id,
                               phase == PHASE_GRANTED ? policy_method
                               : phase == PHASE_DRAWS ? frame_method
                                                      : ask_method,
                               &reply, err);
    if (phase == PHASE_DRAWS) {
        targets_end_frame(page->options.targets, page);
    }
    if (!is_done) {
        return false;
    }
    if (phase == PHASE_GRANTED) {
        enter_process(time, json_member_number(reply, "virtualTimeTicksBase", time->base_ms));
        time->passed_ms += time->granted_ms;
    } else if (phase == PHASE_DRAWS) {
        time->has_changed = json_member_bool(reply, "hasDamage", false);
    }
    time->is_asked = phase == PHASE_ASKED;
    return true;
}

/* A request that does not end, such as a stream, must not stop time for ever. */
static bool go_on(struct page *page)
{
    struct virtual_time *time = page->time;
    page_log(page, BR_LOG_WARNING, "clock",
             "a request was pending for %d s: the page's time goes on without waiting for it, and "
             "pictures may differ",
             NETWORK_MS / 1000);
    time->is_impatient = true;
    cdp_forget(page->client, time->id);
    return grant(page, time->granted_ms);
}

/* Waits for the pending command; it stays pending if that fails. */
static bool complete(struct page *page, struct deadline deadline, struct br_error *err)
{
    struct virtual_time *time = page->time;
    while (time->phase != PHASE_STANDS) {
        bool is_patient = time->phase == PHASE_GRANTED && !time->is_impatient;
        struct deadline end = is_patient ? deadline_earlier(deadline, time->patience) : deadline;
        if (cdp_wait(page->client, has_come, page, "the page's time", end, err)) {
            return receive(page, err);
        }
        if (err->code != BR_TIMEOUT || !is_patient || !deadline_passed(time->patience) ||
            !go_on(page)) {
            return false;
        }
    }
    return true;
}

/*
 * The reply to a pending command is no longer awaited; only a frame that Chrome draws is, for a
 * while: another page must not begin one meanwhile.
 */
static void abandon(struct page *page)
{
    struct virtual_time *time = page->time;
    struct br_error ignored;
    if (time->phase == PHASE_DRAWS) {
        complete(page, deadline_in_ms(DRAW_MS), &ignored);
    }
    if (time->phase != PHASE_STANDS) {
        cdp_forget(page->client, time->id);
        time->phase = PHASE_STANDS;
        targets_end_frame(page->options.targets, page);
    }
}

void virtual_time_end(struct page *page)
{
    abandon(page);
    page->time->is_on = false;
    cdp_client_set_time(page->client, NULL);
}

static void note_document(struct page *page)
{
    struct virtual_time *time = page->time;
    unsigned documents = page_mark(page).documents;
    if (time->documents != documents) {
        time->documents = documents;
        time->born_ms = time->passed_ms;
        time->is_impatient = false;
    }
}

/* Sets why nothing can be sent. Returns false. */
static bool fail(struct page *page, struct br_error *err)
{
    return cdp_client_check(page->client, "the page's time", err) &&
           error_set(err, BR_TIMEOUT, "timed out waiting for a frame of another page");
}

static bool draw_frame(struct page *page, struct deadline deadline, struct br_error *err)
{
    return complete(page, deadline, err) && (draw(page, deadline) || fail(page, err)) &&
           complete(page, deadline, err);
}

/* Completes a step that a wait has ended early, with its frame. */
static bool resume(struct page *page, struct deadline deadline, struct br_error *err)
{
    bool was_granted = page->time->phase == PHASE_GRANTED;
    return complete(page, deadline, err) && (!was_granted || draw_frame(page, deadline, err));
}

/* Lets time pass, and draws one frame. */
static bool step(struct page *page, double ms, struct deadline deadline, struct br_error *err)
{
    return resume(page, deadline, err) && (grant(page, ms) || fail(page, err)) &&
           complete(page, deadline, err) && draw_frame(page, deadline, err);
}

/*
 * Before the first document time stands: Chrome counts a document's times from its request, in real
 * time, unless the page's time is behind that.
 */
static bool has_no_time(const struct page *page)
{
    return page->time->is_held || page_has_been_nowhere(page);
}

static int64_t age(const struct page *page)
{
    return llround(page->time->passed_ms - page->time->born_ms);
}

/*
 * Lets time pass until the next multiple of the document's age, or `end_ms`: the number of frames
 * until an age does not depend on what was waited for.
 */
static bool step_to(struct page *page, int64_t end_ms, struct deadline deadline,
                    struct br_error *err)
{
    if (!resume(page, deadline, err)) {
        return false;
    }
    int64_t now_ms = age(page);
    if (now_ms >= end_ms) {
        return true;
    }
    int64_t next_ms = (now_ms / STEP_MS + 1) * STEP_MS;
    return step(page, (double)((next_ms < end_ms ? next_ms : end_ms) - now_ms), deadline, err);
}

static bool pass(void *data, int64_t ms, struct br_error *err)
{
    struct page *page = data;
    if (has_no_time(page)) {
        return draw_frame(page, page_deadline(page), err);
    }
    note_document(page);
    /* Another document may come meanwhile. */
    for (int64_t left_ms = ms; left_ms > 0;) {
        int64_t before_ms = age(page);
        if (!step_to(page, before_ms + left_ms, page_deadline(page), err)) {
            return false;
        }
        left_ms -= age(page) - before_ms;
        note_document(page);
    }
    return true;
}

/* Lets time pass until the document has this age. */
static bool settle_to(struct page *page, int64_t end_ms, bool *ret_has_changed,
                      struct br_error *err)
{
    *ret_has_changed = false;
    while (age(page) < end_ms) {
        if (!step_to(page, end_ms, page_deadline(page), err)) {
            return false;
        }
        *ret_has_changed |= page->time->has_changed;
    }
    return true;
}

bool virtual_time_settle(struct page *page, int64_t max_ms, struct br_error *err)
{
    int still = 0;
    note_document(page);
    int64_t end_ms = age(page) + max_ms;
    while (age(page) < MIN_AGE_MS || (still < STILL_ROUNDS && age(page) < end_ms)) {
        bool has_changed = false;
        int64_t next_ms = (age(page) / ROUND_MS + 1) * ROUND_MS;
        if (!settle_to(page, next_ms, &has_changed, err)) {
            return false;
        }
        still = has_changed ? 0 : still + 1;
        note_document(page);
    }
    return true;
}

bool virtual_time_reach(struct page *page, int64_t age_ms, struct br_error *err)
{
    note_document(page);
    if (age(page) <= age_ms) {
        return age(page) == age_ms || pass(page, age_ms - age(page), err);
    }
    error_set(err, BR_INVALID_ACTION,
              "the page is %" PRId64 " ms old already, and cannot be shown at %" PRId64 " ms",
              age(page), age_ms);
    return error_hint(err, "choose a later time, or wait for less before the picture");
}

void virtual_time_stand(struct page *page)
{
    struct virtual_time *time = page->time;
    if (!time->is_on) {
        return;
    }
    abandon(page);
    page_post(page, policy_method,
              json_pack("{s:s, s:f}", "policy", "pause", "initialVirtualTime",
                        (time->date_ms + time->passed_ms) / 1000));
}

void virtual_time_hold(struct page *page, bool is_held)
{
    static const char add[] = "Page.addScriptToEvaluateOnNewDocument";
    struct br_error ignored;
    json_auto_t *reply = NULL;
    if (!page->time->is_on) {
        return;
    }
    page->time->is_held = is_held;
    CLEANUP_FREE char *source =
        xasprintf("requestAnimationFrame(\"%s\", %s)", page->time->key, is_held ? "true" : "false");
    if (page_command(page, add, json_pack("{s:s, s:b}", "source", source, "runImmediately", 1),
                     &reply, &ignored)) {
        page_post(page, "Page.removeScriptToEvaluateOnNewDocument",
                  json_pack("{s:O*}", "identifier", json_object_get(reply, "identifier")));
    }
}

/* Pages see times rounded, so time begins at a whole millisecond. */
static bool align(struct page *page, struct br_error *err)
{
    struct virtual_time *time = page->time;
    double rest_ms = ceil(time->base_ms) - time->base_ms;
    return rest_ms < TICK_MS ||
           ((grant(page, rest_ms) || fail(page, err)) && complete(page, page_deadline(page), err));
}

static bool watch_frames(struct page *page, struct br_error *err)
{
    uint64_t parts[2];
    struct virtual_time *time = page->time;
    if (getentropy(parts, sizeof(parts)) != 0) {
        return error_set(err, BR_UNKNOWN_ERROR, "the system gives no random numbers");
    }
    snprintf(time->key, sizeof(time->key), "%016" PRIx64 "%016" PRIx64, parts[0], parts[1]);
    CLEANUP_FREE char *source = xasprintf("(%s)(\"%s\")", script_frames, time->key);
    return page_command(page, "Page.addScriptToEvaluateOnNewDocument",
                        json_pack("{s:o}", "source", json_text(source)), NULL, err);
}

/* What a wait needs of the page. Commands are named by their methods, which have a dot. */
static enum need {
    NEEDS_NOTHING, /* its reply is independent of time */
    NEEDS_FRAMES,
    NEEDS_TIME,
} need_of(const char *what)
{
    static const char *const waits[] = { "Runtime.",        "Input.",
                                         "the load event",  "DOMContentLoaded",
                                         "the first paint", "the network to be idle",
                                         "a navigation",    "a file chooser",
                                         "the dragging" };
    if (strstr(what, "Page.captureScreenshot")) {
        return NEEDS_FRAMES;
    }
    for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
        if (strncmp(what, waits[i], strlen(waits[i])) == 0) {
            return NEEDS_TIME;
        }
    }
    return NEEDS_NOTHING;
}

/* A capture needs a few frames, and then time to encode the picture. */
static void draw_for_capture(struct page *page, struct deadline deadline, struct deadline *ret_next)
{
    struct virtual_time *time = page->time;
    struct br_error ignored;
    draw_frame(page, deadline, &ignored);
    *ret_next = deadline_in_ms(time->capture_ms);
    time->capture_ms = time->capture_ms < MAX_CAPTURE_MS ? 2 * time->capture_ms : MAX_CAPTURE_MS;
}

/*
 * Before each step the page replies to a question: what it has sent by then is processed first, so
 * that time stands as soon as what is waited for has come.
 */
static bool move(void *data, const char *what, bool is_new, struct deadline deadline,
                 struct deadline *ret_next)
{
    struct page *page = data;
    struct virtual_time *time = page->time;
    struct br_error ignored;
    enum need need = need_of(what);
    if (need == NEEDS_NOTHING || navigation_is_under_way(page)) {
        return false;
    }
    note_document(page);
    time->capture_ms = is_new ? CAPTURE_MS : time->capture_ms;
    if (time->phase != PHASE_STANDS) {
        return resume(page, deadline, &ignored);
    }
    if (is_new || !time->is_asked) {
        return ask(page) && complete(page, deadline, &ignored);
    }
    time->is_asked = false;
    if (need == NEEDS_FRAMES || has_no_time(page)) {
        draw_for_capture(page, deadline, ret_next);
        return false;
    }
    return step_to(page, INT64_MAX, deadline, &ignored);
}

bool virtual_time_begin(struct page *page, struct br_error *err)
{
    static const struct cdp_time moved = { .move = move, .pass = pass };
    json_auto_t *reply = NULL;
    double base_ms = 0;
    abandon(page);
    if (!page_command(
            page, policy_method,
            json_pack("{s:s, s:f}", "policy", "pause", "initialVirtualTime", FIRST_DATE_MS / 1000),
            &reply, err) ||
        !json_read(reply, policy_method, err, "{s:F}", "virtualTimeTicksBase", &base_ms)) {
        return false;
    }
    *page->time = (struct virtual_time){
        .is_on = true,
        .base_ms = base_ms,
        .date_ms = FIRST_DATE_MS,
        .documents = page_mark(page).documents,
    };
    cdp_client_set_time(page->client, &moved);
    return align(page, err) && watch_frames(page, err) &&
           draw_frame(page, page_deadline(page), err);
}
