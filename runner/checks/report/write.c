#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/checks/report/file_out.h"
#include "runner/checks/report/page.h"
#include "runner/checks/report/report.h"
#include "runner/checks/report/results.h"

#include <string.h>

enum { MAX_RESULTS = 128 * 1024 * 1024 };

bool report_write(const json_t *results, const char *directory, struct br_error *err)
{
    CLEANUP_FREE char *json_path = xasprintf("%s/results.json", directory);
    CLEANUP_FREE char *page_path = xasprintf("%s/index.html", directory);
    CLEANUP_STRBUF struct strbuf page = STRBUF_INIT(STRBUF_UNCAPPED);
    if (!results_check(results, json_path, err)) {
        return false;
    }
    CLEANUP_FREE char *text = json_dumps(results, JSON_INDENT(1));
    page_add(&page, results, false);
    return report_file_write(json_path, text, strlen(text), err) &&
           report_file_write(page_path, page.data, page.length, err);
}

json_t *report_load(const char *directory, struct br_error *err)
{
    CLEANUP_FREE char *path = xasprintf("%s/results.json", directory);
    size_t size = 0;
    CLEANUP_FREE char *text = file_read(path, MAX_RESULTS, &size, err);
    json_auto_t *results = text ? json_parse(text, size, path, err) : NULL;
    if (!results) {
        return NULL;
    }
    return results_check(results, path, err) ? TAKE(results) : NULL;
}
