/*
 * Writes an HTTP Archive of a run, HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/). The
 * file is complete and valid after each response, so also if the run is killed; the memory in use
 * does not grow with it.
 */
#ifndef RUNNER_FORMATS_HAR_H
#define RUNNER_FORMATS_HAR_H

#include "runner/base/error.h"

#include <browser_runner/response.h>
#include <jansson.h>

struct har;

/*
 * Creates or truncates the file, which must be a regular one. Unless keeps_secrets is set, values
 * of headers with cookies and credentials, and of posted fields with such names, are masked. NULL
 * with INVALID_ACTION for a path that cannot be written.
 */
struct har *har_create(const char *path, bool keeps_secrets, struct br_error *err);

/* Adds the network events of a response; after 20000 they are only counted. */
bool har_add(struct har *har, const struct br_response *response, struct br_error *err);

/*
 * Returns an archive of the requests in an answer of `network`, which have no headers. Caller
 * decrefs.
 */
json_t *har_of_requests(const json_t *requests);

/* Closes the file. NULL is fine. */
void har_destroy(struct har *har);

/* page_id may be NULL. Caller decrefs. */
json_t *har_entry(const struct br_network_event *event, const char *page_id, bool keeps_secrets);

/*
 * Returns the URL; passwords and tokens are masked unless they are kept; "" for NULL. Caller
 * decrefs.
 */
json_t *har_url(const char *url, bool keeps_secrets);

/* Formats a time as in HAR: ISO 8601 with milliseconds. Caller decrefs. */
json_t *har_time(int64_t timestamp_ms);

#endif
