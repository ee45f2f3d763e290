/* BROP's parameters as actions of ours. Nothing here runs anything. */
#ifndef RUNNER_SERVERS_BROP_TRANSLATE_H
#define RUNNER_SERVERS_BROP_TRANSLATE_H

#include "runner/base/error.h"

#include <jansson.h>

/*
 * The action that a command of this name is, as a JSON instruction; NULL with INVALID_ACTION. For
 * click, type, wait_for_element, evaluate_js, get_screenshot, get_simplified_dom and navigate.
 * Caller decrefs.
 */
json_t *brop_action(const char *method, const json_t *params, struct br_error *err);

/*
 * Adds the parameters that name the element of a selector. `TAG:contains("TEXT")`, which is no
 * CSS, becomes a role and a name, or a text. False with INVALID_ACTION.
 */
bool brop_add_element(const json_t *params, json_t *action, struct br_error *err);

/* Whether a page at this URL is one of the browser's own, which commands do not look into. */
bool brop_url_is_closed(const char *url);

/* A URL as a person writes it: a bare host gets https://, or http:// on this machine. Caller
 * frees. */
char *brop_whole_url(const char *url);

/* Whether execute_console may run the code; INVALID_ACTION if not. */
bool brop_console_is_safe(const char *code, struct br_error *err);

/* What `console.log(LITERALS)` logs, which the caller frees; NULL: the code is no such call. */
char *brop_console_text(const char *code);

#endif
