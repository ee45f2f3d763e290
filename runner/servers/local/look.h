/* What a session's page shows, or what changed on it since the last look, as text for models. */
#ifndef RUNNER_SERVERS_LOCAL_LOOK_H
#define RUNNER_SERVERS_LOCAL_LOOK_H

#include "runner/base/strbuf.h"

#include <jansson.h>

enum { LOOK_TOKENS = 1000 };

/*
 * Runs a `snapshot` action, of which it takes ownership, and returns its text; NULL if there is
 * none. Caller frees.
 */
typedef char *look_snapshot(void *data, json_t *action);

/*
 * Adds what changed since the last look at the same document; for another document, or for large
 * changes, the page, within LOOK_TOKENS. Returns whether it added the page.
 */
bool look_add(look_snapshot *snapshot, void *data, struct strbuf *text);

#endif
