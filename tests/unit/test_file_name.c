
#include "runner/base/memory.h"
#include "runner/page/world/file_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_names_of_others_are_cleaned(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "report.csv", "report.csv" },
        { "", "download" },
        { "..", "download" },
        { "../../etc/passwd", "passwd" },
        { "C:\\temp\\a.txt", "a.txt" },
        { "/", "download" },
        { ".bashrc", "bashrc" },
        { " . .x. ", "x" },
        { "a\nb\x7f.txt", "ab.txt" },
        { "Zo\u00eb \u2713.pdf", "Zo\u00eb \u2713.pdf" },
        { "archive.tar.gz", "archive.tar.gz" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP_FREE char *name = file_name_clean(cases[i][0]);
        assert_string_equal(name, cases[i][1]);
    }
}

static void test_long_names_keep_their_extension(void **state)
{
    (void)state;
    char name[1000];
    memset(name, 'x', sizeof(name));
    memcpy(name + sizeof(name) - 5, ".csv", 5);
    CLEANUP_FREE char *cut = file_name_clean(name);
    assert_int_equal(strlen(cut), 200);
    assert_string_equal(cut + 196, ".csv");
}

static void test_numbers_come_before_the_extension(void **state)
{
    (void)state;
    CLEANUP_FREE char *first = file_name_numbered("a.tar.gz", 0);
    CLEANUP_FREE char *second = file_name_numbered("a.tar.gz", 1);
    CLEANUP_FREE char *plain = file_name_numbered("LICENSE", 12);
    assert_string_equal(first, "a.tar.gz");
    assert_string_equal(second, "a.tar (1).gz");
    assert_string_equal(plain, "LICENSE (12)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_of_others_are_cleaned),
        cmocka_unit_test(test_long_names_keep_their_extension),
        cmocka_unit_test(test_numbers_come_before_the_extension),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
