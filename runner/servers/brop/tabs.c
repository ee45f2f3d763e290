#include "runner/servers/brop/parts.h"

#include "runner/base/memory.h"
#include "runner/base/thread.h"

#include <inttypes.h>
#include <string.h>

bool brop_no_tab(int32_t id, struct br_error *err)
{
    return error_set(err, BR_TARGET_NOT_FOUND,
                     "Tab %" PRId32 " not found: No tab with id: %" PRId32 ".", id, id);
}

/* NULL: no tab has this id. Call with the mutex held. */
static struct brop_tab **find_place(struct brop *brop, int32_t id)
{
    for (size_t i = 0; i < brop->count; i++) {
        if (brop_tab_id(brop->tabs[i]) == id) {
            return &brop->tabs[i];
        }
    }
    return NULL;
}

struct brop_tab *brop_find_tab(struct brop *brop, int32_t id)
{
    mutex_lock(&brop->mutex);
    struct brop_tab **place = find_place(brop, id);
    struct brop_tab *tab = place ? brop_tab_hold(*place) : NULL;
    mutex_unlock(&brop->mutex);
    return tab;
}

struct brop_tab **brop_all_tabs(struct brop *brop, size_t *ret_count)
{
    mutex_lock(&brop->mutex);
    struct brop_tab **tabs = xcalloc(brop->count + 1, sizeof(struct brop_tab *));
    for (size_t i = 0; i < brop->count; i++) {
        tabs[i] = brop_tab_hold(brop->tabs[i]);
    }
    *ret_count = brop->count;
    mutex_unlock(&brop->mutex);
    return tabs;
}

void brop_unlist_tab(struct brop *brop, const struct brop_tab *tab)
{
    struct brop_tab *listed = NULL;
    mutex_lock(&brop->mutex);
    struct brop_tab **place = find_place(brop, brop_tab_id(tab));
    if (place) {
        listed = *place;
        size_t behind = (size_t)(brop->tabs + brop->count - (place + 1));
        memmove(place, place + 1, behind * sizeof(struct brop_tab *));
        brop->count--;
    }
    mutex_unlock(&brop->mutex);
    brop_tab_release(listed);
}

bool brop_list_tab(struct brop *brop, struct brop_tab *tab, struct br_error *err)
{
    mutex_lock(&brop->mutex);
    bool is_listed = brop->last_id < INT32_MAX;
    if (is_listed) {
        brop_tab_set_id(tab, ++brop->last_id);
        brop->tabs =
            array_reserve(brop->tabs, brop->count, &brop->capacity, sizeof(struct brop_tab *));
        brop->tabs[brop->count++] = brop_tab_hold(tab);
    }
    mutex_unlock(&brop->mutex);
    if (!is_listed) {
        error_set(err, BR_LIMIT_EXCEEDED, "all tab ids are used up");
        error_hint(err, "start the server again");
    }
    return is_listed;
}

int32_t brop_active_tab(struct brop *brop, const struct brop_client *client)
{
    const int32_t ids[] = { client->active_id, brop->active_id };
    int32_t found = 0;
    mutex_lock(&brop->mutex);
    for (size_t i = 0; !found && i < sizeof(ids) / sizeof(ids[0]); i++) {
        found = ids[i] && find_place(brop, ids[i]) ? ids[i] : 0;
    }
    if (!found && brop->count) {
        found = brop_tab_id(brop->tabs[brop->count - 1]);
    }
    mutex_unlock(&brop->mutex);
    return found;
}
