/* The byte budget of an inbox: who sends much that is not processed is not read meanwhile. */
#include "runner/base/memory.h"
#include "runner/net/inbox.h"
#include "tests/integration/net_socket.h"

#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    MEGABYTE = 1 << 20,
    BUDGET = 4 * MEGABYTE,
    MESSAGES = 24,
    WITHIN = 6, /* the budget, the message that exceeds it, and one that was being read */
    ROUNDS = 50,
};

struct post_box {
    struct net_rig rig;
    struct net_inbox inbox;
    struct message *held[MESSAGES];
    size_t held_count;
    uint64_t heavy; /* connection whose messages are held */
};

static int set_up(void **state)
{
    struct br_error err;
    struct post_box *box = xcalloc(1, sizeof(*box));
    net_rig_start(&box->rig);
    box->inbox = (struct net_inbox){ .mailbox = mailbox_create(0), .max_bytes = BUDGET };
    struct net_listener_options options = net_rig_options(&box->rig, NET_WEBSOCKET);
    box->rig.listener = net_inbox_listen(&box->inbox, box->rig.loop, &options, &err);
    assert_non_null(box->rig.listener);
    box->rig.port = net_listener_port(box->rig.listener);
    *state = box;
    return 0;
}

static void release_held(struct post_box *box)
{
    for (size_t i = 0; i < box->held_count; i++) {
        message_destroy(box->held[i]);
    }
    box->held_count = 0;
}

static int tear_down(void **state)
{
    struct post_box *box = *state;
    net_inbox_close(&box->inbox, TAKE(box->rig.listener), 1000);
    release_held(box); /* a message may be processed after the end */
    mailbox_destroy(box->inbox.mailbox);
    net_rig_finish(&box->rig);
    free(box);
    return 0;
}

/* Returns the next event; holds those of the heavy client, if there is room, and then returns NULL.
 */
static struct net_event *next(struct post_box *box)
{
    struct message *message = mailbox_wait(box->inbox.mailbox, deadline_in_ms(NET_RIG_MS));
    struct net_event *event = (struct net_event *)message;
    assert_non_null(event);
    if (event->kind == NET_MESSAGE && event->connection == box->heavy) {
        assert_true(box->held_count < MESSAGES);
        assert_int_equal(event->length, MEGABYTE);
        box->held[box->held_count++] = message;
        return NULL;
    }
    return event;
}

static void expect(struct post_box *box, enum net_event_kind kind)
{
    struct net_event *event = NULL;
    while (!(event = next(box))) {
    }
    assert_int_equal(event->kind, kind);
    message_destroy(&event->message);
}

/* Sends messages until the other side has gone. */
static void *send_much(void *data)
{
    static const unsigned char head[14] = { 0x80 | NET_TEXT, 0x80 | 127, 0, 0, 0, 0, 0,
                                            MEGABYTE >> 16 };
    size_t length = sizeof(head) + MEGABYTE;
    CLEANUP_FREE char *frame = xmalloc(length);
    memset(frame, 'x', length);
    memcpy(frame, head, sizeof(head));
    for (size_t sent = 0; sent < MESSAGES * length;) {
        size_t at = sent % length;
        ssize_t count = send(*(int *)data, frame + at, length - at, MSG_NOSIGNAL);
        if (count <= 0) {
            break;
        }
        sent += (size_t)count;
    }
    return NULL;
}

static void test_who_sends_too_much_is_read_when_it_was_processed(void **state)
{
    pthread_t thread;
    struct post_box *box = *state;
    int heavy = net_socket_open(&box->rig, "/");
    int light = net_socket_open(&box->rig, "/");
    box->heavy = 1;
    expect(box, NET_OPENED);
    expect(box, NET_OPENED);
    assert_int_equal(pthread_create(&thread, NULL, send_much, &heavy), 0);
    while (box->held_count * MEGABYTE <= BUDGET) {
        assert_null(next(box));
    }
    for (int i = 0; i < ROUNDS; i++) { /* the other client is still heard */
        net_socket_say(light, "hello");
        expect(box, NET_MESSAGE);
    }
    assert_in_range(box->held_count, 1, WITHIN);
    size_t received = 0;
    while (received + box->held_count < MESSAGES) {
        received += box->held_count;
        release_held(box);
        assert_null(next(box));
    }
    pthread_join(thread, NULL);
    close(heavy);
    close(light);
}

static void test_who_leaves_while_it_is_not_read_is_forgotten(void **state)
{
    pthread_t thread;
    struct post_box *box = *state;
    int heavy = net_socket_open(&box->rig, "/");
    box->heavy = 1;
    expect(box, NET_OPENED);
    assert_int_equal(pthread_create(&thread, NULL, send_much, &heavy), 0);
    while (box->held_count * MEGABYTE <= BUDGET) {
        assert_null(next(box));
    }
    net_close(box->rig.listener, 1, 1008, "go");
    expect(box, NET_CLOSED);
    shutdown(heavy, SHUT_RDWR);
    pthread_join(thread, NULL);
    release_held(box);
    box->heavy = 2;
    int other = net_socket_open(&box->rig, "/");
    expect(box, NET_OPENED);
    assert_int_equal(pthread_create(&thread, NULL, send_much, &other), 0);
    for (int i = 0; i < MESSAGES; i++) {
        assert_null(next(box));
        release_held(box);
    }
    pthread_join(thread, NULL);
    close(heavy);
    close(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_who_sends_too_much_is_read_when_it_was_processed,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_who_leaves_while_it_is_not_read_is_forgotten, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
