#include "imaging/diff.h"
#include "imaging/diff_files.h"
#include "imaging/diff_picture.h"
#include "runner/base/file.h"
#include "runner/base/memory.h"
#include "runner/cli/command.h"
#include "runner/cli/diff_text.h"

#include <stdio.h>
#include <string.h>

/* More than an uncompressed PNG of 80 million pixels has. */
#define MAX_FILE_SIZE ((size_t)400 * 1024 * 1024)

/* The caller frees the contents of both files. */
static bool read_both(char *const *paths, struct image_diff_file files[2], struct br_error *err)
{
    for (int i = 0; i < 2; i++) {
        files[i].name = paths[i];
        files[i].bytes = file_read(paths[i], MAX_FILE_SIZE, &files[i].size, err);
        if (!files[i].bytes) {
            return false;
        }
    }
    return true;
}

static bool write_picture(const char *path, const struct image_diff *diff, struct br_error *err)
{
    CLEANUP_FREE unsigned char *bytes = NULL;
    size_t size = 0;
    if (!image_diff_picture_encode(&diff->picture, &bytes, &size, err)) {
        return false;
    }
    if (strcmp(path, "-") != 0) {
        return cli_write_file(path, bytes, size, err);
    }
    return fwrite(bytes, 1, size, stdout) == size ||
           error_set(err, BR_UNKNOWN_ERROR, "cannot write the picture to stdout");
}

/* The result goes to stdout, or to stderr if the picture is written to stdout. */
static void print_result(const struct cli_options *options, const struct image_diff *diff)
{
    FILE *file = options->output && strcmp(options->output, "-") == 0 ? stderr : stdout;
    if (options->is_json) {
        json_auto_t *json = diff_to_json(diff, &options->diff);
        json_dumpf(json, file, JSON_COMPACT | JSON_REAL_PRECISION(12));
        fputc('\n', file);
        return;
    }
    CLEANUP_FREE char *text = diff_to_text(diff, &options->diff);
    fputs(text, file);
}

static int conclude(const struct cli_options *options, const struct image_diff *diff)
{
    struct br_error err = { 0 };
    print_result(options, diff);
    if (options->output && diff->is_different && !write_picture(options->output, diff, &err)) {
        cli_print_error(&err);
        return EXIT_USAGE;
    }
    return diff->is_different ? EXIT_ACTION_FAILED : EXIT_SUCCESS;
}

static int run_diff(struct cli_options *options)
{
    struct image_diff_file files[2] = { 0 };
    struct image_diff diff = { 0 };
    struct br_error err = { 0 };
    int exit_code = EXIT_USAGE;
    options->diff.has_picture = options->output;
    if (read_both(options->operands, files, &err) &&
        image_diff_files(&files[0], &files[1], &options->diff, &diff, &err)) {
        exit_code = conclude(options, &diff);
    } else {
        cli_print_error(&err);
    }
    image_diff_finish(&diff);
    free((void *)files[0].bytes);
    free((void *)files[1].bytes);
    return exit_code;
}

const struct command command_diff = {
    .name = "diff",
    .operands = "A B",
    .summary = "Compares two pictures, PNG or JPEG",
    .description =
        "Counts the pixels that people would see as different, by the rule of pixelmatch 7.2.0: "
        "pixels that only smooth an edge are ignored. Pictures of different size are compared "
        "where both have pixels; all other pixels count as different. The result is \"equal\" for "
        "identical files, and \"alike\" if pixels differ but none counts. Exit code 0: nothing "
        "counts; 1: different; 2: the pictures could not be compared.",
    .examples = "  browser-runner diff before.png after.png -o diff.png\n"
                "  browser-runner diff a.png b.png --threshold 0.05 --ignore 0,0,1280,40 --json\n",
    .option_groups = OPTIONS_DIFF,
    .min_operands = 2,
    .max_operands = 2,
    .run = run_diff,
};
