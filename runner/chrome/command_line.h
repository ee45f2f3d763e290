/* The browser's command line, from one table that gives the reason for each switch. */
#ifndef RUNNER_CHROME_COMMAND_LINE_H
#define RUNNER_CHROME_COMMAND_LINE_H

#include "runner/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chrome_options {
    const char *program;           /* absolute path */
    const char *profile_directory; /* absolute path */
    bool is_headed;                /* shows a window */
    bool has_no_sandbox;
    bool has_stable_pixels;       /* renders the same on every machine; slower */
    bool has_frame_control;       /* draws pages only on request; the headless shell only */
    bool has_no_page;             /* starts without a page; otherwise with about:blank */
    int viewport_width;           /* CSS pixels; 0: Chrome's default */
    int viewport_height;          /* CSS pixels; 0: Chrome's default */
    int64_t shared_memory_free;   /* platform_shared_memory_free() */
    int way_out_port;             /* port of the profile context's way out (context.h); 0: none */
    const char *const *user_args; /* the user's switches, NULL-terminated; NULL: none */
};

/* A row of the table. Values of rows with the same name are joined by commas into one switch. */
struct chrome_switch {
    const char *name;  /* with its hyphens */
    const char *value; /* "" for none; a placeholder such as "WIDTH,HEIGHT" for a computed value */
    const char *reason;
    const char *condition; /* when the switch is passed, such as "without a window"; "" for
                              always */
};

/* Reads the row at index, for listings; false after the last one. Static storage. */
bool chrome_switch_at(size_t index, struct chrome_switch *ret_row);

/*
 * Builds argv for the options, NULL-terminated. A user's switch replaces the table's switch of the
 * same name; lists of features are merged, and the user's setting of a feature has precedence.
 * Fails with BR_INVALID_ACTION for switches that would cut the connection to Chrome; the hint names
 * the alternative. Caller frees with chrome_command_line_destroy().
 */
char **chrome_command_line(const struct chrome_options *options, struct br_error *err);
void chrome_command_line_destroy(char **argv);

/* Decides by the file name, after following symbolic links. */
bool chrome_is_headless_shell(const char *program);

#endif
