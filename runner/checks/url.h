/* The addresses of a suite: absolute ones, and those relative to `baseUrl`. */
#ifndef RUNNER_CHECKS_URL_H
#define RUNNER_CHECKS_URL_H

#include "runner/base/error.h"

/*
 * Whether it is an absolute http, https, file, data or about URL. If it only looks like one
 * ("localhost:3000"): false, with INVALID_ACTION and a remedy; otherwise `err` is unchanged.
 */
bool url_is_absolute(const char *url, struct br_error *err);

/* Returns the file:// URL of an absolute path. Caller frees. */
char *url_from_path(const char *path);

/*
 * As url_parts_resolve(), for `base`, an absolute http, https or file URL. For files the base's
 * folder acts like the root of a web server: "/" begins in it, and an address that ends with "/" is
 * its index.html. Caller frees.
 */
char *url_of_suite(const char *base, const char *reference);

/*
 * Returns the address on another site: what follows the folder of `from`, or at least its origin,
 * follows that of `to`. Other addresses are unchanged. Caller frees.
 */
char *url_move(const char *url, const char *from, const char *to);

#endif
