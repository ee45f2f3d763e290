/* Addresses of a page made whole. */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_ADDRESS_H
#define RUNNER_SNAPSHOT_MARKDOWN_ADDRESS_H

#include "runner/base/strbuf.h"

/*
 * Adds where a reference leads to from the absolute URL `base`, as RFC 3986 (5.2) says, with the
 * white space and backslashes that browsers put right. A `base` without a path (data:, about:)
 * leaves the reference as it is.
 */
void address_resolve(const char *base, const char *reference, struct strbuf *address);

#endif
