/*
 * A window of the BROP server: a session with a worker, in the browser that all windows share, and
 * its tabs: the one that a command created, and those that its pages opened. One of them is the
 * session's page; commands for the tabs of a window take turns. Any thread, unless said otherwise.
 */
#ifndef RUNNER_SERVERS_BROP_WINDOW_H
#define RUNNER_SERVERS_BROP_WINDOW_H

#include "runner/servers/brop/tab.h"

struct brop;
struct brop_window;

/*
 * Opens a window with a tab, which gets the next id and is the next that the session opens; held
 * for the caller. NULL with the error. On the server's thread.
 */
struct brop_tab *brop_window_open(struct brop *brop, struct br_error *err);

/* Is called once for each window, when its worker has ended. */
void brop_window_is_over(void *brop);

/*
 * Prepares a command for a tab, which becomes the session's page. A tab that was lost with the
 * browser is opened again at its URL. False with the error. In a call, on the worker's thread.
 */
bool brop_window_enter(struct brop_window *window, struct brop_tab *tab, struct br_session *session,
                       struct br_error *err);

/* Records the worker's call that runs, and for which client; NULL and 0: none runs. */
void brop_window_set_call(struct brop_window *window, const void *client, uint64_t number);

/* Cancels the call that runs if it is this client's; NULL: any client's. */
void brop_window_cancel(struct brop_window *window, const void *client);

/*
 * Removes the tab and returns true if it is the window's only one. The window takes no further
 * tabs then, and the caller stops the worker.
 */
bool brop_window_end_with(struct brop_window *window, const struct brop_tab *tab);

/* Closes one of several tabs. In a call, on the worker's thread. */
bool brop_window_close_tab(struct brop_window *window, struct brop_tab *tab,
                           struct br_session *session, struct br_error *err);

/* Removes all tabs; the caller stops the worker. False: another call has done that before. */
bool brop_window_end(struct brop_window *window);

/* Whether the tab is the session's page. */
bool brop_window_is_page(struct brop_window *window, const struct brop_tab *tab);

/* Records the URL and title of the session's page; NULL keeps the value that is known. */
void brop_window_note_page(struct brop_window *window, const char *url, const char *title);

/* The same for the tab with this number in the session. */
void brop_window_note(struct brop_window *window, int number, const char *url, const char *title);

#endif
