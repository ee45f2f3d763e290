/* Parts of a driven app: ids, changes, actions made from commands, and messages. */
#include "runner/base/error.h"
#include "runner/base/event.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/servers/debug_bridge/app/changes.h"
#include "runner/servers/debug_bridge/app/commands.h"
#include "runner/servers/debug_bridge/app/ids.h"
#include "runner/servers/debug_bridge/app/messages.h"
#include "runner/servers/debug_bridge/app/page.h"
#include "runner/servers/debug_bridge/app/ui.h"
#include "snapshot_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct app_identity identity = { .session_id = "s", .app_id = "a" };

static void assert_json(const json_t *value, const char *expected)
{
    CLEANUP_FREE char *text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    assert_non_null(text);
    assert_string_equal(text, expected);
}

static void assert_ids(struct app_ids *ids, struct app_ids_item *items, size_t count,
                       const char *expected)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    app_ids_assign(ids, items, count);
    for (size_t i = 0; i < count; i++) {
        strbuf_add_format(&text, "%s%s", i ? " " : "", items[i].id);
        assert_string_equal(app_ids_find(ids, items[i].id), items[i].node);
    }
    assert_string_equal(text.data, expected);
}

static bool is_of_then(void *data, const char *node)
{
    (void)data;
    return strcmp(node, "e4") == 0 || strcmp(node, "e2") == 0;
}

static void test_ids_are_unique_and_stay(void **state)
{
    (void)state;
    struct app_ids *ids = app_ids_create();
    struct app_ids_item first[] = {
        { .node = "e1", .base = "save", .is_given = true },
        { .node = "e2", .base = "save", .is_given = true },
        { .node = "e3", .base = "button-Delete", .is_counted = true },
        { .node = "e4", .base = "button-Delete", .is_counted = true },
    };
    assert_ids(ids, first, 4, "save save~2 button-Delete-0 button-Delete-1");
    /*
     * The first ones have disappeared, the last one keeps its id, and a new one gets the free id.
     */
    struct app_ids_item then[] = {
        { .node = "e9", .base = "button-Delete", .is_counted = true },
        { .node = "e4", .base = "button-Delete", .is_counted = true },
        { .node = "e2", .base = "save", .is_given = true },
    };
    app_ids_sweep(ids, is_of_then, NULL);
    assert_ids(ids, then, 3, "button-Delete-0 button-Delete-1 save~2");
    assert_null(app_ids_find(ids, "save"));
    assert_false(app_ids_was_made(ids, "save"));
    /* Its text has changed; the other one has left the tree, and still exists. */
    struct app_ids_item changed[] = {
        { .node = "e4", .base = "button-Undo", .is_counted = true },
        { .node = "e10", .base = "button-Delete", .is_counted = true },
    };
    assert_ids(ids, changed, 2, "button-Delete-1 button-Delete-2");
    assert_string_equal(app_ids_find(ids, "button-Delete-0"), "e9");
    /* It is given an id. */
    struct app_ids_item given[] = { { .node = "e4", .base = "undo", .is_given = true } };
    assert_ids(ids, given, 1, "undo");
    assert_null(app_ids_find(ids, "button-Delete-1"));
    assert_true(app_ids_was_made(ids, "button-Delete-1"));
    app_ids_forget(ids);
    assert_null(app_ids_find(ids, "undo"));
    assert_false(app_ids_was_made(ids, "button-Delete-1"));
    app_ids_destroy(ids);
}

static bool is_second(void *data, const char *node)
{
    (void)data;
    return strcmp(node, "e2") == 0;
}

/* Elements without a name: their paths change when one before them is removed. */
static void test_paths_stay(void **state)
{
    (void)state;
    struct app_ids *ids = app_ids_create();
    struct app_ids_item first[] = { { .node = "e1", .base = "div[0]" },
                                    { .node = "e2", .base = "div[1]" } };
    assert_ids(ids, first, 2, "div[0] div[1]");
    struct app_ids_item then[] = { { .node = "e2", .base = "div[0]" },
                                   { .node = "e3", .base = "div[1]" },
                                   { .node = "e4", .base = "div[0]" } };
    app_ids_sweep(ids, is_second, NULL);
    assert_ids(ids, then, 3, "div[1] div[1]~2 div[0]~2");
    assert_null(app_ids_find(ids, "div[0]")); /* of a former tree, and not another's */
    assert_true(app_ids_was_made(ids, "div[0]"));
    app_ids_destroy(ids);
}

static void test_an_id_in_the_place_of_another(void **state)
{
    (void)state;
    struct app_ids *ids = app_ids_create();
    struct app_ids_item items[] = {
        { .node = "e1", .base = "b-0" },
        { .node = "e2", .base = "b", .is_counted = true },
    };
    assert_ids(ids, items, 2, "b-0 b-1");
    app_ids_destroy(ids);
}

static void test_made_up_ids(void **state)
{
    (void)state;
    static const char *const made_up[] = { ":r1:", ":x", "\xc2\xabr1\xc2\xbb", "_r_1a_" };
    static const char *const given[] = { "register", "row1", "r1", "_r_", "main", "_r_x" };
    for (size_t i = 0; i < sizeof(made_up) / sizeof(made_up[0]); i++) {
        assert_true(app_ids_is_generated(made_up[i]));
    }
    for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
        assert_false(app_ids_is_generated(given[i]));
    }
}

static json_t *item(const char *id, const char *more)
{
    json_t *made = json_pack("{s:s, s:s}", "stableId", id, "selector", "#x");
    json_auto_t *members = json_loads(more, 0, NULL);
    json_object_update(made, members);
    return made;
}

static void test_changes(void **state)
{
    (void)state;
    json_auto_t *before = json_pack("[o, o, o]", item("a", "{\"text\":\"A\",\"value\":\"1\"}"),
                                    item("b", "{\"text\":\"B\"}"), item("c", "{\"text\":\"C\"}"));
    json_auto_t *after = json_pack("[o, o, o]", item("a", "{\"text\":\"A!\"}"),
                                   item("c", "{\"text\":\"C\"}"), item("d", "{\"text\":\"D\"}"));
    json_auto_t *changes = app_changes(before, after);
    assert_json(changes,
                "[{\"changeType\":\"removed\",\"changes\":{},\"stableId\":\"b\"},"
                "{\"changeType\":\"modified\",\"changes\":{\"text\":\"A!\",\"value\":null},"
                "\"stableId\":\"a\"},"
                "{\"changeType\":\"added\",\"changes\":{\"text\":\"D\"},\"stableId\":\"d\"}]");
    json_auto_t *none = app_changes(after, after);
    assert_json(none, "[]");
    json_auto_t *many = json_array();
    for (int i = 0; i <= APP_MAX_CHANGES; i++) {
        CLEANUP_FREE char *id = xasprintf("n%d", i);
        json_array_append_new(many, item(id, "{}"));
    }
    json_auto_t *nothing = json_array();
    assert_null(app_changes(nothing, many));
    assert_null(app_changes(many, nothing));
    json_array_remove(many, 0);
    json_auto_t *just = app_changes(nothing, many);
    assert_int_equal(json_array_size(just), APP_MAX_CHANGES);
}

static void test_wanted_items(void **state)
{
    (void)state;
    json_auto_t *items =
        json_pack("[o, o, o]",
                  item("a", "{\"role\":\"button\",\"visible\":true,\"text\":\"Save\",\"bounds\":{},"
                            "\"meta\":{\"tagName\":\"div\"}}"),
                  item("b", "{\"role\":\"link\",\"visible\":false,\"text\":\"Save as\","
                            "\"meta\":{\"tagName\":\"a\"}}"),
                  item("c", "{\"role\":\"textbox\",\"visible\":true,\"label\":\"Name\","
                            "\"meta\":{\"tagName\":\"input\"}}"));
    json_auto_t *visible = app_wanted_items(items, &(struct app_wanted){ 0 });
    assert_int_equal(json_array_size(visible), 2);
    assert_null(json_object_get(json_array_get(visible, 0), "bounds"));
    assert_non_null(json_object_get(json_array_get(items, 0), "bounds"));
    json_auto_t *roles = json_pack("[s, s]", "A", "textbox");
    json_auto_t *some = app_wanted_items(
        items, &(struct app_wanted){ .has_hidden = true, .has_bounds = true, .roles = roles });
    assert_int_equal(json_array_size(some), 2);
    assert_string_equal(json_member_string(json_array_get(some, 0), "stableId"), "b");
    static const struct {
        const char *text, *role;
        size_t count;
    } cases[] = {
        { "save", NULL, 1 }, { "sav", NULL, 2 },      { "save", "link", 1 },
        { "NAME", NULL, 1 }, { "name", "button", 0 }, { "save", "div", 1 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_auto_t *found = app_items_by_text(items, cases[i].text, cases[i].role);
        assert_int_equal(json_array_size(found), cases[i].count);
    }
}

/* The action made from a command; NULL: INVALID_ACTION. */
static const struct {
    const char *command, *action;
} commands[] = {
    { "{\"type\":\"click\",\"target\":{\"stableId\":\"x\"}}",
      "{\"screenshots\":\"none\",\"type\":\"click\"}" },
    { "{\"type\":\"click\",\"target\":{\"stableId\":\"x\"},\"options\":{\"button\":\"right\","
      "\"clickCount\":2,\"modifiers\":[\"ctrl\",\"shift\",\"alt\",\"meta\"],"
      "\"position\":{\"x\":1,\"y\":2}}}",
      "{\"button\":\"right\",\"clickCount\":2,\"modifiers\":[\"Control\",\"Shift\",\"Alt\","
      "\"Meta\"],\"position\":{\"x\":1,\"y\":2},\"screenshots\":\"none\",\"type\":\"click\"}" },
    { "{\"type\":\"click\",\"target\":{\"stableId\":\"x\"},\"options\":{\"clickCount\":4}}", NULL },
    { "{\"type\":\"click\",\"target\":{\"stableId\":\"x\"},\"options\":{\"clickCount\":0}}", NULL },
    { "{\"type\":\"click\",\"target\":{\"stableId\":\"x\"},\"options\":{\"modifiers\":[\"x\"]}}",
      NULL },
    { "{\"type\":\"click\",\"target\":{\"stableId\":\"x\"},\"options\":7}", NULL },
    { "{\"type\":\"click\",\"target\":{\"role\":\"button\"}}", NULL },
    { "{\"type\":\"click\",\"target\":{\"selector\":\"\"}}", NULL },
    { "{\"type\":\"click\",\"target\":{\"selector\":7}}", NULL },
    { "{\"type\":\"click\"}", NULL },
    { "{\"type\":\"type\",\"target\":{\"selector\":\"x\"},\"text\":\"a\",\"options\":"
      "{\"clear\":true,\"delay\":5,\"pressEnter\":true}}",
      "{\"clear\":true,\"delay\":5,\"pressEnter\":true,\"screenshots\":\"none\",\"text\":\"a\","
      "\"type\":\"type\"}" },
    { "{\"type\":\"type\",\"target\":{\"selector\":\"x\"}}", NULL },
    { "{\"type\":\"navigate\",\"url\":\"/x\",\"options\":{\"waitUntil\":\"networkidle\","
      "\"timeout\":9}}",
      "{\"screenshots\":\"none\",\"timeout\":9,\"type\":\"navigate\",\"url\":\"/x\","
      "\"waitUntil\":\"networkidle0\"}" },
    { "{\"type\":\"navigate\"}", NULL },
    { "{\"type\":\"evaluate\",\"code\":\"1\",\"options\":{\"timeout\":9}}",
      "{\"expression\":\"1\",\"screenshots\":\"none\",\"timeout\":9,\"type\":\"evaluate\"}" },
    { "{\"type\":\"evaluate\"}", NULL },
    { "{\"type\":\"scroll\",\"options\":{\"y\":300}}",
      "{\"mode\":\"absolute\",\"screenshots\":\"none\",\"type\":\"scroll\",\"y\":300}" },
    { "{\"type\":\"scroll\",\"x\":1,\"y\":2,\"mode\":\"delta\"}",
      "{\"mode\":\"delta\",\"screenshots\":\"none\",\"type\":\"scroll\",\"x\":1,\"y\":2}" },
    { "{\"type\":\"scroll\",\"target\":{\"selector\":\"x\"}}",
      "{\"screenshots\":\"none\",\"type\":\"scroll\"}" },
    { "{\"type\":\"scroll\",\"options\":{}}", NULL },
    { "{\"type\":\"scroll\",\"options\":{\"y\":1,\"behavior\":\"slow\"}}", NULL },
    { "{\"type\":\"hover\",\"target\":{\"text\":\"x\"},\"options\":{\"position\":{\"x\":1,\"y\":1}}"
      "}",
      "{\"position\":{\"x\":1,\"y\":1},\"screenshots\":\"none\",\"type\":\"hover\"}" },
    { "{\"type\":\"select\",\"target\":{\"selector\":\"x\"},\"label\":\"L\"}",
      "{\"label\":\"L\",\"screenshots\":\"none\",\"type\":\"select\"}" },
    { "{\"type\":\"select\",\"target\":{\"selector\":\"x\"},\"options\":{\"index\":0}}",
      "{\"index\":0,\"screenshots\":\"none\",\"type\":\"select\"}" },
    { "{\"type\":\"select\",\"target\":{\"selector\":\"x\"},\"options\":{}}", NULL },
    { "{\"type\":\"focus\",\"target\":{\"selector\":\"x\"}}",
      "{\"screenshots\":\"none\",\"type\":\"focus\"}" },
    { "{\"type\":\"request_screenshot\"}",
      "{\"format\":\"png\",\"maxEdge\":0,\"maxPixels\":0,\"screenshots\":\"none\","
      "\"type\":\"screenshot\"}" },
    { "{\"type\":\"request_screenshot\",\"options\":{\"format\":\"jpeg\",\"quality\":0,"
      "\"selector\":\"b\",\"fullPage\":false}}",
      "{\"format\":\"jpeg\",\"fullPage\":false,\"maxEdge\":0,\"maxPixels\":0,\"quality\":1,"
      "\"screenshots\":\"none\",\"selector\":\"b\",\"type\":\"screenshot\"}" },
    { "{\"type\":\"request_screenshot\",\"options\":{\"format\":\"webp\",\"quality\":101}}", NULL },
};

static void test_commands_become_actions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        struct br_error err = { 0 };
        json_auto_t *command = json_loads(commands[i].command, 0, NULL);
        json_auto_t *action = NULL;
        const struct app_command *row = app_command_find(json_member_string(command, "type"));
        assert_non_null(row);
        bool is_done = app_command_action(row, command, &action, &err);
        assert_int_equal(is_done, commands[i].action != NULL);
        if (is_done) {
            assert_json(action, commands[i].action);
        } else {
            assert_int_equal(err.code, BR_INVALID_ACTION);
        }
    }
    assert_null(app_command_find("clack"));
    assert_true(app_command_is_ignored("command_result"));
    assert_false(app_command_is_ignored("click"));
}

static void test_targets(void **state)
{
    (void)state;
    static const struct {
        const char *target, *action;
    } cases[] = {
        { "{\"stableId\":\"a\\\"b\"}",
          "{\"targets\":[\"[data-testid=\\\"a\\\\\\\"b\\\"]\","
          "\"[data-debug-id=\\\"a\\\\\\\"b\\\"]\",\"[id=\\\"a\\\\\\\"b\\\"]\"]}" },
        { "{\"selector\":\"#a\",\"text\":\"b\"}", "{\"selector\":\"#a\"}" },
        { "{\"text\":\"Save\",\"role\":\"button\"}", "{\"name\":\"Save\",\"role\":\"button\"}" },
        { "{\"text\":\"Save\"}", "{\"text\":\"Save\"}" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err;
        json_auto_t *target = json_loads(cases[i].target, 0, NULL);
        json_auto_t *action = json_object();
        assert_true(app_command_set_target(target, action, &err));
        assert_json(action, cases[i].action);
    }
    struct br_error err;
    json_auto_t *target = json_pack("{s:s}", "text", "Name");
    json_auto_t *typing = json_pack("{s:s}", "text", "typed");
    assert_false(app_command_set_target(target, typing, &err));
    assert_int_equal(err.code, BR_TARGET_NOT_FOUND);
}

static void test_error_codes(void **state)
{
    (void)state;
    static const struct {
        enum br_code code;
        const char *name;
    } cases[] = {
        { BR_TARGET_NOT_FOUND, "TARGET_NOT_FOUND" },
        { BR_TARGET_AMBIGUOUS, "TARGET_NOT_FOUND" },
        { BR_STALE_NODE, "TARGET_NOT_FOUND" },
        { BR_TARGET_NOT_VISIBLE, "TARGET_NOT_VISIBLE" },
        { BR_TARGET_OBSCURED, "TARGET_NOT_VISIBLE" },
        { BR_TARGET_DISABLED, "TARGET_DISABLED" },
        { BR_TIMEOUT, "TIMEOUT" },
        { BR_EVAL_DISABLED, "EVAL_DISABLED" },
        { BR_EVAL_ERROR, "EVAL_ERROR" },
        { BR_NAVIGATION_FAILED, "NAVIGATION_FAILED" },
        { BR_INVALID_ACTION, "INVALID_COMMAND" },
        { BR_RATE_LIMITED, "RATE_LIMITED" },
        { BR_POLICY_DENIED, "UNKNOWN_ERROR" },
        { BR_PAGE_CRASHED, "UNKNOWN_ERROR" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_string_equal(app_error_code(cases[i].code), cases[i].name);
    }
}

static void drop_base(json_t *message)
{
    static const char *const names[] = { "protocolVersion", "sessionId", "timestamp", "origin",
                                         "appId" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        assert_non_null(json_object_get(message, names[i]));
        json_object_del(message, names[i]);
    }
}

static void test_results(void **state)
{
    (void)state;
    struct br_error why = { 0 };
    json_auto_t *command = json_pack("{s:s, s:s}", "type", "click", "requestId", "r1");
    json_auto_t *fine = app_command_result(&identity, command, NULL, json_integer(7), 3);
    drop_base(fine);
    assert_json(fine, "{\"duration\":3,\"requestId\":\"r1\",\"requestType\":\"click\",\"result\":7,"
                      "\"success\":true,\"type\":\"command_result\"}");
    error_set(&why, BR_POLICY_DENIED, "not there");
    json_auto_t *failed = app_command_result(&identity, NULL, &why, NULL, 0);
    drop_base(failed);
    assert_json(failed,
                "{\"duration\":0,\"error\":{\"code\":\"UNKNOWN_ERROR\",\"details\":"
                "{\"code\":\"POLICY_DENIED\"},\"message\":\"not there\"},\"requestId\":\"\","
                "\"requestType\":\"unknown\",\"success\":false,"
                "\"type\":\"command_result\"}");
}

static json_t *console_of(enum br_log_type type, const char *method, const char *arguments)
{
    struct br_event *event = event_create(BR_EVENT_CONSOLE);
    event->as.log.type = type;
    event->as.log.message = xstrdup("as text");
    event->as.log.method = xstrdup(method);
    event->as.log.arguments = xstrdup(arguments);
    json_t *message = app_event_message(&identity, event);
    br_event_release(event);
    drop_base(message);
    return message;
}

static void test_console(void **state)
{
    (void)state;
    static const struct {
        enum br_log_type type;
        const char *method, *arguments, *expected;
    } cases[] = {
        { BR_LOG_INFO, "log",
          "[{\"type\":\"string\",\"value\":\"hi\"},{\"type\":\"number\",\"value\":7},"
          "{\"type\":\"undefined\"},{\"type\":\"null\"},{\"type\":\"object\",\"value\":[[\"a\","
          "{\"type\":\"array\",\"value\":[{\"type\":\"boolean\",\"value\":true},"
          "{\"type\":\"function\"}]}]]}]",
          "{\"args\":[\"hi\",\"7\",\"undefined\",\"null\",\"{\\\"a\\\":[true,\\\"[Function]\\\"]}"
          "\"],"
          "\"level\":\"log\",\"type\":\"console\"}" },
        /* As in previews: numbers and booleans as texts. */
        { BR_LOG_INFO, "log",
          "[{\"type\":\"object\",\"value\":[[\"a\",{\"type\":\"number\",\"value\":\"1\"}],[\"b\","
          "{\"type\":\"boolean\",\"value\":\"false\"}],[\"u\",{\"type\":\"undefined\"}],[\"n\","
          "{\"type\":\"number\",\"value\":\"NaN\"}]]},{\"type\":\"number\",\"value\":\"NaN\"},"
          "{\"type\":\"map\",\"value\":[[{\"type\":\"number\",\"value\":1},"
          "{\"type\":\"number\",\"value\":0.1}]]},{\"type\":\"function\",\"description\":\"() => "
          "1\"},{\"type\":\"symbol\",\"description\":\"Symbol(s)\"},{\"type\":\"regexp\",\"value\":"
          "{\"pattern\":\"a+\",\"flags\":\"g\"}},{\"type\":\"node\",\"value\":{\"nodeType\":1,"
          "\"localName\":\"body\"}},{\"type\":\"object\",\"weakLocalObjectReference\":0,\"value\":"
          "[[\"me\",{\"type\":\"object\",\"weakLocalObjectReference\":0}]]}]",
          "{\"args\":[\"{\\\"a\\\":1,\\\"b\\\":false,\\\"n\\\":null}\",\"NaN\",\"{\\\"1\\\":0.1}\","
          "\"[Function]\",\"Symbol(s)\",\"/a+/g\",\"[HTMLElement: BODY]\",\"{\\\"me\\\":"
          "\\\"[Circular]\\\"}\"],\"level\":\"log\",\"type\":\"console\"}" },
        { BR_LOG_ERROR, "error",
          "[{\"type\":\"error\",\"description\":\"TypeError: x: y\\n    at f (a.js:1:2)\"}]",
          "{\"args\":[\"{\\\"message\\\":\\\"x: y\\\",\\\"stack\\\":\\\"TypeError: x: y\\\\n    at "
          "f "
          "(a.js:1:2)\\\"}\"],\"level\":\"error\",\"stack\":\"TypeError: x: y\\n    at f "
          "(a.js:1:2)\",\"type\":\"console\"}" },
        { BR_LOG_INFO, "info", NULL,
          "{\"args\":[\"as text\"],\"level\":\"info\",\"type\":\"console\"}" },
        { BR_LOG_WARNING, "warning", "[]",
          "{\"args\":[],\"level\":\"warn\",\"type\":\"console\"}" },
        { BR_LOG_ERROR, "error", "[]", "{\"args\":[],\"level\":\"error\",\"type\":\"console\"}" },
        { BR_LOG_DEBUG, "debug", "[]", "{\"args\":[],\"level\":\"debug\",\"type\":\"console\"}" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_auto_t *message = console_of(cases[i].type, cases[i].method, cases[i].arguments);
        assert_json(message, cases[i].expected);
    }
    CLEANUP_FREE char *long_text = xasprintf("[{\"type\":\"string\",\"value\":\"%01500d\"}]", 0);
    json_auto_t *cut = console_of(BR_LOG_INFO, "log", long_text);
    const json_t *argument = json_array_get(json_object_get(cut, "args"), 0);
    assert_int_equal(json_string_length(argument), 1003);
    assert_string_equal(json_string_value(argument) + 1000, "...");
}

static void test_errors_of_the_page(void **state)
{
    (void)state;
    struct br_event *event = event_create(BR_EVENT_EXCEPTION);
    event->as.log.type = BR_LOG_ERROR;
    event->as.log.kind = "rejection";
    event->as.log.message = xstrdup("Uncaught (in promise) TypeError: x\n    at f (b.js:12:34)");
    event->as.log.location = xstrdup("http://a:1/b.js:12:34");
    json_auto_t *message = app_event_message(&identity, event);
    br_event_release(event);
    drop_base(message);
    assert_json(message, "{\"colno\":34,\"errorType\":\"unhandledrejection\",\"filename\":"
                         "\"http://a:1/b.js\",\"lineno\":12,\"message\":\"TypeError: x\","
                         "\"stack\":\"TypeError: x\\n    at f (b.js:12:34)\",\"type\":\"error\"}");
    event = event_create(BR_EVENT_EXCEPTION);
    event->as.log.message = xstrdup("Uncaught x");
    event->as.log.location = xstrdup("http://a:1/b.js"); /* a port is no line */
    json_auto_t *without = app_event_message(&identity, event);
    br_event_release(event);
    assert_null(json_object_get(without, "filename"));
    assert_null(json_object_get(without, "lineno"));
}

static void test_batches(void **state)
{
    (void)state;
    json_auto_t *mutations = json_array();
    for (int i = 0; i < 2 * APP_MAX_MUTATIONS + 1; i++) {
        json_array_append_new(mutations, json_integer(i));
    }
    json_auto_t *messages = app_mutation_messages(&identity, "b", mutations);
    assert_int_equal(json_array_size(messages), 3);
    const json_t *last = json_array_get(messages, 2);
    assert_int_equal(json_array_size(json_object_get(last, "mutations")), 1);
    assert_string_equal(json_member_string(last, "batchId"), "b");
    assert_int_equal((int)json_member_number(last, "batchSize", 0), 2 * APP_MAX_MUTATIONS + 1);
}

static void test_states(void **state)
{
    (void)state;
    json_auto_t *before = json_pack("{s:i, s:i}", "a", 1, "b", 2);
    json_auto_t *after = json_pack("{s:i, s:i}", "b", 3, "c", 4);
    json_auto_t *message = app_state_message(&identity, "cart", before, after);
    assert_json(json_object_get(message, "diff"),
                "{\"added\":[\"c\"],\"modified\":[\"b\"],\"removed\":[\"a\"]}");
    json_auto_t *secret = app_without_secret_names(
        json_pack("{s:{s:s, s:b}}", "auth", "token", "abcdef", "password", 1));
    assert_json(secret, "{\"auth\":{\"password\":true,\"token\":\"***\"}}");
}

static void test_masks(void **state)
{
    (void)state;
    struct secrets *secrets = secrets_create();
    secrets_add(secrets, "ui_tree", NULL);
    json_t *message = app_message(&identity, "ui_tree");
    json_object_set_new(message, "items",
                        json_pack("[s, s]", "it is ui_tree", "http://a.example/?token=abcdefgh"));
    json_auto_t *shown = app_masked(secrets, message);
    secrets_destroy(secrets);
    drop_base(shown);
    assert_json(shown, "{\"items\":[\"it is ***\",\"http://a.example/?token=***\"],"
                       "\"type\":\"ui_tree\"}");
}

static void test_items_of_a_page(void **state)
{
    struct test_page *page = *state;
    struct app_ids *ids = app_ids_create();
    for (int i = 0; i < 2; i++) {
        int button = test_page_add(page, page->body, "BUTTON", ROLE_BUTTON, "Delete");
        test_page_semantics(page, button)->name_from = NAME_FROM_CONTENT;
        test_page_text(page, button, "Delete");
    }
    int card = test_page_add(page, page->body, "INPUT", ROLE_TEXTBOX, "Card");
    build_attribute(page->tree, "id", "card");
    build_attribute(page->tree, "maxlength", "16");
    page->tree->nodes[card].value = "4111";
    test_page_semantics(page, card)->is_private = true;
    test_page_semantics(page, card)->value = "4111";
    int bare = test_page_add(page, page->body, "INPUT", ROLE_TEXTBOX, NULL);
    build_attribute(page->tree, "id", ":r1:");
    test_page_semantics(page, bare)->value = "typed";
    int heading = test_page_add(page, page->body, "H1", ROLE_HEADING, "Title");
    test_page_text(page, heading, "Title");
    struct outline *outline =
        test_page_outline(page, &(struct outline_options){ .root = SNAPSHOT_NONE });
    json_auto_t *items = app_ui_items(ids, outline);
    outline_destroy(outline);
    static const char *const expected[] = { "button-Delete-0", "button-Delete-1", "card",
                                            "body[0]>input[1]" };
    assert_int_equal(json_array_size(items), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(json_member_string(json_array_get(items, i), "stableId"), expected[i]);
        assert_non_null(app_ids_find(ids, expected[i]));
    }
    assert_string_equal(json_member_string(json_array_get(items, 0), "text"), "Delete");
    CLEANUP_FREE char *text = json_dumps(items, JSON_COMPACT);
    assert_null(strstr(text, "4111"));
    json_t *item = json_array_get(items, 2);
    assert_json(json_object_get(item, "meta"),
                "{\"maxLength\":16,\"tagName\":\"input\",\"type\":\"text\"}");
    assert_string_equal(json_member_string(item, "label"), "Card");
    assert_string_equal(json_member_string(json_array_get(items, 3), "value"), "typed");
    app_ids_destroy(ids);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_are_unique_and_stay),
        cmocka_unit_test(test_paths_stay),
        cmocka_unit_test(test_an_id_in_the_place_of_another),
        cmocka_unit_test(test_made_up_ids),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_wanted_items),
        cmocka_unit_test(test_commands_become_actions),
        cmocka_unit_test(test_targets),
        cmocka_unit_test(test_error_codes),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_console),
        cmocka_unit_test(test_errors_of_the_page),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_masks),
        cmocka_unit_test_setup_teardown(test_items_of_a_page, test_page_set_up,
                                        test_page_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
