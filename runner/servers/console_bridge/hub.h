/*
 * Collects consoles: its thread reads what extensions and pages send, keeps the groups, counters
 * and timers of each tab, and writes lines. Messages wait while it is busy; when too much waits,
 * senders are asked to pause.
 */
#ifndef RUNNER_SERVERS_CONSOLE_BRIDGE_HUB_H
#define RUNNER_SERVERS_CONSOLE_BRIDGE_HUB_H

#include "runner/base/error.h"
#include "runner/console/output.h"
#include "runner/loop/loop.h"

struct console_hub;
struct policy;

enum {
    CONSOLE_MAX_TABS =
        256, /* of a source; a further one replaces the tab that was silent longest */
    /* Events of a tab that wait for scripts; beyond this, or after 1 s, they are written anyway. */
    CONSOLE_MAX_QUEUED = 1000,
    CONSOLE_MAX_QUEUED_BYTES = 1 << 20,
    CONSOLE_MAX_INVALID = 100, /* invalid messages in a batch; after them the rest is ignored */
    CONSOLE_MAX_JSON_VALUES = 1000000, /* in a message or batch: each takes about 50 bytes */
};

struct console_hub_options {
    struct console_output_options output;
    bool is_verbose;   /* also reports invalid messages */
    struct loop *loop; /* fetches scripts and their source maps; NULL: source maps are not used */
    const struct policy *policy; /* the rules for fetching; must outlive the hub; NULL: none */
    int max_rate; /* events a second shown of a tab, twice as many warnings and errors; 0: all */
};

/* A sender of the protocol's messages. */
struct console_peer {
    void *data;
    /* Sends it a message, on the hub's thread; an answer must not be lost, other messages may. */
    void (*on_reply)(void *data, uint64_t id, const char *text, bool is_answer);
};

/* NULL when no thread can be started. */
struct console_hub *console_hub_create(const struct console_hub_options *options,
                                       struct br_error *err);

/* Handles all that was posted, then ends. No thread posts any more. NULL is fine. */
void console_hub_destroy(struct console_hub *hub);

/*
 * Sets what is called on the hub's thread when there is room again; it must not call the hub. When
 * this returns, the one before is not called any more. Any thread, as all that follow.
 */
void console_hub_watch_room(struct console_hub *hub, void (*on_room)(void *data), void *data);

/*
 * Adds a source. Connections of a listener use their own ids, other sources ids from
 * CONSOLE_OWN_ID on. `peer` NULL: the source receives no messages.
 */
#define CONSOLE_OWN_ID (UINT64_C(1) << 63)
void console_hub_open(struct console_hub *hub, uint64_t id, const struct console_peer *peer);

/* Posts a message of the protocol, or an array of them; copied. False: pause until on_room. */
bool console_hub_message(struct console_hub *hub, uint64_t id, const char *text, size_t length);

/* Posts an event of about `size` bytes in memory; takes ownership. False as above. */
bool console_hub_event(struct console_hub *hub, uint64_t id, struct console_event *event,
                       size_t size);

/* False while too much waits. */
bool console_hub_has_room(struct console_hub *hub);

/* Removes the source, once its events are written. */
void console_hub_close(struct console_hub *hub, uint64_t id);

#endif
