/*
 * Feeds any bytes as a message of a client of the CDP endpoint. The command passed to Chrome must
 * equal what jansson reads in the client's text, except for the id and the members that the scope
 * sets. It must name the client's own context if the method has one, and must not be a refused
 * method.
 */
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/servers/cdp/scope.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { FLAGS = JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL };

/* Members that the scope sets; all others must be the client's. */
static bool is_set_here(const char *name)
{
    return strcmp(name, "browserContextId") == 0 || strcmp(name, "disposeOnDetach") == 0 ||
           strcmp(name, "proxyServer") == 0 || strcmp(name, "proxyBypassList") == 0;
}

/* Checks that the sent params are those that jansson reads in the client's text. */
static void check_params(const json_t *given, const json_t *sent)
{
    const char *name;
    json_t *value;
    if (!json_is_object(given)) {
        assert(json_is_null(given) || !given || json_equal(given, sent));
        return;
    }
    json_object_foreach ((json_t *)given, name, value) {
        assert(is_set_here(name) || json_equal(value, json_object_get(sent, name)));
    }
    json_object_foreach ((json_t *)sent, name, value) {
        assert(is_set_here(name) || json_object_get(given, name));
    }
}

static void check_same(const struct raw_command *command, const char *text, size_t size)
{
    json_auto_t *given = memchr(text, '\0', size)
                             ? NULL
                             : json_loadb(text, size, FLAGS | JSON_REJECT_DUPLICATES, NULL);
    json_auto_t *sent = json_loadb(command->bytes, command->length, FLAGS, NULL);
    const char *session = json_member_string(given, "sessionId");
    if (!given) {
        return; /* jansson rejects some texts that Chrome reads, such as half a surrogate pair */
    }
    assert(sent);
    assert(json_real_value(json_object_get(sent, "id")) == 7);
    assert(json_equal(json_object_get(given, "method"), json_object_get(sent, "method")));
    assert(strcmp(session && *session ? session : "root",
                  json_string_value(json_object_get(sent, "sessionId"))) == 0);
    check_params(json_object_get(given, "params"), json_object_get(sent, "params"));
}

static void check_sent(const struct raw_command *command)
{
    json_auto_t *sent = json_loadb(command->bytes, command->length, FLAGS, NULL);
    const json_t *params = json_object_get(sent, "params");
    const char *method = json_member_string(sent, "method");
    if (!sent || !method) {
        return; /* Chrome itself must refuse numbers beyond a double, and methods with a NUL */
    }
    const char *context = json_member_string(params, "browserContextId");
    bool is_open = strcmp(method, "Target.createTarget") == 0 ||
                   strcmp(method, "Browser.setDownloadBehavior") == 0;
    assert(!is_open || !context || strcmp(context, "OWN") == 0);
    assert(!is_open || json_object_get(params, "browserContextId"));
    assert(strcmp(method, "Browser.crash") != 0 && strcmp(method, "Browser.close") != 0 &&
           strncmp(method, "Extensions.", 11) != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const struct scope_options options = { .context_id = "OWN" };
    struct br_error err;
    struct raw_command command;
    struct cdp_ruling ruling = { 0 };
    CLEANUP_FREE char *text = xmalloc(size + 1);
    memcpy(text, bytes, size);
    text[size] = '\0';
    if (raw_command_read(&command, text, size, false, "root", &err)) {
        struct scope *scope = scope_create(&options);
        scope_judge(scope, &command, &ruling);
        scope_destroy(scope);
        if (ruling.params) {
            const struct cdp_slice params = { ruling.params, strlen(ruling.params) };
            raw_command_set_params(&command, params, "root");
        }
        if (!ruling.code && !ruling.result) {
            raw_command_set_id(&command, 7);
            check_sent(&command);
            check_same(&command, text, size);
        }
    }
    free(ruling.params);
    free(ruling.result);
    raw_command_finish(&command);
    return 0;
}
