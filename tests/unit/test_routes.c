#include "runner/base/memory.h"
#include "runner/cdp/routes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct cdp_slice slice(const char *text)
{
    return (struct cdp_slice){ .text = text, .length = strlen(text) };
}

static void assert_call(struct routes *routes, int64_t id, const struct mailbox *mailbox)
{
    struct routes_call *call = routes_take_call(routes, id);
    assert_non_null(call);
    assert_ptr_equal(call->mailbox, mailbox);
    routes_call_destroy(call);
}

static void test_calls_are_taken_once(void **state)
{
    (void)state;
    struct routes routes = { 0 };
    struct mailbox *mailbox = mailbox_create(100);
    int64_t first = routes_add_call(&routes, mailbox, NULL);
    int64_t second = routes_add_call(&routes, NULL, "S");
    assert_int_equal(first, 1);
    assert_int_equal(second, 2);
    assert_null(routes_take_call(&routes, 0));
    assert_null(routes_take_call(&routes, -1));
    assert_null(routes_take_call(&routes, 3));
    assert_call(&routes, first, mailbox);
    assert_null(routes_take_call(&routes, first));
    assert_call(&routes, second, NULL);
    routes_finish(&routes);
    mailbox_destroy(mailbox);
}

/* Chrome replies to an id over 2^31 - 1 without an id; a pending id must not be reused. */
static void test_ids_when_they_reach_the_last_begin_anew(void **state)
{
    (void)state;
    struct routes routes = { 0 };
    int64_t one = routes_add_call(&routes, NULL, NULL);
    int64_t two = routes_add_call(&routes, NULL, NULL);
    int64_t three = routes_add_call(&routes, NULL, NULL);
    assert_call(&routes, two, NULL);
    routes.last_id = ROUTES_LAST_ID - 2;
    assert_int_equal(routes_add_call(&routes, NULL, NULL), 2147483646);
    assert_int_equal(routes_add_call(&routes, NULL, NULL), 2147483647);
    assert_int_equal(routes_add_call(&routes, NULL, NULL), two);
    assert_int_equal(routes_add_call(&routes, NULL, NULL), three + 1);
    assert_call(&routes, one, NULL);
    assert_call(&routes, three, NULL);
    routes_finish(&routes);
}

enum { CALLS = 5000 };

static void test_calls_when_there_are_many_are_all_found(void **state)
{
    (void)state;
    struct routes routes = { .last_id = ROUTES_LAST_ID - CALLS / 2 };
    int64_t *ids = xcalloc(CALLS, sizeof(*ids));
    for (size_t i = 0; i < CALLS; i++) {
        ids[i] = routes_add_call(&routes, NULL, NULL);
        assert_in_range(ids[i], 1, ROUTES_LAST_ID);
    }
    for (size_t i = CALLS; i-- > 0;) {
        assert_call(&routes, ids[i], NULL);
    }
    assert_int_equal(routes.calls.count, 0);
    routes_finish(&routes);
    free(ids);
}

static void test_sessions_have_the_reader_that_asked_last(void **state)
{
    (void)state;
    struct routes routes = { 0 };
    struct mailbox *first = mailbox_create(100);
    struct mailbox *second = mailbox_create(100);
    routes_read(&routes, first, NULL);
    routes_read(&routes, first, "S1");
    routes_read(&routes, second, "S2");
    assert_ptr_equal(routes_find(&routes, slice("S1"))->reader->mailbox, first);
    assert_true(routes_find(&routes, slice("S1"))->reader->hears_browser);
    assert_false(routes_find(&routes, slice("S2"))->reader->hears_browser);
    assert_null(routes_find(&routes, slice("S3")));
    assert_null(routes_find(&routes, slice("S")));
    assert_null(routes_find(&routes, slice("")));
    routes_read(&routes, second, "S1");
    assert_ptr_equal(routes_find(&routes, slice("S1"))->reader->mailbox, second);
    routes_leave(&routes, second);
    assert_null(routes_find(&routes, slice("S1"))->reader);
    assert_null(routes_find(&routes, slice("S2"))->reader);
    assert_ptr_equal(routes.readers->mailbox, first);
    routes_finish(&routes);
    mailbox_destroy(first);
    mailbox_destroy(second);
}

/* What routes_end() reports: the ids of commands and of sessions, each followed by a space. */
static char told[200];

static void on_call(const struct routes_call *call)
{
    snprintf(told + strlen(told), sizeof(told) - strlen(told), "%s ", call->session_id);
}

static int ended_count;

static void on_session(const struct routes_session *session)
{
    assert_true(session->is_ending);
    ended_count++;
}

static void end(struct routes *routes, const char *session_id)
{
    told[0] = '\0';
    ended_count = 0;
    routes_end(routes, slice(session_id), on_call, on_session);
}

static void test_end_when_there_are_sessions_below_ends_them_too(void **state)
{
    (void)state;
    struct routes routes = { 0 };
    routes_attach(&routes, slice(""), slice("A"));
    routes_attach(&routes, slice("A"), slice("B"));
    routes_attach(&routes, slice("B"), slice("C"));
    routes_attach(&routes, slice(""), slice("X"));
    int64_t other = routes_add_call(&routes, NULL, "X");
    int64_t browser = routes_add_call(&routes, NULL, NULL);
    int64_t below = routes_add_call(&routes, NULL, "C");
    end(&routes, "A");
    assert_string_equal(told, "C ");
    assert_int_equal(ended_count, 3);
    assert_null(routes_take_call(&routes, below));
    assert_null(routes_find(&routes, slice("C")));
    assert_non_null(routes_find(&routes, slice("X")));
    assert_call(&routes, other, NULL);
    assert_call(&routes, browser, NULL);
    /* A parent does not end with its child, and a child that is attached again is a new one. */
    routes_attach(&routes, slice("X"), slice("C"));
    end(&routes, "C");
    assert_int_equal(ended_count, 1);
    assert_non_null(routes_find(&routes, slice("X")));
    routes_finish(&routes);
}

static void test_end_when_the_session_was_never_announced_ends_its_calls(void **state)
{
    (void)state;
    struct routes routes = { 0 };
    routes_add_call(&routes, NULL, "S");
    end(&routes, "S");
    assert_string_equal(told, "S ");
    assert_int_equal(routes.calls.count, 0);
    assert_int_equal(routes.sessions.count, 0);
    end(&routes, "");
    assert_int_equal(ended_count, 0);
    routes_finish(&routes);
}

/* A browser may send anything. */
static void test_attach_when_it_would_be_a_circle_is_not_believed(void **state)
{
    (void)state;
    struct routes routes = { 0 };
    routes_attach(&routes, slice("A"), slice("A"));
    routes_attach(&routes, slice("A"), slice("A"));
    routes_attach(&routes, slice("A"), slice("B"));
    routes_attach(&routes, slice("B"), slice("C"));
    routes_attach(&routes, slice("C"), slice("A"));
    end(&routes, "B");
    assert_int_equal(ended_count, 2);
    assert_non_null(routes_find(&routes, slice("A")));
    routes_finish(&routes);
}

static void test_ids_when_too_long_are_nobodys(void **state)
{
    (void)state;
    struct routes routes = { 0 };
    char id[ROUTES_SESSION_ID + 2];
    memset(id, 'A', sizeof(id) - 1);
    id[sizeof(id) - 1] = '\0';
    struct mailbox *mailbox = mailbox_create(100);
    routes_attach(&routes, slice(""), slice(id));
    routes_read(&routes, mailbox, id);
    end(&routes, id);
    assert_int_equal(routes.sessions.count, 0);
    id[ROUTES_SESSION_ID] = '\0';
    routes_attach(&routes, slice(""), slice(id));
    assert_non_null(routes_find(&routes, slice(id)));
    routes_finish(&routes);
    mailbox_destroy(mailbox);
}

static void test_claim_holds_for_what_is_attached_below(void **state)
{
    (void)state;
    struct routes routes = { 0 };
    struct mailbox *raw = mailbox_create(100);
    struct mailbox *other = mailbox_create(100);
    assert_null(routes_raw_mailbox(&routes, slice("R")));
    routes_claim(&routes, raw, "R");
    routes_read(&routes, other, "P");
    routes_attach(&routes, slice("R"), slice("A"));
    routes_attach(&routes, slice("A"), slice("B"));
    routes_attach(&routes, slice("P"), slice("Q"));
    assert_ptr_equal(routes_raw_mailbox(&routes, slice("R")), raw);
    assert_ptr_equal(routes_raw_mailbox(&routes, slice("B")), raw);
    assert_null(routes_raw_mailbox(&routes, slice("P")));
    assert_null(routes_find(&routes, slice("Q"))->reader);
    assert_int_equal(routes.raw_count, 1);
    routes_leave(&routes, raw);
    assert_int_equal(routes.raw_count, 0);
    assert_null(routes_raw_mailbox(&routes, slice("B")));
    assert_null(routes_find(&routes, slice("B"))->reader);
    end(&routes, "R");
    assert_int_equal(ended_count, 3);
    routes_finish(&routes);
    mailbox_destroy(raw);
    mailbox_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_are_taken_once),
        cmocka_unit_test(test_ids_when_they_reach_the_last_begin_anew),
        cmocka_unit_test(test_calls_when_there_are_many_are_all_found),
        cmocka_unit_test(test_sessions_have_the_reader_that_asked_last),
        cmocka_unit_test(test_end_when_there_are_sessions_below_ends_them_too),
        cmocka_unit_test(test_end_when_the_session_was_never_announced_ends_its_calls),
        cmocka_unit_test(test_attach_when_it_would_be_a_circle_is_not_believed),
        cmocka_unit_test(test_ids_when_too_long_are_nobodys),
        cmocka_unit_test(test_claim_holds_for_what_is_attached_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
