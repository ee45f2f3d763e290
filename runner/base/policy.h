/*
 * What a session may do: the one place where that is decided. Its rules are those of
 * <browser_runner/policy.h>; every refusal is POLICY_DENIED, names its rule, and has a cure as the
 * hint. A NULL policy allows everything.
 */
#ifndef RUNNER_BASE_POLICY_H
#define RUNNER_BASE_POLICY_H

#include "runner/base/file_root.h"
#include "runner/base/strbuf.h"
#include "runner/base/url_parts.h"

#include <browser_runner/policy.h>

struct policy;

/*
 * *ret_policy is NULL for rules that forbid nothing; the caller destroys it. INVALID_ACTION names
 * the rule that cannot be used.
 */
bool policy_create(const struct br_policy *given, struct policy **ret_policy, struct br_error *err);
void policy_destroy(struct policy *policy);

/* Whether there are rules by which all that pages ask for has to be judged. */
bool policy_judges_urls(const struct policy *policy);

/* Whether addresses matter, which are known only when a server has answered. */
bool policy_judges_addresses(const struct policy *policy);

/* A navigation or a request of a page. */
bool policy_check_url(const struct policy *policy, const char *url, struct br_error *err);

/*
 * A URL that an instruction opens. Beside what holds for all of them, its own text must be no
 * document: data: is a road around the rules for scripts and requests.
 */
bool policy_check_opened(const struct policy *policy, const char *url, struct br_error *err);

/* Where a URL has led to: whether its host's address is one of ip_address_is_private(). */
bool policy_check_address(const struct policy *policy, const char *url, bool is_private,
                          struct br_error *err);

/* Whether there are rules about hosts, which hold for whatever connects to one. */
bool policy_judges_hosts(const struct policy *policy);

/*
 * A connection to a host and a port, whatever is asked for there: of a port that is usual for one
 * scheme, as for that one; else any scheme that is allowed will do, and any that is denied will
 * not. `address`: where the host leads to; NULL: that is not known yet.
 */
bool policy_check_connection(const struct policy *policy, const struct url_parts *peer,
                             const struct ip_address *address, struct br_error *err);

/* `what` an instruction would have run, such as "evaluate". */
bool policy_check_script(const struct policy *policy, const char *what, struct br_error *err);

/* A file that is to hold the state of the session: under no_eval its name says that it is JSON. */
bool policy_check_state_file(const struct policy *policy, const char *path, struct br_error *err);

/* Where downloads are saved, absolute and without links: under no_eval none of them is opened. */
void policy_set_saved(struct policy *policy, const char *directory);

/* A file that an instruction names. */
bool policy_check_file(const struct policy *policy, const char *path, struct br_error *err);

/* For the functions of file.h; NULL: any file. Borrowed. */
const struct file_root *policy_files(const struct policy *policy);

/*
 * The sources of a Content-Security-Policy to which a document may open a WebSocket, which Chrome
 * lets nobody judge: all that is allowed by name, and its own host.
 */
void policy_add_socket_sources(const struct policy *policy, struct strbuf *text);

#endif
