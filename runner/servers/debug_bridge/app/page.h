/* What a driven app asks its page for: by scripts/watch.js, and of the page's own state. */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_PAGE_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_PAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct app_identity;
struct br_error;
struct page;

/* Calls watch.js; takes ownership of its argument. What it refuses is the error. Caller decrefs. */
bool app_page_ask(struct page *page, json_t *argument, json_t **ret_answer, struct br_error *err);

/*
 * window.__debugBridgeState: *ret_scopes is an object of scopes, empty where the page has none; it
 * is {} too, and *ret_text NULL, for what JSON cannot hold. NULL where it is `known`, its text
 * before. The caller frees *ret_text and decrefs.
 */
bool app_page_state(struct page *page, const char *known, char **ret_text, json_t **ret_scopes,
                    struct br_error *err);

/* Of an evaluation by reference: { type, subtype?, className?, description? }. Caller decrefs. */
bool app_page_describe_value(struct page *page, const char *expression, json_t **ret_value,
                             struct br_error *err);

/* The messages of a batch of mutations, an array. Caller decrefs. */
enum { APP_MAX_MUTATIONS = 500 }; /* of a message */
json_t *app_mutation_messages(const struct app_identity *identity, const char *batch_id,
                              const json_t *mutations);

/* A state_update, with what has changed since `before` (NULL: nothing was told). Caller decrefs. */
json_t *app_state_message(const struct app_identity *identity, const char *scope, json_t *before,
                          json_t *state);

#endif
