/*
 * The options of a browser and of a session as JSON, with which a client asks a server to open
 * them: {"browser": {"profile": "/…"}, "session": {"timeoutMs": 15000}}. Omitted members have their
 * defaults.
 */
#ifndef RUNNER_SESSIONS_SETTINGS_H
#define RUNNER_SESSIONS_SETTINGS_H

#include <browser_runner/session.h>
#include <jansson.h>

struct settings {
    struct br_browser_options browser; /* texts are borrowed from the JSON */
    struct br_session_options session;
    bool is_blank;         /* begins with an empty page */
    const char **lists[4]; /* owned: the arrays for lists of texts */
    size_t list_count;
};

/* Returns the settings that differ from the defaults. Caller decrefs. */
json_t *settings_write(const struct br_browser_options *browser,
                       const struct br_session_options *session);

/*
 * INVALID_ACTION names a member that is unknown or of the wrong kind. Finish the settings in any
 * case; the JSON (NULL: none) must outlive them.
 */
bool settings_read(const json_t *root, struct settings *ret_settings, struct br_error *err);
void settings_finish(struct settings *settings);

#endif
