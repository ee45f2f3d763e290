/* Opens a page and writes its picture: cc example.c $(pkg-config --cflags --libs browser-runner) */
#include <browser_runner/session.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    struct br_error err;
    struct br_browser_options browser_options = BR_BROWSER_OPTIONS_INIT;
    browser_options.temp_profile = true;
    struct br_session_options options = BR_SESSION_OPTIONS_INIT;
    options.screenshots = BR_SCREENSHOTS_POST;
    const char *json = argc > 1 ? argv[1] : "{\"type\":\"start\",\"url\":\"about:blank\"}";
    struct br_action *action = br_action_from_json(json, strlen(json), &err);
    struct br_browser *browser = action ? br_browser_open(&browser_options, &err) : NULL;
    struct br_session *session = browser ? br_session_open(browser, &options, &err) : NULL;
    if (!session) {
        fprintf(stderr, "%s: %s\n", br_code_name(err.code), err.message);
        br_browser_close(browser);
        br_action_destroy(action);
        return 2;
    }
    struct br_response *response = br_session_run(session, action);
    FILE *file = response->success ? fopen("page.jpg", "wb") : NULL;
    if (file) {
        fwrite(response->post.bytes, 1, response->post.size, file);
        fclose(file);
    }
    printf("%s: %s\n", response->success ? response->title : "failed", response->error.message);
    int exit_code = response->success && file ? 0 : 1;
    br_response_destroy(response);
    br_session_close(session);
    br_browser_close(browser);
    br_action_destroy(action);
    return exit_code;
}
