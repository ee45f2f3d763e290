#include "runner/base/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const known[] = {
    "start",  "navigate",   "back",     "forward",  "reload", "click",  "hover",  "focus",
    "drag",   "type",       "press",    "select",   "check",  "upload", "scroll", "wait",
    "dialog", "screenshot", "snapshot", "evaluate", "tab",    "op",     "x",      "nth",
};

static void test_nearest(void **state)
{
    (void)state;
    static const struct {
        const char *name, *nearest;
    } cases[] = {
        { "click", "click" },
        { "clik", "click" },
        { "CLICK", "click" },
        { "lcick", "click" },
        { "clickk", "click" },
        { "klik", "click" },
        { "klok", NULL },
        { "selectr", "select" },
        { "selct", "select" },
        { "screenshoot", "screenshot" },
        { "screenschoot", "screenshot" },
        { "screen", NULL },
        { "screen-shot", "screenshot" },
        { "Screen_Shots", "screenshot" },
        { "nagivate", "navigate" },
        { "navigateTo", "navigate" },
        { "tpye", "type" },
        { "tip", NULL },
        { "hth", "nth" },
        { "ntt", "nth" },
        { "xyz", NULL },
        { "", "x" },
        { "y", "x" },
        { "po", "op" },
        { "goto", NULL },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *nearest = names_nearest(cases[i].name, known, sizeof(known) / sizeof(known[0]));
        if (!cases[i].nearest ? nearest != NULL
                              : !nearest || strcmp(nearest, cases[i].nearest) != 0) {
            fail_msg("%s gives %s", cases[i].name, nearest ? nearest : "NULL");
        }
    }
}

static void test_the_nearer_wins(void **state)
{
    (void)state;
    static const char *const names[] = { "maxEdges", "maxEdge", "maxPixels" };
    static const char *const parameters[] = { "selector", "nth", "button", "position" };
    assert_string_equal(names_nearest("selectr", parameters, 4), "selector");
    assert_string_equal(names_nearest("maxEge", names, 3), "maxEdge");
    assert_string_equal(names_nearest("maxEdgess", names, 3), "maxEdges");
    assert_null(names_nearest("maxEdge", names, 0));
}

static void test_long_names(void **state)
{
    (void)state;
    char name[70] = { 0 };
    char almost[70] = { 0 };
    const char *names[] = { name };
    memset(name, 'a', 64);
    memset(almost, 'a', 63);
    assert_ptr_equal(names_nearest(almost, names, 1), name);
    name[64] = 'a';
    assert_null(names_nearest(almost, names, 1));
    assert_null(names_nearest(name, names, 1));
}

static void test_hint(void **state)
{
    (void)state;
    static const char *const names[] = { "maxEdge", "maxPixels" };
    struct br_error err = { 0 };
    assert_false(names_hint("maxEge", names, 2, &err));
    assert_string_equal(err.hint, "did you mean \"maxEdge\"?");
    assert_false(names_hint("colour", names, 2, &err));
    assert_string_equal(err.hint, "known are: maxEdge, maxPixels");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_the_nearer_wins),
        cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_hint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
