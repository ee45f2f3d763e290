#include "tests/integration/net_socket.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void net_socket_ask(int fd, const char *path, const char *headers)
{
    char request[20000];
    int length = snprintf(request, sizeof(request),
                          "GET %s HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                          "Sec-WebSocket-Version: 13\r\n%s\r\n",
                          path, headers);
    assert_in_range(length, 1, sizeof(request) - 1);
    net_client_write(fd, request, (size_t)length);
}

int net_socket_status(int fd, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    while (length < size - 1 && !strstr(text, "\r\n\r\n") &&
           net_client_read(fd, text + length, 1)) {
        text[++length] = '\0';
    }
    return strncmp(text, "HTTP/1.", 7) == 0 ? atoi(text + 9) : 0;
}

int net_socket_open(struct net_rig *rig, const char *path)
{
    char text[1000];
    int fd = net_rig_connect(rig);
    net_socket_ask(fd, path, "Host: localhost\r\n");
    assert_int_equal(net_socket_status(fd, text, sizeof(text)), 101);
    /* RFC 6455, 1.3: the reply to that key. */
    assert_non_null(strstr(text, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
    return fd;
}

int net_http(int port, const char *request, char *text, size_t size)
{
    int fd = net_client_tcp(port);
    net_client_say(fd, request);
    net_client_read_all(fd, text, size);
    close(fd);
    return strncmp(text, "HTTP/1.", 7) == 0 ? atoi(text + 9) : 0;
}

void net_socket_add(struct strbuf *bytes, int opcode, bool is_final, const void *payload,
                    size_t length)
{
    static const unsigned char mask[4] = { 1, 2, 3, 4 };
    unsigned char head[14];
    size_t at = 2;
    head[0] = (unsigned char)(opcode | (is_final ? 0x80 : 0));
    if (length < 126) {
        head[1] = (unsigned char)(0x80 | length);
    } else {
        head[1] = 0x80 | 127;
        for (int i = 7; i >= 0; i--) {
            head[at++] = (unsigned char)((uint64_t)length >> (8 * i));
        }
    }
    memcpy(head + at, mask, 4);
    strbuf_reserve(bytes, at + 4 + length);
    strbuf_add(bytes, head, at + 4);
    char *masked = bytes->data + bytes->length;
    strbuf_add(bytes, payload, length);
    for (size_t i = 0; i < length; i++) {
        masked[i] = (char)(masked[i] ^ mask[i % 4]);
    }
}

void net_socket_send(int fd, int opcode, bool is_final, const void *bytes, size_t length)
{
    CLEANUP_STRBUF struct strbuf frame = STRBUF_INIT(STRBUF_UNCAPPED);
    net_socket_add(&frame, opcode, is_final, bytes, length);
    net_client_write(fd, frame.data, frame.length);
}

void net_socket_say(int fd, const char *text)
{
    net_socket_send(fd, NET_TEXT, true, text, strlen(text));
}

bool net_socket_read(int fd, struct net_frame *frame)
{
    unsigned char head[2];
    unsigned char more[8];
    free(TAKE(frame->payload));
    if (!net_client_read(fd, head, 2)) {
        return false;
    }
    frame->is_final = head[0] & 0x80;
    frame->opcode = head[0] & 0x0F;
    assert_int_equal(head[0] & 0x70, 0);
    frame->length = head[1] & 0x7F;
    assert_int_equal(head[1] & 0x80, 0);
    int count = frame->length == 126 ? 2 : frame->length == 127 ? 8 : 0;
    if (count > 0 && !net_client_read(fd, more, (size_t)count)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        frame->length = (i ? frame->length << 8 : 0) | more[i];
    }
    frame->payload = xcalloc(1, frame->length + 1);
    return net_client_read(fd, frame->payload, frame->length);
}

bool net_socket_read_message(int fd, struct strbuf *message, int *ret_status)
{
    struct net_frame frame = { 0 };
    strbuf_clear(message);
    *ret_status = 0;
    bool is_whole = false;
    while (!is_whole && net_socket_read(fd, &frame)) {
        if (frame.opcode == NET_PING) {
            net_socket_send(fd, NET_PONG, true, frame.payload, frame.length);
        } else if (frame.opcode == NET_CLOSE) {
            *ret_status = frame.length >= 2
                              ? (uint8_t)frame.payload[0] << 8 | (uint8_t)frame.payload[1]
                              : 1005;
            break;
        } else if (frame.opcode != NET_PONG) {
            assert_int_equal(frame.opcode, message->length ? 0 : NET_TEXT);
            strbuf_add(message, frame.payload, frame.length);
            is_whole = frame.is_final;
        }
    }
    free(frame.payload);
    return is_whole;
}

void net_socket_expect(int fd, const char *expected)
{
    struct strbuf message = STRBUF_INIT(STRBUF_UNCAPPED);
    int status = 0;
    bool is_there = net_socket_read_message(fd, &message, &status);
    if (!is_there) {
        print_error("closed with %d instead of \"%s\"\n", status, expected);
    }
    assert_true(is_there);
    assert_string_equal(message.data, expected);
    strbuf_finish(&message);
}

void net_socket_expect_close(int fd, int expected)
{
    struct strbuf message = STRBUF_INIT(STRBUF_UNCAPPED);
    int status = 0;
    while (net_socket_read_message(fd, &message, &status)) {
    }
    assert_int_equal(status, expected);
    strbuf_finish(&message);
}
