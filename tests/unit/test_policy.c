#include "runner/base/policy.h"

#include "runner/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MAX_TEXTS = 8 };

/* A list as on a command line. */
struct texts {
    char *copy;
    const char *items[MAX_TEXTS + 1];
};

static const char *const *split(const char *text, struct texts *texts)
{
    char *rest = NULL;
    size_t count = 0;
    if (!text) {
        return NULL;
    }
    texts->copy = xstrdup(text);
    for (char *item = strtok_r(texts->copy, " ", &rest); item; item = strtok_r(NULL, " ", &rest)) {
        texts->items[count++] = item;
    }
    texts->items[count] = NULL;
    return texts->items;
}

static struct policy *make(const char *allow, const char *deny, const char *schemes,
                           struct br_error *err)
{
    struct texts texts[3] = { 0 };
    struct br_policy given = {
        .allow = split(allow, &texts[0]),
        .deny = split(deny, &texts[1]),
        .schemes = split(schemes, &texts[2]),
    };
    struct policy *policy = NULL;
    policy_create(&given, &policy, err);
    for (size_t i = 0; i < 3; i++) {
        free(texts[i].copy);
    }
    return policy;
}

static const char site[] = "https://example.org";
static const char below[] = "*.example.org";
static const char secret[] = "private";

static void test_urls_are_judged(void **state)
{
    (void)state;
    static const struct {
        const char *allow, *deny, *schemes, *url;
        const char *rule; /* the rule that refuses; NULL: none */
    } cases[] = {
        /* An origin consists of scheme, host and port. */
        { site, NULL, NULL, "https://example.org/path?x", NULL },
        { site, NULL, NULL, "https://EXAMPLE.ORG:443/", NULL },
        { site, NULL, NULL, "wss://example.org/", NULL },
        { site, NULL, NULL, "https://example.org./", NULL },
        { site, NULL, NULL, "http://example.org/", "⟨allow⟩" },
        { site, NULL, NULL, "https://example.org:444/", "⟨allow⟩" },
        { site, NULL, NULL, "https://www.example.org/", "⟨allow⟩" },
        { site, NULL, NULL, "https://example.org.evil.example/", "⟨allow⟩" },
        { site, NULL, NULL, "https://evilexample.org/", "⟨allow⟩" },
        { site, NULL, NULL, "https://example.org@evil.example/", "⟨allow⟩" },
        { site, NULL, NULL, "https://evil.example\\@example.org/", "⟨allow⟩" },
        { site, NULL, NULL, "https://evil.example#example.org", "⟨allow⟩" },
        { "example.org", NULL, NULL, "http://example.org:81/", NULL },
        { "example.org", NULL, NULL, "ws://example.org/", NULL },
        { "example.org", NULL, NULL, "https://www.example.org/", "⟨allow⟩" },
        { "example.org:81", NULL, NULL, "http://example.org:81/", NULL },
        { "example.org:81", NULL, NULL, "http://example.org/", "⟨allow⟩" },
        { "http://example.org:*", NULL, NULL, "http://example.org:81/", NULL },
        { "http://example.org/", NULL, NULL, "http://example.org/", NULL },
        { below, NULL, NULL, "https://a.b.example.org/", NULL },
        { below, NULL, NULL, "https://example.org/", NULL },
        { below, NULL, NULL, "https://notexample.org/", "⟨allow⟩" },
        { "https://*", NULL, NULL, "https://any.example/", NULL },
        { "https://*", NULL, NULL, "http://any.example/", "⟨allow⟩" },
        { "https://*", NULL, NULL, "https://any.example:8443/", "⟨allow⟩" },
        { "*", NULL, NULL, "http://any.example:81/", NULL },
        { "*", NULL, NULL, "file:///etc/passwd", "⟨allow⟩" },
        { "[::1]:81", NULL, NULL, "http://[0:0::1]:81/", NULL },
        { "127.0.0.1", NULL, NULL, "http://0x7f.1/", NULL },
        { "xn--bcher-kva.example", NULL, NULL, "http://xn--bcher-kva.example/", NULL },
        /* URLs without an origin. */
        { site, NULL, NULL, "about:blank", NULL },
        { site, NULL, NULL, "about:srcdoc", NULL },
        { site, NULL, NULL, "about:settings", "⟨allow⟩" },
        { site, NULL, NULL, "ABOUT:version", "⟨allow⟩" },
        { site, NULL, NULL, "data:text/html,x", NULL },
        { site, NULL, NULL, "blob:https://example.org/1-2", NULL },
        { site, NULL, NULL, "blob:https://evil.example/1-2", "⟨allow⟩" },
        { site, NULL, NULL, "blob:null/1-2", NULL },
        { site, NULL, NULL, "filesystem:https://example.org/temporary/x", NULL },
        { site, NULL, NULL, "filesystem:https://evil.example/temporary/x", "⟨allow⟩" },
        { site, NULL, NULL, "file:///etc/passwd", "⟨allow⟩" },
        { site, NULL, NULL, "chrome://settings", "⟨allow⟩" },
        { site, NULL, NULL, "devtools://devtools/bundled/inspector.html", "⟨allow⟩" },
        { site, NULL, NULL, "chrome-extension://abc/x.html", "⟨allow⟩" },
        { site, NULL, NULL, "view-source:https://example.org/", "⟨allow⟩" },
        { site, NULL, NULL, "javascript:alert(1)", "⟨allow⟩" },
        { site, NULL, NULL, "mailto:a@example.org", "⟨allow⟩" },
        { site, NULL, NULL, "ftp://example.org/", "⟨allow⟩" },
        { site, NULL, NULL,
          "http://b\xc3\xbc"
          "cher.example/",
          "cannot be checked" },
        { site, NULL, NULL, "nonsense", "cannot be checked" },
        /* deny has precedence. */
        { below, "secret.example.org", NULL, "https://secret.example.org/", "⟨deny⟩" },
        { below, "secret.example.org", NULL, "https://open.example.org/", NULL },
        { NULL, "evil.example", NULL, "http://evil.example./", "⟨deny⟩" },
        { NULL, "evil.example", NULL, "http://EVIL.example:81/", "⟨deny⟩" },
        { NULL, "evil.example", NULL, "ws://evil.example/", "⟨deny⟩" },
        { NULL, "evil.example", NULL, "http://www.evil.example/", NULL },
        { NULL, "*.evil.example", NULL, "http://www.evil.example/", "⟨deny⟩" },
        { NULL, "evil.example", NULL, "view-source:http://evil.example/", "⟨deny⟩" },
        { NULL, "evil.example", NULL, "file:///tmp/x", NULL },
        { NULL, "*", NULL, "http://any.example/", "⟨deny⟩" },
        /* Private networks. */
        { NULL, secret, NULL, "http://example.org/", NULL },
        { NULL, secret, NULL, "http://8.8.8.8/", NULL },
        { NULL, secret, NULL, "http://localhost:3000/", "⟨deny⟩ private" },
        { NULL, secret, NULL, "http://LOCALHOST./", "⟨deny⟩ private" },
        { NULL, secret, NULL, "http://a.localhost/", "⟨deny⟩ private" },
        { NULL, secret, NULL, "http://127.0.0.1/", "⟨deny⟩ private" },
        { NULL, secret, NULL, "http://2130706433/", "⟨deny⟩ private" },
        { NULL, secret, NULL, "http://0x7f.0.0.1/", "⟨deny⟩ private" },
        { NULL, secret, NULL, "http://0177.1/", "⟨deny⟩ private" },
        { NULL, secret, NULL, "http://0.0.0.0/", "⟨deny⟩ private" },
        { NULL, secret, NULL, "http://[::1]/", "⟨deny⟩ private" },
        { NULL, secret, NULL, "http://[::ffff:7f00:1]/", "⟨deny⟩ private" },
        { NULL, secret, NULL, "http://[fe80::1]/", "⟨deny⟩ private" },
        { NULL, secret, NULL, "http://[fd12::1]/", "⟨deny⟩ private" },
        { NULL, secret, NULL, "http://100.64.0.1/", "⟨deny⟩ private" },
        { NULL, secret, NULL, "http://169.254.169.254/latest", "⟨deny⟩ private" },
        { NULL, secret, NULL, "http://user@10.0.0.1/", "⟨deny⟩ private" },
        { NULL, secret, NULL, "ws://192.168.1.1/", "⟨deny⟩ private" },
        { NULL, secret, NULL, "http://printer/", "⟨deny⟩ private" },
        { NULL, secret, NULL, "blob:http://127.0.0.1/1", "⟨deny⟩ private" },
        { "*", secret, NULL, "http://127.0.0.1/", "⟨deny⟩ private" },
        { "localhost:3000", secret, NULL, "http://localhost:3000/", NULL },
        { "localhost:3000", secret, NULL, "http://localhost:3001/", "⟨allow⟩" },
        { "*.localhost", secret, NULL, "http://a.localhost/", "⟨deny⟩ private" },
        /* Schemes. */
        { NULL, NULL, "https", "https://example.org/", NULL },
        { NULL, NULL, "https", "wss://example.org/", NULL },
        { NULL, NULL, "https", "http://example.org/", "⟨schemes⟩" },
        { NULL, NULL, "https", "ws://example.org/", "⟨schemes⟩" },
        { NULL, NULL, "https", "about:blank", NULL },
        { NULL, NULL, "https", "data:text/html,x", "⟨schemes⟩" },
        { NULL, NULL, "https", "blob:https://example.org/1", "⟨schemes⟩" },
        { NULL, NULL, "https", "file:///etc/passwd", "⟨schemes⟩" },
        { NULL, NULL, "https data", "data:text/html,x", NULL },
        { site, NULL, "https file", "file:///etc/passwd", NULL },
        { site, NULL, "https file", "https://evil.example/", "⟨allow⟩" },
        { NULL, NULL, NULL, "chrome://settings", NULL },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        struct policy *policy = make(cases[i].allow, cases[i].deny, cases[i].schemes, &err);
        bool is_allowed = policy_check_url(policy, cases[i].url, &err);
        if (is_allowed != !cases[i].rule) {
            fail_msg("%zu: %s: %s", i, cases[i].url, is_allowed ? "allowed" : err.message);
        }
        if (!is_allowed) {
            assert_int_equal(err.code, BR_POLICY_DENIED);
            if (!strstr(err.message, cases[i].rule) || !*err.hint) {
                fail_msg("%s: %s; %s", cases[i].url, err.message, err.hint);
            }
        }
        policy_destroy(policy);
    }
}

static void test_what_is_opened_is_no_text_of_the_instruction(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    struct policy *policy = make(site, NULL, NULL, &err);
    assert_false(policy_check_opened(policy, "data:text/html,x", &err));
    assert_non_null(strstr(err.message, "by ⟨allow⟩"));
    assert_true(policy_check_opened(policy, "https://example.org/", &err));
    policy_destroy(policy);
    policy = make(NULL, secret, NULL, &err);
    assert_false(policy_check_opened(policy, " DATA:text/html,x", &err));
    assert_non_null(strstr(err.message, "by ⟨deny⟩"));
    policy_destroy(policy);
    policy = make(NULL, NULL, "data https", &err);
    assert_true(policy_check_opened(policy, "data:text/html,x", &err));
    policy_destroy(policy);
    struct br_policy given = { .no_eval = true };
    assert_true(policy_create(&given, &policy, &err));
    assert_false(policy_check_opened(policy, "data:text/html,x", &err));
    assert_non_null(strstr(err.message, "⟨no-eval⟩"));
    assert_false(policy_check_opened(policy, "java\tscript:x", &err));
    assert_true(policy_check_opened(policy, "https://example.org/", &err));
    assert_false(policy_check_script(policy, "evaluate", &err));
    assert_false(policy_judges_urls(policy));
    policy_destroy(policy);
    assert_true(policy_check_script(NULL, "evaluate", &err));
    assert_true(policy_check_opened(NULL, "data:text/html,x", &err));
}

static void test_what_is_saved_is_not_opened(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    struct br_policy given = { .no_eval = true };
    struct policy *policy = NULL;
    char folder[] = "/tmp/test-policy-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_true(policy_create(&given, &policy, &err));
    assert_true(policy_check_written_file(policy, "state.json", ".json", &err));
    static const char *const others[] = { "m.html", "m", "m.json.html", "json", "m.JSON" };
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        assert_false(policy_check_written_file(policy, others[i], ".json", &err));
        assert_int_equal(err.code, BR_POLICY_DENIED);
    }
    assert_true(policy_check_written_file(NULL, "m.html", ".json", &err));
    CLEANUP_FREE char *inside = xasprintf("file://%s/", folder);
    CLEANUP_FREE char *around = xasprintf("file://%s/../../%%74mp/%s", folder, folder + 5);
    CLEANUP_FREE char *beside = xasprintf("file://%sx", folder);
    assert_true(policy_check_url(policy, inside, &err));
    policy_set_saved(policy, folder);
    assert_true(policy_judges_urls(policy));
    assert_false(policy_check_url(policy, inside, &err));
    assert_non_null(strstr(err.message, "⟨no-eval⟩"));
    assert_false(policy_check_opened(policy, around, &err));
    assert_true(policy_check_url(policy, beside, &err));
    assert_true(policy_check_url(policy, "https://example.org/", &err));
    policy_destroy(policy);
    rmdir(folder);
}

static void test_addresses_are_judged_where_names_lead(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    struct policy *policy = make("*.example.org app.test", secret, NULL, &err);
    assert_false(policy_check_address(policy, "http://a.example.org/", true, &err));
    assert_int_equal(err.code, BR_POLICY_DENIED);
    assert_true(policy_check_address(policy, "http://a.example.org/", false, &err));
    assert_true(policy_check_address(policy, "http://app.test/", true, &err));
    policy_destroy(policy);
    policy = make(site, NULL, NULL, &err);
    assert_true(policy_check_address(policy, "https://example.org/", true, &err));
    policy_destroy(policy);
}

static bool is_connection_allowed(const struct policy *policy, const char *scheme, const char *host,
                                  int port, const char *address)
{
    struct br_error err = { 0 };
    struct url_parts peer;
    struct ip_address resolved;
    assert_true(url_host_read(host, &peer));
    assert_true(!address || ip_address_read(address, &resolved));
    snprintf(peer.scheme, sizeof(peer.scheme), "%s", scheme);
    peer.port = port;
    return policy_check_connection(policy, &peer, address ? &resolved : NULL, &err);
}

static void test_a_denied_address_is_denied_by_each_of_its_names(void **state)
{
    (void)state;
    static const struct {
        const char *deny, *url;
        bool is_allowed;
    } cases[] = {
        { "127.0.0.1", "http://[::ffff:127.0.0.1]:80/", false },
        { "127.0.0.1", "http://[::ffff:7f00:1]/", false },
        { "127.0.0.1", "http://localhost:3000/", false },
        { "127.0.0.1", "http://app.localhost/", false },
        { "127.0.0.1", "http://0.0.0.0/", false },
        { "127.0.0.1", "http://2130706433/", false },
        { "127.0.0.1", "http://127.0.0.2/", true },
        { "127.0.0.1", "http://[::1]/", true },
        { "[::1]", "http://localhost/", false },
        { "[::1]", "http://[::]/", false },
        { "localhost", "http://127.0.0.1/", true },
        { "127.0.0.1:3000", "http://localhost:3000/", false },
        { "127.0.0.1:3000", "http://localhost:3001/", true },
        { "https://127.0.0.1", "http://localhost/", true },
        { "10.0.0.1", "http://localhost/", true },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        struct policy *policy = make(NULL, cases[i].deny, NULL, &err);
        if (policy_check_url(policy, cases[i].url, &err) != cases[i].is_allowed) {
            fail_msg("%s: %s", cases[i].deny, cases[i].url);
        }
        policy_destroy(policy);
    }
    struct br_error err = { 0 };
    struct policy *policy = make(NULL, "127.0.0.1", NULL, &err);
    assert_true(is_connection_allowed(policy, "", "any.example", 80, NULL));
    assert_true(is_connection_allowed(policy, "", "any.example", 80, "127.0.0.2"));
    assert_false(is_connection_allowed(policy, "", "any.example", 80, "127.0.0.1"));
    policy_destroy(policy);
}

static void test_connections_are_judged_by_scheme(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    struct policy *policy = make(NULL, NULL, "https data", &err);
    assert_true(policy_judges_hosts(policy));
    assert_false(is_connection_allowed(policy, "", "a.example", 80, NULL));
    assert_true(is_connection_allowed(policy, "", "a.example", 443, NULL));
    assert_true(is_connection_allowed(policy, "", "a.example", 8080, NULL));
    assert_false(is_connection_allowed(policy, "http", "a.example", 8080, NULL));
    assert_true(is_connection_allowed(policy, "https", "a.example", 8080, NULL));
    policy_destroy(policy);
}

static void test_bad_rules_are_named_with_the_cure(void **state)
{
    (void)state;
    static const struct {
        const char *allow, *deny, *schemes, *part;
    } cases[] = {
        { "private", NULL, NULL, "private" },
        { "ftp://example.org", NULL, NULL, "ftp://example.org" },
        { "https://example.org/path", NULL, NULL, "https://example.org/path" },
        { "user@example.org", NULL, NULL, "user@example.org" },
        { "exa*mple.org", NULL, NULL, "exa*mple.org" },
        { "a.*.org", NULL, NULL, "a.*.org" },
        { "*.127.0.0.1", NULL, NULL, "*.127.0.0.1" },
        { "10.0.0.0/8", NULL, NULL, "10.0.0.0/8" },
        { "example.org:0", NULL, NULL, "example.org:0" },
        { "example.org:65536", NULL, NULL, "example.org:65536" },
        { "example.org:x", NULL, NULL, "example.org:x" },
        { "https://", NULL, NULL, "https://" },
        { "b\xc3\xbc"
          "cher.example",
          NULL, NULL, "xn--" },
        { "256.1.1.1", NULL, NULL, "256.1.1.1" },
        { NULL, "://", NULL, "⟨deny⟩ ://" },
        { NULL, NULL, "https:", "https:" },
        { NULL, NULL, "HTTPS", "HTTPS" },
        { NULL, NULL, "", "is empty" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        struct policy *policy = make(cases[i].allow, cases[i].deny, cases[i].schemes, &err);
        if (policy || err.code != BR_INVALID_ACTION || !strstr(err.message, cases[i].part) ||
            !*err.hint) {
            fail_msg("%s: %s; %s", cases[i].part, err.message, err.hint);
        }
    }
}

static void test_nothing_given_is_no_policy(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    struct br_policy given = { 0 };
    struct policy *policy = NULL;
    assert_true(policy_create(&given, &policy, &err));
    assert_null(policy);
    /* An empty list allows nothing. */
    const char *const none[] = { NULL };
    given.allow = none;
    assert_true(policy_create(&given, &policy, &err));
    assert_false(policy_check_url(policy, "http://example.org/", &err));
    policy_destroy(policy);
}

static void test_sockets_go_where_a_name_allows_it(void **state)
{
    (void)state;
    static const struct {
        const char *allow, *deny, *sources;
    } cases[] = {
        { site, NULL, "'self' wss://example.org:443" },
        { "example.org", NULL, "'self' ws://example.org:* wss://example.org:*" },
        { "http://*.example.org", NULL, "'self' ws://example.org:80 ws://*.example.org:80" },
        { "*", NULL, "'self' ws: wss:" },
        { "[::1]", NULL, "'self'" },
        { NULL, secret, "'self'" },
        { "*", secret, "'self'" },
        { "* wss://a.example", "b.example", "'self' wss://a.example:443" },
        { "b.example", "b.example:81", "'self'" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        struct policy *policy = make(cases[i].allow, cases[i].deny, NULL, &err);
        policy_add_socket_sources(policy, &text);
        assert_string_equal(text.data, cases[i].sources);
        policy_destroy(policy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_urls_are_judged),
        cmocka_unit_test(test_what_is_opened_is_no_text_of_the_instruction),
        cmocka_unit_test(test_what_is_saved_is_not_opened),
        cmocka_unit_test(test_addresses_are_judged_where_names_lead),
        cmocka_unit_test(test_a_denied_address_is_denied_by_each_of_its_names),
        cmocka_unit_test(test_connections_are_judged_by_scheme),
        cmocka_unit_test(test_bad_rules_are_named_with_the_cure),
        cmocka_unit_test(test_nothing_given_is_no_policy),
        cmocka_unit_test(test_sockets_go_where_a_name_allows_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
