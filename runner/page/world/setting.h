/* The page's current settings by name; only settings.h changes them. */
#ifndef RUNNER_PAGE_WORLD_SETTING_H
#define RUNNER_PAGE_WORLD_SETTING_H

#include <jansson.h>

struct page;

void setting_init(struct page *page);
void setting_finish(struct page *page);

/* Returns NULL if it was not set. Borrowed. */
json_t *setting_get(const struct page *page, const char *name);

/* Returns all of them, an object. Borrowed. */
json_t *setting_all(const struct page *page);

#endif
