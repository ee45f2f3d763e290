/*
 * What a session may do, in addition to the limits of Chrome and the system: see docs/security.md.
 * With all fields NULL and false everything is allowed. A refusal is POLICY_DENIED and names the
 * rule.
 */
#ifndef BROWSER_RUNNER_POLICY_H
#define BROWSER_RUNNER_POLICY_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A rule for origins is [SCHEME://]HOST[:PORT]. HOST is a name, an address, `*` for any host, or
 * `*.NAME` for NAME and all its subdomains. Without a scheme the rule covers http, https, ws and
 * wss on any port. With a scheme it covers that scheme's default port unless a port, or `:*` for
 * any port, is given. http and https cover ws and wss as well.
 */
struct br_policy {
    /* NULL-terminated lists, or NULL. */
    const char *const *allow;   /* origin rules; nothing else may be opened or requested */
    const char *const *deny;    /* origin rules that override `allow`, or "private": loopback and
                                   private networks, except hosts that `allow` names without `*` */
    const char *const *schemes; /* schemes that may be opened and requested, such as "https" */
    bool no_eval;               /* forbids scripts in instructions: no evaluate, no condition by
                                   expression */
    const char *files; /* the only folder whose files instructions may use; "none": no files */
};

#ifdef __cplusplus
}
#endif

#endif
