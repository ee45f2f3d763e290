#include "runner/base/memory.h"
#include "runner/base/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct number {
    struct table_item item;
    uint64_t value;
    int visits;
};

static bool is_number(const struct table_item *item, const void *key)
{
    return ((const struct number *)item)->value == *(const uint64_t *)key;
}

static struct number *find(const struct table *table, uint64_t value)
{
    return (struct number *)table_find(table, table_hash_number(value), is_number, &value);
}

static void test_table_when_empty_has_nothing(void **state)
{
    (void)state;
    struct table table = { 0 };
    assert_null(find(&table, 0));
    assert_null(table_next(&table, NULL));
    table_finish(&table);
    table_finish(&table);
}

enum { COUNT = 10000 };

static void test_table_finds_what_is_in_it_and_nothing_else(void **state)
{
    (void)state;
    struct table table = { 0 };
    struct number *numbers = xcalloc(COUNT, sizeof(*numbers));
    for (size_t i = 0; i < COUNT; i++) {
        numbers[i].value = i * 3;
        table_add(&table, &numbers[i].item, table_hash_number(i * 3));
    }
    for (uint64_t value = 0; value < (uint64_t)COUNT * 3; value++) {
        assert_ptr_equal(find(&table, value), value % 3 == 0 ? &numbers[value / 3] : NULL);
    }
    for (size_t i = 0; i < COUNT; i += 2) {
        table_remove(&table, &numbers[i].item);
    }
    assert_int_equal(table.count, COUNT / 2);
    for (size_t i = 0; i < COUNT; i++) {
        assert_ptr_equal(find(&table, i * 3), i % 2 ? &numbers[i] : NULL);
    }
    table_finish(&table);
    free(numbers);
}

/* Also while items are removed. */
static void test_next_comes_to_each_once(void **state)
{
    (void)state;
    struct table table = { 0 };
    struct number numbers[100] = { 0 };
    for (size_t i = 0; i < 100; i++) {
        table_add(&table, &numbers[i].item, table_hash_number(i));
    }
    for (struct table_item *item = table_next(&table, NULL); item;) {
        struct table_item *next = table_next(&table, item);
        ((struct number *)item)->visits++;
        table_remove(&table, item);
        item = next;
    }
    assert_int_equal(table.count, 0);
    for (size_t i = 0; i < 100; i++) {
        assert_int_equal(numbers[i].visits, 1);
    }
    table_finish(&table);
}

static void test_table_when_hashes_are_equal_tells_the_keys_apart(void **state)
{
    (void)state;
    struct table table = { 0 };
    struct number numbers[50] = { 0 };
    for (uint64_t i = 0; i < 50; i++) {
        numbers[i].value = i;
        table_add(&table, &numbers[i].item, 7);
    }
    for (uint64_t i = 0; i < 50; i++) {
        assert_ptr_equal(table_find(&table, 7, is_number, &i), &numbers[i]);
        assert_null(table_find(&table, 7 + 1024, is_number, &i));
    }
    table_remove(&table, &numbers[25].item);
    uint64_t gone = 25;
    assert_null(table_find(&table, 7, is_number, &gone));
    assert_int_equal(table.count, 49);
    table_finish(&table);
}

/* Consecutive numbers, and ids that differ in a letter, fill all chains evenly. */
static void test_hashes_are_spread(void **state)
{
    (void)state;
    enum { CHAINS = 256, EACH = 16 };
    int by_number[CHAINS] = { 0 };
    int by_bytes[CHAINS] = { 0 };
    for (uint64_t i = 0; i < CHAINS * EACH; i++) {
        char text[16] = "0123456789AB";
        memcpy(text + 4, &i, sizeof(i));
        by_number[table_hash_number(i) % CHAINS]++;
        by_bytes[table_hash_bytes(text, sizeof(text)) % CHAINS]++;
    }
    for (size_t i = 0; i < CHAINS; i++) {
        assert_in_range(by_number[i], 1, EACH * 3);
        assert_in_range(by_bytes[i], 1, EACH * 3);
    }
    assert_int_not_equal(table_hash_bytes("ab", 2), table_hash_bytes("ba", 2));
    assert_int_equal(table_hash_bytes("abc", 2), table_hash_bytes("abd", 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_when_empty_has_nothing),
        cmocka_unit_test(test_table_finds_what_is_in_it_and_nothing_else),
        cmocka_unit_test(test_next_comes_to_each_once),
        cmocka_unit_test(test_table_when_hashes_are_equal_tells_the_keys_apart),
        cmocka_unit_test(test_hashes_are_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
