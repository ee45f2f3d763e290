/*
 * What imaging/ takes for a picture without any front end. For each line of stdin it does that once
 * and prints the microseconds and the bytes that came out:
 *   jpeg QUALITY 444|420    the PNG as JPEG
 *   scale WIDTH HEIGHT      its pixels made smaller
 *   shrink WIDTH HEIGHT     the file made smaller, as JPEG of quality 25
 * `bench_imaging FILE`, a PNG or, for `shrink`, a JPEG; the file is read beforehand.
 */
#include "imaging/shrink.h"
#include "runner/base/file.h"
#include "runner/base/memory.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MAX_FILE = 256 * 1024 * 1024 };

/* The file, and its pixels if those are scaled. */
struct subject {
    char *bytes;
    size_t size;
    struct br_image image;
};

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static bool to_jpeg(const struct br_image *image, int quality, int chroma, size_t *ret_size,
                    struct br_error *err)
{
    struct br_jpeg_options options = {
        .quality = quality,
        .chroma = chroma == 420 ? BR_CHROMA_420 : BR_CHROMA_444,
    };
    CLEANUP_FREE unsigned char *bytes = NULL;
    return br_jpeg_encode(image, &options, &bytes, ret_size, err);
}

static bool convert(const struct subject *subject, int quality, int chroma, size_t *ret_size,
                    struct br_error *err)
{
    struct br_image image = { 0 };
    bool is_done = br_png_decode(subject->bytes, subject->size, &image, err) &&
                   to_jpeg(&image, quality, chroma, ret_size, err);
    br_image_finish(&image);
    return is_done;
}

static bool scale(const struct subject *subject, int width, int height, size_t *ret_size,
                  struct br_error *err)
{
    struct br_image scaled = { 0 };
    bool is_done = br_image_scale(&subject->image, width, height, &scaled, err);
    br_image_finish(&scaled);
    *ret_size = (size_t)width * (size_t)height * IMAGE_BYTES_PER_PIXEL;
    return is_done;
}

static bool shrink(const struct subject *subject, int width, int height, size_t *ret_size,
                   struct br_error *err)
{
    struct br_image scaled = { 0 };
    bool is_done =
        image_decode_scaled(subject->bytes, subject->size, width, height, &scaled, err) &&
        to_jpeg(&scaled, 25, 444, ret_size, err);
    br_image_finish(&scaled);
    return is_done;
}

static bool answer(struct subject *subject, const char *line, struct br_error *err)
{
    static const struct {
        const char *name;
        bool (*run)(const struct subject *subject, int a, int b, size_t *ret_size,
                    struct br_error *err);
        bool wants_pixels;
    } tasks[] = { { "jpeg", convert, false },
                  { "scale", scale, true },
                  { "shrink", shrink, false } };
    char name[16] = "";
    int a = 0;
    int b = 0;
    size_t size = 0;
    int count = sscanf(line, "%15s %6d %6d", name, &a, &b);
    for (size_t i = 0; count == 3 && i < sizeof(tasks) / sizeof(tasks[0]); i++) {
        if (strcmp(name, tasks[i].name) != 0) {
            continue;
        }
        if (tasks[i].wants_pixels && !subject->image.pixels &&
            !br_png_decode(subject->bytes, subject->size, &subject->image, err)) {
            return false;
        }
        double start = now_us();
        if (!tasks[i].run(subject, a, b, &size, err)) {
            return false;
        }
        printf("%.1f %zu\n", now_us() - start, size);
        fflush(stdout);
        return true;
    }
    return error_set(err, BR_INVALID_ACTION, "no task: %s", line);
}

int main(int argc, char **argv)
{
    struct br_error err = { 0 };
    struct subject subject = { 0 };
    char line[128];
    if (argc == 2) {
        subject.bytes = file_read(argv[1], MAX_FILE, &subject.size, &err);
    }
    bool is_fine = subject.bytes;
    while (is_fine && fgets(line, sizeof(line), stdin)) {
        is_fine = answer(&subject, line, &err);
    }
    if (!is_fine) {
        fprintf(stderr, "bench_imaging: %s\n", argc == 2 ? err.message : "FILE.png is missing");
    }
    free(subject.bytes);
    br_image_finish(&subject.image);
    return is_fine ? 0 : 1;
}
