/*
 * Files that the page's browser downloads: refused, or saved under their own names. For the files
 * of this folder; what others use is in page.h.
 */
#ifndef RUNNER_PAGE_WORLD_DOWNLOADS_H
#define RUNNER_PAGE_WORLD_DOWNLOADS_H

#include "runner/base/clock.h"

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct br_response;
struct page;

/* Says to the browser what becomes of downloads. */
bool downloads_begin(struct page *page, struct br_error *err);

/* Applies an event of the browser about downloads; false for any other. */
bool downloads_on_event(struct page *page, const char *method, json_t *params);

/* Waits for the end of those that began since they were last taken. */
void page_wait_downloads(struct page *page, struct deadline deadline);

/* Tells how far they are; those that have ended are told once. */
void page_take_downloads(struct page *page, struct br_response *response);

/* The browser has ended: these do not go on, and the beginnings of their files are removed. */
void page_downloads_abandon(const char *directory, json_t *list);

void downloads_init(struct page *page);
void downloads_finish(struct page *page);

#endif
