#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/cli/visit.h"
#include "runner/formats/image_block.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Returns the parameters of the action. Caller decrefs. */
static json_t *params_of(const struct cli_options *options)
{
    json_t *params =
        json_pack("{s:s, s:s*}", "format", options->format, "selector", options->selector);
    if (options->is_full_page) {
        json_object_set_new(params, "fullPage", json_true());
    }
    if (options->has_tiles) {
        json_object_set_new(params, "tiles", json_true());
    }
    if (options->has_labels) {
        json_object_set_new(params, "labels", json_true());
    }
    if (options->max_bytes > 0) {
        json_object_set_new(params, "maxBytes", json_integer(options->max_bytes));
    }
    if (options->has_quality && strcmp(options->format, "png") != 0) {
        json_object_set_new(params, "quality", json_integer(options->session.quality));
    }
    if (options->is_stable) {
        json_object_set_new(params, "stable", json_true());
    }
    if (options->has_at) {
        json_object_set_new(params, "at", json_integer(options->at_ms));
    }
    if (options->ignores_no_ai) {
        json_object_set_new(params, "ignoreNoAi", json_true());
    }
    return params;
}

/* Sets the format by --format or by the file's name; they must agree. */
static bool choose_format(struct cli_options *options, struct br_error *err)
{
    const char *named = cli_picture_format(options->output);
    if (named && options->format && strcmp(named, options->format) != 0) {
        error_set(err, BR_INVALID_ACTION, "--format %s and -o %s do not match", options->format,
                  options->output);
        return error_hint(err, "give the file the extension of its format, or remove --format");
    }
    options->format = options->format ? options->format : named ? named : "jpeg";
    return true;
}

/* Returns the name of one of several files: page.jpg becomes page-01.jpg. Caller frees. */
static char *tile_path(const char *output, size_t index)
{
    const char *name = strrchr(output, '/');
    name = name ? name + 1 : output;
    const char *dot = strrchr(name, '.');
    int stem = (int)(dot && dot > name ? dot - output : (ptrdiff_t)strlen(output));
    return xasprintf("%.*s-%02zu%s", stem, output, index + 1, output + stem);
}

static bool write_picture(const char *output, const struct br_capture *capture,
                          struct br_error *err)
{
    if (!output) {
        json_auto_t *block = image_block(capture);
        json_dumpf(block, stdout, JSON_COMPACT);
        fputc('\n', stdout);
        return true;
    }
    if (strcmp(output, "-") == 0) {
        fwrite(capture->bytes, 1, capture->size, stdout);
        return true;
    }
    return cli_write_file(output, capture->bytes, capture->size, err);
}

static bool write_tiles(const struct cli_options *options, const struct br_response *response,
                        struct br_error *err)
{
    for (size_t i = 0; i < response->tile_count; i++) {
        CLEANUP_FREE char *path = options->output ? tile_path(options->output, i) : NULL;
        if (!write_picture(path, &response->tiles[i].picture, err)) {
            return false;
        }
    }
    return true;
}

static bool write_pictures(const struct cli_options *options, const struct br_response *response,
                           struct br_error *err)
{
    if (!response->post.bytes && response->tile_count == 0) {
        error_set(err, BR_UNKNOWN_ERROR, "there is no picture of %" PRId64 " bytes or less",
                  options->max_bytes);
        return error_hint(err, "raise --max-bytes, or select a part of the page with --selector");
    }
    return options->has_tiles ? write_tiles(options, response, err)
                              : write_picture(options->output, &response->post, err);
}

/* The picture of an error page is written for people to look at, but is not a success. */
static bool is_fine_status(const struct cli_options *options, struct br_error *err)
{
    static const char message[] = "%s answered with HTTP status %d";
    if (options->http_status < 400) {
        return true;
    }
    if (options->allows_http_errors) {
        cli_warn(message, options->operands[0], options->http_status);
        return true;
    }
    error_set(err, BR_NAVIGATION_FAILED, message, options->operands[0], options->http_status);
    return error_hint(err,
                      "the picture shows the page that was loaded; --allow-http-errors accepts it");
}

static bool shoot(struct br_session *session, const struct cli_options *options,
                  struct br_error *err)
{
    json_auto_t *params = params_of(options);
    CLEANUP_RESPONSE struct br_response *response =
        visit_act(session, options, "screenshot", params, err);
    bool has_told = false;
    visit_warn(response);
    if (response) {
        cli_tell_debug(response, &has_told);
    }
    return response && write_pictures(options, response, err) && is_fine_status(options, err);
}

/* Checks what can be checked before a browser is started. */
static bool check_options(const struct cli_options *options, struct br_error *err)
{
    if (options->has_tiles && options->output && strcmp(options->output, "-") == 0) {
        error_set(err, BR_INVALID_ACTION, "--tiles makes several pictures, but -o - takes one");
        return error_hint(err, "write -o page.jpg for page-01.jpg, page-02.jpg and so on");
    }
    if (options->max_bytes > 0 && strcmp(options->format, "webp") == 0) {
        error_set(err, BR_INVALID_ACTION,
                  "--max-bytes is not available for webp, which Chrome encodes");
        return error_hint(err, "use --format jpeg or png");
    }
    if (options->has_at && !options->has_virtual_clock) {
        error_set(err, BR_INVALID_ACTION, "--at needs --clock virtual");
        return error_hint(err, "add --clock virtual, or wait by --delay MS");
    }
    json_auto_t *params = params_of(options);
    return visit_check(options, "screenshot", params, err);
}

static int run_shot(struct cli_options *options)
{
    struct br_error err = { 0 };
    options->session.whole_pages = options->is_full_page || options->has_tiles || options->selector;
    options->is_stable |= options->has_virtual_clock;
    options->browser.stable_pixels |= options->is_stable;
    if (!choose_format(options, &err) || !check_options(options, &err)) {
        cli_print_error(&err);
        return EXIT_USAGE;
    }
    return visit_page(options, shoot);
}

const struct command command_shot = {
    .name = "shot",
    .operands = "URL",
    .summary = "Takes one picture of one page",
    .description = "Without -o the picture goes to stdout as an image block in JSON, as model "
                   "providers accept it. Nothing else is written there. With --tiles a tall page "
                   "becomes several pictures, each as high as the viewport, which overlap a "
                   "little: page-01.jpg, page-02.jpg and so on for -o page.jpg, or one block on "
                   "each line. For a page with an HTTP status of 400 or more the picture is taken, "
                   "but the exit code is 1 unless --allow-http-errors is given.",
    .examples =
        "  browser-runner shot https://example.org/ -o page.jpg\n"
        "  browser-runner shot http://localhost:3000/ --full-page --format png -o - | …\n"
        "  browser-runner shot http://localhost:3000/ --wait-for .chart --stable -o page.png\n"
        "  browser-runner shot http://localhost:3000/ --clock virtual -o page.png\n"
        "  browser-runner shot http://localhost:3000/ --tiles -o page.jpg\n",
    .option_groups = OPTIONS_BROWSER | OPTIONS_PICTURE | OPTIONS_SHOT,
    .min_operands = 1,
    .max_operands = 1,
    .run = run_shot,
};
