/* Source maps: numbers, places, sections, names of sources; and what is broken does no harm. */
#include "runner/observe/source_map.h"

#include "runner/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct source_map *parse(const char *text)
{
    struct br_error err;
    return source_map_parse(text, strlen(text), &err);
}

static void assert_place(const char *text, int line, int column, const char *expected)
{
    struct source_map *map = parse(text);
    assert_non_null(map);
    CLEANUP_FREE char *found = source_map_find(map, "http://x/js/app.js", line, column);
    if (expected) {
        assert_non_null(found);
        assert_string_equal(found, expected);
    } else {
        assert_null(found);
    }
    source_map_destroy(map);
}

static void test_places(void **state)
{
    (void)state;
    /* Line 1: column 1 is a.ts 1:1, column 9 is b.ts 3:5, column 17 has no source. Line 3: a.ts
     * 11:1.
     */
    static const char map[] = "{\"version\":3,\"sources\":[\"../src/a.ts\",\"/b.ts\"],\"names\":[],"
                              "\"mappings\":\"AAAA,QCEI,Q;;ADQJ\"}";
    static const struct {
        int line, column;
        const char *place;
    } cases[] = {
        { 1, 1, "http://x/src/a.ts:1:1" },
        { 1, 8, "http://x/src/a.ts:1:1" },
        { 1, 9, "http://x/b.ts:3:5" },
        { 1, 16, "http://x/b.ts:3:5" },
        { 1, 17, NULL },
        { 2, 1, NULL },
        { 3, 1, "http://x/src/a.ts:11:1" },
        { 4, 1, NULL },
        { 0, 0, NULL },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_place(map, cases[i].line, cases[i].column, cases[i].place);
    }
}

static void test_large_numbers_and_roots(void **state)
{
    (void)state;
    /* 1000 is w+B. */
    assert_place(
        "{\"sourceRoot\":\"webpack://app\",\"sources\":[\"./a.ts\"],\"mappings\":\"w+BAw+BA\"}", 1,
        1001, "webpack://app/./a.ts:1001:1");
    assert_place(")]}'\n{\"sources\":[\"a.ts\"],\"mappings\":\"AAAA\"}", 1, 5,
                 "http://x/js/a.ts:1:1");
}

static void test_sections(void **state)
{
    (void)state;
    static const char map[] = "{\"sections\":[{\"offset\":{\"line\":0,\"column\":0},\"map\":{"
                              "\"sources\":[\"a\"],\"mappings\":"
                              "\"AAAA\"}},{\"offset\":{\"line\":0,\"column\":10},\"map\":{"
                              "\"sources\":[\"b\"],\"mappings\":"
                              "\"AAEA\"}},{\"offset\":{\"line\":5,\"column\":0},\"map\":{"
                              "\"sources\":[\"c\"],\"mappings\":"
                              "\";AACA\"}}]}";
    assert_place(map, 1, 3, "http://x/js/a:1:1");
    assert_place(map, 1, 12, "http://x/js/b:3:1");
    assert_place(map, 7, 1, "http://x/js/c:2:1");
    assert_place(map, 6, 1, NULL);
}

static void test_broken_maps(void **state)
{
    (void)state;
    static const char *const refused[] = { "", "x", "[]", "{}", "{\"mappings\":5}", ")]}'" };
    for (size_t i = 0; i < COUNT(refused); i++) {
        assert_null(parse(refused[i]));
    }
    static const char *const odd[] = {
        "{\"mappings\":\"AAAA\"}",
        "{\"sources\":[5],\"mappings\":\"AAAA\"}",
        "{\"sources\":[\"a\"],\"mappings\":\"AA\"}",
        "{\"sources\":[\"a\"],\"mappings\":\"AAAAAAAA\"}",
        "{\"sources\":[\"a\"],\"mappings\":\"ggggggggggggggA\"}",
        "{\"sources\":[\"a\"],\"mappings\":\"AADA\"}",
        "{\"sources\":[\"a\"],\"mappings\":\"A?AA\"}",
        "{\"sources\":[\"a\"],\"mappings\":\"A\"}",
        "{\"sections\":[5,{\"offset\":{\"line\":-9}},{\"map\":{\"sections\":[]}}]}",
    };
    for (size_t i = 0; i < COUNT(odd); i++) {
        assert_place(odd[i], 1, 1, NULL);
    }
}

static void test_references(void **state)
{
    (void)state;
    static const struct {
        const char *script, *reference;
    } cases[] = {
        { "f();\n//# sourceMappingURL=app.js.map\n", "app.js.map" },
        { "//@ sourceMappingURL=old.map\r\n//# sourceMappingURL=new.map", "new.map" },
        { "/*# sourceMappingURL=app.css.map */", "app.css.map" },
        { "const s = 'sourceMappingURL=no.map';", NULL },
        { "//# sourceMappingURL=\n", NULL },
        { "sourceMappingURL=", NULL },
        { "", NULL },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t length = 0;
        const char *found = source_map_reference(cases[i].script, &length);
        if (cases[i].reference) {
            assert_int_equal(length, strlen(cases[i].reference));
            assert_memory_equal(found, cases[i].reference, length);
        } else {
            assert_null(found);
        }
    }
}

static void test_urls(void **state)
{
    (void)state;
    static const struct {
        const char *base, *url, *result;
    } cases[] = {
        { "http://x/a/b.js", "c.map", "http://x/a/c.map" },
        { "http://x/a/b.js?v=/1", "../c.map", "http://x/c.map" },
        { "http://x/a/b.js", "../../../c.map", "http://x/c.map" },
        { "http://x/a/b.js", "/c/./d.map", "http://x/c/d.map" },
        { "http://x/a/b/c.js", "../d/../e.map", "http://x/a/e.map" },
        { "http://x", "c.map", "http://x/c.map" },
        { "http://x/a.js", "https://y/c.map", "https://y/c.map" },
        { "http://x/a.js", "//y/c.map", "http://y/c.map" },
        { "http://x/a.js", "webpack:///./c.ts", "webpack:///./c.ts" },
        { "file:///a/b.js", "c.map", "file:///a/c.map" },
        { "nothing", "c.map", "c.map" },
        { "http://x/a.js", "", "http://x/" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        CLEANUP_FREE char *result = source_map_resolve(cases[i].base, cases[i].url);
        assert_string_equal(result, cases[i].result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),     cmocka_unit_test(test_large_numbers_and_roots),
        cmocka_unit_test(test_sections),   cmocka_unit_test(test_broken_maps),
        cmocka_unit_test(test_references), cmocka_unit_test(test_urls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
