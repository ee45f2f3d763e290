#include "runner/hints/catalogue.h"

#include "runner/hints/advice.h"

#include "runner/base/error.h"
#include "runner/base/log.h"
#include "runner/base/memory.h"

#include <arpa/inet.h>
#include <assert.h>
#include <string.h>

enum {
    MAX_LOOKED_AT = 2048, /* of a log: the event comes first, stacks and data follow */
    MAX_PIECE = 96,       /* of a pattern, between its `*` */
    MAX_HOST = 253,       /* RFC 1035, without the dot of the root */
};

static const char javascript[] = "javascript";
static const char network[] = "network";
static const char resource[] = "resource";
static const char automation[] = "automation";

/* Hints that several entries share. */
static const char no_sandbox[] =
    "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, on Ubuntu "
    "kernel.apparmor_restrict_unprivileged_userns=0), or add ⟨no-sandbox⟩";
static const char profile_in_use[] =
    "close that browser, or use ⟨temp-profile⟩ or another ⟨project⟩; if it no longer runs, use "
    "`browser-runner profile unlock`";
static const char no_display[] = "remove ⟨headed⟩, or set DISPLAY or WAYLAND_DISPLAY";
static const char disk_full[] =
    "free some space on the disk: the profile, the temporary files and the pictures need it";
static const char document_gone[] =
    "the page has loaded another document meanwhile: first `wait` for an element of the new one";
static const char frame_gone[] =
    "its frame was removed meanwhile: `wait` until it is there again, then retry";
static const char node_gone[] =
    "the element was removed meanwhile: `wait` until it is there again, then retry";
static const char bad_url[] = "write it with its scheme, such as http://localhost:3000/";
static const char refused[] = "no server listens there: start it, or correct host and port";
static const char local_server[] =
    "; the development server does not seem to run: start it yourself, browser-runner never does";
static const char unknown_host[] = "the host name is unknown: correct it, or check the DNS";
static const char network_changed[] =
    "the network of this machine changed meanwhile: try again when it is stable";
static const char no_answer[] =
    "the server does not answer: check that it runs, and that no firewall blocks it";
static const char broken_off[] =
    "the answer ended too early: look at the server's log, and at proxies before it";
static const char proxy[] = "the proxy does not answer or connect: check that it runs and accepts "
                            "the login, or bypass it with ⟨chrome-arg⟩ --no-proxy-server";
static const char memory[] =
    "memory ran out: make the page use less, or give the machine or the container more";
static const char descriptors[] =
    "too few files may be open at once: allow 1024 (ulimit -n, LimitNOFILE of systemd)";
static const char storage_full[] =
    "the site's storage is full: make the page store less, or use ⟨temp-profile⟩";
static const char not_framed[] = "that page forbids frames: open it by its own address, or change "
                                 "its X-Frame-Options or frame-ancestors";
static const char policy[] =
    "the page's Content-Security-Policy forbids it: allow its source, nonce or hash there";
static const char insecure[] =
    "a page over https:// may not use it: serve it over https:// or wss://, too";
static const char other_origin[] = "the server forbids other sites to load it: make it send "
                                   "Cross-Origin-Resource-Policy and the right Content-Type";
static const char html_for_script[] = "the server sends a page where a script is expected: correct "
                                      "the script's path, or build the file";
static const char html_for_json[] =
    "the answer is a page where JSON is expected: look at the address and the status of that "
    "request";
static const char bad_json[] = "the text is not complete JSON: look at the server's actual answer";
static const char no_module[] =
    "a part of the built page is missing: build and deploy all of it, then reload";
static const char no_bundle[] =
    "this exists only in Node.js, not in browsers: bundle the script for browsers";
static const char module_syntax[] =
    "load the script with type=\"module\", or build it for browsers without modules";
static const char bad_syntax[] =
    "the script is not valid JavaScript: correct it at the given position";
static const char no_value[] =
    "the value does not exist (yet): check where it comes from, and `wait` for what it needs";
static const char plain_values[] =
    "return plain values: texts, numbers, lists and objects without cycles";
static const char given_up[] = "the page cancelled its own request: look for a call of abort()";
static const char no_fetch[] = "the request got no answer that the page may read: look for its "
                               "address in networkEvents and for log entries about it";

/* The first match counts: specific entries precede general ones. */
static const struct catalogue_entry entries[] = {
    /* Chrome's last output. */
    { "Running as root without --no-sandbox", BR_BROWSER_CRASHED, automation,
      "add ⟨no-sandbox⟩, or run as another user" },
    { "No usable sandbox", BR_BROWSER_CRASHED, automation, no_sandbox },
    { "Failed to move to new namespace", BR_BROWSER_CRASHED, automation, no_sandbox },
    { "ProcessSingleton", BR_PROFILE_IN_USE, automation, profile_in_use },
    { "profile appears to be in use by another", BR_PROFILE_IN_USE, automation, profile_in_use },
    { "Missing X server or $DISPLAY", BR_BROWSER_CRASHED, automation, no_display },
    { "Failed to connect to Wayland display", BR_BROWSER_CRASHED, automation, no_display },
    { "error while loading shared libraries", BR_BROWSER_CRASHED, automation,
      "install that library, or install Chrome from your distribution" },
    { "Too many open files", BR_BROWSER_CRASHED, resource, descriptors },
    { "FD exhaustion", BR_BROWSER_CRASHED, resource, descriptors },
    { "shared memory in /dev/shm", BR_BROWSER_CRASHED, resource,
      "/dev/shm is full or too small: give the container --shm-size=1g" },
    { "No space left on device", BR_BROWSER_CRASHED, resource, disk_full },
    { "Cannot allocate memory", BR_BROWSER_CRASHED, resource, memory },
    { "Resource temporarily unavailable", BR_BROWSER_CRASHED, resource,
      "there are too many processes: raise ulimit -u, or the container's --pids-limit" },

    /* Refusals of Chrome over CDP, and states of pages. */
    { "Session with given id not found", BR_PAGE_CRASHED, automation, hint_page_gone },
    { "No target with given id", BR_PAGE_CRASHED, automation, hint_page_gone },
    { "Not attached to an active page", BR_PAGE_CRASHED, automation, hint_page_gone },
    { "Target closed", BR_PAGE_CRASHED, automation, hint_page_gone },
    { "Target crashed", BR_PAGE_CRASHED, automation, hint_page_gone },
    { "Cannot find context with specified id", BR_STALE_NODE, automation, document_gone },
    { "uniqueContextId not found", BR_STALE_NODE, automation, document_gone },
    { "Cannot find default execution context", BR_STALE_NODE, automation, document_gone },
    { "Execution context was destroyed", BR_STALE_NODE, automation, document_gone },
    { "Inspected target navigated or closed", BR_STALE_NODE, automation, document_gone },
    { "Frame*was detached", BR_STALE_NODE, automation, frame_gone },
    { "frame with given id", BR_STALE_NODE, automation, frame_gone },
    { "frame with the given id", BR_STALE_NODE, automation, frame_gone },
    { "frame for given id", BR_STALE_NODE, automation, frame_gone },
    { "Could not find node", BR_STALE_NODE, automation, node_gone },
    { "No node with given id", BR_STALE_NODE, automation, node_gone },
    { "No node found for given backend id", BR_STALE_NODE, automation, node_gone },
    { "Node is detached from document", BR_STALE_NODE, automation, node_gone },
    { "Cannot navigate to invalid URL", BR_INVALID_ACTION, automation, bad_url },
    { "Object reference chain is too long", BR_EVAL_ERROR, javascript, plain_values },
    { "Execution was terminated", BR_EVAL_ERROR, javascript,
      "the script ran too long: raise `timeout`, or make it do less" },

    /* WebSockets, if their own message says more than the network's. */
    { "WebSocket is closed before the connection is established", BR_UNKNOWN_ERROR, network,
      "the page closed its WebSocket before it was open: close it after its open event" },
    { "WebSocket connection to*Unexpected response code", BR_UNKNOWN_ERROR, network,
      "the server does not answer as a WebSocket: correct the path, or make the proxy pass "
      "upgrades on" },
    { "tunnel via proxy server failed", BR_NAVIGATION_FAILED, network, proxy },

    /* Chrome's network errors: net/base/net_error_list.h. */
    { "net::ERR_CONNECTION_REFUSED", BR_NAVIGATION_FAILED, network, refused },
    { "net::ERR_NAME_", BR_NAVIGATION_FAILED, network, unknown_host },
    { "net::ERR_DNS_", BR_NAVIGATION_FAILED, network, unknown_host },
    { "net::ERR_INTERNET_DISCONNECTED", BR_NAVIGATION_FAILED, network,
      "there is no network: connect the machine, or give the container one" },
    { "net::ERR_NETWORK_ACCESS_DENIED", BR_NAVIGATION_FAILED, network,
      "this machine denies Chrome network access: check its firewall" },
    { "net::ERR_NETWORK_CHANGED", BR_NAVIGATION_FAILED, network, network_changed },
    { "net::ERR_NETWORK_IO_SUSPENDED", BR_NAVIGATION_FAILED, network, network_changed },
    { "net::ERR_ADDRESS_", BR_NAVIGATION_FAILED, network,
      "there is no route to that address: check the address, the network, and a VPN" },
    { "net::ERR_CONNECTION_TIMED_OUT", BR_NAVIGATION_FAILED, network, no_answer },
    { "net::ERR_TIMED_OUT", BR_NAVIGATION_FAILED, network, no_answer },
    { "net::ERR_CONNECTION_", BR_NAVIGATION_FAILED, network,
      "the server broke the connection: look at its log, and check whether it requires https://" },
    { "net::ERR_EMPTY_RESPONSE", BR_NAVIGATION_FAILED, network,
      "the server closed the connection without an answer: look at its log" },
    { "net::ERR_HTTP2_", BR_NAVIGATION_FAILED, network,
      "the server violates HTTP/2: look at its log, or try ⟨chrome-arg⟩ --disable-http2" },
    { "net::ERR_TOO_MANY_REDIRECTS", BR_NAVIGATION_FAILED, network,
      "the server redirects in a circle: try without its cookies, as with ⟨temp-profile⟩" },
    { "net::ERR_CONTENT_LENGTH_MISMATCH", BR_NAVIGATION_FAILED, network,
      "the answer is shorter or longer than its Content-Length: correct that header, or find out "
      "what truncates the answer" },
    { "net::ERR_IN*_CHUNKED_ENCODING", BR_NAVIGATION_FAILED, network, broken_off },
    { "net::ERR_RESPONSE_HEADERS_TRUNCATED", BR_NAVIGATION_FAILED, network, broken_off },
    { "net::ERR_CONTENT_DECODING_FAILED", BR_NAVIGATION_FAILED, network,
      "the answer is not compressed as its Content-Encoding says: correct that header" },
    { "net::ERR_RESPONSE_HEADERS_TOO_BIG", BR_NAVIGATION_FAILED, network,
      "the answer's headers are larger than 256 KB: make the server send fewer cookies" },
    { "net::ERR_RESPONSE_HEADERS_MULTIPLE_", BR_NAVIGATION_FAILED, network,
      "the server sends a header twice: remove one of them" },
    { "net::ERR_INVALID_HTTP_RESPONSE", BR_NAVIGATION_FAILED, network,
      "the server there does not speak HTTP: correct the port" },
    { "net::ERR_CERT_AUTHORITY_INVALID", BR_NAVIGATION_FAILED, network,
      "the certificate is not signed by an authority that Chrome trusts: add the authority, or for "
      "your own server use ⟨chrome-arg⟩ --ignore-certificate-errors" },
    { "net::ERR_CERT_DATE_INVALID", BR_NAVIGATION_FAILED, network,
      "the certificate has expired or is not valid yet: renew it, or correct this machine's "
      "clock" },
    { "net::ERR_CERT_COMMON_NAME_INVALID", BR_NAVIGATION_FAILED, network,
      "the certificate is for another host: use the name in it, or issue a new one" },
    { "net::ERR_CERT", BR_NAVIGATION_FAILED, network,
      "the certificate is not valid for Chrome: make the server send another one" },
    { "net::ERR_SSL_CLIENT_AUTH", BR_NAVIGATION_FAILED, network,
      "the server requires a client certificate: add one to the profile" },
    { "net::ERR_BAD_SSL_CLIENT_AUTH_CERT", BR_NAVIGATION_FAILED, network,
      "the server refuses the client certificate: add another one to the profile" },
    { "net::ERR_SSL_", BR_NAVIGATION_FAILED, network,
      "the server does not support TLS as Chrome requires it: is it http://?" },
    { "net::ERR_PROXY_", BR_NAVIGATION_FAILED, network, proxy },
    { "net::ERR_TUNNEL_", BR_NAVIGATION_FAILED, network, proxy },
    { "net::ERR_SOCKS_", BR_NAVIGATION_FAILED, network, proxy },
    { "net::ERR_UNEXPECTED_PROXY_AUTH", BR_NAVIGATION_FAILED, network,
      "the server answers 407 as if it were a proxy: make it send 401" },
    { "net::ERR_BLOCKED_BY_CLIENT", BR_NAVIGATION_FAILED, network,
      "a `route`, an extension or a rule blocks it: switch that off, or use ⟨temp-profile⟩" },
    { "net::ERR_BLOCKED_BY_ADMINISTRATOR", BR_NAVIGATION_FAILED, network,
      "a policy of this machine forbids it: see chrome://policy" },
    { "net::ERR_BLOCKED_BY_*_NETWORK_ACCESS", BR_NAVIGATION_FAILED, network,
      "Chrome does not let pages of the internet access local addresses: serve the page locally, "
      "too" },
    { "net::ERR_BLOCKED_BY_CSP", BR_NAVIGATION_FAILED, resource, policy },
    { "net::ERR_BLOCKED_BY_RESPONSE", BR_NAVIGATION_FAILED, resource, other_origin },
    { "net::ERR_BLOCKED_BY_ORB", BR_NAVIGATION_FAILED, resource, other_origin },
    { "net::ERR_UNSAFE_PORT", BR_NAVIGATION_FAILED, network,
      "Chrome refuses that port: serve on another one, such as 3000 or 8080" },
    { "net::ERR_UNSAFE_REDIRECT", BR_NAVIGATION_FAILED, network,
      "the server redirects to a URL that pages may not open, such as a file: correct the "
      "redirect" },
    { "net::ERR_INVALID_URL", BR_NAVIGATION_FAILED, network, bad_url },
    { "net::ERR_UNKNOWN_URL_SCHEME", BR_NAVIGATION_FAILED, network, bad_url },
    { "net::ERR_FILE_NOT_FOUND", BR_NAVIGATION_FAILED, network,
      "there is no such file: correct its path" },
    { "net::ERR_ACCESS_DENIED", BR_NAVIGATION_FAILED, network,
      "Chrome may not read that file: give its user permission" },
    { "net::ERR_FILE_NO_SPACE", BR_NAVIGATION_FAILED, resource, disk_full },
    { "net::ERR_OUT_OF_MEMORY", BR_NAVIGATION_FAILED, resource, memory },
    { "net::ERR_INSUFFICIENT_RESOURCES", BR_NAVIGATION_FAILED, resource,
      "Chrome has too many requests at once: make the page send fewer" },
    { "net::ERR_CACHE_MISS", BR_NAVIGATION_FAILED, network,
      "the page was the answer to a form: open it by its address, or submit the form again" },
    { "net::ERR_HTTP_RESPONSE_CODE_FAILURE", BR_NAVIGATION_FAILED, network,
      "the server answered with an error status and no page: look at its log" },
    { "net::ERR_ABORTED", BR_NAVIGATION_FAILED, network,
      "the request was cancelled: the server sent a download or no content, or another navigation "
      "replaced it" },
    { "net::ERR_FAILED", BR_NAVIGATION_FAILED, network,
      "Chrome gives no reason: look for a log entry about CORS or a service worker" },

    /* HTTP statuses of resources, in the wording of Chrome and of axios. */
    { "server responded with a status of 401", BR_UNKNOWN_ERROR, resource, hint_login },
    { "server responded with a status of 403", BR_UNKNOWN_ERROR, resource, hint_forbidden },
    { "server responded with a status of 404", BR_UNKNOWN_ERROR, resource, hint_no_such_page },
    { "server responded with a status of 429", BR_RATE_LIMITED, resource, hint_too_many },
    { "server responded with a status of 502", BR_UNKNOWN_ERROR, resource, hint_bad_gateway },
    { "server responded with a status of 503", BR_UNKNOWN_ERROR, resource, hint_overloaded },
    { "server responded with a status of 504", BR_UNKNOWN_ERROR, resource, hint_bad_gateway },
    { "server responded with a status of 5", BR_UNKNOWN_ERROR, resource, hint_server_failed },
    { "server responded with a status of", BR_UNKNOWN_ERROR, resource, hint_server_refused },
    { "Request failed with status code 401", BR_EVAL_ERROR, network, hint_login },
    { "Request failed with status code 403", BR_EVAL_ERROR, network, hint_forbidden },
    { "Request failed with status code 404", BR_EVAL_ERROR, network, hint_no_such_page },
    { "Request failed with status code 5", BR_EVAL_ERROR, network, hint_server_failed },
    { "Request failed with status code", BR_EVAL_ERROR, network, hint_server_refused },

    /* Blocked resources, and resources of a wrong type. */
    { "blocked by CORS policy", BR_UNKNOWN_ERROR, resource,
      "make that server send Access-Control-Allow-Origin for the page's origin, or request it "
      "through the page's own server" },
    { "Mixed Content: The page at", BR_UNKNOWN_ERROR, resource, insecure },
    { "insecure WebSocket connection may not be initiated", BR_EVAL_ERROR, resource, insecure },
    { "Framing '*frame-ancestors", BR_UNKNOWN_ERROR, resource, not_framed },
    { "in a frame because it set 'X-Frame-Options'", BR_UNKNOWN_ERROR, resource, not_framed },
    { "violates the following Content Security Policy directive", BR_UNKNOWN_ERROR, resource,
      policy },
    { "violates the document's Content Security Policy", BR_UNKNOWN_ERROR, resource, policy },
    { "Failed to load module script", BR_UNKNOWN_ERROR, resource, html_for_script },
    { "is not executable, and strict MIME type checking", BR_UNKNOWN_ERROR, resource,
      html_for_script },
    { "is not a supported stylesheet MIME type", BR_UNKNOWN_ERROR, resource,
      "the server sends something other than a style sheet: correct its path or its Content-Type" },
    { "that is not \"text/event-stream\"", BR_UNKNOWN_ERROR, resource,
      "the answer is not an event stream: correct its path or its Content-Type" },
    { "digest in the 'integrity' attribute", BR_UNKNOWN_ERROR, resource,
      "the file does not match its integrity hash: update the hash, or load the right file" },
    { "Not allowed to load local resource", BR_UNKNOWN_ERROR, resource,
      "pages of a server may not read files: serve the file, too" },
    { "Failed to register a ServiceWorker", BR_EVAL_ERROR, resource,
      "the service worker's script did not load: serve it as JavaScript at that path, over "
      "https:// or on localhost" },
    { "Failed to fetch dynamically imported module", BR_EVAL_ERROR, resource, no_module },
    { "Loading chunk*failed", BR_EVAL_ERROR, resource, no_module },
    { "Loading CSS chunk*failed", BR_EVAL_ERROR, resource, no_module },
    { "Unable to preload CSS for", BR_EVAL_ERROR, resource, no_module },

    /* Memory and storage. */
    { "Array buffer allocation failed", BR_EVAL_ERROR, resource, memory },
    { "WebAssembly*could not allocate memory", BR_EVAL_ERROR, resource, memory },
    { "cannot be cloned, out of memory", BR_EVAL_ERROR, resource, memory },
    { "Error: Out of memory", BR_EVAL_ERROR, resource, memory },
    { "JavaScript out of memory", BR_PAGE_CRASHED, resource, memory },
    { "JavaScript heap out of memory", BR_PAGE_CRASHED, resource, memory },
    { "QuotaExceededError", BR_EVAL_ERROR, resource, storage_full },
    { "on 'Storage'*exceeded the quota", BR_EVAL_ERROR, resource, storage_full },

    /* Modules. */
    { "Failed to resolve module specifier", BR_EVAL_ERROR, javascript,
      "browsers do not resolve package names: use a path, an import map or a bundler" },
    { "Cannot find module '", BR_EVAL_ERROR, javascript,
      "that module is not in the bundle: install it or correct its path, and build again" },
    { "does not provide an export named", BR_EVAL_ERROR, javascript,
      "the module has no such export: correct the name, or check which version is loaded" },
    { "Cannot use import statement outside a module", BR_EVAL_ERROR, javascript, module_syntax },
    { "SyntaxError: Unexpected token 'export'", BR_EVAL_ERROR, javascript, module_syntax },
    { "ReferenceError: require is not defined", BR_EVAL_ERROR, javascript, no_bundle },
    { "ReferenceError: module is not defined", BR_EVAL_ERROR, javascript, no_bundle },
    { "ReferenceError: exports is not defined", BR_EVAL_ERROR, javascript, no_bundle },
    { "ReferenceError: process is not defined", BR_EVAL_ERROR, javascript, no_bundle },

    /* V8's messages: src/common/message-template.h. */
    { "Unexpected token '<',*is not valid JSON", BR_EVAL_ERROR, javascript, html_for_json },
    { "Unexpected token < in JSON at position", BR_EVAL_ERROR, javascript, html_for_json },
    { "SyntaxError:*is not valid JSON", BR_EVAL_ERROR, javascript, bad_json },
    { "SyntaxError:*JSON at position", BR_EVAL_ERROR, javascript, bad_json },
    { "Unexpected end of JSON input", BR_EVAL_ERROR, javascript, bad_json },
    { "SyntaxError: Unexpected token '<'", BR_EVAL_ERROR, javascript, html_for_script },
    { "SyntaxError: Identifier '*' has already been declared", BR_EVAL_ERROR, javascript,
      "the script runs twice in one page: put it into a block { }, or use another name" },
    { "is not a valid selector", BR_EVAL_ERROR, javascript,
      "correct the selector: special characters in names need CSS.escape()" },
    { "SyntaxError: Unexpected", BR_EVAL_ERROR, javascript, bad_syntax },
    { "SyntaxError: Invalid or unexpected token", BR_EVAL_ERROR, javascript, bad_syntax },
    { "SyntaxError: missing ", BR_EVAL_ERROR, javascript, bad_syntax },
    { "ReferenceError:*is not defined", BR_EVAL_ERROR, javascript,
      "the name is not defined: correct its spelling, or first load the script that defines it" },
    { "ReferenceError: Cannot access '*' before initialization", BR_EVAL_ERROR, javascript,
      "it is used before its declaration: move the declaration up, or separate modules that import "
      "each other" },
    { "TypeError: Cannot*properties of null", BR_EVAL_ERROR, javascript, no_value },
    { "TypeError: Cannot*properties of undefined", BR_EVAL_ERROR, javascript, no_value },
    { "TypeError: Cannot destructure property", BR_EVAL_ERROR, javascript, no_value },
    { "TypeError:*is not a function", BR_EVAL_ERROR, javascript,
      "the value with that name is not a function: correct its spelling, or check which version is "
      "loaded" },
    { "TypeError:*is not iterable", BR_EVAL_ERROR, javascript,
      "a list is expected there: look at the actual value" },
    { "TypeError: Assignment to constant variable", BR_EVAL_ERROR, javascript,
      "declare the variable with let instead of const" },
    { "TypeError: Converting circular structure to JSON", BR_EVAL_ERROR, javascript, plain_values },
    { "RangeError: Maximum call stack size exceeded", BR_EVAL_ERROR, javascript,
      "a function calls itself endlessly: add an end condition" },

    /* Requests by scripts. */
    { "AbortError: signal is aborted", BR_EVAL_ERROR, network, given_up },
    { "AbortError: The user aborted a request", BR_EVAL_ERROR, network, given_up },
    { "TimeoutError: signal timed out", BR_EVAL_ERROR, network,
      "the page stopped waiting for its request: raise its own limit, or look at the server" },
    { "Still in CONNECTING state", BR_EVAL_ERROR, javascript,
      "the WebSocket is not open yet: send after its open event" },
    { "TypeError: Failed to fetch", BR_EVAL_ERROR, network, no_fetch },
    { "AxiosError: Network Error", BR_EVAL_ERROR, network, no_fetch },
    { "WebSocket connection to '*' failed", BR_UNKNOWN_ERROR, network,
      "the WebSocket did not open: check that its server runs, and that ws:// or wss:// and the "
      "path are right" },
    { "Failed to load resource:", BR_UNKNOWN_ERROR, resource,
      "a part of the page did not load: look at its address in networkEvents" },
};
enum { ENTRY_COUNT = sizeof(entries) / sizeof(entries[0]) };

/* Handles ASCII only, independently of the locale. Copies `length` bytes and terminates them. */
static void copy_lower(char *to, const char *from, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bool is_upper = from[i] >= 'A' && from[i] <= 'Z';
        to[i] = (char)(is_upper ? from[i] - 'A' + 'a' : from[i]);
    }
    to[length] = '\0';
}

/* Whether the pieces between the `*` of the pattern occur in the text in order. */
static bool matches(const char *lower_text, const char *pattern)
{
    for (;;) {
        char piece[MAX_PIECE];
        size_t length = strcspn(pattern, "*");
        assert(length < sizeof(piece));
        copy_lower(piece, pattern, length);
        const char *at = strstr(lower_text, piece);
        if (!at || pattern[length] == '\0') {
            return at != NULL;
        }
        lower_text = at + length;
        pattern += length + 1;
    }
}

/* Messages with these codes quote the user's input, and are complete by themselves. */
static bool is_about_instruction(enum br_code code)
{
    switch (code) {
    case BR_OK:
    case BR_INVALID_ACTION:
    case BR_TARGET_NOT_FOUND:
    case BR_TARGET_AMBIGUOUS:
    case BR_TARGET_NOT_VISIBLE:
    case BR_TARGET_DISABLED:
    case BR_TARGET_OBSCURED:
    case BR_NO_VISUAL_CHANGE:
    case BR_POLICY_DENIED:
    case BR_EVAL_DISABLED:
        return true;
    default:
        return false;
    }
}

static const struct catalogue_entry *entry_of_error(const struct br_error *err)
{
    return is_about_instruction(err->code) ? NULL : catalogue_find(err->message);
}

/* The entry is about Chrome or our own waits, so a page's text does not match it. */
static bool is_page_text(const struct catalogue_entry *entry)
{
    return entry->code == BR_EVAL_ERROR || entry->code == BR_NAVIGATION_FAILED ||
           entry->code == BR_RATE_LIMITED || entry->code == BR_UNKNOWN_ERROR;
}

static bool is_loopback_host(const char *host)
{
    static const char name[] = "localhost";
    enum { NAME_LENGTH = sizeof(name) - 1 };
    size_t length = strlen(host);
    struct in_addr address;
    if (length >= NAME_LENGTH && strcasecmp(host + length - NAME_LENGTH, name) == 0) {
        return length == NAME_LENGTH || host[length - NAME_LENGTH - 1] == '.';
    }
    /* Browsers parse numbers like inet_aton(): 127.1 and 0x7f000001 are addresses, too. */
    return inet_aton(host, &address) &&
           (ntohl(address.s_addr) >> 24 == 127 || address.s_addr == INADDR_ANY);
}

/* Whether the first URL of a text refers to this machine. */
static bool leads_to_loopback(const char *text)
{
    const char *start = strstr(text, "://");
    if (!start) {
        return false;
    }
    start += strlen("://");
    const char *end = start + strcspn(start, "/?#\\'\"<>(), \t\r\n");
    const char *login_end = memrchr(start, '@', (size_t)(end - start));
    if (login_end) {
        start = login_end + 1;
    }
    if (*start == '[') {
        return strncmp(start, "[::1]", 5) == 0;
    }
    const char *port = memchr(start, ':', (size_t)(end - start));
    size_t length = (size_t)((port ? port : end) - start);
    if (length > 0 && start[length - 1] == '.') {
        length--; /* the root's dot */
    }
    char host[MAX_HOST + 1];
    if (length == 0 || length >= sizeof(host)) {
        return false;
    }
    memcpy(host, start, length);
    host[length] = '\0';
    return is_loopback_host(host);
}

/* Returns the addition to an entry's hint that depends on the destination named in `text`. */
static const char *addition(const struct catalogue_entry *entry, const char *text)
{
    return entry->hint == refused && leads_to_loopback(text) ? local_server : "";
}

/*
 * Returns the text that names the destination of a log's request. For a resource this is the log's
 * location. The location of a WebSocket is its page, and the URL is in the message. Otherwise the
 * location is that of a script.
 */
static const char *destination(const struct br_log *log)
{
    bool is_resource =
        log->category && strcmp(log->category, network) == 0 && !strstr(log->message, "://");
    return is_resource && log->location ? log->location : log->message;
}

char *catalogue_hint_of(const struct br_log *log)
{
    if (log->source != BR_SOURCE_BROWSER || log->type < BR_LOG_WARNING) {
        return NULL;
    }
    CLEANUP_FREE char *text = xstrndup(log->message, strnlen(log->message, MAX_LOOKED_AT));
    const struct catalogue_entry *entry = catalogue_find(text);
    return entry && is_page_text(entry)
               ? xasprintf("%s%s", entry->hint, addition(entry, destination(log)))
               : NULL;
}

size_t catalogue_count(void)
{
    return ENTRY_COUNT;
}

const struct catalogue_entry *catalogue_find(const char *text)
{
    /*
     * One lower-case copy for all entries: strcasestr() would be several times slower than
     * strstr().
     */
    size_t length = strlen(text);
    CLEANUP_FREE char *lower_text = xmalloc(length + 1);
    copy_lower(lower_text, text, length);
    for (size_t i = 0; i < ENTRY_COUNT; i++) {
        if (matches(lower_text, entries[i].pattern)) {
            return &entries[i];
        }
    }
    return NULL;
}

void catalogue_explain(struct br_error *err, const char *url)
{
    const struct catalogue_entry *entry = entry_of_error(err);
    if (entry && !err->category) {
        err->category = entry->category;
    }
    if (entry && !err->hint[0]) {
        error_hint(err, "%s%s", entry->hint, addition(entry, url ? url : err->message));
    }
}
