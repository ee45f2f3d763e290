/* A suite of visual checks, as it was read: suite_load.h. */
#ifndef RUNNER_CHECKS_SUITE_H
#define RUNNER_CHECKS_SUITE_H

#include "runner/base/strbuf.h"

#include <browser_runner/action.h>
#include <stdint.h>

/* Whatever is larger is a problem of the file. */
enum {
    SUITE_MAX_BYTES = 8 * 1024 * 1024,
    SUITE_MAX_CHECKS = 10000, /* times viewports */
    SUITE_MAX_VIEWPORTS = 100,
    SUITE_MAX_ACTIONS = 1000, /* of a check */
    SUITE_MAX_NAME = 100,
    SUITE_MAX_PROBLEMS = 100, /* that are told; the others are counted */
};

/* A size of the window, by a name. */
struct suite_viewport {
    char *name;
    int width, height;          /* CSS pixels */
    double scale;               /* device pixels per CSS pixel */
    bool is_mobile;             /* laid out as on a phone */
    char *preset;               /* a device; NULL: none */
    char *locale;               /* NULL: en-US */
    char *color_scheme, *media; /* as of the action `emulate`; NULL: not said */
};

/* What a check waits for after its page has loaded and its actions have run, all of it. */
struct suite_ready {
    char *selector;    /* an element shows; NULL: nothing, here and below */
    char *text;        /* a text shows */
    char *expression;  /* JavaScript is true */
    bool network_idle; /* no request for 500 ms */
};

/* Selectors; NULL-terminated, never NULL. */
typedef char **suite_selectors;

/*
 * One check in one viewport: what makes one picture. Everything of `defaults` is in it. What it
 * points to belongs to the suite, and other checks may point to the same.
 */
struct suite_check {
    char *id;   /* "name@viewport" */
    char *name; /* letters, digits and ._- : it names files */
    char *url;  /* absolute */
    const struct suite_viewport *viewport;
    struct br_action **actions; /* before the picture; NULL-terminated, never NULL */
    struct suite_ready ready;
    suite_selectors hide;   /* made invisible; their places stay */
    suite_selectors remove; /* taken out of the layout */
    suite_selectors mask;   /* painted over with one colour */
    bool is_frozen;         /* the clock stands still, random numbers are always the same */
    int64_t frozen_at_ms;   /* of the clock, since 1970 */
    uint32_t random_seed;
    bool is_full_page;
    char *selector;   /* the picture is of this element; NULL: of the page */
    double threshold; /* of a pixel's colours, 0 to 1, see imaging/diff_options.h */
    double strict;    /* a second, lower threshold, for large areas; negative: none */
    int strict_area;  /* pixels that such an area has at least to count */
    bool counts_antialias;
    int64_t max_diff_pixels; /* that may differ; -1: not given */
    double max_diff_ratio;   /* of all; -1: not given. With both, the smaller one holds */
    int allowed_size_change; /* pixels, in width and in height; 0: none */
    bool expects_no_errors;  /* errors on the console and failed requests fail the check */
    bool allows_http_errors; /* also documents with a status of 400 and more are pictured */
    int timeout_ms;          /* of each of its steps; 0: as the command line says */
    int retries;             /* -1: as the command line says */
    bool is_skipped;
    char *skip_reason; /* why, as the user says; NULL: not said */
    char **tags;       /* NULL-terminated, never NULL */
};

/* A program to start before the checks and to end after them. */
struct suite_server {
    char **command;  /* NULL-terminated; NULL: none. A text in the file is run by /bin/sh -c */
    char *directory; /* absolute: where it runs */
    char *url;       /* answers with a status below 500 when it is ready */
    int timeout_ms;  /* for that */
    bool is_reused;  /* one that answers already is used, and none is started */
};

/* What a suite points to, for suite_destroy() alone. */
struct suite_memory;

struct suite {
    char *file;            /* as it was given */
    char *directory;       /* absolute: relative paths of the file start here */
    char *baselines;       /* absolute path of their folder */
    char *shown_baselines; /* the same as it is shown to users */
    struct suite_server server;
    struct suite_viewport *viewports;
    size_t viewport_count;
    struct suite_check *checks; /* by the order in the file, then by that of the viewports */
    size_t check_count;
    struct suite_memory *memory;
};

/* NULL is fine. */
void suite_destroy(struct suite *suite);

#endif
