/* The frames of a page, in its own process and in others. */
#include "tests/integration/page_rig.h"

#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/wire.h"

#include <string.h>

#define INNER "{'frame':{'id':'F1','parentId':'T1','name':'inner','url':'http://page.test/in'}}"
#define OTHER "'id':'F2','loaderId':'L2','url':'http://other.test/'"

/* The list of frames has changed. */
#define ATTACHED PAGE_RIG_EVENT("Page.frameAttached", "'frameId':'F1','parentFrameId':'T1'")

static void update(struct page_rig *rig)
{
    struct br_error err;
    if (!frames_update(rig->page, &err)) {
        fail_msg("%s", err.message);
    }
}

static void assert_frame(struct page_rig *rig, size_t index, const char *id, const char *session)
{
    const struct frame *frame = frame_at(rig->page, index);
    assert_string_equal(frame->id, id);
    assert_string_equal(frame->session_id, session);
    assert_ptr_equal(frame_find(rig->page, id), frame);
}

static void test_frames_when_nothing_changed_are_not_asked_for(void **state)
{
    struct page_rig *rig = *state;
    update(rig);
    assert_int_equal(frames_count(rig->page), 1);
    assert_frame(rig, 0, "T1", "S1");
    assert_int_equal(fake_count(rig->fake, "Page.getFrameTree"), 0);
}

static void test_frames_of_all_processes_are_listed_in_order(void **state)
{
    struct page_rig *rig = *state;
    page_rig_play(rig, PAGE_RIG_GO_ON PAGE_RIG_TREE("S1", PAGE_RIG_MAIN, INNER)
                           PAGE_RIG_TREE("C1", OTHER, "") PAGE_RIG_JOINS("C1", "F2"));
    update(rig);
    assert_int_equal(frames_count(rig->page), 3);
    assert_frame(rig, 0, "T1", "S1");
    assert_frame(rig, 1, "F1", "S1");
    assert_frame(rig, 2, "F2", "C1");
    assert_string_equal(frame_at(rig->page, 1)->name, "inner");
    assert_string_equal(frame_at(rig->page, 2)->parent_id, "T1");
    assert_string_equal(page_frame_loader(rig->page, "F2"), "L2");
    assert_null(page_frame_loader(rig->page, "F9"));
}

/* Before it is resumed, it receives all settings of the page. */
static void test_process_when_it_joins_is_told_before_it_goes_on(void **state)
{
    struct page_rig *rig = *state;
    static const char *const order[] = {
        "{'method':'Page.enable','sessionId':'C1'}",
        "{'method':'Network.enable','sessionId':'C1'}",
        "{'method':'Page.setInterceptFileChooserDialog','sessionId':'C1'}",
        "{'method':'Runtime.addBinding','sessionId':'C1'}",
        "{'method':'Target.setAutoAttach','sessionId':'C1'}",
        "{'method':'Runtime.runIfWaitingForDebugger','sessionId':'C1'}",
        NULL,
    };
    bool is_frame = false;
    page_rig_play(rig, PAGE_RIG_GO_ON PAGE_RIG_JOINS("C1", "F2"));
    fake_await_count(rig->fake, "{'method':'Runtime.runIfWaitingForDebugger'}", 1);
    fake_expect_order(rig->fake, order);
    assert_true(frames_has_session(rig->page, "C1"));
    assert_string_equal(frames_session(rig->page, 0, &is_frame), "C1");
    assert_true(is_frame);
    assert_null(frames_session(rig->page, 1, &is_frame));
}

static void test_process_when_it_ends_takes_its_frames_along(void **state)
{
    struct page_rig *rig = *state;
    page_rig_play(rig, PAGE_RIG_GO_ON PAGE_RIG_TREE("S1", PAGE_RIG_MAIN, "")
                           PAGE_RIG_TREE("C1", OTHER, "") PAGE_RIG_JOINS("C1", "F2"));
    update(rig);
    assert_int_equal(frames_count(rig->page), 2);
    page_rig_play(rig, PAGE_RIG_EVENT("Target.detachedFromTarget", "'sessionId':'C1'"));
    update(rig);
    assert_int_equal(frames_count(rig->page), 1);
    assert_null(frame_find(rig->page, "F2"));
    assert_false(frames_has_session(rig->page, "C1"));
}

/* It has one second, once; the other frames are present regardless. */
static void test_process_when_it_does_not_answer_is_left_out(void **state)
{
    struct page_rig *rig = *state;
    page_rig_play(rig, PAGE_RIG_GO_ON PAGE_RIG_TREE("S1", PAGE_RIG_MAIN, INNER)
                           PAGE_RIG_TREE("C1", OTHER, "") PAGE_RIG_JOINS("C1", "F2"));
    update(rig);
    page_rig_play(rig, "{'serve':'Page.getFrameTree','session':'C1','ignore':true}\n" ATTACHED);
    update(rig);
    assert_int_equal(frames_count(rig->page), 2);
    page_rig_expect_log(rig, "the frame http://other.test/ does not answer");
    page_rig_play(rig, ATTACHED);
    update(rig);
    assert_int_equal(fake_count(rig->fake, "{'method':'Page.getFrameTree','sessionId':'C1'}"), 2);
}

/* Documents are replaced: a destroyed world is created again. */
static void test_call_when_the_world_has_gone_makes_another(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    json_t *value = NULL;
    page_rig_play(rig, "{'serve':'Runtime.callFunctionOn','error':{'code':-32000,'message':"
                       "'Cannot find context with specified id'},'times':1}");
    assert_true(page_call_function(rig->page, "function () {}", json_object(), &value, &err));
    json_decref(value);
    assert_int_equal(fake_count(rig->fake, "Page.createIsolatedWorld"), 2);
    page_rig_play(rig, PAGE_RIG_EVENT("Runtime.executionContextsCleared", ""));
    assert_int_equal(frame_main(rig->page)->world_id, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAGE_RIG_TEST(test_frames_when_nothing_changed_are_not_asked_for),
        PAGE_RIG_TEST(test_frames_of_all_processes_are_listed_in_order),
        PAGE_RIG_TEST(test_process_when_it_joins_is_told_before_it_goes_on),
        PAGE_RIG_TEST(test_process_when_it_ends_takes_its_frames_along),
        PAGE_RIG_TEST(test_process_when_it_does_not_answer_is_left_out),
        PAGE_RIG_TEST(test_call_when_the_world_has_gone_makes_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
