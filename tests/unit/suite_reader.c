/*
 * Validates suites: writes a line for each FILE, "ok CHECKS" or the number of problems, and the
 * problems to stderr. For the test of docs/schema/smoke.schema.json.
 */
#include "runner/checks/suite_load.h"

#include <stdio.h>

static size_t count_lines(const struct strbuf *lines)
{
    size_t count = 0;
    for (size_t i = 0; i < lines->length; i++) {
        count += lines->data[i] == '\n';
    }
    return count;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        CLEANUP_STRBUF struct strbuf problems = STRBUF_INIT(STRBUF_UNCAPPED);
        struct suite *suite = suite_load(argv[i], &problems);
        if (suite) {
            printf("ok %zu\n", suite->check_count);
        } else {
            printf("%zu\n", count_lines(&problems));
        }
        fputs(problems.data, stderr);
        suite_destroy(suite);
    }
    return 0;
}
