/*
 * The browser's command line, from one table that says of each switch why it is there.
 */
#ifndef RUNNER_CHROME_COMMAND_LINE_H
#define RUNNER_CHROME_COMMAND_LINE_H

#include "runner/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chrome_options {
    const char *program;           /* absolute path */
    const char *profile_directory; /* absolute path */
    bool is_headed;                /* with a window on the screen */
    bool has_no_sandbox;
    bool has_stable_pixels;       /* drawn alike on every machine, and slower */
    bool has_no_page;             /* starts without any; else one page shows about:blank */
    int viewport_width;           /* CSS pixels; 0 for Chrome's own choice */
    int viewport_height;          /* likewise */
    int64_t shared_memory_free;   /* platform_shared_memory_free() */
    int way_out_port;             /* of the profile's context (context.h); 0: it has none */
    const char *const *user_args; /* switches of the user, NULL-terminated; NULL for none */
};

/* A row of the table. Rows of the same name are joined by commas into one switch. */
struct chrome_switch {
    const char *name;  /* with its hyphens */
    const char *value; /* "" for none; "WIDTH,HEIGHT" and the like where it is computed */
    const char *reason;
    const char *condition; /* "" for always, or when it is passed: "without a window" */
};

/* The row at index, for listings; false behind the last one. Static storage. */
bool chrome_switch_at(size_t index, struct chrome_switch *ret_row);

/*
 * argv for the options, NULL-terminated: a switch of the user takes the place of the table's of the
 * same name, lists of features are joined and the user's word is the last one on each feature.
 * BR_INVALID_ACTION for switches that would cut us off, with what to use instead in the hint.
 * Caller frees with chrome_command_line_destroy.
 */
char **chrome_command_line(const struct chrome_options *options, struct br_error *err);
void chrome_command_line_destroy(char **argv);

/* By its name, or by the name of the file that a link leads to. */
bool chrome_is_headless_shell(const char *program);

#endif
