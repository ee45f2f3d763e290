#include "runner/cli/help_man.h"

#include "runner/base/memory.h"
#include "runner/cli/act_words.h"
#include "runner/cli/commands.h"
#include "runner/cli/help.h"

#include "built_from.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

static const char *const about =
    "browser-runner drives the system's Chrome through batches of XML instructions and answers "
    "every action with one line of JSON: what happened, what the page logged and requested, and "
    "pictures as JPEG blocks that a model can read.";

/* Escapes text for roff: hyphens and backslashes are literal, and no line begins a request. */
static void print_roff(FILE *file, const char *text)
{
    bool is_line_start = true;
    for (; *text; text++) {
        if (is_line_start && (*text == '.' || *text == '\'')) {
            fputs("\\&", file);
        }
        if (*text == '-') {
            fputs("\\-", file);
        } else if (*text == '\\') {
            fputs("\\e", file);
        } else {
            fputc(*text, file);
        }
        is_line_start = *text == '\n';
    }
}

static void print_option(FILE *file, const struct option *option)
{
    fputs(".TP\n\\fB", file);
    if (option->letter) {
        fprintf(file, "\\-%c\\fR, \\fB", option->letter);
    }
    fputs("\\-\\-", file);
    print_roff(file, option->name);
    fprintf(file, "\\fR%s\\fI%s\\fR\n", help_argument_gap(option),
            option->argument ? option->argument : "");
    print_roff(file, option->help);
    fputc('\n', file);
}

static void print_title(FILE *file, const char *command)
{
    fputs(".TH BROWSER\\-RUNNER", file);
    for (const char *c = command; c && *c; c++) {
        fprintf(file, "%s%c", c == command ? "\\-" : "", toupper((unsigned char)*c));
    }
    fprintf(file,
            " 1 \"" BUILT_ON "\" \"browser\\-runner %s\"\n.SH NAME\nbrowser\\-runner%s%s \\- ",
            br_version(), command ? "\\-" : "", command ? command : "");
}

static void print_examples(FILE *file, const char *examples)
{
    fputs(".SH EXAMPLES\n.nf\n", file);
    print_roff(file, examples);
    fputs(".fi\n", file);
}

/* Prints the meaning of the words of `act`, from the table that parses them. */
static void print_words(FILE *file)
{
    CLEANUP_FREE char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (memory) {
        act_words_usage(memory);
        fclose(memory);
        fputs(".SH WORDS\n.nf\n", file);
        print_roff(file, text);
        fputs(".fi\n", file);
    }
}

static void print_exit_status(FILE *file)
{
    fputs(".SH \"EXIT STATUS\"\n", file);
    for (size_t i = 0; help_exit_codes[i][0]; i++) {
        fprintf(file, ".TP\n%s\n%s\n", help_exit_codes[i][0], help_exit_codes[i][1]);
    }
}

static void print_see_also(FILE *file, const struct command *but)
{
    const char *separator = "";
    fputs(".SH \"SEE ALSO\"\n", file);
    if (but) {
        fputs(".BR browser\\-runner (1)", file);
        separator = ",\n";
    }
    for (size_t i = 0; commands[i]; i++) {
        if (commands[i] != but) {
            fprintf(file, "%s.BR browser\\-runner\\-%s (1)", separator, commands[i]->name);
            separator = ",\n";
        }
    }
    fputc('\n', file);
}

static void print_command(FILE *file, const struct command *command)
{
    print_title(file, command->name);
    print_roff(file, command->summary);
    fprintf(file, "\n.SH SYNOPSIS\n\\fBbrowser\\-runner %s\\fR [\\fIOPTION\\fR]... ",
            command->name);
    print_roff(file, command->operands);
    fputs("\n.SH DESCRIPTION\n", file);
    print_roff(file, command->description);
    fputs("\n.SH OPTIONS\n", file);
    const struct option *option;
    for (size_t i = 0; (option = options_table_at(i)); i++) {
        if (option_is_of(option, command)) {
            print_option(file, option);
        }
    }
    if (command->takes_params) {
        print_words(file);
    }
    print_examples(file, command->examples);
    print_exit_status(file);
    print_see_also(file, command);
}

static void print_program(FILE *file)
{
    print_title(file, NULL);
    fputs("drive Chrome, answer with pictures and logs\n.SH SYNOPSIS\n"
          "\\fBbrowser\\-runner\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]...\n.SH DESCRIPTION\n",
          file);
    print_roff(file, about);
    fputs("\n.SH COMMANDS\n", file);
    for (size_t i = 0; commands[i]; i++) {
        fprintf(file, ".TP\n\\fB%s\\fR ", commands[i]->name);
        print_roff(file, commands[i]->operands);
        fputc('\n', file);
        print_roff(file, commands[i]->summary);
        fputs(".\n", file);
    }
    print_exit_status(file);
    print_see_also(file, NULL);
}

void help_man_print(FILE *file, const struct command *command)
{
    if (command) {
        print_command(file, command);
    } else {
        print_program(file);
    }
}

static bool write_page(const char *directory, const struct command *command, struct br_error *err)
{
    CLEANUP_FREE char *path = xasprintf("%s/browser-runner%s%s.1", directory, command ? "-" : "",
                                        command ? command->name : "");
    FILE *file = fopen(path, "we");
    if (file) {
        help_man_print(file, command);
    }
    if (!file || fclose(file) != 0) {
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot write %s", path);
    }
    return true;
}

bool help_man_write(const char *directory, struct br_error *err)
{
    bool is_written = write_page(directory, NULL, err);
    for (size_t i = 0; is_written && commands[i]; i++) {
        is_written = write_page(directory, commands[i], err);
    }
    return is_written;
}
