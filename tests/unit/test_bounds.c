/* The size of data from a page is limited, whatever the page sends. */
#include "runner/checks/bounds.h"

#include "runner/base/memory.h"
#include "runner/checks/suite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Items of a list filled by a page. */
enum { ITEMS = 200, MAX_LOG = 16 * 1024 };

/* The limit of report_load(). */
enum { MAX_RESULTS = 128 * 1024 * 1024 };

static char *repeat(char letter, size_t count)
{
    char *text = xmalloc(count + 1);
    memset(text, letter, count);
    text[count] = '\0';
    return text;
}

static void add_items(json_t *object, const char *key, size_t count, const json_t *item)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(list, json_deep_copy(item));
    }
    json_object_set_new(object, key, list);
}

/* Makes an entry with as much as attempts keep; each text consists of the letter. */
static json_t *full_entry(char letter, size_t length)
{
    CLEANUP_FREE char *text = repeat(letter, length);
    json_auto_t *string = json_string(text);
    json_auto_t *log =
        json_pack("{s:s, s:s, s:I, s:s, s:s}", "type", "error", "message", text, "timestamp",
                  (json_int_t)1732200000000, "stack", text, "location", text);
    json_auto_t *failure =
        json_pack("{s:s, s:s, s:i}", "url", text, "method", "GET", "status", 404);
    json_auto_t *region = json_pack("{s:i, s:i, s:i, s:i, s:i}", "x", 10000, "y", 10000, "width",
                                    10000, "height", 10000, "diffPixels", 10000000);
    json_t *comparison = json_pack("{s:i}", "diffPixels", 1);
    json_t *entry = json_pack("{s:s, s:o}", "id", "home@desktop", "comparison", comparison);
    add_items(comparison, "regions", 50, region);
    add_items(entry, "problems", ITEMS, string);
    add_items(entry, "unstable", ITEMS, string);
    add_items(entry, "earlier", 20, string);
    add_items(entry, "networkFailures", ITEMS, failure);
    add_items(entry, "logs", ITEMS, log);
    return entry;
}

static size_t written_size(const json_t *entry)
{
    json_auto_t *document = json_pack("{s:[O]}", "checks", entry);
    return json_dumpb(document, NULL, 0, JSON_INDENT(1));
}

static size_t count_of(const json_t *entry, const char *key)
{
    return json_array_size(json_object_get(entry, key));
}

static void test_results_of_the_largest_suite_can_be_read(void **state)
{
    (void)state;
    static const struct {
        char letter;
        size_t length;
    } pages[] = { { 'a', MAX_LOG }, { '\1', MAX_LOG }, { '"', 100 }, { 'a', 0 } };
    enum { REST = 2500 }; /* remaining size of an entry: names, viewport, metrics, pictures */
    for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
        json_auto_t *entry = full_entry(pages[i].letter, pages[i].length);
        bounds_keep(entry, bounds_of_entry(SUITE_MAX_CHECKS));
        size_t size = written_size(entry);
        if ((size + REST) * SUITE_MAX_CHECKS > MAX_RESULTS) {
            fail_msg("page %zu: %zu bytes an entry", i, size);
        }
        assert_true(count_of(json_object_get(entry, "comparison"), "regions") > 0);
    }
}

static void test_what_is_left_out_is_counted(void **state)
{
    (void)state;
    json_auto_t *entry = full_entry('a', 100);
    bounds_keep(entry, 20000);
    json_t *problems = json_object_get(entry, "problems");
    size_t count = json_array_size(problems);
    assert_in_range(count, 10, ITEMS - 1);
    CLEANUP_FREE char *more = xasprintf("and %zu more", ITEMS - (count - 1));
    assert_string_equal(json_string_value(json_array_get(problems, count - 1)), more);
    json_t *logs = json_object_get(entry, "logs");
    json_t *last = json_array_get(logs, json_array_size(logs) - 1);
    assert_string_equal(json_string_value(json_object_get(last, "type")), "warning");
    assert_non_null(strstr(json_string_value(json_object_get(last, "message")), "more"));
}

static void test_an_ordinary_entry_stays_as_it_is(void **state)
{
    (void)state;
    json_auto_t *entry = full_entry('a', 50);
    json_auto_t *before = json_deep_copy(entry);
    bounds_keep(entry, bounds_of_entry(60));
    assert_true(json_equal(entry, before));
    json_auto_t *bare = json_pack("{s:s}", "id", "home@desktop");
    bounds_keep(bare, bounds_of_entry(60));
    assert_int_equal(json_object_size(bare), 1);
}

static void test_long_texts_are_cut_between_characters(void **state)
{
    (void)state;
    for (size_t shift = 0; shift < 4; shift++) {
        CLEANUP_FREE char *text = repeat('x', BOUNDS_MAX_TEXT + 10);
        for (size_t i = shift; i + 3 <= BOUNDS_MAX_TEXT + 10; i += 3) {
            memcpy(text + i, "\xE2\x82\xAC", 3);
        }
        json_auto_t *cut = bounds_text(text);
        size_t length = json_string_length(cut);
        assert_in_range(length, BOUNDS_MAX_TEXT, BOUNDS_MAX_TEXT + 3);
        assert_null(strstr(json_string_value(cut), "\xEF\xBF\xBD"));
        assert_string_equal(json_string_value(cut) + length - 3, "\xE2\x80\xA6");
    }
    CLEANUP_FREE char *whole = repeat('x', BOUNDS_MAX_TEXT);
    json_auto_t *kept = bounds_text(whole);
    assert_string_equal(json_string_value(kept), whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_of_the_largest_suite_can_be_read),
        cmocka_unit_test(test_what_is_left_out_is_counted),
        cmocka_unit_test(test_an_ordinary_entry_stays_as_it_is),
        cmocka_unit_test(test_long_texts_are_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
