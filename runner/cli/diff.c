#include "imaging/decode.h"
#include "runner/base/file.h"
#include "runner/base/memory.h"
#include "runner/cli/command.h"
#include "runner/cli/diff_text.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Beyond what 80 million pixels are as a PNG that is not compressed at all. */
#define MAX_FILE_SIZE ((size_t)400 * 1024 * 1024)

/* One of the two files; each is unpacked by a thread of its own. */
struct input {
    const char *path;
    char *bytes;
    size_t size;
    struct br_image image;
    bool is_decoded;
    struct br_error err;
};

static void input_finish(struct input *input)
{
    free(input->bytes);
    br_image_finish(&input->image);
}

/* What cannot be read as a picture is bad input, whatever else may be said of it. */
static bool input_fail(const struct input *input, struct br_error *err)
{
    err->code = BR_INVALID_ACTION;
    return error_context(err, "%s", input->path);
}

static void *input_decode(void *data)
{
    struct input *input = data;
    input->is_decoded = image_decode(input->bytes, input->size, &input->image, &input->err);
    free(TAKE(input->bytes));
    return NULL;
}

static bool decode_both(struct input *a, struct input *b, struct br_error *err)
{
    pthread_t thread;
    bool has_thread = pthread_create(&thread, NULL, input_decode, b) == 0;
    input_decode(a);
    if (has_thread) {
        pthread_join(thread, NULL);
    } else {
        input_decode(b);
    }
    const struct input *failed = !a->is_decoded ? a : !b->is_decoded ? b : NULL;
    if (failed) {
        *err = failed->err;
        return input_fail(failed, err);
    }
    return true;
}

/* Equal files are equal pictures: their size is all that is to be told. */
static bool compare_equal_files(const struct input *input, const struct image_diff_options *options,
                                struct image_diff *ret_diff, struct br_error *err)
{
    struct br_image image = { 0 };
    struct image_diff_options without_picture = *options;
    without_picture.has_picture = false;
    if (!image_decode_size(input->bytes, input->size, &image.width, &image.height, err)) {
        return input_fail(input, err);
    }
    return image_diff(&image, &image, &without_picture, ret_diff, err);
}

static bool compare(struct input *a, struct input *b, const struct image_diff_options *options,
                    struct image_diff *ret_diff, struct br_error *err)
{
    a->bytes = file_read(a->path, MAX_FILE_SIZE, &a->size, err);
    b->bytes = a->bytes ? file_read(b->path, MAX_FILE_SIZE, &b->size, err) : NULL;
    if (!b->bytes) {
        return false;
    }
    if (a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0) {
        return compare_equal_files(a, options, ret_diff, err);
    }
    return decode_both(a, b, err) && image_diff(&a->image, &b->image, options, ret_diff, err);
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

/* The result goes to stdout, and to stderr when the picture is there. */
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
    struct input a = { .path = options->operands[0] };
    struct input b = { .path = options->operands[1] };
    struct image_diff diff = { 0 };
    struct br_error err = { 0 };
    int exit_code = EXIT_USAGE;
    options->diff.has_picture = options->output;
    if (compare(&a, &b, &options->diff, &diff, &err)) {
        exit_code = conclude(options, &diff);
    } else {
        cli_print_error(&err);
    }
    image_diff_finish(&diff);
    input_finish(&a);
    input_finish(&b);
    return exit_code;
}

const struct command command_diff = {
    .name = "diff",
    .operands = "A B",
    .summary = "Compares two pictures, PNG or JPEG",
    .description = "Counts the pixels that people would see as different, by the rule of "
                   "pixelmatch 7.2.0: pixels that only smooth an edge are forgiven. Pictures of "
                   "different size are compared where both have pixels; all others count as "
                   "different. Exit code 0: equal; 1: different; 2: the pictures could not be "
                   "compared.",
    .examples = "  browser-runner diff before.png after.png -o diff.png\n"
                "  browser-runner diff a.png b.png --threshold 0.05 --ignore 0,0,1280,40 --json\n",
    .option_groups = OPTIONS_DIFF,
    .min_operands = 2,
    .max_operands = 2,
    .run = run_diff,
};
