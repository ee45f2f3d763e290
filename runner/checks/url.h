/*
 * The addresses of a suite: absolute ones, and those that start from `baseUrl`. Dots in paths are
 * left to the browser.
 */
#ifndef RUNNER_CHECKS_URL_H
#define RUNNER_CHECKS_URL_H

#include "runner/base/error.h"

/*
 * Whether it is an absolute http, https, file, data or about URL. Without being one: false, and
 * INVALID_ACTION with the cure where it looks like one ("localhost:3000"), else `err` is untouched.
 */
bool url_is_absolute(const char *url, struct br_error *err);

/* The file:// URL of an absolute path. Caller frees. */
char *url_from_path(const char *path);

/*
 * Where a relative reference leads to from `base`, an absolute http, https or file URL, as RFC 3986
 * (5.2) says. From a file it is as if a web server served the base's folder: "/" begins in it, and
 * an address that ends with "/" is its index.html. Caller frees.
 */
char *url_resolve(const char *base, const char *reference);

#endif
