/* Source maps: numbers, locations, sections, source names; invalid maps do no harm. */
#include "runner/observe/source_map.h"

#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/base/url_parts.h"

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
    /*
     * Line 1: column 1 is a.ts 1:1, column 9 is b.ts 3:5, column 17 has no source. Line 3: a.ts
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

/*
 * A map is read from marks within it: each segment is found, and so are positions between segments.
 */
static void test_large_maps(void **state)
{
    (void)state;
    enum { LINES = 3000, SEGMENTS = 20000 };
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&text, "{\"sources\":[\"a\"],\"mappings\":\"AAAA");
    for (int i = 1; i < LINES; i++) { /* one line here, two there */
        strbuf_add_string(&text, ";;AACA");
    }
    for (int i = 1; i < SEGMENTS; i++) { /* two columns here, one there */
        strbuf_add_string(&text, ",EAAC");
    }
    strbuf_add_string(&text, "\"}");
    struct source_map *map = parse(text.data);
    assert_non_null(map);
    assert_in_range(source_map_size(map), text.length / 2, 2 * text.length);
    for (int i = 0; i < LINES; i += 7) {
        CLEANUP_FREE char *expected = xasprintf("http://x/js/a:%d:1", i + 1);
        CLEANUP_FREE char *found = source_map_find(map, "http://x/js/app.js", 2 * i + 1, 1);
        assert_string_equal(found, expected);
        assert_null(source_map_find(map, "http://x/js/app.js", 2 * i + 2, 1));
    }
    for (int i = 1; i < SEGMENTS; i += 7) {
        CLEANUP_FREE char *expected = xasprintf("http://x/js/a:%d:%d", LINES, i + 1);
        for (int between = 0; between < 2; between++) {
            CLEANUP_FREE char *found =
                source_map_find(map, "http://x/js/app.js", 2 * LINES - 1, 2 * i + 1 + between);
            assert_string_equal(found, expected);
        }
    }
    source_map_destroy(map);
}

static void test_maps_that_break_off(void **state)
{
    (void)state;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&text, "{\"sources\":[\"a\"],\"mappings\":\"AAAA");
    for (int i = 0; i < 5000; i++) {
        strbuf_add_string(&text, i == 2500 ? ",?" : ";AACA");
    }
    strbuf_add_string(&text, "\"}");
    assert_place(text.data, 2400, 1, "http://x/js/a:2400:1");
    assert_place(text.data, 2600, 1, NULL);
    assert_place(text.data, 5000, 1, NULL);
}

/* They would take some 100 bytes of memory for each two bytes of text. */
static void test_maps_of_many_values(void **state)
{
    (void)state;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&text, "{\"mappings\":\"\",\"sources\":[\"a\\\",[[[[\"");
    for (int i = 0; i < 999000; i++) {
        strbuf_add_string(&text, ",1");
    }
    size_t length = text.length;
    strbuf_add_string(&text, "]}");
    struct source_map *map = parse(text.data);
    assert_non_null(map);
    source_map_destroy(map);
    strbuf_truncate(&text, length);
    for (int i = 0; i < 2000; i++) {
        strbuf_add_string(&text, ",1");
    }
    strbuf_add_string(&text, "]}");
    assert_null(parse(text.data));
}

static void test_data_urls(void **state)
{
    (void)state;
    static const char *const none[] = { "data:,x", "data:;base64", "data:;base64,?", "" };
    CLEANUP_FREE char *text =
        source_map_inline("data:application/json;charset=utf-8;base64,eyJhIjoxfQ==");
    assert_string_equal(text, "{\"a\":1}");
    for (size_t i = 0; i < COUNT(none); i++) {
        assert_null(source_map_inline(none[i]));
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
        { "http://x/a.js?b#c", "", "http://x/a.js?b" },
        { "http://x/a/b", "c?d=/../e", "http://x/a/c?d=/../e" },
        { "http://x/a/b", "/c#/../../d", "http://x/c#/../../d" },
        { "http://x?q", "a", "http://x/a" },
        { "http://x?q", "?r", "http://x?r" },
        { "http://x/a/b?c#d", "?e", "http://x/a/b?e" },
        { "http://x/a/b?c#d", "#e", "http://x/a/b?c#e" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        CLEANUP_FREE char *result = url_parts_resolve(cases[i].base, cases[i].url);
        assert_string_equal(result, cases[i].result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),     cmocka_unit_test(test_large_numbers_and_roots),
        cmocka_unit_test(test_sections),   cmocka_unit_test(test_broken_maps),
        cmocka_unit_test(test_references), cmocka_unit_test(test_urls),
        cmocka_unit_test(test_large_maps), cmocka_unit_test(test_maps_that_break_off),
        cmocka_unit_test(test_data_urls),  cmocka_unit_test(test_maps_of_many_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
