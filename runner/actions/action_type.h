/*
 * An action type: its parameters, as rows and rules, and the function that runs it with the page's
 * flows. A file has one or a few types. Retries and recovery of the browser are up to the session.
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

/* The context of a running action; all pointers are borrowed. */
struct action_run {
    const struct br_action *action;
    struct page *page; /* for a type with reads_journal: NULL if no page responds */
    struct journal *journal;
    struct br_response *response; /* the action sets result, http_status and pictures */
    struct log_list *logs;
    struct snapshot_store *snapshots; /* the session's */
    const struct policy *policy;      /* the session's; NULL: everything is allowed */
    const char *unleft_url; /* the URL that the previous try was to open from a page that refused
                               to be left; a new page has replaced that one. NULL: no such try */
    const struct page_capture *picture; /* capture settings for pictures without parameters of
                                           their own */
    int64_t patience_ms;                /* how long this try may wait for its element */
};

/* What an action names in addition to its own parameters. */
enum action_names {
    NAMES_NOTHING,
    NAMES_ELEMENT_OR_NOTHING,
    NAMES_ELEMENT,
    NAMES_PLACE_OR_NOTHING, /* a place is an element or a point of the viewport */
    NAMES_PLACE,
};

struct action_type {
    const char *name;
    const char *text;           /* what it does, in sentences for people and models */
    const struct param *params; /* its own, without the shared ones */
    const struct rule *rules;   /* rules about its own parameters; NULL: none */
    enum action_names names;
    const char *word_kind; /* what the words of a person name first: "field", "combobox" or
                              "control"; NULL: an element with this text */
    bool is_rare;          /* omitted from the tools of models, except in the complete list */
    bool opens_page;       /* needs no page: one is opened for it */
    bool may_adopt;        /* needs no page if its `tab` is an open tab to adopt */
    bool leaves_page;      /* navigates away: a lost page need not be restored for it */
    bool closes_browser;
    bool reads_journal; /* reads what was recorded: does not touch the page, and works without
                           one */
    bool runs_steps;    /* runs other actions: see action_step() */
    bool is_capture;    /* makes the response's picture itself */
    bool answers_raw;   /* its result is page data that was asked for: nothing in it is masked */
    /* Validates what rows and rules cannot express. NULL: nothing. */
    bool (*validate)(const struct br_action *action, struct br_error *err);
    /* Runs the action; false with an error if it failed. NULL: the session implements it. */
    bool (*run)(struct action_run *run, struct br_error *err);
};

/*
 * All tables of its parameters and rules, its own and the shared ones; NULL for a table that it
 * does not have. Of rows with the same name the first one counts: action_type_param().
 */
enum { PARAM_TABLES = 5, RULE_TABLES = 5 };
struct action_tables {
    const struct param *params[PARAM_TABLES];
    const struct rule *rules[RULE_TABLES];
};
struct action_tables action_type_tables(const struct action_type *type);

/* Returns the row with this name, or NULL. */
const struct param *action_type_param(const struct action_type *type, const char *name);

/*
 * Returns whether it finds elements by `text`: it names elements, and has no other parameter
 * `text`.
 */
bool action_type_is_by_text(const struct action_type *type);

/*
 * Resolves a rule's list to rows: names separated by spaces; `@element` stands for each way to name
 * an element, `@own` for the type's own parameters. Returns the number, at most RULE_NAMES.
 */
enum { RULE_NAMES = 32 };
size_t action_type_names(const struct action_type *type, const char *list,
                         const struct param *ret_rows[RULE_NAMES]);

extern const struct action_type action_back, action_check, action_click, action_content,
    action_cookies, action_detect, action_diagnose, action_dialog, action_drag, action_emulate,
    action_evaluate, action_fill, action_focus, action_forward, action_highlight, action_hover,
    action_inspect, action_logs, action_navigate, action_network, action_pdf, action_press,
    action_reload, action_screenshot, action_scroll, action_select, action_snapshot, action_start,
    action_stop, action_storage, action_tab, action_type_text, action_upload, action_wait,
    action_wheel;

#endif
