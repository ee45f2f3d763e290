/*
 * Files that the browser downloads for the page: refused, or saved under their own names. For the
 * files of this folder; the public functions are in page.h.
 */
#ifndef RUNNER_PAGE_WORLD_DOWNLOADS_H
#define RUNNER_PAGE_WORLD_DOWNLOADS_H

#include "runner/base/clock.h"

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct br_response;
struct page;

/* Configures the browser's handling of downloads. */
bool downloads_begin(struct page *page, struct br_error *err);

/* Handles an event of the browser about downloads; false for other events. */
bool downloads_on_event(struct page *page, const char *method, json_t *params);

/*
 * Waits for the end of downloads that began since the last page_take_downloads(). Returns false if
 * there was nothing to wait for.
 */
bool downloads_wait(struct page *page, struct deadline deadline);

/* Adds their progress to the response; finished ones are reported once. */
void page_take_downloads(struct page *page, struct br_response *response);

/*
 * Call when the browser has ended: marks unfinished downloads as ended and removes their partial
 * files.
 */
void page_downloads_abandon(const char *directory, json_t *list);

void downloads_init(struct page *page);
void downloads_finish(struct page *page);

#endif
