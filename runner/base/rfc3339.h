/* Timestamps in the format of RFC 3339. */
#ifndef RUNNER_BASE_RFC3339_H
#define RUNNER_BASE_RFC3339_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Parses "2026-01-01T00:00:00Z", with at most three fractional digits, or with +01:00 instead of Z;
 * "2026-01-01" is midnight in UTC. Returns false for anything else, and for times before 1970.
 */
bool rfc3339_parse(const char *text, int64_t *ret_ms);

/*
 * Writes "2026-11-22T05:00:01.123Z", or without the milliseconds; "" for a time outside the
 * calendar.
 */
enum { RFC3339_SIZE = 48 };
void rfc3339_format(int64_t ms, bool has_ms, char ret_text[static RFC3339_SIZE]);

#endif
