/* Translates BROP's parameters into actions, without running them. */
#ifndef RUNNER_SERVERS_BROP_TRANSLATE_H
#define RUNNER_SERVERS_BROP_TRANSLATE_H

#include "runner/base/error.h"

#include <jansson.h>

/*
 * Returns the JSON instruction for a command of this name; NULL with INVALID_ACTION. For click,
 * type, wait_for_element, evaluate_js, get_screenshot, get_simplified_dom and navigate. Caller
 * decrefs.
 */
json_t *brop_action(const char *method, const json_t *params, struct br_error *err);

/*
 * Adds the parameters that identify the element of a selector. `TAG:contains("TEXT")`, which is not
 * CSS, becomes a role and a name, or a text. False with INVALID_ACTION.
 */
bool brop_add_element(const json_t *params, json_t *action, struct br_error *err);

/* Whether the URL is one of the browser's own pages, which commands may not access. */
bool brop_url_is_closed(const char *url);

/* Adds the scheme that is missing: https://, or http:// for this machine. Caller frees. */
char *brop_whole_url(const char *url);

/* Whether execute_console may run the code; otherwise false with INVALID_ACTION. */
bool brop_console_is_safe(const char *code, struct br_error *err);

/* Returns what `console.log(LITERALS)` logs; NULL: the code is not such a call. Caller frees. */
char *brop_console_text(const char *code);

#endif
