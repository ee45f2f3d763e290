#include "runner/checks/suite.h"

#include "runner/checks/suite_memory.h"

#include <stdlib.h>

void suite_destroy(struct suite *suite)
{
    if (!suite) {
        return;
    }
    suite_memory_destroy(suite->memory);
    free(suite->checks);
    free(suite);
}
