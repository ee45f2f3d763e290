#include "runner/base/url_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_urls_are_read_as_browsers_read_them(void **state)
{
    (void)state;
    static const struct {
        const char *url, *scheme, *host; /* host NULL: invalid */
        int port;
    } cases[] = {
        { "http://example.org/", "http", "example.org", 80 },
        { "HTTPS://EXAMPLE.org", "https", "example.org", 443 },
        { "https://example.org:8443/x?y#z", "https", "example.org", 8443 },
        { "https://example.org:/", "https", "example.org", 443 },
        { "http://example.org./", "http", "example.org", 80 },
        { " \t http://exa\nmple.org/ \r", "http", "example.org", 80 },
        { "http:\\\\evil.example\\@good.example/", "http", "evil.example", 80 },
        { "http:/example.org/", "http", "example.org", 80 },
        { "http:example.org/", "http", "example.org", 80 },
        { "http:////example.org/", "http", "example.org", 80 },
        { "http://good.example@evil.example/", "http", "evil.example", 80 },
        { "http://good.example:80@evil.example/", "http", "evil.example", 80 },
        { "http://a@b@evil.example/", "http", "evil.example", 80 },
        { "http://evil.example#@good.example/", "http", "evil.example", 80 },
        { "http://evil.example?@good.example/", "http", "evil.example", 80 },
        { "http://%65vil.example/", "http", "evil.example", 80 },
        { "http://127.0.0.1:9/", "http", "127.0.0.1", 9 },
        { "http://127.1/", "http", "127.0.0.1", 80 },
        { "http://2130706433/", "http", "127.0.0.1", 80 },
        { "http://0x7f000001/", "http", "127.0.0.1", 80 },
        { "http://0X7F.1/", "http", "127.0.0.1", 80 },
        { "http://017700000001/", "http", "127.0.0.1", 80 },
        { "http://0177.0.0.01/", "http", "127.0.0.1", 80 },
        { "http://127.0.0.1./", "http", "127.0.0.1", 80 },
        { "http://%31%32%37.0.0.1/", "http", "127.0.0.1", 80 },
        { "http://0/", "http", "0.0.0.0", 80 },
        { "http://0x/", "http", "0.0.0.0", 80 },
        { "http://[::1]/", "http", "[::1]", 80 },
        { "http://[0:0:0:0:0:0:0:1]:81/", "http", "[::1]", 81 },
        { "http://[::FFFF:127.0.0.1]/", "http", "[::ffff:127.0.0.1]", 80 },
        { "ws://example.org/", "ws", "example.org", 80 },
        { "wss://example.org/", "wss", "example.org", 443 },
        { "file:///etc/passwd", "file", "", 0 },
        { "file://host/share", "file", "host", 0 },
        { "file:/etc/passwd", "file", "", 0 },
        { "about:blank", "about", "", 0 },
        { "data:text/html,x", "data", "", 0 },
        { "JavaScript:alert(1)", "javascript", "", 0 },
        { "java\nscript:alert(1)", "javascript", "", 0 },
        { "blob:http://example.org/1-2", "blob", "", 0 },
        { "chrome://settings/", "chrome", "", 0 },
        /* Without an origin. */
        { "/path", "", NULL, 0 },
        { "", "", NULL, 0 },
        { "://x", "", NULL, 0 },
        { "http://", "http", NULL, 0 },
        { "http:///", "http", NULL, 0 },
        { "http://exa mple.org/", "http", NULL, 0 },
        { "http://exa%00mple.org/", "http", NULL, 0 },
        { "http://b\xc3\xbc"
          "cher.example/",
          "http", NULL, 0 },
        { "http://127.0.0.1\xe3\x80\x82/", "http", NULL, 0 },
        { "http://256.0.0.1/", "http", NULL, 0 },
        { "http://1.2.3.4.5/", "http", NULL, 0 },
        { "http://1.2.3.09/", "http", NULL, 0 },
        { "http://4294967296/", "http", NULL, 0 },
        { "http://[::1/", "http", NULL, 0 },
        { "http://[::1%25eth0]/", "http", NULL, 0 },
        { "http://example.org:65536/", "http", NULL, 0 },
        { "http://example.org:8o/", "http", NULL, 0 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct url_parts parts;
        bool is_read = url_parts_read(cases[i].url, &parts);
        if (is_read != (cases[i].host != NULL)) {
            fail_msg("%s: %s", cases[i].url, is_read ? parts.host : "not read");
        }
        if (is_read && (strcmp(parts.scheme, cases[i].scheme) != 0 ||
                        strcmp(parts.host, cases[i].host) != 0 || parts.port != cases[i].port)) {
            fail_msg("%s: %s, %s, %d", cases[i].url, parts.scheme, parts.host, parts.port);
        }
    }
}

static void test_long_texts_are_refused(void **state)
{
    (void)state;
    char url[4000] = "http://";
    struct url_parts parts;
    memset(url + 7, 'a', sizeof(url) - 8);
    assert_false(url_parts_read(url, &parts));
    memset(url, 'a', sizeof(url) - 2);
    url[sizeof(url) - 2] = ':';
    assert_false(url_parts_read(url, &parts));
}

static void test_private_addresses_are_told_apart(void **state)
{
    (void)state;
    static const char *const closed[] = {
        "127.0.0.1",
        "127.255.255.254",
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "10.255.255.255",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.127.255.255",
        "192.0.0.170",
        "198.18.0.1",
        "224.0.0.251",
        "255.255.255.255",
        "::1",
        "::",
        "[::1]",
        "fe80::1",
        "febf::1",
        "fc00::1",
        "fdff::1",
        "fec0::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "64:ff9b::10.0.0.1",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2002:c0a8:101::1",
        "::ffff:0:127.0.0.1",
        "100::1",
    };
    static const char *const open[] = {
        "8.8.8.8",
        "1.1.1.1",
        "11.0.0.1",
        "172.15.0.1",
        "172.32.0.1",
        "192.167.0.1",
        "169.253.0.1",
        "100.63.255.255",
        "100.128.0.1",
        "126.255.255.255",
        "128.0.0.1",
        "223.255.255.255",
        "2001:4860:4860::8888",
        "2606:4700::1111",
        "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8",
        "2002:808:808::1",
    };
    struct ip_address address;
    for (size_t i = 0; i < sizeof(closed) / sizeof(closed[0]); i++) {
        assert_true(ip_address_read(closed[i], &address));
        if (!ip_address_is_private(&address)) {
            fail_msg("%s is taken for public", closed[i]);
        }
    }
    for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++) {
        assert_true(ip_address_read(open[i], &address));
        if (ip_address_is_private(&address)) {
            fail_msg("%s is taken for private", open[i]);
        }
    }
    assert_false(ip_address_read("", &address));
    assert_false(ip_address_read("127.1", &address));
    assert_false(ip_address_read("example.org", &address));
    assert_false(ip_address_read("[", &address));
}

static void test_local_names_are_told_apart(void **state)
{
    (void)state;
    static const char *const local[] = {
        "localhost",   "a.localhost", "printer", "nas.local", "metadata.google.internal",
        "tv.home.arpa"
    };
    static const char *const others[] = { "example.org", "localhost.example.org", "notlocal.org",
                                          "[::1]", "local.org" };
    for (size_t i = 0; i < sizeof(local) / sizeof(local[0]); i++) {
        assert_true(url_host_is_local(local[i]));
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        assert_false(url_host_is_local(others[i]));
    }
}

static void test_hosts_of_this_machine(void **state)
{
    (void)state;
    static const char *const own[] = { "localhost", "LocalHost",   "a.b.localhost",
                                       "127.0.0.1", "127.255.3.4", "::1",
                                       "[::1]",     "0:0::1",      "[::ffff:127.0.0.1]" };
    static const char *const others[] = { "",
                                          "localhost.example.org",
                                          "notlocalhost",
                                          ".localhost",
                                          "128.0.0.1",
                                          "10.0.0.1",
                                          "0.0.0.0",
                                          "::",
                                          "[::2]",
                                          "[",
                                          "::127.0.0.1",
                                          "printer" };
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
        assert_true(url_host_is_loopback(own[i]));
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        assert_false(url_host_is_loopback(others[i]));
    }
}

static void test_lengths(void **state)
{
    (void)state;
    static const struct {
        const char *url;
        size_t scheme, origin;
    } cases[] = {
        { "http://h:80/a?b#c", 5, 11 },
        { "HTTPS://h", 6, 9 },
        { "file:///a", 5, 7 },
        { "data:text/html,://", 5, 0 },
        { "a+b-c.1:x", 8, 0 },
        { "http:/h", 5, 0 },
        { "http://h?a/b", 5, 8 },
        { "/path://x", 0, 0 },
        { "1a://x", 0, 0 },
        { "", 0, 0 },
        { "://", 0, 0 },
        { "word", 0, 0 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(url_scheme_length(cases[i].url), cases[i].scheme);
        assert_int_equal(url_origin_length(cases[i].url), cases[i].origin);
    }
}

static void test_sorts_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *url;
        bool is_openable, is_web, is_origin;
    } cases[] = {
        { "http://localhost:3000", true, true, true }, { "https://a.test", true, true, true },
        { "https://a.test/", true, true, false },      { "HTTP://a.test", true, true, false },
        { "http://me@a.test", true, true, false },     { "http://*.a.test", true, true, false },
        { "http://?a", true, false, false },           { "http://", false, false, false },
        { "file:///a", true, false, false },           { "data:,a", true, false, false },
        { "about:blank", true, false, false },         { "about:", false, false, false },
        { "ws://a.test", false, false, false },        { "localhost:3000", false, false, false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(url_is_openable(cases[i].url), cases[i].is_openable);
        assert_int_equal(url_is_web(cases[i].url), cases[i].is_web);
        assert_int_equal(url_is_web_origin(cases[i].url), cases[i].is_origin);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_urls_are_read_as_browsers_read_them),
        cmocka_unit_test(test_long_texts_are_refused),
        cmocka_unit_test(test_private_addresses_are_told_apart),
        cmocka_unit_test(test_local_names_are_told_apart),
        cmocka_unit_test(test_hosts_of_this_machine),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_sorts_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
