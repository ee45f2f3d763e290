/*
 * A browser: launched here on a profile, or a running one to connect to. Sessions (session.h) are
 * opened in it, any number of them, each on a thread of its own. The first action that needs the
 * browser starts it; it is started again after it died.
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

/* How messages and hints refer to a setting. */
enum br_wording {
    BR_WORDING_MEMBERS,      /* by the field of the options struct, such as `temp_profile` */
    BR_WORDING_COMMAND_LINE, /* by the program's option, such as --temp-profile */
};

/* Everything has a default: start from BR_BROWSER_OPTIONS_INIT. Strings are copied. */
struct br_browser_options {
    const char *chrome;  /* path, "chrome", "chromium" or "headless-shell"; NULL: search the
                            usual places */
    const char *connect; /* http:// or ws:// URL of a running browser; NULL: launch one */
    const char *project; /* names the persistent profile; NULL: derived from the working
                            directory */
    const char *profile; /* directory of the profile; overrides `project` */
    bool temp_profile;   /* use a new profile and remove it at the end */
    bool headed;         /* show the browser's window */
    bool no_sandbox;     /* implied for root, where Chrome refuses to start with its sandbox */
    bool stable_pixels;  /* render the same pixels on every machine; slower */
    bool stays;          /* keeps running after its last session has stopped or was closed */
    const char *const *chrome_args;  /* more arguments for Chrome; NULL-terminated, or NULL */
    int window_width, window_height; /* CSS pixels; 0: 1280 by 720 */
    enum br_wording wording;         /* used in messages of the browser and its sessions */
    struct br_browser *loop_of;      /* shares the I/O thread of this browser, which must be
                                        closed later than this one; NULL: a thread of its own */
};

#ifdef __cplusplus
#define BR_BROWSER_OPTIONS_INIT br_browser_options()
#else
#define BR_BROWSER_OPTIONS_INIT                                                                    \
    {                                                                                              \
        0                                                                                          \
    }
#endif

/* Creates the object; does not start the browser yet. Returns NULL only for invalid options. */
BR_API struct br_browser *br_browser_open(const struct br_browser_options *options,
                                          struct br_error *err);

/* The current state of a browser. */
struct br_browser_status {
    bool is_there;   /* launched or connected, and not known to have ended */
    int64_t pid;     /* of the launched process; 0: none is running, or the browser was not
                        launched here */
    uint64_t starts; /* how often it was launched or connected to */
    size_t sessions; /* sessions that have started in it and not stopped */
};

/* Reads the state. May be called from any thread until the browser is closed. */
BR_API void br_browser_get_status(struct br_browser *browser, struct br_browser_status *ret_status);

/*
 * Ends a launched browser after it has written its profile, and removes its temporary files; only
 * disconnects from a browser that was not launched here. Close its sessions first. NULL is a no-op.
 */
BR_API void br_browser_close(struct br_browser *browser);

#ifdef __cplusplus
}
#endif

#endif
