#include "runner/page/world/setting.h"

#include "runner/page/core/state.h"

void setting_init(struct page *page)
{
    page->settings = json_object();
}

void setting_finish(struct page *page)
{
    json_decref(page->settings);
    page->settings = NULL;
}

json_t *setting_get(const struct page *page, const char *name)
{
    return json_object_get(page->settings, name);
}

json_t *setting_all(const struct page *page)
{
    return page->settings;
}
