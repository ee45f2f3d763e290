/* The tabs that a page's session has open, one of which is the page; for the files of this folder.
 */
#ifndef RUNNER_PAGE_CORE_TABS_H
#define RUNNER_PAGE_CORE_TABS_H

#include "runner/page/core/state.h"

/* Opens a tab at about:blank and listens to it: from now on it is the page. */
bool tabs_open(struct page *page, struct br_error *err);

/* Keeps a tab that a page opened. */
void tabs_add_opened(struct page *page, const char *target_id, const char *session_id,
                     const char *opener_id, const char *url);

/* To be called for each event of a tab that is not the page. */
void tabs_on_event(struct page *page, const char *session_id, const char *method,
                   const json_t *params);

/* When the page has gone elsewhere: what it opened and left empty at about:blank is closed. */
void tabs_close_blank(struct page *page);

bool tabs_has_target(const struct page *page, const char *target_id);

/* Whether the session is that of a tab other than the page. */
bool tabs_has_session(const struct page *page, const char *session_id);

/* See whole.h: of the tab that is the page. */
bool tabs_is_whole(const struct page *page);
void tabs_set_whole(struct page *page);

/* A session ended: true if it was the page's own. */
bool tabs_on_detached(struct page *page, const char *session_id);

/* Closes all tabs, without waiting, and frees what is known of them. */
void tabs_finish(struct page *page);

#endif
