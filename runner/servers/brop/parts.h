/* Shared by the files of the BROP server, and private to them. */
#ifndef RUNNER_SERVERS_BROP_PARTS_H
#define RUNNER_SERVERS_BROP_PARTS_H

#include "runner/net/inbox.h"
#include "runner/servers/brop/envelope.h"
#include "runner/servers/brop/journal.h"
#include "runner/servers/brop/server.h"
#include "runner/servers/brop/tab.h"
#include "runner/servers/brop/window.h"

#include <pthread.h>
#include <stdatomic.h>

struct brop_extension;

struct brop_client {
    struct brop_client *next;
    atomic_int references; /* held by the server, and by each command */
    uint64_t connection;
    char name[96];     /* for logs */
    int32_t active_id; /* the tab that it used last; 0: none. Of the server's thread */
    atomic_bool is_gone;
    atomic_size_t waiting;
    uint64_t last_number; /* of the ids that were made up */
};

struct brop {
    struct brop_options options;
    struct mailbox *mailbox;
    struct net_inbox inbox;
    struct net_listener *listener;
    pthread_t thread;
    atomic_bool is_ending;
    int64_t started_ms;
    struct brop_journal *journal;
    struct brop_extension *extension; /* NULL: none may connect */
    struct brop_client *clients;      /* used by the server's thread alone, as the next one */
    int32_t active_id;
    uint64_t last_window;  /* the number in the name of the newest window's session */
    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t changed;
    int32_t last_id;
    struct brop_tab **tabs; /* in the order of their ids; each is held */
    size_t count, capacity;
    size_t alive; /* workers that have not ended */
};

/* A command on its way. */
struct brop_command {
    struct job job; /* of a tab */
    struct brop *brop;
    struct brop_client *client; /* held */
    struct brop_tab *tab;       /* held; NULL: it is about none */
    json_t *id;
    char *method;
    json_t *params;
};

/* Tabs; any thread unless said otherwise. */

/*
 * Opens a window with a tab, which gets the next id; held for the caller. NULL with the error. On
 * the server's thread.
 */
struct brop_tab *brop_add_tab(struct brop *brop, struct br_error *err);

/* Lists a tab that a page opened; held for the caller. NULL: all ids are used up. */
struct brop_tab *brop_add_opened(struct brop *brop, struct brop_window *window);

/* Held; the caller releases it. NULL: there is none. */
struct brop_tab *brop_find_tab(struct brop *brop, int32_t id);

/* All of them, held; the caller releases each and frees the array. */
struct brop_tab **brop_all_tabs(struct brop *brop, size_t *ret_count);

/* Removes the tab from the list, if it is there. */
void brop_unlist_tab(struct brop *brop, const struct brop_tab *tab);

/* Is called once for each window, when its worker has ended. */
void brop_window_is_over(void *brop);

/* The error of a tab that is not there, in the protocol's words. Returns false. */
bool brop_no_tab(int32_t id, struct br_error *err);

/* The tab that a client means without an id, its own, else the last that was used; 0: none. */
int32_t brop_active_tab(struct brop *brop, const struct brop_client *client);

/* Commands. */

void brop_client_release(struct brop_client *client);

/* Holds the client and what it needs of the request. */
struct brop_command *brop_command_create(struct brop *brop, struct brop_client *client,
                                         const struct brop_request *request);
void brop_command_destroy(struct brop_command *command);

/* Sends the result, of which it takes ownership, or for NULL the error. The command stays. */
void brop_command_answer(struct brop_command *command, json_t *result, const struct br_error *why);

/* Sends a message to the client; takes ownership. */
void brop_send(struct brop *brop, const struct brop_client *client, json_t *message);

/* Answers a command that needs no tab, by the server itself. False: it is none of these. */
bool brop_answer_own(struct brop_command *command);

/* Answers list_tabs when each tab was looked at, or is too busy; takes ownership. */
void brop_list_tabs(struct brop_command *command);

/* What becomes of a command in its tab. */
enum brop_task {
    BROP_CREATE,
    BROP_CLOSE,
    BROP_CLOSE_LATE,   /* the same, after the command that ran has been cancelled */
    BROP_GO_AND_CLOSE, /* navigate with close_tab */
    BROP_PAGE,
    BROP_ACTIVATE, /* done by the server */
    BROP_CONSOLE,  /* reads the console that is kept, also of a tab that is busy */
};

/* Hands the command, which has a tab, to that tab's thread; takes ownership. */
void brop_command_post(struct brop_command *command, enum brop_task task);

/* Whether it is a command about the console that is kept. */
bool brop_is_console_method(const char *method);

#endif
