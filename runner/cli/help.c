#include "runner/cli/help.h"

#include "runner/cli/commands.h"

#include <string.h>

static const char *const about =
    "browser-runner drives the system's Chrome through batches of XML instructions and answers "
    "every action with one line of JSON: what happened, what the page logged and requested, and "
    "pictures as JPEG blocks that a model can read.";

enum { HELP_COLUMNS = 90, HELP_INDENT = 30 };

/* Characters of the next word, and its bytes. */
static size_t word_width(const char *word, size_t *ret_bytes)
{
    size_t width = 0;
    size_t bytes = strcspn(word, " ");
    for (size_t i = 0; i < bytes; i++) {
        width += ((unsigned char)word[i] & 0xC0) != 0x80;
    }
    *ret_bytes = bytes;
    return width;
}

void help_print_wrapped(FILE *file, const char *text, size_t column, size_t indent)
{
    bool is_line_start = true;
    while (*text) {
        size_t bytes = 0;
        size_t width = word_width(text, &bytes);
        if (!is_line_start && column + 1 + width > HELP_COLUMNS) {
            fprintf(file, "\n%*s", (int)indent, "");
            column = indent;
            is_line_start = true;
        }
        fprintf(file, "%s%.*s", is_line_start ? "" : " ", (int)bytes, text);
        column += width + !is_line_start;
        is_line_start = false;
        text += bytes;
        text += strspn(text, " ");
    }
    fputc('\n', file);
}

void help_print_entry(FILE *file, const char *name, const char *text)
{
    int width = fprintf(file, "  %s", name);
    fprintf(file, "%*s", width < HELP_INDENT ? HELP_INDENT - width : 1, "");
    help_print_wrapped(file, text, width < HELP_INDENT ? HELP_INDENT : (size_t)width + 1,
                       HELP_INDENT);
}

/* One that need not be there is written without a space: --update[=WHICH]. */
static const char *argument_gap(const struct option *option)
{
    return option->argument && option->argument[0] != '[' ? " " : "";
}

static void print_option(FILE *file, const struct option *option)
{
    int width = fprintf(file, "  %s--%s%s%s", option->letter == 'o' ? "-o, " : "    ", option->name,
                        argument_gap(option), option->argument ? option->argument : "");
    fprintf(file, "%*s", width < HELP_INDENT ? HELP_INDENT - width : 1, "");
    help_print_wrapped(file, option->help, HELP_INDENT, HELP_INDENT);
}

void help_print(FILE *file, const struct command *command)
{
    fprintf(file, "Usage: browser-runner %s [OPTION]… %s\n\n%s.\n\n", command->name,
            command->operands, command->summary);
    help_print_wrapped(file, command->description, 0, 0);
    fprintf(file, "\nOptions:\n");
    const struct option *option;
    for (size_t i = 0; (option = option_at(i)); i++) {
        if (option_is_of(option, command)) {
            print_option(file, option);
        }
    }
    fprintf(file, "  %-28s%s\n\nExamples:\n%s", "-h, --help", "print this", command->examples);
}

static const char *const exit_codes[][2] = {
    { "0", "all succeeded" },
    { "1", "an action or a check failed" },
    { "2", "bad input or usage, nothing was run" },
    { "3", "the browser could not be had: not found, profile in use, launch failed" },
    { "130", "interrupted" },
};
enum { EXIT_CODE_COUNT = sizeof(exit_codes) / sizeof(exit_codes[0]) };

void help_print_all(FILE *file)
{
    fprintf(file, "Usage: browser-runner COMMAND [OPTION]…\n\n"
                  "Drives the system's Chrome and answers with pictures and logs.\n\nCommands:\n");
    for (size_t i = 0; commands[i]; i++) {
        fprintf(file, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    }
    fputs("\nbrowser-runner COMMAND --help says more, browser-runner help actions what a batch "
          "may do;\n--version prints the version.\n\nExit codes:\n",
          file);
    for (size_t i = 0; i < EXIT_CODE_COUNT; i++) {
        fprintf(file, "  %-4s %s\n", exit_codes[i][0], exit_codes[i][1]);
    }
}

/* Text for roff: hyphens and backslashes stay what they are, a line never begins a request. */
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

static void print_man_option(FILE *file, const struct option *option)
{
    fprintf(file, ".TP\n\\fB%s\\-\\-", option->letter == 'o' ? "\\-o\\fR, \\fB" : "");
    print_roff(file, option->name);
    fprintf(file, "\\fR%s\\fI%s\\fR\n", argument_gap(option),
            option->argument ? option->argument : "");
    print_roff(file, option->help);
    fputc('\n', file);
}

static void print_man_command(FILE *file, const struct command *command)
{
    fprintf(file, ".SS \"browser\\-runner %s %s\"\n", command->name, command->operands);
    print_roff(file, command->summary);
    fputs(".\n.PP\n", file);
    print_roff(file, command->description);
    fputc('\n', file);
    const struct option *option;
    for (size_t i = 0; (option = option_at(i)); i++) {
        if (option_is_of(option, command) && option->group != OPTIONS_BROWSER) {
            print_man_option(file, option);
        }
    }
    fputs(".PP\nExamples:\n.PP\n.nf\n", file);
    print_roff(file, command->examples);
    fputs(".fi\n", file);
}

void help_print_man(FILE *file)
{
    fprintf(file, ".TH BROWSER\\-RUNNER 1 \"\" \"browser\\-runner %s\"\n", br_version());
    fputs(".SH NAME\nbrowser\\-runner \\- drive Chrome, answer with pictures and logs\n"
          ".SH SYNOPSIS\n\\fBbrowser\\-runner\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]...\n"
          ".SH DESCRIPTION\n",
          file);
    print_roff(file, about);
    fputs("\n.SH COMMANDS\n", file);
    for (size_t i = 0; commands[i]; i++) {
        print_man_command(file, commands[i]);
    }
    fputs(".SH \"OPTIONS OF COMMANDS THAT DRIVE A BROWSER\"\n", file);
    const struct option *option;
    for (size_t i = 0; (option = option_at(i)); i++) {
        if (option->group == OPTIONS_BROWSER) {
            print_man_option(file, option);
        }
    }
    fputs(".SH \"EXIT STATUS\"\n", file);
    for (size_t i = 0; i < EXIT_CODE_COUNT; i++) {
        fprintf(file, ".TP\n%s\n%s\n", exit_codes[i][0], exit_codes[i][1]);
    }
}
