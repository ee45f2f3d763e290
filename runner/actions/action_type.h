/*
 * What an action type is: what it takes, as rows and rules, and the flows of the page that do it.
 * One file has one or a few of them; when to try again and what becomes of the browser is the
 * session's business.
 */
#ifndef RUNNER_ACTIONS_ACTION_TYPE_H
#define RUNNER_ACTIONS_ACTION_TYPE_H

#include "runner/actions/params.h"
#include "runner/base/log.h"
#include "runner/base/policy.h"
#include "runner/observe/journal.h"
#include "runner/page/core/navigate.h"
#include "runner/page/core/navigation.h"
#include "runner/page/element/input.h"
#include "runner/snapshot/store.h"

struct page;
struct page_capture;
struct page_target;

/* What an action works with while it runs; all borrowed. */
struct action_run {
    const struct br_action *action;
    struct page *page; /* of one that reads_journal: NULL where there is none that answers */
    struct journal *journal;
    struct br_response *response; /* takes result, httpStatus, the picture */
    struct log_list *logs;
    struct snapshot_store *snapshots; /* of the session */
    const struct policy *policy;      /* of the session; NULL: everything is allowed */
    const char *unleft_url; /* where the try before was to go from a page that did not let itself
                               be left; a new page has taken its place. NULL: there was none */
    const struct page_capture *picture; /* how pictures are made when the action says nothing */
    int64_t patience_ms;                /* of this try, at most, for its element */
};

/* What an action names beside its own parameters. */
enum action_names {
    NAMES_NOTHING,
    NAMES_ELEMENT_OR_NOTHING,
    NAMES_ELEMENT,
    NAMES_PLACE_OR_NOTHING, /* a place: an element, or a point of the viewport */
    NAMES_PLACE,
};

struct action_type {
    const char *name;
    const char *text;           /* what it does: sentences for people and models */
    const struct param *params; /* beside those that it shares with others */
    const struct rule *rules;   /* of them; NULL: none */
    enum action_names names;
    bool is_rare;     /* models are not told of it, unless they are told of all */
    bool opens_page;  /* needs no page: one is opened for it */
    bool may_adopt;   /* likewise, where its `tab` is one of somebody else's browser */
    bool leaves_page; /* goes elsewhere: a page that is lost need not come back for it */
    bool closes_browser;
    bool reads_journal; /* looks at what happened: the page is left alone, and need not be there */
    bool runs_steps;    /* runs other actions: see action_step() */
    bool is_capture;    /* makes the picture of the response itself */
    bool answers_raw;   /* its result is data of the page that was asked for: nothing is masked */
    /* Checks what rows and rules cannot say. NULL: nothing. */
    bool (*validate)(const struct br_action *action, struct br_error *err);
    /* Does it. False with the error when it did not happen. NULL: the session does all of it. */
    bool (*run)(struct action_run *run, struct br_error *err);
};

/*
 * The tables of all its parameters and of all rules about them, those it shares with others among
 * them; NULL in the place of one that it does not have. A row counts where it is the first of its
 * name: action_type_param().
 */
enum { PARAM_TABLES = 5, RULE_TABLES = 5 };
struct action_tables {
    const struct param *params[PARAM_TABLES];
    const struct rule *rules[RULE_TABLES];
};
struct action_tables action_type_tables(const struct action_type *type);

/* The row of this name, or NULL. */
const struct param *action_type_param(const struct action_type *type, const char *name);

/* Whether it finds elements by their text: it names some, and has no other `text`. */
bool action_type_is_by_text(const struct action_type *type);

/*
 * The rows that a list of a rule names: names with a space between them, `@element` for each way to
 * name an element, `@own` for the parameters of the type itself. Returns how many there are, at
 * most RULE_NAMES.
 */
enum { RULE_NAMES = 32 };
size_t action_type_names(const struct action_type *type, const char *list,
                         const struct param *ret_rows[RULE_NAMES]);

extern const struct action_type action_back, action_check, action_click, action_content,
    action_cookies, action_detect, action_diagnose, action_dialog, action_drag, action_emulate,
    action_evaluate, action_fill, action_focus, action_forward, action_highlight, action_hover,
    action_inspect, action_logs, action_navigate, action_network, action_press, action_reload,
    action_screenshot, action_scroll, action_select, action_snapshot, action_start, action_stop,
    action_storage, action_tab, action_type_text, action_upload, action_wait, action_wheel;

#endif
