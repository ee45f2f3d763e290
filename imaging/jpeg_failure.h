/* Converts libjpeg's errors to ours. */
#ifndef IMAGING_JPEG_FAILURE_H
#define IMAGING_JPEG_FAILURE_H

#include "runner/base/error.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

/* libjpeg's error handler and its jump target: callers of libjpeg set `escape` first. */
struct jpeg_failure {
    struct jpeg_error_mgr manager;
    struct br_error *err;
    jmp_buf escape;
};

/* Returns the value for the codec's `err`. An error is written to *err before the jump. */
struct jpeg_error_mgr *jpeg_failure_init(struct jpeg_failure *failure, struct br_error *err);

#endif
