/* Tabs that open and close while the session waits for something else. */
#include "tests/integration/session_rig.h"

#include <string.h>

/* The tabs of a session are an array: this many more reallocate it. */
#define MANY_TABS                                                                                  \
    "{'repeat':20,'event':{'method':'Target.attachedToTarget','params':{'sessionId':'$new:M',"     \
    "'waitingForDebugger':false,'targetInfo':{'targetId':'$new:N','type':'page','openerId':'T1'}}" \
    "}}"

#define CLOSED(session)                                                                            \
    "{'event':{'method':'Target.detachedFromTarget','params':{'sessionId':'" session "'}}}"

#define FRAME_TREE                                                                                 \
    "'serve':'Page.getFrameTree','reply':{'frameTree':{'frame':{'id':'$frame','loaderId':'L9',"    \
    "'url':'http://page.test/back'}}}"

#define TABS                                                                                       \
    "{'serve':'Runtime.runIfWaitingForDebugger','reply':{}}\n"                                     \
    "{'serve':'Target.getTargets','reply':{'targetInfos':[]}}\n"                                   \
    "{" FRAME_TREE "}\n"

static void open_second(struct rig *rig)
{
    rig_start(rig);
    rig_play(rig, TABS "{" FRAME_TREE ",'then':[" MANY_TABS "]}");
    rig_expect(rig, "{'type':'tab','op':'new'}", (struct outcome){ .attempts = 1 });
}

static void test_tab_when_it_closes_itself_while_others_open(void **state)
{
    (void)state;
    struct rig rig;
    open_second(&rig);
    rig_play(&rig, CLOSED("S2"));
    rig_expect(&rig, "{'type':'evaluate','expression':'6 * 7'}", (struct outcome){ .attempts = 1 });
    rig_expect_log(&rig, "browser", "opened tab 22");
    rig_expect_log(&rig, "browser", "tab 1 is the page now");
    rig_close(&rig);
}

/* The tab that would become the page closes at the same moment. */
static void test_tab_when_the_next_one_closes_too(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, TABS
             "{'serve':'Page.getFrameTree','ignore':true,'times':1,'then':[" CLOSED("S1") "]}");
    rig_expect(rig, "{'type':'tab','op':'new'}", (struct outcome){ .attempts = 1 });
    rig_expect(rig, "{'type':'tab','op':'new'}", (struct outcome){ .attempts = 1 });
    rig_play(rig, "{'event':{'method':'Target.detachedFromTarget','params':{'sessionId':'S2'}}}\n"
                  "{'event':{'method':'Target.detachedFromTarget','params':{'sessionId':'S3'}}}");
    /* Whether it begins before or after the event arrives: a mere search is repeated. */
    rig_expect(rig, "{'type':'wait','selector':'#late','timeout':8000}",
               (struct outcome){ .is_recovered = true });
}

/* Only the page is restored, and that is reported. */
static void test_tab_when_the_page_crashed_the_loss_of_others_is_said(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, TABS);
    rig_expect(rig, "{'type':'tab','op':'new'}", (struct outcome){ .attempts = 1 });
    rig_play(rig, "{'event':{'method':'Inspector.targetCrashed','sessionId':'S2','params':{}}}");
    rig_expect(rig, "{'type':'wait','selector':'#late','timeout':8000}",
               (struct outcome){ .is_recovered = true });
    rig_expect_log(rig, "browser", "the other tabs are lost, too (1)");
}

/*
 * Closing the page reports an error if no other tab can be attached; the page is closed regardless.
 */
static void test_tab_when_the_next_one_refuses_is_closed_all_the_same(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, TABS "{'serve':'Page.getFrameTree','error':{'code':-32000,'message':'Not now'},"
                       "'times':1}");
    rig_expect(rig, "{'type':'tab','op':'new'}", (struct outcome){ .attempts = 1 });
    rig_expect(rig, "{'type':'tab','op':'close'}",
               (struct outcome){ .code = BR_UNKNOWN_ERROR, .attempts = 1 });
    rig_await_count(rig, "{'method':'Target.closeTarget','params':{'targetId':'T2'}}", 1);
}

/* A new tab that cannot be attached to has no owner: it is closed. */
static void test_tab_when_it_cannot_be_attached_to_is_closed(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'serve':'Target.attachToTarget','error':{'code':-32000,'message':'No'},"
                  "'times':1}");
    rig_expect(rig, "{'type':'tab','op':'new'}",
               (struct outcome){ .code = BR_UNKNOWN_ERROR, .attempts = 1 });
    rig_await_count(rig, "{'method':'Target.closeTarget','params':{'targetId':'T2'}}", 1);
    rig_expect(rig, "{'type':'evaluate','expression':'6 * 7'}", (struct outcome){ .attempts = 1 });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tab_when_it_closes_itself_while_others_open),
        RIG_TEST(test_tab_when_the_next_one_closes_too),
        RIG_TEST(test_tab_when_the_page_crashed_the_loss_of_others_is_said),
        RIG_TEST(test_tab_when_the_next_one_refuses_is_closed_all_the_same),
        RIG_TEST(test_tab_when_it_cannot_be_attached_to_is_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
