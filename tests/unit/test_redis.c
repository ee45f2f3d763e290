/* Addresses of Redis servers, and ids of jobs. */
#include "runner/base/memory.h"
#include "runner/servers/redis/job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_text(const char *found, const char *expected)
{
    if (expected) {
        assert_non_null(found);
        assert_string_equal(found, expected);
    } else {
        assert_null(found);
    }
}

static void test_address_read(void **state)
{
    (void)state;
    static const struct {
        const char *url;
        struct {
            bool is_tls;
            const char *path, *host, *port, *user, *password;
            int db;
        } expected;
    } cases[] = {
        { "redis://queue", { .host = "queue", .port = "6379" } },
        { "redis://queue/", { .host = "queue", .port = "6379" } },
        { "redis://queue:7000/3", { .host = "queue", .port = "7000", .db = 3 } },
        { "rediss://queue:7000", { .is_tls = true, .host = "queue", .port = "7000" } },
        { "redis://me:p%40ss%3A@queue",
          { .host = "queue", .port = "6379", .user = "me", .password = "p@ss:" } },
        { "redis://me:a@b@queue",
          { .host = "queue", .port = "6379", .user = "me", .password = "a@b" } },
        { "redis://:secret@queue", { .host = "queue", .port = "6379", .password = "secret" } },
        { "redis://secret@queue", { .host = "queue", .port = "6379", .password = "secret" } },
        { "redis://[::1]", { .host = "::1", .port = "6379" } },
        { "redis://[::1]:7000/1", { .host = "::1", .port = "7000", .db = 1 } },
        { "unix:///run/redis.sock", { .path = "/run/redis.sock" } },
        { "unix:///run/a%20b?db=2", { .path = "/run/a b", .db = 2 } },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct redis_address address;
        struct br_error err;
        assert_true(redis_address_read(cases[i].url, &address, &err));
        assert_int_equal(address.is_tls, cases[i].expected.is_tls);
        assert_text(address.path, cases[i].expected.path);
        assert_text(address.host, cases[i].expected.host);
        assert_text(address.port, cases[i].expected.port);
        assert_text(address.user, cases[i].expected.user);
        assert_text(address.password, cases[i].expected.password);
        assert_int_equal(address.db, cases[i].expected.db);
        redis_address_finish(&address);
    }
}

static void test_address_refused(void **state)
{
    (void)state;
    static const char *const urls[] = {
        "",
        "queue",
        "http://queue",
        "redis:queue",
        "redis://",
        "redis://:7000",
        "redis://queue:",
        "redis://queue:0",
        "redis://queue:65536",
        "redis://queue:70x",
        "redis://queue:0000000001",
        "redis://queue/x",
        "redis://queue/-1",
        "redis://queue/1/2",
        "redis://queue/99999999999999999999",
        "redis://queue?db=1",
        "redis://[::1",
        "redis://[]",
        "redis://[::1]x",
        "redis://a%@queue",
        "redis://a%4@queue",
        "redis://a%zz@queue",
        "redis://a%00@queue",
        "unix://",
        "unix://run/redis.sock",
        "unix:///run/redis.sock?db=",
        "unix:///run/redis.sock?name=1",
        ("unix:///"
         "0123456789012345678901234567890123456789012345678901234567890123456789012345678901"
         "23456789012345678901234567890"),
    };
    for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
        struct redis_address address;
        struct br_error err;
        assert_false(redis_address_read(urls[i], &address, &err));
        assert_int_equal(err.code, BR_INVALID_ACTION);
        assert_true(*err.hint != '\0');
        assert_null(address.host);
        assert_null(address.path);
        assert_null(address.password);
    }
}

static void test_errors_without_password(void **state)
{
    (void)state;
    const struct redis_wait wait = { .within_ms = 10, .stop_fd = -1 };
    struct br_error err;
    struct redis *redis = redis_create("redis://:secret-word@127.0.0.1:1", &err);
    assert_non_null(redis);
    assert_null(redis_call(redis, &wait, &err, "PING"));
    assert_int_equal(err.code, BR_NETWORK_ERROR);
    assert_null(strstr(err.message, "secret-word"));
    assert_int_equal(redis_connections(redis), 0);
    redis_destroy(redis);
}

static void test_ids(void **state)
{
    (void)state;
    char longest[JOB_MAX_ID + 2];
    memset(longest, 'x', sizeof(longest));
    longest[JOB_MAX_ID + 1] = '\0';
    assert_false(job_id_is_valid(longest));
    longest[JOB_MAX_ID] = '\0';
    assert_true(job_id_is_valid(longest));
    assert_true(job_id_is_valid("1764374400000-0"));
    assert_true(job_id_is_valid("order_17.a"));
    static const char *const refused[] = { "", "a b", "a:b", "a/b", "a*", "\xC3\xA4", "a\n" };
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        assert_false(job_id_is_valid(refused[i]));
    }
}

static void test_file_names(void **state)
{
    (void)state;
    char id[] = "a.1";
    struct job job = { .id = id, .attempt = 12 };
    CLEANUP_FREE char *name = job_file_name(&job);
    CLEANUP_FREE char *other = job_file_name(&job);
    CLEANUP_FREE char *path = xasprintf("/answers/%s", name);
    assert_string_not_equal(name, other);
    assert_true(job_file_is_of(name, id));
    assert_true(job_file_is_of(path, id));
    assert_false(job_file_is_of(path, "a"));
    assert_false(job_file_is_of(path, "a.1.12"));
    static const char *const refused[] = {
        "/etc/passwd",
        "a.1",
        "/answers/a.1.12.ndjson",
        "/answers/a.1..0123456789abcdef01234567.ndjson",
        "/answers/a.1.12.0123456789abcdef0123456.ndjson",
        "/answers/a.1.12.0123456789abcdef01234567.ndjson/passwd",
        "/answers/a.1.12.0123456789abcdef01234567.ndjson2",
    };
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        assert_false(job_file_is_of(refused[i], id));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_address_read),
        cmocka_unit_test(test_address_refused),
        cmocka_unit_test(test_errors_without_password),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_file_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
