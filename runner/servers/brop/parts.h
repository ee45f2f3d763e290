/* Shared by the files of the BROP server, and private to them. */
#ifndef RUNNER_SERVERS_BROP_PARTS_H
#define RUNNER_SERVERS_BROP_PARTS_H

#include "runner/net/service.h"
#include "runner/servers/brop/envelope.h"
#include "runner/servers/brop/journal.h"
#include "runner/servers/brop/server.h"
#include "runner/servers/brop/tab.h"
#include "runner/servers/brop/window.h"

#include <pthread.h>
#include <stdatomic.h>

struct brop_extension;

struct brop_client {
    struct service_client base; /* held by each command */
    char name[96];              /* for logs */
    int32_t active_id; /* the tab that it used last; 0: none. Used on the server's thread */
    atomic_bool is_gone;
    atomic_size_t waiting;
    uint64_t last_number; /* of the ids that the server gave to commands without one */
};

struct brop {
    struct brop_options options;
    struct service *service;
    struct service_port *port;
    int64_t started_ms;
    struct brop_journal *journal;
    struct brop_extension *extension; /* NULL: no extension may connect */
    int32_t active_id;                /* used by the server's thread alone */
    uint64_t last_window;             /* the number in the name of the newest window's session */
    pthread_mutex_t mutex;            /* guards what follows */
    pthread_cond_t changed;
    int32_t last_id;
    struct brop_tab **tabs; /* in the order of their ids; each is held */
    size_t count, capacity;
    size_t alive; /* workers that have not ended */
};

/* How a command is executed in its tab. */
enum brop_task {
    BROP_CREATE,
    BROP_CLOSE,
    BROP_CLOSE_LATE,   /* the same, after the command that ran has been cancelled */
    BROP_GO_AND_CLOSE, /* navigate with close_tab */
    BROP_PAGE,
    BROP_WAIT_ON, /* a wait that another command has interrupted */
    BROP_ACTIVATE,
    BROP_CONSOLE, /* reads the stored console, even if the tab is busy */
};

/* A command that has no reply yet. */
struct brop_command {
    struct brop *brop;
    struct brop_client *client; /* held */
    struct brop_tab *tab;       /* held; NULL: it is not about a tab */
    struct net_charge *charge;  /* of its message; NULL: none */
    json_t *id;
    char *method;
    json_t *params;
    enum brop_task task;
    int64_t began_ms; /* monotonic: when it began to run; 0: it has not */
    int64_t left_ms;  /* of BROP_WAIT_ON */
};

/* Tabs; any thread unless said otherwise. */

/* Gives the next id to a tab and lists it. False with the error: all ids are used up. */
bool brop_list_tab(struct brop *brop, struct brop_tab *tab, struct br_error *err);

/* Returns the tab, held for the caller; NULL: no tab has this id. */
struct brop_tab *brop_find_tab(struct brop *brop, int32_t id);

/* Returns all tabs; the caller releases each and frees the array. */
struct brop_tab **brop_all_tabs(struct brop *brop, size_t *ret_count);

/* Removes the tab from the list, if it is there. */
void brop_unlist_tab(struct brop *brop, const struct brop_tab *tab);

/* Sets the protocol's error for an unknown tab id. Returns false. */
bool brop_no_tab(int32_t id, struct br_error *err);

/* Returns the client's active tab, else the tab that any client used last; 0: none. */
int32_t brop_active_tab(struct brop *brop, const struct brop_client *client);

/* Commands. */

/* Holds the client, and copies what it needs from the request. */
struct brop_command *brop_command_create(struct brop *brop, struct brop_client *client,
                                         const struct brop_request *request);
void brop_command_destroy(struct brop_command *command);

/* Sends the result (takes ownership), or the error if that is NULL. Does not free the command. */
void brop_command_answer(struct brop_command *command, json_t *result, const struct br_error *why);

/* Answers a command that the server executes itself. False: it is not such a command. */
bool brop_answer_own(struct brop_command *command);

/* Answers list_tabs once every tab has been asked or is too busy; takes ownership. */
void brop_list_tabs(struct brop_command *command);

/* Posts the command to its tab's worker; takes ownership. The command has a tab. */
void brop_command_post(struct brop_command *command, enum brop_task task);

/* Whether the command is about the stored console. */
bool brop_is_console_method(const char *method);

#endif
