/*
 * Local storage of all origins that the session's pages have been at, whatever is open now. For the
 * files of this folder; what actions use is in page.h.
 */
#ifndef RUNNER_PAGE_WORLD_ORIGINS_H
#define RUNNER_PAGE_WORLD_ORIGINS_H

#include "runner/page/core/state.h"

/* Remembers the origin of a frame, as Page.frameNavigated describes it. */
void origins_note(struct page *page, const json_t *frame);

/* Answers a request of the tab that origins_session_id is the session of. */
void origins_answer(struct page *page, const json_t *paused);

#endif
