#include "runner/actions/tools.h"
#include "runner/base/names.h"
#include "runner/cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

extern const char skill_core[], skill_forms[], skill_debugging[], skill_checks[], skill_sessions[],
    skill_evidence[];

static const struct {
    const char *name, *text;
} topics[] = {
    { "forms", skill_forms },       { "debugging", skill_debugging }, { "checks", skill_checks },
    { "sessions", skill_sessions }, { "evidence", skill_evidence },
};
enum { TOPICS = sizeof(topics) / sizeof(topics[0]) };

/* What an agent finds first. The text itself comes from the program, so that it fits its version.
 */
static const char short_skill[] =
    "---\n"
    "name: browser-runner\n"
    "description: Look at and operate web pages in a real Chrome, from the command line: open, "
    "click, type, fill forms, read logs and requests, take pictures, compare them. Use it to check "
    "what you changed in a web page.\n"
    "---\n"
    "\n"
    "Run `browser-runner skill` and follow what it prints; it fits the installed version. "
    "`browser-runner skill forms`, `debugging`, `checks`, `sessions` and `evidence` have more.\n";

static void print_core(void)
{
    CLEANUP_STRBUF struct strbuf forms = STRBUF_INIT(STRBUF_UNCAPPED);
    tools_forms(&forms);
    printf("%s\nActions and their parameters, which are options of `act` (`promptText` is "
           "`--prompt-text`); element stands\nfor a word that names one:\n\n    ",
           skill_core);
    for (const char *at = forms.data; *at; at++) {
        bool is_end = at[0] == ';' && at[1] == ' ';
        fputs(is_end ? "\n    " : (char[]){ *at, '\0' }, stdout);
        at += is_end;
    }
    fputs("\n\nMore: browser-runner skill", stdout);
    for (size_t i = 0; i < TOPICS; i++) {
        printf("%s%s", i ? "|" : " ", topics[i].name);
    }
    putchar('\n');
}

static bool install(const char *directory, struct br_error *err)
{
    CLEANUP_FREE char *place = xasprintf("%s/browser-runner", directory);
    CLEANUP_FREE char *path = xasprintf("%s/SKILL.md", place);
    if ((mkdir(directory, 0777) != 0 && errno != EEXIST) ||
        (mkdir(place, 0777) != 0 && errno != EEXIST)) {
        error_set_errno(err, BR_INVALID_ACTION, errno, "cannot create %s", place);
        return error_hint(err, "name a directory such as .claude/skills, which exists");
    }
    if (!cli_write_file(path, short_skill, strlen(short_skill), err)) {
        return false;
    }
    puts(path);
    return true;
}

static int run_skill(struct cli_options *options)
{
    struct br_error err;
    const char *names[TOPICS];
    const char *topic = options->operand_count ? options->operands[0] : NULL;
    for (size_t i = 0; i < TOPICS; i++) {
        names[i] = topics[i].name;
        if (topic && strcmp(topic, topics[i].name) == 0 && !options->install) {
            fputs(topics[i].text, stdout);
            return EXIT_SUCCESS;
        }
    }
    if (topic) {
        error_set(&err, BR_INVALID_ACTION,
                  options->install ? "--install takes no topic" : "unknown topic \"%s\"", topic);
        if (!options->install) {
            names_hint(topic, names, TOPICS, &err);
        }
    } else if (!options->install) {
        print_core();
        return EXIT_SUCCESS;
    } else if (install(options->install, &err)) {
        return EXIT_SUCCESS;
    }
    cli_print_error(&err);
    return EXIT_USAGE;
}

const struct command command_skill = {
    .name = "skill",
    .operands = "[TOPIC]",
    .summary = "Prints how an agent uses act and MCP in this version",
    .description = "Without TOPIC it prints what every agent needs, in less than 2,000 tokens; the "
                   "topics are forms, debugging, checks, sessions and evidence. --install writes a "
                   "skill that runs this command into a directory of skills.",
    .examples = "  browser-runner skill\n"
                "  browser-runner skill forms\n"
                "  browser-runner skill --install .claude/skills\n",
    .words = "forms debugging checks sessions evidence",
    .option_groups = OPTIONS_SKILL,
    .max_operands = 1,
    .run = run_skill,
};
