#include "runner/net/gate.h"
#include "runner/net/handler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const origins[] = { "https://a.example", "null", NULL };
static const char *const hosts[] = { "box.internal", NULL };

static void test_hosts(void **state)
{
    (void)state;
    static const struct {
        const char *host;
        bool is_allowed;
    } cases[] = {
        { "localhost", true },
        { "LocalHost:1234", true },
        { "127.0.0.1", true },
        { "127.0.0.1:", true },
        { "10.1.2.3:80", true },
        { "[::1]", true },
        { "[::1]:65535", true },
        { "[::ffff:1.2.3.4]", true },
        { "box.internal", true },
        { "BOX.internal:80", true },
        { "", false },
        { ":80", false },
        { "[]", false },
        { "[::1", false },
        { "[::1]x", false },
        { "[127.0.0.1]", false },
        { "::1", false },
        { "127.0.0.1:80:80", false },
        { "127.0.0.1:8x", false },
        { "127.0.0.1:123456", false },
        { "127.1", false },
        { "0x7f.0.0.1", false },
        { "127.0.0.1 ", false },
        { "127.0.0.1,127.0.0.1", false },
        { "127.0.0.1.evil.example", false },
        { "localhost.", false },
        { "localhost.evil.example", false },
        { "evil.example", false },
        { "user@localhost", false },
        { "box.internal.", false },
    };
    struct gate gate;
    gate_init(&gate, &(struct net_access){ .hosts = hosts });
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (gate_allows_host(&gate, cases[i].host) != cases[i].is_allowed) {
            fail_msg("%s", cases[i].host);
        }
    }
    char name[400];
    memset(name, 'a', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    assert_false(gate_allows_host(&gate, name));
    gate_finish(&gate);
}

static void test_origins(void **state)
{
    (void)state;
    struct gate gate;
    gate_init(&gate, &(struct net_access){ .origins = origins });
    assert_true(gate_allows_origin(&gate, "https://a.example"));
    assert_true(gate_allows_origin(&gate, "null"));
    assert_true(gate_is_origin("devtools://devtools"));
    assert_false(gate_is_origin("devtools://other"));
    assert_false(gate_allows_origin(&gate, "http://a.example"));
    assert_false(gate_allows_origin(&gate, "https://a.example:444"));
    assert_false(gate_allows_origin(&gate, "https://a.example,https://a.example"));
    assert_false(gate_allows_origin(&gate, ""));
    gate_finish(&gate);
    gate_init(&gate, &(struct net_access){ 0 });
    assert_false(gate_allows_origin(&gate, "null"));
    assert_false(gate_allows_origin(&gate, "http://localhost:5173"));
    gate_finish(&gate);
}

static void test_local_origins(void **state)
{
    (void)state;
    struct gate gate;
    static const char *const local[] = { "http://localhost:5173", "https://localhost",
                                         "http://127.0.0.1:80", "http://127.1.2.3",
                                         "http://[::1]:8080" };
    static const char *const foreign[] = { "null",
                                           "",
                                           "file://",
                                           "http://localhost.example",
                                           "http://a.localhost",
                                           "http://127.0.0.1.example",
                                           "http://[::2]",
                                           "http://10.0.0.1",
                                           "localhost",
                                           "ftp://localhost",
                                           "http://localhost/path" };
    gate_init(&gate, &(struct net_access){ 0 });
    gate.allows_local_origins = true;
    for (size_t i = 0; i < sizeof(local) / sizeof(local[0]); i++) {
        assert_true(gate_allows_origin(&gate, local[i]));
    }
    for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
        assert_false(gate_allows_origin(&gate, foreign[i]));
    }
    gate_finish(&gate);
}

static void test_tokens(void **state)
{
    (void)state;
    static const char *const tokens[] = { "secret", "a longer one", NULL };
    static const char *const later[] = { "later", NULL };
    struct gate gate;
    gate_init(&gate, &(struct net_access){ .tokens = tokens });
    assert_true(gate_allows_token(&gate, "secret"));
    assert_true(gate_allows_token(&gate, "a longer one"));
    static const char *const wrong[] = { NULL, "", "secre", "secret2", "Secret", "secretsecret" };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        assert_false(gate_allows_token(&gate, wrong[i]));
    }
    gate.allows_extensions = true;
    gate_set_access(&gate, &(struct net_access){ .tokens = later, .origins = origins });
    assert_true(gate_allows_token(&gate, "later"));
    assert_false(gate_allows_token(&gate, "secret"));
    assert_true(gate_allows_origin(&gate, "https://a.example"));
    assert_true(gate.allows_extensions);
    gate_finish(&gate);
    gate_init(&gate, &(struct net_access){ 0 });
    assert_true(gate_allows_token(&gate, NULL));
    assert_true(gate_allows_token(&gate, "any"));
    gate_finish(&gate);
    assert_string_equal(gate_bearer("Bearer abc"), "abc");
    assert_string_equal(gate_bearer("bearer  a b"), "a b");
    assert_string_equal(gate_bearer("Bearer "), "");
    assert_null(gate_bearer("Basic abc"));
    assert_null(gate_bearer("Bearer"));
    assert_null(gate_bearer(""));
}

static void test_queries(void **state)
{
    (void)state;
    struct strbuf query = STRBUF_INIT(STRBUF_UNCAPPED);
    assert_null(gate_add_parameter(&query, "a=b c"));
    assert_string_equal(gate_add_parameter(&query, "token=x&y"), "x&y");
    assert_null(gate_add_parameter(&query, "tokens=1"));
    assert_null(gate_add_parameter(&query, "\xC3\xA9=&%"));
    assert_null(gate_add_parameter(&query, "flag"));
    assert_string_equal(query.data, "a=b%20c&tokens=1&%C3%A9=%26%25&flag");
    strbuf_finish(&query);
}

static void test_parameters(void **state)
{
    (void)state;
    char value[8] = "before";
    const char *query = "a=b%20c&ab=%C3%A9%26&a=2&long=12345678&nul=%00&empty=&cut=%4";
    assert_false(net_query_param(query, "b", value, sizeof(value)));
    assert_string_equal(value, "before");
    assert_true(net_query_param(query, "a", value, sizeof(value)));
    assert_string_equal(value, "b c");
    assert_true(net_query_param(query, "ab", value, sizeof(value)));
    assert_string_equal(value, "\xC3\xA9&");
    static const char *const nothing[] = { "long", "nul", "empty" };
    for (size_t i = 0; i < 3; i++) {
        assert_true(net_query_param(query, nothing[i], value, sizeof(value)));
        assert_string_equal(value, "");
    }
    assert_true(net_query_param(query, "cut", value, sizeof(value)));
    assert_string_equal(value, "%4");
    assert_false(net_query_param("", "a", value, sizeof(value)));
}

static void test_extensions(void **state)
{
    (void)state;
    static const struct {
        const char *origin;
        bool is_allowed;
    } cases[] = {
        { "chrome-extension://abcdefghijklmnopabcdefghijklmnop", true },
        { "moz-extension://5f3d5a1e-0c1b-4c3e-9d0a-1b2c3d4e5f60", true },
        { "chrome-extension://", false },
        { "chrome-extension://a/", false },
        { "chrome-extension://a.example", false },
        { "chrome-extension://a:80", false },
        { "chrome-extension:", false },
        { "xchrome-extension://a", false },
        { "http://chrome-extension", false },
        { "http://localhost", false },
        { "null", false },
    };
    struct gate gate;
    gate_init(&gate, &(struct net_access){ 0 });
    assert_false(gate_allows_origin(&gate, cases[0].origin));
    gate.allows_extensions = true;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (gate_allows_origin(&gate, cases[i].origin) != cases[i].is_allowed) {
            fail_msg("%s", cases[i].origin);
        }
    }
    gate_finish(&gate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hosts),         cmocka_unit_test(test_origins),
        cmocka_unit_test(test_local_origins), cmocka_unit_test(test_extensions),
        cmocka_unit_test(test_tokens),        cmocka_unit_test(test_queries),
        cmocka_unit_test(test_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
