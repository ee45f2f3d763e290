/* A suite of visual checks after reading; see suite_load.h. */
#ifndef RUNNER_CHECKS_SUITE_H
#define RUNNER_CHECKS_SUITE_H

#include "imaging/diff_options.h"
#include "runner/base/strbuf.h"

#include <browser_runner/action.h>
#include <stdint.h>

/* Limits; larger suites are reported as a problem. */
enum {
    SUITE_MAX_BYTES = 8 * 1024 * 1024,
    SUITE_MAX_CHECKS = 10000, /* times viewports */
    SUITE_MAX_VIEWPORTS = 100,
    SUITE_MAX_ACTIONS = 1000, /* of a check */
    SUITE_MAX_NAME = 100,
    SUITE_MAX_PROBLEMS = 100, /* problems that are printed; further ones are counted */
};

/* A named window size. */
struct suite_viewport {
    char *name;
    int width, height;          /* CSS pixels */
    double scale;               /* device pixels per CSS pixel */
    bool is_mobile;             /* laid out as on a phone */
    char *preset;               /* a device; NULL: none */
    char *locale;               /* NULL: en-US */
    char *color_scheme, *media; /* as in the action `emulate`; NULL: not set */
};

/* All conditions that a check waits for after its page has loaded and its actions have run. */
struct suite_ready {
    char *selector;    /* an element is visible; NULL, here and below: no condition */
    char *text;        /* a text is visible */
    char *expression;  /* a JavaScript expression is true */
    bool network_idle; /* no request for 500 ms */
};

/* Selectors; NULL-terminated, never NULL. */
typedef char **suite_selectors;

/* A part of a picture: elements, or a rectangle in CSS pixels from the picture's corner. */
struct suite_area {
    char *selector; /* NULL: the rectangle */
    double x, y, width, height;
    double threshold; /* of its own; of `ignore`: negative */
};

struct suite_areas {
    const struct suite_area *items;
    size_t count;
};

/*
 * One check in one viewport, which makes one picture. The values of `defaults` are merged into it.
 * The memory that it points to belongs to the suite, and other checks may share it.
 */
struct suite_check {
    char *id;   /* "name@viewport" */
    char *name; /* letters, digits and ._- because it names files */
    char *url;  /* absolute */
    const struct suite_viewport *viewport;
    struct br_action **actions; /* before the picture; NULL-terminated, never NULL */
    struct suite_ready ready;
    suite_selectors hide;       /* elements to make invisible; they keep their place */
    suite_selectors remove;     /* elements to remove from the layout */
    suite_selectors mask;       /* elements to paint over with one colour */
    struct suite_areas ignore;  /* parts that are shown, but do not count */
    struct suite_areas regions; /* parts with a threshold of their own */
    bool is_frozen;             /* the clock is stopped, random numbers are repeatable */
    int64_t frozen_at_ms;       /* time of the clock, since 1970 */
    uint32_t random_seed;
    bool has_virtual_clock; /* as the suite, see suite_load_clock() */
    int at_ms;              /* with it: age of the page in the picture; -1: when it has settled */
    bool is_full_page;
    char *selector; /* the picture shows only this element; NULL: the page */
    enum image_diff_metric metric;
    double threshold; /* colour distance of a pixel, 0 to 1, see imaging/diff_options.h */
    double strict;    /* a second, lower threshold, for large areas; negative: none */
    int strict_area;  /* minimum size of such an area in pixels */
    bool counts_antialias;
    int64_t max_diff_pixels; /* pixels that may differ; -1: not given */
    double max_diff_ratio; /* share of all pixels that may differ; -1: not given. If both are given,
                              the smaller limit applies */
    int allowed_size_change; /* allowed difference in width and height, in pixels; 0: none */
    bool expects_no_errors;  /* console errors and failed requests fail the check */
    bool allows_http_errors; /* also takes pictures of documents with a status of 400 and more */
    int timeout_ms;          /* of each step; 0: from the command line */
    int retries;             /* -1: from the command line */
    bool is_skipped;
    char *skip_reason; /* the user's reason; NULL: none given */
    char **tags;       /* NULL-terminated, never NULL */
};

/* A program to start before the checks and to end afterwards. */
struct suite_server {
    char **command;  /* NULL-terminated; NULL: none. A string in the file is run by /bin/sh -c */
    char *directory; /* absolute: its working directory */
    char *url;       /* ready when this URL answers with a status below 500 */
    int timeout_ms;  /* time limit for that */
    bool is_reused;  /* uses a server that already answers, instead of starting one */
};

/* The memory that a suite points to; only for suite_destroy(). */
struct suite_memory;

struct suite {
    char *file;            /* as given on the command line */
    char *directory;       /* absolute: base of relative paths in the file */
    const char *base_url;  /* absolute; NULL: none */
    char *baselines;       /* absolute path of the baselines' folder */
    char *shown_baselines; /* the same path as shown to users */
    struct suite_server server;
    bool has_virtual_clock;    /* the pages' time passes only on request */
    struct suite_check *setup; /* steps before all checks, which all begin with its state; without
                                  picture and id; NULL: none */
    struct suite_viewport *viewports;
    size_t viewport_count;
    struct suite_check *checks; /* in the order of the file, then of the viewports */
    size_t check_count;
    struct suite_memory *memory;
};

/* Returns the check with this id; NULL if there is none. */
const struct suite_check *suite_find_check(const struct suite *suite, const char *id);

/* Returns the usual folder of the suite's report, beside its file. Caller frees. */
char *suite_report_folder(const char *file);

/* NULL is fine. */
void suite_destroy(struct suite *suite);

#endif
