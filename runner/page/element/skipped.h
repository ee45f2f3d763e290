/* Content skipped by `content-visibility: auto`: Chrome renders it only near the viewport. */
#ifndef RUNNER_PAGE_ELEMENT_SKIPPED_H
#define RUNNER_PAGE_ELEMENT_SKIPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct page;

/* An element that skips its content in a closed shadow root, which scripts cannot reach. */
struct skipped_node {
    const char *frame_id;
    int64_t backend_id;
};

/*
 * Lays out skipped content in all frames, so that a DOM snapshot taken next has its text and boxes.
 * The page cannot detect it. Returns false if nothing is skipped, or no frame replied.
 */
bool skipped_lay_out(struct page *page, const struct skipped_node *closed, size_t count);

/*
 * Renders skipped content in all frames in its real size until skipped_end(), except in closed
 * shadow roots. Returns false if everything is already rendered; there is then nothing to end.
 */
bool skipped_show(struct page *page);
void skipped_end(struct page *page);

#endif
