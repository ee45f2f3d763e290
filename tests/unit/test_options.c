#include "runner/base/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct sample {
    const char *name, *missing;
    int number;
    const char *const *list, *const *no_list;
};

static const struct options_text texts[] = {
    { offsetof(struct sample, name), OPTIONS_TEXT },
    { offsetof(struct sample, missing), OPTIONS_TEXT },
    { offsetof(struct sample, list), OPTIONS_TEXTS },
    { offsetof(struct sample, no_list), OPTIONS_TEXTS },
};

static void test_texts_are_copies(void **state)
{
    (void)state;
    char name[] = "name";
    char item[] = "item";
    const char *list[] = { item, "other", NULL };
    struct sample sample = { .name = name, .number = 7, .list = list };
    options_own(&sample, texts, sizeof(texts) / sizeof(texts[0]));
    memset(name, 'x', sizeof(name) - 1);
    memset(item, 'x', sizeof(item) - 1);
    list[1] = NULL;
    assert_string_equal(sample.name, "name");
    assert_string_equal(sample.list[0], "item");
    assert_string_equal(sample.list[1], "other");
    assert_null(sample.list[2]);
    assert_null(sample.missing);
    assert_null(sample.no_list);
    assert_int_equal(sample.number, 7);
    options_free(&sample, texts, sizeof(texts) / sizeof(texts[0]));
    assert_null(sample.name);
    assert_null(sample.list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_are_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
