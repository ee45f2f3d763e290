/* Setting errors. The struct and its codes are public: <browser_runner/error.h>. */
#ifndef RUNNER_BASE_ERROR_H
#define RUNNER_BASE_ERROR_H

#include <browser_runner/error.h>

/*
 * Fills the error and returns false, so that a function fails with `return error_set(…)`. Clears
 * the hint. A message that is too long is cut at a character's boundary.
 */
bool error_set(struct br_error *err, enum br_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Like error_set(), and appends ": " and the C library's text for the errno value. */
bool error_set_errno(struct br_error *err, enum br_code code, int error_number, const char *format,
                     ...) __attribute__((format(printf, 4, 5)));

/* Adds a hint with the remedy to an error that is already set. Returns false. */
bool error_hint(struct br_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prefixes the message of an error that is already set with "context: ". Returns false. */
bool error_context(struct br_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the code with a name such as "TIMEOUT"; BR_UNKNOWN_ERROR for an unknown name. */
enum br_code error_code_from_name(const char *name);

#endif
