/* Pictures with marks of what was done to the page. */
#ifndef RUNNER_SESSION_DRAWING_H
#define RUNNER_SESSION_DRAWING_H

#include <browser_runner/response.h>

struct page_trace;

/*
 * A PNG of the picture with the element or range framed in blue, what a verified click changed in
 * green, and each point of the mouse as a red cross. The caller frees *ret_bytes.
 */
bool drawing_make(const struct br_capture *capture, const struct page_trace *trace,
                  unsigned char **ret_bytes, size_t *ret_size, struct br_error *err);

#endif
