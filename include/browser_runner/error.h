/*
 * The one error type of browser-runner. Names of the codes are part of the contract with users:
 * br_code_name() gives them as they appear in `errorCode` of a response.
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
    BR_INVALID_ACTION,     /* the instruction itself is wrong; nothing was sent to the page */
    BR_TARGET_NOT_FOUND,   /* no element matches */
    BR_TARGET_AMBIGUOUS,   /* several match and nothing decides */
    BR_TARGET_NOT_VISIBLE, /* it has no box, is hidden, or lies outside the viewport */
    BR_TARGET_DISABLED,    /* it would ignore the input */
    BR_TARGET_OBSCURED,    /* another element would receive the input */
    BR_STALE_NODE,         /* the node id belongs to a page that is gone */
    BR_NO_VISUAL_CHANGE,   /* visual verification saw no change */
    BR_TIMEOUT,            /* a named wait reached its deadline */
    BR_NAVIGATION_FAILED,  /* the page was not reached */
    BR_EVAL_ERROR,         /* a script threw, or its value is no JSON */
    BR_POLICY_DENIED,      /* by a rule of the session, or the page: data-no-ai */
    BR_EVAL_DISABLED,      /* scripts are switched off */
    BR_BROWSER_NOT_FOUND,  /* no Chrome here */
    BR_BROWSER_CRASHED,    /* Chrome did not start, or ended by itself */
    BR_PAGE_CRASHED,       /* the page's process ended */
    BR_PROFILE_IN_USE,     /* another Chrome holds the profile */
    BR_DISCONNECTED,       /* the connection to the browser is gone */
    BR_LIMIT_EXCEEDED,     /* a size, a count or an error limit was reached */
    BR_RATE_LIMITED,       /* too many requests at a server */
    BR_UNKNOWN_ERROR,      /* anything else; the message says what */
    BR_NETWORK_ERROR,      /* a request of the page failed, or had a status from 400 on */
    BR_CANCELLED,          /* br_session_cancel() or br_session_interrupt() ended the action */
    BR_CODE_COUNT          /* no code: how many there are, which may grow */
};

/* The length of arrays by code, which stays when there are more codes. */
enum { BR_CODE_ROOM = 64 };

/* What failed. `message` is one sentence with its data, `hint` one sentence with the cure or "". */
struct br_error {
    enum br_code code;
    const char *category; /* as br_error_category() tells it, static; NULL: that of the code */
    char message[1024];
    char hint[512];
};

/* The name as in a response, such as "TARGET_NOT_FOUND"; "OK" for BR_OK. Static storage. */
BR_API const char *br_code_name(enum br_code code);

/*
 * As `errorCategory` of a response: "javascript"; "network": what was asked for was not reached;
 * "resource": a part of the page did not load, or memory or disk ran out; "automation": the browser
 * and its remote control. Never NULL. Static storage.
 */
BR_API const char *br_error_category(const struct br_error *err);

/* The version of the library, such as "0.1.0". Static storage. */
BR_API const char *br_version(void);

#ifdef __cplusplus
}
#endif

#endif
