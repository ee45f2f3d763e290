/* What happens to the page, for the stream of the session. Nothing without one. */
#ifndef RUNNER_PAGE_TELL_H
#define RUNNER_PAGE_TELL_H

#include "runner/base/event.h"
#include "runner/page/page.h"

/* `step` is one of br_navigation. */
void tell_navigation(const struct page *page, int step, const char *url);

void tell_dialog(const struct page *page, const char *type, const char *message, bool is_accepted);

/* As page->downloads has it. */
void tell_download(const struct page *page, const json_t *download);

/* `step` is one of br_tab_change. */
void tell_tab(const struct page *page, int step, int number);

void tell_progress(const struct page *page, int what, const char *text);

#endif
