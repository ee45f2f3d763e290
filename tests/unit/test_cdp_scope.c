/* What clients of the CDP endpoint may send, and see in replies. */
#include "runner/base/memory.h"
#include "runner/servers/cdp/scope.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static bool is_hidden(void *data, const char *target_id)
{
    (void)data;
    return strcmp(target_id, "theirs") == 0;
}

static const struct scope_options apart = { .context_id = "OWN", .is_hidden = is_hidden };

/* Returns the result of checking a command: its params, its reply, or its error. Caller frees. */
static char *judge(struct scope *scope, const char *text)
{
    struct br_error err;
    struct raw_command command;
    struct cdp_ruling ruling = { 0 };
    if (!raw_command_read(&command, text, strlen(text), false, "root", &err)) {
        fail_msg("%s: %s", text, err.message);
    }
    scope_judge(scope, &command, &ruling);
    char *shown = ruling.code     ? xasprintf("%d %s", ruling.code, ruling.message)
                  : ruling.result ? xasprintf("= %s", ruling.result)
                                  : xstrdup(ruling.params ? ruling.params : "as it is");
    free(ruling.params);
    free(ruling.result);
    raw_command_finish(&command);
    return shown;
}

static void check(struct scope *scope, const char *text, const char *expected)
{
    CLEANUP_FREE char *shown = judge(scope, text);
    if (strcmp(shown, expected) != 0) {
        fail_msg("%s: %s instead of %s", text, shown, expected);
    }
}

#define COMMAND(method, params) "{\"id\":1,\"method\":\"" method "\",\"params\":" params "}"
#define ON_SESSION(method, session, params)                                                        \
    "{\"id\":1,\"method\":\"" method "\",\"sessionId\":\"" session "\",\"params\":" params "}"

static void test_commands_are_of_the_clients_own_context(void **state)
{
    (void)state;
    struct scope *scope = scope_create(&apart);
    check(scope, COMMAND("Target.createTarget", "{\"url\":\"x\"}"),
          "{\"url\":\"x\",\"browserContextId\":\"OWN\"}");
    check(scope, "{\"id\":1,\"method\":\"Storage.getCookies\"}", "{\"browserContextId\":\"OWN\"}");
    check(scope, ON_SESSION("Storage.getCookies", "page", "{}"), "{}");
    scope_add_browser_session(scope, "browser");
    check(scope, ON_SESSION("Storage.getCookies", "browser", "{}"),
          "{\"browserContextId\":\"OWN\"}");
    check(scope, ON_SESSION("Target.createTarget", "page", "{}"), "{\"browserContextId\":\"OWN\"}");
    check(scope, COMMAND("Target.createTarget", "{\"browserContext\\u0049d\":\"X\"}"),
          "-32000 Failed to find browser context with id X");
    check(scope, COMMAND("Target.disposeBrowserContext", "{\"browserContextId\":\"OWN\"}"),
          "-32000 Failed to find context with id OWN");
    check(scope, COMMAND("Runtime.evaluate", "{\"expression\":\"1\"}"), "as it is");
    scope_destroy(scope);
}

static void test_contexts_that_it_makes_are_its_own(void **state)
{
    (void)state;
    struct scope *scope = scope_create(&apart);
    check(scope, COMMAND("Target.createBrowserContext", "{}"), "{\"disposeOnDetach\":true}");
    json_auto_t *reply = json_pack("{s:i, s:{s:s}}", "id", 1, "result", "browserContextId", "NEW");
    scope_reply(scope, SCOPE_NEW_CONTEXT, reply);
    check(scope, COMMAND("Target.createTarget", "{\"browserContextId\":\"NEW\"}"),
          "{\"browserContextId\":\"NEW\"}");
    json_auto_t *contexts =
        json_pack("{s:i, s:{s:[sss], s:s}}", "id", 1, "result", "browserContextIds", "OWN", "NEW",
                  "OTHER", "defaultBrowserContextId", "PROFILE");
    scope_reply(scope, SCOPE_CONTEXTS, contexts);
    CLEANUP_FREE char *shown = json_dumps(json_object_get(contexts, "result"), JSON_COMPACT);
    assert_string_equal(shown,
                        "{\"browserContextIds\":[\"NEW\"],\"defaultBrowserContextId\":\"OWN\"}");
    json_auto_t *targets =
        json_pack("{s:{s:[{s:s, s:s}, {s:s, s:s}, {s:s, s:s}]}}", "result", "targetInfos",
                  "targetId", "a", "browserContextId", "OWN", "targetId", "b", "browserContextId",
                  "OTHER", "targetId", "c", "browserContextId", "NEW");
    scope_reply(scope, SCOPE_TARGETS, targets);
    assert_int_equal(
        json_array_size(json_object_get(json_object_get(targets, "result"), "targetInfos")), 2);
    check(scope, COMMAND("Target.disposeBrowserContext", "{\"browserContextId\":\"NEW\"}"),
          "{\"browserContextId\":\"NEW\"}");
    scope_destroy(scope);
}

static void test_what_is_of_others_is_refused(void **state)
{
    (void)state;
    struct scope *scope = scope_create(&apart);
    check(scope, COMMAND("Target.attachToTarget", "{\"targetId\":\"theirs\",\"flatten\":true}"),
          "-32602 No target with given id found");
    check(scope, COMMAND("Target.attachToTarget", "{\"targetId\":\"mine\"}"),
          "-32602 Target.attachToTarget needs \"flatten\": true at this endpoint");
    check(scope, COMMAND("Target.setAutoAttach", "{\"autoAttach\":false}"),
          "{\"autoAttach\":false}");
    check(scope, COMMAND("Extensions.loadUnpacked", "{}"),
          "-32000 Extensions. is not allowed at this endpoint");
    check(scope, COMMAND("Browser.\\u0063rash", "{}"),
          "-32000 Browser.crash is not allowed at this endpoint");
    check(scope, COMMAND("Target.create\\u0054arget", "{}"), "{\"browserContextId\":\"OWN\"}");
    check(scope, COMMAND("Browser.crash\\u0000", "{}"),
          "-32601 'Browser.crash\\u0000' wasn't found");
    check(scope, COMMAND("Target.createTarget", "[]"),
          "-32602 the params of Target.createTarget cannot be read");
    check(scope, COMMAND("Page.enable", "[]"), "as it is");
    check(scope, COMMAND("Browser.close", "{}"), "= {}");
    scope_destroy(scope);
}

static void test_new_contexts_leave_by_the_way_out(void **state)
{
    (void)state;
    struct scope_options options = apart;
    options.has_rules = true;
    struct scope *scope = scope_create(&options);
    CLEANUP_FREE char *none = judge(scope, COMMAND("Target.createBrowserContext", "{}"));
    assert_non_null(strstr(none, "-32000"));
    scope_destroy(scope);
    options.way_out_port = 1234;
    scope = scope_create(&options);
    check(scope, COMMAND("Target.createBrowserContext", "{}"),
          "{\"disposeOnDetach\":true,\"proxyServer\":\"socks5://127.0.0.1:1234\","
          "\"proxyBypassList\":\"<-loopback>\"}");
    CLEANUP_FREE char *own =
        judge(scope, COMMAND("Target.createBrowserContext", "{\"proxyServer\":\"x\"}"));
    assert_non_null(strstr(own, "proxyServer"));
    scope_destroy(scope);
}

static void test_reading_alone(void **state)
{
    (void)state;
    struct scope_options options = apart;
    options.is_read_only = true;
    struct scope *scope = scope_create(&options);
    check(scope, COMMAND("Page.captureScreenshot", "{}"), "as it is");
    check(scope, COMMAND("Browser.close", "{}"), "= {}");
    static const char *const changing[] = {
        COMMAND("Runtime.evaluate", "{}"),    COMMAND("Page.navigate", "{}"),
        COMMAND("Target.createTarget", "{}"), COMMAND("Page.getter", "{}"),
        COMMAND("Fetch.enable", "{}"),
    };
    for (size_t i = 0; i < sizeof(changing) / sizeof(changing[0]); i++) {
        CLEANUP_FREE char *shown = judge(scope, changing[i]);
        bool is_refused = strstr(shown, "reading alone");
        assert_int_equal(is_refused, strstr(changing[i], "Page.getter") == NULL);
    }
    scope_destroy(scope);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands_are_of_the_clients_own_context),
        cmocka_unit_test(test_contexts_that_it_makes_are_its_own),
        cmocka_unit_test(test_what_is_of_others_is_refused),
        cmocka_unit_test(test_new_contexts_leave_by_the_way_out),
        cmocka_unit_test(test_reading_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
