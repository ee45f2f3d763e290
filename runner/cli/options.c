#include "runner/cli/options.h"
#include "runner/cli/option_setters.h"

#include "runner/base/memory.h"
#include "runner/base/names.h"

#include <ctype.h>
#include <string.h>

static const struct option *find_long(const struct command *command, const char *name,
                                      size_t length)
{
    const struct option *option = options_table_at(0);
    for (size_t i = 1; option; option = options_table_at(i++)) {
        if (option_is_of(option, command) && strlen(option->name) == length &&
            strncmp(option->name, name, length) == 0) {
            break;
        }
    }
    return option;
}

static const struct option *find_short(const struct command *command, char letter)
{
    const struct option *option = options_table_at(0);
    for (size_t i = 1; option; option = options_table_at(i++)) {
        if (option_is_of(option, command) && option->letter == letter) {
            break;
        }
    }
    return option;
}

static bool unknown_option(const struct command *command, const char *arg, struct br_error *err)
{
    CLEANUP_FREE const char **names = NULL;
    size_t count = 0;
    size_t capacity = 0;
    const struct option *option = options_table_at(0);
    for (size_t i = 1; option; option = options_table_at(i++)) {
        if (option_is_of(option, command)) {
            names = array_reserve(names, count, &capacity, sizeof(*names));
            names[count++] = option->name;
        }
    }
    const char *nearest = names_nearest(arg + strspn(arg, "-"), names, count);
    error_set(err, BR_INVALID_ACTION, "%s has no option %s", command->name, arg);
    if (nearest) {
        return error_hint(err, "did you mean --%s?", nearest);
    }
    return error_hint(err, "see browser-runner %s --help", command->name);
}

static bool apply(const struct option *option, const char *value, struct cli_options *options,
                  struct br_error *err)
{
    if (option->set(options, value, err)) {
        return true;
    }
    return error_context(err, "--%s", option->name);
}

/* Parses the option at args[*index], and its argument if that is the next word. */
static bool parse_option(const struct command *command, int count, char **args, int *index,
                         struct cli_options *options, struct br_error *err)
{
    const char *arg = args[*index];
    bool is_long = arg[1] == '-';
    const char *value = is_long ? strchr(arg, '=') : NULL;
    size_t length = value ? (size_t)(value - arg - 2) : strlen(arg) - 2;
    const struct option *option =
        is_long ? find_long(command, arg + 2, length) : find_short(command, arg[1]);
    if (!option && command->takes_params && strcmp(arg, "-i") == 0) {
        static char interactive[] = "--interactive";
        options->operands[options->operand_count++] = interactive;
        return true;
    }
    if (!option && command->takes_params && is_long) {
        options->operands[options->operand_count++] = args[*index];
        return true;
    }
    if (!option) {
        return unknown_option(command, arg, err);
    }
    if (value) {
        value++;
    } else if (!is_long && arg[2]) {
        value = arg + 2;
    }
    if (!option->argument && value) {
        return error_set(err, BR_INVALID_ACTION, "--%s takes no argument", option->name);
    }
    bool is_optional = option->argument && option->argument[0] == '[';
    if (option->argument && !value && !is_optional) {
        if (*index + 1 >= count) {
            return error_set(err, BR_INVALID_ACTION, "--%s needs %s after it", option->name,
                             option->argument);
        }
        value = args[++*index];
    }
    return apply(option, value, options, err);
}

static bool check_operands(const struct command *command, const struct cli_options *options,
                           struct br_error *err)
{
    /* An open tab needs no URL. */
    bool has_page =
        options->session.tab && command->option_groups & (OPTIONS_SHOT | OPTIONS_SNAPSHOT);
    bool is_complete = has_page || options->check.imported;
    size_t least = is_complete ? 0 : command->min_operands;
    if (options->operand_count >= least && options->operand_count <= command->max_operands) {
        return true;
    }
    error_set(err, BR_INVALID_ACTION, "%s: %s", command->name,
              options->operand_count < command->min_operands ? "an argument is missing"
                                                             : "too many arguments");
    return error_hint(err, "usage: browser-runner %s %s", command->name, command->operands);
}

static bool check_tab(const struct cli_options *options, struct br_error *err)
{
    if (options->session.idle_detach_ms && !options->browser.connect) {
        error_set(err, BR_INVALID_ACTION,
                  "--idle-detach requires a browser that is already running");
        return error_hint(err, "also give that browser's address: --connect http://127.0.0.1:9222");
    }
    if (!options->session.tab || options->browser.connect) {
        return true;
    }
    error_set(err, BR_INVALID_ACTION, "--tab requires a browser that is already running");
    return error_hint(err, "also give that browser's address: --connect http://127.0.0.1:9222");
}

bool options_parse(const struct command *command, int count, char **args,
                   struct cli_options *ret_options, struct br_error *err)
{
    *ret_options = (struct cli_options){
        .browser = { .wording = BR_WORDING_COMMAND_LINE },
        .session = BR_SESSION_OPTIONS_INIT,
        .diff = IMAGE_DIFF_OPTIONS_INIT,
        .chunk_size = 200 * 1024,
        .snapshot = json_object(),
        .wait_until = "load",
        .keep_images = -1,
        .idle_s = -1,
        .actions_port = -1,
        .mcp_port = -1,
        .brop_port = -1,
        .brop_extension_port = -1,
        .cdp = { .port = -1 },
        .http = { .port = -1,
                  .max_queued = 100,
                  .queue_s = 30,
                  .batch_s = 300,
                  .keep_s = 600,
                  .recycle_after = 1000 },
        .bridge = { .port = -1, .app_rate = -1, .agent_rate = -1 },
        .console = { .port = -1, .max_rate = -1, .print = CONSOLE_PRINT_INIT },
        .check.retries = -1,
        .jobs = CLI_JOB_OPTIONS_INIT,
        .log_level = LOG_LEVEL_DEFAULT,
        .operands = xcalloc((size_t)count + 1, sizeof(char *)),
    };
    bool is_options_end = false;
    for (int i = 0; i < count; i++) {
        /* For a command with parameters, a negative number is not an option. */
        bool is_number = command->takes_params && isdigit((unsigned char)args[i][1]);
        bool is_option = !is_options_end && args[i][0] == '-' && args[i][1] != '\0' && !is_number;
        if (is_option && (strcmp(args[i], "--help") == 0 || strcmp(args[i], "-h") == 0)) {
            err->code = BR_OK;
            return false;
        }
        if (is_option && strcmp(args[i], "--") == 0) {
            is_options_end = true;
            if (command->takes_params) {
                ret_options->operands[ret_options->operand_count++] = args[i];
            }
        } else if (!is_option) {
            ret_options->operands[ret_options->operand_count++] = args[i];
        } else if (!parse_option(command, count, args, &i, ret_options, err)) {
            return false;
        }
    }
    return check_operands(command, ret_options, err) && check_tab(ret_options, err);
}

void options_finish(struct cli_options *options)
{
    free(options->chrome_args.items);
    free(options->allow.items);
    free(options->deny.items);
    free(options->schemes.items);
    free(options->allowed_origins.items);
    free(options->allowed_hosts.items);
    free(options->jobs.streams.items);
    free(options->scheme_text);
    free(options->diff.ignored);
    check_options_finish(options);
    json_decref(options->snapshot);
    free(options->operands);
}
