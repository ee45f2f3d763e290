/* An entry of an HTTP Archive; see har.h. */
#ifndef RUNNER_FORMATS_HAR_ENTRY_H
#define RUNNER_FORMATS_HAR_ENTRY_H

#include <browser_runner/response.h>
#include <jansson.h>

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
