/* Resolves addresses of a page. */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_ADDRESS_H
#define RUNNER_SNAPSHOT_MARKDOWN_ADDRESS_H

#include "runner/base/strbuf.h"

/*
 * Resolves a reference against the absolute URL `base` (RFC 3986, 5.2) and adds the result,
 * treating white space and backslashes as browsers do. With a `base` without path (data:, about:)
 * the reference stays unchanged.
 */
void address_resolve(const char *base, const char *reference, struct strbuf *address);

#endif
