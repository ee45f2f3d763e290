/*
 * Events about targets of which it is not known yet whether their client may see them, in order,
 * until that is known.
 */
#ifndef RUNNER_SERVERS_CDP_DELAYED_H
#define RUNNER_SERVERS_CDP_DELAYED_H

#include "runner/cdp/message.h"

#include <jansson.h>

struct delayed {
    struct delayed *next;
    char *target_id;
    char *method;
    char *parent; /* the session that it came on */
    json_t *params;
};

/* Adds to the end of a list. */
void delayed_add(struct delayed **list, const char *target_id, struct cdp_slice method,
                 struct cdp_slice parent, json_t *params);

/* The target whose attaching to this session is delayed; NULL: none's is. Borrowed. */
const char *delayed_target(const struct delayed *list, const char *session_id);
bool delayed_has(const struct delayed *list, const char *target_id);

void delayed_destroy(struct delayed *delayed);

/* The event as text, with its session or without. Caller frees. */
char *delayed_text(const struct delayed *delayed, bool has_session);

#endif
