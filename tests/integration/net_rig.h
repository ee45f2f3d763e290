/*
 * A listener on its own loop, which sends messages back and logs its events, and clients for it, in
 * plain C. A test changes rig->options before net_rig_listen().
 */
#ifndef TESTS_INTEGRATION_NET_RIG_H
#define TESTS_INTEGRATION_NET_RIG_H

#include "runner/base/strbuf.h"
#include "runner/net/server.h"
#include "tests/letters.h"
#include "tests/slowness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/un.h>

#include <cmocka.h>

/* Long enough for any machine: a wait that reaches it is a failure. */
enum { NET_RIG_MS = 60000 };

/* Tolerance for measured times. */
#define NET_SLACK_MS slow_ms(3000)

/* A limit for closing a listener, below that of a connection that does not answer. */
#define NET_END_MS ((int)(slow_ms(1000) < 4000 ? slow_ms(1000) : 4000))

enum { NET_RIG_CLIENTS = 24 };

struct net_rig {
    struct loop *loop;
    struct net_listener_options options;
    struct net_listener *listener;
    int port;
    char directory[64];
    char path[80];
    bool refuses;          /* refuse connections */
    pthread_mutex_t mutex; /* guards the log */
    pthread_cond_t changed;
    struct strbuf log; /* "open 1 /path?query\n", "message 1 text\n", "end 1\n", "closed 1\n" */
    pid_t last_pid;    /* of the latest connection */
    int clients[NET_RIG_CLIENTS]; /* those that net_rig_finish() closes */
    size_t client_count;
};

void net_rig_start(struct net_rig *rig, enum net_framing framing);
void net_rig_listen(struct net_rig *rig);
void net_rig_finish(struct net_rig *rig);

/* Asserts that the options are refused, with these parts of the error's message and hint. */
void net_rig_expect_refusal(struct net_rig *rig, const char *message, const char *hint);

/* Tests whose state is a rig of this framing. */
int net_rig_set_up(void **state);
int net_rig_tear_down(void **state);
#define NET_RIG_TEST(test, name, framing)                                                          \
    {                                                                                              \
        name, test, net_rig_set_up, net_rig_tear_down, (void *)(framing)                           \
    }
#define OVER_WEBSOCKET(test) NET_RIG_TEST(test, #test, (uintptr_t)NET_WEBSOCKET)
#define OVER_LINES(test)     NET_RIG_TEST(test, #test, (uintptr_t)NET_LINES)
#define OVER_BOTH(test)                                                                            \
    NET_RIG_TEST(test, #test " (WebSocket)", (uintptr_t)NET_WEBSOCKET),                            \
        NET_RIG_TEST(test, #test " (lines)", (uintptr_t)NET_LINES)

/* Waits until the log contains the text; fails the test after a timeout. */
void net_rig_await(struct net_rig *rig, const char *text);
void net_rig_await_count(struct net_rig *rig, const char *text, size_t count);
bool net_rig_has(struct net_rig *rig, const char *text);
size_t net_rig_count(struct net_rig *rig, const char *text);

/* Waits until the loop has read everything written to it before. */
void net_rig_settle(struct net_rig *rig);

/*
 * A client: its descriptor, whose reads and writes wait at most NET_RIG_MS. net_rig_finish() closes
 * it unless net_rig_leave() has. The one of net_rig_connect() has only connected; the one of
 * net_rig_open() is ready for messages, as a WebSocket at "/".
 */
int net_rig_connect(struct net_rig *rig);
int net_rig_open(struct net_rig *rig);
void net_rig_leave(struct net_rig *rig, int fd);

/* Messages of a client in the rig's framing. */
void net_rig_add_message(const struct net_rig *rig, struct strbuf *bytes, const char *text);
void net_rig_say(const struct net_rig *rig, int fd, const char *text);

/* Reads a message; false at the end. Gives a closed WebSocket's status, otherwise 0. */
bool net_rig_read(const struct net_rig *rig, int fd, struct strbuf *message, int *ret_status);

void net_rig_expect(const struct net_rig *rig, int fd, const char *message);

/* Asserts that the client is closed, a WebSocket with this status. */
void net_rig_expect_end(const struct net_rig *rig, int fd, int status);

/* Says a text and expects it back. */
void net_rig_expect_echo(const struct net_rig *rig, int fd, const char *text);

/* The rig's path as an address. */
struct sockaddr_un net_rig_address(const struct net_rig *rig);

/* A socket that listens at a free port of this IPv4 address. */
int net_listening_tcp(uint32_t address);

/* As for a client of a rig; the caller closes it. */
int net_client_tcp(int port);
void net_client_write(int fd, const void *bytes, size_t length);
void net_client_say(int fd, const char *text);

/* Reads `length` bytes; false if the other side ends before. */
bool net_client_read(int fd, void *bytes, size_t length);

/* Reads to the end, at most `size` - 1 bytes; -1 if the connection was reset. */
ssize_t net_client_read_all(int fd, char *text, size_t size);

#endif
