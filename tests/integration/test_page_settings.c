/* The settings of a page: which processes receive them, when, and which are kept. */
#include "tests/integration/page_rig.h"

#include "runner/base/error.h"
#include "runner/page/world/setting.h"
#include "runner/page/world/settings.h"

#include <string.h>

#define MEDIA  "{'serve':'Emulation.setEmulatedMedia','reply':{}}\n"
#define TOUCH  "{'serve':'Emulation.setTouchEmulationEnabled','reply':{}}\n"
#define REFUSE "{'serve':'Emulation.setLocaleOverride','error':{'code':-32000,'message':'No'}}\n"

static bool set(struct page_rig *rig, const char *name, const char *value, struct br_error *err)
{
    json_auto_t *text = json_string(value);
    return page_set(rig->page, name, text, err);
}

static void test_setting_holds_for_all_processes_those_to_come_as_well(void **state)
{
    struct page_rig *rig = *state;
    static const char print[] = "'method':'Emulation.setEmulatedMedia','params':{'media':'print'}";
    struct br_error err;
    page_rig_play(rig, PAGE_RIG_GO_ON MEDIA PAGE_RIG_JOINS("C1", "F1"));
    assert_true(set(rig, "media", "print", &err));
    page_rig_play(rig, PAGE_RIG_JOINS("C2", "F2"));
    fake_await_count(rig->fake, "{'method':'Runtime.runIfWaitingForDebugger','sessionId':'C2'}", 1);
    for (int i = 0; i < 3; i++) {
        static const char *const sessions[] = { "S1", "C1", "C2" };
        CLEANUP_FREE char *pattern = xasprintf("{%s,'sessionId':'%s'}", print, sessions[i]);
        fake_await_count(rig->fake, pattern, 1);
    }
    /* The last process receives it before it is resumed. */
    fake_expect_order(rig->fake,
                      (const char *const[]){
                          "{'method':'Emulation.setEmulatedMedia','sessionId':'C2'}",
                          "{'method':'Runtime.runIfWaitingForDebugger','sessionId':'C2'}",
                          NULL,
                      });
}

/* From the first setting on, joining processes are paused until they have received all. */
static void test_setting_holds_processes_up(void **state)
{
    struct page_rig *rig = *state;
    static const char held[] =
        "{'method':'Target.setAutoAttach','sessionId':'S1','params':{'waitForDebuggerOnStart':"
        "true}}";
    struct br_error err;
    page_rig_play(rig, MEDIA);
    assert_int_equal(fake_count(rig->fake, held), 0);
    assert_true(set(rig, "media", "print", &err));
    assert_true(set(rig, "media", "screen", &err));
    assert_int_equal(fake_count(rig->fake, held), 1);
}

static void test_setting_when_refused_is_forgotten(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    page_rig_play(rig, PAGE_RIG_GO_ON REFUSE);
    assert_false(set(rig, "locale", "xx", &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    assert_non_null(strstr(err.message, "locale"));
    assert_null(setting_get(rig->page, "locale"));
    page_rig_play(rig, PAGE_RIG_JOINS("C1", "F1"));
    fake_await_count(rig->fake, "Runtime.runIfWaitingForDebugger", 1);
    assert_int_equal(fake_count(rig->fake, "Emulation.setLocaleOverride"), 1);
}

/* The previous value stays. */
static void test_setting_when_refused_leaves_what_was_there(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    page_rig_play(rig, "{'serve':'Emulation.setUserAgentOverride','reply':{}}\n"
                       "{'serve':'Emulation.setLocaleOverride','reply':{}}\n");
    assert_true(set(rig, "locale", "de", &err));
    page_rig_play(rig, REFUSE);
    assert_false(set(rig, "locale", "xx", &err));
    assert_string_equal(json_string_value(setting_get(rig->page, "locale")), "de");
}

static void test_settings_when_one_is_refused_the_others_hold(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    json_auto_t *all = json_pack("{s:s, s:b, s:s}", "media", "print", "touch", 1, "locale", "xx");
    page_rig_play(rig, MEDIA TOUCH REFUSE);
    assert_false(page_set_all(rig->page, all, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    assert_true(json_is_true(setting_get(rig->page, "touch")));
    assert_null(setting_get(rig->page, "locale"));
}

/* Chrome silently accepts some unknown time zones: the page is asked first. */
static void test_timezone_when_unknown_is_not_sent(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    page_rig_play(rig, "{'serve':'Runtime.callFunctionOn','reply':{'result':{'type':'boolean',"
                       "'value':false}}}");
    assert_false(set(rig, "timezone", "Europe/Nowhere", &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    assert_int_equal(fake_count(rig->fake, "Emulation.setTimezoneOverride"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAGE_RIG_TEST(test_setting_holds_for_all_processes_those_to_come_as_well),
        PAGE_RIG_TEST(test_setting_holds_processes_up),
        PAGE_RIG_TEST(test_setting_when_refused_is_forgotten),
        PAGE_RIG_TEST(test_setting_when_refused_leaves_what_was_there),
        PAGE_RIG_TEST(test_settings_when_one_is_refused_the_others_hold),
        PAGE_RIG_TEST(test_timezone_when_unknown_is_not_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
