/* The words behind `bridge URL` as a command of debug-bridge: click stableId=save, scroll y=200. */
#ifndef RUNNER_CLI_BRIDGE_WORDS_H
#define RUNNER_CLI_BRIDGE_WORDS_H

#include "runner/base/error.h"

#include <jansson.h>

/*
 * words[0] is the type of a command; behind it stand fields, NAME=VALUE.
 *
 * - What the type has itself (the text of type, the url of navigate) stays there, and is a text.
 * - stableId, selector, text and role are of the target, where the type has one; they are texts.
 * - Everything else is an option; a value that is JSON is taken as that, any other as a text.
 * - A dot leads further down: position.x=3 is options.position.x, target.text=Save the target's.
 *
 * Options of scroll and select stand at the top level, too, where older clients look for them.
 * INVALID_ACTION for an unknown type and for what a type lacks. Caller decrefs.
 */
json_t *bridge_words_read(size_t count, char *const *words, struct br_error *err);

/*
 * Adds what a command lacks of its envelope: version, session, time, origin, the app (NULL: none)
 * and a requestId of `prefix` and `number`.
 */
void bridge_command_complete(json_t *command, const char *session_id, const char *app_id,
                             const char *prefix, unsigned number);

/* The type of the message that a request_… asks for: "ui_tree"; NULL for other commands. */
const char *bridge_words_answer(const char *type);

/* The types, a blank between two. */
#define BRIDGE_TYPES                                                                               \
    "click type navigate evaluate scroll hover select focus request_ui_tree request_dom_snapshot " \
    "request_screenshot request_state"

#endif
