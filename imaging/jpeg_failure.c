#include "imaging/jpeg_failure.h"

_Noreturn static void on_jpeg_error(j_common_ptr codec)
{
    struct jpeg_failure *failure = (struct jpeg_failure *)codec->err;
    char message[JMSG_LENGTH_MAX];
    failure->manager.format_message(codec, message);
    error_set(failure->err, BR_UNKNOWN_ERROR, "JPEG: %s", message);
    longjmp(failure->escape, 1);
}

/*
 * A warning (level -1) reports damage that libjpeg would replace by grey; the other messages are
 * informational.
 */
static void on_jpeg_message(j_common_ptr codec, int level)
{
    if (level < 0) {
        on_jpeg_error(codec);
    }
}

struct jpeg_error_mgr *jpeg_failure_init(struct jpeg_failure *failure, struct br_error *err)
{
    jpeg_std_error(&failure->manager);
    failure->manager.error_exit = on_jpeg_error;
    failure->manager.emit_message = on_jpeg_message;
    failure->err = err;
    return &failure->manager;
}
