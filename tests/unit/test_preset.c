#include "profiles/preset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_each_preset_has_all_of_a_device(void **state)
{
    (void)state;
    size_t count = 0;
    for (; preset_names[count]; count++) {
        struct br_error err = { 0 };
        json_auto_t *preset = preset_load(preset_names[count], &err);
        const json_t *viewport = json_object_get(preset, "viewport");
        assert_non_null(preset);
        assert_true(json_is_integer(json_object_get(viewport, "width")));
        assert_true(json_is_integer(json_object_get(viewport, "height")));
        assert_true(json_is_number(json_object_get(viewport, "deviceScaleFactor")));
        assert_true(json_is_boolean(json_object_get(viewport, "mobile")));
        assert_true(json_is_boolean(json_object_get(preset, "touch")));
        assert_true(json_is_object(json_object_get(preset, "userAgent")));
    }
    assert_int_equal(count, 6);
}

static void test_unknown_preset_names_all(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    assert_null(preset_load("Iphone ", &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    assert_non_null(strstr(err.message, "desktop, laptop, iphone, pixel, tablet, ci"));
    assert_non_null(strstr(err.hint, "iphone"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_preset_has_all_of_a_device),
        cmocka_unit_test(test_unknown_preset_names_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
