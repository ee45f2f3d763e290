/*
 * Reads any bytes as a suite. The reader must report one line per problem, or return a suite that
 * keeps the promises of its header.
 */
#include "runner/checks/suite_load.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true, const char *what)
{
    if (!is_true) {
        fprintf(stderr, "broken: %s\n", what);
        abort();
    }
}

static void check_problems(const char *path, const struct strbuf *problems)
{
    require(problems->length > 0, "a suite that is refused has a problem");
    require(problems->data[problems->length - 1] == '\n', "problems are whole lines");
    for (const char *line = problems->data; *line; line = strchr(line, '\n') + 1) {
        require(strncmp(line, path, strlen(path)) == 0, "each line names the file");
    }
}

static void check_suite(const struct suite *suite)
{
    require(suite->check_count > 0 && suite->check_count <= SUITE_MAX_CHECKS, "the count");
    require(suite->viewport_count > 0 && suite->viewport_count <= SUITE_MAX_VIEWPORTS,
            "the count of viewports");
    for (size_t i = 0; i < suite->check_count; i++) {
        const struct suite_check *check = &suite->checks[i];
        require(check->name && check->id && check->url && check->viewport, "what is never NULL");
        require(!strchr(check->id, '/') && check->id[0] != '.', "an id names files");
        require(check->threshold >= 0 && check->threshold <= 1, "the threshold");
        require(check->max_diff_ratio == -1 ||
                    (check->max_diff_ratio >= 0 && check->max_diff_ratio <= 1),
                "the ratio");
        require(!(check->is_full_page && check->selector), "a picture is of one thing");
        size_t actions = 0;
        while (check->actions[actions]) {
            actions++;
        }
        require(actions <= SUITE_MAX_ACTIONS, "the count of actions");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("suite", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
        abort();
    }
    CLEANUP_FREE char *path = xasprintf("/proc/self/fd/%d", fd);
    CLEANUP_STRBUF struct strbuf problems = STRBUF_INIT(STRBUF_UNCAPPED);
    struct suite *suite = suite_load(path, &problems);
    if (suite) {
        require(problems.length == 0, "a suite that is taken has no problem");
        check_suite(suite);
    } else {
        check_problems(path, &problems);
    }
    suite_destroy(suite);
    close(fd);
    return 0;
}
