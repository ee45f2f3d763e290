#include "runner/chrome/command_line.h"

#include "runner/base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct switch_item {
    char *name;  /* with the hyphens */
    char *value; /* NULL: no value */
};

/* Zero-initialise. */
struct switch_list {
    struct switch_item *items;
    size_t count;
    size_t capacity;
};

/*
 * Switches whose value is a list and of which Chrome reads only the last; and the switch that each
 * one undoes.
 */
static const struct list_name {
    const char *name;
    const char *opposite; /* NULL: none */
} list_names[] = {
    { "--enable-features", "--disable-features" },
    { "--disable-features", "--enable-features" },
    { "--enable-blink-features", "--disable-blink-features" },
    { "--disable-blink-features", "--enable-blink-features" },
    { "--blink-settings", NULL },
};

static const struct list_name *list_name_find(const char *name)
{
    for (size_t i = 0; i < sizeof(list_names) / sizeof(list_names[0]); i++) {
        if (strcmp(list_names[i].name, name) == 0) {
            return &list_names[i];
        }
    }
    return NULL;
}

static struct switch_item *find(const struct switch_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].name, name) == 0) {
            return &list->items[i];
        }
    }
    return NULL;
}

/* Sets or replaces the item's value. */
static void set(struct switch_list *list, const char *name, const char *value)
{
    struct switch_item *item = find(list, name);
    char *copy = xstrdup(value);
    if (!item) {
        list->items = array_reserve(list->items, list->count, &list->capacity, sizeof(*item));
        item = &list->items[list->count++];
        *item = (struct switch_item){ .name = xstrdup(name) };
    }
    free(item->value);
    item->value = copy;
}

/* "Name<Trial", "Name:parameter/1" and "name=1" all refer to the entry "Name". */
static bool is_same_entry(const char *a, size_t a_length, const char *b)
{
    size_t a_key = strcspn(a, "<:=,");
    size_t b_key = strcspn(b, "<:=,");
    a_key = a_key < a_length ? a_key : a_length;
    return a_key == b_key && strncmp(a, b, a_key) == 0;
}

/* Removes the entry from a list "a,b,c". */
static void entry_remove(char *value, const char *entry)
{
    char *end = value;
    for (const char *part = value; *part;) {
        size_t length = strcspn(part, ",");
        const char *next = part[length] ? part + length + 1 : part + length;
        if (length > 0 && !is_same_entry(part, length, entry)) {
            if (end > value) {
                *end++ = ',';
            }
            memmove(end, part, length);
            end += length;
        }
        part = next;
    }
    *end = '\0';
}

static void join_entry(struct switch_list *list, const struct list_name *about, const char *entry)
{
    struct switch_item *opposite = about->opposite ? find(list, about->opposite) : NULL;
    if (opposite) {
        entry_remove(opposite->value, entry);
    }
    struct switch_item *item = find(list, about->name);
    if (!item) {
        set(list, about->name, entry);
        return;
    }
    entry_remove(item->value, entry);
    CLEANUP_FREE char *joined = xasprintf("%s%s%s", item->value, item->value[0] ? "," : "", entry);
    set(list, about->name, joined);
}

/* Copies both strings; value NULL: a switch without a value. */
static void switch_list_add(struct switch_list *list, const char *name, const char *value)
{
    const struct list_name *about = list_name_find(name);
    if (!about) {
        set(list, name, value);
        return;
    }
    for (const char *part = value ? value : ""; *part;) {
        size_t length = strcspn(part, ",");
        CLEANUP_FREE char *entry = xstrndup(part, length);
        if (length > 0) {
            join_entry(list, about, entry);
        }
        part += part[length] ? length + 1 : length;
    }
}

/* Returns whether all entries of a list were undone. */
static bool is_empty(const struct switch_item *item)
{
    return list_name_find(item->name) && item->value[0] == '\0';
}

/*
 * Writes the switches as command line arguments, at most list->count; omits a list whose entries
 * were all undone. Returns the number; caller frees each.
 */
static size_t switch_list_write(const struct switch_list *list, char **texts)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct switch_item *item = &list->items[i];
        if (!is_empty(item)) {
            texts[count++] =
                item->value ? xasprintf("%s=%s", item->name, item->value) : xstrdup(item->name);
        }
    }
    return count;
}

static void switch_list_finish(struct switch_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].name);
        free(list->items[i].value);
    }
    free(list->items);
}

/* When a row of the table applies. */
struct condition {
    const char *text;
    bool (*holds)(const struct chrome_options *options);
};

struct row {
    const char *name;
    const char *value; /* NULL: none; a placeholder for a computed value */
    const char *reason;
    const struct condition *condition;                      /* NULL: always */
    char *(*compute)(const struct chrome_options *options); /* computes the value; NULL: use
                                                               `value` */
};

/* A small /dev/shm, as in most containers, is not used; Debian's start script does the same. */
#define SHARED_MEMORY_MIN (INT64_C(2) << 30)

/* Height of the tab strip and the address bar in Chromium 156. */
enum { BROWSER_UI_HEIGHT = 87, SCREEN_WIDTH_MIN = 1920, SCREEN_HEIGHT_MIN = 1080 };

static bool is_shell_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    return strstr(name, "headless-shell") || strstr(name, "headless_shell");
}

bool chrome_is_headless_shell(const char *program)
{
    CLEANUP_FREE char *real = realpath(program, NULL);
    return is_shell_name(program) || (real && is_shell_name(real));
}

static bool is_headless(const struct chrome_options *options)
{
    return !options->is_headed;
}

static bool is_shell(const struct chrome_options *options)
{
    return chrome_is_headless_shell(options->program);
}

static bool is_headless_chrome(const struct chrome_options *options)
{
    return is_headless(options) && !is_shell(options);
}

static bool has_no_sandbox(const struct chrome_options *options)
{
    return options->has_no_sandbox;
}

static bool has_no_page(const struct chrome_options *options)
{
    return options->has_no_page;
}

static bool has_stable_pixels(const struct chrome_options *options)
{
    return options->has_stable_pixels;
}

static bool has_any_pixels(const struct chrome_options *options)
{
    return !options->has_stable_pixels;
}

static bool has_frame_control(const struct chrome_options *options)
{
    return options->has_frame_control;
}

static bool has_viewport(const struct chrome_options *options)
{
    return options->viewport_width > 0 && options->viewport_height > 0;
}

static bool has_small_shared_memory(const struct chrome_options *options)
{
    return options->shared_memory_free < SHARED_MEMORY_MIN;
}

static bool has_no_extension(const struct chrome_options *options)
{
    for (const char *const *arg = options->user_args; arg && *arg; arg++) {
        if (strstr(*arg, "load-extension=") || strstr(*arg, "disable-extensions-except=")) {
            return false;
        }
    }
    return true;
}

static char *profile_directory(const struct chrome_options *options)
{
    return xstrdup(options->profile_directory);
}

static char *window_size(const struct chrome_options *options)
{
    int above_page = is_shell(options) ? 0 : BROWSER_UI_HEIGHT;
    return xasprintf("%d,%d", options->viewport_width, options->viewport_height + above_page);
}

static char *screen_info(const struct chrome_options *options)
{
    int width = options->viewport_width;
    int height = options->viewport_height;
    return xasprintf("{%dx%d}", width > SCREEN_WIDTH_MIN ? width : SCREEN_WIDTH_MIN,
                     height > SCREEN_HEIGHT_MIN ? height : SCREEN_HEIGHT_MIN);
}

static bool has_way_out(const struct chrome_options *options)
{
    return options->way_out_port > 0;
}

static char *way_out(const struct chrome_options *options)
{
    return xasprintf("socks5://127.0.0.1:%d", options->way_out_port);
}

static const struct condition when_headless = { "without a window", is_headless };
static const struct condition when_headless_chrome = { "a whole Chrome without a window",
                                                       is_headless_chrome };
static const struct condition when_shell = { "headless shell", is_shell };
static const struct condition when_no_sandbox = { "as root, or with --no-sandbox", has_no_sandbox };
static const struct condition when_no_page = { "without a first page", has_no_page };
static const struct condition when_stable_pixels = { "for the same pixels on every machine",
                                                     has_stable_pixels };
static const struct condition when_any_pixels = { "without that", has_any_pixels };
static const struct condition when_virtual_clock = { "with a virtual clock", has_frame_control };
static const struct condition when_viewport = { "with a viewport", has_viewport };
static const struct condition when_small_memory = { "less than 2 GB free in /dev/shm",
                                                    has_small_shared_memory };
static const struct condition when_way_out = { "with rules about hosts", has_way_out };
static const struct condition when_no_extension = { "no extension is loaded", has_no_extension };

/*
 * Omits switches of Puppeteer and Playwright that Chromium 156 no longer knows. There is none about
 * the GPU: --disable-gpu and similar ones saved no time, and ANGLE on SwiftShader more than doubled
 * the time to the first picture; WebGL works without them. --disable-ipc-flooding-protection is
 * absent, too: with it, a page that calls history.pushState() without end stops all pages.
 */
static const struct row rows[] = {
    /* Remote control. */
    { "--remote-debugging-pipe", "cbor",
      "commands and events on descriptors 3 and 4: no open port, and Chrome ends with this "
      "program; in CBOR, which is cheaper for Chrome than text",
      NULL, NULL },
    { "--user-data-dir", "DIR", "Chrome refuses to be debugged on its default profile", NULL,
      profile_directory },
    { "--headless", "new", "no window; pages are rendered as in a Chrome with one",
      &when_headless_chrome, NULL },
    { "--headless", NULL, "the shell knows no other mode", &when_shell, NULL },
    { "--no-sandbox", NULL, "Chrome refuses to start as root with it", &when_no_sandbox, NULL },
    { "--no-startup-window", NULL, "Target.createTarget makes the pages", &when_no_page, NULL },

    /* Window size and input devices, as pages see them on a common desktop. */
    { "--window-size", "WIDTH,HEIGHT", "the first layout has the viewport's size", &when_viewport,
      window_size },
    { "--screen-info", "{WIDTHxHEIGHT}", "the screen is not smaller than the window (800x600)",
      &when_headless, screen_info },
    { "--blink-settings", "primaryHoverType=2",
      "pages see a mouse (hover: hover, pointer: fine) even if none is plugged in", &when_headless,
      NULL },
    { "--blink-settings", "availableHoverTypes=2", "likewise", &when_headless, NULL },
    { "--blink-settings", "primaryPointerType=4", "likewise", &when_headless, NULL },
    { "--blink-settings", "availablePointerTypes=4", "likewise", &when_headless, NULL },
    { "--hide-scrollbars", NULL, "pictures without scroll bars", &when_headless, NULL },
    { "--mute-audio", NULL, "nobody listens", &when_headless, NULL },
    { "--use-fake-ui-for-media-stream", "deny",
      "no prompts for camera or screen, which are invisible and block all input", &when_headless,
      NULL },

    /* The same pixels on every machine. */
    { "--force-color-profile", "srgb", "colours do not depend on the screen", NULL, NULL },
    { "--disable-lcd-text", NULL, "text is smoothed in grey, not for one order of subpixels", NULL,
      NULL },
    { "--font-render-hinting", "none",
      "glyphs do not depend on the system's hinting; Chrome "
      "itself has no such switch",
      &when_shell, NULL },
    { "--force-device-scale-factor", "1",
      "glyphs are placed and hinted as on a plain screen; a page's own ratio is emulated",
      &when_headless, NULL },
    { "--disable-partial-raster", NULL, "a repainted tile equals a newly painted one",
      &when_stable_pixels, NULL },
    { "--disable-skia-runtime-opts", NULL, "pixels do not depend on the CPU's instructions",
      &when_stable_pixels, NULL },

    /* Frames on request, each of which has everything that is to be drawn. */
    { "--enable-begin-frame-control", NULL, "this program says when a frame is drawn",
      &when_virtual_clock, NULL },
    { "--run-all-compositor-stages-before-draw", NULL, "a frame is drawn when it is complete",
      &when_virtual_clock, NULL },
    { "--enable-surface-synchronization", NULL, "likewise", &when_virtual_clock, NULL },
    { "--disable-new-content-rendering-timeout", NULL, "a frame may take any time",
      &when_virtual_clock, NULL },
    { "--disable-threaded-animation", NULL, "animations have the page's time", &when_virtual_clock,
      NULL },
    { "--disable-threaded-scrolling", NULL, "likewise scrolling", &when_virtual_clock, NULL },
    { "--disable-checker-imaging", NULL, "pictures are decoded before the frame is drawn",
      &when_virtual_clock, NULL },
    { "--disable-image-animation-resync", NULL, "animated pictures omit no frames",
      &when_virtual_clock, NULL },

    /* First-run and profile dialogs. */
    { "--no-first-run", NULL, "no welcome pages", NULL, NULL },
    { "--no-default-browser-check", NULL, "no question about the default browser", NULL, NULL },
    { "--hide-crash-restore-bubble", NULL, "no question after a browser that was killed", NULL,
      NULL },
    { "--disable-search-engine-choice-screen", NULL, "no choice of a search engine", NULL, NULL },
    { "--disable-infobars", NULL, "no bars that shrink the page", NULL, NULL },
    { "--disable-prompt-on-repost", NULL, "reloading a submitted form does not ask", NULL, NULL },
    { "--disable-hang-monitor", NULL, "no dialog about a page that hangs", NULL, NULL },
    { "--noerrdialogs", NULL, "no error dialogs of Chrome itself", NULL, NULL },
    { "--disable-popup-blocking", NULL, "scripts may call window.open", NULL, NULL },
    { "--password-store", "basic", "does not ask the desktop's key ring", NULL, NULL },
    { "--use-mock-keychain", NULL, "does not ask the key chain (macOS)", NULL, NULL },
    { "--disable-default-apps", NULL, "installs nothing into a new profile", NULL, NULL },
    { "--disable-extensions", NULL, "pages are shown unchanged", &when_no_extension, NULL },
    { "--disable-component-extensions-with-background-pages", NULL,
      "no background pages of Chrome's own", NULL, NULL },

    /* Pages in the background run as fast as in front. */
    { "--disable-background-timer-throttling", NULL, "timers are not slowed down", NULL, NULL },
    { "--disable-backgrounding-occluded-windows", NULL, "covered windows are painted", NULL, NULL },
    { "--disable-renderer-backgrounding", NULL, "background pages keep their priority", NULL,
      NULL },
    { "--allow-pre-commit-input", NULL, "input right after a navigation is not dropped", NULL,
      NULL },
    { "--disable-back-forward-cache", NULL, "going back has the same events as a navigation", NULL,
      NULL },

    /* No network traffic except the page's. */
    { "--disable-background-networking", NULL, "no requests of Chrome's own", NULL, NULL },
    { "--disable-component-update", NULL, "no downloads of components", NULL, NULL },
    { "--disable-auto-reload", NULL, "only this program retries a page that was not reached", NULL,
      NULL },
    { "--disable-sync", NULL, "nothing is sent to an account", NULL, NULL },
    { "--metrics-recording-only", NULL, "no usage reports", NULL, NULL },
    { "--disable-breakpad", NULL, "no crash reports", NULL, NULL },
    { "--disable-field-trial-config", NULL,
      "no trial settings: a build without a brand can stall its first capture for 10 s with them",
      NULL, NULL },
    { "--disable-quic", NULL, "no waiting for UDP packets that a closed network drops", NULL,
      NULL },

    /* Rules about hosts apply to all requests. */
    { "--proxy-server", "socks5://127.0.0.1:PORT",
      "requests go through the proxy that checks the rules", &when_way_out, way_out },
    { "--proxy-bypass-list", "<-loopback>", "also requests to this machine", &when_way_out, NULL },
    { "--webrtc-ip-handling-policy", "disable_non_proxied_udp", "UDP is blocked", &when_way_out,
      NULL },
    { "--host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
      "the proxy resolves names; Chrome itself would look up those of STUN servers", &when_way_out,
      NULL },

    { "--disable-dev-shm-usage", NULL, "pages crash when the shared memory is full",
      &when_small_memory, NULL },

    { "--enable-features", "CDPScreenshotNewSurface",
      "a capture has a surface of its own, and takes 25 % less time", &when_any_pixels, NULL },
    { "--disable-features", "CDPScreenshotNewSurface",
      "pictures for comparison are captured from the surface that was drawn before, after waiting "
      "for it",
      &when_stable_pixels, NULL },
    { "--disable-features", "WebUIOmniboxPopup",
      "no renderer for the address bar's list: faster start, and no extra target", NULL, NULL },
    { "--disable-features", "WebUIOmniboxAimPopup", "likewise", NULL, NULL },
    { "--disable-features", "HttpsUpgrades", "http addresses are not changed to https", NULL,
      NULL },
    { "--disable-features", "HttpsFirstBalancedModeAutoEnable", "likewise", NULL, NULL },
    { "--disable-features", "PaintHolding", "no picture of the previous page", NULL, NULL },
    { "--disable-features", "DeferRendererTasksAfterInput",
      "timers and messages of a page run right after input, not only after its next frame", NULL,
      NULL },
    { "--disable-features", "Translate", "no offer to translate", NULL, NULL },
    { "--disable-features", "LensOverlay", "no image search", NULL, NULL },
    { "--disable-features", "MediaRouter", "no search for cast devices in the network", NULL,
      NULL },
    { "--disable-features", "DialMediaRouteProvider", "likewise", NULL, NULL },
    { "--disable-features", "GlobalMediaControls", "no media buttons", NULL, NULL },
    { "--disable-features", "OptimizationHints", "no downloads of page hints", NULL, NULL },
    { "--disable-features", "AutofillServerCommunication",
      "descriptions of forms are not sent to Chrome's maker", NULL, NULL },
    { "--disable-features", "NetworkTimeServiceQuerying", "Chrome asks no server for the time",
      NULL, NULL },
    { "--disable-features", "DestroyProfileOnBrowserClose",
      "closing the last page does not end the browser while it writes the profile", NULL, NULL },
};

bool chrome_switch_at(size_t index, struct chrome_switch *ret_row)
{
    if (index >= sizeof(rows) / sizeof(rows[0])) {
        return false;
    }
    const struct row *row = &rows[index];
    *ret_row = (struct chrome_switch){
        .name = row->name,
        .value = row->value ? row->value : "",
        .reason = row->reason,
        .condition = row->condition ? row->condition->text : "",
    };
    return true;
}

static void add_rows(struct switch_list *list, const struct chrome_options *options)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct row *row = &rows[i];
        if (row->condition && !row->condition->holds(options)) {
            continue;
        }
        CLEANUP_FREE char *computed = row->compute ? row->compute(options) : NULL;
        switch_list_add(list, row->name, computed ? computed : row->value);
    }
}

#define HINT_OWN_BROWSER "Use ⟨connect⟩ URL to drive a browser that is already running."
#define HINT_ACTIONS     "Pages are opened and pictured by actions, or by `shot`."

/* Switches that would cut the connection, or make Chrome do something else and exit. */
static const struct refusal {
    const char *name;
    const char *hint;
} refusals[] = {
    { "--remote-debugging-pipe", "It is always passed." },
    { "--remote-debugging-port", HINT_OWN_BROWSER },
    { "--remote-debugging-address", HINT_OWN_BROWSER },
    { "--remote-debugging-io-pipes", HINT_OWN_BROWSER },
    { "--user-data-dir", "Use ⟨profile⟩ DIR, ⟨project⟩ NAME or ⟨temp-profile⟩." },
    { "--headless", "It is the default; ⟨headed⟩ shows a window, and ⟨chrome⟩ headless-shell "
                    "takes the headless shell." },
    { "--no-startup-window", "`start` opens the first page." },
    { "--screenshot", HINT_ACTIONS },
    { "--print-to-pdf", HINT_ACTIONS },
    { "--dump-dom", HINT_ACTIONS },
    { "--type", "Chrome's own processes are started by Chrome." },
    { "--version", "`browser-runner doctor` shows which browser is used." },
    { "--help", "See https://peter.sh/experiments/chromium-command-line-switches/ for a list." },
};

static bool user_arg_check(const char *name, struct br_error *err)
{
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        if (strcmp(refusals[i].name, name) == 0) {
            error_set(err, BR_INVALID_ACTION, "⟨chrome-arg⟩ %s is refused", name);
            return error_hint(err, "%s", refusals[i].hint);
        }
    }
    return true;
}

static bool add_user_arg(struct switch_list *list, const struct chrome_options *options,
                         const char *arg, struct br_error *err)
{
    /* Chrome treats "-name" as "--name". */
    size_t hyphens = strspn(arg, "-");
    if (hyphens == 0 || hyphens > 2 || arg[hyphens] == '\0' || arg[hyphens] == '=') {
        error_set(err, BR_INVALID_ACTION, "'%s' is not a switch of Chrome", arg);
        return error_hint(err, "A switch begins with two hyphens, as in ⟨chrome-arg⟩ --lang=de.");
    }
    const char *equals = strchr(arg, '=');
    size_t length = equals ? (size_t)(equals - arg) : strlen(arg);
    CLEANUP_FREE char *name = xasprintf("--%.*s", (int)(length - hyphens), arg + hyphens);
    if (!user_arg_check(name, err)) {
        return false;
    }
    /* The proxy applies the user's mapping of names; Chrome is to resolve none. */
    if (!has_way_out(options) || strcmp(name, "--host-resolver-rules") != 0) {
        switch_list_add(list, name, equals ? equals + 1 : NULL);
    }
    return true;
}

static char **to_argv(const struct switch_list *list, const struct chrome_options *options)
{
    char **argv = xcalloc(list->count + 3, sizeof(*argv));
    size_t count = 0;
    argv[count++] = xstrdup(options->program);
    count += switch_list_write(list, argv + count);
    if (!options->has_no_page) {
        /* Otherwise Chrome first loads its new tab page. */
        argv[count++] = xstrdup("about:blank");
    }
    return argv;
}

char **chrome_command_line(const struct chrome_options *options, struct br_error *err)
{
    if (options->is_headed && is_shell(options)) {
        error_set(err, BR_INVALID_ACTION, "The headless shell '%s' has no window",
                  options->program);
        error_hint(err, "Use a whole Chrome with ⟨chrome⟩ PATH, or omit ⟨headed⟩.");
        return NULL;
    }
    CLEANUP(switch_list_finish) struct switch_list list = { .items = NULL };
    add_rows(&list, options);
    for (const char *const *arg = options->user_args; arg && *arg; arg++) {
        if (!add_user_arg(&list, options, *arg, err)) {
            return NULL;
        }
    }
    return to_argv(&list, options);
}

void chrome_command_line_destroy(char **argv)
{
    for (char **arg = argv; arg && *arg; arg++) {
        free(*arg);
    }
    free(argv);
}
