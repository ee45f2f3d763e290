#include "runner/checks/report/page.h"

#include "imaging/base64.h"
#include "runner/base/json.h"
#include "runner/base/utf8.h"
#include "runner/checks/report/results.h"

#include <string.h>

/* Logs of a check in the page: enough to read, while 2,000 checks still load at once. */
enum { MAX_ENTRIES = 100, MAX_TEXT = 2000 };

/* assets/, embedded by CMakeLists.txt; each sum is that of the preceding text. */
extern const char report_page[];
extern const char report_style[];
extern const char report_style_sha256[];
extern const char report_script[];
extern const char report_script_sha256[];

/*
 * Inside <script> there are no entities: "</script" and "<!--" must not occur in the text; JSON can
 * escape them.
 */
static void add_json(struct strbuf *out, const json_t *value)
{
    CLEANUP_FREE char *text = json_dumps(value, JSON_COMPACT);
    for (const char *at = text; *at;) {
        size_t plain = strcspn(at, "<>&");
        strbuf_add(out, at, plain);
        at += plain;
        if (*at) {
            strbuf_add_format(out, "\\u%04x", (unsigned)*at);
            at++;
        }
    }
}

static void add_html(struct strbuf *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("<>&\"'", *text)) {
            strbuf_add_format(out, "&#%d;", *text);
        } else {
            strbuf_add(out, text, 1);
        }
    }
}

/* Returns a copy of an entry with its texts cut. Members that are not texts are kept. */
static json_t *cut_entry(const json_t *entry)
{
    json_t *copy = json_copy((json_t *)entry);
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(copy, next, key, value)
    {
        if (json_string_length(value) > MAX_TEXT) {
            CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
            strbuf_add(&text, json_string_value(value),
                       utf8_cut(json_string_value(value), MAX_TEXT));
            strbuf_add_string(&text, "…");
            json_object_set_new_nocheck(copy, key, json_stringn(text.data, text.length));
        }
    }
    return copy;
}

/* Moves a list from the check to its details: the first entries, and the number of all. */
static void move_list(json_t *check, json_t *details, const char *key, const char *count_key)
{
    const json_t *list = json_object_get(check, key);
    size_t count = json_array_size(list);
    if (count == 0) {
        json_object_del(check, key);
        return;
    }
    json_t *first = json_array();
    for (size_t i = 0; i < count && i < MAX_ENTRIES; i++) {
        json_array_append_new(first, cut_entry(json_array_get(list, i)));
    }
    json_object_set_new_nocheck(details, key, first);
    json_object_set_new_nocheck(check, count_key, json_integer((json_int_t)count));
    json_object_del(check, key);
}

/*
 * Puts the results without logs into one block, and the logs into another with a line of JSON for
 * each check: the page parses a line when its check is selected.
 */
static void split(const json_t *results, json_t **ret_results, struct strbuf *details)
{
    json_t *checks = json_array();
    json_t *shown = json_copy((json_t *)results);
    const json_t *check;
    size_t index;
    json_array_foreach (results_checks(results), index, check) {
        json_t *copy = json_copy((json_t *)check);
        json_auto_t *detail = json_object();
        move_list(copy, detail, "logs", "logCount");
        move_list(copy, detail, "networkFailures", "networkFailureCount");
        add_json(details, detail);
        strbuf_add_string(details, "\n");
        json_array_append_new(checks, copy);
    }
    json_object_set_new_nocheck(shown, "checks", checks);
    *ret_results = shown;
}

/* Adds "sha256-…", as a content security policy names an inline script. */
static void add_hash(struct strbuf *out, const char *hex)
{
    unsigned char bytes[32] = { 0 };
    char text[45] = { 0 };
    for (size_t i = 0; i < sizeof(bytes); i++) {
        char digits[3] = { hex[2 * i], hex[2 * i + 1], '\0' };
        bytes[i] = (unsigned char)strtoul(digits, NULL, 16);
    }
    base64_encode(bytes, sizeof(bytes), text);
    strbuf_add_string(out, "sha256-");
    strbuf_add_string(out, text);
}

/* The values of the placeholders in the page. */
struct filling {
    const json_t *results; /* the shown ones */
    const char *details;
    bool is_review;
};

static void add_filling(struct strbuf *out, const char *name, size_t length,
                        const struct filling *filling)
{
    const struct {
        const char *name, *text;
    } texts[] = {
        { "style", report_style },
        { "script", report_script },
        { "details", filling->details },
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (strlen(texts[i].name) == length && memcmp(texts[i].name, name, length) == 0) {
            strbuf_add_string(out, texts[i].text);
        }
    }
    if (strncmp(name, "styleHash", length) == 0 && length == strlen("styleHash")) {
        add_hash(out, report_style_sha256);
    } else if (strncmp(name, "scriptHash", length) == 0 && length == strlen("scriptHash")) {
        add_hash(out, report_script_sha256);
    } else if (strncmp(name, "review", length) == 0 && length == strlen("review")) {
        strbuf_add_string(out, filling->is_review ? "connect-src 'self'; " : "");
    } else if (strncmp(name, "results", length) == 0) {
        add_json(out, filling->results);
    } else if (strncmp(name, "suite", length) == 0) {
        add_html(out, results_text(filling->results, "suite"));
    }
}

void page_add(struct strbuf *out, const json_t *results, bool is_review)
{
    json_auto_t *shown = NULL;
    CLEANUP_STRBUF struct strbuf details = STRBUF_INIT(STRBUF_UNCAPPED);
    split(results, &shown, &details);
    const struct filling filling = { .results = shown,
                                     .details = details.data,
                                     .is_review = is_review };
    /*
     * Only the page's own text is searched for placeholders: the inserted data may contain
     * anything.
     */
    const char *at = report_page;
    const char *mark;
    while ((mark = strstr(at, "{{"))) {
        const char *end = strstr(mark, "}}");
        strbuf_add(out, at, (size_t)(mark - at));
        add_filling(out, mark + 2, (size_t)(end - mark - 2), &filling);
        at = end + 2;
    }
    strbuf_add_string(out, at);
}
