/* Dropping files on an area of the page. */
#ifndef RUNNER_PAGE_ELEMENT_DROP_H
#define RUNNER_PAGE_ELEMENT_DROP_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;
struct page_target;

/*
 * Drops files (an array of absolute paths) on an element, as from a file manager. TARGET_DISABLED
 * if the page does not accept them there; other errors as for page_hover().
 */
bool drop_files(struct page *page, const struct page_target *target, const json_t *paths,
                struct br_error *err);

#endif
