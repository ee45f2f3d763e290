/*
 * A tab of the BROP server. Its URL, title and newest console entries are kept under a mutex, so
 * that they can be read while the page hangs. Any thread may use a tab that it holds.
 */
#ifndef RUNNER_SERVERS_BROP_TAB_H
#define RUNNER_SERVERS_BROP_TAB_H

#include "runner/sessions/worker.h"

#include <jansson.h>
#include <stdint.h>

enum { BROP_RING = 1000, BROP_USUAL_LOGS = 100 };

struct brop_tab;
struct brop_window;
struct br_event;

/*
 * Takes over the caller's reference to the window, which is released with the tab. The tab has no
 * id until it is listed. Never NULL; held for the caller.
 */
struct brop_tab *brop_tab_create(struct brop_window *window, struct worker *worker,
                                 void (*release)(struct brop_window *window));
struct brop_tab *brop_tab_hold(struct brop_tab *tab);
void brop_tab_release(struct brop_tab *tab); /* NULL is fine */

void brop_tab_set_id(struct brop_tab *tab, int32_t id);
int32_t brop_tab_id(const struct brop_tab *tab);
struct brop_window *brop_tab_window(const struct brop_tab *tab); /* borrowed */
struct worker *brop_tab_worker(const struct brop_tab *tab);      /* that of its window */

/* Records a navigation of the tab, or an entry of its console. */
void brop_tab_take(struct brop_tab *tab, const struct br_event *event);

/* Chrome is about to report console calls again that were recorded before: they are dropped. */
void brop_tab_expect_replay(struct brop_tab *tab);

/* Records the URL and title of the page; NULL keeps the value that is known. */
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
