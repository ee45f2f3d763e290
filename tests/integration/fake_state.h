/* State shared by the parts of the fake browser; for fake_browser.c and fake_steps.c only. */
#ifndef TESTS_INTEGRATION_FAKE_STATE_H
#define TESTS_INTEGRATION_FAKE_STATE_H

#include "tests/integration/fake_browser.h"
#include "tests/integration/fake_record.h"
#include "tests/integration/fake_server.h"
#include "tests/integration/fake_words.h"
#include "tests/slowness.h"

#include <pthread.h>

/* Long enough for any machine; a wait that reaches it is a failure. */
#define FAKE_PATIENCE_MS slow_ms(60000)

enum { FAKE_MAX_PIPES = 8 };

/* The signal of fake_browser_finish(). */
#define FAKE_FINISH "finish"

struct fake_browser {
    enum fake_mode mode;
    pthread_t thread;
    struct fake_server *server; /* NULL for the pipe */
    pthread_mutex_t mutex;      /* guards the rest of this group */
    pthread_cond_t changed;
    json_t *signals, *marks; /* sets of names, as objects */
    json_t *orders;          /* array of {"line":n, "step":{…}} that the test wants to be played
                                now */
    size_t ordered, played;  /* their number so far */
    bool is_over;            /* the thread plays nothing any more */
    struct {
        int in_fd, out_fd;
    } pipes[FAKE_MAX_PIPES]; /* opened and not yet used by the transcript */
    size_t pipe_count;

    /* Used only by the thread. */
    json_t *steps;          /* array of {"line":n, "step":{…}} */
    json_t *rules;          /* array of "serve" steps; the newest last */
    json_t *named;          /* command by name, from "as" */
    json_t *command;        /* the one expected last, or being served */
    struct fake_peer *peer; /* NULL between connections */
    int connections;        /* so far */
    bool is_gone;           /* the other side has closed */
    bool is_reconnecting;   /* accept the next connection after one has ended */
    bool is_silent;         /* do not reply over this connection */
    json_t *silent;         /* set of sessions of this connection that get no replies */
    int refusal_status;     /* HTTP status for clients that connect; 0: closed without a response */
    int refusals_left;
    struct fake_memory memory;
    struct fake_record *record;
    char *failure; /* NULL without a failure; passed to the test after the thread's end */
};

/* Ends the transcript; the first reason counts. Call on the thread only. */
void fake_fail_step(struct fake_browser *fake, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Access the sets `signals` and `marks`. await: false if the name does not appear. */
void fake_note_name(struct fake_browser *fake, json_t *set, const char *name);
bool fake_await_name(struct fake_browser *fake, const json_t *set, const char *name);
bool fake_is_signalled(struct fake_browser *fake, const char *name);

/* The thread: plays the steps, then serves by the rules. */
void *fake_run(void *data);

#endif
