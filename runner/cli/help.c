#include "runner/cli/help.h"

#include "runner/cli/commands.h"

#include <string.h>

enum { HELP_COLUMNS = 90, HELP_INDENT = 30 };

/* Returns the width of the next word in characters, and its length in bytes. */
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

const char *help_argument_gap(const struct option *option)
{
    return option->argument && option->argument[0] != '[' ? " " : "";
}

static void print_option(FILE *file, const struct option *option)
{
    char letter[] = "-x, ";
    letter[1] = option->letter;
    int width = fprintf(file, "  %s--%s%s%s", option->letter ? letter : "    ", option->name,
                        help_argument_gap(option), option->argument ? option->argument : "");
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
    for (size_t i = 0; (option = options_table_at(i)); i++) {
        if (option_is_of(option, command)) {
            print_option(file, option);
        }
    }
    fprintf(file, "  %-28s%s\n\nExamples:\n%s", "-h, --help", "print this", command->examples);
}

const char *const help_exit_codes[][2] = {
    { "0", "everything succeeded" },
    { "1", "an action or a check failed" },
    { "2", "bad input or usage; nothing ran" },
    { "3", "no browser: not found, profile in use, launch failed" },
    { "130", "interrupted" },
    { NULL, NULL },
};

void help_print_all(FILE *file)
{
    fprintf(file, "Usage: browser-runner COMMAND [OPTION]…\n\n"
                  "Drives the system's Chrome and answers with pictures and logs.\n\nCommands:\n");
    for (size_t i = 0; commands[i]; i++) {
        fprintf(file, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    }
    fputs("\nbrowser-runner COMMAND --help describes a command, browser-runner help actions the "
          "actions;\n--version prints the version.\n\nExit codes:\n",
          file);
    for (size_t i = 0; help_exit_codes[i][0]; i++) {
        fprintf(file, "  %-4s %s\n", help_exit_codes[i][0], help_exit_codes[i][1]);
    }
}
