/*
 * Sessions in parallel in one browser: `bench_sessions CHROME URL COUNT MS ACTION` opens COUNT of
 * them, each on its own thread, lets each repeat the action (JSON) for MS milliseconds, and prints
 * the number of responses.
 */
#include "browser_runner/session.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SESSIONS = 16 };

/*
 * One session and its thread; the browser is opened with the first session, before the threads
 * begin.
 */
struct runner {
    pthread_t thread;
    pthread_barrier_t *begin;
    struct br_session *session;
    const char *url, *action;
    int64_t ms;
    int responses;
    struct br_error error; /* code 0: none */
};

static bool run_once(struct br_session *session, const char *text, struct br_error *err)
{
    struct br_action *action = br_action_from_json(text, strlen(text), err);
    struct br_response *response = action ? br_session_run(session, action) : NULL;
    bool is_done = response && response->success;
    if (response && !is_done) {
        *err = response->error;
    }
    br_response_destroy(response);
    br_action_destroy(action);
    return is_done;
}

static bool open_page(struct runner *runner)
{
    json_auto_t *start = json_pack("{s:s, s:s}", "type", "start", "url", runner->url);
    CLEANUP_FREE char *text = json_dumps(start, JSON_COMPACT);
    return run_once(runner->session, text, &runner->error);
}

static void *run(void *data)
{
    struct runner *runner = data;
    bool is_fine = open_page(runner) && run_once(runner->session, runner->action, &runner->error);
    pthread_barrier_wait(runner->begin);
    int64_t end = clock_monotonic_ms() + runner->ms;
    while (is_fine && clock_monotonic_ms() < end) {
        is_fine = run_once(runner->session, runner->action, &runner->error);
        runner->responses += is_fine;
    }
    return NULL;
}

static bool run_all(struct runner *runners, int count, struct br_error *err)
{
    pthread_barrier_t begin;
    int responses = 0;
    pthread_barrier_init(&begin, NULL, (unsigned)count);
    for (int i = 0; i < count; i++) {
        runners[i].begin = &begin;
        pthread_create(&runners[i].thread, NULL, run, &runners[i]);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(runners[i].thread, NULL);
        responses += runners[i].responses;
        if (runners[i].error.code) {
            *err = runners[i].error;
        }
    }
    pthread_barrier_destroy(&begin);
    printf("%d\n", responses);
    return !err->code;
}

static bool measure(char **argv, struct runner *runners, int count, struct br_error *err)
{
    struct br_browser_options browser_options = BR_BROWSER_OPTIONS_INIT;
    struct br_session_options options = BR_SESSION_OPTIONS_INIT;
    browser_options.chrome = argv[1];
    browser_options.temp_profile = true;
    options.isolated = true;
    options.screenshots = BR_SCREENSHOTS_NONE;
    struct br_browser *browser = br_browser_open(&browser_options, err);
    bool is_open = browser;
    for (int i = 0; i < count && is_open; i++) {
        runners[i] =
            (struct runner){ .url = argv[2], .action = argv[5], .ms = strtol(argv[4], NULL, 10) };
        runners[i].session = br_session_open(browser, &options, err);
        is_open = runners[i].session;
    }
    bool is_done = is_open && run_all(runners, count, err);
    for (int i = count; i-- > 0;) {
        br_session_close(runners[i].session);
    }
    br_browser_close(browser);
    return is_done;
}

int main(int argc, char **argv)
{
    struct br_error err = { 0 };
    struct runner runners[MAX_SESSIONS] = { 0 };
    int count = argc == 6 ? (int)strtol(argv[3], NULL, 10) : 0;
    if (count < 1 || count > MAX_SESSIONS) {
        fprintf(stderr, "bench_sessions: CHROME URL COUNT MS ACTION\n");
        return 2;
    }
    if (!measure(argv, runners, count, &err)) {
        fprintf(stderr, "bench_sessions: %s\n", err.message);
        return 1;
    }
    return 0;
}
