/*
 * Validates actions: reads one as JSON per line, and writes "ok", or the code and message of the
 * error. For the test of docs/schema/instruction.schema.json.
 */
#include "runner/base/error.h"
#include "runner/base/memory.h"

#include <browser_runner/action.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    CLEANUP_FREE char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    while ((length = getline(&line, &capacity, stdin)) > 0) {
        struct br_error err = { 0 };
        struct br_action *action = br_action_from_json(line, (size_t)length, &err);
        printf("%s %s\n", action ? "ok" : br_code_name(err.code), action ? "" : err.message);
        br_action_destroy(action);
    }
    return 0;
}
