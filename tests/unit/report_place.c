#include "tests/unit/report_place.h"

#include "runner/base/file.h"
#include "runner/base/memory.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char hostile_text[] =
    "</script><script>alert(1)</script><!--<b onclick='x'>\"]]>&lt;{{script}}"
    "|`x`[a](javascript:b)\x1B[31m\x01\r\n::error::boom,%0A\xE2\x80\xAE\xC2\x9B\x33\x31m";

json_t *sample_results(void)
{
    json_error_t where;
    json_t *results = json_load_file(FIXTURES "/report/results.json", 0, &where);
    assert_non_null(results);
    return results;
}

json_t *sample_check(json_t *results, const char *name)
{
    size_t index;
    json_t *check;
    json_array_foreach (json_object_get(results, "checks"), index, check) {
        if (strcmp(json_string_value(json_object_get(check, "name")), name) == 0) {
            return check;
        }
    }
    fail_msg("no check %s", name);
    return NULL;
}

/* Replaces all texts in it, except those with a required format. */
static void make_hostile(json_t *value)
{
    static const char *const kept[] = { "status", "images", "fingerprint", "approve", "totals" };
    const char *key;
    json_t *member;
    size_t index;
    void *next;
    json_object_foreach_safe(value, next, key, member)
    {
        bool is_kept = false;
        for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
            is_kept = is_kept || strcmp(key, kept[i]) == 0;
        }
        if (json_is_string(member) && strcmp(key, "id") == 0) {
            json_object_set_new(value, key,
                                json_sprintf("%s%s", json_string_value(member), hostile_text));
        } else if (json_is_string(member) && !is_kept) {
            json_object_set_new(value, key, json_string(hostile_text));
        } else if (!is_kept) {
            make_hostile(member);
        }
    }
    json_array_foreach (value, index, member) {
        if (json_is_string(member)) {
            json_array_set_new(value, index, json_string(hostile_text));
        } else {
            make_hostile(member);
        }
    }
}

json_t *hostile_results(void)
{
    json_t *results = sample_results();
    make_hostile(results);
    return results;
}

char *read_text(const char *directory, const char *name)
{
    struct br_error err = { 0 };
    size_t size = 0;
    CLEANUP_FREE char *path = xasprintf("%s/%s", directory, name);
    char *text = file_read(path, 64 * 1024 * 1024, &size, &err);
    if (!text) {
        fail_msg("%s", err.message);
    }
    return text;
}

int directory_set_up(void **state)
{
    char *path = xstrdup("/tmp/test-report-XXXXXX");
    *state = path;
    return mkdtemp(path) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info;
    (void)type;
    (void)where;
    return remove(path);
}

int directory_tear_down(void **state)
{
    int result = nftw(*state, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(*state);
    return result;
}
