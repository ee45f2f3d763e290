/*
 * A page: one tab and its main frame. Flows are straight-line code over CDP; none of them tries
 * again or decides about the browser. Every wait ends at the client's deadline at the latest.
 */
#ifndef RUNNER_PAGE_PAGE_H
#define RUNNER_PAGE_PAGE_H

#include "runner/base/log.h"
#include "runner/base/policy.h"
#include "runner/cdp/connection.h"
#include "runner/cdp/targets.h"
#include "runner/privacy/secrets.h"

#include <browser_runner/action.h>
#include <browser_runner/image.h>

#include <jansson.h>

struct page;

/*
 * What on a page has a role: an object with an array for each frame's id, of objects { id: the
 * DOM's (backendNodeId), name } in document order. The caller decrefs.
 */
typedef bool page_role_reader(struct page *page, const char *role, json_t **ret_found,
                              struct br_error *err);

struct page_options {
    int viewport_width, viewport_height; /* CSS pixels */
    double device_pixel_ratio;
    bool keeps_headers;      /* of requests, and what they sent, in network events */
    const json_t *settings;  /* what it begins with, see page_set(); borrowed until page_open() */
    json_t *origins;         /* of the page before, see page_origins(); NULL: none */
    const char *downloads;   /* an absolute directory; NULL: downloads are refused. Outlives it. */
    json_t *download_list;   /* object: those that are not told yet, of all pages; NULL: its own */
    const char *context_id;  /* of the browser context of its tabs; NULL: the profile's. Borrowed
                                until page_create() returns, as is `tab` */
    struct targets *targets; /* whose tabs the browser has. Outlives it */
    const char *tab;         /* opens none, but adopts this one, see page_adopt_tab(); NULL: none */
    bool is_foreign;         /* the browser is somebody else's: so are tabs that nobody owns */
    bool drops_externals;    /* of links to other programs the browser opens none and asks nobody */
    enum br_show_actions shows_actions; /* in the page, for those who watch */
    bool draws_whole; /* pictures will show what is outside of the viewport: see whole.h */

    page_role_reader *read_role; /* NULL: nothing is found by its role */
    struct stream *stream;       /* is told of what happens. Outlives it. NULL: nobody is */
    const struct policy *policy; /* what it may ask for. Outlives it. NULL: everything */
    struct secrets *secrets; /* takes what is typed into private fields. Outlives it. NULL: none */
};

/* A page that is not open yet: it can be interrupted already. The connection outlives it. */
struct page *page_create(struct cdp_connection *connection, const struct page_options *options);

/*
 * Opens a new tab at about:blank with the viewport set, or adopts options.tab, with all recorders
 * running; once, and before any other flow. The deadline is the page's from now on.
 */
bool page_open(struct page *page, struct deadline deadline, struct br_error *err);

/* Closes its tabs, without waiting for it, but for those it has adopted, and frees. NULL is fine.
 */
void page_close(struct page *page);

/* Where logs go from now on; NULL is nowhere. Borrowed. */
void page_set_logs(struct page *page, struct log_list *logs);

/* No wait of the page's goes beyond this. */
void page_set_deadline(struct page *page, struct deadline deadline);
struct deadline page_deadline(const struct page *page);

/* Ends the wait that goes on and all later ones. From any thread. */
void page_interrupt(struct page *page);

/* The same with CANCELLED, until page_resume(): there can be waited again. */
void page_cancel(struct page *page);
void page_resume(struct page *page);

/* Makes this eventfd readable when there is something to catch up with; -1: none. */
void page_watch(struct page *page, int fd);

/* Takes in the events that came while nobody waited, such as dialogs. */
void page_catch_up(struct page *page);

/* Whether its browser and its process live, as far as events told. */
bool page_is_alive(struct page *page);

/* The same, with the reason why an action cannot even begin. */
bool page_check_alive(struct page *page, struct br_error *err);

/*
 * Whether input (the press of a button, a key, text) or a script of the user's may have reached the
 * page since page_reset_acted(): what was done so far must not be done again unasked.
 */
bool page_has_acted(const struct page *page);
void page_reset_acted(struct page *page);

/* Whether the page's scripts run: asks for a sign of life and waits so long for it. */
bool page_answers(struct page *page, int64_t ms);

/*
 * Whether the browser is there: asks it for a sign of life and waits so long for it. Its end is
 * noticed by that.
 */
bool page_ping_browser(struct page *page, int64_t ms);

/* When the page's scripts last gave a sign of life, on the monotonic clock; 0: never. */
int64_t page_answered_at_ms(const struct page *page);

/* Ends the process of a page that is stuck. It is not alive any more. */
void page_crash(struct page *page);

/* The browser's name and version, such as "Chrome/156.0.8078.79"; NULL with the error. Borrowed. */
const char *page_browser(struct page *page, struct br_error *err);

/* Where the main frame is, as far as events told; NULL: nowhere yet. Borrowed. */
const char *page_url(const struct page *page);

/* Whether it is still at the blank page that a tab begins with. */
bool page_has_been_nowhere(const struct page *page);

/* The id of its tab; NULL before it is open. Borrowed. */
const char *page_target_id(const struct page *page);

/* Closes another tab, without waiting for it. */
void page_close_target(struct page *page, const char *target_id);

/*
 * Fills url, title, network events and metrics of the response, and gathers what page_backup_take()
 * takes. What a page that does not answer by the deadline would have said is left out.
 */
void page_describe(struct page *page, struct deadline deadline, struct br_response *response);

/* The width and height of the viewport, CSS pixels. */
void page_viewport(const struct page *page, double *ret_width, double *ret_height);

/* Waits without doing anything else, as an action's definition asks for. */
bool page_pause(struct page *page, int64_t ms, struct br_error *err);

/* tabs.c: the tabs that the session has open, by numbers from 1; one of them is the page. */

/* Another tab at about:blank, which is the page from now on. */
bool page_open_tab(struct page *page, struct br_error *err);

/*
 * A tab that is open already is the page from now on, as it is, and stays open in the end. It is
 * known by Chrome's id of the target, or by its URL: with * for any text, or a part of it.
 * TARGET_NOT_FOUND when there is none, or another session has it, TARGET_AMBIGUOUS when there are
 * several.
 */
bool page_adopt_tab(struct page *page, const char *tab, struct br_error *err);

/* Whether the page was adopted. */
bool page_is_adopted(const struct page *page);

/* Makes a tab the page. TARGET_NOT_FOUND when there is none of this number. */
bool page_activate_tab(struct page *page, int number, struct br_error *err);

/* Closes a tab; 0: the one that is the page. Then its opener is the page, or the newest tab. */
bool page_close_tab(struct page *page, int number, struct br_error *err);

/* How many there are, as far as events told. */
size_t page_count_tabs(const struct page *page);

/* An array of { id, url, title, active }, the caller's to decref; NULL with the error. */
json_t *page_list_tabs(struct page *page, struct br_error *err);

/*
 * After the tab that was the page has closed itself: its opener, or the newest one, is the page.
 * False when that is not what happened.
 */
bool page_leave_closed_tab(struct page *page, struct br_error *err);

/* navigate.c */

enum page_wait_until {
    PAGE_LOAD, /* the load event */
    PAGE_DOM_CONTENT_LOADED,
    PAGE_NETWORK_IDLE_0, /* load, and no request under way for 500 ms */
    PAGE_NETWORK_IDLE_2, /* load, and at most two requests under way for 500 ms */
};

/*
 * Goes to an absolute URL. *ret_status is the document's HTTP status, 0 when it has none. A page
 * that was not reached is NAVIGATION_FAILED; one with an HTTP error status was reached.
 */
bool page_navigate(struct page *page, const char *url, enum page_wait_until until, int *ret_status,
                   struct br_error *err);

/* One step in the history, -1 or 1. INVALID_ACTION where there is none. */
bool page_go(struct page *page, int step, enum page_wait_until until, int *ret_status,
             struct br_error *err);

bool page_reload(struct page *page, enum page_wait_until until, int *ret_status,
                 struct br_error *err);

/*
 * Where one of these three was to go when it failed since the page's scripts, which have no end,
 * did not let it be left: PAGE_CRASHED, the page was ended. NULL: that did not happen.
 */
const char *page_unleft_url(const struct page *page);

/* Waits until no request is under way for 500 ms. */
bool page_wait_network_idle(struct page *page, size_t allowed, struct br_error *err);

/* Where the page stands in its navigations: taken before input, for page_settle(). */
struct page_mark {
    unsigned documents; /* new documents so far */
    unsigned fragments; /* changes of the URL within a document so far */
    unsigned refusals;  /* documents that the session's rules refused so far */
    unsigned notices;   /* dialogs, downloads and tabs that it opened so far */
};

struct page_mark page_mark(const struct page *page);

/*
 * After input: if it has set a navigation off since `before`, waits for its load. With is_required
 * one has to come and to succeed, otherwise its failure is only logged. *ret_status as above.
 */
bool page_settle(struct page *page, struct page_mark before, bool is_required, int *ret_status,
                 struct br_error *err);

/* evaluate.c, frame_call.c */

/*
 * Runs a script in the page, or in the frame of it that this names (as page_target does; NULL:
 * none). *ret_value is its JSON value (null for undefined, and for a promise that is not waited
 * for), the caller's to decref. What is no script by itself may await, return or be an object in
 * braces. EVAL_ERROR for what it throws, and for a value that JSON cannot hold.
 */
bool page_evaluate(struct page *page, const char *frame, const char *expression, bool await_promise,
                   json_t **ret_value, struct br_error *err);

/* Whether the value of an expression is true in the sense of JavaScript; a promise is awaited. */
bool page_is_true(struct page *page, const char *expression, bool *ret_is_true,
                  struct br_error *err);

/*
 * Calls a function of ours (its source text) in a world that the page cannot tamper with. Takes
 * ownership of argument, which becomes its only argument.
 */
bool page_call_function(struct page *page, const char *function, json_t *argument,
                        json_t **ret_value, struct br_error *err);

/* target.c, input.c, keyboard.c, typing.c */

/* An element that a snapshot has shown. */
struct page_node {
    const char *frame_id, *loader_id; /* the document that it was in; see page_frame_loader() */
    int64_t backend_id;               /* 0: it is none */
    char label[24];                   /* for messages: "node e12" */
};

/* How an action names an element or a place; exactly one way is used. */
struct page_target {
    struct page_node node; /* STALE_NODE when it is not there any more */
    const char *selector;  /* CSS, pierces open shadow roots */
    const char *test_id;   /* of data-testid, data-test-id, data-test or data-cy */
    const char *text;      /* a part of what the innermost element says; `*` is any text */
    const char *role;      /* ARIA role, as a snapshot has it */
    const char *name;      /* with role: a part of the accessible name; NULL: any */
    const json_t *targets; /* selectors or texts (strings): the first that shows; NULL: a place */
    const char *frame;     /* looks in this frame only: its name, its element's selector, or its
                              URL (a part with a `/`, or a glob); NULL: in all */
    bool ignores_no_ai;    /* also what data-no-ai keeps from models; otherwise POLICY_DENIED */
    int nth;               /* which of several matches, from 0; -1: there must be one only */
    double x_min, x_max, y_min, y_max; /* a place in the viewport, CSS pixels */
    int64_t patience_ms;               /* how long the element may take to appear and to be ready */
};

/* Whether it names an element; otherwise a place. */
bool page_target_is_element(const struct page_target *target);

/*
 * node.c: who the element of a target is, once it is there. Texts of *ret_node are borrowed until
 * the page is used again.
 */
bool page_locate_node(struct page *page, const struct page_target *target,
                      struct page_node *ret_node, struct br_error *err);

/* A rectangle of the document, CSS pixels. */
struct page_box {
    double x, y, width, height;
};

struct page_click {
    bool has_offset;    /* clicks at x, y from the element's corner instead of its middle */
    double x, y;        /* CSS pixels */
    const char *button; /* "left", "right", "middle" */
    int count;          /* 2 is a double click */
    int modifiers;      /* bits of the protocol: 1 Alt, 2 Control, 4 Meta, 8 Shift */
};

/*
 * Clicks with trusted input events: on an element, or in the middle of the place. An element is
 * scrolled into view, has to stand still, be enabled and receive the hit; otherwise
 * TARGET_NOT_FOUND, TARGET_AMBIGUOUS, TARGET_NOT_VISIBLE, TARGET_DISABLED or TARGET_OBSCURED,
 * whichever stayed true to the end of the patience.
 */
bool page_click(struct page *page, const struct page_target *target,
                const struct page_click *options, struct br_error *err);

struct page_wheel {
    double delta_x, delta_y; /* CSS pixels */
    int modifiers;           /* as in struct page_click */
};

/*
 * wheel.c: turns the wheel where page_hover() moves the mouse. TARGET_DISABLED when nothing was
 * scrolled by it and the page did not take it. *ret_result, { handled, scrolled }, is the caller's
 * to decref; it may stay NULL.
 */
bool page_wheel(struct page *page, const struct page_target *target, const struct page_click *place,
                const struct page_wheel *wheel, json_t **ret_result, struct br_error *err);

/* How a click is verified by what the page looks like. */
struct page_verify {
    double threshold; /* the fraction of all pixels that has to change; 0: any change */
    uint32_t seed;    /* of the points that are chosen at random */
};

enum { PAGE_VERIFY_TRIES = 3 };

/* What the verification of a click saw. */
struct page_verdict {
    enum {
        PAGE_NO_CHANGE, /* nothing, or too little */
        PAGE_REPAINTED, /* pixels have changed */
        PAGE_NAVIGATED, /* the page is another one, or about to be */
        PAGE_NOTICED,   /* a dialog, a download or a new tab came */
    } outcome;
    int tries; /* clicks */
    struct {
        double x, y;
    } points[PAGE_VERIFY_TRIES];
    uint32_t seed;
    double threshold;
    double fraction;         /* of all pixels: what the last click changed */
    struct page_box changed; /* around it */
    double left_out;         /* the part of the viewport that moves by itself, 0 to 1 */
};

/*
 * As page_click(), and sees to it that the page changes by it: clicks up to PAGE_VERIFY_TRIES
 * times, in the middle first, then at random points of the element or place. NO_VISUAL_CHANGE when
 * it stays as it was. What moves by itself, the caret, and what the mouse alone changes does not
 * count. Fills the page's trace.
 */
bool page_click_verified(struct page *page, const struct page_target *target,
                         const struct page_click *options, const struct page_verify *verify,
                         struct br_error *err);

/* Where the mouse was used, for those who draw it; CSS pixels of the viewport. */
struct page_trace {
    bool has_point, has_area, is_verified;
    double x, y;
    struct page_box area; /* the range, or the element's box */
    double scale;         /* of the element's frame in the page */
    unsigned documents;   /* as in struct page_mark, when the mouse was moved */
    struct page_verdict verdict;
};

/* Since page_reset_acted(). Borrowed. */
const struct page_trace *page_trace(const struct page *page);

/*
 * press.c: what the presses since page_reset_acted() came to, { events, x, y, element, elsewhere },
 * as in docs/schema; the caller's to decref. NULL: nothing was pressed.
 */
json_t *page_delivered(const struct page *page);

/* How far to scroll. */
struct page_scroll {
    bool is_into_view; /* the element itself comes into view; x and y do not matter */
    bool is_delta;     /* by x and y, otherwise to x and y */
    double x, y;       /* CSS pixels */
};

/* What came of it. Of what came into view, `moved` alone is known. */
struct page_scrolled {
    double moved;   /* how far it went, CSS pixels of both axes together */
    double x, y;    /* where it is now */
    bool is_at_end; /* of one of the ways that were asked for */
    bool is_stuck;  /* it cannot be scrolled at all, in none of these ways */
    char name[300]; /* of what was scrolled */
};

/* Scrolls the target's content; without a selector the window, or what scrolls in its place. */
bool page_scroll(struct page *page, const struct page_target *target,
                 const struct page_scroll *options, struct page_scrolled *ret_scrolled,
                 struct br_error *err);

/* Moves the mouse to where page_click() would click, and leaves it there. */
bool page_hover(struct page *page, const struct page_target *target,
                const struct page_click *options, struct br_error *err);

/*
 * Drags from one target to the other, each an element or a place with an offset, in so many steps:
 * with the browser's own drag and drop where the page begins that, otherwise with the mouse alone.
 * TARGET_DISABLED when nothing takes the drop, TARGET_OBSCURED when something else does.
 * *ret_result is where it ended, { x, y, receiver, source }, the caller's to decref; it may stay
 * NULL.
 */
bool page_drag(struct page *page, const struct page_target *source,
               const struct page_click *source_place, const struct page_target *target,
               const struct page_click *target_place, int steps, json_t **ret_result,
               struct br_error *err);

/* Gives an element the focus. With is_editable it has to take text; with is_cleared it is emptied.
 */
bool page_focus(struct page *page, const struct page_target *target, bool is_editable,
                bool is_cleared, struct br_error *err);

/*
 * Types text into what has the focus, key by key, with delay_ms between keys. Long text without a
 * delay is inserted by the line. UNKNOWN_ERROR when a field has not changed by it.
 */
bool page_type(struct page *page, const char *text, int64_t delay_ms, struct br_error *err);

/* Whether what has the focus holds no text; otherwise UNKNOWN_ERROR. */
bool page_check_empty(struct page *page, struct br_error *err);

/* Presses a key such as "Enter" or "Control+Shift+ArrowLeft". INVALID_ACTION if there is none. */
bool page_press(struct page *page, const char *keys, struct br_error *err);

/* Whether page_press() knows the keys. */
bool page_key_is_known(const char *keys);

/* form.c */

/* Options of a list. */
struct page_choice {
    const char
        *by; /* "value", "label" or "index" (from 0); NULL: the target is the option itself */
    json_t *wanted; /* array of them; borrowed */
};

/*
 * Chooses an option of a <select>, of a multiple one exactly those that are wanted, with the events
 * of a user's choice. UNKNOWN_ERROR when the page undoes it. *ret_selected is an array of
 * { index, value, label } of what is chosen then, the caller's to decref; NULL: that is not known.
 */
bool page_select(struct page *page, const struct page_target *target,
                 const struct page_choice *choice, json_t **ret_selected, struct br_error *err);

/* Brings a checkbox, radio button or switch into this state, by a click if it is not in it yet. */
bool page_check(struct page *page, const struct page_target *target, bool is_checked,
                struct br_error *err);

/*
 * Gives files (an array of absolute paths) to a field for files, which may be hidden; without an
 * element to the one that a file chooser is open for. On any other element they are dropped. A
 * field for a directory takes that, and with is_directory it has to be one.
 */
bool page_upload(struct page *page, const struct page_target *target, const json_t *paths,
                 bool is_directory, struct br_error *err);

/* cookies.c: those of the browser, as objects of Storage.getCookies. */

/* *ret_cookies is an array, the caller's to decref. */
bool page_get_cookies(struct page *page, json_t **ret_cookies, struct br_error *err);

/* All or none. A cookie may have a `url` in the place of its domain. */
bool page_set_cookies(struct page *page, const json_t *cookies, struct br_error *err);

/* Without waiting. */
void page_delete_cookie(struct page *page, const json_t *cookie);
bool page_clear_cookies(struct page *page, struct br_error *err);

/* What an action does with the storage of the page's origin. */
struct page_storage {
    const char *op;    /* "get", "set", "clear" */
    const char *area;  /* "local", "session" */
    const char *name;  /* NULL: all of it */
    const char *value; /* to set */
};

/* *ret_value is what "get" gives, a text or an object of texts, the caller's to decref. */
bool page_use_storage(struct page *page, const struct page_storage *use, json_t **ret_value,
                      struct br_error *err);

/* origins.c */

/* The origins whose documents were seen so far, for the next page of a session. Borrowed. */
json_t *page_origins(const struct page *page);

/*
 * The local storage of these origins, [{origin, localStorage: [{name, value}]}], the caller's to
 * decref; empty ones are left out.
 */
bool page_get_origins(struct page *page, json_t **ret_origins, struct br_error *err);

/* Puts such a list in the place of what these origins hold. It was checked. */
bool page_set_origins(struct page *page, const json_t *origins, struct br_error *err);

/* downloads.c */

/* Waits for the end of those that began since they were last taken. */
void page_wait_downloads(struct page *page, struct deadline deadline);

/* Tells how far they are; those that have ended are told once. */
void page_take_downloads(struct page *page, struct br_response *response);

/* The browser has ended: these do not go on, and the beginnings of their files are removed. */
void page_downloads_abandon(const char *directory, json_t *list);

/* settings.c */

/*
 * What the page is made to believe of its device and its surroundings, by name: viewport, touch,
 * userAgent, locale, timezone, geolocation, media, colorScheme, reducedMotion, network, offline,
 * cpuThrottle, headers (object of texts), credentials {username, password, origin}, route (array of
 * {url, method, resourceTypes, action, status, headers, contentType, base64}); and dialog: {accept,
 * promptText}, how the dialogs to come are answered. The value was checked. A preset's userAgent is
 * {text, platform, metadata}, its text with "${major}" for the browser's version. INVALID_ACTION
 * for what Chrome refuses, such as an unknown time zone.
 */
bool page_set(struct page *page, const char *name, json_t *value, struct br_error *err);

/*
 * All of an object's members that are settings, in the order in which they have to be set, and at
 * once: those behind one that Chrome refuses hold, too. The first that is refused is the error.
 */
bool page_set_all(struct page *page, const json_t *settings, struct br_error *err);

/* All settings of a page that this one takes the place of. */
void page_set_again(struct page *page, const json_t *settings);

/* wait.c */

enum page_element_state {
    PAGE_VISIBLE,
    PAGE_HIDDEN, /* not there, or not visible */
    PAGE_ATTACHED,
    PAGE_DETACHED,
};

bool page_wait_element(struct page *page, const struct page_target *target,
                       enum page_element_state state, struct br_error *err);
bool page_wait_text(struct page *page, const char *text, struct br_error *err);

/* pattern: a glob with *, or a part of the URL when it has none. */
bool page_wait_url(struct page *page, const char *pattern, struct br_error *err);
bool page_wait_expression(struct page *page, const char *expression, struct br_error *err);

/* capture.c */

enum { PAGE_MAX_SHOTS = 10 };

/* How the page is prepared for a picture, and put back after it; see docs/pictures.md. */
struct page_stable {
    bool is_frozen; /* nothing moves, and pictures are taken until two in a row are equal */
    int shots;      /* at most so many of them, 1 to PAGE_MAX_SHOTS; 1: it is not compared */
    /* Arrays of selectors that page_check_selectors() has seen, of what is made invisible, is taken
     * away, is painted over; NULL: nothing. */
    json_t *hide, *remove, *mask;
    json_t *result; /* with is_frozen what came of it; NULL before. The caller decrefs. */
};

/* Whether all are CSS selectors: INVALID_ACTION names the first that is none. */
bool page_check_selectors(struct page *page, json_t *selectors, struct br_error *err);

enum page_format {
    PAGE_JPEG,
    PAGE_PNG,
    PAGE_WEBP, /* encoded by Chrome; with neither max_bytes nor stable */
};

struct page_capture {
    bool is_full_page;                /* the whole document instead of the viewport */
    const struct page_target *target; /* this element; NULL: none */
    const struct page_box *clip;      /* this rectangle of the document; NULL: none */
    enum page_format format;
    int quality; /* of JPEG and WebP, 1 to 100 */
    struct br_image_limits limits;
    int64_t max_bytes;          /* of the file; 0: any number */
    struct page_stable *stable; /* NULL: the page as it is */
    bool shows_withheld;        /* also what data-no-ai marks, which is painted over else */
    bool describes;             /* it is the last of an action: page_describe() follows */
};

/* Device pixels. Beyond, Chrome repeats tiles or leaves them blank. */
enum { PAGE_MAX_HEIGHT = 16000 };

/*
 * Takes a picture; the viewport and the scroll position stay as they are. The caller finishes
 * *ret_capture. What is higher than PAGE_MAX_HEIGHT is cut there, with a warning in the logs. One
 * that cannot be made to fit max_bytes has no bytes, with a warning, too.
 */
bool page_capture(struct page *page, const struct page_capture *options,
                  struct br_capture *ret_capture, struct br_error *err);

/* Of a page that is higher, only the upper ones are made, with a warning in the logs. */
enum { PAGE_MAX_TILES = 50 };

/*
 * The same as slices from the top, each as high as the viewport, which overlap a little; the whole
 * page when the options name no part of it. Limits hold for each. The caller finishes the pictures
 * and frees *ret_tiles.
 */
bool page_capture_tiles(struct page *page, const struct page_capture *options,
                        struct br_tile **ret_tiles, size_t *ret_count, struct br_error *err);

/* The viewport as pixels, for comparing. The caller finishes *ret_image. */
bool page_capture_pixels(struct page *page, struct br_image *ret_image, struct br_error *err);

/* look.c */

/* How long a picture may serve as one of the page as it is now. */
enum { PAGE_LOOK_MS = 100 };

/* Keeps a copy of a picture of the viewport that has just been made with these options. */
void page_keep_look(struct page *page, const struct page_capture *options,
                    const struct br_capture *capture);

/*
 * That picture once more, if it was made so, came within the last PAGE_LOOK_MS, and no navigation,
 * dialog, download or new tab was heard of since. What the page did by itself is not in it. The
 * caller finishes *ret_capture.
 */
bool page_take_look(struct page *page, const struct page_capture *options,
                    struct br_capture *ret_capture);

/* To be called before anything is done to the page: the picture does not show that. */
void page_forget_look(struct page *page);

#endif
