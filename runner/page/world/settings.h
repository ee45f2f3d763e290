/* What the page is made to believe; for the files of this folder. The rest is in page.h. */
#ifndef RUNNER_PAGE_WORLD_SETTINGS_H
#define RUNNER_PAGE_WORLD_SETTINGS_H

#include "runner/page/core/state.h"

/* Tells a process that joins the page, a frame's or a worker's. Without waiting. */
void settings_tell(struct page *page, const char *session_id);

/*
 * Tells Chrome, in a session to the page's tab, of the size and the touch screen: once more where a
 * capture may have changed them.
 */
bool settings_restore_screen(struct page *page, const char *session_id, struct br_error *err);

#endif
