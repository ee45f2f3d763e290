// What a C++ program does with the library, without a browser: everything has to compile without a
// warning, and to say what it is asked for.
#include <browser_runner/action.h>
#include <browser_runner/browser.h>
#include <browser_runner/event.h>
#include <browser_runner/image.h>
#include <browser_runner/policy.h>
#include <browser_runner/response.h>
#include <browser_runner/session.h>
#include <browser_runner/value.h>

#include <cstdio>
#include <cstring>

static int fail(const char *what, const br_error &err)
{
    std::fprintf(stderr, "%s: %s\n", what, err.message);
    return 1;
}

int main()
{
    br_error err = br_error();
    br_browser_options browser_options = BR_BROWSER_OPTIONS_INIT;
    br_session_options session_options = BR_SESSION_OPTIONS_INIT;
    br_jpeg_options jpeg_options = BR_JPEG_OPTIONS_INIT;
    br_image_limits limits = BR_IMAGE_LIMITS_INIT;
    browser_options.temp_profile = true;
    if (session_options.timeout_ms != 15000 || session_options.limits.max_edge != limits.max_edge ||
        session_options.quality != jpeg_options.quality || session_options.audit) {
        return fail("the defaults are others than in C", err);
    }

    br_action *action = br_action_create("clik");
    if (br_action_validate(action, &err) || err.code != BR_INVALID_ACTION) {
        return fail("a wrong type is taken", err);
    }
    br_action_destroy(action);
    action = br_action_create("click");
    if (!br_action_set_text(action, "targets[0]", "#buy", &err) ||
        !br_action_set_text(action, "targets[1]", "text=Buy", &err) ||
        !br_action_set_number(action, "timeout", 2000, &err) ||
        !br_action_validate(action, &err)) {
        return fail("an action that is right", err);
    }
    const br_value *name = br_value_find(br_action_params(action), "targets[1]");
    if (std::strcmp(br_value_text(name, ""), "text=Buy") != 0) {
        return fail("the action has another name", err);
    }

    br_browser *browser = br_browser_open(&browser_options, &err);
    br_session *session = browser ? br_session_open(browser, &session_options, &err) : nullptr;
    if (!session) {
        return fail("no session", err);
    }
    br_browser_status browser_status = br_browser_status();
    br_session_status status = br_session_status();
    br_journal journal = br_journal();
    br_browser_get_status(browser, &browser_status);
    br_session_get_status(session, &status);
    br_session_journal(session, 0, 0, 0, &journal);
    bool is_quiet = !browser_status.is_there && browser_status.pid == 0 &&
                    status.state == BR_SESSION_IDLE && journal.count == 0;
    br_journal_finish(&journal);
    br_session_close(session);
    br_browser_close(browser);
    br_action_destroy(action);
    std::printf("%s %d\n", br_version(), static_cast<int>(BR_NAVIGATION_DONE));
    return is_quiet ? 0 : fail("something happened already", err);
}
