/* The client side of WebSockets and HTTP, as far as tests need it. */
#ifndef TESTS_INTEGRATION_NET_SOCKET_H
#define TESTS_INTEGRATION_NET_SOCKET_H

#include "tests/integration/net_rig.h"

enum { NET_TEXT = 1, NET_BINARY = 2, NET_CLOSE = 8, NET_PING = 9, NET_PONG = 10 };

struct net_frame {
    bool is_final;
    int opcode;
    size_t length;
    char *payload; /* NUL-terminated; owned */
};

/*
 * Sends a handshake with these headers, each with its "\r
 * ", including the Host.
 */
void net_socket_ask(int fd, const char *path, const char *headers);

/* Returns the status of the response; its text is in `text`. Reads no further than the headers. */
int net_socket_status(int fd, char *text, size_t size);

/* Opens a WebSocket, as a client of the rig. */
int net_socket_open(struct net_rig *rig, const char *path);

/* Sends the request and reads the whole response; returns its status. */
int net_http(int port, const char *request, char *text, size_t size);

/* Appends a frame, or sends it. */
void net_socket_add(struct strbuf *bytes, int opcode, bool is_final, const void *payload,
                    size_t length);
void net_socket_send(int fd, int opcode, bool is_final, const void *bytes, size_t length);
void net_socket_say(int fd, const char *text);

/* Reads a frame; false at the end. Frees the frame's previous payload; initialise it with zeros. */
bool net_socket_read(int fd, struct net_frame *frame);

/*
 * Reads the next message; answers pings. False at the end, and for a close frame, whose status it
 * returns.
 */
bool net_socket_read_message(int fd, struct strbuf *message, int *ret_status);

void net_socket_expect(int fd, const char *message);
void net_socket_expect_close(int fd, int status);

#endif
