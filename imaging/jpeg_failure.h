/* How libjpeg's errors become ours. */
#ifndef IMAGING_JPEG_FAILURE_H
#define IMAGING_JPEG_FAILURE_H

#include "runner/base/error.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

/* libjpeg's error handler, and where it jumps to: whoever calls libjpeg sets `escape` before. */
struct jpeg_failure {
    struct jpeg_error_mgr manager;
    struct br_error *err;
    jmp_buf escape;
};

/* What the codec's `err` has to point to. An error is written to *err before the jump. */
struct jpeg_error_mgr *jpeg_failure_init(struct jpeg_failure *failure, struct br_error *err);

#endif
