/* Fetches data that is not in Chrome's events: bodies of requests, and streams. */
#ifndef RUNNER_PAGE_CORE_BODY_H
#define RUNNER_PAGE_CORE_BODY_H

#include <stdbool.h>
#include <stddef.h>

struct br_error;
struct page;

/*
 * Gets the decoded body of the response. The caller frees *ret_bytes. Fails with Chrome's message
 * if the body is not, or no longer, available.
 */
bool page_response_body(struct page *page, const char *request_id, unsigned char **ret_bytes,
                        size_t *ret_size, struct br_error *err);

/* Returns the body of the request; NULL if unknown or empty. Caller frees. */
char *page_request_body(struct page *page, const char *request_id);

/*
 * Reads one of Chrome's streams to its end in parts, and closes it. The caller frees *ret_bytes,
 * which have a terminating NUL. LIMIT_EXCEEDED beyond max_bytes.
 */
bool body_of_stream(struct page *page, const char *handle, size_t max_bytes, char **ret_bytes,
                    size_t *ret_size, struct br_error *err);

#endif
