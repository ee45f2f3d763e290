#include "runner/cli/option_setters.h"

#include "runner/base/memory.h"
#include "runner/base/names.h"
#include "runner/servers/console_bridge/server.h"

#include <string.h>

enum { MAX_PORT = 65535, MAX_RATE = 1000000 };

DEFINE_STRING_OPTION(bridge_option_session, bridge_session)
DEFINE_STRING_OPTION(bridge_option_app, bridge_app)
DEFINE_SWITCH_OPTION(bridge_option_list, is_list)
DEFINE_STRING_OPTION(bridge_option_types, bridge_types)

DEFINE_STRING_OPTION(console_option_filter, console.print.filter)
DEFINE_SWITCH_OPTION(console_option_location, console.print.has_location)
DEFINE_SWITCH_OPTION(console_option_no_maps, console.has_no_maps)
DEFINE_SWITCH_OPTION(console_option_verbose, console.print.has_latency)

bool console_option_port(struct cli_options *options, const char *value, struct br_error *err)
{
    return option_int(value, 0, MAX_PORT, &options->console.port, err);
}

DEFINE_STRING_OPTION(console_option_send, console.url)

bool console_option_serve(struct cli_options *options, const char *value, struct br_error *err)
{
    if (value && strpbrk(value, ":/")) {
        return console_option_send(options, value, err);
    }
    options->console.port = CONSOLE_PORT;
    return !value || console_option_port(options, value, err);
}

static bool unknown_level(const char *word, struct br_error *err)
{
    static const char *const known[] = { "log",   "info",  "warn",  "error", "debug",  "trace",
                                         "table", "group", "count", "time",  "assert", "dir" };
    error_set(err, BR_INVALID_ACTION, "\"%.60s\" is neither a console level nor a console method",
              word);
    return names_hint(word, known, sizeof(known) / sizeof(known[0]), err);
}

bool console_option_levels(struct cli_options *options, const char *value, struct br_error *err)
{
    uint32_t methods = 0;
    for (const char *at = value;; at++) {
        size_t length = strcspn(at, ",");
        CLEANUP_FREE char *word = xstrndup(at, length);
        uint32_t named = console_methods_named(word);
        if (!named) {
            return unknown_level(word, err);
        }
        methods |= named;
        at += length;
        if (!*at) {
            break;
        }
    }
    options->console.print.methods = methods;
    return true;
}

/* Sets the index of the value among the NULL-terminated choices. */
static bool choose(const char *value, const char *const *choices, int *ret_index,
                   struct br_error *err)
{
    const char *chosen = NULL;
    if (!option_choice(value, choices, &chosen, err)) {
        return false;
    }
    *ret_index = 0;
    while (strcmp(choices[*ret_index], chosen) != 0) {
        ++*ret_index;
    }
    return true;
}

bool console_option_timestamp(struct cli_options *options, const char *value, struct br_error *err)
{
    static const char *const choices[] = {
        [TIME_SHORT] = "time", [TIME_ISO] = "iso", [TIME_NONE] = "none", NULL
    };
    int index = 0;
    bool is_fine = choose(value, choices, &index, err);
    options->console.print.time = (enum console_time)index;
    return is_fine;
}

bool console_option_source(struct cli_options *options, const char *value, struct br_error *err)
{
    static const char *const choices[] = { [SOURCE_HOST] = "host",
                                           [SOURCE_URL] = "url",
                                           [SOURCE_TITLE] = "title",
                                           [SOURCE_NONE] = "none",
                                           NULL };
    int index = 0;
    bool is_fine = choose(value, choices, &index, err);
    options->console.print.source = (enum console_source)index;
    return is_fine;
}

bool console_option_max_rate(struct cli_options *options, const char *value, struct br_error *err)
{
    return option_int(value, 0, MAX_RATE, &options->console.max_rate, err);
}
