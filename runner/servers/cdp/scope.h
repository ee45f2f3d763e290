/*
 * What a client of the endpoint may see and do: its browser contexts, and the methods that are
 * refused. Loop thread only.
 */
#ifndef RUNNER_SERVERS_CDP_SCOPE_H
#define RUNNER_SERVERS_CDP_SCOPE_H

#include "runner/base/policy.h"
#include "runner/cdp/raw_command.h"
#include "runner/cdp/relay.h"
#include "runner/servers/cdp/methods.h"

#include <jansson.h>
#include <stdbool.h>

struct scope;

/*
 * Ids of contexts that clients have created. The clients of the profile share a set: each sees the
 * others' contexts, and those that a former client has left, as at Chrome's own port.
 */
struct context_set;

struct context_set *context_set_create(void);
void context_set_destroy(struct context_set *set); /* NULL is fine */
bool context_set_has(const struct context_set *set, const char *context_id);

struct scope_options {
    const char *context_id; /* the default context; "": the profile's, whose id is unknown */
    bool is_profile;        /* the default context is the profile's */
    /* The other contexts that the client sees; borrowed. NULL: only those that it creates. */
    struct context_set *contexts;
    bool is_page; /* commands without a session are for a page */
    bool is_read_only;
    bool may_close;              /* Browser.close ends the browser */
    bool has_rules;              /* about hosts: they refuse new contexts without a way out */
    int way_out_port;            /* of the SOCKS server for new contexts; 0: none */
    const struct policy *policy; /* judges commands; NULL: no rules. Borrowed */
    /* Whether the target is hidden from the client. */
    bool (*is_hidden)(void *data, const char *target_id);
    /* Whether the client sees the target of a targetInfo. NULL: scope_sees() decides. */
    bool (*is_shown)(void *data, const json_t *target);
    void *data;
};

/* Copies context_id. */
struct scope *scope_create(const struct scope_options *options);
void scope_destroy(struct scope *scope); /* NULL is fine */

void scope_judge(struct scope *scope, const struct raw_command *command, struct cdp_ruling *ruling);

/* Notes contexts and windows of a reply, and removes what the client may not see. */
void scope_reply(struct scope *scope, int tag, json_t *reply);

/* Whether the target of a targetInfo is in one of the client's contexts. */
bool scope_sees(const struct scope *scope, const json_t *target);

/* Notes a session with the browser itself that the client has attached. */
void scope_add_browser_session(struct scope *scope, const char *session_id);

/* Whether the client has asked the browser to ignore certificate errors: holds for its own pages.
 */
bool scope_ignores_certificates(const struct scope *scope);

/* Whether the client has set where downloads of its default context go. */
bool scope_has_downloads(const struct scope *scope);

#endif
