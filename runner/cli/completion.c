#include "runner/actions/actions.h"
#include "runner/cli/command.h"
#include "runner/cli/option.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Whether a shell completes the option's argument as a path. */
static bool takes_path(const struct option *option)
{
    static const char *const names[] = { "FILE", "DIR", "PATH", NULL };
    for (size_t i = 0; option->argument && names[i]; i++) {
        if (strcmp(option->argument, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool takes_session(const struct option *option)
{
    return strcmp(option->name, "session") == 0;
}

/* Calls `print` for each option of the command. */
static void each_option(const struct command *command,
                        void (*print)(const struct command *command, const struct option *option))
{
    const struct option *option;
    for (size_t i = 0; (option = options_table_at(i)); i++) {
        if (option_is_of(option, command)) {
            print(command, option);
        }
    }
}

/* Prints the parameters of a type as options of `act`: --click-count. */
static void print_params(const struct action_type *type)
{
    const struct action_tables tables = action_type_tables(type);
    for (size_t i = 0; i < PARAM_TABLES; i++) {
        for (const struct param *row = tables.params[i]; row && row->name; row++) {
            fputs(" --", stdout);
            for (const char *c = row->name; *c; c++) {
                printf(isupper((unsigned char)*c) ? "-%c" : "%c", tolower((unsigned char)*c));
            }
        }
    }
}

/* Prints the types of actions as one shell word. */
static void print_types(void)
{
    for (size_t i = 0; action_types[i]; i++) {
        printf("%s%s", i ? " " : "", action_types[i]->name);
    }
}

static void print_commands(const struct command *const *commands)
{
    for (size_t i = 0; commands[i]; i++) {
        printf("%s ", commands[i]->name);
    }
    fputs("help", stdout);
}

/* bash */

static void print_bash_option(const struct command *command, const struct option *option)
{
    (void)command;
    printf(" --%s", option->name);
    if (option->letter) {
        printf(" -%c", option->letter);
    }
}

static void print_bash_paths(const struct command *command, const struct option *option)
{
    if (takes_path(option)) {
        printf("|%s:--%s", command->name, option->name);
        if (option->letter) {
            printf("|%s:-%c", command->name, option->letter);
        }
    }
}

static void print_bash(const struct command *const *commands)
{
    fputs("# Completion of browser-runner for bash, made by `browser-runner completion bash`.\n"
          "_browser_runner() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command=${COMP_WORDS[1]} words= i\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        COMPREPLY=($(compgen -W \"",
          stdout);
    print_commands(commands);
    fputs("\" -- \"$cur\"))\n        return\n    fi\n    case $command:$prev in\n"
          "        act:--session|act:-s|session:stop|session:info)\n"
          "            words=$(browser-runner session list --names 2>/dev/null)\n"
          "            COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n            return ;;\n"
          "        -:-",
          stdout);
    for (size_t i = 0; commands[i]; i++) {
        each_option(commands[i], print_bash_paths);
    }
    fputs(")\n            COMPREPLY=($(compgen -f -- \"$cur\"))\n            return ;;\n    esac\n"
          "    case $command in\n",
          stdout);
    for (size_t i = 0; commands[i]; i++) {
        printf("        %s) words=\"--help", commands[i]->name);
        each_option(commands[i], print_bash_option);
        fputs("\" ;;\n", stdout);
    }
    fputs("        help) words=\"actions ", stdout);
    print_commands(commands);
    fputc(' ', stdout);
    print_types();
    fputs(
        "\" ;;\n    esac\n    if [ \"$command\" = act ]; then\n        case ${COMP_WORDS[2]} in\n",
        stdout);
    for (size_t i = 0; action_types[i]; i++) {
        printf("            %s) words=\"$words", action_types[i]->name);
        print_params(action_types[i]);
        fputs("\" ;;\n", stdout);
    }
    fputs("        esac\n    fi\n    if [[ $cur != -* && $command != help ]]; then\n"
          "        case $command:$COMP_CWORD in\n            act:2) words=\"open shot ",
          stdout);
    print_types();
    fputs("\" ;;\n", stdout);
    for (size_t i = 0; commands[i]; i++) {
        if (commands[i]->words) {
            printf("            %s:2) words=\"%s\" ;;\n", commands[i]->name, commands[i]->words);
        }
    }
    fputs("            *) COMPREPLY=($(compgen -f -- \"$cur\"))\n               return ;;\n"
          "        esac\n    fi\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\n"
          "complete -o filenames -F _browser_runner browser-runner\n",
          stdout);
}

/* zsh */

/* Quotes text in single quotes, and escapes what _arguments would interpret. */
static void print_zsh_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", stdout);
        } else if (strchr("[]:\\", *text)) {
            printf("\\%c", *text);
        } else {
            putchar(*text);
        }
    }
}

static void print_zsh_option(const struct command *command, const struct option *option)
{
    (void)command;
    /* An optional argument follows a =. */
    bool is_optional = option->argument && option->argument[0] == '[';
    fputs(" \\\n                '", stdout);
    printf("*--%s%s[", option->name, is_optional ? "=-" : option->argument ? "=" : "");
    print_zsh_text(option->help);
    putchar(']');
    if (option->argument) {
        fputs(is_optional ? "::" : ":", stdout);
        print_zsh_text(option->argument);
        printf(":%s", takes_session(option) ? "_browser_runner_sessions"
                      : takes_path(option)  ? "_files"
                                            : "");
    }
    putchar('\'');
}

static void print_zsh(const struct command *const *commands)
{
    fputs("#compdef browser-runner\n"
          "# Completion of browser-runner for zsh, made by `browser-runner completion zsh`.\n"
          "_browser_runner_sessions() {\n"
          "    local -a names\n"
          "    names=(${(f)\"$(browser-runner session list --names 2>/dev/null)\"})\n"
          "    compadd -a names\n}\n"
          "_browser_runner() {\n    local -a commands\n    commands=(\n",
          stdout);
    for (size_t i = 0; commands[i]; i++) {
        printf("        '%s:", commands[i]->name);
        print_zsh_text(commands[i]->summary);
        fputs("'\n", stdout);
    }
    fputs(
        "        'help:Says more of a command or an action'\n    )\n"
        "    if (( CURRENT == 2 )); then\n"
        "        _describe command commands\n        return\n    fi\n"
        "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in\n",
        stdout);
    for (size_t i = 0; commands[i]; i++) {
        const char *words = commands[i]->words;
        printf("        %s)\n            _arguments '--help[print its help]'", commands[i]->name);
        each_option(commands[i], print_zsh_option);
        fputs(" \\\n                '", stdout);
        if (commands[i]->takes_params) {
            fputs("1:action:(open shot ", stdout);
            print_types();
            fputs(")' '*:word:_default'\n            ;;\n", stdout);
        } else if (words) {
            printf("1:what:(%s)' '*:argument:_default'\n            ;;\n", words);
        } else {
            fputs("*:argument:_files'\n            ;;\n", stdout);
        }
    }
    fputs("        help) _arguments '1:topic:(actions ", stdout);
    print_commands(commands);
    fputc(' ', stdout);
    print_types();
    fputs(")' ;;\n    esac\n}\n"
          "if [ \"$funcstack[1]\" = _browser-runner ]; then\n    _browser_runner \"$@\"\n"
          "else\n    compdef _browser_runner browser-runner\nfi\n",
          stdout);
}

/* fish */

static void print_fish_text(const char *text)
{
    putchar('\'');
    for (; *text; text++) {
        printf(*text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
    }
    putchar('\'');
}

static void print_fish_option(const struct command *command, const struct option *option)
{
    bool is_optional = option->argument && option->argument[0] == '[';
    printf("complete -c browser-runner -n '__fish_seen_subcommand_from %s' -l %s", command->name,
           option->name);
    if (option->letter) {
        printf(" -s %c", option->letter);
    }
    if (takes_session(option)) {
        fputs(" -x -a '(browser-runner session list --names 2>/dev/null)'", stdout);
    } else if (option->argument && !is_optional) {
        fputs(takes_path(option) ? " -r -F" : " -x", stdout);
    }
    fputs(" -d ", stdout);
    print_fish_text(option->help);
    putchar('\n');
}

static void print_fish_words(const char *command, const char *words)
{
    printf("complete -c browser-runner -n '__fish_seen_subcommand_from %s; and test (count "
           "(commandline -opc)) -eq 2' -x -a '%s",
           command, words);
    if (strcmp(command, "act") == 0 || strcmp(command, "help") == 0) {
        putchar(' ');
        print_types();
    }
    fputs("'\n", stdout);
}

static void print_fish(const struct command *const *commands)
{
    fputs("# Completion of browser-runner for fish, made by `browser-runner completion fish`.\n",
          stdout);
    for (size_t i = 0; commands[i]; i++) {
        printf("complete -c browser-runner -n __fish_use_subcommand -x -a %s -d ",
               commands[i]->name);
        print_fish_text(commands[i]->summary);
        putchar('\n');
    }
    fputs("complete -c browser-runner -n __fish_use_subcommand -x -a help -d 'Says more'\n",
          stdout);
    for (size_t i = 0; commands[i]; i++) {
        if (commands[i]->takes_params) {
            print_fish_words(commands[i]->name, "open shot");
        } else if (commands[i]->words) {
            print_fish_words(commands[i]->name, commands[i]->words);
        }
        each_option(commands[i], print_fish_option);
    }
    print_fish_words("help", "actions");
}

static int run_completion(struct cli_options *options)
{
    static const struct {
        const char *name;
        void (*print)(const struct command *const *commands);
    } shells[] = { { "bash", print_bash }, { "zsh", print_zsh }, { "fish", print_fish } };
    for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
        if (strcmp(shells[i].name, options->operands[0]) == 0) {
            shells[i].print(options->commands);
            return EXIT_SUCCESS;
        }
    }
    cli_warn("no completion for \"%s\": bash, zsh or fish", options->operands[0]);
    return EXIT_USAGE;
}

const struct command command_completion = {
    .name = "completion",
    .operands = "bash | zsh | fish",
    .summary = "Prints a script for shell completion of commands, options and actions",
    .description =
        "An installed program has these scripts where the shells look for them. To load them by "
        "hand: eval \"$(browser-runner completion bash)\" in ~/.bashrc, the same with zsh in "
        "~/.zshrc after compinit, or browser-runner completion fish | source in config.fish.",
    .examples = "  browser-runner completion bash\n",
    .words = "bash zsh fish",
    .min_operands = 1,
    .max_operands = 1,
    .run = run_completion,
};
