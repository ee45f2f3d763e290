/*
 * The options of a browser and of a session as JSON, by which a client tells a server what to open:
 * {"browser": {"profile": "/…"}, "session": {"timeoutMs": 15000}}. What is left out has its
 * default.
 */
#ifndef RUNNER_SESSIONS_SETTINGS_H
#define RUNNER_SESSIONS_SETTINGS_H

#include <browser_runner/session.h>
#include <jansson.h>

struct settings {
    struct br_browser_options browser; /* texts are borrowed from the JSON */
    struct br_session_options session;
    bool is_blank;         /* it begins with an empty page */
    const char **lists[4]; /* owned: what the lists of texts are */
    size_t list_count;
};

/* The settings that differ from the defaults. Caller decrefs. */
json_t *settings_write(const struct br_browser_options *browser,
                       const struct br_session_options *session);

/*
 * INVALID_ACTION names a member that is not known, or is of the wrong kind. Finish it in any case;
 * the JSON, NULL for none, is to live as long.
 */
bool settings_read(const json_t *root, struct settings *ret_settings, struct br_error *err);
void settings_finish(struct settings *settings);

#endif
