#include "runner/cli/command.h"

#include "runner/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void cli_print_error(const struct br_error *err)
{
    fprintf(stderr, "browser-runner: %s\n", err->message);
    if (*err->hint) {
        fprintf(stderr, "  %s\n", err->hint);
    }
}

void cli_warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("browser-runner: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

int cli_exit_code(const struct br_error *err)
{
    switch (err->code) {
    case BR_INVALID_ACTION:
    case BR_LIMIT_EXCEEDED:
        return EXIT_USAGE;
    case BR_BROWSER_NOT_FOUND:
    case BR_PROFILE_IN_USE:
    case BR_BROWSER_CRASHED:
    case BR_DISCONNECTED:
        return EXIT_NO_BROWSER;
    default:
        return EXIT_ACTION_FAILED;
    }
}

bool cli_write_file(const char *path, const void *bytes, size_t size, struct br_error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    size_t written = 0;
    while (fd >= 0 && written < size) {
        ssize_t count = write(fd, (const char *)bytes + written, size - written);
        if (count < 0 && errno != EINTR) {
            break;
        }
        written += count > 0 ? (size_t)count : 0;
    }
    int failure = errno;
    bool is_closed = fd >= 0 && close(fd) == 0;
    if (!is_closed || written < size) {
        return error_set_errno(err, BR_UNKNOWN_ERROR, failure, "cannot write %s", path);
    }
    return true;
}
