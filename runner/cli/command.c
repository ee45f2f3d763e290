#include "runner/cli/command.h"

#include "runner/base/error.h"
#include "runner/base/file.h"
#include "runner/base/memory.h"
#include "runner/formats/terminal_log.h"
#include "runner/hints/wording.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

bool cli_has_lost_reader(void)
{
    struct pollfd end = { .fd = STDOUT_FILENO, .events = POLLOUT };
    return ferror(stdout) && poll(&end, 1, 0) > 0 && (end.revents & (POLLERR | POLLHUP));
}

void cli_print_error(const struct br_error *err)
{
    if (cli_has_lost_reader()) {
        return;
    }
    struct br_error worded = *err;
    wording_error(BR_WORDING_COMMAND_LINE, &worded);
    CLEANUP_FREE char *message = terminal_harmless(worded.message);
    CLEANUP_FREE char *hint = terminal_harmless(worded.hint);
    fprintf(stderr, "browser-runner: %s\n", message);
    if (*hint) {
        fprintf(stderr, "  %s\n", hint);
    }
}

void cli_warn(const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    CLEANUP_FREE char *harmless = terminal_harmless(text);
    fprintf(stderr, "browser-runner: %s\n", harmless);
}

void cli_print_logs(const struct cli_options *options, const struct br_response *response)
{
    bool is_terminal = isatty(STDERR_FILENO);
    const char *no_color = getenv("NO_COLOR");
    int level = options->log_level;
    if (level == LOG_LEVEL_DEFAULT) {
        level = is_terminal ? BR_LOG_ERROR : LOG_LEVEL_NONE;
    }
    if (level == LOG_LEVEL_NONE) {
        return;
    }
    struct terminal_log log = {
        .least = (enum br_log_type)level,
        .has_colors = is_terminal && !(no_color && *no_color),
    };
    CLEANUP_FREE char *text = terminal_log_text(&log, response);
    fputs(text, stderr);
}

void cli_tell_debug(const struct br_response *response, bool *has_told)
{
    if (response->debug_dir && !*has_told) {
        cli_warn("debug files are in %s", response->debug_dir);
        *has_told = true;
    }
}

const char *cli_token(const struct cli_options *options)
{
    const char *of_environment = getenv("BROWSER_RUNNER_TOKEN");
    return options->token                      ? options->token
           : of_environment && *of_environment ? of_environment
                                               : NULL;
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
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    struct stat info;
    bool is_file = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    if (fd >= 0 && file_write_and_close(fd, bytes, size)) {
        return true;
    }
    int failure = errno;
    if (is_file) {
        unlink(path); /* an incomplete picture is useless */
    }
    return error_set_errno(err, BR_UNKNOWN_ERROR, failure, "cannot write %s", path);
}

const char *cli_picture_format(const char *path)
{
    static const struct {
        const char *suffix, *format;
    } table[] = { { ".jpg", "jpeg" }, { ".jpeg", "jpeg" }, { ".png", "png" }, { ".webp", "webp" } };
    const char *dot = path ? strrchr(path, '.') : NULL;
    for (size_t i = 0; dot && i < sizeof(table) / sizeof(table[0]); i++) {
        if (strcasecmp(dot, table[i].suffix) == 0) {
            return table[i].format;
        }
    }
    return NULL;
}
