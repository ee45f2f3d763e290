/* Points in time as people write them (RFC 3339). */
#ifndef RUNNER_CHECKS_SUITE_TIME_H
#define RUNNER_CHECKS_SUITE_TIME_H

#include <stdbool.h>
#include <stdint.h>

/*
 * "2026-01-01T00:00:00Z", with a fraction of at most three digits, or with +01:00 in the place of
 * Z; "2026-01-01" is midnight in UTC. False for anything else, and before 1970.
 */
bool suite_time_parse(const char *text, int64_t *ret_ms);

#endif
