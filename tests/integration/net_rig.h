/* A listener on its own loop whose events are logged, and clients for it, in plain C. */
#ifndef TESTS_INTEGRATION_NET_RIG_H
#define TESTS_INTEGRATION_NET_RIG_H

#include "runner/base/strbuf.h"
#include "runner/net/server.h"
#include "tests/slowness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Long enough for any machine: a wait that reaches it is a failure. */
enum { NET_RIG_MS = 60000 };

/* Tolerance for measured times. */
#define NET_SLACK_MS slow_ms(3000)

/* A limit for closing a listener, below that of a connection that does not answer. */
#define NET_END_MS ((int)(slow_ms(1000) < 4000 ? slow_ms(1000) : 4000))

struct net_rig {
    struct loop *loop;
    struct net_listener *listener;
    int port;
    char directory[64];
    char path[80];
    bool echoes;           /* send received messages back as replies */
    bool refuses;          /* refuse connections */
    bool ends;             /* do not close a client that ends */
    pthread_mutex_t mutex; /* guards the log */
    pthread_cond_t changed;
    struct strbuf log; /* "open 1 /path?query\n", "message 1 text\n", "end 1\n", "closed 1\n" */
    pid_t last_pid;    /* of the latest connection */
};

struct net_listener_options net_rig_options(struct net_rig *rig, enum net_framing framing);

void net_rig_start(struct net_rig *rig);
void net_rig_listen(struct net_rig *rig, const struct net_listener_options *options);
void net_rig_finish(struct net_rig *rig);

/* Waits until the log contains the text; fails the test after a timeout. */
void net_rig_await(struct net_rig *rig, const char *text);
void net_rig_await_count(struct net_rig *rig, const char *text, size_t count);
bool net_rig_has(struct net_rig *rig, const char *text);
size_t net_rig_count(struct net_rig *rig, const char *text);
void net_rig_forget(struct net_rig *rig);

/* Waits until the loop has read everything written to it before. */
void net_rig_settle(struct net_rig *rig);

/* Descriptors whose reads wait at most NET_RIG_MS. */
int net_client_unix(const struct net_rig *rig);
int net_client_tcp(int port);
void net_client_write(int fd, const void *bytes, size_t length);
void net_client_say(int fd, const char *text);

/* Reads `length` bytes; false if the other side ends before. */
bool net_client_read(int fd, void *bytes, size_t length);

/* Reads to the end, at most `size` - 1 bytes; -1 if the connection was reset. */
ssize_t net_client_read_all(int fd, char *text, size_t size);

/* Reads a line, without its newline; false at the end. */
bool net_client_read_line(int fd, char *line, size_t size);

#endif
