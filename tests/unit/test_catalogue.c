#include "runner/base/log.h"
#include "runner/hints/advice.h"
#include "runner/hints/catalogue.h"
#include "runner/observe/log_hints.h"
#include "runner/observe/stream.h"

#include "runner/base/error.h"
#include "runner/base/memory.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_ENTRIES = 1000, MAX_HINTS = 10 };

/* Messages of Chromium 156 and earlier versions, of V8, and of this program. */
static const struct {
    const char *text;
    enum br_code code;
    const char *category;
    const char *hint; /* a part of it */
} known[] = {
    { "[14166:14166:1122/011047.484320:ERROR:content/browser/zygote_host/"
      "zygote_host_impl_linux.cc:103] Running as root without --no-sandbox is not supported. See "
      "https://crbug.com/638180.",
      BR_BROWSER_CRASHED, "automation", "⟨no-sandbox⟩" },
    { "[1:1:FATAL:zygote_host_impl_linux.cc(127)] No usable sandbox! Update your kernel or see "
      "https://chromium.googlesource.com/ for more information on developing with the SUID "
      "sandbox.",
      BR_BROWSER_CRASHED, "automation", "user namespaces" },
    { "Failed to move to new namespace: PID namespaces supported, Network namespace supported, but "
      "failed: errno = Operation not permitted",
      BR_BROWSER_CRASHED, "automation", "user namespaces" },
    { "[18956:18956:ERROR:chrome/app/chrome_main_delegate.cc:624] Failed to create a "
      "ProcessSingleton for your profile directory. This means that running multiple instances",
      BR_PROFILE_IN_USE, "automation", "⟨temp-profile⟩" },
    { "The profile appears to be in use by another Chromium process (12) on another computer (h).",
      BR_PROFILE_IN_USE, "automation", "profile unlock" },
    { "[18200:18200:ERROR:ui/ozone/platform/x11/ozone_platform_x11.cc:257] Missing X server or "
      "$DISPLAY",
      BR_BROWSER_CRASHED, "automation", "⟨headed⟩" },
    { "[1:1:ERROR:wayland_connection.cc] Failed to connect to Wayland display: No such file or "
      "directory (2)",
      BR_BROWSER_CRASHED, "automation", "⟨headed⟩" },
    { "chrome: error while loading shared libraries: libnss3.so: cannot open shared object file",
      BR_BROWSER_CRASHED, "automation", "install" },
    { "[1:1:ERROR:platform_shared_memory_region_posix.cc] Creating shared memory in "
      "/dev/shm/.org.chromium.Chromium.x failed: Too many open files (24)",
      BR_BROWSER_CRASHED, "resource", "ulimit -n" },
    { "[1:1:ERROR:unix_domain_socket.cc:186] recvmsg returned MSG_CTRUNC flag, FD exhaustion?",
      BR_BROWSER_CRASHED, "resource", "ulimit -n" },
    { "[1:1:ERROR:platform_shared_memory_region_posix.cc] Creating shared memory in "
      "/dev/shm/.org.chromium.Chromium.x failed: No space left on device (28)",
      BR_BROWSER_CRASHED, "resource", "--shm-size" },
    { "cannot write /tmp/x: No space left on device", BR_BROWSER_CRASHED, "resource", "disk" },
    { "fork: Cannot allocate memory", BR_BROWSER_CRASHED, "resource", "memory" },
    { "pthread_create: Resource temporarily unavailable (11)", BR_BROWSER_CRASHED, "resource",
      "--pids-limit" },

    { "Page.navigate: Session with given id not found.", BR_PAGE_CRASHED, "automation", "`start`" },
    { "Target.attachToTarget: No target with given id found", BR_PAGE_CRASHED, "automation",
      "`start`" },
    { "Page.captureScreenshot: Not attached to an active page", BR_PAGE_CRASHED, "automation",
      "`start`" },
    { "Target closed", BR_PAGE_CRASHED, "automation", "`start`" },
    { "Target crashed", BR_PAGE_CRASHED, "automation", "`start`" },
    { "Runtime.evaluate: Cannot find context with specified id", BR_STALE_NODE, "automation",
      "another document" },
    { "Runtime.evaluate: uniqueContextId not found", BR_STALE_NODE, "automation",
      "another document" },
    { "Cannot find default execution context", BR_STALE_NODE, "automation", "another document" },
    { "Execution context was destroyed.", BR_STALE_NODE, "automation", "another document" },
    { "Inspected target navigated or closed", BR_STALE_NODE, "automation", "another document" },
    { "Navigating frame 4F was detached", BR_STALE_NODE, "automation", "frame" },
    { "Page.navigate: No frame with given id found", BR_STALE_NODE, "automation", "frame" },
    { "Frame with the given id was not found.", BR_STALE_NODE, "automation", "frame" },
    { "Page.createIsolatedWorld: No frame for given id found", BR_STALE_NODE, "automation",
      "frame" },
    { "DOM.describeNode: Could not find node with given id", BR_STALE_NODE, "automation",
      "element" },
    { "DOM.resolveNode: No node with given id found", BR_STALE_NODE, "automation", "element" },
    { "No node found for given backend id", BR_STALE_NODE, "automation", "element" },
    { "DOM.scrollIntoViewIfNeeded: Node is detached from document", BR_STALE_NODE, "automation",
      "element" },
    { "Page.navigate: Cannot navigate to invalid URL", BR_INVALID_ACTION, "automation", "scheme" },
    { "Runtime.evaluate: Object reference chain is too long", BR_EVAL_ERROR, "javascript",
      "plain values" },
    { "Runtime.evaluate: Execution was terminated", BR_EVAL_ERROR, "javascript", "`timeout`" },

    { "WebSocket connection to 'ws://127.0.0.1:1/' failed: WebSocket is closed before the "
      "connection is established.",
      BR_UNKNOWN_ERROR, "network", "open event" },
    { "WebSocket connection to 'ws://127.0.0.1:36251/none' failed: Error during WebSocket "
      "handshake: Unexpected response code: 404",
      BR_UNKNOWN_ERROR, "network", "does not answer as a WebSocket" },
    { "WebSocket connection to 'ws://nothere.test/' failed: Establishing a tunnel via proxy server "
      "failed.",
      BR_NAVIGATION_FAILED, "network", "proxy" },
    { "WebSocket connection to 'ws://127.0.0.1:39999/' failed: Error in connection establishment: "
      "net::ERR_CONNECTION_REFUSED",
      BR_NAVIGATION_FAILED, "network", "no server listens" },
    { "WebSocket connection to 'ws://nosuch.invalid/' failed: Error in connection establishment: "
      "net::ERR_NAME_NOT_RESOLVED",
      BR_NAVIGATION_FAILED, "network", "DNS" },
    { "WebSocket connection to 'ws://x/' failed: Invalid frame header", BR_UNKNOWN_ERROR, "network",
      "did not open" },

    { "http://localhost:1/ was not reached: net::ERR_CONNECTION_REFUSED", BR_NAVIGATION_FAILED,
      "network", "no server listens" },
    { "Failed to load resource: net::ERR_CONNECTION_REFUSED", BR_NAVIGATION_FAILED, "network",
      "no server listens" },
    { "net::ERR_NAME_NOT_RESOLVED", BR_NAVIGATION_FAILED, "network", "DNS" },
    { "net::ERR_DNS_TIMED_OUT", BR_NAVIGATION_FAILED, "network", "DNS" },
    { "net::ERR_INTERNET_DISCONNECTED", BR_NAVIGATION_FAILED, "network", "no network" },
    { "net::ERR_NETWORK_ACCESS_DENIED", BR_NAVIGATION_FAILED, "network", "firewall" },
    { "net::ERR_NETWORK_CHANGED", BR_NAVIGATION_FAILED, "network", "changed" },
    { "net::ERR_NETWORK_IO_SUSPENDED", BR_NAVIGATION_FAILED, "network", "changed" },
    { "net::ERR_ADDRESS_UNREACHABLE", BR_NAVIGATION_FAILED, "network", "no route" },
    { "net::ERR_ADDRESS_INVALID", BR_NAVIGATION_FAILED, "network", "no route" },
    { "net::ERR_CONNECTION_TIMED_OUT", BR_NAVIGATION_FAILED, "network", "does not answer" },
    { "net::ERR_TIMED_OUT", BR_NAVIGATION_FAILED, "network", "does not answer" },
    { "net::ERR_CONNECTION_RESET", BR_NAVIGATION_FAILED, "network", "broke the connection" },
    { "net::ERR_CONNECTION_CLOSED", BR_NAVIGATION_FAILED, "network", "broke the connection" },
    { "net::ERR_EMPTY_RESPONSE", BR_NAVIGATION_FAILED, "network", "without an answer" },
    { "net::ERR_HTTP2_PROTOCOL_ERROR", BR_NAVIGATION_FAILED, "network", "HTTP/2" },
    { "net::ERR_TOO_MANY_REDIRECTS", BR_NAVIGATION_FAILED, "network", "circle" },
    { "net::ERR_CONTENT_LENGTH_MISMATCH", BR_NAVIGATION_FAILED, "network", "Content-Length" },
    { "net::ERR_INCOMPLETE_CHUNKED_ENCODING", BR_NAVIGATION_FAILED, "network", "too early" },
    { "net::ERR_INVALID_CHUNKED_ENCODING", BR_NAVIGATION_FAILED, "network", "too early" },
    { "net::ERR_RESPONSE_HEADERS_TRUNCATED", BR_NAVIGATION_FAILED, "network", "too early" },
    { "net::ERR_CONTENT_DECODING_FAILED", BR_NAVIGATION_FAILED, "network", "Content-Encoding" },
    { "net::ERR_RESPONSE_HEADERS_TOO_BIG", BR_NAVIGATION_FAILED, "network", "cookies" },
    { "net::ERR_RESPONSE_HEADERS_MULTIPLE_CONTENT_LENGTH", BR_NAVIGATION_FAILED, "network",
      "twice" },
    { "net::ERR_INVALID_HTTP_RESPONSE", BR_NAVIGATION_FAILED, "network", "speak HTTP" },
    { "net::ERR_CERT_AUTHORITY_INVALID", BR_NAVIGATION_FAILED, "network",
      "--ignore-certificate-errors" },
    { "net::ERR_CERT_DATE_INVALID", BR_NAVIGATION_FAILED, "network", "expired" },
    { "net::ERR_CERT_COMMON_NAME_INVALID", BR_NAVIGATION_FAILED, "network", "another host" },
    { "net::ERR_CERT_REVOKED", BR_NAVIGATION_FAILED, "network", "certificate" },
    { "net::ERR_CERTIFICATE_TRANSPARENCY_REQUIRED", BR_NAVIGATION_FAILED, "network",
      "certificate" },
    { "net::ERR_SSL_CLIENT_AUTH_CERT_NEEDED", BR_NAVIGATION_FAILED, "network",
      "client certificate" },
    { "net::ERR_BAD_SSL_CLIENT_AUTH_CERT", BR_NAVIGATION_FAILED, "network", "client certificate" },
    { "net::ERR_SSL_PROTOCOL_ERROR", BR_NAVIGATION_FAILED, "network", "http://" },
    { "net::ERR_PROXY_CONNECTION_FAILED", BR_NAVIGATION_FAILED, "network", "proxy" },
    { "net::ERR_TUNNEL_CONNECTION_FAILED", BR_NAVIGATION_FAILED, "network", "--no-proxy-server" },
    { "net::ERR_SOCKS_CONNECTION_FAILED", BR_NAVIGATION_FAILED, "network", "proxy" },
    { "net::ERR_UNEXPECTED_PROXY_AUTH", BR_NAVIGATION_FAILED, "network", "407" },
    { "net::ERR_BLOCKED_BY_CLIENT", BR_NAVIGATION_FAILED, "network", "extension" },
    { "net::ERR_BLOCKED_BY_ADMINISTRATOR", BR_NAVIGATION_FAILED, "network", "policy" },
    { "net::ERR_BLOCKED_BY_LOCAL_NETWORK_ACCESS_CHECKS", BR_NAVIGATION_FAILED, "network",
      "local addresses" },
    { "net::ERR_BLOCKED_BY_PRIVATE_NETWORK_ACCESS_CHECKS", BR_NAVIGATION_FAILED, "network",
      "local addresses" },
    { "net::ERR_BLOCKED_BY_CSP", BR_NAVIGATION_FAILED, "resource", "Content-Security-Policy" },
    { "net::ERR_BLOCKED_BY_RESPONSE", BR_NAVIGATION_FAILED, "resource", "other sites" },
    { "net::ERR_BLOCKED_BY_ORB", BR_NAVIGATION_FAILED, "resource", "other sites" },
    { "net::ERR_UNSAFE_PORT", BR_NAVIGATION_FAILED, "network", "another one" },
    { "net::ERR_UNSAFE_REDIRECT", BR_NAVIGATION_FAILED, "network", "redirect" },
    { "net::ERR_INVALID_URL", BR_NAVIGATION_FAILED, "network", "scheme" },
    { "net::ERR_UNKNOWN_URL_SCHEME", BR_NAVIGATION_FAILED, "network", "scheme" },
    { "net::ERR_FILE_NOT_FOUND", BR_NAVIGATION_FAILED, "network", "no such file" },
    { "net::ERR_ACCESS_DENIED", BR_NAVIGATION_FAILED, "network", "may not read" },
    { "net::ERR_FILE_NO_SPACE", BR_NAVIGATION_FAILED, "resource", "disk" },
    { "net::ERR_OUT_OF_MEMORY", BR_NAVIGATION_FAILED, "resource", "memory" },
    { "net::ERR_INSUFFICIENT_RESOURCES", BR_NAVIGATION_FAILED, "resource", "too many requests" },
    { "net::ERR_CACHE_MISS", BR_NAVIGATION_FAILED, "network", "form" },
    { "net::ERR_HTTP_RESPONSE_CODE_FAILURE", BR_NAVIGATION_FAILED, "network", "error status" },
    { "net::ERR_ABORTED", BR_NAVIGATION_FAILED, "network", "download" },
    { "Failed to load resource: net::ERR_FAILED", BR_NAVIGATION_FAILED, "network", "CORS" },

    { "Failed to load resource: the server responded with a status of 401 (Unauthorized)",
      BR_UNKNOWN_ERROR, "resource", "login" },
    { "Failed to load resource: the server responded with a status of 403 (Forbidden)",
      BR_UNKNOWN_ERROR, "resource", "access" },
    { "Failed to load resource: the server responded with a status of 404 (Not Found)",
      BR_UNKNOWN_ERROR, "resource", "path" },
    { "Failed to load resource: the server responded with a status of 404 ()", BR_UNKNOWN_ERROR,
      "resource", "path" },
    { "Failed to load resource: the server responded with a status of 429 (Too Many Requests)",
      BR_RATE_LIMITED, "resource", "send fewer" },
    { "Failed to load resource: the server responded with a status of 502 (Bad Gateway)",
      BR_UNKNOWN_ERROR, "resource", "backend" },
    { "Failed to load resource: the server responded with a status of 503 (Service Unavailable)",
      BR_UNKNOWN_ERROR, "resource", "overloaded" },
    { "Failed to load resource: the server responded with a status of 504 (Gateway Timeout)",
      BR_UNKNOWN_ERROR, "resource", "backend" },
    { "Failed to load resource: the server responded with a status of 500 (Internal Server Error)",
      BR_UNKNOWN_ERROR, "resource", "its log" },
    { "Failed to load resource: the server responded with a status of 418 (I'm a Teapot)",
      BR_UNKNOWN_ERROR, "resource", "refused" },
    { "Uncaught (in promise) AxiosError: Request failed with status code 401", BR_EVAL_ERROR,
      "network", "login" },
    { "AxiosError: Request failed with status code 403", BR_EVAL_ERROR, "network", "access" },
    { "AxiosError: Request failed with status code 404", BR_EVAL_ERROR, "network", "path" },
    { "AxiosError: Request failed with status code 500", BR_EVAL_ERROR, "network", "its log" },
    { "AxiosError: Request failed with status code 422", BR_EVAL_ERROR, "network", "refused" },

    { "Access to fetch at 'http://localhost:1/ok.json' from origin 'http://127.0.0.1:1' has been "
      "blocked by CORS policy: No 'Access-Control-Allow-Origin' header is present on the requested "
      "resource.",
      BR_UNKNOWN_ERROR, "resource", "Access-Control-Allow-Origin" },
    { "Mixed Content: The page at 'https://localhost:1/' was loaded over HTTPS, but requested an "
      "insecure script 'http://nothere.test/x.js'. This request has been blocked; the content must "
      "be served over HTTPS.",
      BR_UNKNOWN_ERROR, "resource", "https://" },
    { "SecurityError: Failed to construct 'WebSocket': An insecure WebSocket connection may not be "
      "initiated from a page loaded over HTTPS.",
      BR_EVAL_ERROR, "resource", "wss://" },
    { "Framing 'http://127.0.0.1:1/' violates the following Content Security Policy directive: "
      "\"frame-ancestors 'none'\". The request has been blocked.",
      BR_UNKNOWN_ERROR, "resource", "forbids frames" },
    { "Refused to display 'http://127.0.0.1:1/' in a frame because it set 'X-Frame-Options' to "
      "'deny'.",
      BR_UNKNOWN_ERROR, "resource", "forbids frames" },
    { "Framing 'http://127.0.0.1:1/t' violates the following Content Security Policy directive: "
      "\"default-src 'none'\". The request has been blocked.",
      BR_UNKNOWN_ERROR, "resource", "nonce" },
    { "Loading the script 'http://x/m.js' violates the following Content Security Policy "
      "directive: \"script-src 'nonce-a'\". The action has been blocked.",
      BR_UNKNOWN_ERROR, "resource", "nonce" },
    { "Refused to load the image 'http://x/' because it violates the following Content Security "
      "Policy directive: \"img-src 'self'\".",
      BR_UNKNOWN_ERROR, "resource", "nonce" },
    { "Fetch API cannot load http://x/ok.json. Refused to connect because it violates the "
      "document's Content Security Policy.",
      BR_UNKNOWN_ERROR, "resource", "Content-Security-Policy" },
    { "Failed to load module script: Expected a JavaScript-or-Wasm module script but the server "
      "responded with a MIME type of \"text/html\". Strict MIME type checking is enforced",
      BR_UNKNOWN_ERROR, "resource", "page where a script" },
    { "Refused to execute script from 'http://x/h.js' because its MIME type ('text/html') is not "
      "executable, and strict MIME type checking is enabled.",
      BR_UNKNOWN_ERROR, "resource", "page where a script" },
    { "Refused to apply style from 'http://x/a.css' because its MIME type ('text/html') is not a "
      "supported stylesheet MIME type, and strict MIME checking is enabled.",
      BR_UNKNOWN_ERROR, "resource", "style sheet" },
    { "EventSource's response has a MIME type (\"application/json\") that is not "
      "\"text/event-stream\". Aborting the connection.",
      BR_UNKNOWN_ERROR, "resource", "event stream" },
    { "Failed to find a valid digest in the 'integrity' attribute for resource 'http://x/m.js' "
      "with computed SHA-256 integrity 'TCU2'. The resource has been blocked.",
      BR_UNKNOWN_ERROR, "resource", "hash" },
    { "Not allowed to load local resource: file:///etc/passwd", BR_UNKNOWN_ERROR, "resource",
      "files" },
    { "TypeError: Failed to register a ServiceWorker for scope ('http://x/') with script "
      "('http://x/none.js'): A bad HTTP response code (404) was received when fetching the script.",
      BR_EVAL_ERROR, "resource", "service worker" },
    { "Uncaught (in promise) TypeError: Failed to fetch dynamically imported module: http://x/a.js",
      BR_EVAL_ERROR, "resource", "build" },
    { "ChunkLoadError: Loading chunk 3 failed.\n(error: http://x/3.js)", BR_EVAL_ERROR, "resource",
      "build" },
    { "Error: Loading CSS chunk 12 failed.\n(/12.css)", BR_EVAL_ERROR, "resource", "build" },
    { "Error: Unable to preload CSS for /assets/a.css", BR_EVAL_ERROR, "resource", "build" },
    { "Failed to load resource: the server went away", BR_UNKNOWN_ERROR, "resource",
      "networkEvents" },

    { "RangeError: Array buffer allocation failed", BR_EVAL_ERROR, "resource", "memory" },
    { "RangeError: WebAssembly.Memory(): could not allocate memory", BR_EVAL_ERROR, "resource",
      "memory" },
    { "DataCloneError: Data cannot be cloned, out of memory.", BR_EVAL_ERROR, "resource",
      "memory" },
    { "Uncaught RangeError: Out of memory", BR_EVAL_ERROR, "resource", "memory" },
    { "# Fatal JavaScript out of memory: Reached heap limit", BR_PAGE_CRASHED, "resource",
      "memory" },
    { "Allocation failed - JavaScript heap out of memory", BR_PAGE_CRASHED, "resource", "memory" },
    { "QuotaExceededError: Failed to set a named property 'a' on 'Storage': Setting the value of "
      "'a' exceeded the quota.",
      BR_EVAL_ERROR, "resource", "storage" },
    { "DOMException: Failed to execute 'setItem' on 'Storage': Setting the value of 'a' exceeded "
      "the quota.",
      BR_EVAL_ERROR, "resource", "storage" },

    { "TypeError: Failed to resolve module specifier \"react\". Relative references must start "
      "with either \"/\", \"./\", or \"../\".",
      BR_EVAL_ERROR, "javascript", "import map" },
    { "Uncaught Error: Cannot find module './app'", BR_EVAL_ERROR, "javascript", "bundle" },
    { "SyntaxError: The requested module '/m.js' does not provide an export named 'b'",
      BR_EVAL_ERROR, "javascript", "export" },
    { "Uncaught SyntaxError: Cannot use import statement outside a module", BR_EVAL_ERROR,
      "javascript", "type=\"module\"" },
    { "Uncaught SyntaxError: Unexpected token 'export'", BR_EVAL_ERROR, "javascript",
      "type=\"module\"" },
    { "ReferenceError: require is not defined", BR_EVAL_ERROR, "javascript", "Node.js" },
    { "ReferenceError: module is not defined", BR_EVAL_ERROR, "javascript", "Node.js" },
    { "ReferenceError: exports is not defined", BR_EVAL_ERROR, "javascript", "Node.js" },
    { "ReferenceError: process is not defined", BR_EVAL_ERROR, "javascript", "Node.js" },

    { "Uncaught (in promise) SyntaxError: Unexpected token '<', \"<script>JS\"... is not valid "
      "JSON",
      BR_EVAL_ERROR, "javascript", "page where JSON" },
    { "SyntaxError: Unexpected token < in JSON at position 0", BR_EVAL_ERROR, "javascript",
      "page where JSON" },
    { "SyntaxError: Unexpected token 'o', \"oops\" is not valid JSON", BR_EVAL_ERROR, "javascript",
      "actual answer" },
    { "SyntaxError: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
      BR_EVAL_ERROR, "javascript", "actual answer" },
    { "SyntaxError: Unexpected end of JSON input", BR_EVAL_ERROR, "javascript", "actual answer" },
    { "Uncaught SyntaxError: Unexpected token '<'", BR_EVAL_ERROR, "javascript",
      "page where a script" },
    { "SyntaxError: Identifier 'a' has already been declared", BR_EVAL_ERROR, "javascript",
      "block" },
    { "SyntaxError: Failed to execute 'querySelector' on 'Document': '##' is not a valid selector.",
      BR_EVAL_ERROR, "javascript", "CSS.escape" },
    { "Uncaught SyntaxError: Unexpected token ';'", BR_EVAL_ERROR, "javascript", "JavaScript" },
    { "SyntaxError: Unexpected identifier 'x'", BR_EVAL_ERROR, "javascript", "JavaScript" },
    { "SyntaxError: Invalid or unexpected token", BR_EVAL_ERROR, "javascript", "JavaScript" },
    { "SyntaxError: missing ) after argument list", BR_EVAL_ERROR, "javascript", "JavaScript" },
    { "the script threw ReferenceError: foo is not defined\n    at <anonymous>:1:1", BR_EVAL_ERROR,
      "javascript", "spelling" },
    { "UNCAUGHT REFERENCEERROR: FOO IS NOT DEFINED", BR_EVAL_ERROR, "javascript", "spelling" },
    { "ReferenceError: Cannot access 'a' before initialization", BR_EVAL_ERROR, "javascript",
      "declaration" },
    { "TypeError: Cannot read properties of null (reading 'addEventListener')", BR_EVAL_ERROR,
      "javascript", "does not exist" },
    { "TypeError: Cannot read properties of undefined (reading 'x')", BR_EVAL_ERROR, "javascript",
      "does not exist" },
    { "TypeError: Cannot set properties of undefined (setting 'b')", BR_EVAL_ERROR, "javascript",
      "does not exist" },
    { "TypeError: Cannot destructure property 'a' of 'x' as it is undefined.", BR_EVAL_ERROR,
      "javascript", "does not exist" },
    { "TypeError: o.f is not a function", BR_EVAL_ERROR, "javascript", "not a function" },
    { "TypeError: undefined is not iterable", BR_EVAL_ERROR, "javascript", "list" },
    { "TypeError: Assignment to constant variable.", BR_EVAL_ERROR, "javascript", "let" },
    { "TypeError: Converting circular structure to JSON\n    --> starting at object", BR_EVAL_ERROR,
      "javascript", "plain values" },
    { "RangeError: Maximum call stack size exceeded", BR_EVAL_ERROR, "javascript", "itself" },

    { "AbortError: signal is aborted without reason", BR_EVAL_ERROR, "network", "abort()" },
    { "AbortError: The user aborted a request.", BR_EVAL_ERROR, "network", "abort()" },
    { "Uncaught (in promise) TimeoutError: signal timed out", BR_EVAL_ERROR, "network", "limit" },
    { "InvalidStateError: Failed to execute 'send' on 'WebSocket': Still in CONNECTING state.",
      BR_EVAL_ERROR, "javascript", "open event" },
    { "Uncaught (in promise) TypeError: Failed to fetch\n    at http://x/:1:9", BR_EVAL_ERROR,
      "network", "networkEvents" },
    { "AxiosError: Network Error", BR_EVAL_ERROR, "network", "networkEvents" },
};
enum { KNOWN_COUNT = sizeof(known) / sizeof(known[0]) };

static const char *const unknown[] = {
    "",
    "*",
    "404",
    "order 404 saved",
    "status 500",
    "500 items loaded",
    "the answer has a status of 404 pages",
    "foo is not defined",
    "the colour is not defined yet",
    "Failed to fetch the paper from the letter box",
    "you are out of memory cards",
    "You exceeded the quota of your plan",
    "not a function",
    "the frame of the picture",
    "ERR_",
    "net::ERR",
    "aborted",
    "connection refused",
    "User name not resolved",
    "WebSocket connected to ws://127.0.0.1:3000/",
    "proxy",
    "timed out",
    "[HMR] Waiting for update signal from WDS...",
    "Download the React DevTools for a better development experience",
};

static void test_find_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        const struct catalogue_entry *entry = catalogue_find(known[i].text);
        if (!entry) {
            fail_msg("not known: %s", known[i].text);
        }
        if (entry->code != known[i].code || strcmp(entry->category, known[i].category) != 0 ||
            !strstr(entry->hint, known[i].hint)) {
            fail_msg("%s\n  is %s, %s by \"%s\": %s", known[i].text, br_code_name(entry->code),
                     entry->category, entry->pattern, entry->hint);
        }
    }
}

static void test_find_unknown(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
        const struct catalogue_entry *entry = catalogue_find(unknown[i]);
        if (entry) {
            fail_msg("\"%s\" is taken for \"%s\"", unknown[i], entry->pattern);
        }
    }
}

/* Each entry is the first match of one of these texts, so none is hidden by an earlier entry. */
static void test_find_reaches_every_entry(void **state)
{
    (void)state;
    bool is_reached[MAX_ENTRIES] = { false };
    const struct catalogue_entry *first = catalogue_find(known[0].text);
    assert_true(catalogue_count() <= MAX_ENTRIES);
    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        const struct catalogue_entry *entry = catalogue_find(known[i].text);
        assert_in_range(entry - first, 0, catalogue_count() - 1);
        is_reached[entry - first] = true;
    }
    for (size_t i = 0; i < catalogue_count(); i++) {
        if (!is_reached[i]) {
            fail_msg("\"%s\" is no text's first match", first[i].pattern);
        }
    }
}

static void test_entries_are_well_formed(void **state)
{
    (void)state;
    static const char *const categories[] = { "javascript", "network", "resource", "automation" };
    const struct catalogue_entry *first = catalogue_find(known[0].text);
    for (size_t i = 0; i < catalogue_count(); i++) {
        const struct catalogue_entry *entry = &first[i];
        size_t known_categories = 0;
        for (size_t j = 0; j < sizeof(categories) / sizeof(categories[0]); j++) {
            known_categories += strcmp(entry->category, categories[j]) == 0;
        }
        size_t pattern_length = strlen(entry->pattern);
        size_t hint_length = strlen(entry->hint);
        if (known_categories != 1 || entry->code == BR_OK || pattern_length < 10 ||
            entry->pattern[0] == '*' || entry->pattern[pattern_length - 1] == '*' ||
            hint_length < 10 || entry->hint[hint_length - 1] == '.' ||
            strstr(entry->hint, ". ") != NULL ||
            hint_length + 128 >= sizeof(((struct br_error *)0)->hint)) {
            fail_msg("\"%s\": %s", entry->pattern, entry->hint);
        }
    }
}

static void test_find_in_long_text(void **state)
{
    (void)state;
    enum { LENGTH = 1 << 20 };
    static const char end[] = "net::ERR_UNSAFE_PORT";
    CLEANUP_FREE char *text = xcalloc(1, LENGTH + sizeof(end));
    memset(text, 'n', LENGTH);
    assert_null(catalogue_find(text));
    memcpy(text + LENGTH, end, sizeof(end));
    const struct catalogue_entry *entry = catalogue_find(text);
    assert_non_null(entry);
    assert_string_equal(entry->pattern, end);
}

static void test_find_in_broken_text(void **state)
{
    (void)state;
    const struct catalogue_entry *entry =
        catalogue_find("\x80\xFF\xC3 TypeError: \xED\xA0\x80\xF0\x9F is not a function \xE2\x82");
    assert_non_null(entry);
    assert_string_equal(entry->pattern, "TypeError:*is not a function");
    char every_byte[256];
    for (int i = 0; i < 255; i++) {
        every_byte[i] = (char)(i + 1);
    }
    every_byte[255] = '\0';
    assert_null(catalogue_find(every_byte));
}

/* The pieces of a pattern must be in order and must not overlap. */
static void test_find_with_pieces_out_of_order(void **state)
{
    (void)state;
    assert_null(catalogue_find("failed Loading chunk 3"));
    assert_null(catalogue_find("is not a function, TypeError:"));
    assert_non_null(catalogue_find("failed Loading chunk 3 failed"));
    assert_null(catalogue_find("net::ERR_IN_CHUNKED"));
}

static struct br_error refused_at(const char *url)
{
    struct br_error err;
    error_set(&err, BR_NAVIGATION_FAILED, "%s was not reached: net::ERR_CONNECTION_REFUSED", url);
    return err;
}

static bool says_local_server(const char *hint)
{
    return strstr(hint, "development server does not seem to run: start it yourself") != NULL;
}

static void test_explain_loopback(void **state)
{
    (void)state;
    static const struct {
        const char *url;
        bool is_loopback;
    } cases[] = {
        { "http://localhost:3000/", true },
        { "http://localhost", true },
        { "https://LocalHost?x", true },
        { "http://localhost.:80/", true },
        { "http://app.localhost:5173/a", true },
        { "http://127.0.0.1:8080/", true },
        { "http://127.255.3.4#x", true },
        { "http://127.1:3000/", true },
        { "http://2130706433/", true },
        { "http://0.0.0.0:4200/", true },
        { "http://[::1]:3000/", true },
        { "ws://[::1]/", true },
        { "http://user:word@localhost:3000/", true },
        { "http://me@127.0.0.1/", true },
        { "http://example.com/", false },
        { "http://example.com:3000/localhost", false },
        { "http://localhost.example.com/", false },
        { "http://notlocalhost/", false },
        { "http://localhost@example.com/", false },
        { "http://example.com/?u=http://localhost/", false },
        { "http://128.0.0.1/", false },
        { "http://10.0.0.127/", false },
        { "http://127.example.com/", false },
        { "http://[::2]/", false },
        { "http://[::1", false },
        { "http://[2001:db8::1]:3000/", false },
        { "http://", false },
        { "http://:80/", false },
        { "http://./", false },
        { "localhost:3000", false },
        { "", false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error with_url = refused_at("x");
        struct br_error without_url = refused_at(cases[i].url);
        catalogue_explain(&with_url, cases[i].url);
        catalogue_explain(&without_url, NULL);
        assert_non_null(strstr(with_url.hint, "no server listens there: start it"));
        if (says_local_server(with_url.hint) != cases[i].is_loopback ||
            says_local_server(without_url.hint) != cases[i].is_loopback) {
            fail_msg("%s: \"%s\" and \"%s\"", cases[i].url, with_url.hint, without_url.hint);
        }
    }
}

static void test_explain_takes_url_before_message(void **state)
{
    (void)state;
    struct br_error err = refused_at("http://localhost:3000/");
    catalogue_explain(&err, "http://example.com/");
    assert_false(says_local_server(err.hint));
    char long_url[2000] = "http://";
    memset(long_url + 7, 'a', sizeof(long_url) - 8);
    err = refused_at("x");
    catalogue_explain(&err, long_url);
    assert_string_not_equal(err.hint, "");
    assert_false(says_local_server(err.hint));
}

/* Only a refused connection means that no server is running. */
static void test_explain_other_failure_at_loopback(void **state)
{
    (void)state;
    struct br_error err;
    error_set(&err, BR_NAVIGATION_FAILED, "not reached: net::ERR_CONNECTION_RESET");
    catalogue_explain(&err, "http://localhost:3000/");
    assert_string_not_equal(err.hint, "");
    assert_false(says_local_server(err.hint));
}

static void test_explain_leaves_what_is_there(void **state)
{
    (void)state;
    struct br_error err = refused_at("http://localhost/");
    error_hint(&err, "as it was");
    catalogue_explain(&err, NULL);
    assert_string_equal(err.hint, "as it was");
    assert_int_equal(err.code, BR_NAVIGATION_FAILED);
    error_set(&err, BR_UNKNOWN_ERROR, "something odd");
    catalogue_explain(&err, "http://localhost/");
    assert_string_equal(err.hint, "");
    struct br_error none = { 0 };
    catalogue_explain(&none, NULL);
    assert_string_equal(none.hint, "");
}

static void test_advise(void **state)
{
    (void)state;
    struct br_error err;
    error_set(&err, BR_TIMEOUT, "timed out waiting for the load event");
    assert_false(error_advise(&err, ADVICE_WAIT));
    error_advise(&err, ADVICE_LOAD);
    assert_string_equal(br_error_category(&err), "network");
    assert_non_null(strstr(err.hint, "domcontentloaded"));
    catalogue_explain(&err, "http://localhost/");
    assert_non_null(strstr(err.hint, "domcontentloaded"));
    error_advise(&err, ADVICE_NAVIGATION);
    assert_string_equal(br_error_category(&err), "automation");
    assert_non_null(strstr(err.hint, "waitForNavigation"));
    error_advise(&err, ADVICE_PAGE_GONE);
    assert_non_null(strstr(err.hint, "`start`"));
    error_set(&err, BR_EVAL_ERROR, "another one");
    assert_string_equal(br_error_category(&err), "javascript");
    assert_string_equal(err.hint, "");
}

static void test_status_hint(void **state)
{
    (void)state;
    static const struct {
        int status;
        const char *hint;
    } cases[] = {
        { 401, "login" },   { 403, "access" },  { 404, "no such page" },
        { 429, "fewer" },   { 502, "backend" }, { 503, "overloaded" },
        { 504, "backend" }, { 500, "its log" }, { 418, "refused" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_non_null(strstr(status_hint(cases[i].status), cases[i].hint));
    }
}

/* A message that quotes the instruction is not classified by the quotation. */
static void test_explain_quoted_text(void **state)
{
    (void)state;
    struct br_error err;
    error_set(&err, BR_TARGET_NOT_FOUND, "no element matches \"text=net::ERR_CONNECTION_REFUSED\"");
    catalogue_explain(&err, NULL);
    assert_string_equal(err.hint, "");
    assert_string_equal(br_error_category(&err), "automation");
    error_set(&err, BR_TIMEOUT, "timed out waiting for text \"net::ERR_CONNECTION_REFUSED\"");
    error_advise(&err, ADVICE_WAIT);
    catalogue_explain(&err, NULL);
    assert_non_null(strstr(err.hint, "picture"));
    assert_string_equal(br_error_category(&err), "automation");
}

static void test_category(void **state)
{
    (void)state;
    static const struct {
        enum br_code code;
        const char *message, *category;
    } cases[] = {
        { BR_EVAL_ERROR, "the script threw Error: mine", "javascript" },
        { BR_EVAL_ERROR, "the script threw TypeError: Failed to fetch", "network" },
        { BR_EVAL_ERROR, "the script threw RangeError: Array buffer allocation failed",
          "resource" },
        { BR_NAVIGATION_FAILED, "x was not reached: net::ERR_NEW_ONE", "network" },
        { BR_NAVIGATION_FAILED, "x was not reached: net::ERR_OUT_OF_MEMORY", "resource" },
        { BR_NAVIGATION_FAILED, "Page.navigate: Not attached to an active page", "automation" },
        { BR_RATE_LIMITED, "slowly", "network" },
        { BR_TIMEOUT, "late", "automation" },
        { BR_BROWSER_CRASHED, "Chrome ended with exit code 1: No space left on device",
          "resource" },
        { BR_BROWSER_CRASHED, "Chrome ended by signal 5", "automation" },
        { BR_STALE_NODE, "gone", "automation" },
        { BR_OK, "", "automation" },
        { (enum br_code)1000, "?", "automation" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err;
        error_set(&err, cases[i].code, "%s", cases[i].message);
        catalogue_explain(&err, NULL);
        assert_string_equal(br_error_category(&err), cases[i].category);
    }
    for (int code = BR_OK; code <= BR_UNKNOWN_ERROR; code++) {
        struct br_error err = { .code = (enum br_code)code };
        assert_non_null(br_error_category(&err));
    }
}

/* System errors end with the C library's text. */
static void test_category_of_errno(void **state)
{
    (void)state;
    static const int numbers[] = { ENOSPC, ENOMEM, EAGAIN };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        struct br_error err;
        error_set_errno(&err, BR_UNKNOWN_ERROR, numbers[i], "cannot write x");
        catalogue_explain(&err, NULL);
        assert_string_equal(br_error_category(&err), "resource");
        assert_string_not_equal(err.hint, "");
    }
}

static void add_log(struct log_list *logs, enum br_log_type type, const char *category,
                    const char *message, const char *location)
{
    struct br_log *log = log_add(logs, type, BR_SOURCE_BROWSER, category, message);
    log->location = xstrdup(location);
}

/* Counts the hints in a list; all must have the format of a hint. */
static size_t count_hints(const struct log_list *logs)
{
    size_t count = 0;
    for (size_t i = 0; i < logs->count; i++) {
        const struct br_log *log = &logs->items[i];
        if (strcmp(log->category, "hint") == 0) {
            assert_int_equal(log->type, BR_LOG_INFO);
            assert_int_equal(log->source, BR_SOURCE_TOOL);
            count++;
        }
    }
    return count;
}

static void test_hint_logs(void **state)
{
    (void)state;
    struct log_list logs = { 0 };
    log_hints_add(&logs, "");
    assert_int_equal(logs.count, 0);
    add_log(&logs, BR_LOG_ERROR, "javascript", "Uncaught ReferenceError: a is not defined", NULL);
    add_log(&logs, BR_LOG_ERROR, "javascript", "Uncaught ReferenceError: b is not defined", NULL);
    add_log(&logs, BR_LOG_WARNING, "console", "TypeError: Failed to fetch", NULL);
    add_log(&logs, BR_LOG_INFO, "console", "RangeError: Maximum call stack size exceeded", NULL);
    add_log(&logs, BR_LOG_ERROR, "console", "order 404 saved", "http://localhost/:1:1");
    log_tool(&logs, BR_LOG_ERROR, "network", "the page answered with HTTP status 404");
    log_hints_add(&logs, "");
    assert_int_equal(logs.count, 8);
    assert_string_equal(logs.items[6].category, "hint");
    assert_non_null(strstr(logs.items[6].message, "spelling"));
    assert_non_null(strstr(logs.items[7].message, "networkEvents"));
    assert_int_equal(count_hints(&logs), 2);
    log_hints_add(&logs, "");
    assert_int_equal(logs.count, 8);
    log_list_finish(&logs);
}

/* A page's messages about timeouts, crashes and sandboxes do not concern our browser. */
static void test_hint_logs_of_automation(void **state)
{
    (void)state;
    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        struct log_list logs = { 0 };
        bool is_of_pages = known[i].code == BR_EVAL_ERROR || known[i].code == BR_UNKNOWN_ERROR ||
                           known[i].code == BR_NAVIGATION_FAILED ||
                           known[i].code == BR_RATE_LIMITED;
        add_log(&logs, BR_LOG_ERROR, "console", known[i].text, NULL);
        log_hints_add(&logs, "");
        assert_int_equal(count_hints(&logs), is_of_pages);
        assert_false(is_of_pages && strcmp(known[i].category, "automation") == 0);
        log_list_finish(&logs);
    }
}

static void test_hint_logs_loopback(void **state)
{
    (void)state;
    static const char refused[] = "Failed to load resource: net::ERR_CONNECTION_REFUSED";
    static const struct {
        const char *category, *message, *location;
        bool is_loopback;
    } cases[] = {
        { "network", refused, "http://localhost:4000/api", true },
        { "network", refused, "http://localhost:4000/api:1:2", true },
        { "network", refused, "http://example.com/api", false },
        { "network", refused, NULL, false },
        /* The location of a WebSocket error is its page. */
        { "network",
          "WebSocket connection to 'ws://example.com/' failed: Error in connection establishment: "
          "net::ERR_CONNECTION_REFUSED",
          "http://localhost:3000/", false },
        { "network",
          "WebSocket connection to 'ws://127.0.0.1:24678/' failed: Error in connection "
          "establishment: net::ERR_CONNECTION_REFUSED",
          "http://example.com/", true },
        /* The location of a console call is its script. */
        { "console", "it is net::ERR_CONNECTION_REFUSED", "http://localhost:3000/a.js:1:1", false },
        { NULL, "it is net::ERR_CONNECTION_REFUSED", "http://localhost:3000/a.js:1:1", false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct log_list logs = { 0 };
        struct br_log *log =
            log_add(&logs, BR_LOG_ERROR, BR_SOURCE_BROWSER, cases[i].category, cases[i].message);
        log->location = xstrdup(cases[i].location);
        log_hints_add(&logs, "");
        assert_int_equal(logs.count, 2);
        assert_int_equal(says_local_server(logs.items[1].message), cases[i].is_loopback);
        log_list_finish(&logs);
    }
}

static void test_hint_logs_limit(void **state)
{
    (void)state;
    struct log_list logs = { 0 };
    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        add_log(&logs, BR_LOG_ERROR, "console", known[i].text, NULL);
    }
    log_hints_add(&logs, "");
    assert_int_equal(count_hints(&logs), MAX_HINTS);
    assert_int_equal(logs.count, KNOWN_COUNT + MAX_HINTS);
    log_list_finish(&logs);
}

static void test_hint_logs_of_full_list(void **state)
{
    (void)state;
    struct log_list logs = { 0 };
    for (size_t i = 0; i < LOG_MAX_ENTRIES - 1; i++) {
        add_log(&logs, BR_LOG_ERROR, "console", known[i % KNOWN_COUNT].text, NULL);
    }
    log_hints_add(&logs, "");
    assert_int_equal(logs.count, LOG_MAX_ENTRIES);
    assert_int_equal(count_hints(&logs), 1);
    log_hints_add(&logs, "");
    assert_int_equal(logs.count, LOG_MAX_ENTRIES);
    assert_int_equal(logs.dropped, 0);
    log_list_finish(&logs);
}

/* Text far from the beginning of a log entry is data, not the event. */
static void test_hint_logs_of_long_text(void **state)
{
    (void)state;
    static const char words[] = "TypeError: Failed to fetch \xFF";
    char *text = xcalloc(1, LOG_MAX_TEXT + 1);
    memset(text, 'x', LOG_MAX_TEXT);
    memcpy(text + LOG_MAX_TEXT - strlen(words), words, strlen(words));
    struct log_list logs = { 0 };
    add_log(&logs, BR_LOG_ERROR, "console", text, NULL);
    log_hints_add(&logs, "");
    assert_int_equal(logs.count, 1);
    memcpy(text, words, strlen(words));
    add_log(&logs, BR_LOG_ERROR, "console", text, NULL);
    log_hints_add(&logs, "");
    assert_int_equal(logs.count, 3);
    assert_non_null(strstr(logs.items[2].message, "xxx…\")")); /* the text is quoted in part */
    log_list_finish(&logs);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find_known),
        cmocka_unit_test(test_find_unknown),
        cmocka_unit_test(test_find_reaches_every_entry),
        cmocka_unit_test(test_entries_are_well_formed),
        cmocka_unit_test(test_find_in_long_text),
        cmocka_unit_test(test_find_in_broken_text),
        cmocka_unit_test(test_find_with_pieces_out_of_order),
        cmocka_unit_test(test_explain_loopback),
        cmocka_unit_test(test_explain_takes_url_before_message),
        cmocka_unit_test(test_explain_other_failure_at_loopback),
        cmocka_unit_test(test_explain_leaves_what_is_there),
        cmocka_unit_test(test_explain_quoted_text),
        cmocka_unit_test(test_advise),
        cmocka_unit_test(test_status_hint),
        cmocka_unit_test(test_category),
        cmocka_unit_test(test_category_of_errno),
        cmocka_unit_test(test_hint_logs),
        cmocka_unit_test(test_hint_logs_of_automation),
        cmocka_unit_test(test_hint_logs_loopback),
        cmocka_unit_test(test_hint_logs_limit),
        cmocka_unit_test(test_hint_logs_of_full_list),
        cmocka_unit_test(test_hint_logs_of_long_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
