/*
 * Decodes pictures as the program does, for decode_oracle.py: for each path on stdin, prints the
 * size and then all pixels (red, green, blue, alpha), or a line that begins with "error: ".
 */
#include "imaging/decode.h"
#include "runner/base/file.h"
#include "runner/base/memory.h"

#include <stdio.h>
#include <string.h>

enum { MAX_FILE = 256 * 1024 * 1024 };

static bool print_pixels(const char *path, struct br_error *err)
{
    size_t size = 0;
    struct br_image image;
    CLEANUP_FREE char *bytes = file_read(path, MAX_FILE, &size, err);
    if (!bytes || !image_decode(bytes, size, &image, err)) {
        return false;
    }
    printf("%d %d\n", image.width, image.height);
    fwrite(image.pixels, image_stride(&image), (size_t)image.height, stdout);
    br_image_finish(&image);
    return true;
}

int main(void)
{
    char path[4096];
    while (fgets(path, sizeof(path), stdin)) {
        struct br_error err;
        path[strcspn(path, "\n")] = '\0';
        if (!print_pixels(path, &err)) {
            printf("error: %s\n", err.message);
        }
        fflush(stdout);
    }
    return 0;
}
