#include "runner/cli/act_words.h"
#include "runner/cli/commands.h"
#include "runner/cli/help.h"
#include "runner/cli/help_actions.h"
#include "runner/cli/help_man.h"

#include "runner/checks/server_guard.h"

#include "built_from.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More than the pixels of a 1920x1080 picture. */
enum { LARGE_BLOCK = 9 * 1024 * 1024 };

/* Prints the help of a command; for act also its words, or that of the action that was named. */
static void print_help(const struct command *command, const struct cli_options *options)
{
    const char *type = options && command->takes_params && options->operand_count
                           ? act_words_type(options->operands[0])
                           : NULL;
    if (type && help_print_action(stdout, type)) {
        return;
    }
    help_print(stdout, command);
    if (command == &command_act) {
        printf("\nWords:\n");
        act_words_usage(stdout);
    }
}

static int run_command(const struct command *command, int count, char **args)
{
    struct cli_options options;
    struct br_error err = { 0 };
    int exit_code = EXIT_SUCCESS;
    if (options_parse(command, count, args, &options, &err)) {
        options.commands = commands;
        exit_code = command->run(&options);
    } else if (err.code == BR_OK) {
        print_help(command, &options);
    } else {
        cli_print_error(&err);
        exit_code = EXIT_USAGE;
    }
    options_finish(&options);
    return exit_code;
}

/* Runs help --man [COMMAND], and --man-to DIRECTORY, with which the build creates all pages. */
static int run_help_man(int count, char **args)
{
    struct br_error err;
    const char *name = count > 1 ? args[1] : NULL;
    const struct command *command = name ? command_find(name) : NULL;
    if (strcmp(args[0], "--man-to") == 0) {
        if (name && help_man_write(name, &err)) {
            return EXIT_SUCCESS;
        }
        cli_warn("--man-to: %s", name ? err.message : "needs a directory");
        return EXIT_USAGE;
    }
    if (name && !command) {
        return command_unknown(name);
    }
    help_man_print(stdout, command);
    return EXIT_SUCCESS;
}

/* Prints the help of the program, of a command, or of actions. */
static int run_help(int count, char **args)
{
    const char *name = count > 0 ? args[0] : NULL;
    const struct command *command = name ? command_find(name) : NULL;
    bool is_of_actions = name && strcmp(name, "actions") == 0;
    if (!name) {
        help_print_all(stdout);
    } else if (strcmp(name, "--man") == 0 || strcmp(name, "--man-to") == 0) {
        return run_help_man(count, args);
    } else if (command) {
        print_help(command, NULL);
    } else if (is_of_actions && count == 1) {
        help_print_actions(stdout);
    } else if (!help_print_action(stdout, is_of_actions ? args[1] : name)) {
        return command_unknown(is_of_actions ? args[1] : name);
    }
    return EXIT_SUCCESS;
}

static void print_version(void)
{
    printf("browser-runner %s\n", br_version());
    if (*BUILT_FROM_COMMIT) {
        printf("commit %s of %s\n", BUILT_FROM_COMMIT, BUILT_ON);
    }
    printf("built with %s\n", BUILT_WITH_LIBRARIES);
}

/* Output is successful only if it was written completely. */
static int finish_output(int exit_code)
{
    bool is_lost = fflush(stdout) != 0 || ferror(stdout);
    if (is_lost && exit_code == EXIT_SUCCESS) {
        int failure = errno;
        if (!cli_has_lost_reader()) {
            cli_warn("cannot write to stdout: %s", strerror(failure));
        }
        return EXIT_ACTION_FAILED;
    }
    return exit_code;
}

/*
 * A closed standard descriptor would be reused by the next opened file. It is opened read-only, so
 * that writing to a closed stdout is an error.
 */
static void occupy_standard_descriptors(void)
{
    int fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO) {
        fd = open("/dev/null", O_RDONLY);
    }
    if (fd >= 0) {
        close(fd);
    }
}

int main(int argc, char **argv)
{
    if (server_guard_is_wanted(argc, argv)) {
        return server_guard_run(argc, argv);
    }
    occupy_standard_descriptors();
    /* A reader that has closed the pipe is a write error, not the end of the program. */
    signal(SIGPIPE, SIG_IGN);
    /* So is a file that reaches the limit of its size. */
    signal(SIGXFSZ, SIG_IGN);
    /*
     * For snapshots of large pages: larger blocks grow in place, and their memory is returned when
     * they are freed; otherwise the second snapshot takes half as much memory again.
     */
    mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK);
    /* Keeps the memory of two pictures for later ones: allocating it again takes 3 ms for each. */
    mallopt(M_TRIM_THRESHOLD, 2 * LARGE_BLOCK);
    /* Each arena keeps that much, and each session's thread would have one of its own. */
    mallopt(M_ARENA_MAX, 2);
    const char *name = argc > 1 ? argv[1] : NULL;
    int exit_code = EXIT_SUCCESS;
    if (!name) {
        help_print_all(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        exit_code = run_help(argc - 2, argv + 2);
    } else if (strcmp(name, "--version") == 0) {
        print_version();
    } else {
        const struct command *command = command_find(name);
        exit_code = command ? run_command(command, argc - 2, argv + 2) : command_unknown(name);
    }
    return finish_output(exit_code);
}
