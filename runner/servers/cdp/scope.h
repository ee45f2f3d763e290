/*
 * What a client of the endpoint may see and do: the browser contexts that are its own, and the
 * methods that are refused.
 */
#ifndef RUNNER_SERVERS_CDP_SCOPE_H
#define RUNNER_SERVERS_CDP_SCOPE_H

#include "runner/base/policy.h"
#include "runner/cdp/raw_command.h"
#include "runner/cdp/relay.h"

#include <jansson.h>
#include <stdbool.h>

struct scope;

/*
 * Contexts that clients have made, by Chrome's ids. Those of the profile share a set: each sees
 * what the others have made, and finds what one that has gone left, as at Chrome's own port. Any
 * thread.
 */
struct context_set;

struct context_set *context_set_create(void);
void context_set_destroy(struct context_set *set); /* NULL is fine */
bool context_set_has(const struct context_set *set, const char *context_id);

struct scope_options {
    const char *context_id; /* in which it is when it names none; "": the profile's, of no name */
    bool is_profile;        /* that is the profile's, and the browser has others beside it */
    /* The contexts that it knows beside that; borrowed. NULL: those alone that it makes. */
    struct context_set *contexts;
    bool is_page; /* commands without a session are of a page */
    bool is_read_only;
    bool may_close;              /* the browser */
    bool has_rules;              /* about hosts: without a way out it makes no contexts */
    int way_out_port;            /* by which new contexts leave; 0: as they like */
    const struct policy *policy; /* the rules for what it sends; NULL: none. Borrowed */
    /* Whether a target, known by its id, is not for this client. Any thread. */
    bool (*is_hidden)(void *data, const char *target_id);
    /* Whether the client sees a target, on the loop thread; NULL: as scope_sees() says. */
    bool (*is_shown)(void *data, const json_t *target);
    void *data;
};

/* Copies the text. */
struct scope *scope_create(const struct scope_options *options);
void scope_destroy(struct scope *scope); /* NULL is fine */

/* What replies to a command have to be seen by scope_reply(). */
enum scope_tag {
    SCOPE_TARGETS = 1, /* Target.getTargets */
    SCOPE_CONTEXTS,    /* Target.getBrowserContexts */
    SCOPE_NEW_CONTEXT, /* Target.createBrowserContext */
    SCOPE_OWN_CONTEXT, /* the same, of one that ends with the client */
    SCOPE_NEW_TARGET,  /* Target.createTarget */
    SCOPE_WINDOW,      /* Browser.getWindowForTarget */
    SCOPE_CLOSE,       /* Browser.close, which ends the client's view */
    SCOPE_LAST,        /* tags of the caller's own are above */
};

void scope_judge(struct scope *scope, const struct raw_command *command, struct cdp_ruling *ruling);

/* Takes what a reply with a tag says, and leaves out what the client may not see. */
void scope_reply(struct scope *scope, int tag, json_t *reply);

/* Whether a targetInfo is of one of its contexts. */
bool scope_sees(const struct scope *scope, const json_t *target);

/* A session that stands for the browser was attached through the client's own. */
void scope_add_browser_session(struct scope *scope, const char *session_id);

/* Whether it has said on a browser's session that certificates do not matter: for pages of its own.
 */
bool scope_ignores_certificates(const struct scope *scope);

/* Whether it has said where downloads of its default context go. */
bool scope_has_downloads(const struct scope *scope);

#endif
