/*
 * What Runtime.evaluate costs without any front end: `bench_evaluate CHROME` starts a browser and
 * then, for every byte that it reads, evaluates 1+1 once and prints the microseconds.
 */
#include "runner/base/json.h"
#include "runner/chrome/browser.h"
#include "runner/loop/loop.h"
#include "runner/page/page.h"

#include <stdio.h>
#include <time.h>

enum { START_MS = 30000, CALL_MS = 5000 };

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static bool answer_bytes(struct page *page, struct br_error *err)
{
    while (getchar() != EOF) {
        json_auto_t *value = NULL;
        double start = now_us();
        page_set_deadline(page, deadline_in_ms(CALL_MS));
        if (!page_evaluate(page, NULL, "1+1", true, &value, err)) {
            return false;
        }
        double took = now_us() - start;
        if (json_integer_value(value) != 2) {
            return error_set(err, BR_EVAL_ERROR, "1+1 is not 2");
        }
        printf("%.1f\n", took);
        fflush(stdout);
    }
    return true;
}

static bool run(struct loop *loop, const char *chrome, struct br_error *err)
{
    struct br_session_options session = BR_SESSION_OPTIONS_INIT;
    struct page_options options = {
        .viewport_width = 1280,
        .viewport_height = 720,
        .device_pixel_ratio = 1,
    };
    struct deadline deadline = deadline_in_ms(START_MS);
    struct log_list logs = { 0 };
    session.chrome = chrome;
    session.temp_profile = true;
    struct browser *browser = browser_create(loop, &session);
    struct browser_life *life = browser_ensure(browser, 0, &logs, deadline, err);
    bool is_done = false;
    if (life) {
        struct page *page = page_create(browser_life_connection(life), &options);
        is_done = page_open(page, deadline, err) && answer_bytes(page, err);
        page_close(page);
        browser_life_release(life);
    }
    browser_close(browser, deadline);
    return is_done;
}

int main(int argc, char **argv)
{
    struct br_error err = { 0 };
    struct loop *loop = argc == 2 ? loop_create(false, &err) : NULL;
    bool is_done = loop && run(loop, argv[1], &err);
    loop_destroy(loop);
    if (!is_done) {
        fprintf(stderr, "bench_evaluate: %s\n", argc == 2 ? err.message : "takes Chrome's path");
        return 1;
    }
    return 0;
}
