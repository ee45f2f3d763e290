/*
 * A tab of the BROP server: a session with a worker of its own, in the browser that all tabs share.
 * What is known of it, and the newest entries of its console, are kept under a mutex, so that they
 * can be read while the page does not answer. Any thread may use it, while it holds a reference.
 */
#ifndef RUNNER_SERVERS_BROP_TAB_H
#define RUNNER_SERVERS_BROP_TAB_H

#include "runner/sessions/worker.h"

#include <jansson.h>
#include <stdint.h>

enum { BROP_RING = 1000, BROP_USUAL_LOGS = 100 };

struct brop_tab;

/* Takes over the caller's reference to the worker, and hears its events from now on. Never NULL. */
struct brop_tab *brop_tab_create(int32_t id, struct worker *worker);
struct brop_tab *brop_tab_hold(struct brop_tab *tab);
void brop_tab_release(struct brop_tab *tab); /* NULL is fine */

/* Hears no more events; to be called once, when the tab is closed. */
void brop_tab_leave(struct brop_tab *tab);

int32_t brop_tab_id(const struct brop_tab *tab);
struct worker *brop_tab_worker(const struct brop_tab *tab);

/* Notes where the page is; NULL leaves what is known. */
void brop_tab_note(struct brop_tab *tab, const char *url, const char *title);

/* Marks that the page is loading, until an event says that it has loaded. */
void brop_tab_set_loading(struct brop_tab *tab, bool is_loading);

/* Adds url, title and, if `has_status`, status to an object, with the given names. */
void brop_tab_describe(struct brop_tab *tab, json_t *object, const char *url_name,
                       const char *title_name, bool has_status);

/* Whether commands may look into its page: not those of the browser itself. */
bool brop_tab_is_accessible(struct brop_tab *tab);

/* The console commands. None asks the page. Caller decrefs. */
json_t *brop_tab_logs(struct brop_tab *tab, int64_t limit, const char *level);
json_t *brop_tab_start_capture(struct brop_tab *tab);
json_t *brop_tab_stop_capture(struct brop_tab *tab);
json_t *brop_tab_clear_logs(struct brop_tab *tab);

#endif
