/*
 * Compares an additional session in a running browser with the start of a browser: `bench_guest
 * CHROME URL [ROUNDS]` takes the first picture of the page both ways, in random order after random
 * pauses, and prints the medians, their ratio, and how much memory a session needs.
 */
#include "browser_runner/session.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_ROUNDS = 200, GUESTS = 20 };

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static struct br_browser *open_browser(const char *chrome, struct br_error *err)
{
    struct br_browser_options options = BR_BROWSER_OPTIONS_INIT;
    options.chrome = chrome;
    options.temp_profile = true;
    options.stays = true;
    return br_browser_open(&options, err);
}

/* Returns a session after its first action: the page is open, and its picture taken. */
static struct br_session *open_page(struct br_browser *browser, const char *url,
                                    struct br_error *err)
{
    struct br_session_options options = BR_SESSION_OPTIONS_INIT;
    options.screenshots = BR_SCREENSHOTS_POST;
    json_auto_t *start = json_pack("{s:s, s:s}", "type", "start", "url", url);
    CLEANUP_FREE char *text = json_dumps(start, JSON_COMPACT);
    struct br_session *session = browser ? br_session_open(browser, &options, err) : NULL;
    struct br_action *action = br_action_from_json(text, strlen(text), err);
    struct br_response *response = session && action ? br_session_run(session, action) : NULL;
    bool is_done = response && response->success && response->post.bytes;
    if (response && !is_done) {
        *err = response->error;
    }
    br_response_destroy(response);
    br_action_destroy(action);
    if (!is_done) {
        br_session_close(session);
        return NULL;
    }
    return session;
}

/* Returns the resident memory of this process in KiB. */
static long resident_kb(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1) {
        pages = 0;
    }
    if (file) {
        fclose(file);
    }
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static bool measure_start(const char *chrome, const char *url, double *ret_ms, struct br_error *err)
{
    double began_ms = now_ms();
    struct br_browser *browser = open_browser(chrome, err);
    struct br_session *session = open_page(browser, url, err);
    *ret_ms = now_ms() - began_ms;
    br_session_close(session);
    br_browser_close(browser);
    return session;
}

static bool measure_guest(struct br_browser *browser, const char *url, double *ret_ms,
                          struct br_error *err)
{
    double began_ms = now_ms();
    struct br_session *session = open_page(browser, url, err);
    *ret_ms = now_ms() - began_ms;
    br_session_close(session);
    return session;
}

static bool measure_memory(struct br_browser *browser, const char *url, double *ret_kb,
                           struct br_error *err)
{
    struct br_session *sessions[GUESTS] = { 0 };
    bool is_done = true;
    long before_kb = resident_kb();
    for (int i = 0; i < GUESTS && is_done; i++) {
        sessions[i] = open_page(browser, url, err);
        is_done = sessions[i];
    }
    *ret_kb = (double)(resident_kb() - before_kb) / GUESTS;
    for (int i = 0; i < GUESTS; i++) {
        br_session_close(sessions[i]);
    }
    return is_done;
}

static int by_size(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof(*values), by_size);
    return values[count / 2];
}

static bool run(const char *chrome, const char *url, int rounds, struct br_error *err)
{
    double starts[MAX_ROUNDS];
    double guests[MAX_ROUNDS];
    double kb = 0;
    bool is_done = true;
    struct br_browser *browser = open_browser(chrome, err);
    struct br_session *first = open_page(browser, url, err);
    for (int i = 0; i < rounds && is_done && first; i++) {
        bool is_guest_first = rand() % 2;
        for (int k = 0; k < 2 && is_done; k++) {
            usleep((useconds_t)(rand() % 50000));
            is_done = (k == 0) == is_guest_first ? measure_guest(browser, url, &guests[i], err)
                                                 : measure_start(chrome, url, &starts[i], err);
        }
    }
    is_done = first && is_done && measure_memory(browser, url, &kb, err);
    br_session_close(first);
    br_browser_close(browser);
    if (is_done) {
        double start = median(starts, rounds);
        double guest = median(guests, rounds);
        printf("start %.0f ms, further session %.0f ms, ratio %.2f, %.0f KiB a session\n", start,
               guest, guest / start, kb);
    }
    return is_done;
}

int main(int argc, char **argv)
{
    struct br_error err = { 0 };
    int rounds = argc == 4 ? (int)strtol(argv[3], NULL, 10) : 15;
    if (argc < 3 || argc > 4 || rounds < 1 || rounds > MAX_ROUNDS) {
        fprintf(stderr, "bench_guest: CHROME URL [ROUNDS]\n");
        return 2;
    }
    if (!run(argv[1], argv[2], rounds, &err)) {
        fprintf(stderr, "bench_guest: %s\n", err.message);
        return 1;
    }
    return 0;
}
