/*
 * Writes a report of checks that nobody ran, with real pictures, for the tests of its page:
 * report_sample DIRECTORY CHECKS. The directory must not exist. The same arguments give the same
 * report. Also what `check merge` reads: report_sample DIRECTORY CHECKS INDEX TOTAL is one shard.
 */
#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/checks/report/report.h"

#include <browser_runner/image.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WIDTH = 960, HEIGHT = 600, TALL = 3600, DESIGNS = 12, TALL_DESIGN = 5 };

/* What pages, addresses and logs may hold: each would set window.hacked if it were ever read. */
static const char hostile[] =
    "</script><script>window.hacked=1</script><!--<script>"
    "<img src=x onerror=window.hacked=2>\"'><svg onload=window.hacked=3>"
    "<a href=javascript:window.hacked=4>x</a>{{results}}]]>&lt;\xE2\x80\xAE\x1B[31m\n::error::x";

/* How a design may be drawn: as approved, changed, and what differs. */
enum look { BEFORE, AFTER, DIFFERENCE, LOOKS };

struct sample {
    const char *directory;
    size_t count;
    struct {
        char *paths[LOOKS]; /* of the first picture with this look; NULL: none yet */
        size_t different;   /* pixels; 0 before the difference is drawn */
    } drawn[DESIGNS];
    json_t *checks;
};

static void fail(const struct br_error *err)
{
    fprintf(stderr, "report_sample: %s\n", err->message);
    exit(EXIT_FAILURE);
}

static void fill(struct br_image *image, int x, int y, int width, int height, uint32_t color)
{
    for (int row = y; row < y + height && row < image->height; row++) {
        for (int column = x; column < x + width && column < image->width; column++) {
            uint8_t *pixel =
                image->pixels + 4 * ((size_t)row * (size_t)image->width + (size_t)column);
            pixel[0] = (uint8_t)(color >> 16);
            pixel[1] = (uint8_t)(color >> 8);
            pixel[2] = (uint8_t)color;
            pixel[3] = 255;
        }
    }
}

static struct br_image blank(int height)
{
    struct br_image image = { .width = WIDTH, .height = height };
    image.pixels = xmalloc((size_t)4 * WIDTH * (size_t)height);
    fill(&image, 0, 0, WIDTH, height, 0xFFFFFF);
    return image;
}

/* Lines that look like words. */
static void draw_text(struct br_image *image, int x, int y, int width, int lines, unsigned seed)
{
    for (int line = 0; line < lines; line++) {
        int at = x;
        while (at < x + width - 60) {
            seed = seed * 1103515245u + 12345u;
            int length = 14 + (int)(seed >> 16) % 46;
            fill(image, at, y + 16 * line, length, 7, 0x8A94A3);
            at += length + 8;
        }
    }
}

/* A page with a head, cards and text; `is_changed` moves and recolours some of it. */
static struct br_image draw_page(unsigned design, bool is_changed)
{
    static const uint32_t colors[] = { 0x2457C5, 0x0F766E, 0x9D174D, 0x3F3F46, 0xB45309, 0x5B21B6 };
    struct br_image image = blank(design == TALL_DESIGN ? TALL : HEIGHT);
    uint32_t color = colors[design % 6];
    fill(&image, 0, 0, WIDTH, 56, color);
    fill(&image, 24, 20, 120, 16, 0xFFFFFF);
    fill(&image, WIDTH - 130, 14, 104, 28, is_changed ? 0xFDE047 : 0xFFFFFF);
    for (int top = 90; top + 200 < image.height; top += 230) {
        for (int card = 0; card < 3; card++) {
            int x = 24 + card * 306;
            fill(&image, x, top, 290, 190, 0xF1F3F6);
            fill(&image, x + 16, top + 16, 180, 14, 0x1F2937);
            draw_text(&image, x + 16, top + 48, 260, 5, design * 31 + (unsigned)(top + card));
            bool is_moved = is_changed && card == 1 && top == 90;
            fill(&image, x + 16 + (is_moved ? 9 : 0), top + 144, 96, 30, color);
        }
    }
    draw_text(&image, 24, image.height - 44, 900, 2, design + (is_changed && design % 3 == 0));
    return image;
}

/* What differs in red over a pale copy, and how many pixels that are. */
static struct br_image draw_diff(const struct br_image *expected, const struct br_image *actual,
                                 size_t *ret_count)
{
    struct br_image image = blank(actual->height);
    size_t pixels = (size_t)image.width * (size_t)image.height;
    *ret_count = 0;
    for (size_t i = 0; i < pixels; i++) {
        uint8_t *out = image.pixels + 4 * i;
        const uint8_t *in = expected->pixels + 4 * i;
        bool differs = memcmp(in, actual->pixels + 4 * i, 3) != 0;
        uint8_t grey = (uint8_t)(229 + (in[0] + in[1] + in[2]) / 30);
        out[0] = differs ? 255 : grey;
        out[1] = out[2] = differs ? 0 : grey;
        *ret_count += differs;
    }
    return image;
}

/* Draws a design in one of its looks; the difference also counts its pixels. */
static struct br_image draw(struct sample *sample, unsigned design, enum look look)
{
    if (look != DIFFERENCE) {
        return draw_page(design, look == AFTER);
    }
    struct br_image expected = draw_page(design, false);
    struct br_image actual = draw_page(design, true);
    struct br_image diff = draw_diff(&expected, &actual, &sample->drawn[design].different);
    br_image_finish(&expected);
    br_image_finish(&actual);
    return diff;
}

/*
 * Saves a check's picture and returns its name, relative to the directory. Each look of a design is
 * drawn once; later checks have a link to that file.
 */
static json_t *save(struct sample *sample, unsigned design, enum look look, const char *id,
                    const char *kind)
{
    struct br_error err = { 0 };
    CLEANUP_FREE char *name = xasprintf("images/%s.%s.png", id, kind);
    CLEANUP_FREE char *path = xasprintf("%s/%s", sample->directory, name);
    char **first = &sample->drawn[design].paths[look];
    if (*first) {
        if (link(*first, path) != 0) {
            perror(path);
            exit(EXIT_FAILURE);
        }
        return json_string(name);
    }
    unsigned char *bytes = NULL;
    size_t size = 0;
    struct br_image image = draw(sample, design, look);
    if (!br_png_encode(&image, &bytes, &size, &err) || !file_write(path, bytes, size, &err)) {
        fail(&err);
    }
    free(bytes);
    br_image_finish(&image);
    *first = xstrdup(path);
    return json_string(name);
}

/* What a check has whose picture differs. */
static void add_difference(struct sample *sample, json_t *check, const char *id, unsigned design)
{
    json_t *images =
        json_pack("{s:o,s:o,s:o}", "expected", save(sample, design, BEFORE, id, "expected"),
                  "actual", save(sample, design, AFTER, id, "actual"), "diff",
                  save(sample, design, DIFFERENCE, id, "diff"));
    int height = design == TALL_DESIGN ? TALL : HEIGHT;
    size_t count = sample->drawn[design].different;
    double ratio = (double)count / ((double)WIDTH * height);
    CLEANUP_FREE char *reason = xasprintf("%zu of %d pixels differ (%.3f %%), 0 are allowed", count,
                                          WIDTH * height, ratio * 100);
    CLEANUP_FREE char *fingerprint = xasprintf("%04x", design);
    CLEANUP_FREE char *approve = xasprintf("browser-runner check smoke.json --approve %s", id);
    /* The first two are so close that the page shows them as one. */
    json_t *regions = json_pack("[{s:i,s:i,s:i,s:i,s:i},{s:i,s:i,s:i,s:i},{s:i,s:i,s:i,s:i,s:i}]",
                                "x", WIDTH - 130, "y", 14, "width", 50, "height", 28, "diffPixels",
                                1400, "x", WIDTH - 74, "y", 14, "width", 48, "height", 28, "x", 346,
                                "y", 234, "width", 105, "height", 30, "diffPixels", 540);
    json_t *more = json_pack("{s:s,s:i,s:i,s:s,s:o,s:{s:I,s:f,s:i,s:b,s:f,s:i,s:o,s:s}}", "reason",
                             reason, "width", WIDTH, "height", height, "approve", approve, "images",
                             images, "comparison", "diffPixels", (json_int_t)count, "diffRatio",
                             ratio, "antialiasedPixels", 12, "layoutDiffers", 0, "threshold", 0.1,
                             "allowedPixels", 0, "regions", regions, "fingerprint", fingerprint);
    json_object_update_new(check, more);
}

static void add_actual(struct sample *sample, json_t *check, const char *id, unsigned design,
                       const char *also)
{
    int height = design == TALL_DESIGN ? TALL : HEIGHT;
    json_object_update_new(check, json_pack("{s:i,s:i,s:{s:o}}", "width", WIDTH, "height", height,
                                            "images", "actual",
                                            save(sample, design, BEFORE, id, "actual")));
    if (also) {
        json_object_set_new(json_object_get(check, "images"), also,
                            save(sample, design, BEFORE, id, also));
    }
}

static json_t *sample_logs(size_t number)
{
    json_t *logs = json_array();
    for (size_t i = 0; i <= number % 4; i++) {
        CLEANUP_FREE char *message =
            xasprintf("fetch of /api/items?page=%zu took long", number + i);
        json_array_append_new(
            logs, json_pack("{s:s,s:s,s:I,s:s,s:s,s:s}", "type", i ? "info" : "warning", "message",
                            message, "timestamp", (json_int_t)(1732200000000 + (long)i * 40),
                            "source", "browser", "category", "console", "location", "app.js:12:7"));
    }
    return logs;
}

static void add_error(struct sample *sample, json_t *check, const char *id, unsigned design)
{
    json_object_update_new(
        check,
        json_pack("{s:s,s:s,s:i,s:[s,s],s:[{s:s,s:s,s:i,s:s},{s:s,s:s}],s:s}", "reason",
                  "the page did not become ready within 15000 ms: selector #chart never showed",
                  "errorCode", "TIMEOUT", "attempts", 3, "earlier",
                  "attempt 1: selector #chart never showed within 15000 ms",
                  "attempt 2: selector #chart never showed within 15000 ms", "networkFailures",
                  "url", "http://localhost:3000/api/chart.json", "method", "GET", "status", 503,
                  "error", "Service Unavailable", "url", "http://localhost:3000/pixel.gif", "error",
                  "net::ERR_BLOCKED_BY_CLIENT", "status", "error"));
    add_actual(sample, check, id, design, NULL);
}

/* Most checks pass; some of everything else is among them. */
static const char *status_of(size_t number)
{
    static const char *const statuses[] = { "failed",  "error",   "flaky", "new",
                                            "updated", "skipped", "notRun" };
    return number % 16 == 0   ? "failed"
           : number % 97 == 1 ? statuses[1 + number / 97 % 6]
                              : "passed";
}

static void complete(struct sample *sample, json_t *check, const char *id, size_t number)
{
    const char *status = json_member_string(check, "status");
    unsigned design = (unsigned)(number / 16 % DESIGNS);
    if (strcmp(status, "failed") == 0) {
        add_difference(sample, check, id, design);
    } else if (strcmp(status, "error") == 0) {
        add_error(sample, check, id, design);
    } else if (strcmp(status, "flaky") == 0) {
        add_difference(sample, check, id, design);
        json_object_del(check, "approve");
        json_object_update_new(
            check, json_pack("{s:s,s:i,s:[s],s:[s]}", "reason", "passed in attempt 2", "attempts",
                             2, "earlier", "attempt 1: 77 of 576,000 pixels differ", "unstable",
                             "two pictures in a row were never equal: 120 pixels at 10,20 48x12"));
    } else if (strcmp(status, "new") == 0 || strcmp(status, "updated") == 0) {
        json_object_set_new(check, "reason", json_string("the picture is the baseline now"));
        add_actual(sample, check, id, design, NULL);
    } else if (number % 40 == 3) {
        add_actual(sample, check, id, design, "expected");
    }
}

static json_t *make_check(struct sample *sample, size_t number)
{
    static const char *const names[] = {
        "home", "pricing", "docs", "checkout", "account", "search"
    };
    static const char *const tags[] = { "smoke", "shop", "docs", "slow" };
    bool is_phone = number % 5 == 4;
    const char *viewport = is_phone ? "phone" : "desktop";
    CLEANUP_FREE char *name = xasprintf("%s-%04zu", names[number % 6], number);
    CLEANUP_FREE char *id = xasprintf("%s@%s", name, viewport);
    CLEANUP_FREE char *url = xasprintf("http://localhost:3000/%s/%zu", names[number % 6], number);
    json_t *check = json_pack(
        "{s:s,s:s,s:{s:s,s:i,s:i,s:i},s:s,s:[s],s:s,s:i,s:i,s:o,s:{s:f,s:i,s:i,s:f}}", "id", id,
        "name", name, "viewport", "name", viewport, "width", is_phone ? 390 : WIDTH, "height",
        is_phone ? 844 : HEIGHT, "scale", is_phone ? 3 : 1, "url", url, "tags", tags[number % 4],
        "status", status_of(number), "durationMs", (int)(300 + number * 7919 % 1900), "attempts", 1,
        "logs", sample_logs(number), "metrics", "loadTime", 112.4, "fcp", 61, "lcp", 93, "cls",
        0.0123);
    complete(sample, check, id, number);
    return check;
}

/* One check all of whose texts are hostile; its name in the id is what a shell would mind. */
static json_t *make_hostile(struct sample *sample)
{
    json_t *check =
        json_pack("{s:s,s:s,s:{s:s,s:i,s:i,s:i},s:s,s:[s],s:s,s:s,s:s,s:i,s:[s],s:[s],s:[s],"
                  "s:[{s:s,s:s,s:s,s:s,s:s,s:s}],s:[{s:s,s:s,s:s}]}",
                  "id", hostile, "name", hostile, "viewport", "name", hostile, "width", WIDTH,
                  "height", HEIGHT, "scale", 1, "url",
                  "javascript:window.hacked=5//<img src=x onerror=window.hacked=6>", "tags",
                  hostile, "status", "error", "reason", hostile, "errorCode", hostile, "attempts",
                  2, "earlier", hostile, "unstable", hostile, "problems", hostile, "logs", "type",
                  "error", "message", hostile, "source", hostile, "category", hostile, "location",
                  hostile, "stack", hostile, "networkFailures", "url", "javascript:window.hacked=7",
                  "method", hostile, "error", hostile);
    add_actual(sample, check, "hostile@desktop", 4, NULL);
    return check;
}

static json_t *document(struct sample *sample, const char *const *shard)
{
    json_t *results = json_pack(
        "{s:i,s:s,s:s,s:I,s:i,s:{s:s,s:s,s:s,s:s,s:b},s:[s,s],s:[s,s],s:b,s:o,s:o,s:O}", "version",
        1, "suite", "tests/smoke.json", "baselines", "tests/smoke.baselines", "startedAt",
        (json_int_t)1732200000000, "durationMs", 94210, "environment", "browser",
        "Chromium/156.0.8078.79", "runner", "0.1.0", "system", "Debian GNU/Linux 12 (bookworm)",
        "fonts", "9f3c2ab1", "ci", 1, "warnings",
        "baselines were made with Chromium/150.0.7000.1, this is Chromium/156.0.8078.79: pictures "
        "may differ for that reason alone",
        hostile, "stale", "old@desktop.png", hostile, "complete", 1, "totals",
        report_totals(sample->checks), "groups", report_groups(sample->checks), "checks",
        sample->checks);
    if (shard) {
        json_object_set_new(results, "shard",
                            json_pack("{s:i,s:i}", "index", (int)strtol(shard[0], NULL, 10),
                                      "total", (int)strtol(shard[1], NULL, 10)));
    }
    return results;
}

int main(int argument_count, char **arguments)
{
    struct br_error err = { 0 };
    if (argument_count != 3 && argument_count != 5) {
        fprintf(stderr, "usage: report_sample DIRECTORY CHECKS [INDEX TOTAL]\n");
        return EXIT_FAILURE;
    }
    const char *const *shard = argument_count == 5 ? (const char *const *)arguments + 3 : NULL;
    size_t first = shard ? strtoul(shard[0], NULL, 10) - 1 : 0;
    size_t step = shard ? strtoul(shard[1], NULL, 10) : 1;
    struct sample sample = { .directory = arguments[1],
                             .count = strtoul(arguments[2], NULL, 10),
                             .checks = json_array() };
    CLEANUP_FREE char *images = xasprintf("%s/images", sample.directory);
    CLEANUP_FREE char *junit = xasprintf("%s/junit.xml", sample.directory);
    if (mkdir(sample.directory, 0755) != 0 || mkdir(images, 0755) != 0) {
        perror(images);
        return EXIT_FAILURE;
    }
    for (size_t i = first; i + 1 < sample.count; i += step) {
        json_array_append_new(sample.checks, make_check(&sample, i));
    }
    if (first == 0) {
        json_array_append_new(sample.checks, make_hostile(&sample));
    }
    json_auto_t *results = document(&sample, shard);
    if (!report_write(results, sample.directory, &err) ||
        !report_write_junit(results, sample.directory, junit, &err)) {
        fail(&err);
    }
    for (size_t i = 0; i < DESIGNS; i++) {
        for (size_t look = 0; look < LOOKS; look++) {
            free(sample.drawn[i].paths[look]);
        }
    }
    json_decref(sample.checks);
    return EXIT_SUCCESS;
}
