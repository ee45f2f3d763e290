/* index.html: the viewer, its style and the results in one file that needs nothing else. */
#ifndef RUNNER_CHECKS_REPORT_PAGE_H
#define RUNNER_CHECKS_REPORT_PAGE_H

#include "runner/base/strbuf.h"

#include <jansson.h>

/*
 * Adds the page. Logs and failed requests are shown up to a number each, long texts cut: all of
 * them are in results.json.
 */
void page_add(struct strbuf *out, const json_t *results);

#endif
