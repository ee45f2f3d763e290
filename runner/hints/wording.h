/*
 * Settings in the wording of a front end. Messages and hints name a setting of a browser or a
 * session by a common name, as in "use ⟨temp-profile⟩"; this module replaces it by the reader's
 * option or member. Code that fails does not know its reader, and a session's answers have many
 * encoders: the names are replaced where a session, a server or a command hands a text out.
 */
#ifndef RUNNER_HINTS_WORDING_H
#define RUNNER_HINTS_WORDING_H

#include <browser_runner/browser.h>
#include <browser_runner/event.h>

void wording_error(enum br_wording wording, struct br_error *err);
void wording_log(enum br_wording wording, struct br_log *log);
void wording_event(enum br_wording wording, struct br_event *event);

/* Replaces the names in a text that the caller owns; NULL stays NULL. */
void wording_text(enum br_wording wording, char **text);

#endif
