/*
 * Debug mode: each action leaves files in the session's own directory:
 * - 0002-click-20261122T050001.123Z-post.jpg: the picture of the response; the name has the
 *   action's id and the time of the picture;
 * - 0002-click-…-post-drawn.png: the same with marks of mouse positions and of what changed;
 * - log.ndjson: the actions' log entries, one per line;
 * - metadata.json: the settings and a record of each action, rewritten after each action so that it
 *   can be read at any time.
 * Secrets are masked as in the audit trail, except in pictures.
 */
#ifndef RUNNER_SESSION_DEBUG_H
#define RUNNER_SESSION_DEBUG_H

#include "runner/base/log.h"
#include "runner/page/page.h"
#include "runner/session/audit.h"

#include <browser_runner/session.h>

struct debug;
struct log_list;
struct page_trace;

/*
 * Creates a directory named by the current time in options->debug_dir, which is created if missing.
 * Returns NULL with INVALID_ACTION, which names the path. Caller closes.
 */
struct debug *debug_open(const struct br_session_options *options,
                         const struct br_browser_options *browser, struct br_error *err);
void debug_close(struct debug *debug); /* NULL is a no-op */

/* An action that has ended; all pointers are borrowed. */
struct debug_scene {
    const struct br_action *action;
    const struct log_list *logs;
    const struct secrets *secrets;  /* the session's */
    const struct page_trace *trace; /* NULL: the action did nothing to a page */
    bool is_new_document;           /* the document changed during the action: its picture shows
                                       another page */
    bool is_viewport;               /* the pictures show the viewport, as the coordinates assume */
};

/*
 * Writes the action's files and names them in the response. When a file cannot be written, still
 * writes the others and returns false with path and reason.
 */
bool debug_record(struct debug *debug, const struct debug_scene *scene,
                  struct br_response *response, struct br_error *err);

#endif
