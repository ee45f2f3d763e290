/*
 * Reads any bytes as a document of results. It must be refused, or its reports must be well-formed.
 */
#include "runner/base/json.h"
#include "runner/checks/report/junit.h"
#include "runner/checks/report/page.h"
#include "runner/checks/report/report.h"
#include "runner/checks/report/results.h"

#include <expat.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(bool holds, const char *what, const char *text)
{
    if (!holds) {
        fprintf(stderr, "%s:\n%s\n", what, text);
        abort();
    }
}

static size_t occurrences(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strcasestr(at, part)); at++) {
        count++;
    }
    return count;
}

/* The page must have two blocks of data and the script, and no comment that could hide them. */
static void look_at_page(const json_t *results)
{
    CLEANUP_STRBUF struct strbuf page = STRBUF_INIT(STRBUF_UNCAPPED);
    page_add(&page, results, false);
    insist(strlen(page.data) == page.length, "a NUL in the page", page.data);
    insist(occurrences(page.data, "<script") == 3, "scripts begin", page.data);
    insist(occurrences(page.data, "</script") == 3, "scripts end", page.data);
    insist(occurrences(page.data, "<!--") == 0, "a comment", page.data);
}

static void look_at_junit(const json_t *results)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    junit_add(&text, results, "report");
    XML_Parser parser = XML_ParserCreate(NULL);
    bool is_xml = XML_Parse(parser, text.data, (int)text.length, 1) == XML_STATUS_OK;
    XML_ParserFree(parser);
    insist(is_xml, "no XML", text.data);
}

/* Each line must be an annotation, and no character may move the cursor. */
static void look_at_lines(const json_t *results)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    report_print_annotations(results, stream);
    fclose(stream);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        bool is_ours = strncmp(line, "::error file=", strlen("::error file=")) == 0 ||
                       strncmp(line, "::warning file=", strlen("::warning file=")) == 0;
        insist(is_ours, "a line that is no annotation", line);
    }
    free(text);

    const struct report_terminal terminal = { .directory = "report" };
    stream = open_memstream(&text, &size);
    report_print(results, &terminal, stream);
    fclose(stream);
    insist(!strpbrk(text, "\x1B\r\b"), "the cursor moves", text);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct br_error err = { 0 };
    json_auto_t *results = json_parse((const char *)data, size, "results.json", &err);
    if (results && results_check(results, "results.json", &err)) {
        look_at_page(results);
        look_at_junit(results);
        look_at_lines(results);
    }
    return 0;
}
