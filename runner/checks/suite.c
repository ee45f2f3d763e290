#include "runner/checks/suite.h"

#include "runner/checks/suite_memory.h"

#include <stdlib.h>
#include <string.h>

const struct suite_check *suite_find_check(const struct suite *suite, const char *id)
{
    for (size_t i = 0; i < suite->check_count; i++) {
        if (strcmp(suite->checks[i].id, id) == 0) {
            return &suite->checks[i];
        }
    }
    return NULL;
}

char *suite_report_folder(const char *file)
{
    size_t length = strlen(file);
    bool has_extension = length > 5 && strcmp(file + length - 5, ".json") == 0;
    return xasprintf("%.*s.report", (int)(has_extension ? length - 5 : length), file);
}

void suite_destroy(struct suite *suite)
{
    if (!suite) {
        return;
    }
    suite_memory_destroy(suite->memory);
    free(suite->checks);
    free(suite);
}
