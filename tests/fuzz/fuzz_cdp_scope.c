/*
 * Whatever a client of the CDP endpoint may send: what is passed on to Chrome is JSON, names the
 * client's own context where the method has one, and no method that is refused.
 */
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/servers/cdp/scope.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_sent(const struct raw_command *command)
{
    json_auto_t *sent =
        json_loadb(command->bytes, command->length, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, NULL);
    const json_t *params = json_object_get(sent, "params");
    const char *method = json_member_string(sent, "method");
    if (!sent || !method) {
        return; /* numbers beyond a double, and methods with a NUL, are Chrome's to refuse */
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
        }
    }
    free(ruling.params);
    free(ruling.result);
    raw_command_finish(&command);
    return 0;
}
