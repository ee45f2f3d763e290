/*
 * A session: a guest of a browser, with a page of its own. The first action that needs the browser
 * starts it. When browser or page die, the next action brings them back where they were. After too
 * many failures the page is closed, and all later actions are LIMIT_EXCEEDED until the next
 * `start`. A session belongs to one thread at a time, except br_session_cancel() and
 * br_session_interrupt().
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

/* When pictures are taken around an action. */
enum br_screenshots {
    BR_SCREENSHOTS_BOTH,     /* before, when a page is open already, and after */
    BR_SCREENSHOTS_POST,     /* after */
    BR_SCREENSHOTS_NONE,     /* never; a `screenshot` action still has its own picture */
    BR_SCREENSHOTS_EXPLICIT, /* as NONE, whatever an action says */
};

/* Below the working directory, for the files of debug mode. */
#define BR_DEBUG_DIR "browser-runner-debug"

/* Everything has a default: start from BR_SESSION_OPTIONS_INIT. Strings are copied. */
struct br_session_options {
    const char *session_id; /* in all that it says; NULL: one is made up */
    bool isolated;          /* each `start` begins without cookies, storage and cache, keeps none */
    const char *context;    /* shares these with the sessions that name the same, beside the
                               profile; NULL: the profile's own */
    const char *tab;    /* works in this tab, which is open already, and leaves it open: its id, or
                           its URL, with * for any text, or a part of it. NULL: in a new tab */
    int idle_detach_ms; /* without an action for so long it leaves an adopted tab alone, until the
                           next one: Chrome tells of no debugger then; 0: never */
    const char *downloads; /* directory for what pages download, made if need be; NULL: refused */
    const char *preset;    /* "iphone", "ci", …: a device that pages believe in; NULL: none */
    int viewport_width, viewport_height; /* CSS pixels; 0: the preset's, else 1280 by 720 */
    double device_pixel_ratio;           /* 0: the preset's, else 1 */
    bool whole_pages; /* pictures will show more than the viewport: drawn as a whole at once */
    int timeout_ms;   /* of an action that gives none */
    enum br_screenshots screenshots;
    struct br_image_limits limits; /* of every picture that does not say otherwise */
    int quality;                   /* of JPEG, 1 to 100 */
    int max_consecutive_errors;    /* failed actions in a row; 0: any number */
    int total_error_threshold;     /* failed actions in all; 0: any number */
    enum br_show_actions show_actions;
    bool debug;             /* each action leaves its pictures and what was done */
    const char *debug_dir;  /* where; NULL: BR_DEBUG_DIR, made by the first action that needs it */
    bool keeps_headers;     /* network events have headers and what was sent; see docs/privacy.md */
    const char *log_filter; /* JSON as an action's `logFilter`, for actions without; NULL: none */
    const char *retry;      /* JSON as an action's `retryOptions`, likewise */
    enum br_network_filter network_filter; /* for actions without one of their own */
    size_t journal_bytes;                  /* of the newest events, which are kept; 0: 4 MB */
    struct br_policy policy; /* what may be opened, asked for, run and touched; all, unless said */
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
 * A session in this browser, which is closed after it. Returns NULL only for options that cannot be
 * used. Caller ends it with br_session_close().
 */
BR_API struct br_session *br_session_open(struct br_browser *browser,
                                          const struct br_session_options *options,
                                          struct br_error *err);

/*
 * Runs one action to its end and says what happened; never NULL, a failure is in the response.
 * Caller frees with br_response_destroy().
 */
BR_API struct br_response *br_session_run(struct br_session *session,
                                          const struct br_action *action);

/*
 * The response to what could not be run, such as a text that br_action_from_json() does not take:
 * numbered and audited as those of br_session_run(), but no failure of the session's. `type` is
 * what it was to be, such as "click"; NULL: that is not known. Caller frees.
 */
BR_API struct br_response *br_session_refuse(struct br_session *session, const char *type,
                                             const struct br_error *why);

/*
 * As poll(2), and looks after the page meanwhile: its dialogs and the requests that wait for us get
 * their answers at once, not at the next action. At most 8 descriptors; NULL only polls.
 */
BR_API int br_session_poll(struct br_session *session, struct pollfd *fds, size_t count,
                           int timeout_ms);

/*
 * From now on the sink is told of each event, on the thread that uses the session: while an action
 * runs, and in br_session_poll(), within 50 ms there. Copied. Returns a number for
 * br_session_unsubscribe(); 0 with LIMIT_EXCEEDED when there are too many.
 */
BR_API int br_session_subscribe(struct br_session *session, const struct br_sink *sink,
                                struct br_error *err);
BR_API void br_session_unsubscribe(struct br_session *session, int number);

/* The newest events of a session. */
struct br_journal {
    const struct br_event **events; /* in order; until br_journal_finish(), unless they are held */
    size_t count;
    uint64_t next; /* for the next call: what follows them */
    uint64_t lost; /* events behind `since` that are not kept any more */
    bool has_more; /* behind these: ask again, with `next` */
};

/*
 * Reads the events behind `since`, which is the `next` of an earlier call, or 0 for all that are
 * kept (journal_bytes of the options). `kinds` selects them by bits as in br_sink, 0: all; at most
 * `limit`, 0: 1000. On any thread, also while an action runs, until the session is closed. The
 * caller finishes *ret_journal.
 */
BR_API void br_session_journal(struct br_session *session, uint64_t since, size_t limit,
                               unsigned kinds, struct br_journal *ret_journal);
BR_API void br_journal_finish(struct br_journal *journal);

enum br_session_state {
    BR_SESSION_IDLE,
    BR_SESSION_RUNNING,     /* an action runs */
    BR_SESSION_CANCELLED,   /* one runs that was cancelled and comes to its end */
    BR_SESSION_INTERRUPTED, /* by br_session_interrupt(): it runs nothing any more */
};

struct br_session_status {
    enum br_session_state state;
    bool has_page;        /* one is open, also one that does not answer */
    uint64_t action_id;   /* of the newest action that has begun; 0: none yet */
    char action_type[32]; /* and its type; "" without one */
    int64_t action_at_ms; /* when it began, or ended: since 1970 */
    uint64_t sequence;    /* of the newest event; 0: none yet */
    uint64_t generation;  /* which life of the browser that was in; 0: none yet */
};

/* What the session does just now. On any thread, until it is closed. */
BR_API void br_session_get_status(struct br_session *session, struct br_session_status *ret_status);

/*
 * Name and version of the browser, such as "Chrome/156.0.8078.79"; NULL while there is no page.
 * Borrowed until the next call on the session.
 */
BR_API const char *br_session_browser(struct br_session *session);

/*
 * Ends the action that runs, and no other, with CANCELLED: soon, with nothing left pressed, no
 * script of it running and no page on its way. The session goes on with the next action. True means
 * that its answer is CANCELLED; false, that no action runs, or that its answer is decided already.
 * May be called from any thread.
 */
BR_API bool br_session_cancel(struct br_session *session);

/* Ends the action that runs, and all later ones, with CANCELLED. May be called from any thread. */
BR_API void br_session_interrupt(struct br_session *session);

/*
 * Closes the session's tabs, with the last session the browser, too, unless that is to stay, and
 * frees everything. NULL is fine.
 */
BR_API void br_session_close(struct br_session *session);

#ifdef __cplusplus
}
#endif

#endif
