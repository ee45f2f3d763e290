/* The most recent events, limited by bytes. */
#include "runner/base/log.h"
#include "runner/observe/journal.h"

#include "runner/observe/stream.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void add(struct journal *journal, uint64_t sequence)
{
    char text[32];
    struct br_event *event = event_create(BR_EVENT_LOG);
    snprintf(text, sizeof(text), "%s %d", sequence % 2 ? "odd" : "even", (int)sequence);
    event->sequence = sequence;
    event->as.log.message = xstrdup(text);
    journal_add(journal, event);
    br_event_release(event);
}

static struct journal *with(size_t max_bytes, uint64_t count)
{
    struct journal *journal = journal_create(max_bytes);
    for (uint64_t i = 1; i <= count; i++) {
        add(journal, i);
    }
    return journal;
}

static bool is_odd(const void *data, const struct br_event *event)
{
    (void)data;
    return strncmp(event->as.log.message, "odd", 3) == 0;
}

static void expect(const struct journal_view *view, uint64_t first, uint64_t last, uint64_t next,
                   uint64_t lost)
{
    assert_true(view->count > 0);
    assert_int_equal(view->events[0]->sequence, first);
    assert_int_equal(view->events[view->count - 1]->sequence, last);
    assert_int_equal(view->next, next);
    assert_int_equal(view->lost, lost);
}

static void test_a_cursor_goes_on_where_it_was(void **state)
{
    (void)state;
    struct journal *journal = with(0, 10);
    struct journal_view view = journal_read(journal, 0, 4, false, NULL, NULL);
    expect(&view, 1, 4, 4, 0);
    assert_true(view.has_more);
    journal_view_finish(&view);
    view = journal_read(journal, 4, 100, false, NULL, NULL);
    expect(&view, 5, 10, 10, 0);
    assert_false(view.has_more);
    journal_view_finish(&view);
    view = journal_read(journal, 10, 100, false, NULL, NULL);
    assert_int_equal(view.count, 0);
    assert_int_equal(view.next, 10);
    journal_view_finish(&view);
    view = journal_read(journal, 4711, 100, false, NULL, NULL); /* no session with this name */
    assert_int_equal(view.count + view.lost, 0);
    journal_view_finish(&view);
    journal_destroy(journal);
}

static void test_the_newest_are_in_order_too(void **state)
{
    (void)state;
    struct journal *journal = with(0, 10);
    struct journal_view view = journal_read(journal, 0, 3, true, is_odd, NULL);
    assert_int_equal(view.count, 3);
    expect(&view, 5, 9, 10, 0);
    assert_true(view.has_more);
    journal_view_finish(&view);
    view = journal_read(journal, 6, 10, false, is_odd, NULL);
    assert_int_equal(view.count, 2);
    expect(&view, 7, 9, 10, 0);
    journal_view_finish(&view);
    journal_destroy(journal);
}

static void test_the_oldest_leave(void **state)
{
    (void)state;
    enum { BYTES = 20000, COUNT = 1000 };
    struct journal *journal = with(BYTES, COUNT);
    struct journal_view view = journal_read(journal, 0, SIZE_MAX, false, NULL, NULL);
    size_t bytes = 0;
    for (size_t i = 0; i < view.count; i++) {
        bytes += event_size(view.events[i]);
        assert_int_equal(view.events[i]->sequence, COUNT - view.count + 1 + i);
    }
    assert_in_range(bytes, BYTES / 2, BYTES);
    assert_int_equal(view.lost, 0); /* 0 is no cursor, so nothing is counted as lost */
    uint64_t oldest = view.events[0]->sequence;
    journal_view_finish(&view);
    view = journal_read(journal, 5, 1, false, NULL, NULL);
    expect(&view, oldest, oldest, oldest, oldest - 6);
    journal_view_finish(&view);
    view = journal_read(journal, oldest - 1, 1, false, NULL, NULL);
    expect(&view, oldest, oldest, oldest, 0);
    journal_view_finish(&view);
    journal_destroy(journal);
}

static void test_one_that_is_too_large_is_kept_alone(void **state)
{
    (void)state;
    struct journal *journal = with(1, 3);
    struct journal_view view = journal_read(journal, 1, 10, false, NULL, NULL);
    assert_int_equal(view.count, 1);
    expect(&view, 3, 3, 3, 1);
    journal_view_finish(&view);
    journal_destroy(journal);
    journal_destroy(NULL);
}

/* Reading while another thread writes. */

enum { WRITTEN = 20000 };

static void *read_all(void *data)
{
    struct journal *journal = data;
    uint64_t since = 0;
    uint64_t seen = 0;
    while (since < WRITTEN) {
        struct journal_view view = journal_read(journal, since, 100, false, NULL, NULL);
        for (size_t i = 0; i < view.count; i++) {
            seen += strlen(view.events[i]->as.log.message) > 0;
        }
        seen += view.lost;
        since = view.next;
        journal_view_finish(&view);
    }
    return (void *)(uintptr_t)seen;
}

static void test_other_threads_read_it_meanwhile(void **state)
{
    (void)state;
    pthread_t reader;
    void *seen = NULL;
    struct journal *journal = journal_create(100000);
    add(journal, 1); /* otherwise the first read would have no starting point for counting losses */
    assert_int_equal(pthread_create(&reader, NULL, read_all, journal), 0);
    for (uint64_t i = 2; i <= WRITTEN; i++) {
        add(journal, i);
    }
    pthread_join(reader, &seen);
    assert_in_range((uintptr_t)seen, 1, WRITTEN);
    journal_destroy(journal);
}

static void keep(void *data, const struct br_event *event)
{
    journal_add(data, event);
}

static void test_a_flood_of_a_hundred_thousand(void **state)
{
    (void)state;
    struct journal *journal = journal_create(0);
    struct stream *stream = stream_create(NULL, NULL, BR_WORDING_MEMBERS);
    stream_subscribe(stream, &(struct br_sink){ .on_event = keep, .data = journal });
    for (int i = 0; i < 100 * 1000; i++) {
        char text[64];
        snprintf(text, sizeof(text), "a line of what a page says without end, number %d", i);
        struct br_log log = log_entry(BR_LOG_INFO, BR_SOURCE_BROWSER, "console", text);
        stream_log(stream, &log, 0);
    }
    stream_destroy(stream);
    struct journal_view view = journal_read(journal, 1, SIZE_MAX, false, NULL, NULL);
    size_t bytes = 0;
    for (size_t i = 0; i < view.count; i++) {
        bytes += event_size(view.events[i]);
    }
    assert_in_range(bytes, JOURNAL_BYTES / 2, JOURNAL_BYTES);
    assert_int_equal(view.count + view.lost + 1, 100 * 1000);
    journal_view_finish(&view);
    journal_destroy(journal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_cursor_goes_on_where_it_was),
        cmocka_unit_test(test_the_newest_are_in_order_too),
        cmocka_unit_test(test_the_oldest_leave),
        cmocka_unit_test(test_one_that_is_too_large_is_kept_alone),
        cmocka_unit_test(test_other_threads_read_it_meanwhile),
        cmocka_unit_test(test_a_flood_of_a_hundred_thousand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
