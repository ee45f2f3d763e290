/* Reads the words behind `bridge URL`, such as `click stableId=save`, as a debug-bridge command. */
#ifndef RUNNER_CLI_BRIDGE_WORDS_H
#define RUNNER_CLI_BRIDGE_WORDS_H

#include "runner/base/error.h"

#include <jansson.h>

/*
 * words[0] is the type of the command; fields follow, NAME=VALUE.
 *
 * - Fields of the type itself (text of `type`, url of `navigate`) stay at the top level, as texts.
 * - stableId, selector, text and role belong to the target, if the type has one; they are texts.
 * - Any other field is an option; its value is parsed as JSON if it is valid, else it is a text.
 * - A dot separates levels: position.x=3 is options.position.x, target.text=Save the target's text.
 *
 * Repeats options of scroll and select at the top level, where older clients look for them.
 * INVALID_ACTION for an unknown type and for missing fields. Caller decrefs.
 */
json_t *bridge_words_read(size_t count, char *const *words, struct br_error *err);

/*
 * Adds the missing members of the envelope: version, session, time, origin, the app (NULL: none)
 * and a requestId made of `prefix` and `number`.
 */
void bridge_command_complete(json_t *command, const char *session_id, const char *app_id,
                             const char *prefix, unsigned number);

/* The type of message that a request_… command asks for: "ui_tree"; NULL for other commands. */
const char *bridge_words_answer(const char *type);

/* All types, separated by spaces. */
#define BRIDGE_TYPES                                                                               \
    "click type navigate evaluate scroll hover select focus request_ui_tree request_dom_snapshot " \
    "request_screenshot request_state"

#endif
