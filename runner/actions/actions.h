/*
 * The actions: one file per type, one table of them. An action type says what it takes and runs
 * flows of the page; when to try again and what becomes of the browser is the session's business.
 */
#ifndef RUNNER_ACTIONS_ACTIONS_H
#define RUNNER_ACTIONS_ACTIONS_H

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
    NAMES_PLACE, /* an element or a place of the viewport; some take nothing, too */
};

struct action_type {
    const char *name;
    const struct param *params; /* beside the common ones */
    enum action_names names;
    bool opens_page;  /* needs no page: one is opened for it */
    bool leaves_page; /* goes elsewhere: a page that is lost need not come back for it */
    bool closes_browser;
    bool reads_journal; /* looks at what happened: the page is left alone, and need not be there */
    bool runs_steps;    /* runs other actions: see action_step() */
    bool is_capture;    /* makes the picture of the response itself */
    bool answers_raw;   /* its result is data of the page that was asked for: nothing is masked */
    /* Checks what a table cannot say. NULL: nothing. */
    bool (*validate)(const struct br_action *action, struct br_error *err);
    /* Does it. False with the error when it did not happen. NULL: the session does all of it. */
    bool (*run)(struct action_run *run, struct br_error *err);
};

/* NULL for an unknown name. */
const struct action_type *action_type_find(const char *name);

/*
 * Checks the type and all parameters, and brings their values into the types of the tables.
 * INVALID_ACTION with the place, the offending name and the nearest known one.
 */
bool action_validate(struct br_action *action, struct br_error *err);

/*
 * Whether the rules let an action through that is valid: POLICY_DENIED with the rule. What its
 * steps do is asked when they are run.
 */
bool action_check_policy(const struct br_action *action, const struct policy *policy,
                         struct br_error *err);

/* How long the action may take; `fallback` where it does not say. */
int64_t action_timeout_ms(const struct br_action *action, int64_t fallback);

/* Of an action that runs steps: how many there are. */
size_t action_step_count(const struct br_action *action);

/*
 * The action of one of them, validated; its position is that of the steps. NULL with
 * INVALID_ACTION. Caller frees.
 */
struct br_action *action_step(const struct br_action *action, size_t index, struct br_error *err);

/* For the files of this folder. */

/*
 * The target of the action, or of a part of it that was parsed like one; texts are borrowed from
 * it. STALE_NODE for a node that has gone. Patience from `timeout`, or TARGET_PATIENCE_MS. */
enum { TARGET_PATIENCE_MS = 5000 };
bool action_find_target(struct action_run *run, const struct br_action *action,
                        struct page_target *ret_target, struct br_error *err);

/* `position`: an offset in the target's element; the left button, once. */
struct page_click action_click_place(const struct br_action *action);

/* Values of `button`. */
extern const char *const button_choices[];

/* Values of `modifiers`, in the order of the protocol's bits; and the bits of those given. */
extern const char *const modifier_choices[];
int action_modifier_bits(const struct br_action *action);

/* What every action takes; ends with a row without a name. */
const struct param *action_common_params(void);

/* Whether the action names an element; one or a place. */
bool action_names_element(const struct br_action *action);
bool action_names_target(const struct br_action *action);

/* `validate` of actions of the mouse: a target has to be there, `position` is one in an element. */
bool action_check_place(const struct br_action *action, struct br_error *err);

/* Values of `waitUntil`, in the order of enum page_wait_until. */
extern const char *const wait_until_choices[];
#define PARAM_WAIT_UNTIL                                                                           \
    {                                                                                              \
        .name = "waitUntil", .kind = PARAM_CHOICE, .choices = wait_until_choices                   \
    }
enum page_wait_until action_wait_until(const struct br_action *action);

/* Puts the status into the response; from 400 on the log says so, with a hint. */
void action_report_status(struct action_run *run, int status);

/*
 * After input: waits for the navigation that it set off, and reports its status. As page_settle().
 */
bool action_settle(struct action_run *run, struct page_mark before, bool is_required,
                   struct br_error *err);

extern const struct action_type action_back, action_check, action_click, action_cookies,
    action_diagnose, action_dialog, action_drag, action_emulate, action_evaluate, action_focus,
    action_forward, action_hover, action_logs, action_navigate, action_network, action_press,
    action_reload, action_screenshot, action_scroll, action_select, action_snapshot, action_start,
    action_stop, action_storage, action_tab, action_type_text, action_upload, action_wait,
    action_wheel;

#endif
