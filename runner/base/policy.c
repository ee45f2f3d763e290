#include "runner/base/policy.h"

#include "runner/base/error.h"
#include "runner/base/memory.h"
#include "runner/base/origin_rules.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct policy {
    struct origin_rules allow, deny;
    char **schemes;
    char *scheme_text;
    bool has_allow, has_schemes;
    bool has_no_files; /* `files` allows no file */
    bool has_no_eval;
    struct file_root *files; /* NULL: any file */
    char *saved;             /* the directory of downloads; NULL: none */
};

/* Reading the rules. */

static bool read_allow(struct policy *policy, const char *const *texts, struct br_error *err)
{
    if (!origin_rules_read(&policy->allow, "allow", texts, err)) {
        return false;
    }
    policy->has_allow = texts != NULL;
    if (policy->allow.has_private) {
        error_set(err, BR_INVALID_ACTION, "⟨allow⟩ private: `private` is a rule for ⟨deny⟩");
        return error_hint(err, "name the hosts, such as ⟨allow⟩ http://localhost:3000");
    }
    return true;
}

static bool is_scheme(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789+-.");
    return isalpha((unsigned char)*text) && text[length] == '\0' && length < URL_MAX_SCHEME;
}

static bool read_schemes(struct policy *policy, const char *const *texts, struct br_error *err)
{
    size_t count = 0;
    for (; texts && texts[count]; count++) {
        if (!is_scheme(texts[count])) {
            error_set(err, BR_INVALID_ACTION, "⟨schemes⟩: \"%s\" is not a scheme", texts[count]);
            return error_hint(err, "write them as https,http,data");
        }
    }
    if (texts && !count) {
        error_set(err, BR_INVALID_ACTION, "⟨schemes⟩ is empty");
        return error_hint(err, "write them as https,http,data");
    }
    policy->has_schemes = count > 0;
    policy->schemes = xcalloc(count + 1, sizeof(*policy->schemes));
    for (size_t i = 0; i < count; i++) {
        policy->schemes[i] = xstrdup(texts[i]);
    }
    policy->scheme_text = count ? origin_rules_join(texts) : NULL;
    return true;
}

static bool read_files(struct policy *policy, const char *files, struct br_error *err)
{
    if (!files) {
        return true;
    }
    policy->has_no_files = strcmp(files, "none") == 0;
    policy->files = policy->has_no_files ? file_root_nothing() : file_root_open(files, err);
    if (!policy->files) {
        error_context(err, "⟨files⟩");
        return error_hint(
            err, "name an existing directory, or none (./none for a directory of that name)");
    }
    return true;
}

void policy_destroy(struct policy *policy)
{
    if (policy) {
        origin_rules_finish(&policy->allow);
        origin_rules_finish(&policy->deny);
        for (size_t i = 0; policy->schemes && policy->schemes[i]; i++) {
            free(policy->schemes[i]);
        }
        free(policy->schemes);
        free(policy->scheme_text);
        free(policy->saved);
        file_root_close(policy->files);
        free(policy);
    }
}

bool policy_create(const struct br_policy *given, struct policy **ret_policy, struct br_error *err)
{
    *ret_policy = NULL;
    if (!given->allow && !given->deny && !given->schemes && !given->no_eval && !given->files) {
        return true;
    }
    struct policy *policy = xcalloc(1, sizeof(*policy));
    policy->has_no_eval = given->no_eval;
    if (!read_allow(policy, given->allow, err) ||
        !origin_rules_read(&policy->deny, "deny", given->deny, err) ||
        !read_schemes(policy, given->schemes, err) || !read_files(policy, given->files, err)) {
        policy_destroy(policy);
        return false;
    }
    *ret_policy = policy;
    return true;
}

/* Checking. */

static bool has_rules_of_urls(const struct policy *policy)
{
    return policy && (policy->has_allow || policy->deny.count > 0 || policy->has_schemes ||
                      policy->files || policy->saved);
}

/* If no file may be opened, there is no page that Chrome would let request one. */
bool policy_judges_urls(const struct policy *policy)
{
    return has_rules_of_urls(policy) &&
           (policy->has_allow || policy->deny.count > 0 || policy->has_schemes || policy->saved ||
            !policy->has_no_files);
}

bool policy_judges_addresses(const struct policy *policy)
{
    return policy && policy->deny.has_private;
}

/* Returns "https://example.org:8080", for a message about a URL and its hint. Caller frees. */
static char *origin_of(const struct url_parts *parts)
{
    bool is_usual = parts->port == url_usual_port(parts->scheme) || parts->port == 0;
    return is_usual ? xasprintf("%s://%s", parts->scheme, parts->host)
                    : xasprintf("%s://%s:%d", parts->scheme, parts->host, parts->port);
}

/* How much of a URL, and of the rules, a message quotes. */
enum { SHOWN_URL = 256, SHOWN_RULES = 256 };

static bool refuse_private(const struct url_parts *parts, const char *url, const char *why,
                           struct br_error *err)
{
    CLEANUP_FREE char *origin = origin_of(parts);
    error_set(err, BR_POLICY_DENIED, "%.*s is refused by ⟨deny⟩ private%s", SHOWN_URL, url, why);
    return error_hint(err, "to allow it, add ⟨allow⟩ %s", origin);
}

static bool check_host(const struct policy *policy, const struct url_parts *parts,
                       const struct ip_address *address, const char *url, struct br_error *err)
{
    CLEANUP_FREE char *origin = origin_of(parts);
    const char *denied = origin_rules_find_any(&policy->deny, parts, address);
    if (denied) {
        error_set(err, BR_POLICY_DENIED, "%.*s is refused by ⟨deny⟩ %s%s", SHOWN_URL, url, denied,
                  origin_rules_find_any(&policy->deny, parts, NULL)
                      ? ""
                      : ": its name leads to that address");
        return error_hint(err, "this rule overrides every ⟨allow⟩");
    }
    if (policy->has_allow && !origin_rules_find(&policy->allow, parts)) {
        error_set(err, BR_POLICY_DENIED, "%.*s is refused by ⟨allow⟩ %.*s: it is none of these",
                  SHOWN_URL, url, SHOWN_RULES, policy->allow.text);
        return error_hint(err, "to allow it, add ⟨allow⟩ %s", origin);
    }
    bool is_private =
        policy->deny.has_private && (parts->is_address ? ip_address_is_private(&parts->address)
                                                       : url_host_is_local(parts->host));
    return !is_private || origin_rules_name(&policy->allow, parts) ||
           refuse_private(parts, url, "", err);
}

static bool has_scheme(const struct policy *policy, const char *scheme)
{
    for (size_t i = 0; policy->schemes[i]; i++) {
        if (strcmp(policy->schemes[i], scheme) == 0 ||
            strcmp(policy->schemes[i], origin_rules_scheme(scheme)) == 0) {
            return true;
        }
    }
    return false;
}

/* Schemes that a page creates itself, without a network request. */
static bool is_own(const char *scheme)
{
    return strcmp(scheme, "about") == 0 || strcmp(scheme, "data") == 0 ||
           strcmp(scheme, "blob") == 0 || strcmp(scheme, "filesystem") == 0;
}

static bool check_scheme(const struct policy *policy, const char *scheme, const char *url,
                         struct br_error *err)
{
    bool is_blank = strcmp(scheme, "about") == 0;
    if (policy->has_schemes && !is_blank && !has_scheme(policy, scheme)) {
        error_set(err, BR_POLICY_DENIED, "%.*s is refused by ⟨schemes⟩ %.*s", SHOWN_URL, url,
                  SHOWN_RULES, policy->scheme_text);
        return error_hint(err, "to allow it, add %s to ⟨schemes⟩", scheme);
    }
    /* Rules about origins are rules about the web; other schemes must be allowed explicitly. */
    if (policy->has_allow && !policy->has_schemes && !origin_rules_is_web(scheme) &&
        !is_own(scheme) && !(policy->files && strcmp(scheme, "file") == 0)) {
        error_set(err, BR_POLICY_DENIED, "%.*s is refused by ⟨allow⟩ %.*s: it has no such origin",
                  SHOWN_URL, url, SHOWN_RULES, policy->allow.text);
        return error_hint(err, "to allow it, set ⟨schemes⟩ to %s with http and https", scheme);
    }
    return true;
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, tolower((unsigned char)c)) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Returns the path of a file URL, percent-decoded, without its query. Caller frees. */
static char *file_path(const char *url)
{
    const char *start = strchr(url, ':') + 1;
    const char *slashes = start + strspn(start, "/\\");
    size_t length = strcspn(slashes, "?#");
    char *path = xmalloc(length + 2);
    size_t count = 0;
    path[count++] = '/';
    for (size_t i = 0; i < length; i++) {
        int high = slashes[i] == '%' ? hex_digit(slashes[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(slashes[i + 2]) : -1;
        path[count++] = low >= 0 ? (char)((high * 16) + low) : slashes[i];
        i += low >= 0 ? 2 : 0;
    }
    path[count] = '\0';
    return path;
}

/*
 * A file that a page made the session save would act as a script of the instruction that opens it.
 */
static bool check_saved(const struct policy *policy, const char *url, struct br_error *err)
{
    CLEANUP_FREE char *path = policy->saved ? file_path(url) : NULL;
    CLEANUP_FREE char *resolved = path ? realpath(path, NULL) : NULL;
    size_t length = policy->saved ? strlen(policy->saved) : 0;
    if (!resolved || strncmp(resolved, policy->saved, length) != 0 ||
        (resolved[length] && resolved[length] != '/')) {
        return true;
    }
    error_set(err, BR_POLICY_DENIED, "%.*s is refused by ⟨no-eval⟩: it is a download", SHOWN_URL,
              url);
    return error_hint(err, "open files of ⟨downloads⟩ in a separate session");
}

static bool check_file_url(const struct policy *policy, const struct url_parts *parts,
                           const char *url, struct br_error *err)
{
    if (!check_saved(policy, url, err)) {
        return false;
    }
    if (!policy->files) {
        return true;
    }
    if (*parts->host && strcmp(parts->host, "localhost") != 0) {
        return error_set(err, BR_POLICY_DENIED,
                         "%.*s is refused by ⟨files⟩: it is outside that directory", SHOWN_URL,
                         url);
    }
    CLEANUP_FREE char *path = file_path(url);
    return policy_check_file(policy, path, err);
}

/* Returns the URL inside a URL whose scheme only says how to show it; NULL if there is none. */
static const char *inner_url(const char *scheme, const char *url)
{
    bool has_inner = strcmp(scheme, "view-source") == 0 || strcmp(scheme, "filesystem") == 0 ||
                     strcmp(scheme, "blob") == 0;
    const char *inner = has_inner ? strchr(url, ':') + 1 : NULL;
    /* "null" is the blob of a document without an origin. */
    return inner && strncmp(inner, "null", 4) != 0 ? inner : NULL;
}

/* about:settings and similar URLs are pages of the browser itself. */
static const char *effective_scheme(const struct url_parts *parts, const char *url)
{
    const char *colon = strchr(url, ':');
    bool is_about = strcmp(parts->scheme, "about") == 0;
    bool is_blank =
        colon && (strncasecmp(colon, ":blank", 6) == 0 || strncasecmp(colon, ":srcdoc", 7) == 0);
    return is_about && !is_blank ? "chrome" : parts->scheme;
}

static bool check_url(const struct policy *policy, const char *url, int depth, struct br_error *err)
{
    struct url_parts parts;
    if (!url_parts_read(url, &parts)) {
        error_set(err, BR_POLICY_DENIED, "%.*s is refused: its host cannot be checked", SHOWN_URL,
                  url);
        return error_hint(err, "write the host in ASCII, as browsers show it after opening");
    }
    if (!check_scheme(policy, effective_scheme(&parts, url), url, err)) {
        return false;
    }
    const char *inner = inner_url(parts.scheme, url);
    if (inner && depth < 2) {
        return check_url(policy, inner, depth + 1, err);
    }
    if (strcmp(parts.scheme, "file") == 0) {
        return check_file_url(policy, &parts, url, err);
    }
    return !*parts.host || check_host(policy, &parts, NULL, url, err);
}

bool policy_check_url(const struct policy *policy, const char *url, struct br_error *err)
{
    return !has_rules_of_urls(policy) || check_url(policy, url, 0, err);
}

bool policy_check_opened(const struct policy *policy, const char *url, struct br_error *err)
{
    struct url_parts parts;
    bool is_read = url_parts_read(url, &parts);
    bool is_script = is_read && strcmp(parts.scheme, "javascript") == 0;
    bool is_text = is_read && strcmp(parts.scheme, "data") == 0;
    if ((is_script || is_text) && policy && policy->has_no_eval) {
        return policy_check_script(policy, is_text ? "a data: URL" : "a javascript: URL", err);
    }
    bool has_rules = policy && (policy->has_allow || policy->deny.count > 0);
    if (is_text && has_rules && !policy->has_schemes) {
        error_set(err, BR_POLICY_DENIED, "%.64s… is refused by ⟨%s⟩: it has no origin", url,
                  policy->has_allow ? "allow" : "deny");
        return error_hint(err, "to allow it, set ⟨schemes⟩ to data with http and https");
    }
    return policy_check_url(policy, url, err);
}

/* Whether a file is what is shown in the end. */
static bool is_of_file(const char *url)
{
    struct url_parts parts;
    for (int depth = 0; depth < 3 && url && url_parts_read(url, &parts); depth++) {
        if (strcmp(parts.scheme, "file") == 0) {
            return true;
        }
        url = inner_url(parts.scheme, url);
    }
    return false;
}

/*
 * Whether a URL opens a page of the browser itself. Some of them read files (devtools:), or run
 * scripts in other tabs (chrome://inspect).
 */
static bool is_of_browser(const char *url)
{
    static const char *const others[] = { "http",        "https",      "ws",   "wss",
                                          "data",        "javascript", "blob", "filesystem",
                                          "view-source", "about",      "file" };
    struct url_parts parts;
    for (int depth = 0; depth < 3 && url && url_parts_read(url, &parts); depth++) {
        const char *scheme = effective_scheme(&parts, url);
        bool is_other = false;
        for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
            is_other |= strcmp(scheme, others[i]) == 0;
        }
        if (!is_other) {
            return true;
        }
        url = inner_url(parts.scheme, url);
    }
    return false;
}

static bool refuse_steered(const struct policy *policy, const char *url, const char *what,
                           struct br_error *err)
{
    return error_set(err, BR_POLICY_DENIED,
                     "%.*s is refused by ⟨%s⟩: clients open no %s under this rule", SHOWN_URL, url,
                     policy->files ? "files" : "no-eval", what);
}

bool policy_check_steered(const struct policy *policy, const char *url, struct br_error *err)
{
    bool is_limited = policy && (policy->files || policy->has_no_eval);
    if (is_limited && is_of_file(url)) {
        return refuse_steered(policy, url, "files", err);
    }
    return policy_check_opened(policy, url, err) &&
           (!is_limited || !is_of_browser(url) ||
            refuse_steered(policy, url, "pages of the browser", err));
}

bool policy_judges_commands(const struct policy *policy)
{
    return policy && (policy->has_schemes || policy->has_no_eval || policy->files);
}

bool policy_allows_web(const struct policy *policy)
{
    return !policy || !policy->has_schemes ||
           (has_scheme(policy, "http") && has_scheme(policy, "https"));
}

bool policy_check_address(const struct policy *policy, const char *url, bool is_private,
                          struct br_error *err)
{
    struct url_parts parts;
    if (!is_private || !policy_judges_addresses(policy) || !url_parts_read(url, &parts) ||
        !origin_rules_is_web(parts.scheme) || origin_rules_name(&policy->allow, &parts)) {
        return true;
    }
    return refuse_private(&parts, url, ": its name leads to a private address", err);
}

bool policy_judges_hosts(const struct policy *policy)
{
    return policy && (policy->has_allow || policy->deny.count > 0 || policy->has_schemes);
}

static bool check_connection_as(const struct policy *policy, const struct url_parts *peer,
                                const struct ip_address *address, struct br_error *err)
{
    CLEANUP_FREE char *url = xasprintf("%s://%s:%d", peer->scheme, peer->host, peer->port);
    if (!check_scheme(policy, peer->scheme, url, err) ||
        !check_host(policy, peer, address, url, err)) {
        return false;
    }
    bool is_private = address && policy->deny.has_private && ip_address_is_private(address);
    return !is_private || origin_rules_name(&policy->allow, peer) ||
           refuse_private(peer, url, ": its name leads to a private address", err);
}

bool policy_check_connection(const struct policy *policy, const struct url_parts *peer,
                             const struct ip_address *address, struct br_error *err)
{
    static const char *const schemes[] = { "https", "http" };
    bool is_allowed = !policy;
    for (size_t i = 0; policy && i < sizeof(schemes) / sizeof(schemes[0]); i++) {
        const char *other = schemes[1 - i];
        struct url_parts as = *peer;
        snprintf(as.scheme, sizeof(as.scheme), "%s", schemes[i]);
        if (*peer->scheme ? strcmp(peer->scheme, schemes[i]) != 0
                          : peer->port == url_usual_port(other)) {
            continue;
        }
        bool is_fine = check_connection_as(policy, &as, address, err);
        if (!is_fine && origin_rules_find_any(&policy->deny, &as, address)) {
            return false;
        }
        is_allowed |= is_fine;
    }
    return is_allowed;
}

bool policy_check_script(const struct policy *policy, const char *what, struct br_error *err)
{
    if (!policy || !policy->has_no_eval) {
        return true;
    }
    error_set(err, BR_POLICY_DENIED, "%s is refused by ⟨no-eval⟩", what);
    return error_hint(err, "wait for an element, a text or a URL; read the page with `snapshot`");
}

bool policy_check_written_file(const struct policy *policy, const char *path, const char *ending,
                               struct br_error *err)
{
    const char *dot = strrchr(path, '.');
    if (!policy || !policy->has_no_eval || (dot && strcmp(dot, ending) == 0)) {
        return true;
    }
    error_set(
        err, BR_POLICY_DENIED,
        "%s is refused by ⟨no-eval⟩: a saved file must not be one that can be opened as a page",
        path);
    return error_hint(err, "end its name in %s", ending);
}

void policy_set_saved(struct policy *policy, const char *directory)
{
    if (policy && policy->has_no_eval && directory) {
        free(policy->saved);
        policy->saved = xstrdup(directory);
    }
}

bool policy_check_file(const struct policy *policy, const char *path, struct br_error *err)
{
    if (!policy || !policy->files) {
        return true;
    }
    CLEANUP_FREE char *resolved = file_root_resolve(policy->files, path, err);
    return resolved;
}

const struct file_root *policy_files(const struct policy *policy)
{
    return policy ? policy->files : NULL;
}

void policy_add_socket_sources(const struct policy *policy, struct strbuf *text)
{
    strbuf_add_string(text, "'self'");
    origin_rules_add_sources(&policy->allow, &policy->deny, text);
}
