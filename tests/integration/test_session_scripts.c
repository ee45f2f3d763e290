/* Which of our scripts are sent into the worlds of a page. */
#include "tests/integration/session_rig.h"

#include "runner/base/json.h"

#include <string.h>

enum {
    MAX_CLICK = 2048, /* bytes of script for a click, after the world has its library */
    LIBRARY = 1000,   /* a longer script is not a mere call */
};

static const char click[] = "{'type':'click','selector':'#go'}";
static const struct outcome fine = { .attempts = 1 };

/* After the page has navigated its worlds are new ones. */
static const char new_document[] = "{'event':{'method':'Runtime.executionContextsCleared',"
                                   "'sessionId':'S1','params':{}}}";

/* Returns the text of a script in a command, and its world; NULL: none. */
static const char *script_of(const json_t *command, json_int_t *ret_world)
{
    const json_t *params = json_object_get(command, "params");
    const json_t *context = json_object_get(params, "executionContextId");
    context = context ? context : json_object_get(params, "contextId");
    const char *declaration = json_member_string(params, "functionDeclaration");
    *ret_world = json_integer_value(context);
    return declaration ? declaration : json_member_string(params, "expression");
}

static size_t command_count(const struct rig *rig)
{
    size_t count = 0;
    for (json_t *command; (command = fake_browser_command(rig->fake, count)); count++) {
        json_decref(command);
    }
    return count;
}

static size_t script_bytes(const struct rig *rig, size_t from)
{
    size_t bytes = 0;
    json_int_t world;
    for (size_t i = from, count = command_count(rig); i < count; i++) {
        json_auto_t *command = fake_browser_command(rig->fake, i);
        const char *script = script_of(command, &world);
        bytes += script ? strlen(script) : 0;
    }
    return bytes;
}

/* From this command on. */
static void expect_no_script_twice(const struct rig *rig, size_t from)
{
    json_auto_t *sent = json_object();
    for (size_t i = from, count = command_count(rig); i < count; i++) {
        json_int_t world = 0;
        json_auto_t *command = fake_browser_command(rig->fake, i);
        const char *script = script_of(command, &world);
        if (!script || strlen(script) < LIBRARY || !world) {
            continue;
        }
        CLEANUP_FREE char *key = xasprintf("%lld %s", (long long)world, script);
        if (json_object_get(sent, key)) {
            fail_msg("%zu bytes came again into the world %lld: %.60s", strlen(script),
                     (long long)world, script);
        }
        json_object_set_new(sent, key, json_true());
    }
    assert_int_not_equal(json_object_size(sent), 0);
}

static void test_click_when_the_world_has_its_library_sends_little(void **state)
{
    struct rig *rig = *state;
    rig_expect(rig, click, fine);
    size_t before = command_count(rig);
    rig_expect(rig, click, fine);
    size_t bytes = script_bytes(rig, before);
    assert_in_range(bytes, 1, MAX_CLICK);
}

/*
 * None of these actions ends by its timeout: a call that is cut off counts as one whose script may
 * not have arrived.
 */
static void test_actions_send_no_script_twice_into_a_world(void **state)
{
    struct rig *rig = *state;
    static const char *const actions[] = {
        click,
        "{'type':'type','selector':'#name','text':'abc'}",
        "{'type':'wait','selector':'#go'}",
        "{'type':'screenshot'}",
        "{'type':'scroll','y':10}",
        click,
        "{'type':'press','key':'Enter'}",
        "{'type':'screenshot','stable':true}",
        "{'type':'type','selector':'#name','text':'abc'}",
        "{'type':'screenshot'}",
    };
    rig_play(rig, "{'serve':'Emulation.setScrollbarsHidden','reply':{}}");
    for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
        rig_run(rig, actions[i]); /* it may fail in a page without real documents */
    }
    expect_no_script_twice(rig, 0);
}

/*
 * It is sent before the first call, without waiting: a click works even if the reply never arrives.
 */
static void test_library_when_the_document_is_new_comes_once_and_is_not_waited_for(void **state)
{
    struct rig *rig = *state;
    static const char library[] = "{'method':'Runtime.evaluate','params':"
                                  "{'expression':'~const findRoots ='}}";
    rig_expect(rig, click, fine);
    assert_int_equal(rig_count(rig, library), 1);
    rig_play(rig, new_document);
    rig_play(rig, "{'serve':'Runtime.evaluate','ignore':true}");
    size_t before = command_count(rig);
    rig_expect(rig, click, fine);
    rig_expect(rig, click, fine);
    assert_int_equal(rig_count(rig, library), 2);
    expect_no_script_twice(rig, before);
}

/*
 * Once for all elements found, in the session in which they were found; not for an action that
 * found none.
 */
static void test_elements_are_released_when_the_action_ends(void **state)
{
    struct rig *rig = *state;
    static const char release[] = "{'method':'Runtime.releaseObjectGroup','sessionId':'S1',"
                                  "'params':{'objectGroup':'browser-runner element'}}";
    rig_expect(rig, click, fine);
    rig_await_count(rig, release, 1); /* it is sent without waiting */
    rig_expect(rig, "{'type':'press','key':'Enter'}", fine);
    rig_expect(rig, click, fine);
    rig_await_count(rig, release, 2);
    assert_int_equal(rig_count(rig, release), 2);
}

/*
 * The page is described when a click is done. If it turns out only then that the click leads to
 * another page, that description is as old as the wait for the other page is long.
 */
static void test_click_when_a_navigation_is_known_late_describes_the_page_after_it(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'serve':'Runtime.callFunctionOn','times':1,'params':{'functionDeclaration':"
                  "'~browserRunner.describe('},'reply':{'result':{'type':'object','value':{"
                  "'url':'http://page.test/first','title':'Too early'}}},'then':[{'event':{"
                  "'method':'Page.frameRequestedNavigation','sessionId':'$session','params':{"
                  "'frameId':'T1'}}}]}");
    rig_expect(rig, "{'type':'click','selector':'#go','timeout':1000}", fine);
    rig_expect_log(rig, "navigation", "the navigation that followed");
    assert_string_equal(rig->response->title, "A page");
}

#define THROWS(name)                                                                               \
    "{'serve':'Runtime.evaluate','reply':{'result':{'type':'object','className':'" name "'},"      \
    "'exceptionDetails':{'text':'Uncaught','lineNumber':0,'columnNumber':0,'exception':{"          \
    "'type':'object','className':'" name "','description':'" name ": it broke'}}}}\n"

/* What has run is not asked about: it may have left the page, which then does not answer. */
static void test_evaluate_when_the_script_throws_reports_that(void **state)
{
    struct rig *rig = *state;
    static const char compiles[] = "{'method':'Runtime.compileScript'}";
    static const char script[] = "{'type':'evaluate','expression':'leave()','args':[]}";
    static const char refusal[] = "{'serve':'Runtime.compileScript',"
                                  "'error':{'code':-32000,'message':'Cannot find context'}}";
    rig_play(rig, refusal);
    rig_play(rig, THROWS("Error"));
    rig_expect(rig, script, (struct outcome){ .code = BR_EVAL_ERROR, .attempts = 1 });
    assert_non_null(strstr(rig->response->error.message, "it broke"));
    assert_int_equal(rig_count(rig, compiles), 0);
    rig_play(rig, THROWS("SyntaxError"));
    rig_run(rig, script);
    assert_int_not_equal(rig_count(rig, compiles), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RIG_TEST(test_click_when_the_world_has_its_library_sends_little),
        RIG_TEST(test_actions_send_no_script_twice_into_a_world),
        RIG_TEST(test_library_when_the_document_is_new_comes_once_and_is_not_waited_for),
        RIG_TEST(test_elements_are_released_when_the_action_ends),
        RIG_TEST(test_click_when_a_navigation_is_known_late_describes_the_page_after_it),
        RIG_TEST(test_evaluate_when_the_script_throws_reports_that),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
