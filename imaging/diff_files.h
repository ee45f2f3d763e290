/* What differs between two files of pictures; see diff.h. */
#ifndef IMAGING_DIFF_FILES_H
#define IMAGING_DIFF_FILES_H

#include "imaging/diff_options.h"

/* A picture as a file, PNG or JPEG; the name is for errors. */
struct image_diff_file {
    const char *name;
    const void *bytes;
    size_t size;
};

/*
 * As image_diff() for two files. Equal files are done at once, without a picture; of PNG files as
 * Chrome writes them only the rows that differ are made into pixels. INVALID_ACTION with the file's
 * name for one that cannot be read as a picture or is too large. The caller finishes *ret_diff.
 */
bool image_diff_files(const struct image_diff_file *a, const struct image_diff_file *b,
                      const struct image_diff_options *options, struct image_diff *ret_diff,
                      struct br_error *err);

#endif
