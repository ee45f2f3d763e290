#include "runner/base/action.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_position(struct source_position position, unsigned line, unsigned column)
{
    assert_int_equal(position.line, line);
    assert_int_equal(position.column, column);
}

static void test_parameters(void **state)
{
    (void)state;
    char type[] = "click";
    CLEANUP_ACTION struct br_action *action = action_create(type, (struct source_position){ 2, 3 });
    type[0] = 'x';
    assert_string_equal(action->type, "click");
    assert_true(action_add(action, "nth", json_integer(1), (struct source_position){ 4, 5 }));
    assert_true(action_add(action, "text", json_string("x"), (struct source_position){ 0 }));
    assert_int_equal(json_object_size(action->params), 2);
    assert_position(action_param_position(action, "nth"), 4, 5);
    assert_position(action_param_position(action, "text"), 2, 3);
    assert_position(action_param_position(action, "absent"), 2, 3);
    assert_null(action_param_text(action, "nth"));
    br_action_destroy(NULL);
}

static void test_same_name_twice(void **state)
{
    (void)state;
    CLEANUP_ACTION struct br_action *action = action_create("a", (struct source_position){ 1, 1 });
    assert_true(action_add(action, "nth", json_integer(1), (struct source_position){ 4, 5 }));
    /* The action takes ownership of the value even so: otherwise LeakSanitizer fails the test. */
    assert_false(action_add(action, "nth", json_integer(2), (struct source_position){ 6, 7 }));
    assert_int_equal(json_integer_value(json_object_get(action->params, "nth")), 1);
    assert_position(action_param_position(action, "nth"), 4, 5);
}

static void test_sources(void **state)
{
    (void)state;
    CLEANUP_ACTION struct br_action *action = action_create("a", (struct source_position){ 1, 1 });
    char text[] = "1.50";
    action_add_source(action, "to.x", text, (struct source_position){ 8, 9 });
    text[0] = 'x';
    action_add_source(action, "to", NULL, (struct source_position){ 7, 1 });
    assert_string_equal(action_param_text(action, "to.x"), "1.50");
    assert_position(action_param_position(action, "to.x"), 8, 9);
    assert_null(action_param_text(action, "to"));
    assert_position(action_param_position(action, "to"), 7, 1);
    assert_null(action_param_text(action, "x"));
}

static void test_many_sources(void **state)
{
    (void)state;
    CLEANUP_ACTION struct br_action *action = action_create("a", (struct source_position){ 1, 1 });
    for (unsigned i = 1; i <= 100; i++) {
        CLEANUP_FREE char *name = xasprintf("p%u", i);
        assert_true(
            action_add(action, name, json_integer(i), (struct source_position){ i, i + 1 }));
    }
    assert_position(action_param_position(action, "p1"), 1, 2);
    assert_position(action_param_position(action, "p100"), 100, 101);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_same_name_twice),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_many_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
