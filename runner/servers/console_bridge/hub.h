/*
 * Where consoles come together: a thread that reads what extensions and pages say, remembers their
 * groups, counters and timers, and makes lines of it. What comes while it is busy waits; whoever
 * brings it is asked to pause when there is too much.
 */
#ifndef RUNNER_SERVERS_CONSOLE_BRIDGE_HUB_H
#define RUNNER_SERVERS_CONSOLE_BRIDGE_HUB_H

#include "runner/base/error.h"
#include "runner/servers/console_bridge/print.h"

struct console_hub;

enum {
    CONSOLE_MAX_TABS = 256, /* of a source; then the one that was silent longest is forgotten */
    /* Events of a tab that wait for scripts; with more of them, or after 1 s, none does. */
    CONSOLE_MAX_QUEUED = 1000,
    CONSOLE_MAX_QUEUED_BYTES = 1 << 20,
};

struct console_hub_options {
    struct console_print print;
    bool is_json;      /* lines of JSON instead of text */
    bool is_verbose;   /* also tells of messages that are invalid */
    struct loop *loop; /* to fetch scripts by, whose source maps tell of places; NULL: none are */
    int max_rate;      /* of a tab, shown in a second; warnings and errors twice as many; 0: all */
    /* Lines with their line feeds, on the hub's thread; it may wait. Borrowed. */
    void (*on_text)(void *data, const char *text, bool is_urgent);
    /* How wide the terminal is now; on the hub's thread. NULL: as the style has it. */
    size_t (*columns)(void *data);
    void *data;
};

/* Somebody who sends messages of the protocol. */
struct console_peer {
    void *data;
    /* A message to it, on the hub's thread; an answer must not be lost, other messages may. */
    void (*on_reply)(void *data, uint64_t id, const char *text, bool is_answer);
};

/* NULL when there is no thread to be had. */
struct console_hub *console_hub_create(const struct console_hub_options *options,
                                       struct br_error *err);

/* Reads what has come, then ends. Nobody posts any more. NULL is fine. */
void console_hub_destroy(struct console_hub *hub);

/* Before anything is posted: whom to tell, on the hub's thread, that there is room again. */
void console_hub_watch_room(struct console_hub *hub, void (*on_room)(void *data), void *data);

/*
 * A source has come, by an id that is nobody else's: connections of a listener have theirs, others
 * take ids from CONSOLE_OWN_ID on. `peer` NULL: it hears nothing. Any thread, as all that follow.
 */
#define CONSOLE_OWN_ID (UINT64_C(1) << 63)
void console_hub_open(struct console_hub *hub, uint64_t id, const struct console_peer *peer);

/* A message of the protocol, or an array of them; copied. False: pause until there is room. */
bool console_hub_message(struct console_hub *hub, uint64_t id, const char *text, size_t length);

/* An event; takes it. `size`: what it has in memory, about. False as above. */
bool console_hub_event(struct console_hub *hub, uint64_t id, struct console_event *event,
                       size_t size);

/* Whether what is posted now would wait behind too much. */
bool console_hub_has_room(struct console_hub *hub);

/* It has gone. */
void console_hub_close(struct console_hub *hub, uint64_t id);

#endif
