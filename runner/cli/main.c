#include "runner/cli/options.h"

#include "runner/base/names.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct command *const commands[] = {
    &command_run, &command_shot, &command_doctor, &command_profile, NULL,
};

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

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; commands[i]; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

static int unknown_command(const char *name)
{
    const char *names[8];
    size_t count = 0;
    for (; commands[count]; count++) {
        names[count] = commands[count]->name;
    }
    const char *nearest = names_nearest(name, names, count);
    cli_warn("unknown command \"%s\"; %s%s%s", name, nearest ? "did you mean \"" : "see --help",
             nearest ? nearest : "", nearest ? "\"?" : "");
    return EXIT_USAGE;
}

static int run_command(const struct command *command, int count, char **args)
{
    struct cli_options options;
    struct br_error err = { 0 };
    int exit_code = EXIT_SUCCESS;
    if (options_parse(command, count, args, &options, &err)) {
        exit_code = command->run(&options);
    } else if (err.code == BR_OK) {
        help_print(stdout, command);
    } else {
        cli_print_error(&err);
        exit_code = EXIT_USAGE;
    }
    options_finish(&options);
    return exit_code;
}

/* What went to stdout counts only when it arrived there. */
static int finish_output(int exit_code)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        cli_warn("cannot write to stdout: %s", strerror(errno));
        return exit_code ? exit_code : EXIT_ACTION_FAILED;
    }
    return exit_code;
}

int main(int argc, char **argv)
{
    /* A reader that went away is an error of writing, not the end of the program. */
    signal(SIGPIPE, SIG_IGN);
    const char *name = argc > 1 ? argv[1] : NULL;
    int exit_code = EXIT_SUCCESS;
    if (!name) {
        help_print_all(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        const struct command *command = argc > 2 ? find_command(argv[2]) : NULL;
        if (argc > 2 && strcmp(argv[2], "--man") == 0) {
            help_print_man(stdout);
        } else if (command) {
            help_print(stdout, command);
        } else {
            help_print_all(stdout);
        }
    } else if (strcmp(name, "--version") == 0) {
        printf("browser-runner %s\n", br_version());
    } else {
        const struct command *command = find_command(name);
        exit_code = command ? run_command(command, argc - 2, argv + 2) : unknown_command(name);
    }
    return finish_output(exit_code);
}
