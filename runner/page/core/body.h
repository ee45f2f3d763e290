/* What Chrome has kept of a request beyond what its events tell. */
#ifndef RUNNER_PAGE_CORE_BODY_H
#define RUNNER_PAGE_CORE_BODY_H

#include <stdbool.h>
#include <stddef.h>

struct br_error;
struct page;

/*
 * The body of its answer, as it was unpacked. *ret_bytes is the caller's to free. False with the
 * browser's words when it is not there, or not any more.
 */
bool page_response_body(struct page *page, const char *request_id, unsigned char **ret_bytes,
                        size_t *ret_size, struct br_error *err);

/* What was sent with it. Caller frees; NULL when that is not known, or nothing. */
char *page_request_body(struct page *page, const char *request_id);

#endif
