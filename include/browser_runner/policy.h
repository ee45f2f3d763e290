/*
 * What a session may do, beside what Chrome and the system allow: docs/security.md. All NULL and
 * false: anything. A refusal is POLICY_DENIED and names the rule.
 */
#ifndef BROWSER_RUNNER_POLICY_H
#define BROWSER_RUNNER_POLICY_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A rule for origins is [SCHEME://]HOST[:PORT]. HOST is a name, an address, `*` for any, or
 * `*.NAME` for NAME and all below it. Without a scheme http, https, ws and wss are meant, with
 * any port; with one its usual port, or `:*` for any. http and https cover ws and wss as well.
 */
struct br_policy {
    /* NULL-terminated lists, or NULL. */
    const char *const *allow;   /* rules: nothing else is opened or asked for */
    const char *const *deny;    /* rules that win over these, or "private": loopback and private
                                   networks, but for what `allow` names without a `*` */
    const char *const *schemes; /* of what is opened and asked for, such as "https" */
    bool no_eval;      /* no script of an instruction's: no evaluate, no condition by expression */
    const char *files; /* the only folder whose files instructions touch, "none": there is none */
};

#ifdef __cplusplus
}
#endif

#endif
