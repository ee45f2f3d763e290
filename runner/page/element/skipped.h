/* What `content-visibility: auto` skips: Chrome draws it only near the viewport. */
#ifndef RUNNER_PAGE_ELEMENT_SKIPPED_H
#define RUNNER_PAGE_ELEMENT_SKIPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct page;

/* An element that skips its content, in a closed shadow root, which scripts have no way into. */
struct skipped_node {
    const char *frame_id;
    int64_t backend_id;
};

/*
 * Gives it a layout in all frames, so that the DOM that is taken next has its text and boxes. The
 * page does not notice. False: nothing skips its content, or no frame answered.
 */
bool skipped_lay_out(struct page *page, const struct skipped_node *closed, size_t count);

/*
 * Draws it in all frames, in its real size, until skipped_end(); not what closed shadow roots skip.
 * False: there is nothing that is not shown already, and nothing to end.
 */
bool skipped_show(struct page *page);
void skipped_end(struct page *page);

#endif
