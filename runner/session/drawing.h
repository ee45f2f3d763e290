/* Pictures with marks that show what was done to the page. */
#ifndef RUNNER_SESSION_DRAWING_H
#define RUNNER_SESSION_DRAWING_H

#include <browser_runner/response.h>

struct page_trace;

/*
 * Makes a PNG of the picture with the element or range framed in blue, the changes seen by a
 * verified click in green, and each mouse position as a red cross. The caller frees *ret_bytes.
 */
bool drawing_make(const struct br_capture *capture, const struct page_trace *trace,
                  unsigned char **ret_bytes, size_t *ret_size, struct br_error *err);

#endif
