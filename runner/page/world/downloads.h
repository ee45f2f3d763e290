/*
 * Files that the page's browser downloads: refused, or saved under their own names. For the files
 * of this folder; what others use is in page.h.
 */
#ifndef RUNNER_PAGE_WORLD_DOWNLOADS_H
#define RUNNER_PAGE_WORLD_DOWNLOADS_H

#include "runner/page/core/state.h"

/* Says to the browser what becomes of downloads. */
bool downloads_begin(struct page *page, struct br_error *err);

/* Applies an event of the browser about downloads; false for any other. */
bool downloads_on_event(struct page *page, const char *method, json_t *params);

#endif
