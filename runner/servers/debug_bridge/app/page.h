/* What a driven app reads from its page: by scripts/watch.js, and the page's own state. */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_PAGE_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_PAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct app_identity;
struct br_error;
struct page;

/* Calls watch.js; takes ownership of its argument. Fails with its error. Caller decrefs. */
bool app_page_ask(struct page *page, json_t *argument, json_t **ret_answer, struct br_error *err);

/*
 * Reads window.__debugBridgeState. *ret_scopes is an object of scopes, and *ret_text its JSON. Both
 * are NULL if the text equals `known`, or JSON cannot express the state. The caller frees the text
 * and decrefs.
 */
bool app_page_state(struct page *page, const char *known, char **ret_text, json_t **ret_scopes,
                    struct br_error *err);

/* Evaluates an expression; returns { type, subtype?, className?, description? }. Caller decrefs. */
bool app_page_describe_value(struct page *page, const char *expression, json_t **ret_value,
                             struct br_error *err);

/* An array of messages for a batch of mutations. Caller decrefs. */
enum { APP_MAX_MUTATIONS = 500 }; /* in a message */
json_t *app_mutation_messages(const struct app_identity *identity, const char *batch_id,
                              const json_t *mutations);

/* Builds a state_update with the changes since `before` (NULL for the first). Caller decrefs. */
json_t *app_state_message(const struct app_identity *identity, const char *scope, json_t *before,
                          json_t *state);

#endif
