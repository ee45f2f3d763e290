#include "runner/base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_empty(void **state)
{
    (void)state;
    struct strbuf buf = STRBUF_INIT(10);
    assert_string_equal(buf.data, "");
    strbuf_add(&buf, "x", 0);
    strbuf_add_string(&buf, "");
    strbuf_clear(&buf);
    assert_int_equal(buf.capacity, 0);
    char *text = strbuf_take(&buf);
    assert_string_equal(text, "");
    free(text);
    strbuf_finish(&buf);
    strbuf_finish(&buf);
}

static void test_additions(void **state)
{
    (void)state;
    struct strbuf buf = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&buf, "one ");
    strbuf_add(&buf, "t\0o", 3);
    strbuf_add_format(&buf, " %d%s", 3, "");
    assert_int_equal(buf.length, 9);
    assert_memory_equal(buf.data, "one t\0o 3", 10);
    strbuf_add_format(&buf, "%s", "");
    assert_int_equal(buf.length, 9);
    for (size_t i = 0; i < 1000; i++) {
        strbuf_add_format(&buf, "%zu,", i);
        assert_int_equal(buf.data[buf.length], '\0');
        assert_true(buf.capacity > buf.length);
    }
    assert_false(buf.overflowed);
    assert_string_equal(buf.data + buf.length - 4, "999,");
    strbuf_finish(&buf);
    assert_string_equal(buf.data, "");
    assert_int_equal(buf.length, 0);
}

static void test_cap(void **state)
{
    (void)state;
    struct strbuf buf = STRBUF_INIT(5);
    strbuf_add_string(&buf, "12345");
    assert_false(buf.overflowed);
    assert_string_equal(buf.data, "12345");
    strbuf_add_string(&buf, "6");
    assert_true(buf.overflowed);
    assert_string_equal(buf.data, "12345");
    strbuf_clear(&buf);
    assert_false(buf.overflowed);
    assert_string_equal(buf.data, "");

    /* Dropped as a whole; this is remembered while texts that fit are still added. */
    strbuf_add_string(&buf, "1234");
    strbuf_add_format(&buf, "%s", "ab");
    assert_true(buf.overflowed);
    strbuf_add_string(&buf, "c");
    assert_true(buf.overflowed);
    assert_string_equal(buf.data, "1234c");
    char *text = strbuf_take(&buf);
    assert_string_equal(text, "1234c");
    assert_false(buf.overflowed);
    assert_int_equal(buf.max, 5);
    free(text);
    strbuf_finish(&buf);
}

static void test_reserve(void **state)
{
    (void)state;
    struct strbuf buf = STRBUF_INIT(1000);
    assert_true(strbuf_reserve(&buf, 1000));
    assert_true(buf.capacity > 1000);
    assert_string_equal(buf.data, "");
    strbuf_add_string(&buf, "x");
    assert_true(strbuf_reserve(&buf, 999));
    assert_false(buf.overflowed);
    assert_false(strbuf_reserve(&buf, 1000));
    assert_true(buf.overflowed);
    assert_false(strbuf_reserve(&buf, SIZE_MAX));
    strbuf_finish(&buf);

    struct strbuf none = STRBUF_INIT(0);
    strbuf_add_string(&none, "x");
    assert_true(none.overflowed);
    assert_string_equal(none.data, "");
    strbuf_finish(&none);
}

static void test_take_leaves_an_empty_buffer(void **state)
{
    (void)state;
    struct strbuf buf = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&buf, "first");
    char *first = strbuf_take(&buf);
    assert_string_equal(buf.data, "");
    strbuf_add_string(&buf, "second");
    assert_string_equal(first, "first");
    assert_string_equal(buf.data, "second");
    free(first);
    strbuf_finish(&buf);
}

static void test_array_reserve(void **state)
{
    (void)state;
    int *items = NULL;
    size_t capacity = 0;
    for (size_t count = 0; count < 100; count++) {
        items = array_reserve(items, count, &capacity, sizeof(*items));
        assert_true(capacity > count);
        items[count] = (int)count;
    }
    assert_int_equal(items[99], 99);
    items = array_reserve(items, 5000, &capacity, sizeof(*items));
    assert_true(capacity > 5000);
    items[5000] = 1;
    free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_additions),
        cmocka_unit_test(test_cap),
        cmocka_unit_test(test_reserve),
        cmocka_unit_test(test_take_leaves_an_empty_buffer),
        cmocka_unit_test(test_array_reserve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
