#include "runner/net/queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static enum queue_result put(struct queue *queue, const char *text, enum net_class class,
                             size_t *ret_dropped)
{
    return queue_put(queue, queue_item_create(text, strlen(text), "", class), ret_dropped);
}

static void expect_next(struct queue *queue, const char *expected)
{
    size_t length = 0;
    bool is_first, is_last;
    unsigned char *bytes = queue_begin(queue, 1000, &length, &is_first, &is_last);
    assert_non_null(bytes);
    assert_true(is_first && is_last);
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(bytes, expected, length);
    queue_advance(queue, length);
}

static void expect_empty(struct queue *queue)
{
    size_t length = 0;
    bool is_first, is_last;
    assert_null(queue_begin(queue, 1000, &length, &is_first, &is_last));
    assert_int_equal(queue->bytes, 0);
    assert_null(queue->last);
    assert_null(queue->first_telemetry);
    assert_null(queue->last_telemetry);
}

static void test_messages_leave_in_their_order(void **state)
{
    (void)state;
    struct queue queue = { .max = 10000 };
    size_t dropped = 0;
    assert_int_equal(put(&queue, "one", NET_REPLY, &dropped), QUEUE_TAKEN);
    assert_int_equal(put(&queue, "", NET_TELEMETRY, &dropped), QUEUE_TAKEN);
    assert_int_equal(put(&queue, "three", NET_REPLY, &dropped), QUEUE_TAKEN);
    assert_int_equal(queue.bytes, 8 + 3 * QUEUE_ITEM_COST);
    expect_next(&queue, "one");
    expect_next(&queue, "");
    expect_next(&queue, "three");
    expect_empty(&queue);
}

static void test_a_suffix_is_part_of_the_message(void **state)
{
    (void)state;
    struct queue queue = { .max = 10000 };
    size_t dropped = 0;
    queue_put(&queue, queue_item_create("line", 4, "\n", NET_REPLY), &dropped);
    queue_put(&queue, queue_item_create(NULL, 0, "\n", NET_REPLY), &dropped);
    expect_next(&queue, "line\n");
    expect_next(&queue, "\n");
}

static void test_a_message_is_sent_in_parts(void **state)
{
    (void)state;
    struct queue queue = { .max = 10000 };
    size_t dropped = 0, length = 0;
    bool is_first, is_last;
    put(&queue, "abcdefg", NET_REPLY, &dropped);
    memset(queue_begin(&queue, 3, &length, &is_first, &is_last) - QUEUE_FRONT, '!', QUEUE_FRONT);
    assert_true(length == 3 && is_first && !is_last);
    queue_advance(&queue, 2);
    unsigned char *bytes = queue_begin(&queue, 3, &length, &is_first, &is_last);
    assert_memory_equal(bytes, "cde", 3);
    assert_true(length == 3 && !is_first && !is_last);
    queue_advance(&queue, 3);
    bytes = queue_begin(&queue, 3, &length, &is_first, &is_last);
    assert_memory_equal(bytes, "fg", 2);
    assert_true(length == 2 && !is_first && is_last);
    queue_advance(&queue, 2);
    expect_empty(&queue);
}

static void test_the_oldest_telemetry_makes_room(void **state)
{
    (void)state;
    struct queue queue = { .max = 4 * (QUEUE_ITEM_COST + 1) };
    size_t dropped = 0;
    put(&queue, "a", NET_TELEMETRY, &dropped);
    put(&queue, "B", NET_REPLY, &dropped);
    put(&queue, "c", NET_TELEMETRY, &dropped);
    put(&queue, "d", NET_TELEMETRY, &dropped);
    assert_int_equal(put(&queue, "e", NET_TELEMETRY, &dropped), QUEUE_TAKEN);
    assert_int_equal(dropped, 1);
    assert_int_equal(put(&queue, "F", NET_REPLY, &dropped), QUEUE_TAKEN);
    assert_int_equal(dropped, 1);
    expect_next(&queue, "B");
    expect_next(&queue, "d");
    expect_next(&queue, "e");
    expect_next(&queue, "F");
    expect_empty(&queue);
}

static void test_replies_are_never_dropped(void **state)
{
    (void)state;
    struct queue queue = { .max = 2 * (QUEUE_ITEM_COST + 1) };
    size_t dropped = 0;
    put(&queue, "A", NET_REPLY, &dropped);
    put(&queue, "B", NET_REPLY, &dropped);
    assert_int_equal(put(&queue, "C", NET_REPLY, &dropped), QUEUE_FULL);
    assert_int_equal(dropped, 0);
    assert_int_equal(put(&queue, "d", NET_TELEMETRY, &dropped), QUEUE_DROPPED);
    assert_int_equal(dropped, 1);
    expect_next(&queue, "A");
    expect_next(&queue, "B");
    expect_empty(&queue);
}

static void test_what_is_begun_is_not_dropped(void **state)
{
    (void)state;
    struct queue queue = { .max = 2 * (QUEUE_ITEM_COST + 2) };
    size_t dropped = 0, length = 0;
    bool is_first, is_last;
    put(&queue, "ab", NET_TELEMETRY, &dropped);
    put(&queue, "cd", NET_TELEMETRY, &dropped);
    queue_begin(&queue, 1, &length, &is_first, &is_last);
    queue_advance(&queue, 1);
    assert_int_equal(put(&queue, "ef", NET_TELEMETRY, &dropped), QUEUE_TAKEN);
    assert_int_equal(dropped, 1);
    assert_memory_equal(queue_begin(&queue, 1, &length, &is_first, &is_last), "b", 1);
    queue_advance(&queue, 1);
    expect_next(&queue, "ef");
    expect_empty(&queue);
}

static void test_a_queue_is_cleared(void **state)
{
    (void)state;
    struct queue queue = { .max = 10000 };
    size_t dropped = 0, length = 0;
    bool is_first, is_last;
    put(&queue, "abc", NET_TELEMETRY, &dropped);
    put(&queue, "def", NET_REPLY, &dropped);
    queue_begin(&queue, 1, &length, &is_first, &is_last);
    queue_advance(&queue, 1);
    queue_clear(&queue);
    expect_empty(&queue);
    put(&queue, "next", NET_REPLY, &dropped);
    expect_next(&queue, "next");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages_leave_in_their_order),
        cmocka_unit_test(test_a_suffix_is_part_of_the_message),
        cmocka_unit_test(test_a_message_is_sent_in_parts),
        cmocka_unit_test(test_the_oldest_telemetry_makes_room),
        cmocka_unit_test(test_replies_are_never_dropped),
        cmocka_unit_test(test_what_is_begun_is_not_dropped),
        cmocka_unit_test(test_a_queue_is_cleared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
