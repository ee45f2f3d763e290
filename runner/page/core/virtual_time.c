#include "runner/page/core/virtual_time.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/cdp/targets.h"
#include "runner/page/core/call.h"
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
    LEAVE_MS = 7000,   /* limit for the rest of a step of a tab that is left */
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
static const char add_script_method[] = "Page.addScriptToEvaluateOnNewDocument";

enum phase {
    PHASE_STANDS,  /* no command is pending */
    PHASE_ASKED,   /* the page was asked to reply to all commands before */
    PHASE_GRANTED, /* time passes */
    PHASE_DRAWS,   /* a frame is drawn */
};

/* The time of a tab: page->time is that of the page, before those of the session's other tabs. */
struct virtual_time {
    struct virtual_time *next;
    char *session_id; /* of the tab; NULL before the first */
    bool is_on;
    bool is_to_stand; /* opened during a grant: its time will be stopped after that */
    enum phase phase;
    int64_t id;         /* of the pending command */
    bool has_expired;   /* the granted time has passed */
    bool is_cut;        /* time was stopped while it passed; Chrome still counts the grant */
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
    while (page->time) {
        struct virtual_time *time = page->time;
        page->time = time->next;
        free(time->session_id);
        free(time);
    }
}

bool virtual_time_is_on(const struct page *page)
{
    return page->time->is_on;
}

/* Returns the link to the time of the tab with this session; it is NULL for an unknown tab. */
static struct virtual_time **find(struct page *page, const char *session_id)
{
    struct virtual_time **link = &page->time;
    while (*link && !((*link)->session_id && strcmp((*link)->session_id, session_id) == 0)) {
        link = &(*link)->next;
    }
    return link;
}

/*
 * What expires before the reply to the pending grant was granted earlier. Chrome then stops time,
 * and also reports grants during which it was stopped.
 */
bool virtual_time_on_event(struct page *page, const char *session_id, const char *method)
{
    if (strcmp(method, "Emulation.virtualTimeBudgetExpired") != 0) {
        return false;
    }
    struct virtual_time *time = *find(page, session_id);
    if (time) {
        time->has_expired |=
            time->phase == PHASE_GRANTED ? cdp_has_reply(page->client, time->id) : time->is_cut;
    }
    return true;
}

static bool send(struct page *page, enum phase phase, const char *method, json_t *params)
{
    struct br_error ignored;
    page->time->id = page_send(page, method, params, &ignored);
    page->time->phase = page->time->id >= 0 ? phase : PHASE_STANDS;
    return page->time->id >= 0;
}

/* Sends a grant of time. Without `budget`: the rest of the last grant. */
static bool let_pass(struct page *page, json_t *budget)
{
    struct virtual_time *time = page->time;
    time->has_expired = false;
    time->patience = deadline_in_ms(NETWORK_MS);
    return send(page, PHASE_GRANTED, policy_method,
                json_pack("{s:s, s:o*}", "policy",
                          time->is_impatient ? "advance" : "pauseIfNetworkFetchesPending", "budget",
                          budget));
}

static bool grant(struct page *page, double ms)
{
    page->time->granted_ms = ms;
    return let_pass(page, json_real(ms));
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

/* Stops a tab's time; a document of another process begins at the date reached. */
static void stop(struct page *page, const struct virtual_time *time)
{
    cdp_post(page->client, time->session_id, policy_method,
             json_pack("{s:s, s:f}", "policy", "pause", "initialVirtualTime",
                       (time->date_ms + time->passed_ms) / 1000));
}

/* Stops the time of the tabs that were opened meanwhile: those in this process share the grant. */
static void stop_opened(struct page *page)
{
    for (struct virtual_time *time = page->time; time; time = time->next) {
        if (time->is_to_stand) {
            time->is_to_stand = false;
            stop(page, time);
        }
    }
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
    if (phase == PHASE_GRANTED) {
        stop_opened(page);
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

/* A request that does not end, such as a stream, must not stop time for ever: ends the grant. */
static void go_on(struct page *page)
{
    struct virtual_time *time = page->time;
    page_log(page, BR_LOG_WARNING, "clock",
             "a request was pending for %d s: the page's time goes on without waiting for it, and "
             "pictures may differ",
             NETWORK_MS / 1000);
    time->is_impatient = true;
    page_post(page, policy_method, json_pack("{s:s}", "policy", "advance"));
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
        if (err->code != BR_TIMEOUT || !is_patient || !deadline_passed(time->patience)) {
            return false;
        }
        go_on(page);
    }
    return true;
}

/*
 * The reply to a pending command is no longer awaited; only a frame that Chrome draws is, for a
 * while: another page must not begin one meanwhile. resume() uses the rest of a grant.
 */
static void abandon(struct page *page)
{
    struct virtual_time *time = page->time;
    struct br_error ignored;
    if (time->phase == PHASE_DRAWS) {
        complete(page, deadline_in_ms(DRAW_MS), &ignored);
    }
    if (time->phase != PHASE_STANDS) {
        time->is_cut |= time->phase == PHASE_GRANTED;
        cdp_forget(page->client, time->id);
        time->phase = PHASE_STANDS;
        targets_end_frame(page->options.targets, page);
        stop_opened(page);
    }
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

/* Completes a grant that was stopped early, if the page is still in the same process. */
static bool uncut(struct page *page, struct br_error *err)
{
    struct virtual_time *time = page->time;
    json_auto_t *reply = NULL;
    if (!time->is_cut) {
        return true;
    }
    if (!page_command(page, policy_method, json_pack("{s:s}", "policy", "pause"), &reply, err)) {
        return false;
    }
    bool is_same = json_member_number(reply, "virtualTimeTicksBase", 0) == time->base_ms;
    time->is_cut = false;
    if (is_same && time->has_expired) {
        time->passed_ms += time->granted_ms;
    }
    return !is_same || time->has_expired || let_pass(page, NULL) || fail(page, err);
}

/* Completes a step that was ended early, with its frame. */
static bool resume(struct page *page, struct deadline deadline, struct br_error *err)
{
    bool was_granted = page->time->phase == PHASE_GRANTED || page->time->is_cut;
    return uncut(page, err) && complete(page, deadline, err) &&
           (!was_granted || draw_frame(page, deadline, err));
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
    if (page->time->is_on) {
        abandon(page);
        stop(page, page->time);
    }
}

void virtual_time_hold(struct page *page, bool is_held)
{
    struct br_error ignored;
    json_auto_t *reply = NULL;
    if (!page->time->is_on) {
        return;
    }
    page->time->is_held = is_held;
    CLEANUP_FREE char *source =
        xasprintf("requestAnimationFrame(\"%s\", %s)", page->time->key, is_held ? "true" : "false");
    if (page_command(page, add_script_method,
                     json_pack("{s:s, s:b}", "source", source, "runImmediately", 1), &reply,
                     &ignored)) {
        page_post(page, "Page.removeScriptToEvaluateOnNewDocument",
                  json_pack("{s:O*}", "identifier", json_object_get(reply, "identifier")));
    }
}

/*
 * Time begins at a whole millisecond: pages see times rounded to a tenth of one, up or down at a
 * random point between two of them, so that even a microsecond beyond one may show.
 */
static bool align(struct page *page, struct br_error *err)
{
    struct virtual_time *time = page->time;
    double rest_ms = ceil(time->base_ms) - time->base_ms;
    if (rest_ms < TICK_MS / 2) {
        return true;
    }
    time->granted_ms = rest_ms;
    /* Chrome cuts the number to whole microseconds. */
    return (let_pass(page, json_real(rest_ms + TICK_MS / 4)) || fail(page, err)) &&
           complete(page, page_deadline(page), err);
}

/* Returns the source of frames.js with a new key. Caller frees; NULL with an error. */
static char *make_script(struct virtual_time *time, struct br_error *err)
{
    uint64_t parts[2];
    if (getentropy(parts, sizeof(parts)) != 0) {
        error_set(err, BR_UNKNOWN_ERROR, "the system gives no random numbers");
        return NULL;
    }
    snprintf(time->key, sizeof(time->key), "%016" PRIx64 "%016" PRIx64, parts[0], parts[1]);
    return xasprintf("(%s)(\"%s\")", script_frames, time->key);
}

static bool watch_frames(struct page *page, struct br_error *err)
{
    CLEANUP_FREE char *source = *page->time->key ? NULL : make_script(page->time, err);
    return *page->time->key &&
           (!source || page_command(page, add_script_method,
                                    json_pack("{s:o}", "source", json_text(source)), NULL, err));
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

static const struct cdp_time moved = { .move = move, .pass = pass };

/* Adds the time of a tab behind that of the page. */
static struct virtual_time *add(struct page *page, const char *session_id)
{
    struct virtual_time *time = xcalloc(1, sizeof(*time));
    time->session_id = xstrdup(session_id);
    time->date_ms = FIRST_DATE_MS;
    time->next = page->time->next;
    page->time->next = time;
    return time;
}

void virtual_time_meet(struct page *page, const char *session_id)
{
    struct br_error ignored;
    if (!page->time->is_on) {
        return;
    }
    struct virtual_time *time = add(page, session_id);
    CLEANUP_FREE char *source = make_script(time, &ignored);
    time->is_to_stand = page->time->phase == PHASE_GRANTED;
    if (!time->is_to_stand) {
        stop(page, time);
    }
    if (source) {
        cdp_post(page->client, session_id, add_script_method,
                 json_pack("{s:o, s:b}", "source", json_text(source), "runImmediately", 1));
    }
}

/* Tabs in one process have the same time. */
static void share(const struct virtual_time *time, struct virtual_time *other)
{
    if (other != time && time->is_on && other->base_ms == time->base_ms) {
        other->passed_ms = time->passed_ms;
        other->date_ms = time->date_ms;
        other->is_cut = false;
    }
}

void virtual_time_leave_tab(struct page *page)
{
    struct br_error ignored;
    if (page->time->is_on && !navigation_is_under_way(page)) {
        resume(page, deadline_earlier(page_deadline(page), deadline_in_ms(LEAVE_MS)), &ignored);
    }
}

void virtual_time_enter_tab(struct page *page)
{
    virtual_time_stand(page);
    for (struct virtual_time *other = page->time->next; other; other = other->next) {
        share(page->time, other);
    }
    struct virtual_time **link = find(page, page_session(page));
    struct virtual_time *time = *link ? *link : add(page, page_session(page));
    link = *link ? link : &page->time->next;
    *link = time->next;
    time->next = page->time;
    time->documents = page_mark(page).documents;
    time->is_asked = false;
    page->time = time;
    cdp_client_set_time(page->client, time->is_on ? &moved : NULL);
}

/* A document that a page has opened in its own process is older than its tab's time. */
static bool find_birth(struct page *page, struct br_error *err)
{
    struct virtual_time *time = page->time;
    json_auto_t *age = NULL;
    /* Pages may replace their own performance.now(). */
    if (time->passed_ms > 0 &&
        !page_call_function(page, "function () { return performance.now(); }", json_object(), &age,
                            err)) {
        return false;
    }
    time->born_ms = time->passed_ms - json_number_value(age);
    return true;
}

bool virtual_time_begin(struct page *page, struct br_error *err)
{
    struct virtual_time *time = page->time;
    json_auto_t *reply = NULL;
    if (!page_command(
            page, policy_method,
            json_pack("{s:s, s:f}", "policy", "pause", "initialVirtualTime", FIRST_DATE_MS / 1000),
            &reply, err) ||
        !json_read(reply, policy_method, err, "{s:F}", "virtualTimeTicksBase", &time->base_ms)) {
        return false;
    }
    for (const struct virtual_time *other = time->next; other; other = other->next) {
        share(other, time);
    }
    if (!find_birth(page, err)) {
        return false;
    }
    time->is_on = true;
    time->is_to_stand = false;
    cdp_client_set_time(page->client, &moved);
    return (time->passed_ms > 0 || align(page, err)) && watch_frames(page, err) &&
           draw_frame(page, page_deadline(page), err);
}
