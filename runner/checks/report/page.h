/* index.html: the viewer, its style and the results in one self-contained file. */
#ifndef RUNNER_CHECKS_REPORT_PAGE_H
#define RUNNER_CHECKS_REPORT_PAGE_H

#include "runner/base/strbuf.h"

#include <jansson.h>

/*
 * Adds the page; for `check review` it asks its server, instead of showing commands. The numbers of
 * logs and failed requests, and the lengths of texts, are limited; results.json is complete.
 */
void page_add(struct strbuf *out, const json_t *results, bool is_review);

#endif
