/* Finding an action's target in several frames. */
#include "tests/integration/page_rig.h"

#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/page/element/identify.h"
#include "runner/page/element/named.h"
#include "runner/page/element/target.h"
#include "runner/page/element/wait.h"

#include <string.h>

#define INNER                                                                                      \
    "{'frame':{'id':'F1','parentId':'T1','name':'inner','loaderId':'L2',"                          \
    "'url':'http://page.test/in'}}"
#define ATTACHED PAGE_RIG_EVENT("Page.frameAttached", "'frameId':'F1','parentFrameId':'T1'")

/* Each frame has a world of its own. */
#define MAIN_WORLD  "7"
#define INNER_WORLD "8"
#define WORLDS                                                                                     \
    "{'serve':'Page.createIsolatedWorld','params':{'frameId':'F1'},'reply':{'executionContextId'"  \
    ":" INNER_WORLD "}}\n"

/* The beginning of the answer of a function of elements.js in a world. */
#define IN_WORLD(world, function)                                                                  \
    "{'serve':'Runtime.callFunctionOn','params':{'functionDeclaration':'~elements." function "',"  \
    "'executionContextId':" world "},"
#define COUNT(world, count, rank)                                                                  \
    IN_WORLD(world, "count(")                                                                      \
    "'reply':{'result':{'type':'object','value':{'count':" count ",'rank':" rank                   \
    ",'visible':true,'list':['<a>']}}}}\n"
#define FOUND(world, node)                                                                         \
    IN_WORLD(world, "keep(")                                                                       \
    "'reply':{'result':{'type':'object','objectId':'E1','deepSerializedValue':{'type':'object',"   \
    "'value':[['node',{'type':'node','value':{'backendNodeId':" node "}}],"                        \
    "['answer',{'type':'string','value':'{}'}]]}}}}\n"
#define MISSING                                                                                    \
    IN_WORLD(MAIN_WORLD, "keep(")                                                                  \
    "'times':2,'reply':{'result':{'type':'object','objectId':'E0','deepSerializedValue':{'type':"  \
    "'object','value':[['answer',{'type':'string','value':"                                        \
    "'{\\\"code\\\":\\\"TARGET_NOT_FOUND\\\",\\\"message\\\":\\\"nothing matches\\\"}'}]]}}}}\n"

static const struct page_target link_target = { .selector = "a", .nth = -1 };

/* Opens a page with a frame; `steps` define the answers of its frames. */
static void start(struct page_rig *rig, const char *steps)
{
    page_rig_open(rig);
    page_rig_play(rig, PAGE_RIG_TREE("S1", PAGE_RIG_MAIN, INNER) WORLDS ATTACHED);
    page_rig_play(rig, steps);
}

static void test_target_when_one_frame_has_it_is_found_there(void **state)
{
    (void)state;
    struct page_rig rig;
    struct br_error err;
    struct page_node node;
    start(&rig, COUNT(MAIN_WORLD, "0", "0") COUNT(INNER_WORLD, "1", "0") FOUND(INNER_WORLD, "33"));
    if (!page_locate_node(rig.page, &link_target, &node, &err)) {
        fail_msg("%s", err.message);
    }
    assert_string_equal(node.frame_id, "F1");
    assert_string_equal(node.loader_id, "L2");
    assert_int_equal(node.backend_id, 33);
    page_rig_close(&rig);
}

static void test_target_when_several_frames_have_it_is_ambiguous(void **state)
{
    (void)state;
    struct page_rig rig;
    struct br_error err;
    struct page_node node;
    start(&rig, COUNT(MAIN_WORLD, "1", "0") COUNT(INNER_WORLD, "2", "0"));
    assert_false(page_locate_node(rig.page, &link_target, &node, &err));
    assert_int_equal(err.code, BR_TARGET_AMBIGUOUS);
    assert_non_null(strstr(err.message, "3 elements match"));
    assert_non_null(strstr(err.message, "in the frame http://page.test/in"));
    page_rig_close(&rig);
}

/* Counts all matches, in the order of the frames. */
static void test_target_when_a_number_is_given_counts_through_the_frames(void **state)
{
    (void)state;
    struct page_rig rig;
    struct br_error err;
    struct page_node node;
    struct page_target third = { .selector = "a", .nth = 2 };
    start(&rig, COUNT(MAIN_WORLD, "1", "0") COUNT(INNER_WORLD, "2", "0") FOUND(INNER_WORLD, "34"));
    assert_true(page_locate_node(rig.page, &third, &node, &err));
    assert_string_equal(node.frame_id, "F1");
    assert_int_equal(node.backend_id, 34);
    page_rig_close(&rig);
}

/* Matches of a worse rank do not count. */
static void test_target_when_matches_differ_in_rank_the_best_counts(void **state)
{
    (void)state;
    struct page_rig rig;
    struct br_error err;
    struct page_node node;
    struct page_target said = { .text = "Buy", .nth = -1 };
    start(&rig, COUNT(MAIN_WORLD, "3", "2") COUNT(INNER_WORLD, "1", "0") FOUND(INNER_WORLD, "35"));
    assert_true(page_locate_node(rig.page, &said, &node, &err));
    assert_string_equal(node.frame_id, "F1");
    page_rig_close(&rig);
}

static void test_target_when_it_comes_late_is_waited_for(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    struct page_node node;
    struct page_target patient = { .selector = "a", .nth = -1, .patience_ms = 5000 };
    page_rig_play(rig, FOUND(MAIN_WORLD, "36") MISSING);
    /* The tab's first document has no loader id: its elements cannot be identified. */
    assert_false(page_locate_node(rig->page, &patient, &node, &err));
    assert_int_equal(err.code, BR_STALE_NODE);
    assert_int_equal(
        fake_count(rig->fake, "{'method':'Runtime.callFunctionOn','params':{'functionDeclaration':"
                              "'~elements.keep('}}"),
        3);
}

static void test_target_when_it_never_comes_its_patience_ends(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    struct page_node node;
    struct page_target hasty = { .selector = "a", .nth = -1, .patience_ms = 0 };
    page_rig_play(rig, MISSING);
    int64_t began_ms = clock_monotonic_ms();
    assert_false(page_locate_node(rig->page, &hasty, &node, &err));
    assert_int_equal(err.code, BR_TARGET_NOT_FOUND);
    assert_true(is_soon(clock_monotonic_ms() - began_ms, 1000));
}

static void test_target_is_counted_in_all_frames(void **state)
{
    (void)state;
    struct page_rig rig;
    struct br_error err;
    int count = 0;
    bool is_visible = false;
    start(&rig, COUNT(MAIN_WORLD, "1", "0") COUNT(INNER_WORLD, "2", "0"));
    assert_true(target_count(rig.page, &link_target, &count, &is_visible, &err));
    assert_int_equal(count, 3);
    assert_true(is_visible);
    assert_true(page_wait_element(rig.page, &link_target, PAGE_VISIBLE, &err));
    page_rig_limit(&rig, 300);
    assert_false(page_wait_element(rig.page, &link_target, PAGE_DETACHED, &err));
    assert_int_equal(err.code, BR_TIMEOUT);
    page_rig_close(&rig);
}

/* Only the named frame is searched, whatever the others contain. */
static void test_target_when_a_frame_is_named_is_looked_for_there(void **state)
{
    (void)state;
    struct page_rig rig;
    struct br_error err;
    struct page_node node;
    struct page_target named = { .selector = "a", .frame = "inner", .nth = -1 };
    start(&rig, FOUND(INNER_WORLD, "37"));
    assert_true(page_locate_node(rig.page, &named, &node, &err));
    assert_int_equal(node.backend_id, 37);
    assert_int_equal(
        fake_count(rig.fake, "{'method':'Runtime.callFunctionOn','params':{'functionDeclaration':"
                             "'~elements.count('}}"),
        0);
    page_rig_close(&rig);
}

/* The frame's element, obtained from the parent frame, is released. */
static void test_target_when_its_frame_is_left_out_is_denied(void **state)
{
    (void)state;
    struct page_rig rig;
    struct br_error err;
    struct page_scrolled scrolled;
    struct page_target named = { .selector = "a", .frame = "inner", .nth = -1 };
    start(&rig,
          "{'serve':'DOM.getFrameOwner','reply':{'backendNodeId':5,'nodeId':0}}\n"
          "{'serve':'DOM.resolveNode','reply':{'object':{'type':'object','objectId':'O1'}}}"
          "\n" IN_WORLD(
              MAIN_WORLD,
              "framePolicy(") "'reply':{'result':{'type':'object','value':{'isLeftOut':true}}}}\n");
    assert_false(page_scroll(rig.page, &named, &(struct page_scroll){ .y = 9 }, &scrolled, &err));
    assert_int_equal(err.code, BR_POLICY_DENIED);
    fake_await_count(rig.fake,
                     "{'method':'Runtime.releaseObjectGroup','params':{'objectGroup':"
                     "'browser-runner'}}",
                     1);
    assert_int_equal(fake_count(rig.fake, "{'method':'DOM.resolveNode','params':{'objectGroup':"
                                          "'browser-runner'}}"),
                     1);
    page_rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_target_when_one_frame_has_it_is_found_there),
        cmocka_unit_test(test_target_when_several_frames_have_it_is_ambiguous),
        cmocka_unit_test(test_target_when_a_number_is_given_counts_through_the_frames),
        cmocka_unit_test(test_target_when_matches_differ_in_rank_the_best_counts),
        PAGE_RIG_TEST(test_target_when_it_comes_late_is_waited_for),
        PAGE_RIG_TEST(test_target_when_it_never_comes_its_patience_ends),
        cmocka_unit_test(test_target_is_counted_in_all_frames),
        cmocka_unit_test(test_target_when_a_frame_is_named_is_looked_for_there),
        cmocka_unit_test(test_target_when_its_frame_is_left_out_is_denied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
