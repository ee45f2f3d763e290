#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/checks/report/report.h"
#include "runner/checks/report/results.h"
#include "tests/unit/report_place.h"

#include <browser_runner/image.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SHARDS = 3 };

/* The directories of a test's shards, and that of the whole. */
struct shards {
    char *directories[SHARDS];
    json_t *results[SHARDS];
    char *output;
};

static void write_picture(const char *directory, const char *name, uint8_t color)
{
    struct br_error err = { 0 };
    uint8_t pixels[4] = { color, 0, 0, 255 };
    const struct br_image image = { .width = 1, .height = 1, .pixels = pixels };
    unsigned char *bytes = NULL;
    size_t size = 0;
    CLEANUP_FREE char *path = xasprintf("%s/%s", directory, name);
    assert_true(br_png_encode(&image, &bytes, &size, &err));
    assert_true(file_write(path, bytes, size, &err));
    free(bytes);
}

static void write_pictures(const json_t *check, const char *directory)
{
    const char *kind;
    json_t *name;
    json_object_foreach (json_object_get(check, "images"), kind, name) {
        write_picture(directory, json_string_value(name), (uint8_t)strlen(kind));
    }
}

/* Returns every third check of the sample, as `check --shard` distributes them. */
static json_t *shard_results(int number)
{
    json_t *results = sample_results();
    json_t *checks = json_object_get(results, "checks");
    for (size_t i = json_array_size(checks); i-- > 0;) {
        if (i % SHARDS != (size_t)number) {
            json_array_remove(checks, i);
        }
    }
    json_object_set_new(results, "shard",
                        json_pack("{s:i, s:i}", "index", number + 1, "total", SHARDS));
    json_object_set_new(results, "startedAt", json_integer(1732200000000 + 1000 * number));
    json_object_set_new(results, "groups", json_array());
    json_object_set_new(results, "totals", report_totals(checks));
    CLEANUP_FREE char *own = xasprintf("only-%d@desktop.png", number);
    json_object_set_new(results, "stale", json_pack("[s, s]", "gone@desktop.png", own));
    return results;
}

static void save(struct shards *shards)
{
    struct br_error err = { 0 };
    for (int i = 0; i < SHARDS; i++) {
        assert_true(report_write(shards->results[i], shards->directories[i], &err));
    }
}

static int set_up(void **state)
{
    struct shards *shards = xcalloc(1, sizeof(*shards));
    void *directory;
    directory_set_up(&directory);
    shards->output = directory;
    for (int i = 0; i < SHARDS; i++) {
        shards->directories[i] = xasprintf("%s/shard-%d", shards->output, i);
        CLEANUP_FREE char *images = xasprintf("%s/images", shards->directories[i]);
        shards->results[i] = shard_results(i);
        if (mkdir(shards->directories[i], 0755) != 0 || mkdir(images, 0755) != 0) {
            return -1;
        }
        size_t index;
        const json_t *check;
        json_array_foreach (results_checks(shards->results[i]), index, check) {
            write_pictures(check, shards->directories[i]);
        }
    }
    save(shards);
    *state = shards;
    return 0;
}

static int tear_down(void **state)
{
    struct shards *shards = *state;
    for (int i = 0; i < SHARDS; i++) {
        free(shards->directories[i]);
        json_decref(shards->results[i]);
    }
    void *directory = shards->output;
    free(shards);
    return directory_tear_down(&directory);
}

static json_t *merge(struct shards *shards, size_t first, size_t count, struct br_error *err)
{
    *err = (struct br_error){ 0 };
    return report_merge((const char *const *)shards->directories + first, count, shards->output,
                        err);
}

static void test_all_shards_when_merged(void **state)
{
    struct shards *shards = *state;
    struct br_error err;
    json_auto_t *sample = sample_results();
    /* The order does not matter. */
    const char *const reversed[] = { shards->directories[2], shards->directories[0],
                                     shards->directories[1] };
    json_auto_t *merged = report_merge(reversed, SHARDS, shards->output, &err);
    assert_non_null(merged);
    assert_int_equal(json_array_size(results_checks(merged)), 9);
    assert_true(json_equal(json_object_get(merged, "totals"), json_object_get(sample, "totals")));
    /* The two checks of the group were in different shards. */
    assert_true(json_equal(json_object_get(merged, "groups"), json_object_get(sample, "groups")));
    assert_true(
        json_equal(json_object_get(merged, "warnings"), json_object_get(sample, "warnings")));
    assert_true(json_equal(json_object_get(merged, "stale"), json_object_get(sample, "stale")));
    assert_true(json_member_bool(merged, "complete", false));
    assert_null(json_object_get(merged, "shard"));
    assert_int_equal(json_member_number(merged, "startedAt", 0), 1732200000000);
    assert_int_equal(json_member_number(merged, "durationMs", 0), 7300);
    CLEANUP_FREE char *command = xasprintf(
        "browser-runner check tests/smoke.json --report %s --approve home@desktop", shards->output);
    assert_string_equal(results_text(sample_check(merged, "home"), "approve"), command);
    size_t index;
    const json_t *check;
    json_array_foreach (results_checks(merged), index, check) {
        const char *kind;
        json_t *name;
        json_object_foreach (json_object_get(check, "images"), kind, name) {
            CLEANUP_FREE char *path = xasprintf("%s/%s", shards->output, json_string_value(name));
            assert_int_equal(access(path, R_OK), 0);
        }
    }
    json_auto_t *loaded = report_load(shards->output, &err);
    assert_true(json_equal(loaded, merged));
    CLEANUP_FREE char *page = read_text(shards->output, "index.html");
    assert_non_null(strstr(page, "home@desktop"));
}

static void test_shards_that_were_dealt_differently_when_merged(void **state)
{
    struct shards *shards = *state;
    struct br_error err;
    for (int i = 0; i < SHARDS; i++) {
        json_object_set_new(json_object_get(shards->results[i], "shard"), "deal",
                            json_string(i == 2 ? "b" : "a"));
    }
    save(shards);
    json_auto_t *merged = merge(shards, 0, SHARDS, &err);
    assert_non_null(merged);
    assert_false(json_member_bool(merged, "complete", true));
    const json_t *warnings = json_object_get(merged, "warnings");
    const char *last = json_string_value(json_array_get(warnings, json_array_size(warnings) - 1));
    assert_non_null(strstr(last, "were dealt differently"));
}

/* It started no browser, so it has no environment that could differ. */
static void test_empty_shard_when_merged(void **state)
{
    struct shards *shards = *state;
    struct br_error err;
    json_t *last = shards->results[2];
    json_object_set_new(last, "checks", json_array());
    json_object_set_new(last, "totals", report_totals(json_object_get(last, "checks")));
    json_object_del(json_object_get(last, "environment"), "browser");
    save(shards);
    json_auto_t *merged = merge(shards, 0, SHARDS, &err);
    assert_non_null(merged);
    assert_true(json_member_bool(merged, "complete", false));
    assert_int_equal(json_array_size(results_checks(merged)), 6);
    assert_int_equal(json_array_size(json_object_get(merged, "warnings")), 1);
}

static void test_missing_shard_when_merged(void **state)
{
    struct shards *shards = *state;
    struct br_error err;
    json_auto_t *merged = merge(shards, 1, 2, &err);
    assert_non_null(merged);
    assert_false(json_member_bool(merged, "complete", true));
    const json_t *warnings = json_object_get(merged, "warnings");
    assert_int_equal(json_array_size(warnings), 2);
    assert_non_null(
        strstr(json_string_value(json_array_get(warnings, 1)), "shard 1 of 3 is missing"));
    /* What the missing shard uses is unknown. */
    assert_int_equal(json_array_size(json_object_get(merged, "stale")), 0);
}

static void test_other_environment_when_merged(void **state)
{
    struct shards *shards = *state;
    struct br_error err;
    json_object_set_new(json_object_get(shards->results[1], "environment"), "browser",
                        json_string("Chromium/157"));
    json_object_set_new(shards->results[2], "complete", json_false());
    save(shards);
    json_auto_t *merged = merge(shards, 0, SHARDS, &err);
    const json_t *warnings = json_object_get(merged, "warnings");
    assert_int_equal(json_array_size(warnings), 2);
    assert_non_null(strstr(json_string_value(json_array_get(warnings, 1)), "Chromium/157 in "));
    assert_false(json_member_bool(merged, "complete", true));
}

/* Merges and expects a refusal that names both. */
static void expect_refusal(struct shards *shards, const char *first, const char *second)
{
    struct br_error err;
    json_auto_t *merged = merge(shards, 0, SHARDS, &err);
    assert_null(merged);
    assert_int_equal(err.code, BR_INVALID_ACTION);
    if (!strstr(err.message, first) || !strstr(err.message, second)) {
        fail_msg("\"%s\" does not tell \"%s\" and \"%s\"", err.message, first, second);
    }
    CLEANUP_FREE char *page = xasprintf("%s/index.html", shards->output);
    assert_int_not_equal(access(page, F_OK), 0);
}

static void test_check_twice_when_merged(void **state)
{
    struct shards *shards = *state;
    json_t *check = json_array_get(results_checks(shards->results[2]), 0);
    json_object_set_new(check, "id", json_string("home@desktop"));
    save(shards);
    expect_refusal(shards, "home@desktop is in ", "shard-2");
}

static void test_picture_twice_when_merged(void **state)
{
    struct shards *shards = *state;
    json_t *images =
        json_object_get(json_array_get(results_checks(shards->results[2]), 0), "images");
    json_object_set_new(images, "diff", json_string("images/home@desktop.diff.png"));
    write_picture(shards->directories[2], "images/home@desktop.diff.png", 9);
    save(shards);
    expect_refusal(shards, "images/home@desktop.diff.png is in ", "shard-2");
}

static void test_other_run_when_merged(void **state)
{
    struct shards *shards = *state;
    json_object_set_new(json_object_get(shards->results[1], "shard"), "total", json_integer(4));
    save(shards);
    expect_refusal(shards, "a shard of 3", "of 4");
    json_object_set_new(json_object_get(shards->results[1], "shard"), "total", json_integer(3));
    json_object_set_new(json_object_get(shards->results[1], "shard"), "index", json_integer(1));
    save(shards);
    expect_refusal(shards, "are both shard 1", "shard-1");
    json_object_set_new(shards->results[0], "suite", json_string("other.json"));
    save(shards);
    expect_refusal(shards, "other.json", "tests/smoke.json");
}

static void test_bad_pictures_when_merged(void **state)
{
    struct shards *shards = *state;
    struct br_error err = { 0 };
    CLEANUP_FREE char *picture =
        xasprintf("%s/images/about@desktop.diff.png", shards->directories[1]);
    assert_int_equal(unlink(picture), 0);
    expect_refusal(shards, picture, "cannot read");
    assert_int_equal(symlink("/etc/passwd", picture), 0);
    expect_refusal(shards, picture, "symbolic link");
    assert_int_equal(unlink(picture), 0);
    assert_true(file_write(picture, "root:x:0:0", 10, &err));
    expect_refusal(shards, picture, "no PNG");
}

static void test_bad_results_when_merged(void **state)
{
    struct shards *shards = *state;
    struct br_error err = { 0 };
    static const struct {
        const char *text, *told;
    } cases[] = {
        { "{\"version\":1", "not JSON" },
        { "", "not JSON" },
        { "[]", "is not an object" },
        { "{\"version\":3}", "another version" },
    };
    CLEANUP_FREE char *path = xasprintf("%s/results.json", shards->directories[1]);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error refused;
        assert_true(file_write(path, cases[i].text, strlen(cases[i].text), &err));
        json_auto_t *merged = merge(shards, 0, SHARDS, &refused);
        assert_null(merged);
        assert_non_null(strstr(refused.message, cases[i].told));
        assert_non_null(strstr(refused.message, path));
    }
    assert_int_equal(truncate(path, 129 * 1024 * 1024), 0);
    json_auto_t *merged = merge(shards, 0, SHARDS, &err);
    assert_null(merged);
    assert_int_equal(err.code, BR_LIMIT_EXCEEDED);
    json_auto_t *none = merge(shards, 0, 0, &err);
    assert_null(none);
    assert_int_equal(err.code, BR_INVALID_ACTION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all_shards_when_merged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_missing_shard_when_merged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_empty_shard_when_merged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_shards_that_were_dealt_differently_when_merged, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_other_environment_when_merged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_check_twice_when_merged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_picture_twice_when_merged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_run_when_merged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_pictures_when_merged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_results_when_merged, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
