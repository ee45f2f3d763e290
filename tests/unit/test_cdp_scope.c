/* What clients of the CDP endpoint may send, and see in replies. */
#include "runner/base/file.h"
#include "runner/base/memory.h"
#include "runner/servers/cdp/methods.h"
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
          "-32000 Extensions.loadUnpacked is not allowed at this endpoint");
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

static void test_requests_of_all_are_not_paused(void **state)
{
    (void)state;
    struct scope *scope = scope_create(&apart);
    static const char refusal[] =
        "-32000 Fetch.enable is for sessions of pages here, since all share the browser";
    check(scope, COMMAND("Fetch.enable", "{}"), refusal);
    check(scope, ON_SESSION("Fetch.enable", "page", "{}"), "as it is");
    scope_add_browser_session(scope, "browser");
    check(scope, ON_SESSION("Fetch.enable", "browser", "{}"), refusal);
    check(scope, COMMAND("Storage.deleteStorageBucket", "{}"),
          "-32000 Storage.deleteStorageBucket is for sessions of pages here, since all share the "
          "browser");
    check(scope, COMMAND("Browser.addMockCamera", "{}"),
          "-32000 Browser.addMockCamera is not allowed at this endpoint");
    check(scope, COMMAND("Emulation.updateScreen", "{}"),
          "-32000 Emulation.updateScreen is not allowed at this endpoint");
    scope_destroy(scope);
    struct scope_options options = apart;
    options.is_page = true;
    scope = scope_create(&options);
    check(scope, COMMAND("Fetch.enable", "{}"), "as it is");
    scope_destroy(scope);
}

static void test_certificates_are_ignored_for_its_own_pages(void **state)
{
    (void)state;
    struct scope *scope = scope_create(&apart);
    check(scope, ON_SESSION("Security.setIgnoreCertificateErrors", "page", "{\"ignore\":true}"),
          "{\"ignore\":true}");
    assert_false(scope_ignores_certificates(scope));
    check(scope, COMMAND("Security.setIgnoreCertificateErrors", "{\"ignore\":true}"), "= {}");
    assert_true(scope_ignores_certificates(scope));
    check(scope, COMMAND("Security.setIgnoreCertificateErrors", "{\"ignore\":false}"), "= {}");
    assert_false(scope_ignores_certificates(scope));
    scope_destroy(scope);
}

static void test_windows_are_those_that_it_was_told_of(void **state)
{
    (void)state;
    struct scope *scope = scope_create(&apart);
    json_auto_t *reply = json_pack("{s:i, s:{s:i}}", "id", 1, "result", "windowId", 7);
    check(scope, COMMAND("Browser.getWindowBounds", "{\"windowId\":7}"),
          "-32000 Browser window not found");
    scope_reply(scope, SCOPE_WINDOW, reply);
    check(scope, COMMAND("Browser.getWindowBounds", "{\"windowId\":7}"), "{\"windowId\":7}");
    check(scope, COMMAND("Browser.setWindowBounds", "{\"windowId\":8}"),
          "-32000 Browser window not found");
    check(scope, COMMAND("Browser.setContentsSize", "{}"), "-32000 Browser window not found");
    scope_destroy(scope);
}

static void test_nothing_of_the_browser_is_typed(void **state)
{
    (void)state;
    struct scope *scope = scope_create(&apart);
    check(
        scope,
        COMMAND("Page.navigate", "{\"url\":\" chrome:crash\",\"transitionType\":\"address_bar\"}"),
        "{\"url\":\" chrome:crash\",\"transitionType\":\"typed\"}");
    check(scope,
          COMMAND("Page.navigate", "{\"url\":\"http://x\",\"transitionType\":\"address_bar\"}"),
          "{\"url\":\"http://x\",\"transitionType\":\"address_bar\"}");
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
    static const struct {
        const char *text, *expected;
    } cases[] = {
        { COMMAND("Page.captureScreenshot", "{}"), "as it is" },
        { COMMAND("DOM.getOuterHTML", "{}"), "as it is" },
        { COMMAND("Browser.close", "{}"), "= {}" },
        { COMMAND("Page.printToPDF", "{\"landscape\":true}"), "{\"landscape\":true}" },
        { COMMAND("Page.printToPDF", "{\"headerTemplate\":\"<p>\"}"), NULL },
        { COMMAND("Target.setAutoAttach",
                  "{\"autoAttach\":true,\"flatten\":true,\"waitForDebuggerOnStart\":true}"),
          "{\"autoAttach\":true,\"flatten\":true,\"waitForDebuggerOnStart\":false}" },
        { COMMAND("Runtime.evaluate", "{}"), NULL },
        { COMMAND("Page.navigate", "{}"), NULL },
        { COMMAND("Page.reload", "{}"), NULL },
        { COMMAND("Page.getThatIsNew", "{}"), NULL },
        { COMMAND("Target.createTarget", "{}"), NULL },
        { COMMAND("Fetch.enable", "{}"), NULL },
        { COMMAND("Emulation.setTimezoneOverride", "{}"), NULL },
        { COMMAND("Overlay.highlightNode", "{}"), NULL },
        { COMMAND("Debugger.enable", "{}"), NULL },
        { COMMAND("Storage.getCookies", "{}"), NULL },
        { COMMAND("Network.getAllCookies", "{}"), NULL },
        { COMMAND("Log.clear", "{}"), NULL },
    };
    (void)state;
    struct scope_options options = apart;
    options.is_read_only = true;
    options.may_close = true;
    struct scope *scope = scope_create(&options);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP_FREE char *shown = judge(scope, cases[i].text);
        bool is_as_expected = cases[i].expected ? strcmp(shown, cases[i].expected) == 0
                                                : strstr(shown, "reading alone") != NULL;
        if (!is_as_expected) {
            fail_msg("%s: %s", cases[i].text, shown);
        }
    }
    scope_destroy(scope);
}

/* Each command under the rules, with the end of what it is refused with, or what it becomes. */
static void test_rules_hold_for_commands(void **state)
{
    static const char *const schemes[] = { "http", "https", NULL };
    static const char *const denied[] = { "denied.test", NULL };
    static const struct {
        struct br_policy given;
        const char *text, *expected;
    } cases[] = {
        { { .no_eval = true }, COMMAND("Runtime.evaluate", "{}"), "by --no-eval" },
        { { .no_eval = true }, COMMAND("DOM.setOuterHTML", "{}"), "by --no-eval" },
        { { .no_eval = true },
          COMMAND("Page.reload", "{\"ignoreCache\":true}"),
          "{\"ignoreCache\":true}" },
        { { .no_eval = true },
          COMMAND("Page.reload", "{\"scriptToEvaluateOn\\u004coad\":\"1\"}"),
          "Page.reload with scriptToEvaluateOnLoad is refused by --no-eval" },
        { { .no_eval = true },
          COMMAND("Debugger.setBreakpointByUrl", "{\"lineNumber\":1,\"condition\":\"f()\"}"),
          "Debugger.setBreakpointByUrl with condition is refused by --no-eval" },
        { { .no_eval = true },
          COMMAND("Page.navigate", "{\"url\":\"javascript:1\"}"),
          "by --no-eval" },
        { { .no_eval = true },
          COMMAND("Page.navigate", "{\"url\":\"\\u0000javascript:1\"}"),
          "cannot be read" },
        { { .no_eval = true },
          COMMAND("Target.createTarget", "{\"url\":\"file:///tmp/x\"}"),
          "under this rule" },
        { { .no_eval = true },
          COMMAND("Target.createTarget", "{\"url\":\"\"}"),
          "{\"url\":\"\",\"browserContextId\":\"OWN\"}" },
        { { .no_eval = true },
          COMMAND("Target.createBrowserContext", "{\"proxyServer\":\"http://x:1\"}"),
          "Target.createBrowserContext with proxyServer is refused by --no-eval" },
        { { .no_eval = true }, COMMAND("Input.insertText", "{\"text\":\"x\"}"), "as it is" },
        { { .no_eval = true }, COMMAND("Input.thatIsNew", "{}"), "while there are rules" },
        { { .deny = denied }, COMMAND("Input.thatIsNew", "{}"), "as it is" },
        { { .deny = denied },
          COMMAND("Page.navigate", "{\"url\":\"http://denied.test/\"}"),
          "by --deny denied.test" },
        { { .schemes = schemes },
          COMMAND("Page.navigate", "{\"url\":\"chrome://version\"}"),
          "by --schemes http,https" },
        { { .schemes = schemes },
          COMMAND("Page.navigate", "{\"url\":\"about:blank\"}"),
          "{\"url\":\"about:blank\"}" },
        { { .schemes = schemes },
          COMMAND("Input.dispatchDragEvent",
                  "{\"data\":{\"items\":[{\"mimeType\":\"text/uri-list\","
                  "\"data\":\"# x\\nfile:///x\"}]}}"),
          "by --schemes http,https" },
        { { .files = "none" },
          COMMAND("DOM.setFileInputFiles", "{\"files\":[\"/etc/passwd\"]}"),
          "/etc/passwd is refused by --files none" },
        { { .files = "none" },
          COMMAND("Input.dispatchDragEvent", "{\"data\":{\"files\":[\"/etc/passwd\"]}}"),
          "by --files none" },
        { { .files = "none" },
          COMMAND("Page.navigate", "{\"url\":\"view-source:file:///x\"}"),
          "under this rule" },
        { { .files = "/usr" },
          COMMAND("Page.navigate", "{\"url\":\"file:///usr/x\"}"),
          "under this rule" },
        { { .files = "/usr" },
          COMMAND("Page.navigate", "{\"url\":\"devtools://devtools/bundled/inspector.html\"}"),
          "clients open no pages of the browser under this rule" },
        { { .no_eval = true },
          COMMAND("Target.createTarget", "{\"url\":\"view-source:about:inspect\"}"),
          "clients open no pages of the browser under this rule" },
        { { .files = "/usr" }, COMMAND("Target.openDevTools", "{}"), "under this rule" },
        { { .no_eval = true }, COMMAND("Target.openDevTools", "{}"), "under this rule" },
        { { .schemes = schemes }, COMMAND("Target.openDevTools", "{}"), "by --schemes http,https" },
        { { .files = "/usr" },
          COMMAND("DOM.setFileInputFiles", "{\"files\":[\"/usr/../usr/bin\"]}"),
          "{\"files\":[\"/usr/bin\"]}" },
        { { .files = "/usr" },
          COMMAND("Browser.setDownloadBehavior",
                  "{\"behavior\":\"allow\",\"downloadPath\":\"/usr/../tmp\"}"),
          "it is not below that" },
        { { .files = "/usr" },
          COMMAND("Page.setDownloadBehavior", "{\"behavior\":\"default\"}"),
          "{\"behavior\":\"deny\"}" },
        { { .files = "/usr" },
          COMMAND("Tracing.start", "{\"perfettoConfig\":\"eA==\"}"),
          "it may name a file" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err;
        struct policy *policy = NULL;
        struct scope_options options = apart;
        if (!policy_create(&cases[i].given, &policy, &err)) {
            fail_msg("%s", err.message);
        }
        options.policy = policy;
        struct scope *scope = scope_create(&options);
        CLEANUP_FREE char *shown = judge(scope, cases[i].text);
        size_t length = strlen(shown);
        size_t expected = strlen(cases[i].expected);
        if (length < expected || strcmp(shown + length - expected, cases[i].expected) != 0) {
            fail_msg("%s: %s instead of %s", cases[i].text, shown, cases[i].expected);
        }
        scope_destroy(scope);
        policy_destroy(policy);
    }
}

/* The table has every method of the protocol. */
static void test_methods_are_those_of_chrome(void **state)
{
    (void)state;
    size_t size = 0;
    size_t known = 0;
    struct br_error err;
    CLEANUP_FREE char *list = file_read(FIXTURES "/cdp/methods-156.txt", 1 << 20, &size, &err);
    assert_non_null(list);
    char *rest = NULL;
    for (const char *name = strtok_r(list, "\n", &rest); name; name = strtok_r(NULL, "\n", &rest)) {
        if (!method_find(name)) {
            fail_msg("%s is in no row", name);
        }
        known++;
    }
    assert_true(known > 600);
    assert_null(method_find("Page.navigat"));
    assert_null(method_find("Page.navigate reload"));
    assert_null(method_find("Pag.navigate"));
    assert_null(method_find("Extensions"));
    assert_non_null(method_find("Extensions.thatIsNew"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands_are_of_the_clients_own_context),
        cmocka_unit_test(test_contexts_that_it_makes_are_its_own),
        cmocka_unit_test(test_what_is_of_others_is_refused),
        cmocka_unit_test(test_requests_of_all_are_not_paused),
        cmocka_unit_test(test_certificates_are_ignored_for_its_own_pages),
        cmocka_unit_test(test_windows_are_those_that_it_was_told_of),
        cmocka_unit_test(test_nothing_of_the_browser_is_typed),
        cmocka_unit_test(test_new_contexts_leave_by_the_way_out),
        cmocka_unit_test(test_reading_alone),
        cmocka_unit_test(test_rules_hold_for_commands),
        cmocka_unit_test(test_methods_are_those_of_chrome),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
