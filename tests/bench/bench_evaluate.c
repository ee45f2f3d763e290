/*
 * Measures Runtime.evaluate without any front end: `bench_evaluate CHROME` starts a browser and
 * then, for every byte that it reads, evaluates 1+1 once and prints the microseconds.
 */
#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/chrome/browser.h"
#include "runner/page/core/options.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/evaluate.h"
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
        struct page_script script = { .text = "1+1", .awaits_promise = true };
        double start = now_us();
        page_set_deadline(page, deadline_in_ms(CALL_MS));
        if (!page_evaluate(page, &script, &value, err)) {
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

static bool run(const char *chrome, struct br_error *err)
{
    struct br_browser_options browser_options = { .chrome = chrome, .temp_profile = true };
    struct page_options options = {
        .viewport_width = 1280,
        .viewport_height = 720,
        .device_pixel_ratio = 1,
    };
    struct deadline deadline = deadline_in_ms(START_MS);
    struct log_list logs = { 0 };
    struct br_browser *browser = br_browser_open(&browser_options, err);
    struct browser_life *life = browser ? browser_ensure(browser, 0, &logs, deadline, err) : NULL;
    bool is_done = false;
    if (life) {
        options.targets = browser_life_targets(life);
        struct page *page = page_create(browser_life_connection(life), &options);
        is_done = page_open(page, deadline, err) && answer_bytes(page, err);
        page_close(page);
        browser_life_release(life);
    }
    br_browser_close(browser);
    return is_done;
}

int main(int argc, char **argv)
{
    struct br_error err = { 0 };
    bool is_done = argc == 2 && run(argv[1], &err);
    if (!is_done) {
        fprintf(stderr, "bench_evaluate: %s\n", argc == 2 ? err.message : "takes Chrome's path");
        return 1;
    }
    return 0;
}
