/*
 * Debug mode: each action leaves files in a directory of the session's own:
 *   0002-click-20261122T050001.123Z-post.jpg    the picture as the answer has it, by the action's
 * id and the time of the picture 0002-click-…-post-drawn.png                 the same, with where
 * the mouse was used and what changed drawn in log.ndjson                                  the logs
 * of the actions, an entry a line metadata.json                               the settings, and
 * what each action did; written whole after each, so that it can always be read Secrets are masked
 * as in the audit trail; what the pictures show is not.
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
 * Makes a directory, named by the present time, in options->debug_dir, which is made if need be.
 * NULL with INVALID_ACTION, which names the path. Caller closes.
 */
struct debug *debug_open(const struct br_session_options *options,
                         const struct br_browser_options *browser, struct br_error *err);
void debug_close(struct debug *debug); /* NULL is fine */

/* An action that has ended; all borrowed. */
struct debug_scene {
    const struct br_action *action;
    const struct log_list *logs;
    const struct secrets *secrets;  /* of the session */
    const struct page_trace *trace; /* NULL: it did nothing to a page */
    bool is_new_document;           /* since then: the picture after it shows another page */
    bool is_viewport;               /* its pictures show the viewport, as coordinates do */
};

/*
 * Writes the action's files and names them in the response. False with a path and a reason when
 * something could not be written; all else is.
 */
bool debug_record(struct debug *debug, const struct debug_scene *scene,
                  struct br_response *response, struct br_error *err);

#endif
