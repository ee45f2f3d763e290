/* Points in time as people write them (RFC 3339). */
#ifndef RUNNER_BASE_RFC3339_H
#define RUNNER_BASE_RFC3339_H

#include <stdbool.h>
#include <stdint.h>

/*
 * "2026-01-01T00:00:00Z", with a fraction of at most three digits, or with +01:00 in the place of
 * Z; "2026-01-01" is midnight in UTC. False for anything else, and before 1970.
 */
bool rfc3339_parse(const char *text, int64_t *ret_ms);

/* "2026-11-22T05:00:01.123Z", or without the milliseconds; "" for what no calendar has. */
enum { RFC3339_SIZE = 48 };
void rfc3339_format(int64_t ms, bool has_ms, char ret_text[static RFC3339_SIZE]);

#endif
