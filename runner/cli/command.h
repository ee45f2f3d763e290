/*
 * The commands: one file for each, listed in one table. Options, help and the man page are
 * generated from the tables of options.c and of the commands.
 */
#ifndef RUNNER_CLI_COMMAND_H
#define RUNNER_CLI_COMMAND_H

#include "imaging/diff_options.h"
#include "runner/base/error.h"
#include "runner/checks/verdict.h"
#include "runner/console/print.h"

#include <browser_runner/session.h>
#include <jansson.h>
#include <stddef.h>

enum {
    EXIT_ACTION_FAILED = 1, /* an action or a check failed */
    EXIT_USAGE = 2,         /* bad input; nothing was run */
    EXIT_NO_BROWSER = 3, /* no browser: not found, its profile in use, failed to start; no relay */
    EXIT_INTERRUPTED = 130,
};

/* Which logs of a response go to stderr, in addition to the types of logs. */
enum log_levels {
    LOG_LEVEL_NONE = -1,
    LOG_LEVEL_DEFAULT = -2, /* errors, if stderr is a terminal */
};

/* Collects the values of a repeatable option; NULL-terminated, or NULL. */
struct cli_list {
    const char **items;
    size_t count, capacity;
};

/* The options of `check`. */
struct cli_check_options {
    const char *report, *junit, *timings, *against, *imported, *baselines; /* NULL: not given */
    struct cli_list approved, names, tags;
    enum update_mode update;
    int jobs;    /* 0: not given */
    int retries; /* -1: not given */
    int max_failures, shard_index, shard_total;
    int port; /* of `check review`; 0: any free one */
    bool has_no_open;
    bool is_init, prunes, fails_on_flaky, is_ci, is_forced, allows_errors;
};

/* The CDP endpoint of `serve`. */
struct cli_cdp_options {
    int port; /* -1: not served */
    bool is_read_only, may_close;
};

/* The options of `serve --http`. */
struct cli_http_options {
    int port; /* -1: not served */
    int max_running, max_queued, queue_s, batch_s, keep_s;
    int memory_mb;     /* 0: a share of what there is */
    int recycle_after; /* batches; 0: never */
    int recycle_mb;    /* 0: a share of memory_mb */
};

/* The options of `serve --debug-bridge`. */
struct cli_bridge_options {
    int port;                 /* -1: not given */
    int app_rate, agent_rate; /* messages a second; -1: not given */
    bool includes_newcomer, broadcasts_results, is_verbatim, logs_messages;
    const char *page;                /* driven as an app; NULL: none, or the tab of --tab */
    const char *session_id, *app_id; /* of that app; NULL: not given */
    bool allows_eval;
};

/* The options of `console`, and of `serve --console-bridge`. */
struct cli_console_options {
    int port;     /* of `serve`; -1: not given */
    int max_rate; /* messages a second of a tab; 0: no limit; -1: not given */
    struct console_print print;
    bool has_no_maps; /* positions in scripts stay unchanged */
    const char *url;  /* server to send the pages' console calls to; NULL: none */
};

/* The options of `worker`, `submit` and `results`. */
struct cli_job_options {
    const char *redis; /* NULL: $BROWSER_RUNNER_REDIS */
    struct cli_list streams;
    const char *group, *id, *answers_dir, *batches_dir; /* NULL: not given */
    int slots;                                          /* 0: by processors and memory */
    int lease_s, deliveries, keep_s, grace_s, batches_each;
    int inline_bytes;
    int wait_s;        /* -1: not given */
    bool is_reference; /* submits the path of a file instead of its contents */
    bool is_followed;
    int metrics_port; /* -1: not served */
};
#define CLI_JOB_OPTIONS_INIT                                                                       \
    {                                                                                              \
        .group = "workers", .lease_s = 30, .deliveries = 5, .keep_s = 24 * 3600, .grace_s = 25,    \
        .batches_each = 100, .inline_bytes = 16 * 1024 * 1024, .wait_s = -1, .metrics_port = -1,   \
    }

/* All options of all commands; each command has only some of them. */
struct cli_options {
    struct br_browser_options browser;
    struct br_session_options session;
    struct cli_list chrome_args, allow, deny, schemes;
    char *scheme_text; /* the memory behind the items of `schemes` */
    size_t chunk_size;
    const char *save_dir;
    const char *har;      /* NULL: no archive */
    bool has_har_secrets; /* secrets in its headers are not masked */
    const char *output;
    const char *selector;
    const char *format; /* of a picture; NULL: not given */
    const char *wait_until;
    const char *wait_for;     /* a selector, or text=WORDS; NULL: no additional wait */
    int delay_ms;             /* after all other waiting */
    const char *color_scheme; /* NULL: not given */
    bool has_virtual_clock, has_at;
    int at_ms; /* with has_at: age of the document in the picture */
    bool has_labels, is_stable, ignores_no_ai, allows_http_errors;
    int http_status;          /* of the page that visit_page() opened; 0: none */
    const char *provider;     /* NULL: not given */
    bool tells_all;           /* of `tools`: includes rarely used parts */
    const char *warm;         /* the name of the warm session; NULL: not given */
    const char *unix_path;    /* of `mcp`; NULL: not given */
    int mcp_port;             /* of `mcp` over HTTP; -1: not given */
    bool has_delta;           /* of `act`: tells what changed on the page */
    const char *install;      /* of `skill`: a directory; NULL: prints */
    const char *batch;        /* a file of instructions for it; NULL: none */
    bool forbids_start;       /* of a daemon: it must run already */
    bool is_block, is_shown;  /* picture as its JSON block; or drawn in the terminal */
    bool is_all, is_names;    /* of `session`: all sessions; only their names */
    int idle_s;               /* idle time after which the daemon ends; -1: not given */
    int actions_port;         /* of `serve`; -1: actions are not served */
    int brop_port;            /* of `serve`; -1: BROP is not served */
    int brop_extension_port;  /* port for the extension; -1: none */
    const char *brop_backend; /* NULL: not given */
    int linger_s;             /* how long a session waits for its client to reconnect */
    struct cli_bridge_options bridge;
    struct cli_cdp_options cdp;
    struct cli_http_options http;
    struct cli_console_options console;
    struct cli_job_options jobs;
    const char *host, *token;
    struct cli_list allowed_origins, allowed_hosts;
    const char *access_file; /* NULL: not given */
    const char *bridge_session, *bridge_app;
    const char *bridge_types; /* comma-separated; NULL: all */
    bool is_list;             /* lists only the apps */
    int keep_images;          /* -1: not given */
    bool has_progress;        /* writes lines about running actions */
    bool has_network_filter;  /* not only the default */
    int log_level;            /* an enum br_log_type, or one of enum log_levels */
    struct cli_check_options check;
    struct image_diff_options diff;
    size_t ignored_capacity; /* capacity of diff.ignored */
    json_t *snapshot;        /* parameters of the action; owned */
    bool is_json;            /* prints the result as JSON */
    bool is_full_page;
    bool has_tiles;
    int64_t max_bytes;     /* of a picture; 0: no limit */
    bool has_quality;      /* --quality was given */
    bool has_chunk_size;   /* --chunk-size was given */
    bool dies_with_parent; /* the end of the process that started this one counts as a signal */
    char **operands;
    size_t operand_count;
    const struct command *const *commands; /* all commands; NULL-terminated */
};

/* Groups of options; a command has several. */
enum option_group {
    OPTIONS_BROWSER = 1, /* commands that use a browser */
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
    OPTIONS_MCP = 16384,
    OPTIONS_SKILL = 32768,
    OPTIONS_WORKER = 65536,
    OPTIONS_SUBMIT = 131072,
    OPTIONS_RESULTS = 262144,
};

struct command {
    const char *name;
    const char *operands;    /* for the usage line */
    const char *summary;     /* one line, no full stop */
    const char *description; /* paragraphs */
    const char *examples;    /* command lines, one on each line */
    const char *words;       /* accepted operands, separated by spaces; NULL: files */
    int option_groups;
    size_t min_operands, max_operands;
    bool takes_params; /* unknown options are passed on as operands */
    /* Returns the exit code. Results go to stdout, the rest to stderr. */
    int (*run)(struct cli_options *options);
};

extern const struct command command_act, command_bridge, command_check, command_completion,
    command_console, command_diff, command_doctor, command_history, command_mcp, command_profile,
    command_results, command_run, command_schema, command_serve, command_session, command_shot,
    command_skill, command_snapshot, command_submit, command_tools, command_worker;

void cli_list_add(struct cli_list *list, const char *value);

/*
 * Whether writing to stdout failed because its reader, such as `head`, has closed the pipe. Such a
 * reader has read enough: the program ends without a message.
 */
bool cli_has_lost_reader(void);

/* Prints an error and its hint to stderr; nothing after cli_has_lost_reader(). */
void cli_print_error(const struct br_error *err);

/* Prints once on stderr where the debug files are. */
void cli_tell_debug(const struct br_response *response, bool *has_told);

/* Prints a warning to stderr. */
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints to stderr the logs of a response that --log-level selects. */
void cli_print_logs(const struct cli_options *options, const struct br_response *response);

/* Returns --token, else $BROWSER_RUNNER_TOKEN; NULL if there is neither. */
const char *cli_token(const struct cli_options *options);

/* Returns the exit code for an error that ended a command. */
int cli_exit_code(const struct br_error *err);

/*
 * Writes all bytes to the file; the error names its path. Only the user can read a new file; an
 * existing one keeps its mode.
 */
bool cli_write_file(const char *path, const void *bytes, size_t size, struct br_error *err);

/* Returns the picture format of a file's extension; NULL for NULL or an unknown one. */
const char *cli_picture_format(const char *path);

#endif
