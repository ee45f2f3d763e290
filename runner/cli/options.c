#include "runner/cli/options.h"
#include "runner/cli/options_check.h"
#include "runner/cli/options_diff.h"
#include "runner/cli/options_snapshot.h"

#include "profiles/preset.h"
#include "profiles/profile.h"
#include "runner/base/memory.h"
#include "runner/base/names.h"
#include "runner/base/response.h"
#include "runner/formats/provider.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static bool set_integer(const char *value, long min, long max, long *ret_number,
                        struct br_error *err)
{
    char *end = NULL;
    errno = 0;
    long number = strtol(value, &end, 10);
    if (*value == '\0' || *end != '\0' || errno || number < min || number > max) {
        return error_set(err, BR_INVALID_ACTION, "\"%s\" is no number from %ld to %ld", value, min,
                         max);
    }
    *ret_number = number;
    return true;
}

static bool set_int_field(const char *value, long min, long max, int *field, struct br_error *err)
{
    long number = 0;
    if (!set_integer(value, min, max, &number, err)) {
        return false;
    }
    *field = (int)number;
    return true;
}

static bool set_choice(const char *value, const char *const *choices, const char **field,
                       struct br_error *err)
{
    size_t count = 0;
    for (; choices[count]; count++) {
        if (strcmp(value, choices[count]) == 0) {
            *field = value;
            return true;
        }
    }
    error_set(err, BR_INVALID_ACTION, "\"%s\" is not known here", value);
    return names_hint(value, choices, count, err);
}

#define DEFINE_STRING_SETTER(name, field)                                                          \
    static bool name(struct cli_options *options, const char *value, struct br_error *err)         \
    {                                                                                              \
        (void)err;                                                                                 \
        options->field = value;                                                                    \
        return true;                                                                               \
    }
#define DEFINE_SWITCH_SETTER(name, field)                                                          \
    static bool name(struct cli_options *options, const char *value, struct br_error *err)         \
    {                                                                                              \
        (void)err;                                                                                 \
        (void)value;                                                                               \
        options->field = true;                                                                     \
        return true;                                                                               \
    }

DEFINE_STRING_SETTER(set_chrome, session.chrome)
DEFINE_STRING_SETTER(set_profile, session.profile)
DEFINE_STRING_SETTER(set_audit, session.audit)
DEFINE_STRING_SETTER(set_debug_dir, session.debug_dir)
DEFINE_STRING_SETTER(set_log_filter, session.log_filter)
DEFINE_STRING_SETTER(set_downloads, session.downloads)
DEFINE_STRING_SETTER(set_save_dir, save_dir)
DEFINE_STRING_SETTER(set_output, output)
DEFINE_STRING_SETTER(set_selector, selector)
DEFINE_SWITCH_SETTER(set_temp_profile, session.temp_profile)
DEFINE_SWITCH_SETTER(set_debug, session.debug)
DEFINE_SWITCH_SETTER(set_headed, session.headed)
DEFINE_SWITCH_SETTER(set_no_sandbox, session.no_sandbox)
DEFINE_SWITCH_SETTER(set_full_page, is_full_page)
DEFINE_SWITCH_SETTER(set_tiles, has_tiles)
DEFINE_SWITCH_SETTER(set_dies_with_parent, dies_with_parent)
DEFINE_SWITCH_SETTER(set_json, is_json)
DEFINE_SWITCH_SETTER(set_har_secrets, has_har_secrets)

static bool set_har(struct cli_options *options, const char *value, struct br_error *err)
{
    (void)err;
    options->har = value;
    options->session.keeps_headers = true;
    return true;
}

static bool set_project(struct cli_options *options, const char *value, struct br_error *err)
{
    options->session.project = value;
    return profile_project_check(value, err);
}

static bool set_connect(struct cli_options *options, const char *value, struct br_error *err)
{
    static const char *const schemes[] = { "http://", "https://", "ws://", "wss://" };
    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
        if (strncmp(value, schemes[i], strlen(schemes[i])) == 0) {
            options->session.connect = value;
            return true;
        }
    }
    error_set(err, BR_INVALID_ACTION, "\"%s\" is no http, https, ws or wss URL", value);
    return error_hint(err, "write it as http://127.0.0.1:9222");
}

static bool set_show_actions(struct cli_options *options, const char *value, struct br_error *err)
{
    static const char *const choices[] = { "captured", NULL };
    const char *chosen = NULL;
    if (value && !set_choice(value, choices, &chosen, err)) {
        return false;
    }
    options->session.show_actions = chosen ? BR_SHOW_ACTIONS_CAPTURED : BR_SHOW_ACTIONS_LIVE;
    return true;
}

static bool set_preset(struct cli_options *options, const char *value, struct br_error *err)
{
    json_auto_t *preset = preset_load(value, err);
    options->session.preset = value;
    return preset;
}

static bool set_viewport(struct cli_options *options, const char *value, struct br_error *err)
{
    int end = 0;
    double ratio = 0; /* not given */
    int width = 0;
    int height = 0;
    int fields = sscanf(value, "%5dx%5d%n@%lf%n", &width, &height, &end, &ratio, &end);
    if (fields < 2 || value[end] != '\0' || width < 1 || height < 1 || (fields > 2 && ratio <= 0)) {
        error_set(err, BR_INVALID_ACTION, "\"%s\" is no viewport", value);
        return error_hint(err, "write it as 1280x720 or 390x844@3");
    }
    options->session.viewport_width = width;
    options->session.viewport_height = height;
    options->session.device_pixel_ratio = ratio;
    return true;
}

static bool set_timeout(struct cli_options *options, const char *value, struct br_error *err)
{
    return set_int_field(value, 1, 24 * 60 * 60 * 1000, &options->session.timeout_ms, err);
}

static bool add_chrome_arg(struct cli_options *options, const char *value, struct br_error *err)
{
    (void)err;
    options->chrome_args =
        array_reserve(options->chrome_args, options->chrome_arg_count + 1,
                      &options->chrome_arg_capacity, sizeof(*options->chrome_args));
    options->chrome_args[options->chrome_arg_count++] = value;
    options->chrome_args[options->chrome_arg_count] = NULL;
    options->session.chrome_args = options->chrome_args;
    return true;
}

static bool set_quality(struct cli_options *options, const char *value, struct br_error *err)
{
    options->has_quality = true;
    return set_int_field(value, 1, 100, &options->session.quality, err);
}

static bool set_max_edge(struct cli_options *options, const char *value, struct br_error *err)
{
    return set_int_field(value, 0, 65535, &options->session.limits.max_edge, err);
}

static bool set_max_pixels(struct cli_options *options, const char *value, struct br_error *err)
{
    long number = 0;
    if (!set_integer(value, 0, BR_IMAGE_MAX_PIXELS, &number, err)) {
        return false;
    }
    options->session.limits.max_pixels = (double)number;
    return true;
}

static bool set_max_bytes(struct cli_options *options, const char *value, struct br_error *err)
{
    long number = 0;
    if (!set_integer(value, 1, INT32_MAX, &number, err)) {
        return false;
    }
    options->max_bytes = number;
    return true;
}

static bool set_screenshots(struct cli_options *options, const char *value, struct br_error *err)
{
    static const char *const names[] = {
        [BR_SCREENSHOTS_BOTH] = "both",
        [BR_SCREENSHOTS_POST] = "post",
        [BR_SCREENSHOTS_NONE] = "none",
        [BR_SCREENSHOTS_EXPLICIT] = "explicit",
        NULL,
    };
    const char *name = NULL;
    if (!set_choice(value, names, &name, err)) {
        return false;
    }
    while (strcmp(names[options->session.screenshots], name) != 0) {
        options->session.screenshots = (options->session.screenshots + 1) % 4;
    }
    return true;
}

static bool set_chunk_size(struct cli_options *options, const char *value, struct br_error *err)
{
    long number = 0;
    if (!set_integer(value, 0, INT32_MAX, &number, err)) {
        return false;
    }
    options->has_chunk_size = true;
    options->chunk_size = (size_t)number;
    return true;
}

static bool set_format(struct cli_options *options, const char *value, struct br_error *err)
{
    static const char *const names[] = { "jpeg", "png", "webp", NULL };
    return set_choice(value, names, &options->format, err);
}

static bool set_wait_until(struct cli_options *options, const char *value, struct br_error *err)
{
    static const char *const names[] = { "load", "domcontentloaded", "networkidle0", "networkidle2",
                                         NULL };
    return set_choice(value, names, &options->wait_until, err);
}

static bool set_provider(struct cli_options *options, const char *value, struct br_error *err)
{
    options->provider = value;
    return provider_check(value, err);
}

static bool set_log_level(struct cli_options *options, const char *value, struct br_error *err)
{
    static const char *const names[] = { "error",   "warning", "info", "debug",
                                         "verbose", "none",    NULL };
    const char *name = NULL;
    enum br_log_type type;
    if (!set_choice(value, names, &name, err)) {
        return false;
    }
    options->log_level = log_type_from_name(name, &type) ? (int)type : LOG_LEVEL_NONE;
    return true;
}

static bool set_keep_images(struct cli_options *options, const char *value, struct br_error *err)
{
    return set_int_field(value, 0, INT32_MAX, &options->keep_images, err);
}

static const struct option table[] = {
    { "output", 'o', "FILE", "write the picture to FILE, - is stdout; without it, its JSON block",
      OPTIONS_SHOT, set_output },
    { "full-page", 0, NULL, "the whole page instead of the viewport, up to 16000 px", OPTIONS_SHOT,
      set_full_page },
    { "selector", 0, "CSS", "only the element that matches", OPTIONS_SHOT | OPTIONS_SNAPSHOT,
      set_selector },
    { "tiles", 0, NULL, "the whole page, or the element, as slices as high as the viewport",
      OPTIONS_SHOT, set_tiles },
    { "max-bytes", 0, "N",
      "make a picture of more than N bytes smaller, then coarser; none at all when that fails",
      OPTIONS_SHOT, set_max_bytes },
    { "output", 'o', "FILE", "write to FILE instead of stdout", OPTIONS_SNAPSHOT, set_output },
    { "json", 0, NULL, "a tree of objects", OPTIONS_SNAPSHOT, snapshot_option_json },
    { "markdown", 0, NULL, "what there is to read, its links and controls annotated",
      OPTIONS_SNAPSHOT, snapshot_option_markdown },
    { "interactive", 0, NULL, "only what a person operates, and what it belongs to",
      OPTIONS_SNAPSHOT, snapshot_option_interactive },
    { "in-viewport", 0, NULL, "only what is in view", OPTIONS_SNAPSHOT,
      snapshot_option_in_viewport },
    { "depth", 0, "N", "so many levels", OPTIONS_SNAPSHOT, snapshot_option_depth },
    { "find", 0, "TEXT", "only what says this, and what it stands in", OPTIONS_SNAPSHOT,
      snapshot_option_find },
    { "find-role", 0, "ROLE", "only what has this role", OPTIONS_SNAPSHOT,
      snapshot_option_find_role },
    { "boxes", 0, NULL, "with places: x, y, width, height in the viewport", OPTIONS_SNAPSHOT,
      snapshot_option_boxes },
    { "urls", 0, NULL, "with the URLs of links and pictures", OPTIONS_SNAPSHOT,
      snapshot_option_urls },
    { "text-length", 0, "N", "cut texts behind N characters (5000); 0: never", OPTIONS_SNAPSHOT,
      snapshot_option_text_length },
    { "max-tokens", 0, "N", "leave out what is least useful until it fits", OPTIONS_SNAPSHOT,
      snapshot_option_max_tokens },
    { "all", 0, NULL, "with --json: each element, nothing left out", OPTIONS_SNAPSHOT,
      snapshot_option_all },
    { "ax", 0, "WHEN",
      "ask Chrome for its accessibility tree: auto (of custom elements alone), none, or full, "
      "which is slow",
      OPTIONS_SNAPSHOT, snapshot_option_ax },
    { "ignore-no-ai", 0, NULL, "show also what the page marks with data-no-ai", OPTIONS_SNAPSHOT,
      snapshot_option_ignore_no_ai },
    { "format", 0, "FORMAT", "jpeg (default), png, or webp as Chrome makes it", OPTIONS_SHOT,
      set_format },
    { "wait-until", 0, "EVENT", "load (default), domcontentloaded, networkidle0 or networkidle2",
      OPTIONS_SHOT | OPTIONS_SNAPSHOT, set_wait_until },
    { "output", 'o', "FILE",
      "write a PNG of what differs to FILE, - is stdout; nothing is written when nothing differs",
      OPTIONS_DIFF, set_output },
    { "threshold", 0, "N",
      "how far apart colours have to be to count: 0 (every difference) to 1 (0.1)", OPTIONS_DIFF,
      diff_option_threshold },
    { "count-antialias", 0, NULL, "also count pixels that only smooth an edge", OPTIONS_DIFF,
      diff_option_count_antialias },
    { "ignore", 0, "X,Y,W,H", "leave this rectangle out; may be given more than once", OPTIONS_DIFF,
      diff_option_ignore },
    { "strict", 0, "N",
      "a second pass with this lower threshold: what it finds counts where it covers a large area",
      OPTIONS_DIFF, diff_option_strict },
    { "strict-area", 0, "PIXELS", "how large for --strict (1000)", OPTIONS_DIFF,
      diff_option_strict_area },
    { "density", 0, "PX",
      "also tell the highest number of different pixels in any square of PX by PX", OPTIONS_DIFF,
      diff_option_density },
    { "checkerboard", 0, NULL,
      "lay what is translucent over a checkerboard instead of white, as pixelmatch does",
      OPTIONS_DIFF, diff_option_checkerboard },
    { "mask", 0, NULL, "in the PNG, leave the page out: transparent where nothing differs",
      OPTIONS_DIFF, diff_option_mask },
    { "max-regions", 0, "N", "list the N largest regions at most (100)", OPTIONS_DIFF,
      diff_option_max_regions },
    { "json", 0, NULL, "print the result as one line of JSON", OPTIONS_DIFF, set_json },
    { "screenshots", 0, "WHEN",
      "both (default: before and after each action), post, none, or explicit: only those of "
      "screenshot actions",
      OPTIONS_RUN, set_screenshots },
    { "save-dir", 0, "DIR", "also write each picture to DIR, named ID-TYPE-pre, -post or -tile-01",
      OPTIONS_RUN, set_save_dir },
    { "log-filter", 0, "JSON", "the logFilter of actions that have none, such as {\"minLevel\":3}",
      OPTIONS_RUN, set_log_filter },
    { "har", 0, "FILE",
      "write an HTTP archive (HAR 1.2) of all requests to FILE; cookies and credentials masked",
      OPTIONS_RUN, set_har },
    { "har-secrets", 0, NULL, "leave cookies, credentials and posted passwords in that archive",
      OPTIONS_RUN, set_har_secrets },
    { "chunk-size", 0, "N", "base64 over N characters goes out in chunks (204800); 0: never",
      OPTIONS_RUN, set_chunk_size },
    { "provider", 0, "NAME",
      "responses as messages for anthropic (default of convert), anthropic-text, openai, gemini or "
      "deepseek, pictures whole; none (default of run): as they are",
      OPTIONS_RUN | OPTIONS_HISTORY, set_provider },
    { "keep-images", 0, "N", "clean: the newest N pictures stay (1)", OPTIONS_HISTORY,
      set_keep_images },
    { "quality", 0, "N", "quality of JPEG and WebP, 1 to 100 (25)", OPTIONS_PICTURE, set_quality },
    { "max-edge", 0, "PX", "shrink pictures to this length of the longer side (1568); 0: do not",
      OPTIONS_PICTURE, set_max_edge },
    { "max-pixels", 0, "N", "shrink pictures to this area (1150000); 0: do not", OPTIONS_PICTURE,
      set_max_pixels },
    { "report", 0, "DIR", "where the report is written; default: beside the suite", OPTIONS_CHECK,
      check_option_report },
    { "junit", 0, "FILE", "write the results as JUnit XML, too", OPTIONS_CHECK,
      check_option_junit },
    { "update", 0, "[=WHICH]",
      "write baselines: those that are missing, those that have changed as well (changed; this is "
      "meant without =WHICH), or all",
      OPTIONS_CHECK, check_option_update },
    { "approve", 0, "NAME",
      "make the picture of the last report the baseline; several names may follow each other",
      OPTIONS_CHECK, check_option_approve },
    { "prune", 0, NULL, "remove baselines that no check uses", OPTIONS_CHECK, check_option_prune },
    { "init", 0, NULL, "write a first suite from URLs", OPTIONS_CHECK, check_option_init },
    { "jobs", 0, "N", "pages at the same time (as many as there are processors)", OPTIONS_CHECK,
      check_option_jobs },
    { "shard", 0, "I/N", "run the I-th of N parts of the suite", OPTIONS_CHECK,
      check_option_shard },
    { "filter", 0, "NAME",
      "only checks whose id, such as home@desktop, has this in it, or matches it as a glob; may be "
      "repeated",
      OPTIONS_CHECK, check_option_filter },
    { "tag", 0, "TAG", "only checks with this tag; may be repeated", OPTIONS_CHECK,
      check_option_tag },
    { "retries", 0, "N", "try a check that fails again so often (1)", OPTIONS_CHECK,
      check_option_retries },
    { "fail-fast", 0, NULL, "end with the first check that fails", OPTIONS_CHECK,
      check_option_fail_fast },
    { "max-failures", 0, "N", "end when so many checks have failed", OPTIONS_CHECK,
      check_option_max_failures },
    { "fail-on-flaky", 0, NULL, "a check that passes only when it is tried again fails the run",
      OPTIONS_CHECK, check_option_fail_on_flaky },
    { "ci", 0, NULL, "a missing baseline is a failure; so it is where $CI is set", OPTIONS_CHECK,
      check_option_ci },
    { "chrome", 0, "PATH",
      "the browser: a path, or chrome, chromium, headless-shell; else $BROWSER_RUNNER_CHROME, "
      "else the usual places",
      OPTIONS_BROWSER, set_chrome },
    { "connect", 0, "URL", "drive a browser that runs already: http://HOST:PORT or ws://…",
      OPTIONS_BROWSER, set_connect },
    { "project", 0, "NAME", "the persistent profile of this name; default: of the directory",
      OPTIONS_BROWSER, set_project },
    { "profile", 0, "DIR", "the persistent profile in this directory", OPTIONS_BROWSER,
      set_profile },
    { "temp-profile", 0, NULL, "a fresh profile, removed at the end", OPTIONS_BROWSER,
      set_temp_profile },
    { "preset", 0, "NAME",
      "a device that pages believe in: desktop, laptop, iphone, pixel, tablet, or ci (fixed time "
      "zone, language and motion)",
      OPTIONS_BROWSER, set_preset },
    { "viewport", 0, "WxH[@DPR]",
      "size of the page in CSS pixels (1280x720); wins over that of a preset", OPTIONS_BROWSER,
      set_viewport },
    { "downloads", 0, "DIR",
      "save what pages download to DIR, under the names that it comes with; without it, downloads "
      "are refused",
      OPTIONS_BROWSER, set_downloads },
    { "headed", 0, NULL, "show the browser's window", OPTIONS_BROWSER, set_headed },
    { "show-actions", 0, "[=captured]",
      "draw what is done into the page, for those who watch: a cursor, a ring, a frame, "
      "the name of a key; pictures are taken without it, unless it is captured",
      OPTIONS_BROWSER, set_show_actions },
    { "timeout", 0, "MS", "for each action that gives none (15000)", OPTIONS_BROWSER, set_timeout },
    { "no-sandbox", 0, NULL, "run Chrome without its sandbox; always so for root", OPTIONS_BROWSER,
      set_no_sandbox },
    { "chrome-arg", 0, "ARG", "pass ARG on to Chrome; may be given more than once", OPTIONS_BROWSER,
      add_chrome_arg },
    { "log-level", 0, "LEVEL",
      "print what pages and actions say to stderr, from this level on: error, warning, info, "
      "debug, "
      "verbose or none; default: error where stderr is a terminal, else none",
      OPTIONS_BROWSER, set_log_level },
    { "audit", 0, "FILE",
      "append one JSON line to FILE for each action and each step of a recovery, secrets masked",
      OPTIONS_BROWSER, set_audit },
    { "debug", 0, NULL,
      "keep each picture, a drawing of where was clicked, metadata.json and the log in files",
      OPTIONS_BROWSER, set_debug },
    { "debug-dir", 0, "DIR",
      "where: a directory for each run below DIR (browser-runner-debug); also for actions with "
      "debug",
      OPTIONS_BROWSER, set_debug_dir },
    { "die-with-parent", 0, NULL, "when the process that started this one ends, end as by SIGTERM",
      OPTIONS_BROWSER, set_dies_with_parent },
};
enum { OPTION_COUNT = sizeof(table) / sizeof(table[0]) };

bool option_is_of(const struct option *option, const struct command *command)
{
    return (command->option_groups & option->group) != 0;
}

static const struct option *find_long(const struct command *command, const char *name,
                                      size_t length)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (option_is_of(&table[i], command) && strlen(table[i].name) == length &&
            strncmp(table[i].name, name, length) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

static const struct option *find_short(const struct command *command, char letter)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (option_is_of(&table[i], command) && table[i].letter == letter) {
            return &table[i];
        }
    }
    return NULL;
}

static bool unknown_option(const struct command *command, const char *arg, struct br_error *err)
{
    const char *names[OPTION_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (option_is_of(&table[i], command)) {
            names[count++] = table[i].name;
        }
    }
    const char *nearest = names_nearest(arg + strspn(arg, "-"), names, count);
    error_set(err, BR_INVALID_ACTION, "%s has no option %s", command->name, arg);
    if (nearest) {
        return error_hint(err, "did you mean --%s?", nearest);
    }
    return error_hint(err, "see browser-runner %s --help", command->name);
}

static bool apply(const struct option *option, const char *value, struct cli_options *options,
                  struct br_error *err)
{
    if (option->set(options, value, err)) {
        return true;
    }
    return error_context(err, "--%s", option->name);
}

/* Reads the option at args[*index], and its argument if that is the next. */
static bool parse_option(const struct command *command, int count, char **args, int *index,
                         struct cli_options *options, struct br_error *err)
{
    const char *arg = args[*index];
    bool is_long = arg[1] == '-';
    const char *value = is_long ? strchr(arg, '=') : NULL;
    size_t length = value ? (size_t)(value - arg - 2) : strlen(arg) - 2;
    const struct option *option =
        is_long ? find_long(command, arg + 2, length) : find_short(command, arg[1]);
    if (!option) {
        return unknown_option(command, arg, err);
    }
    if (value) {
        value++;
    } else if (!is_long && arg[2]) {
        value = arg + 2;
    }
    if (!option->argument && value) {
        return error_set(err, BR_INVALID_ACTION, "--%s takes no argument", option->name);
    }
    bool is_optional = option->argument && option->argument[0] == '[';
    if (option->argument && !value && !is_optional) {
        if (*index + 1 >= count) {
            return error_set(err, BR_INVALID_ACTION, "--%s needs %s behind it", option->name,
                             option->argument);
        }
        value = args[++*index];
    }
    return apply(option, value, options, err);
}

static bool check_operands(const struct command *command, const struct cli_options *options,
                           struct br_error *err)
{
    if (options->operand_count >= command->min_operands &&
        options->operand_count <= command->max_operands) {
        return true;
    }
    error_set(err, BR_INVALID_ACTION, "%s: %s", command->name,
              options->operand_count < command->min_operands ? "something is missing"
                                                             : "there is too much");
    return error_hint(err, "usage: browser-runner %s %s", command->name, command->operands);
}

bool options_parse(const struct command *command, int count, char **args,
                   struct cli_options *ret_options, struct br_error *err)
{
    *ret_options = (struct cli_options){
        .session = BR_SESSION_OPTIONS_INIT,
        .diff = IMAGE_DIFF_OPTIONS_INIT,
        .chunk_size = 200 * 1024,
        .snapshot = json_object(),
        .format = "jpeg",
        .wait_until = "load",
        .keep_images = -1,
        .check.retries = -1,
        .log_level = LOG_LEVEL_DEFAULT,
        .operands = xcalloc((size_t)count + 1, sizeof(char *)),
    };
    bool is_options_end = false;
    for (int i = 0; i < count; i++) {
        bool is_option = !is_options_end && args[i][0] == '-' && args[i][1] != '\0';
        if (is_option && (strcmp(args[i], "--help") == 0 || strcmp(args[i], "-h") == 0)) {
            err->code = BR_OK;
            return false;
        }
        if (is_option && strcmp(args[i], "--") == 0) {
            is_options_end = true;
        } else if (!is_option) {
            ret_options->operands[ret_options->operand_count++] = args[i];
        } else if (!parse_option(command, count, args, &i, ret_options, err)) {
            return false;
        }
    }
    return check_operands(command, ret_options, err);
}

void options_finish(struct cli_options *options)
{
    free(options->chrome_args);
    free(options->diff.ignored);
    check_options_finish(options);
    json_decref(options->snapshot);
    free(options->operands);
}

const struct option *option_at(size_t index)
{
    return index < OPTION_COUNT ? &table[index] : NULL;
}
