/*
 * The only place that decides what a session may do. The rules are those of
 * <browser_runner/policy.h>; every refusal is POLICY_DENIED, names its rule, and has a hint with
 * the remedy. A NULL policy allows everything.
 */
#ifndef RUNNER_BASE_POLICY_H
#define RUNNER_BASE_POLICY_H

#include "runner/base/file_root.h"
#include "runner/base/strbuf.h"
#include "runner/base/url_parts.h"

#include <browser_runner/policy.h>

struct policy;

/*
 * *ret_policy is NULL if the rules forbid nothing; the caller destroys it. INVALID_ACTION names the
 * invalid rule.
 */
bool policy_create(const struct br_policy *given, struct policy **ret_policy, struct br_error *err);
void policy_destroy(struct policy *policy);

/* Whether the rules require that every request of a page is checked. */
bool policy_judges_urls(const struct policy *policy);

/* Whether addresses matter, which are known only after a server has answered. */
bool policy_judges_addresses(const struct policy *policy);

/* Checks a navigation or a request of a page. */
bool policy_check_url(const struct policy *policy, const char *url, struct br_error *err);

/*
 * Checks a URL that an instruction opens. In addition to the rules for all URLs, its text must not
 * itself be a document: data: would circumvent the rules for scripts and requests.
 */
bool policy_check_opened(const struct policy *policy, const char *url, struct br_error *err);

/*
 * A URL that a client of the DevTools protocol opens: as policy_check_opened(), and while there
 * are rules for files or scripts no file, since it leads the page on to other files, and saves what
 * it opens, and no page of the browser itself, since some of them read files and run scripts.
 */
bool policy_check_steered(const struct policy *policy, const char *url, struct br_error *err);

/* Whether there are rules that hold for such a client by what its commands do. */
bool policy_judges_commands(const struct policy *policy);

/*
 * Whether requests of pages are judged in full by host, port and address: the rules forbid neither
 * http nor https.
 */
bool policy_allows_web(const struct policy *policy);

/* Checks the address of a URL's server. is_private: the result of ip_address_is_private(). */
bool policy_check_address(const struct policy *policy, const char *url, bool is_private,
                          struct br_error *err);

/* Whether there are rules about hosts or schemes, which apply to every connection. */
bool policy_judges_hosts(const struct policy *policy);

/*
 * Checks a connection to a host and a port. If the scheme is "", it is not known yet: a port that
 * is usual for one scheme is checked as that scheme; at any other port one allowed scheme suffices,
 * and one denied scheme refuses. `address` is the host's resolved address; NULL if it is not known
 * yet.
 */
bool policy_check_connection(const struct policy *policy, const struct url_parts *peer,
                             const struct ip_address *address, struct br_error *err);

/* Checks a script of an instruction; `what` names it, such as "evaluate". */
bool policy_check_script(const struct policy *policy, const char *what, struct br_error *err);

/*
 * Checks a file that an action writes: under no_eval its name must end in `ending`, such as
 * ".json", so that it cannot be opened as a page.
 */
bool policy_check_written_file(const struct policy *policy, const char *path, const char *ending,
                               struct br_error *err);

/*
 * Sets the directory of downloads, absolute and without links: under no_eval none of them may be
 * opened.
 */
void policy_set_saved(struct policy *policy, const char *directory);

/* Checks a file that an instruction names. */
bool policy_check_file(const struct policy *policy, const char *path, struct br_error *err);

/* Returns the root for the functions of file.h; NULL: any file. Borrowed. */
const struct file_root *policy_files(const struct policy *policy);

/*
 * Adds the sources of a Content-Security-Policy for the WebSockets of a document, which Chrome does
 * not let us intercept: its own host, and everything that is allowed by name.
 */
void policy_add_socket_sources(const struct policy *policy, struct strbuf *text);

#endif
