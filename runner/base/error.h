/* How errors are made. The struct and its codes are public: <browser_runner/error.h>. */
#ifndef RUNNER_BASE_ERROR_H
#define RUNNER_BASE_ERROR_H

#include <browser_runner/error.h>

/*
 * Fills the error and returns false, so that a function fails with `return error_set(…)`.
 * The message is cut at a character's border when it is too long. Clears the hint.
 */
bool error_set(struct br_error *err, enum br_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As error_set, with ": " and the text of the C library's errno value behind the message. */
bool error_set_errno(struct br_error *err, enum br_code code, int error_number, const char *format,
                     ...) __attribute__((format(printf, 4, 5)));

/* Adds the cure to an error that is set already. Returns false. */
bool error_hint(struct br_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Puts "context: " in front of the message of an error that is set already. Returns false. */
bool error_context(struct br_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The code of a name such as "TIMEOUT"; BR_UNKNOWN_ERROR for a name that is none. */
enum br_code error_code_from_name(const char *name);

#endif
