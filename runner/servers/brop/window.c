#include "runner/servers/brop/window.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/response.h"
#include "runner/base/thread.h"
#include "runner/servers/brop/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_ENTRIES = 3,     /* the browser may be lost while a tab is being activated */
    ACTIVATE_MS = 10000, /* for a tab to become the page */
    CLOSE_MS = 5000,
};

/* A tab, and how the session knows it. */
struct place {
    struct brop_tab *tab; /* held */
    char *target_id;      /* Chrome's id; NULL: the browser has lost the tab */
    int number;           /* the session's */
    bool was_page;        /* Chrome reports the console of its document again before it is */
};

/* Mutexes are locked in this order: the worker's, the window's, the list's, a tab's. */
struct brop_window {
    atomic_int references;
    struct brop *brop;
    struct worker *worker;
    pthread_mutex_t mutex; /* guards what follows */
    bool is_over;          /* the last tab was removed */
    bool is_lost;          /* the page is gone, and the session has not opened it again yet */
    struct place *places;
    size_t count, capacity;
    int32_t page_id;     /* of the tab that is the session's page; 0: none */
    int32_t expected_id; /* of the tab that the session opens next; 0: none */
    const void *client;  /* whose call runs; NULL: none */
    uint64_t number;     /* of that call */
};

static struct brop_window *hold(struct brop_window *window)
{
    atomic_fetch_add(&window->references, 1);
    return window;
}

static void release(struct brop_window *window)
{
    if (atomic_fetch_sub(&window->references, 1) > 1) {
        return;
    }
    worker_release(window->worker);
    pthread_mutex_destroy(&window->mutex);
    free(window->places);
    free(window);
}

static struct place *find(const struct brop_window *window, int32_t id)
{
    for (size_t i = 0; i < window->count; i++) {
        if (brop_tab_id(window->places[i].tab) == id) {
            return &window->places[i];
        }
    }
    return NULL;
}

static struct place *find_target(const struct brop_window *window, const char *target_id)
{
    for (size_t i = 0; target_id && i < window->count; i++) {
        const char *known = window->places[i].target_id;
        if (known && strcmp(known, target_id) == 0) {
            return &window->places[i];
        }
    }
    return NULL;
}

/* Number 0 is the page. */
static struct place *find_number(const struct brop_window *window, int number)
{
    for (size_t i = 0; number && i < window->count; i++) {
        if (window->places[i].target_id && window->places[i].number == number) {
            return &window->places[i];
        }
    }
    return number ? NULL : find(window, window->page_id);
}

static struct place *add(struct brop_window *window, struct brop_tab *tab)
{
    window->places =
        array_reserve(window->places, window->count, &window->capacity, sizeof(*window->places));
    struct place *place = &window->places[window->count++];
    *place = (struct place){ .tab = brop_tab_hold(tab) };
    return place;
}

/* The caller releases the tab, without the mutex. */
static struct brop_tab *take_out(struct brop_window *window, struct place *place)
{
    struct brop_tab *tab = place->tab;
    size_t index = (size_t)(place - window->places);
    free(place->target_id);
    memmove(place, place + 1, (--window->count - index) * sizeof(*place));
    if (window->page_id == brop_tab_id(tab)) {
        window->page_id = 0;
    }
    return tab;
}

/* Lists a new tab; returns its place. */
static struct place *list_new(struct brop_window *window, struct br_error *err)
{
    struct brop_tab *tab = brop_tab_create(hold(window), window->worker, release);
    struct place *place = brop_list_tab(window->brop, tab, err) ? add(window, tab) : NULL;
    brop_tab_release(tab);
    return place;
}

/*
 * Returns the place of a tab that the session opened: the one that was expected, the lost one that
 * comes back, or a new one for a tab that a page opened.
 */
static struct place *place_of_new(struct brop_window *window)
{
    int32_t id = window->is_lost ? window->page_id : window->expected_id;
    struct place *place = find(window, id);
    if (!window->is_lost) {
        window->expected_id = 0;
    } else if (!place && window->count) {
        place = &window->places[0];
    }
    if (place) {
        return place;
    }
    struct br_error ignored;
    return list_new(window, &ignored);
}

static void on_opened(struct brop_window *window, const struct br_tab_change *change)
{
    struct place *place = window->is_over ? NULL : place_of_new(window);
    if (place) {
        free(place->target_id);
        place->target_id = xstrdup(change->id);
        place->number = change->number;
        place->was_page = false;
    }
}

static void on_activated(struct brop_window *window, const struct br_tab_change *change)
{
    struct place *place = find_target(window, change->id);
    window->page_id = place ? brop_tab_id(place->tab) : 0;
    if (place && !place->was_page) {
        brop_tab_expect_replay(place->tab);
        place->was_page = true;
    }
}

/* Returns a tab that was removed, which the caller releases; NULL: it may be opened again. */
static struct brop_tab *on_closed(struct brop_window *window, const struct br_tab_change *change)
{
    struct place *place = find_target(window, change->id);
    if (!place) {
        return NULL;
    }
    if (!window->is_lost && window->count > 1) {
        return take_out(window, place);
    }
    free(TAKE(place->target_id));
    return NULL;
}

/* On the worker's thread, with the worker's mutex. */
static void on_event(void *data, const struct br_event *event)
{
    struct brop_window *window = data;
    struct brop_tab *closed = NULL;
    mutex_lock(&window->mutex);
    if (event->kind == BR_EVENT_PAGE) {
        window->is_lost = !event->as.page.is_back;
    } else if (event->kind != BR_EVENT_TAB) {
        struct place *place = find_number(window, event->tab);
        if (place) {
            brop_tab_take(place->tab, event);
        }
    } else if (event->as.tab.step == BR_TAB_OPENED) {
        on_opened(window, &event->as.tab);
    } else if (event->as.tab.step == BR_TAB_ACTIVATED) {
        on_activated(window, &event->as.tab);
    } else {
        closed = on_closed(window, &event->as.tab);
    }
    mutex_unlock(&window->mutex);
    if (closed) {
        brop_unlist_tab(window->brop, closed);
        brop_tab_release(closed);
    }
}

/* Runs an action of ours that is about tabs; takes ownership of the instruction. */
static bool run_action(struct brop_window *window, struct br_session *session, json_t *instruction,
                       struct br_error *err)
{
    CLEANUP_RESPONSE struct br_response *response =
        worker_run(window->worker, session, instruction, err);
    return response && response->success;
}

/* Returns the instruction that makes a tab the page; NULL: it is. Caller decrefs. */
static json_t *entering(struct brop_window *window, struct brop_tab *tab, bool *ret_is_gone)
{
    json_t *instruction = NULL;
    json_auto_t *about = json_object();
    int32_t id = brop_tab_id(tab);
    mutex_lock(&window->mutex);
    const struct place *place = find(window, id);
    *ret_is_gone = !place;
    if (place && place->target_id && window->page_id != id) {
        instruction = json_pack("{s:s, s:s, s:i, s:i}", "type", "tab", "op", "activate", "id",
                                place->number, "timeout", ACTIVATE_MS);
    } else if (place && window->page_id && window->page_id != id) {
        brop_tab_describe(tab, about, "url", "title", false);
        instruction = json_pack("{s:s, s:s, s:O*}", "type", "tab", "op", "new", "url",
                                json_object_get(about, "url"));
        window->expected_id = id;
    }
    mutex_unlock(&window->mutex);
    if (instruction) {
        json_object_set_new(instruction, "screenshots", json_string("none"));
    }
    return instruction;
}

bool brop_window_enter(struct brop_window *window, struct brop_tab *tab, struct br_session *session,
                       struct br_error *err)
{
    bool is_gone = false;
    bool is_done = false;
    for (int i = 0; !is_done && i < MAX_ENTRIES; i++) {
        json_t *instruction = entering(window, tab, &is_gone);
        if (is_gone) {
            return brop_no_tab(brop_tab_id(tab), err);
        }
        is_done = !instruction;
        if (instruction && !run_action(window, session, instruction, err) &&
            err->code != BR_TARGET_NOT_FOUND) {
            return error_context(err, "the tab cannot be activated");
        }
    }
    return is_done || brop_window_is_page(window, tab) ||
           error_set(err, BR_TARGET_NOT_FOUND, "the tab cannot be activated: it is lost again");
}

bool brop_window_is_page(struct brop_window *window, const struct brop_tab *tab)
{
    mutex_lock(&window->mutex);
    bool is_page = window->page_id == brop_tab_id(tab);
    mutex_unlock(&window->mutex);
    return is_page;
}

void brop_window_set_call(struct brop_window *window, const void *client, uint64_t number)
{
    mutex_lock(&window->mutex);
    window->client = client;
    window->number = number;
    mutex_unlock(&window->mutex);
}

void brop_window_cancel(struct brop_window *window, const void *client)
{
    mutex_lock(&window->mutex);
    uint64_t number = !client || client == window->client ? window->number : 0;
    mutex_unlock(&window->mutex);
    worker_cancel(window->worker, number, 0);
}

/* Call it before the worker is stopped. */
static void leave(struct brop_window *window)
{
    worker_unsubscribe(window->worker, window);
}

bool brop_window_end_with(struct brop_window *window, const struct brop_tab *tab)
{
    struct brop_tab *taken = NULL;
    mutex_lock(&window->mutex);
    struct place *place = window->count == 1 ? find(window, brop_tab_id(tab)) : NULL;
    if (place) {
        taken = take_out(window, place);
        window->is_over = true;
    }
    mutex_unlock(&window->mutex);
    if (taken) {
        brop_unlist_tab(window->brop, taken);
        leave(window);
        brop_tab_release(taken);
    }
    return taken;
}

bool brop_window_end(struct brop_window *window)
{
    mutex_lock(&window->mutex);
    bool was_over = window->is_over;
    struct place *places = was_over ? NULL : TAKE(window->places);
    size_t count = was_over ? 0 : window->count;
    window->is_over = true;
    if (!was_over) {
        window->count = window->capacity = 0;
    }
    mutex_unlock(&window->mutex);
    if (was_over) {
        return false;
    }
    leave(window);
    for (size_t i = 0; i < count; i++) {
        brop_unlist_tab(window->brop, places[i].tab);
        brop_tab_release(places[i].tab);
        free(places[i].target_id);
    }
    free(places);
    return true;
}

bool brop_window_close_tab(struct brop_window *window, struct brop_tab *tab,
                           struct br_session *session, struct br_error *err)
{
    json_t *instruction = NULL;
    struct brop_tab *lost = NULL;
    int32_t id = brop_tab_id(tab);
    mutex_lock(&window->mutex);
    struct place *place = find(window, id);
    bool is_there = place;
    if (place && place->target_id) {
        instruction = json_pack("{s:s, s:s, s:i, s:i, s:s}", "type", "tab", "op", "close", "id",
                                place->number, "timeout", CLOSE_MS, "screenshots", "none");
    } else if (place) {
        lost = take_out(window, place);
    }
    mutex_unlock(&window->mutex);
    if (lost) {
        brop_unlist_tab(window->brop, lost);
        brop_tab_release(lost);
        return true;
    }
    if (!is_there) {
        return brop_no_tab(id, err);
    }
    if (run_action(window, session, instruction, err)) {
        return true;
    }
    /* The failure may be that of the tab that became the page. */
    mutex_lock(&window->mutex);
    bool has_gone = !find(window, id);
    mutex_unlock(&window->mutex);
    return has_gone;
}

void brop_window_is_over(void *data)
{
    struct brop *brop = data;
    mutex_lock(&brop->mutex);
    brop->alive--;
    pthread_cond_broadcast(&brop->changed);
    mutex_unlock(&brop->mutex);
}

static struct brop_window *create(struct brop *brop, struct worker *worker)
{
    static const unsigned kinds = 1u << BR_EVENT_CONSOLE | 1u << BR_EVENT_EXCEPTION |
                                  1u << BR_EVENT_LOG | 1u << BR_EVENT_NAVIGATION |
                                  1u << BR_EVENT_TAB | 1u << BR_EVENT_PAGE | WORKER_TABS;
    struct brop_window *window = xcalloc(1, sizeof(*window));
    atomic_init(&window->references, 1);
    window->brop = brop;
    window->worker = worker;
    pthread_mutex_init(&window->mutex, NULL);
    worker_subscribe(worker, window, kinds, on_event, window);
    return window;
}

struct brop_tab *brop_window_open(struct brop *brop, struct br_error *err)
{
    char name[40];
    snprintf(name, sizeof(name), "brop-tab-%" PRIu64, ++brop->last_window);
    struct worker *worker =
        sessions_open(brop->options.sessions, name, brop->options.settings, NULL, err);
    if (!worker) {
        return NULL;
    }
    mutex_lock(&brop->mutex);
    brop->alive++;
    mutex_unlock(&brop->mutex);
    struct brop_window *window = create(brop, worker);
    mutex_lock(&window->mutex);
    struct place *place = list_new(window, err);
    struct brop_tab *tab = place ? brop_tab_hold(place->tab) : NULL;
    window->expected_id = tab ? brop_tab_id(tab) : 0;
    mutex_unlock(&window->mutex);
    if (!tab && brop_window_end(window)) {
        worker_stop(worker, brop_window_is_over, brop);
    }
    release(window);
    return tab;
}

void brop_window_note_page(struct brop_window *window, const char *url, const char *title)
{
    brop_window_note(window, 0, url, title);
}

void brop_window_note(struct brop_window *window, int number, const char *url, const char *title)
{
    mutex_lock(&window->mutex);
    const struct place *place = find_number(window, number);
    if (place) {
        brop_tab_note(place->tab, url, title);
    }
    mutex_unlock(&window->mutex);
}
