#include "runner/servers/brop/parts.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/thread.h"
#include "runner/servers/brop/extension.h"

#include <string.h>

static json_t *get_status(struct brop_command *command, struct br_error *err)
{
    (void)err;
    struct brop *brop = command->brop;
    size_t clients = 0;
    for (const struct service_client *client = service_clients(brop->port); client;
         client = client->next) {
        clients++;
    }
    mutex_lock(&brop->mutex);
    size_t tabs = brop->count;
    mutex_unlock(&brop->mutex);
    return json_pack("{s:b, s:s, s:s, s:s, s:b, s:s, s:I, s:I, s:I}", "success", 1, "message",
                     "browser-runner serves BROP", "note",
                     "This command is handled by the bridge server directly", "backend",
                     brop->options.prefers_extension ? "extension" : "runner",
                     "extension_connected", brop_extension_is_connected(brop->extension), "version",
                     br_version(), "clients", (json_int_t)clients, "tabs", (json_int_t)tabs,
                     "uptime_ms", (json_int_t)(clock_monotonic_ms() - brop->started_ms));
}

static json_t *get_version(struct brop_command *command, struct br_error *err)
{
    (void)command;
    (void)err;
    return json_pack("{s:b, s:{s:s, s:s, s:b, s:i, s:I}}", "success", 1, "result",
                     "extension_version", br_version(), "extension_name", "browser-runner",
                     "target_event_blocking_active", 0, "manifest_version", 3, "timestamp",
                     (json_int_t)clock_wall_ms());
}

static json_t *get_errors(struct brop_command *command, struct br_error *err)
{
    (void)err;
    double limit = json_member_number(command->params, "limit", 50);
    return brop_journal_errors(command->brop->journal, limit >= 0 && limit < BROP_ERRORS_MAX
                                                           ? (size_t)limit
                                                           : BROP_ERRORS_MAX);
}

static json_t *clear_errors(struct brop_command *command, struct br_error *err)
{
    (void)err;
    size_t count = brop_journal_clear(command->brop->journal,
                                      json_member_bool(command->params, "clearLogs", false));
    CLEANUP_FREE char *message = xasprintf("Cleared %zu extension errors", count);
    return json_pack("{s:b, s:I, s:s}", "success", 1, "cleared_errors", (json_int_t)count,
                     "message", message);
}

static json_t *reload(struct brop_command *command, struct br_error *err)
{
    (void)err;
    const char *reason = json_member_string(command->params, "reason");
    return json_pack("{s:b, s:s, s:o, s:b}", "success", 1, "message",
                     "There is no extension to reload: browser-runner drives the browser itself",
                     "reason", json_text(reason ? reason : "Manual reload requested"), "reloaded",
                     0);
}

static const struct {
    const char *method;
    json_t *(*answer)(struct brop_command *command, struct br_error *err);
} rows[] = {
    { "get_server_status", get_status },    { "get_extension_version", get_version },
    { "get_extension_errors", get_errors }, { "clear_extension_errors", clear_errors },
    { "reload_extension", reload },
};

bool brop_answer_own(struct brop_command *command)
{
    struct br_error err;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i].method, command->method) == 0) {
            json_t *result = rows[i].answer(command, &err);
            brop_command_answer(command, result, &err);
            return true;
        }
    }
    return false;
}
