/* What was set on the page by now, by name; see settings.h, which alone changes it. */
#ifndef RUNNER_PAGE_WORLD_SETTING_H
#define RUNNER_PAGE_WORLD_SETTING_H

#include <jansson.h>

struct page;

void setting_init(struct page *page);
void setting_finish(struct page *page);

/* NULL: it was not. Borrowed. */
json_t *setting_get(const struct page *page, const char *name);

/* All of them, an object. Borrowed. */
json_t *setting_all(const struct page *page);

#endif
