/*
 * A session: a page in a browser, and the actions on it. The first action that needs the browser
 * starts it. When the browser or the page dies, the next action restores the page where it was.
 * After too many failures the page is closed, and actions fail with LIMIT_EXCEEDED until the next
 * `start`. A session belongs to one thread at a time; only functions that say so may be called from
 * other threads.
 */
#ifndef BROWSER_RUNNER_SESSION_H
#define BROWSER_RUNNER_SESSION_H

#include <browser_runner/action.h>
#include <browser_runner/browser.h>
#include <browser_runner/event.h>
#include <browser_runner/image.h>
#include <browser_runner/policy.h>
#include <browser_runner/response.h>
#include <poll.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which pictures are taken around an action. */
enum br_screenshots {
    BR_SCREENSHOTS_BOTH,     /* before, if a page is already open, and after */
    BR_SCREENSHOTS_POST,     /* after */
    BR_SCREENSHOTS_NONE,     /* none, except the picture of a `screenshot` action */
    BR_SCREENSHOTS_EXPLICIT, /* as NONE, and actions cannot ask for more */
};

/* Default directory for debug files, relative to the working directory. */
#define BR_DEBUG_DIR "browser-runner-debug"

/* Every field has a default: start from BR_SESSION_OPTIONS_INIT. Strings are copied. */
struct br_session_options {
    const char *session_id; /* reported in responses, events and the audit trail; NULL: generated */
    bool isolated;          /* each `start` begins without cookies, storage and cache, and
                               nothing is kept */
    const char *context;    /* shares cookies, storage and cache with the sessions that name the
                               same context, separate from the profile; NULL: uses the profile's */
    const char *tab;        /* adopts this open tab and leaves it open at the end: its id, its URL
                               with `*` for any text, or a part of its URL; NULL: a new tab */
    int idle_detach_ms;     /* detaches from an adopted tab after this time without an action, until
                               the next action, so that Chrome shows no debugger banner; 0: never */
    const char *downloads;  /* directory for downloads, created if missing; NULL: downloads are
                               refused */
    const char *preset;     /* device to emulate: "iphone", "ci", …; NULL: none */
    int viewport_width, viewport_height; /* CSS pixels; 0: from the preset, or 1280 by 720 */
    double device_pixel_ratio;           /* 0: from the preset, or 1 */
    bool whole_pages; /* hint that pictures will show more than the viewport: the page is then
                         rendered whole from the start */
    int timeout_ms;   /* for actions without a timeout of their own */
    enum br_screenshots screenshots;
    struct br_image_limits limits; /* for pictures without limits of their own */
    int quality;                   /* of JPEG, 1 to 100 */
    int max_consecutive_errors;    /* limit of failed actions in a row; 0: unlimited */
    int total_error_threshold;     /* limit of failed actions in total; 0: unlimited */
    enum br_show_actions show_actions;
    bool debug;             /* debug mode: write each action's pictures and metadata to files */
    const char *debug_dir;  /* directory of these files; NULL: BR_DEBUG_DIR, created by the first
                               action that needs it */
    bool keeps_headers;     /* network events include headers and request bodies; see
                               docs/privacy.md */
    const char *log_filter; /* JSON of a `logFilter` for actions without one; NULL: none */
    const char *retry;      /* JSON of `retryOptions` for actions without them; NULL: none */
    enum br_network_filter network_filter; /* for actions without one */
    size_t journal_bytes;                  /* size of the journal of recent events; 0: 4 MB */
    struct br_policy policy; /* what may be opened, requested, run and touched; default:
                                everything */
    const char *audit;       /* file to which one JSON line per action is appended; NULL: none */
};

#ifdef __cplusplus
static inline br_session_options br_session_options_init()
{
    br_session_options options = br_session_options();
    br_image_limits limits = BR_IMAGE_LIMITS_INIT;
    options.timeout_ms = 15000;
    options.limits = limits;
    options.quality = 25;
    options.max_consecutive_errors = 3;
    options.total_error_threshold = 10;
    return options;
}
#define BR_SESSION_OPTIONS_INIT br_session_options_init()
#else
#define BR_SESSION_OPTIONS_INIT                                                                    \
    {                                                                                              \
        .timeout_ms = 15000, .limits = BR_IMAGE_LIMITS_INIT, .quality = 25,                        \
        .max_consecutive_errors = 3, .total_error_threshold = 10                                   \
    }
#endif

struct br_session;

/*
 * Creates a session in the browser; close it before the browser. Returns NULL only for invalid
 * options. Caller ends it with br_session_close().
 */
BR_API struct br_session *br_session_open(struct br_browser *browser,
                                          const struct br_session_options *options,
                                          struct br_error *err);

/*
 * Runs one action to its end. Never returns NULL: a failure is reported in the response. Caller
 * frees with br_response_destroy().
 */
BR_API struct br_response *br_session_run(struct br_session *session,
                                          const struct br_action *action);

/*
 * Returns a response for an input that could not be run, such as a text that br_action_from_json()
 * rejected. It is numbered and audited like those of br_session_run(), but does not count as a
 * failure of the session. `type` is the intended type, such as "click"; NULL: unknown. Caller
 * frees.
 */
BR_API struct br_response *br_session_refuse(struct br_session *session, const char *type,
                                             const struct br_error *why);

/*
 * Like poll(2), but also serves the page meanwhile: dialogs and intercepted requests are answered
 * at once instead of at the next action. At most 8 descriptors; fds may be NULL if count is 0.
 */
BR_API int br_session_poll(struct br_session *session, struct pollfd *fds, size_t count,
                           int timeout_ms);

/*
 * Subscribes the sink to the session's events. They are delivered on the thread that uses the
 * session: while an action runs, and in br_session_poll() within 50 ms. The sink is copied. Returns
 * a number for br_session_unsubscribe(); 0 with LIMIT_EXCEEDED when there are too many sinks.
 */
BR_API int br_session_subscribe(struct br_session *session, const struct br_sink *sink,
                                struct br_error *err);
BR_API void br_session_unsubscribe(struct br_session *session, int number);

/* Some of a session's recent events. */
struct br_journal {
    const struct br_event **events; /* in order; valid until br_journal_finish() unless held with
                                       br_event_hold() */
    size_t count;
    uint64_t next; /* pass as `since` to read the events after these */
    uint64_t lost; /* number of events after `since` that were already dropped */
    bool has_more; /* more events follow: call again with `next` */
};

/*
 * Reads the events after `since`: the `next` of an earlier call, or 0 for all that the journal
 * holds (see journal_bytes). `kinds` is a bit mask as in br_sink, 0: all. At most `limit` events,
 * 0: 1000. May be called from any thread, also while an action runs, until the session is closed.
 * Caller finishes *ret_journal.
 */
BR_API void br_session_journal(struct br_session *session, uint64_t since, size_t limit,
                               unsigned kinds, struct br_journal *ret_journal);
BR_API void br_journal_finish(struct br_journal *journal);

enum br_session_state {
    BR_SESSION_IDLE,
    BR_SESSION_RUNNING,     /* an action is running */
    BR_SESSION_CANCELLED,   /* an action is running that was cancelled and will end soon */
    BR_SESSION_INTERRUPTED, /* br_session_interrupt() was called: no more actions are run */
};

struct br_session_status {
    enum br_session_state state;
    bool has_page;        /* a page is open, even if it does not respond */
    uint64_t action_id;   /* newest action that has begun; 0: none yet */
    char action_type[32]; /* its type; "" if none */
    int64_t action_at_ms; /* when it began or ended, since 1970 */
    uint64_t sequence;    /* number of the newest event; 0: none yet */
    uint64_t generation;  /* number of the browser's start at that event; 0: not started yet */
};

/* Reads the current state. May be called from any thread until the session is closed. */
BR_API void br_session_get_status(struct br_session *session, struct br_session_status *ret_status);

/*
 * Returns the browser's name and version, such as "Chrome/156.0.8078.79"; NULL without a page.
 * Borrowed until the next call on the session.
 */
BR_API const char *br_session_browser(struct br_session *session);

/*
 * Ends the running action with CANCELLED, and no other. The action ends soon: no button or key
 * stays pressed, no script of it keeps running, no navigation of it goes on. The session continues
 * with the next action. Returns true if the response will be CANCELLED; false if no action is
 * running or its result is already decided. May be called from any thread.
 */
BR_API bool br_session_cancel(struct br_session *session);

/*
 * Like br_session_cancel(), but ends only the action whose response has this id: false if another
 * action or none is running. May be called from any thread.
 */
BR_API bool br_session_cancel_action(struct br_session *session, uint64_t action_id);

/* Ends the running action and all later ones with CANCELLED. May be called from any thread. */
BR_API void br_session_interrupt(struct br_session *session);

/*
 * Closes the session's tabs and frees the session. Closing the last session also ends the browser,
 * unless br_browser_options.stays is set. NULL is a no-op.
 */
BR_API void br_session_close(struct br_session *session);

#ifdef __cplusplus
}
#endif

#endif
