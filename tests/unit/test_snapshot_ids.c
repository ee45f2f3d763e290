#include "runner/snapshot/dom/ids.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 5000 };

static void test_an_element_keeps_its_id(void **state)
{
    struct snapshot_ids *ids = snapshot_ids_create();
    int first = snapshot_ids_document(ids, "frame", "loader 1");
    int second = snapshot_ids_document(ids, "frame", "loader 2");
    (void)state;
    assert_int_not_equal(first, second);
    assert_int_equal(snapshot_ids_document(ids, "frame", "loader 1"), first);
    for (int i = 1; i <= MANY; i++) {
        assert_int_equal(snapshot_ids_give(ids, first, i * 7), (uint32_t)i);
    }
    for (int i = MANY; i >= 1; i--) {
        assert_int_equal(snapshot_ids_give(ids, first, i * 7), (uint32_t)i);
    }
    assert_int_equal(snapshot_ids_give(ids, second, 7), MANY + 1);
    snapshot_ids_destroy(ids);
}

static void test_an_id_leads_back_to_its_element(void **state)
{
    struct snapshot_ids *ids = snapshot_ids_create();
    struct snapshot_identity identity;
    struct br_error err = { 0 };
    uint32_t id = snapshot_ids_give(ids, snapshot_ids_document(ids, "f", "l"), 41);
    (void)state;
    assert_true(snapshot_ids_find(ids, id, &identity, &err));
    assert_string_equal(identity.frame_id, "f");
    assert_string_equal(identity.loader_id, "l");
    assert_int_equal(identity.backend_id, 41);
    assert_false(snapshot_ids_find(ids, id + 1, &identity, &err));
    assert_int_equal(err.code, BR_STALE_NODE);
    assert_false(snapshot_ids_find(ids, 0, &identity, &err));
    snapshot_ids_destroy(ids);
}

static void test_how_ids_are_written(void **state)
{
    static const struct {
        const char *text;
        uint32_t id;
    } cases[] = {
        { "e12", 12 }, { "12", 12 }, { "e007", 7 },        { "e", 0 },
        { "", 0 },     { "e0", 0 },  { "E12", 0 },         { "e12 ", 0 },
        { "-1", 0 },   { "e-1", 0 }, { "e1234567890", 0 }, { "e999999999", 999999999 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(snapshot_id_parse(cases[i].text), cases[i].id);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_element_keeps_its_id),
        cmocka_unit_test(test_an_id_leads_back_to_its_element),
        cmocka_unit_test(test_how_ids_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
