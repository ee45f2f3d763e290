/* Compares two picture files; see diff.h. */
#ifndef IMAGING_DIFF_FILES_H
#define IMAGING_DIFF_FILES_H

#include "imaging/diff_options.h"

/* A picture file, PNG or JPEG; the name is used in errors. */
struct image_diff_file {
    const char *name;
    const void *bytes;
    size_t size;
};

/*
 * As image_diff(), for two files. Identical files are not decoded; of PNG files as written by
 * Chrome only rows that differ are converted to pixels. Fails with INVALID_ACTION, which names the
 * file, for one that cannot be decoded or is too large. The caller finishes *ret_diff.
 */
bool image_diff_files(const struct image_diff_file *a, const struct image_diff_file *b,
                      const struct image_diff_options *options, struct image_diff *ret_diff,
                      struct br_error *err);

#endif
