/*
 * Names and their addresses. The system's resolver supports no deadline, so each question to it has
 * a thread of its own, which may outlive the caller.
 */
#ifndef RUNNER_NET_LOOKUP_H
#define RUNNER_NET_LOOKUP_H

#include "runner/base/clock.h"

enum { LOOKUP_MAX_ADDRESSES = 8, LOOKUP_ADDRESS_LENGTH = 100 };

struct lookup_addresses {
    size_t count;
    char items[LOOKUP_MAX_ADDRESSES][LOOKUP_ADDRESS_LENGTH + 1]; /* numeric, as they are sorted */
};

struct lookup;

/*
 * Asks for the addresses of a host; flags: of getaddrinfo(). When there is an answer, calls on_done
 * on another thread, which must not block or use lookups; NULL: no call. Returns NULL if no thread
 * can be started.
 */
struct lookup *lookup_start(const char *host, int flags, void (*on_done)(void *data), void *data);

/* Returns false if there is no answer at the deadline. */
bool lookup_wait(struct lookup *lookup, struct deadline deadline);

/* Gives the answer, which has come. Returns what getaddrinfo() has returned. */
int lookup_answer(struct lookup *lookup, struct lookup_addresses *ret_addresses);

/*
 * Ends the lookup. Returns true if on_done was called; otherwise on_done is never called.
 */
bool lookup_release(struct lookup *lookup);

/*
 * Applies the value of Chrome's --host-resolver-rules to a name, as Chrome does: "MAP *.example
 * 127.0.0.1, EXCLUDE a.example". Changes the port if the mapping names one. Sets the host to "" if
 * it must not resolve. mapping NULL: none.
 */
void lookup_map(const char *mapping, char *host, size_t size, int *port);

#endif
