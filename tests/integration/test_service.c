/* The byte budget of a service: a client over it is not read until messages are processed. */
#include "runner/base/memory.h"
#include "runner/loop/mailbox.h"
#include "runner/net/service.h"
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

enum kind { OPENED, MESSAGE, CLOSED };

/* The events that the service received, for the test's thread. */
struct note {
    struct message message;
    enum kind kind;
    uint64_t connection;
    size_t length;
    struct net_charge *charge;
};

struct post_box {
    struct net_rig rig;
    struct service *service;
    struct mailbox *notes;
    struct message *held[MESSAGES];
    size_t held_count;
    uint64_t heavy; /* connection whose messages are held */
    int insistent;  /* socket of a client that sends a message while another is being returned */
    int returned;
};

static void destroy_note(struct message *message)
{
    net_charge_release(((struct note *)message)->charge);
    free(message);
}

static void post(struct service_client *client, enum kind kind, size_t length,
                 struct net_charge *charge)
{
    struct post_box *box = client->data;
    struct note *note = xcalloc(1, sizeof(*note));
    *note = (struct note){ .message = { .destroy = destroy_note },
                           .kind = kind,
                           .connection = client->connection,
                           .length = length,
                           .charge = charge };
    mailbox_post(box->notes, &note->message);
}

static void on_opened(struct service_client *client, const char *query)
{
    (void)query;
    post(client, OPENED, 0, NULL);
}

static void on_message(struct service_client *client, struct service_message *message)
{
    post(client, MESSAGE, message->length, TAKE(message->charge));
}

static void on_closed(struct service_client *client)
{
    post(client, CLOSED, 0, NULL);
}

static struct deadline on_tick(void *data)
{
    (void)data;
    return DEADLINE_NEVER;
}

static const struct service_type type = {
    .client_size = sizeof(struct service_client),
    .max_bytes = BUDGET,
    .on_opened = on_opened,
    .on_message = on_message,
    .on_closed = on_closed,
};

/* Requests: long ones are held, short ones are answered with their header. */
static void on_body(struct service_client *client, struct service_message *body)
{
    if (body->length < MEGABYTE) {
        struct net_answer answer = { .status = 200,
                                     .content_type = "text/plain",
                                     .body = STRBUF_INIT(STRBUF_UNCAPPED) };
        strbuf_add_format(&answer.body, "%s, said %s", body->text,
                          body->headers[1] ? "twice" : body->headers[0]);
        service_answer(client, &answer);
    }
    post(client, MESSAGE, body->length, TAKE(body->charge));
}

static void on_request(void *data, const struct net_request *request, struct net_answer *answer)
{
    (void)data;
    answer->is_later = strcmp(request->path, "/post") == 0;
}

static const char *const header_names[] = { "x-voice:", "x-other:", NULL };

static const struct service_type type_of_requests = {
    .client_size = sizeof(struct service_client),
    .max_bytes = BUDGET,
    .on_opened = on_opened,
    .on_message = on_body,
    .on_closed = on_closed,
    .on_request = on_request,
    .takes_bodies = true,
    .headers = header_names,
};

static void return_unread(struct service_port *port, uint64_t connection,
                          const struct service_message *message)
{
    net_send(service_listener(port), connection, message->text, message->length, NET_REPLY);
}

static const struct service_type type_of_unread = {
    .client_size = sizeof(struct service_client),
    .max_bytes = BUDGET,
    .on_message = on_message,
    .on_unread = return_unread,
};

/* Waits until the server has received so many messages, which the service does not handle. */
static void await_received(struct post_box *box, int count)
{
    char text[8192];
    CLEANUP_FREE char *metric = xasprintf("messages_received_total{listener=\"rig\"} %d\n", count);
    struct deadline deadline = deadline_in_ms(NET_RIG_MS);
    do {
        assert_false(deadline_passed(deadline));
        assert_int_equal(net_http(box->rig.port, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n",
                                  text, sizeof(text)),
                         200);
    } while (!strstr(text, metric));
}

static void receive_another(struct service_port *port, uint64_t connection,
                            const struct service_message *message)
{
    (void)connection;
    (void)message;
    struct post_box *box = service_clients(port)->data;
    box->returned++;
    if (box->returned < MESSAGES) { /* at some time the test fails */
        net_socket_say(box->insistent, "another");
        await_received(box, box->returned + 1);
    }
}

static const struct service_type type_of_insistent = {
    .client_size = sizeof(struct service_client),
    .max_bytes = BUDGET,
    .on_opened = on_opened,
    .on_message = on_message,
    .on_unread = receive_another,
};

/* Its events wait until service_begin(). */
static struct post_box *open_box(const struct service_type *kind)
{
    struct br_error err;
    struct post_box *box = xcalloc(1, sizeof(*box));
    net_rig_start(&box->rig, NET_WEBSOCKET);
    box->notes = mailbox_create(0);
    box->service = service_create(box->rig.loop, on_tick, box);
    struct service_port *port = service_listen(box->service, kind, &box->rig.options, &err);
    assert_non_null(port);
    box->rig.listener = service_listener(port);
    box->rig.port = net_listener_port(box->rig.listener);
    return box;
}

static int begin(void **state, const struct service_type *kind)
{
    struct br_error err;
    struct post_box *box = open_box(kind);
    assert_true(service_begin(box->service, &err));
    *state = box;
    return 0;
}

static int set_up(void **state)
{
    return begin(state, &type);
}

static int set_up_requests(void **state)
{
    return begin(state, &type_of_requests);
}

static int set_up_insistent(void **state)
{
    return begin(state, &type_of_insistent);
}

static void release_held(struct post_box *box)
{
    for (size_t i = 0; i < box->held_count; i++) {
        message_destroy(box->held[i]);
    }
    box->held_count = 0;
}

static void close_service(struct post_box *box)
{
    box->rig.listener = NULL;
    service_end(box->service);
    service_destroy(TAKE(box->service), 1000);
}

static int set_up_unread(void **state)
{
    *state = open_box(&type_of_unread);
    return 0;
}

static int set_up_unread_requests(void **state)
{
    *state = open_box(&type_of_requests);
    return 0;
}

static int tear_down(void **state)
{
    struct post_box *box = *state;
    close_service(box);
    release_held(box); /* a message may be processed after the end */
    mailbox_destroy(box->notes);
    net_rig_finish(&box->rig);
    free(box);
    return 0;
}

/* Returns the next note; holds those of the heavy client, if there is room, and then returns NULL.
 */
static struct note *next(struct post_box *box)
{
    struct message *message = mailbox_wait(box->notes, deadline_in_ms(NET_RIG_MS));
    struct note *note = (struct note *)message;
    assert_non_null(note);
    if (note->kind == MESSAGE && note->connection == box->heavy) {
        assert_true(box->held_count < MESSAGES);
        assert_int_equal(note->length, MEGABYTE);
        box->held[box->held_count++] = message;
        return NULL;
    }
    return note;
}

static void expect(struct post_box *box, enum kind kind)
{
    struct note *note = NULL;
    while (!(note = next(box))) {
    }
    assert_int_equal(note->kind, kind);
    message_destroy(&note->message);
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
    expect(box, OPENED);
    expect(box, OPENED);
    assert_int_equal(pthread_create(&thread, NULL, send_much, &heavy), 0);
    while (box->held_count * MEGABYTE <= BUDGET) {
        assert_null(next(box));
    }
    for (int i = 0; i < ROUNDS; i++) { /* the other client is still heard */
        net_socket_say(light, "hello");
        expect(box, MESSAGE);
    }
    assert_in_range(box->held_count, 1, WITHIN);
    size_t received = 0;
    while (received + box->held_count < MESSAGES) {
        received += box->held_count;
        release_held(box);
        assert_null(next(box));
    }
    pthread_join(thread, NULL);
    net_rig_leave(&box->rig, heavy);
    net_rig_leave(&box->rig, light);
}

static void test_who_leaves_while_it_is_not_read_is_forgotten(void **state)
{
    pthread_t thread;
    struct post_box *box = *state;
    int heavy = net_socket_open(&box->rig, "/");
    box->heavy = 1;
    expect(box, OPENED);
    assert_int_equal(pthread_create(&thread, NULL, send_much, &heavy), 0);
    while (box->held_count * MEGABYTE <= BUDGET) {
        assert_null(next(box));
    }
    net_close(box->rig.listener, 1, 1008, "go");
    expect(box, CLOSED);
    shutdown(heavy, SHUT_RDWR);
    pthread_join(thread, NULL);
    release_held(box);
    box->heavy = 2;
    int other = net_socket_open(&box->rig, "/");
    expect(box, OPENED);
    assert_int_equal(pthread_create(&thread, NULL, send_much, &other), 0);
    for (int i = 0; i < MESSAGES; i++) {
        assert_null(next(box));
        release_held(box);
    }
    pthread_join(thread, NULL);
    net_rig_leave(&box->rig, heavy);
    net_rig_leave(&box->rig, other);
}

static void test_a_request_with_a_body_is_a_client(void **state)
{
    static const char small[] = "POST /post HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                                "X-Voice: softly\r\nContent-Length: 5\r\n\r\nhello";
    char text[4096];
    struct post_box *box = *state;
    size_t size = BUDGET + MEGABYTE;
    CLEANUP_FREE char *body = xmalloc(size);
    memset(body, 'x', size);
    int large = net_client_tcp(box->rig.port);
    CLEANUP_FREE char *head =
        xasprintf("POST /post HTTP/1.1\r\nHost: localhost\r\nContent-Length: %zu\r\n\r\n", size);
    net_client_say(large, head);
    net_client_write(large, body, size);
    expect(box, OPENED);
    struct message *held = mailbox_wait(box->notes, deadline_in_ms(NET_RIG_MS));
    assert_non_null(held);
    assert_int_equal(((struct note *)held)->length, size);
    /* The loop is free, and says that no more can be read. */
    assert_int_equal(net_http(box->rig.port, small, text, sizeof(text)), 503);
    assert_non_null(strstr(text, "Retry-After: 1"));
    message_destroy(held);
    assert_int_equal(net_http(box->rig.port, small, text, sizeof(text)), 200);
    assert_non_null(strstr(text, "hello, said softly"));
    expect(box, OPENED);
    expect(box, MESSAGE);
    expect(box, CLOSED);
    close(large); /* before it is answered */
    expect(box, CLOSED);
    int socket = net_client_tcp(box->rig.port);
    net_socket_ask(socket, "/post", "Host: localhost\r\n");
    assert_int_not_equal(net_socket_status(socket, text, sizeof(text)), 101);
    close(socket);
}

static void *close_on_thread(void *data)
{
    close_service(data);
    return NULL;
}

static void test_messages_that_were_not_read_can_be_answered(void **state)
{
    pthread_t thread;
    struct post_box *box = *state;
    int client = net_socket_open(&box->rig, "/");
    net_socket_say(client, "one");
    net_socket_say(client, "two");
    await_received(box, 2);
    assert_int_equal(pthread_create(&thread, NULL, close_on_thread, box), 0);
    net_socket_expect(client, "one");
    net_socket_expect(client, "two");
    net_socket_expect_close(client, 1001);
    close(client);
    pthread_join(thread, NULL);
}

static void test_a_client_that_goes_on_sending_does_not_delay_the_end(void **state)
{
    struct post_box *box = *state;
    box->insistent = net_socket_open(&box->rig, "/");
    expect(box, OPENED);
    service_end(box->service);
    net_socket_say(box->insistent, "first");
    await_received(box, 1);
    box->rig.listener = NULL;
    service_destroy(TAKE(box->service), 0);
    assert_int_equal(box->returned, 1);
    close(box->insistent);
}

static void test_a_request_that_was_not_read_gets_a_status(void **state)
{
    char text[4096];
    pthread_t thread;
    struct post_box *box = *state;
    int client = net_client_tcp(box->rig.port);
    net_client_say(client,
                   "POST /post HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello");
    net_rig_settle(&box->rig);
    assert_int_equal(pthread_create(&thread, NULL, close_on_thread, box), 0);
    assert_true(net_client_read_all(client, text, sizeof(text)) > 0);
    assert_ptr_equal(strstr(text, "HTTP/1.1 503 "), text);
    assert_null(strstr(text, "Retry-After")); /* it may have been carried out */
    assert_non_null(strstr(text, "\r\n\r\nthe server is shutting down; the request may have been "
                                 "carried out\n"));
    close(client);
    pthread_join(thread, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_who_sends_too_much_is_read_when_it_was_processed,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_who_leaves_while_it_is_not_read_is_forgotten, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_a_request_with_a_body_is_a_client, set_up_requests,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_messages_that_were_not_read_can_be_answered,
                                        set_up_unread, tear_down),
        cmocka_unit_test_setup_teardown(test_a_client_that_goes_on_sending_does_not_delay_the_end,
                                        set_up_insistent, tear_down),
        cmocka_unit_test_setup_teardown(test_a_request_that_was_not_read_gets_a_status,
                                        set_up_unread_requests, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
