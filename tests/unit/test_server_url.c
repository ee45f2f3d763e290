#include "runner/net/server_url.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void test_parse_when_it_is_a_url_finds_its_parts(void **state)
{
    (void)state;
    static const struct {
        const char *url;
        struct server_url expected;
    } cases[] = {
        { "ws://127.0.0.1:9222/devtools/browser/ab-c",
          { false, false, true, "127.0.0.1", 9222, "/devtools/browser/ab-c" } },
        { "http://localhost:9222", { true, false, false, "localhost", 9222, "/" } },
        { "HTTP://Chrome/", { true, false, false, "Chrome", 80, "/" } },
        { "wss://host.example/a?token=x:y@z#part",
          { false, true, false, "host.example", 443, "/a?token=x:y@z" } },
        { "https://host:1?token=1", { true, true, false, "host", 1, "/?token=1" } },
        { "ws://[::1]:65535/x", { false, false, true, "::1", 65535, "/x" } },
        { "ws://[fe80::1]", { false, false, true, "fe80::1", 80, "/" } },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct server_url server;
        struct br_error err;
        if (!server_url_parse(cases[i].url, &server, &err)) {
            fail_msg("%s: %s", cases[i].url, err.message);
        }
        assert_int_equal(server.is_http, cases[i].expected.is_http);
        assert_int_equal(server.is_tls, cases[i].expected.is_tls);
        assert_int_equal(server.is_numeric, cases[i].expected.is_numeric);
        assert_int_equal(server.port, cases[i].expected.port);
        assert_string_equal(server.host, cases[i].expected.host);
        assert_string_equal(server.path, cases[i].expected.path);
    }
}

static void test_parse_when_it_is_none_says_so_without_its_secrets(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "localhost:9222",
        "ftp://host",
        "ws:/host",
        "ws://",
        "ws:///path",
        "ws://:9222",
        "ws://host:0",
        "ws://host:65536",
        "ws://host:99999999999",
        "ws://host:",
        "ws://host:12x",
        "ws://host:-1",
        "ws://user:secret@host:9222/",
        "ws://secret@host/",
        "ws://[::1",
        "ws://[::1]9222",
        "ws://[]:1",
        "ws://host:1/a b",
        "ws://host:1/a\r\nX: y",
        "ws://ho\x7Fst",
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct server_url server;
        struct br_error err = { 0 };
        if (server_url_parse(bad[i], &server, &err)) {
            fail_msg("taken: %s", bad[i]);
        }
        assert_int_equal(err.code, BR_INVALID_ACTION);
        assert_null(strstr(err.message, "secret"));
    }
}

static void test_parse_when_too_long_fails(void **state)
{
    (void)state;
    static char url[SERVER_URL_MAX_PATH + 100];
    struct server_url server;
    struct br_error err;
    int length = snprintf(url, sizeof(url), "ws://host:1/");
    memset(url + length, 'a', SERVER_URL_MAX_PATH - 1);
    assert_true(server_url_parse(url, &server, &err));
    url[length + SERVER_URL_MAX_PATH - 1] = 'a';
    assert_false(server_url_parse(url, &server, &err));
    memset(url, 0, sizeof(url));
    memset(url, 'h', 5 + SERVER_URL_MAX_HOST + 1);
    memcpy(url, "ws://", 5);
    assert_false(server_url_parse(url, &server, &err));
    url[5 + SERVER_URL_MAX_HOST] = '\0';
    assert_true(server_url_parse(url, &server, &err));
}

static void test_format_host_when_ipv6_adds_brackets(void **state)
{
    (void)state;
    char text[64];
    server_url_format_host("::1", 9222, text, sizeof(text));
    assert_string_equal(text, "[::1]:9222");
    server_url_format_host("localhost", 1, text, sizeof(text));
    assert_string_equal(text, "localhost:1");
}

static bool resolve(const char *url, struct deadline deadline, struct lookup_addresses *addresses,
                    struct br_error *err)
{
    struct server_url server;
    assert_true(server_url_parse(url, &server, err));
    return server_url_resolve(&server, deadline, addresses, err);
}

static void test_resolve_gives_addresses_or_an_error(void **state)
{
    (void)state;
    struct lookup_addresses addresses;
    struct br_error err;
    assert_true(resolve("ws://10.1.2.3", (struct deadline){ 0 }, &addresses, &err));
    assert_int_equal(addresses.count, 1);
    assert_string_equal(addresses.items[0], "10.1.2.3");
    assert_true(resolve("ws://localhost", deadline_in_ms(60000), &addresses, &err));
    assert_true(addresses.count >= 1);
    assert_true(strcmp(addresses.items[0], "127.0.0.1") == 0 ||
                strcmp(addresses.items[0], "::1") == 0);
    assert_false(resolve("ws://nosuch.invalid", deadline_in_ms(60000), &addresses, &err));
    assert_int_equal(err.code, BR_DISCONNECTED);
    assert_non_null(strstr(err.message, "nosuch.invalid"));
    /* The abandoned resolver thread ends by itself. */
    if (!resolve("ws://nosuch.invalid", (struct deadline){ 0 }, &addresses, &err)) {
        assert_true(err.code == BR_TIMEOUT || err.code == BR_DISCONNECTED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_when_it_is_a_url_finds_its_parts),
        cmocka_unit_test(test_parse_when_it_is_none_says_so_without_its_secrets),
        cmocka_unit_test(test_parse_when_too_long_fails),
        cmocka_unit_test(test_format_host_when_ipv6_adds_brackets),
        cmocka_unit_test(test_resolve_gives_addresses_or_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
