/*
 * The error type of browser-runner. The names of the codes are part of the public contract:
 * br_code_name() returns them as they appear in `errorCode` of a response.
 */
#ifndef BROWSER_RUNNER_ERROR_H
#define BROWSER_RUNNER_ERROR_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define BR_API __attribute__((visibility("default")))
#else
#define BR_API
#endif

enum br_code {
    BR_OK = 0,
    BR_INVALID_ACTION,     /* the instruction is invalid; nothing was sent to the page */
    BR_TARGET_NOT_FOUND,   /* no element matches */
    BR_TARGET_AMBIGUOUS,   /* several elements match equally well */
    BR_TARGET_NOT_VISIBLE, /* the element has no box, is hidden, or lies outside the viewport */
    BR_TARGET_DISABLED,    /* the element is disabled and would ignore the input */
    BR_TARGET_OBSCURED,    /* another element would receive the input */
    BR_STALE_NODE,         /* the node id belongs to a page that no longer exists */
    BR_NO_VISUAL_CHANGE,   /* visual verification found no change */
    BR_TIMEOUT,            /* a wait reached its deadline; the message names it */
    BR_NAVIGATION_FAILED,  /* the page could not be loaded */
    BR_EVAL_ERROR,         /* a script threw, or its value cannot be expressed in JSON */
    BR_POLICY_DENIED,      /* forbidden by a rule of the session, or by the page (data-no-ai) */
    BR_EVAL_DISABLED,      /* scripts are disabled in this session */
    BR_BROWSER_NOT_FOUND,  /* no Chrome was found on this machine */
    BR_BROWSER_CRASHED,    /* Chrome did not start, or ended unexpectedly */
    BR_PAGE_CRASHED,       /* the page's process ended */
    BR_PROFILE_IN_USE,     /* another Chrome is using the profile */
    BR_DISCONNECTED,       /* the connection to the browser was lost */
    BR_LIMIT_EXCEEDED,     /* a size, a count or an error limit was reached */
    BR_RATE_LIMITED,       /* a server received too many requests */
    BR_UNKNOWN_ERROR,      /* any other error; the message describes it */
    BR_NETWORK_ERROR,      /* a request of the page failed, or its status was 400 or higher */
    BR_CANCELLED,          /* br_session_cancel() or br_session_interrupt() ended the action */
    BR_CODE_COUNT          /* not a code: the number of codes, which may grow */
};

/* Length for arrays indexed by code. It stays the same when codes are added. */
enum { BR_CODE_ROOM = 64 };

/*
 * An error. `message` is one sentence with the data of the failure, `hint` one sentence with the
 * cure, or "".
 */
struct br_error {
    enum br_code code;
    const char *category; /* as returned by br_error_category(), static; NULL: derived from the
                             code */
    char message[1024];
    char hint[512];
};

/*
 * Returns the name as used in a response, such as "TARGET_NOT_FOUND"; "OK" for BR_OK. Static
 * storage.
 */
BR_API const char *br_code_name(enum br_code code);

/*
 * Returns the `errorCategory` of a response. "javascript": a script failed. "network": the
 * requested page was not reached. "resource": a part of the page did not load, or memory or disk
 * space ran out. "automation": the browser or its remote control failed. Never NULL. Static
 * storage.
 */
BR_API const char *br_error_category(const struct br_error *err);

/* Returns the version of the library, such as "0.1.0". Static storage. */
BR_API const char *br_version(void);

#ifdef __cplusplus
}
#endif

#endif
