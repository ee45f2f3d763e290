/* What happens to the page, for the stream of the session. Nothing without one. */
#ifndef RUNNER_PAGE_CORE_TELL_H
#define RUNNER_PAGE_CORE_TELL_H

#include "runner/base/clock.h"

#include <jansson.h>
#include <stdbool.h>

struct page;

/* `step` is one of br_navigation. */
void tell_navigation(const struct page *page, int step, const char *url);

void tell_dialog(const struct page *page, const char *type, const char *message, bool is_accepted);

/* As page->downloads has it. */
void tell_download(const struct page *page, const json_t *download);

/* `step` is one of br_tab_change. */
void tell_tab(const struct page *page, int step, int number, const char *target_id);

/*
 * What the page waits for, for a person; NULL: what the wait itself is called. It is told when that
 * takes long, and every now and then again.
 */
void tell_waits_for(struct page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A new try begins: nothing is waited for yet. */
void tell_begin(struct page *page);

/* It waits, for what is called so. Returns when this is to be told, at the latest. */
struct deadline tell_waiting(struct page *page, const char *what);

void tell_init(struct page *page);
void tell_finish(struct page *page);

#endif
