/*
 * The way out: a SOCKS5 client in plain C, the real loop, and servers that record their
 * connections.
 */
#include "runner/base/clock.h"
#include "runner/base/thread.h"
#include "runner/net/way_out.h"
#include "tests/integration/net_rig.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SUCCEEDED = 0, FAILED = 1, NOT_ALLOWED = 2, UNREACHABLE = 4, BAD_COMMAND = 7 };

/* Sends back what it receives. One connection at a time. */
struct echo {
    int fd, port;
    pthread_t thread;
    int accepted;
};

struct rig {
    struct loop *loop;
    struct way_out *way_out;
    struct policy *policy;
    struct echo echo;
};

static void *serve(void *data)
{
    struct echo *echo = data;
    char bytes[65536];
    for (int client; (client = accept(echo->fd, NULL, NULL)) >= 0; close(client)) {
        __atomic_add_fetch(&echo->accepted, 1, __ATOMIC_SEQ_CST);
        for (ssize_t count; (count = recv(client, bytes, sizeof(bytes), 0)) > 0;) {
            net_client_write(client, bytes, (size_t)count);
        }
    }
    return NULL;
}

static void echo_start(struct echo *echo)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof(at);
    echo->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(echo->fd, (struct sockaddr *)&at, length), 0);
    assert_int_equal(listen(echo->fd, 16), 0);
    assert_int_equal(getsockname(echo->fd, (struct sockaddr *)&at, &length), 0);
    echo->port = ntohs(at.sin_port);
    assert_int_equal(thread_start(&echo->thread, serve, echo), 0);
}

static void echo_finish(struct echo *echo)
{
    shutdown(echo->fd, SHUT_RDWR);
    pthread_join(echo->thread, NULL);
    close(echo->fd);
}

static int set_up(void **state)
{
    struct br_error err;
    struct rig *rig = xcalloc(1, sizeof(*rig));
    echo_start(&rig->echo);
    rig->loop = loop_create(false, &err);
    assert_non_null(rig->loop);
    *state = rig;
    return 0;
}

static int tear_down(void **state)
{
    struct rig *rig = *state;
    way_out_close(rig->way_out);
    policy_destroy(rig->policy);
    loop_destroy(rig->loop);
    echo_finish(&rig->echo);
    free(rig);
    return 0;
}

/* With one rule each; NULL: none. */
static void begin(struct rig *rig, const char *allow, const char *deny, const char *mapping)
{
    struct br_error err;
    const char *allowed[] = { allow, NULL };
    const char *denied[] = { deny, NULL };
    struct br_policy rules = { .allow = allow ? allowed : NULL, .deny = deny ? denied : NULL };
    assert_true(policy_create(&rules, &rig->policy, &err));
    rig->way_out = way_out_open(rig->loop, mapping, &err);
    assert_non_null(rig->way_out);
    way_out_rules_add(way_out_rules(rig->way_out), rig->policy);
}

static int greet(struct rig *rig)
{
    char answer[2];
    int fd = net_client_tcp(way_out_port(rig->way_out));
    net_client_write(fd, "\5\1\0", 3);
    assert_true(net_client_read(fd, answer, 2));
    assert_memory_equal(answer, "\5\0", 2);
    return fd;
}

static void ask(int fd, int command, const char *host, int port)
{
    unsigned char request[300] = { 5, (unsigned char)command, 0, 3 };
    size_t length = strlen(host);
    struct in6_addr address;
    if (inet_pton(AF_INET, host, &address) == 1) {
        request[3] = 1;
        memcpy(request + 4, &address, length = 4);
    } else if (inet_pton(AF_INET6, host, &address) == 1) {
        request[3] = 4;
        memcpy(request + 4, &address, length = 16);
    } else {
        request[4] = (unsigned char)length;
        memcpy(request + 5, host, length++);
    }
    request[4 + length] = (unsigned char)(port >> 8);
    request[5 + length] = (unsigned char)port;
    net_client_write(fd, request, 6 + length);
}

/* Returns the code of the reply; -1: the connection ended without one. */
static int answer_of(int fd)
{
    unsigned char answer[10];
    return net_client_read(fd, answer, sizeof(answer)) ? answer[1] : -1;
}

static int try_host(struct rig *rig, const char *host, int port)
{
    int fd = greet(rig);
    ask(fd, 1, host, port);
    int code = answer_of(fd);
    close(fd);
    return code;
}

static void test_what_is_allowed_gets_through_both_ways(void **state)
{
    struct rig *rig = *state;
    enum { SIZE = 8 << 20 };
    begin(rig, "127.0.0.1", NULL, NULL);
    int fd = greet(rig);
    ask(fd, 1, "127.0.0.1", rig->echo.port);
    assert_int_equal(answer_of(fd), SUCCEEDED);
    CLEANUP_FREE char *sent = xmalloc(SIZE);
    CLEANUP_FREE char *got = xmalloc(SIZE);
    for (size_t i = 0; i < SIZE; i++) {
        sent[i] = (char)(i * 7 + i / 251);
    }
    /*
     * More than all buffers hold while the test does not read: a full side waits, nothing is lost.
     */
    for (size_t at = 0, read = 0; read < SIZE;) {
        ssize_t count = at < SIZE ? send(fd, sent + at, SIZE - at, MSG_DONTWAIT) : -1;
        at += count > 0 ? (size_t)count : 0;
        size_t part = at - read < 65536 ? at - read : 65536;
        if (count <= 0 && part > 0) {
            assert_true(net_client_read(fd, got + read, part));
            read += part;
        }
    }
    assert_memory_equal(sent, got, SIZE);
    close(fd);
}

/* An answer that comes after the end of the request, and one that comes before it. */
static void test_who_stops_sending_is_still_answered(void **state)
{
    struct rig *rig = *state;
    char answer[8];
    begin(rig, "*", NULL, NULL);
    int fd = greet(rig);
    ask(fd, 1, "127.0.0.1", rig->echo.port);
    assert_int_equal(answer_of(fd), SUCCEEDED);
    net_client_write(fd, "hello", 5);
    assert_int_equal(shutdown(fd, SHUT_WR), 0);
    assert_true(net_client_read(fd, answer, 5));
    assert_memory_equal(answer, "hello", 5);
    assert_false(net_client_read(fd, answer, 1));
    close(fd);

    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof(at);
    int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(server, (struct sockaddr *)&at, length), 0);
    assert_int_equal(listen(server, 1), 0);
    assert_int_equal(getsockname(server, (struct sockaddr *)&at, &length), 0);
    fd = greet(rig);
    ask(fd, 1, "127.0.0.1", ntohs(at.sin_port));
    assert_int_equal(answer_of(fd), SUCCEEDED);
    int early = accept(server, NULL, NULL);
    net_client_write(early, "early", 5);
    assert_int_equal(shutdown(early, SHUT_WR), 0);
    assert_true(net_client_read(fd, answer, 5));
    assert_false(net_client_read(fd, answer, 1));
    net_client_write(fd, "the rest", 8);
    assert_true(net_client_read(early, answer, 8));
    assert_memory_equal(answer, "the rest", 8);
    close(fd);
    assert_false(net_client_read(early, answer, 1));
    close(early);
    close(server);
}

static void test_a_server_that_ends_ends_its_client(void **state)
{
    struct rig *rig = *state;
    begin(rig, "127.0.0.1", NULL, NULL);
    int fd = greet(rig);
    ask(fd, 1, "127.0.0.1", rig->echo.port);
    assert_int_equal(answer_of(fd), SUCCEEDED);
    net_client_write(fd, "last", 4);
    shutdown(fd, SHUT_WR); /* the half-close reaches the server, and comes back after its data */
    char text[8];
    assert_true(net_client_read_all(fd, text, sizeof(text)) >= 0);
    close(fd);
}

static void test_rules_decide_by_host_and_port(void **state)
{
    struct rig *rig = *state;
    struct br_error why;
    CLEANUP_FREE char *rule = xasprintf("http://127.0.0.1:%d", rig->echo.port);
    begin(rig, rule, NULL, NULL);
    assert_int_equal(try_host(rig, "127.0.0.1", rig->echo.port), SUCCEEDED);
    assert_int_equal(try_host(rig, "127.0.0.1", rig->echo.port + 1), NOT_ALLOWED);
    assert_int_equal(try_host(rig, "localhost", rig->echo.port), NOT_ALLOWED);
    assert_int_equal(try_host(rig, "example.org", 443), NOT_ALLOWED);
    assert_int_equal(try_host(rig, "example.org", 443), NOT_ALLOWED);
    /* The server may accept after its client is connected. */
    int64_t end_ms = clock_monotonic_ms() + NET_RIG_MS;
    while (__atomic_load_n(&rig->echo.accepted, __ATOMIC_SEQ_CST) == 0 &&
           clock_monotonic_ms() < end_ms) {
        usleep(10000);
    }
    assert_int_equal(__atomic_load_n(&rig->echo.accepted, __ATOMIC_SEQ_CST), 1);
    /* Each refusal is returned once, with its rule. */
    assert_true(way_out_rules_take_refusal(way_out_rules(rig->way_out), &why));
    assert_int_equal(why.code, BR_POLICY_DENIED);
    assert_non_null(strstr(why.message, "⟨allow⟩"));
    assert_true(way_out_rules_take_refusal(way_out_rules(rig->way_out), &why));
    assert_true(way_out_rules_take_refusal(way_out_rules(rig->way_out), &why));
    assert_non_null(strstr(why.message, "example.org"));
    assert_false(way_out_rules_take_refusal(way_out_rules(rig->way_out), &why));
    assert_true(
        way_out_rules_explain(way_out_rules(rig->way_out), "https://example.org/path?query", &why));
    assert_int_equal(why.code, BR_POLICY_DENIED);
    /* Another port, another host with the refused one in its name or its query. */
    const char *const others[] = { "http://example.org/", "https://notexample.org/",
                                   "https://elsewhere.example/?to=https://example.org/" };
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        assert_false(way_out_rules_explain(way_out_rules(rig->way_out), others[i], &why));
    }
}

static void test_the_address_is_judged_that_a_name_leads_to(void **state)
{
    struct rig *rig = *state;
    static const char mapping[] =
        "EXCLUDE out.public.example, MAP *.public.example 127.0.0.1, MAP gone.example ^NOTFOUND, "
        "MAP mapped.example [::ffff:127.0.0.1], MAP here.example 10.0.0.1";
    begin(rig, NULL, "private", mapping);
    const char *const hosts[] = { "a.public.example",
                                  "mapped.example",
                                  "here.example",
                                  "localhost",
                                  "sub.localhost",
                                  "127.0.0.1",
                                  "::1",
                                  "::ffff:127.0.0.1",
                                  "0.0.0.0",
                                  "169.254.169.254",
                                  "0x7f.1",
                                  "2130706433",
                                  "printer",
                                  "::ffff:7f00:1",
                                  "64:ff9b::127.0.0.1" };
    for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
        if (try_host(rig, hosts[i], rig->echo.port) != NOT_ALLOWED) {
            fail_msg("%s gets out", hosts[i]);
        }
    }
    assert_int_not_equal(try_host(rig, "gone.example", rig->echo.port), SUCCEEDED);
    assert_int_equal(__atomic_load_n(&rig->echo.accepted, __ATOMIC_SEQ_CST), 0);
}

static void test_a_name_that_is_allowed_may_be_private(void **state)
{
    struct rig *rig = *state;
    const char *const allowed[] = { "a.public.example", "*", NULL };
    const char *const denied[] = { "private", NULL };
    struct br_policy rules = { .allow = allowed, .deny = denied };
    struct br_error err;
    assert_true(policy_create(&rules, &rig->policy, &err));
    rig->way_out = way_out_open(rig->loop, "MAP *.public.example 127.0.0.1", &err);
    way_out_rules_add(way_out_rules(rig->way_out), rig->policy);
    assert_int_equal(try_host(rig, "a.public.example", rig->echo.port), SUCCEEDED);
    assert_int_equal(try_host(rig, "b.public.example", rig->echo.port), NOT_ALLOWED);
}

/* Returns whether what is sent comes back. */
static bool is_echoed(struct rig *rig, const char *bytes, size_t length)
{
    char answer[8] = "";
    int fd = greet(rig);
    ask(fd, 1, "127.0.0.1", rig->echo.port);
    assert_int_equal(answer_of(fd), SUCCEEDED);
    net_client_write(fd, bytes, length);
    bool is_echoed = net_client_read(fd, answer, length) && memcmp(answer, bytes, length) == 0;
    close(fd);
    return is_echoed;
}

static void test_the_scheme_is_judged_by_the_first_byte(void **state)
{
    struct rig *rig = *state;
    const char *const schemes[] = { "https", "data", NULL };
    struct br_policy rules = { .schemes = schemes };
    struct br_error why;
    assert_true(policy_create(&rules, &rig->policy, &why));
    rig->way_out = way_out_open(rig->loop, NULL, &why);
    way_out_rules_add(way_out_rules(rig->way_out), rig->policy);
    assert_int_equal(try_host(rig, "127.0.0.1", 80), NOT_ALLOWED);
    assert_true(is_echoed(rig, "\x16\x03\x01", 3));
    assert_false(is_echoed(rig, "GET", 3));
    assert_true(way_out_rules_take_refusal(way_out_rules(rig->way_out), &why));
    assert_true(way_out_rules_take_refusal(way_out_rules(rig->way_out), &why));
    assert_non_null(strstr(why.message, "⟨schemes⟩"));
}

static void test_silent_clients_do_not_keep_others_out(void **state)
{
    enum { TUNNELS = 1024 };
    struct rig *rig = *state;
    static int silent[TUNNELS];
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    if (limit.rlim_cur < 3 * TUNNELS) { /* both ends of each, and of its server */
        limit.rlim_cur = limit.rlim_max < 3 * TUNNELS ? limit.rlim_max : 3 * TUNNELS;
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    }
    begin(rig, "127.0.0.1", NULL, NULL);
    for (size_t i = 0; i < TUNNELS; i++) {
        silent[i] = net_client_tcp(way_out_port(rig->way_out));
    }
    assert_int_equal(try_host(rig, "127.0.0.1", rig->echo.port), SUCCEEDED);
    char byte;
    assert_int_equal(recv(silent[0], &byte, 1, 0), 0); /* the oldest was ended */
    for (size_t i = 0; i < TUNNELS; i++) {
        close(silent[i]);
    }
}

static void test_clients_are_turned_away_without_descriptors(void **state)
{
    struct rig *rig = *state;
    struct rlimit before;
    char byte;
    begin(rig, "127.0.0.1", NULL, NULL);
    int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in to = { .sin_family = AF_INET,
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                              .sin_port = htons((uint16_t)way_out_port(rig->way_out)) };
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    struct rlimit none = { .rlim_cur = 0, .rlim_max = before.rlim_max };
    /* New descriptors need a number below the limit, of which only the spare one becomes free. */
    none.rlim_cur = (rlim_t)client + 1;
    int filler[64];
    size_t count = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    while (count < 64 && (filler[count] = dup(client)) >= 0) {
        count++;
    }
    assert_int_equal(connect(client, (struct sockaddr *)&to, sizeof(to)), 0);
    assert_int_equal(recv(client, &byte, 1, 0), 0);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    while (count > 0) {
        close(filler[--count]);
    }
    close(client);
    assert_int_equal(try_host(rig, "127.0.0.1", rig->echo.port), SUCCEEDED);
}

static void test_nobody_gets_out_without_a_user(void **state)
{
    struct rig *rig = *state;
    begin(rig, NULL, "example.org", NULL);
    assert_int_equal(try_host(rig, "127.0.0.1", rig->echo.port), SUCCEEDED);
    way_out_rules_remove(way_out_rules(rig->way_out), rig->policy);
    assert_int_equal(try_host(rig, "127.0.0.1", rig->echo.port), NOT_ALLOWED);
    way_out_rules_add(way_out_rules(rig->way_out), NULL); /* a user without rules */
    assert_int_equal(try_host(rig, "127.0.0.1", rig->echo.port), SUCCEEDED);
}

static void test_it_does_not_lead_to_itself(void **state)
{
    struct rig *rig = *state;
    begin(rig, "127.0.0.1", NULL, NULL);
    assert_int_equal(try_host(rig, "127.0.0.1", way_out_port(rig->way_out)), NOT_ALLOWED);
}

static void test_what_cannot_be_reached_says_so(void **state)
{
    struct rig *rig = *state;
    begin(rig, NULL, "example.org", NULL);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); /* an unused port */
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof(at);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, length), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &length), 0);
    assert_int_equal(try_host(rig, "127.0.0.1", ntohs(at.sin_port)), UNREACHABLE);
    assert_int_equal(try_host(rig, "no-such-name.invalid", 80), UNREACHABLE);
    close(fd);
}

static void test_what_is_no_socks_is_hung_up_on(void **state)
{
    struct rig *rig = *state;
    begin(rig, "127.0.0.1", NULL, NULL);
    static const struct {
        const char *bytes;
        size_t length;
    } greetings[] = {
        { "GET / HTTP/1.1\r\nHost: x\r\n\r\n", 27 },
        { "\x16\x03\x01\x02\x00", 5 },
        { "\4\1\0\120\177\0\0\1\0", 9 },
        { "\5\1\2", 3 },       /* only login is offered */
        { "\5\0", 2 },         /* no method offered */
        { "\5\1\0\5\1\0", 6 }, /* the request before the reply */
    };
    char text[64];
    for (size_t i = 0; i < sizeof(greetings) / sizeof(greetings[0]); i++) {
        int fd = net_client_tcp(way_out_port(rig->way_out));
        net_client_write(fd, greetings[i].bytes, greetings[i].length);
        net_client_read_all(fd, text, sizeof(text)); /* the connection ends */
        close(fd);
    }
    int fd = greet(rig);
    ask(fd, 2, "127.0.0.1", rig->echo.port); /* BIND */
    assert_int_equal(answer_of(fd), BAD_COMMAND);
    close(fd);
    const char *const hosts[] = { "",         "a b", "exa\nmple.org", "[::1",
                                  "\xff\xfe", "a/b", "u@127.0.0.1" };
    for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
        assert_int_equal(try_host(rig, hosts[i], rig->echo.port), FAILED);
    }
    fd = greet(rig);
    net_client_write(fd, "\5\1\0\3\x09loc\0lhost\0\x50", 16); /* a NUL in the name */
    assert_int_equal(answer_of(fd), FAILED);
    close(fd);
    fd = greet(rig);
    net_client_write(fd, "\5\1\7\1\177\0\0\1\0\120", 10);
    assert_int_equal(answer_of(fd), FAILED);
    close(fd);
    assert_int_equal(__atomic_load_n(&rig->echo.accepted, __ATOMIC_SEQ_CST), 0);
}

static void test_bytes_may_come_one_by_one(void **state)
{
    struct rig *rig = *state;
    begin(rig, "127.0.0.1", NULL, NULL);
    unsigned char request[] = { 5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 1, 0, 0 };
    request[11] = (unsigned char)(rig->echo.port >> 8);
    request[12] = (unsigned char)rig->echo.port;
    char answer[2];
    int fd = net_client_tcp(way_out_port(rig->way_out));
    for (size_t i = 0; i < sizeof(request); i++) {
        net_client_write(fd, request + i, 1);
        loop_flush(rig->loop);
        if (i == 2) {
            assert_true(net_client_read(fd, answer, 2));
        }
    }
    assert_int_equal(answer_of(fd), SUCCEEDED);
    close(fd);
}

static size_t open_descriptors(void)
{
    size_t count = 0;
    DIR *directory = opendir("/proc/self/fd");
    while (readdir(directory)) {
        count++;
    }
    closedir(directory);
    return count;
}

static void print_descriptors(void)
{
    DIR *directory = opendir("/proc/self/fd");
    for (struct dirent *entry; (entry = readdir(directory));) {
        char link[256] = "";
        ssize_t length = readlinkat(dirfd(directory), entry->d_name, link, sizeof(link) - 1);
        print_error("descriptor %s: %.*s\n", entry->d_name, length > 0 ? (int)length : 0, link);
    }
    closedir(directory);
}

/* With pending lookups and connections, and more clients than the limit. */
static void test_closing_leaves_nothing(void **state)
{
    struct rig *rig = *state;
    enum { CLIENTS = 20 };
    int clients[CLIENTS];
    begin(rig, NULL, "example.org", NULL);
    way_out_close(TAKE(rig->way_out)); /* after this the loop has what it opens at its start */
    policy_destroy(TAKE(rig->policy));
    size_t before = open_descriptors();
    begin(rig, NULL, "example.org", NULL);
    for (size_t i = 0; i < CLIENTS; i++) {
        clients[i] = greet(rig);
        CLEANUP_FREE char *name = xasprintf("name-%zu.invalid", i);
        if (i % 2) {
            ask(clients[i], 1, name, 80);
        }
    }
    way_out_close(TAKE(rig->way_out));
    for (size_t i = 0; i < CLIENTS; i++) {
        char text[16];
        net_client_read_all(clients[i], text, sizeof(text));
        close(clients[i]);
    }
    /* Threads with a name lookup end when the system has answered. */
    int64_t end_ms = clock_monotonic_ms() + NET_RIG_MS;
    while (open_descriptors() != before && clock_monotonic_ms() < end_ms) {
        usleep(10000);
    }
    if (open_descriptors() != before) {
        print_descriptors();
    }
    assert_int_equal(open_descriptors(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_is_allowed_gets_through_both_ways, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_who_stops_sending_is_still_answered, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_a_server_that_ends_ends_its_client, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rules_decide_by_host_and_port, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_address_is_judged_that_a_name_leads_to, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_a_name_that_is_allowed_may_be_private, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_the_scheme_is_judged_by_the_first_byte, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_silent_clients_do_not_keep_others_out, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_clients_are_turned_away_without_descriptors, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_nobody_gets_out_without_a_user, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_it_does_not_lead_to_itself, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_cannot_be_reached_says_so, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_no_socks_is_hung_up_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bytes_may_come_one_by_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_closing_leaves_nothing, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
