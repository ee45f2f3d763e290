/*
 * A browser: one that is launched here on a profile, or somebody else's that is connected to. It is
 * what sessions (session.h) are opened in, as many as are wanted, each on a thread of its own. It
 * is started by the first action that needs it, and started again when it died.
 */
#ifndef BROWSER_RUNNER_BROWSER_H
#define BROWSER_RUNNER_BROWSER_H

#include <browser_runner/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct br_browser;

/* How messages and hints name a setting. */
enum br_wording {
    BR_WORDING_MEMBERS,      /* by the member of the options, such as `temp_profile` */
    BR_WORDING_COMMAND_LINE, /* by the program's option, such as --temp-profile */
};

/* Everything has a default: start from BR_BROWSER_OPTIONS_INIT. Strings are copied. */
struct br_browser_options {
    const char *chrome;  /* path, or "chrome", "chromium", "headless-shell"; NULL: search */
    const char *connect; /* http:// or ws:// URL of somebody else's browser; NULL: launch */
    const char *project; /* names the persistent profile; NULL: the working directory's */
    const char *profile; /* directory of the profile; wins over `project` */
    bool temp_profile;   /* a profile that is removed at the end */
    bool headed;         /* with a window */
    bool no_sandbox;     /* always so for root, since Chrome refuses otherwise */
    bool stable_pixels;  /* the same pixels on every machine, but slower */
    bool stays;          /* goes on when its last session has stopped or was closed */
    const char *const *chrome_args;  /* more arguments for Chrome; NULL-terminated, or NULL */
    int window_width, window_height; /* CSS pixels; 0: 1280 by 720 */
    enum br_wording wording;         /* of what it and its sessions say */
    struct br_browser *loop_of;      /* shares that one's thread for input and output; it is closed
                                        after this one. NULL: a thread of its own */
};

#ifdef __cplusplus
#define BR_BROWSER_OPTIONS_INIT br_browser_options()
#else
#define BR_BROWSER_OPTIONS_INIT                                                                    \
    {                                                                                              \
        0                                                                                          \
    }
#endif

/* Starts nothing yet. Returns NULL only for options that cannot be used. */
BR_API struct br_browser *br_browser_open(const struct br_browser_options *options,
                                          struct br_error *err);

/* What a browser does just now. */
struct br_browser_status {
    bool is_there;   /* launched or connected to, and not known to have ended */
    int64_t pid;     /* of the process that was launched; 0: none runs, or it is somebody else's */
    uint64_t starts; /* how often it was launched or connected to */
    size_t sessions; /* that have begun in it and not stopped */
};

/* On any thread, while the browser is not closed. */
BR_API void br_browser_get_status(struct br_browser *browser, struct br_browser_status *ret_status);

/*
 * Ends a launched browser, so that it writes its profile, and removes what it leaves behind; lets
 * go of somebody else's. Its sessions are closed before. NULL is fine.
 */
BR_API void br_browser_close(struct br_browser *browser);

#ifdef __cplusplus
}
#endif

#endif
