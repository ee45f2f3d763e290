/* What browser.c and context.c share. */
#ifndef RUNNER_CHROME_BROWSER_STATE_H
#define RUNNER_CHROME_BROWSER_STATE_H

#include "runner/chrome/context.h"

#include <pthread.h>

struct run_directory;

/* All but the first four members are guarded by the browser's mutex. */
struct context {
    struct br_browser *browser;
    char *name; /* "": the profile's, if it is not private */
    bool is_private;
    struct context *next; /* of the browser's list */
    size_t users;
    bool is_busy;        /* a session makes or fills it */
    uint64_t generation; /* of the life in which it has this id; 0: none */
    char *id;
    json_t *cookies;            /* array; NULL: none were kept */
    json_t *storages;           /* object: of each origin, as text */
    uint64_t filled_generation; /* of the newest life that has what was kept; 0: none */
    uint64_t last_generation;   /* the same before the filling that goes on */
    json_t *asked;              /* object: the origins whose storage that life was given */
};

struct br_browser {
    struct loop *loop;
    bool is_loop_own;
    struct br_browser_options options; /* its strings are copies */
    pthread_mutex_t mutex;             /* guards what follows, and the references of lives */
    pthread_cond_t started;            /* is_starting or a context's is_busy has become false */
    bool is_starting;          /* one thread ends the present life, or starts the next one */
    struct browser_life *life; /* the present one, a reference; NULL: none */
    size_t users;              /* sessions that have begun and not stopped */
    struct context *contexts;
    /* Of the thread that starts: */
    uint64_t generation;       /* of the newest life */
    struct run_directory *run; /* of all launches; NULL before the first */
    char *profile;             /* its directory */
    int claim_fd; /* keeps other runners from the profile; -1 before the first launch */
};

/* browser.c: one reference more; with the mutex. */
void browser_life_hold(struct browser_life *life);

/* context.c: what was kept is of no use any more. With the mutex. */
void contexts_forget(struct br_browser *browser);

#endif
