/* Valid actions, and the errors of invalid ones. */
#include "runner/actions/actions.h"
#include "runner/actions/naming.h"
#include "runner/actions/synonyms.h"
#include "runner/page/element/named.h"

#include "case_table.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void test_valid_actions(void **state)
{
    (void)state;
    static const char *const actions[] = {
        "{\"type\":\"start\",\"url\":\"http://localhost:3000/\"}",
        "{\"type\":\"start\",\"url\":\"HTTPS://example.org\",\"waitUntil\":\"networkidle0\"}",
        "{\"type\":\"navigate\",\"url\":\"data:text/html,x\"}",
        "{\"type\":\"navigate\",\"url\":\"about:blank\"}",
        "{\"type\":\"navigate\",\"url\":\"file:///tmp/x.html\",\"timeout\":100}",
        "{\"type\":\"back\"}",
        "{\"type\":\"forward\",\"waitUntil\":\"load\"}",
        "{\"type\":\"reload\",\"label\":\"again\"}",
        "{\"type\":\"click\",\"selector\":\"#go\"}",
        "{\"type\":\"click\",\"selector\":\"#go\",\"nth\":2,\"position\":{\"x\":1,\"y\":2}}",
        "{\"type\":\"click\",\"x\":1,\"y\":2.5,\"button\":\"right\",\"clickCount\":2}",
        "{\"type\":\"click\",\"xRange\":{\"min\":1,\"max\":2},\"yRange\":{\"min\":3,\"max\":3}}",
        "{\"type\":\"click\",\"selector\":\"a\",\"modifiers\":[\"Control\",\"Shift\"]}",
        "{\"type\":\"type\",\"text\":\"hello\"}",
        "{\"type\":\"type\",\"text\":\"\",\"selector\":\"#a\",\"clear\":true}",
        "{\"type\":\"press\",\"key\":\"Control+Shift+ArrowLeft\"}",
        "{\"type\":\"press\",\"key\":\"+\"}",
        "{\"type\":\"fill\",\"fields\":{\"a\":\"\",\"b\":1.5,\"c\":false,\"d\":[\"x\",\"y\"]}}",
        "{\"type\":\"fill\",\"fields\":\"{\\\"a\\\":1}\",\"form\":{\"role\":\"form\",\"name\":"
        "\"f\"}}",
        "{\"type\":\"fill\",\"fields\":[{\"text\":\"Name\",\"value\":\"Zoe\"},{\"node\":\"e1\","
        "\"value\":true}]}",
        "{\"type\":\"content\"}",
        "{\"type\":\"pdf\",\"margin\":\"0 1in 2pt 30px\",\"pageRanges\":\"1-3, 5\"}",
        "{\"type\":\"pdf\",\"width\":\"210mm\",\"height\":\"8.5in\",\"landscape\":true}",
        "{\"type\":\"content\",\"format\":\"main\",\"role\":\"main\",\"maxLength\":1}",
        "{\"type\":\"inspect\",\"selector\":\"a\",\"multiple\":true,\"properties\":[\"color\"]}",
        "{\"type\":\"detect\",\"minConfidence\":\"HIGH\"}",
        "{\"type\":\"scroll\"}",
        "{\"type\":\"scroll\",\"y\":-100}",
        "{\"type\":\"scroll\",\"x\":0,\"y\":0,\"mode\":\"absolute\"}",
        "{\"type\":\"wait\",\"selector\":\"#a\",\"state\":\"hidden\"}",
        "{\"type\":\"wait\",\"networkIdle\":true}",
        "{\"type\":\"wait\",\"ms\":0}",
        "{\"type\":\"screenshot\",\"fullPage\":true,\"maxEdge\":0,\"maxPixels\":0}",
        "{\"type\":\"screenshot\",\"clip\":{\"x\":0,\"y\":0,\"width\":10,\"height\":10}}",
        "{\"type\":\"evaluate\",\"expression\":\"1\",\"logFilter\":{\"types\":[\"error\"]}}",
        "{\"type\":\"stop\",\"logFilter\":{\"minLevel\":3,\"categories\":[\"console\"]}}",
        "{\"type\":\"stop\",\"screenshots\":\"none\"}",
        "{\"type\":\"diagnose\",\"steps\":[{\"action\":{\"type\":\"back\"}}]}",
        "{\"type\":\"diagnose\",\"automated\":true,\"maxSteps\":1,\"steps\":[{\"label\":\"a\","
        "\"action\":{\"type\":\"start\",\"url\":\"about:blank\"},\"expectedLogs\":[\"x\"],"
        "\"noJsErrors\":true,\"noNetworkErrors\":false,\"customCondition\":\"1\"}]}",
    };
    for (size_t i = 0; i < COUNT(actions); i++) {
        struct br_error err = { 0 };
        struct br_action *action = br_action_from_json(actions[i], strlen(actions[i]), &err);
        if (!action) {
            fail_msg("%s: %s", actions[i], err.message);
        }
        br_action_destroy(action);
    }
}

/* The error, and its hint if there is one. */
static void run_invalid(const struct case_row *row, struct strbuf *actual)
{
    struct br_error err = { 0 };
    assert_null(br_action_from_json(row->input, row->length, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    strbuf_add_format(actual, "%s%s%s", err.message, *err.hint ? "; " : "", err.hint);
}

static void run_example(const struct case_row *row, struct strbuf *actual)
{
    struct br_error err = { 0 };
    assert_null(br_action_from_json(row->input, row->length, &err));
    strbuf_add_string(actual, err.hint);
}

static void test_invalid_actions(void **state)
{
    static const struct case_part parts[] = {
        { "invalid", run_invalid },
        { "examples for wrong values", run_example },
    };
    (void)state;
    CASE_TABLE_CHECK("actions.txt", parts);
}

/* Replaces ' by ", and ~ by ' inside a text. */
static void write_quotes(struct strbuf *text, const char *short_form)
{
    for (const char *c = short_form; *c; c++) {
        strbuf_add_format(text, *c == '\'' ? "\"" : *c == '~' ? "\\\"" : "%c", *c);
    }
}

/* A cure is the given value in the accepted form. */
static void test_cures_are_made_from_the_value(void **state)
{
    (void)state;
    static const struct {
        const char *params, *hint;
    } cases[] = {
        { "'modifiers':'Ctrl'", "write it as [\"Control\"]" },
        { "'modifiers':['Ctrl']", "did you mean \"Control\"?" },
        { "'timeout':'5s'", "write it as 5000" },
        { "'timeout':'250 ms'", "write it as 250" },
        { "'timeout':'0s'", "write it as 5000" }, /* out of range */
        { "'timeout':'1e400s'", "write it as 5000" },
        { "'button':['right']", "write it as right" },
        { "'visualVerify':'yes'", "write it as true" },
        { "'visualVerify':0", "write it as false" },
        { "'visualVerify':'maybe'", "write it as true" },
        { "'position':[3,4]", "write it as {\"x\": 3, \"y\": 4}" },
        { "'position':[-3,4]", "write it as {\"x\": " },
        { "'label':7", "write it as 7" },
        { "'logFilter':{'categories':'network'}", "write it as [\"network\"]" },
        { "'logFilter':{'categories':'[a-z]'}", "write it as [\"[a-z]\"]" },
        { "'retryOptions':{'retryOnErrors':'TargetClosed'}", "[\"TargetClosedError\"]" },
        { "'xRange':[30,10]", "write it as {\"min\": 100" },
        { "'xRange':{'min':30,'max':10}", "write it as {\"min\": 10, \"max\": 30}" },
        { "'xRange':'{~min~:1'", "write it as {\"min\": 100" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        CLEANUP_FREE char *all = xasprintf("{'type':'click','selector':'a',%s}", cases[i].params);
        CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        write_quotes(&text, all);
        struct br_error err = { 0 };
        assert_null(br_action_from_json(text.data, text.length, &err));
        if (!strstr(err.hint, cases[i].hint)) {
            fail_msg("%s: %s; %s", cases[i].params, err.message, err.hint);
        }
    }
    static const char *const urls[][2] = {
        { "example.org/a?b", "write it with its scheme: https://example.org/a?b" },
        { "localhost:3000", "write it with its scheme: http://localhost:3000" },
        { "//example.org", "write it with its scheme: https://example.org" },
        { "ftp://example.org", "write it with its scheme, such as http" },
        { "/path", "write it with its scheme, such as http" },
    };
    for (size_t i = 0; i < COUNT(urls); i++) {
        CLEANUP_FREE char *text = xasprintf("{\"type\":\"navigate\",\"url\":\"%s\"}", urls[i][0]);
        struct br_error err = { 0 };
        assert_null(br_action_from_json(text, strlen(text), &err));
        if (!strstr(err.hint, urls[i][1])) {
            fail_msg("%s: %s", urls[i][0], err.hint);
        }
    }
    static const char *const nodes[][2] = { { "\"@e7\"", "such as e7" },
                                            { "\"[ref=e7]\"", "such as e7" },
                                            { "7", "write it as e7" },
                                            { "\"button2\"", "such as e12" } };
    for (size_t i = 0; i < COUNT(nodes); i++) {
        CLEANUP_FREE char *text = xasprintf("{\"type\":\"click\",\"node\":%s}", nodes[i][0]);
        struct br_error err = { 0 };
        assert_null(br_action_from_json(text, strlen(text), &err));
        if (!strstr(err.hint, nodes[i][1])) {
            fail_msg("%s: %s", nodes[i][0], err.hint);
        }
    }
}

/*
 * As in XML, where everything is text: JSON, numbers and booleans are parsed if the parameter
 * expects them.
 */
static void test_json_written_as_text_is_taken(void **state)
{
    (void)state;
    static const struct {
        const char *text, *params; /* the expected result */
    } cases[] = {
        { "{'type':'click','xRange':'{~min~:1,~max~:2}','yRange':{'min':'3','max':'4.5'}}",
          "{'xRange':{'min':1,'max':2},'yRange':{'min':3,'max':4.5}}" },
        { "{'type':'click','x':'10','y':' 20 ','visualVerify':'true','timeout':'500'}",
          "{'x':10,'y':20,'visualVerify':true,'timeout':500}" },
        { "{'type':'click','selector':'#a','modifiers':'[~Shift~]','position':'{~x~:~1~,~y~:2}'}",
          "{'selector':'#a','modifiers':['Shift'],'position':{'x':1,'y':2}}" },
        { "{'type':'type','selector':'#a','text':'true','clear':'false','delay':'5'}",
          "{'selector':'#a','text':'true','clear':false,'delay':5}" },
        { "{'type':'type','selector':'#a','text':'{~a~:1}'}",
          "{'selector':'#a','text':'{~a~:1}'}" },
        { "{'type':'click','targets':'[~#a~,~Buy~]'}", "{'targets':['#a','Buy']}" },
        { "{'type':'click','targets':'[data-x]'}", "{'targets':['[data-x]']}" },
        { "{'type':'select','selector':'#a','value':'[~1~,~2~]'}",
          "{'selector':'#a','value':['1','2']}" },
        { "{'type':'select','selector':'#a','value':'[1,2]'}",
          "{'selector':'#a','value':'[1,2]'}" },
        { "{'type':'select','selector':'#a','index':'[0,1]'}", "{'selector':'#a','index':[0,1]}" },
        { "{'type':'select','selector':'#a','index':'1'}", "{'selector':'#a','index':1}" },
        { "{'type':'upload','selector':'#a','files':'[~a~]'}", "{'selector':'#a','files':['a']}" },
        { "{'type':'stop','retryOptions':'{~maxRetries~:~2~,~retryOnErrors~:[~TIMEOUT~]}'}",
          "{'retryOptions':{'maxRetries':2,'retryOnErrors':['TIMEOUT']}}" },
        { "{'type':'stop','logFilter':{'minLevel':'3','types':'[~error~]'}}",
          "{'logFilter':{'minLevel':3,'types':['error']}}" },
        { "{'type':'screenshot','clip':'{~x~:0,~y~:0,~width~:~9~,~height~:9}'}",
          "{'clip':{'x':0,'y':0,'width':9,'height':9}}" },
        { "{'type':'drag','selector':'#a','to':'{~selector~:~#b~}'}",
          "{'selector':'#a','to':{'selector':'#b'}}" },
        { "{'type':'emulate','clock':'{~seed~:4}'}", "{'clock':{'seed':4}}" },
        { "{'type':'emulate','clock':'false'}", "{'clock':false}" },
        { "{'type':'emulate','viewport':'{~width~:~800~,~height~:600}','headers':'{~a~:~b~}'}",
          "{'viewport':{'width':800,'height':600},'headers':{'a':'b'}}" },
        { "{'type':'diagnose','steps':'[{~action~:{~type~:~back~}}]','automated':'true'}",
          "{'steps':[{'action':{'type':'back'}}],'automated':true}" },
        { "{'type':'diagnose','steps':[{'action':'{~type~:~back~}','noJsErrors':'true'}]}",
          "{'steps':[{'action':{'type':'back'},'noJsErrors':true}]}" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        CLEANUP_STRBUF struct strbuf wanted = STRBUF_INIT(STRBUF_UNCAPPED);
        write_quotes(&text, cases[i].text);
        write_quotes(&wanted, cases[i].params);
        struct br_error err = { 0 };
        CLEANUP_ACTION struct br_action *action = br_action_from_json(text.data, text.length, &err);
        if (!action) {
            fail_msg("%s: %s; %s", text.data, err.message, err.hint);
        }
        json_auto_t *params = json_loads(wanted.data, 0, NULL);
        assert_non_null(params);
        CLEANUP_FREE char *has = json_dumps(action->params, JSON_COMPACT);
        if (!json_equal(params, action->params)) {
            fail_msg("%s: became %s", text.data, has);
        }
    }
}

/* For every row of every type. */
static void test_examples_are_right(void **state)
{
    (void)state;
    static const char *const types[] = { "start",    "navigate", "click",   "type",    "press",
                                         "select",   "check",    "upload",  "scroll",  "wait",
                                         "dialog",   "emulate",  "cookies", "storage", "screenshot",
                                         "evaluate", "diagnose", "fill",    "inspect", "content",
                                         "detect",   "pdf" };
    size_t count = 0;
    for (size_t i = 0; i < COUNT(types); i++) {
        const struct param *row = action_type_find(types[i])->params;
        for (; row && row->name; row++, count++) {
            struct br_error err = { 0 };
            struct source_position nowhere = { 0 };
            CLEANUP_ACTION struct br_action *action = action_create(types[i], nowhere);
            action_add(action, row->name, param_example(row), nowhere);
            if (!param_check(action, row, &err)) {
                fail_msg("%s", err.message);
            }
        }
    }
    assert_true(count > 40);
}

/*
 * A value that a text format converted by its looks becomes what the parameter expects, as it was
 * written.
 */
static void test_text_is_kept_as_written(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    struct source_position place = { .line = 3, .column = 7 };
    CLEANUP_ACTION struct br_action *action = action_create("type", place);
    action_add(action, "text", json_real(1.5), (struct source_position){ 0 });
    action_add_source(action, "text", "1.50", place);
    assert_true(action_validate(action, &err));
    assert_string_equal(param_text(action, "text", ""), "1.50");
}

/* A model in strict mode gives every parameter a value. */
static void test_null_of_a_call_is_no_parameter(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    for (int i = 0; i < 2; i++) {
        CLEANUP_ACTION struct br_action *action =
            action_create("click", (struct source_position){ 0 });
        action->call = i == 0 ? CALL_CHAT : CALL_NONE;
        action_add(action, "selector", json_string("#go"), (struct source_position){ 0 });
        action_add(action, "x", json_null(), (struct source_position){ 0 });
        assert_int_equal(action_validate(action, &err), i == 0);
        assert_int_equal(json_object_size(action->params), i == 0 ? 1 : 2);
    }
    CLEANUP_ACTION struct br_action *clock =
        action_create("emulate", (struct source_position){ 0 });
    clock->call = CALL_CHAT;
    action_add(clock, "clock", json_null(), (struct source_position){ 0 });
    assert_true(action_validate(clock, &err));
    assert_int_equal(json_object_size(clock->params), 1);
    CLEANUP_ACTION struct br_action *unknown =
        action_create("click", (struct source_position){ 0 });
    unknown->call = CALL_CHAT;
    action_add(unknown, "selector", json_string("#go"), (struct source_position){ 0 });
    action_add(unknown, "nope", json_null(), (struct source_position){ 0 });
    assert_false(action_validate(unknown, &err));
}

static void test_errors_name_the_place(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    CLEANUP_ACTION struct br_action *action =
        action_create("click", (struct source_position){ .line = 2, .column = 1 });
    struct source_position place = { .line = 4, .column = 9 };
    action_add(action, "selector", json_true(), (struct source_position){ 0 });
    action_add_source(action, "selector", NULL, place);
    assert_false(action_validate(action, &err));
    assert_non_null(strstr(err.message, "line 4, column 9: click.selector"));
    CLEANUP_ACTION struct br_action *unknown =
        action_create("clic", (struct source_position){ .line = 2, .column = 1 });
    assert_false(action_validate(unknown, &err));
    assert_non_null(strstr(err.message, "line 2, column 1: unknown action type"));
}

static void test_target_of_range_is_its_middle(void **state)
{
    (void)state;
    static const char json[] = "{\"type\":\"click\",\"xRange\":{\"min\":100,\"max\":120},"
                               "\"yRange\":{\"min\":40,\"max\":60},\"timeout\":700}";
    struct br_error err = { 0 };
    CLEANUP_ACTION struct br_action *action = br_action_from_json(json, strlen(json), &err);
    struct action_run run = { .action = action, .patience_ms = 60000 };
    struct page_target target;
    assert_true(action_find_target(&run, action, &target, &err));
    assert_null(target.selector);
    assert_true(target.x_min == 100 && target.x_max == 120);
    assert_true(target.y_min == 40 && target.y_max == 60);
    assert_int_equal(target.patience_ms, 700);
}

static struct br_error error_of(const char *text)
{
    struct br_error err = { 0 };
    CLEANUP_ACTION struct br_action *action = br_action_from_json(text, strlen(text), &err);
    assert_null(action);
    return err;
}

/* Other tools' words are translated in hints. */
static void test_synonyms(void **state)
{
    (void)state;
    static const struct {
        const char *action, *hint;
    } cases[] = {
        { "{'type':'goto'}", "did you mean \"navigate\"?" },
        { "{'type':'get_dom'}", "did you mean \"snapshot\"?" },
        { "{'type':'type','text':'a','clearFirst':true}", "did you mean \"clear\"?" },
        { "{'type':'type','text':'a','charByChar':true}",
          "did you mean \"delay\" in milliseconds" },
        { "{'type':'click','selector':'a','ctrlKey':true}",
          "did you mean \"modifiers\" with Control" },
        { "{'type':'click','selector':'a','modifiers':['Ctrl']}", "did you mean \"Control\"?" },
        { "{'type':'click','selector':'a','modifiers':['cmd']}", "did you mean \"Meta\"?" },
        { "{'type':'click','selector':'a','modifiers':['Shft']}", "did you mean \"Shift\"?" },
        { "{'type':'click','selector':'a','button':'secondary'}", "did you mean \"right\"?" },
        { "{'type':'screenshot','format':'jpg'}", "did you mean \"jpeg\"?" },
        { "{'type':'pdf','printBackground':true}", "did you mean \"background\"?" },
        { "{'type':'print_to_pdf'}", "did you mean \"pdf\"?" },
        { "{'type':'input'}", "did you mean \"type\"?" },
        { "{'type':'fill','selector':'#a','value':'b'}", "did you mean \"fields\"" },
        { "{'type':'getText'}", "did you mean \"content\"?" },
        { "{'type':'execute_script'}", "did you mean \"evaluate\"?" },
        { "{'type':'doubleClick'}", "did you mean \"click\" with clickCount 2?" },
        { "{'type':'screenshotFullPage'}", "did you mean \"screenshot\" with fullPage true?" },
        { "{'type':'clik'}", "did you mean \"click\"?" },
        { "{'type':'click','css':'a'}", "did you mean \"selector\"?" },
        { "{'type':'click','ref':'e1'}", "did you mean \"node\" for an id of a snapshot?" },
        { "{'type':'click','xpath':'//a'}", "did you mean \"text\" or role with name" },
        { "{'type':'type','selector':'a','value':'x'}", "did you mean \"text\"?" },
        { "{'type':'press','value':'Enter'}", "did you mean \"key\"?" },
        { "{'type':'evaluate','script':'1'}", "did you mean \"expression\"?" },
        { "{'type':'wait','time':5}", "did you mean \"ms\" in milliseconds?" },
        { "{'type':'click','selector':'a','ms':5}", "did you mean \"timeout\" in milliseconds?" },
        { "{'type':'navigate','href':'x'}", "did you mean \"url\"?" },
        { "{'type':'click','slector':'a'}", "did you mean \"selector\"?" },
        { "{'type':'stop','css':'a'}", "known are: " },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP_FREE char *json = xstrdup(cases[i].action);
        for (char *quote = json; (quote = strchr(quote, '\''));) {
            *quote = '"';
        }
        struct br_error err = error_of(json);
        if (!strstr(err.hint, cases[i].hint)) {
            fail_msg("%s: %s", cases[i].action, err.hint);
        }
    }
    for (const struct synonym *row = action_synonyms; row->names; row++) {
        assert_non_null(action_type_find(row->known));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_synonyms),
        cmocka_unit_test(test_valid_actions),
        cmocka_unit_test(test_invalid_actions),
        cmocka_unit_test(test_cures_are_made_from_the_value),
        cmocka_unit_test(test_json_written_as_text_is_taken),
        cmocka_unit_test(test_examples_are_right),
        cmocka_unit_test(test_text_is_kept_as_written),
        cmocka_unit_test(test_null_of_a_call_is_no_parameter),
        cmocka_unit_test(test_errors_name_the_place),
        cmocka_unit_test(test_target_of_range_is_its_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
