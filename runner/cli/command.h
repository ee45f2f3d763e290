/*
 * The commands: one file each, one table of them. Options, help and the man page come from the
 * tables of options.c and of the commands.
 */
#ifndef RUNNER_CLI_COMMAND_H
#define RUNNER_CLI_COMMAND_H

#include "imaging/diff_options.h"
#include "runner/base/error.h"
#include "runner/checks/verdict.h"
#include "runner/servers/console_bridge/print.h"

#include <browser_runner/session.h>
#include <jansson.h>
#include <stddef.h>

enum {
    EXIT_ACTION_FAILED = 1, /* an action or a check failed */
    EXIT_USAGE = 2,         /* bad input; nothing was run */
    EXIT_NO_BROWSER = 3,    /* not found, its profile in use, it did not start; no relay */
    EXIT_INTERRUPTED = 130,
};

/* What of each response goes to stderr, beside the types of logs. */
enum log_levels {
    LOG_LEVEL_NONE = -1,
    LOG_LEVEL_DEFAULT = -2, /* errors, where stderr is a terminal */
};

/* What an option that is given several times collects; NULL-terminated, or NULL. */
struct cli_list {
    const char **items;
    size_t count, capacity;
};

/* What the options of `check` set. */
struct cli_check_options {
    const char *report, *junit, *timings; /* NULL: not given */
    struct cli_list approved, names, tags;
    enum update_mode update;
    int jobs;    /* 0: not given */
    int retries; /* -1: not given */
    int max_failures, shard_index, shard_total;
    bool is_init, prunes, fails_on_flaky, is_ci;
};

/* The CDP endpoint of `serve`. */
struct cli_cdp_options {
    int port; /* -1: it is not served */
    bool is_read_only, may_close;
};

/* What the options of `serve --debug-bridge` set. */
struct cli_bridge_options {
    int port;                 /* -1: not given */
    int app_rate, agent_rate; /* messages a second; -1: not given */
    bool includes_newcomer, broadcasts_results, is_verbatim, logs_messages;
    const char *page;                /* that is driven as an app; NULL: none, or the tab of --tab */
    const char *session_id, *app_id; /* of that app; NULL: not given */
    bool allows_eval;
};

/* What the options of `console` set, and of `serve --console-bridge`. */
struct cli_console_options {
    int port;     /* -1: not given, of `serve` */
    int max_rate; /* messages a second of a tab; 0: all; -1: not given */
    struct console_print print;
    bool has_no_maps; /* places of scripts stay as they are */
    const char *url;  /* where to send what pages say; NULL: nowhere */
};

/* What all options of all commands set; each command has only some of them. */
struct cli_options {
    struct br_browser_options browser;
    struct br_session_options session;
    struct cli_list chrome_args, allow, deny, schemes;
    char *scheme_text; /* what the items of `schemes` point into */
    size_t chunk_size;
    const char *save_dir;
    const char *har;      /* NULL: no archive */
    bool has_har_secrets; /* what its headers give away is not masked */
    const char *output;
    const char *selector;
    const char *format; /* of a picture; NULL: not given */
    const char *wait_until;
    const char *wait_for;     /* a selector, or text=WORDS; NULL: nothing more */
    int delay_ms;             /* behind all other waiting */
    const char *color_scheme; /* NULL: not given */
    bool has_labels, is_stable, ignores_no_ai, allows_http_errors;
    int http_status;          /* of the page that visit_page() opened; 0: none */
    const char *provider;     /* NULL: not given */
    bool tells_all;           /* of tools: also what is seldom needed */
    const char *warm;         /* the name of the warm session; NULL: not given */
    const char *batch;        /* a file of instructions for it; NULL: none */
    bool forbids_start;       /* of a daemon */
    bool is_block, is_shown;  /* a picture as its JSON block; drawn into the terminal */
    bool is_all, is_names;    /* of `session`: all of them; their names alone */
    int idle_s;               /* after which the daemon ends; -1: not given */
    int actions_port;         /* of `serve`; -1: it does not serve actions */
    int brop_port;            /* of `serve`; -1: it does not serve BROP */
    int brop_extension_port;  /* for the extension; -1: none may connect */
    const char *brop_backend; /* NULL: not given */
    int linger_s;             /* how long a session waits for its client */
    struct cli_bridge_options bridge;
    struct cli_cdp_options cdp;
    struct cli_console_options console;
    const char *host, *token;
    struct cli_list allowed_origins, allowed_hosts;
    const char *access_file; /* NULL: not given */
    const char *bridge_session, *bridge_app;
    const char *bridge_types; /* a comma between two; NULL: all */
    bool is_list;             /* of the apps alone */
    int keep_images;          /* -1: not given */
    bool has_progress;        /* lines about actions that run */
    bool has_network_filter;  /* it was given, not only the default */
    int log_level;            /* an enum br_log_type, or one of enum log_levels */
    struct cli_check_options check;
    struct image_diff_options diff;
    size_t ignored_capacity; /* of diff.ignored */
    json_t *snapshot;        /* parameters of the action; owned */
    bool is_json;            /* the result as JSON */
    bool is_full_page;
    bool has_tiles;
    int64_t max_bytes;     /* of a picture; 0: any number */
    bool has_quality;      /* --quality was given */
    bool has_chunk_size;   /* --chunk-size was given */
    bool dies_with_parent; /* the end of whoever started us is a signal to end */
    char **operands;
    size_t operand_count;
    const struct command *const *commands; /* all that there are; NULL-terminated */
};

/* Groups of options; a command takes several. */
enum option_group {
    OPTIONS_BROWSER = 1, /* whatever drives a browser */
    OPTIONS_PICTURE = 2, /* how pictures are made */
    OPTIONS_RUN = 4,
    OPTIONS_SHOT = 8,
    OPTIONS_HISTORY = 16,
    OPTIONS_DIFF = 32,
    OPTIONS_CHECK = 64,
    OPTIONS_SNAPSHOT = 128,
    OPTIONS_TOOLS = 256,
    OPTIONS_ACT = 512,
    OPTIONS_SESSION = 1024,
    OPTIONS_SERVE = 2048,
    OPTIONS_BRIDGE = 4096,
    OPTIONS_CONSOLE = 8192,
};

struct command {
    const char *name;
    const char *operands;    /* as in the usage line */
    const char *summary;     /* one line, no full stop */
    const char *description; /* paragraphs */
    const char *examples;    /* command lines, one a line */
    const char *words;       /* what an operand may be, a space between two; NULL: files */
    int option_groups;
    size_t min_operands, max_operands;
    bool takes_params; /* options that it does not have are operands, as they stand */
    /* Returns the exit code. Results go to stdout, the rest to stderr. */
    int (*run)(struct cli_options *options);
};

extern const struct command command_act, command_bridge, command_check, command_completion,
    command_console, command_diff, command_doctor, command_history, command_profile, command_run,
    command_schema, command_serve, command_session, command_shot, command_snapshot, command_tools;

void cli_list_add(struct cli_list *list, const char *value);

/*
 * Whether something could not be written to stdout because its reader, such as `head`, has closed
 * the pipe. That is a reader who has read enough: the program ends without a message.
 */
bool cli_has_lost_reader(void);

/* Prints an error and its hint to stderr; nothing after cli_has_lost_reader(). */
void cli_print_error(const struct br_error *err);

/* Says on stderr where the debug files are, once. */
void cli_tell_debug(const struct br_response *response, bool *has_told);

/* Prints a warning to stderr. */
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints to stderr what --log-level lets through of a response. */
void cli_print_logs(const struct cli_options *options, const struct br_response *response);

/* --token, else $BROWSER_RUNNER_TOKEN; NULL: neither. */
const char *cli_token(const struct cli_options *options);

/* The exit code for an error that ended a command. */
int cli_exit_code(const struct br_error *err);

/*
 * Writes all bytes to the file, or the error with its path. A new one is for the user alone; one
 * that is there keeps its mode.
 */
bool cli_write_file(const char *path, const void *bytes, size_t size, struct br_error *err);

/* The format that a picture's file is named after; NULL, also of NULL: none that is known. */
const char *cli_picture_format(const char *path);

#endif
