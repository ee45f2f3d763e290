#include "runner/servers/brop/parts.h"

#include "runner/base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void brop_client_release(struct brop_client *client)
{
    if (atomic_fetch_sub(&client->references, 1) == 1) {
        free(client);
    }
}

bool brop_no_tab(int32_t id, struct br_error *err)
{
    return error_set(err, BR_TARGET_NOT_FOUND,
                     "Tab %" PRId32 " not found: No tab with id: %" PRId32 ".", id, id);
}

/* With the mutex. NULL: there is none. */
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
    pthread_mutex_lock(&brop->mutex);
    struct brop_tab **place = find_place(brop, id);
    struct brop_tab *tab = place ? brop_tab_hold(*place) : NULL;
    pthread_mutex_unlock(&brop->mutex);
    return tab;
}

struct brop_tab **brop_all_tabs(struct brop *brop, size_t *ret_count)
{
    pthread_mutex_lock(&brop->mutex);
    struct brop_tab **tabs = xcalloc(brop->count + 1, sizeof(struct brop_tab *));
    for (size_t i = 0; i < brop->count; i++) {
        tabs[i] = brop_tab_hold(brop->tabs[i]);
    }
    *ret_count = brop->count;
    pthread_mutex_unlock(&brop->mutex);
    return tabs;
}

void brop_tab_is_over(void *data)
{
    struct brop *brop = data;
    pthread_mutex_lock(&brop->mutex);
    brop->alive--;
    pthread_cond_broadcast(&brop->changed);
    pthread_mutex_unlock(&brop->mutex);
}

bool brop_remove_tab(struct brop *brop, struct brop_tab *tab)
{
    pthread_mutex_lock(&brop->mutex);
    struct brop_tab **place = find_place(brop, brop_tab_id(tab));
    if (place) {
        size_t behind = (size_t)(brop->tabs + brop->count - (place + 1));
        memmove(place, place + 1, behind * sizeof(struct brop_tab *));
        brop->count--;
    }
    pthread_mutex_unlock(&brop->mutex);
    if (place) {
        brop_tab_leave(tab);
        brop_tab_release(tab);
    }
    return place;
}

struct brop_tab *brop_add_tab(struct brop *brop, struct br_error *err)
{
    char name[32];
    bool is_new = false;
    if (brop->last_id == INT32_MAX) {
        error_set(err, BR_LIMIT_EXCEEDED, "all tab ids are used up");
        error_hint(err, "start the server again");
        return NULL;
    }
    snprintf(name, sizeof(name), "brop-tab-%" PRId32, brop->last_id + 1);
    struct worker *worker =
        sessions_open(brop->options.sessions, name, brop->options.settings, &is_new, err);
    if (worker && !is_new) {
        /* A client of another server has taken the name. */
        worker_release(worker);
        worker = NULL;
        brop->last_id++;
        error_set(err, BR_INVALID_ACTION, "a session called %s is there already", name);
        error_hint(err, "try again: the next tab has another number");
    }
    if (!worker) {
        return NULL;
    }
    struct brop_tab *tab = brop_tab_create(++brop->last_id, worker);
    pthread_mutex_lock(&brop->mutex);
    brop->tabs = array_reserve(brop->tabs, brop->count, &brop->capacity, sizeof(struct brop_tab *));
    brop->tabs[brop->count++] = brop_tab_hold(tab);
    brop->alive++;
    pthread_mutex_unlock(&brop->mutex);
    return tab;
}

int32_t brop_active_tab(struct brop *brop, const struct brop_client *client)
{
    const int32_t ids[] = { client->active_id, brop->active_id };
    int32_t found = 0;
    pthread_mutex_lock(&brop->mutex);
    for (size_t i = 0; !found && i < sizeof(ids) / sizeof(ids[0]); i++) {
        found = ids[i] && find_place(brop, ids[i]) ? ids[i] : 0;
    }
    if (!found && brop->count) {
        found = brop_tab_id(brop->tabs[brop->count - 1]);
    }
    pthread_mutex_unlock(&brop->mutex);
    return found;
}
