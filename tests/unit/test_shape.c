#include "runner/base/memory.h"
#include "runner/base/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const sites[] = { "Lax", "None", NULL };

static const struct shape inner[] = {
    { "count", SHAPE_COUNT, true, NULL, NULL },
    { 0 },
};

static const struct shape outer[] = {
    { "name", SHAPE_NAME, true, NULL, NULL },
    { "any", SHAPE_NUMBER, false, NULL, NULL },
    { "amount", SHAPE_AMOUNT, false, NULL, NULL },
    { "is", SHAPE_BOOLEAN, false, NULL, NULL },
    { "site", SHAPE_CHOICE, false, NULL, sites },
    { "texts", SHAPE_TEXTS, false, NULL, NULL },
    { "object", SHAPE_OBJECT, false, inner, NULL },
    { "list", SHAPE_OBJECTS, false, inner, NULL },
    { 0 },
};

/* A document in single quotes, and its error. */
static void test_faults_are_named_by_their_path(void **state)
{
    (void)state;
    static const struct {
        const char *json, *message; /* NULL: valid */
    } cases[] = {
        { "{'name': 'a', 'any': -0.5, 'amount': 0, 'is': false, 'site': 'Lax', 'other': {}}",
          NULL },
        { "{'name': 'a', 'texts': [], 'object': {'count': 3}, 'list': [{'count': 0}]}", NULL },
        { "{}", "at.name is missing" },
        { "{'name': ''}", "at.name is not a text that is not empty" },
        { "{'name': 'a', 'any': '1'}", "at.any is not a number" },
        { "{'name': 'a', 'amount': -1}", "at.amount is not a number that is not negative" },
        { "{'name': 'a', 'is': 1}", "at.is is not true or false" },
        { "{'name': 'a', 'site': 'lax'}", "at.site is not one of those that there are" },
        { "{'name': 'a', 'texts': ['a', 1]}", "at.texts[1] is not a text" },
        { "{'name': 'a', 'object': {}}", "at.object.count is missing" },
        { "{'name': 'a', 'list': [{'count': 1}, {'count': 1.5}]}",
          "at.list[1].count is not an integer that is not negative" },
        { "{'name': 'a', 'list': [7]}", "at.list[0] is not an object" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        CLEANUP_FREE char *json = xstrdup(cases[i].json);
        for (char *quote = json; (quote = strchr(quote, '\''));) {
            *quote = '"';
        }
        json_auto_t *value = json_loads(json, 0, NULL);
        assert_int_equal(shape_check(value, outer, "at", &err), !cases[i].message);
        assert_string_equal(err.message, cases[i].message ? cases[i].message : "");
    }
}

static void test_numbers_have_limits(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    json_auto_t *half = json_real(0.5);
    json_auto_t *truth = json_true();
    assert_true(shape_number(half, 0, 0.5, false, &err));
    assert_false(shape_number(half, 0, 0.5, true, &err));
    assert_string_equal(err.message, "takes a whole number, not 0.5");
    assert_false(shape_number(half, 1, 2, false, &err));
    assert_string_equal(err.message, "0.5 is not between 1 and 2");
    assert_false(shape_number(truth, 1, 2, false, &err));
    assert_string_equal(err.message, "takes a number, not true");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults_are_named_by_their_path),
        cmocka_unit_test(test_numbers_have_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
