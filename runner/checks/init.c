#include "runner/checks/init.h"

#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/strbuf.h"
#include "runner/base/url_parts.h"
#include "runner/checks/suite.h"
#include "runner/checks/url.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define SCHEMA_NAME "smoke.schema.json"

enum { MAX_PAGE_NAME = 60 };

/* Finds a colour of a page that became slightly different, such as #4e73df that became #4e73ef. */
static const double STRICT = 0.01;

/* docs/schema/smoke.schema.json */
extern const char schema_smoke[];

/* Returns the length of scheme, host and the slash after them: "http://localhost:3000/". */
static size_t site_length(const char *url)
{
    size_t origin = url_origin_length(url);
    return origin + (url[origin] == '/');
}

/* Whether it is an address without its scheme, such as localhost:3000, and not a missing file. */
static bool names_host(const char *given)
{
    size_t length = strcspn(given, "/?#");
    CLEANUP_FREE char *host = xstrndup(given, length);
    CLEANUP_FREE char *complete = url_complete(given);
    bool is_file = given[length] == '\0' && (strstr(host, ".htm") || strstr(host, ".xhtml"));
    return strpbrk(host, ".:") != host && (strpbrk(host, ".:") || strcmp(host, "localhost") == 0) &&
           !is_file && url_is_web(complete);
}

/*
 * Returns the URL of an argument in the form that a browser uses. Caller frees; NULL with the
 * error.
 */
static char *url_of(const char *given, struct br_error *err)
{
    err->code = BR_OK;
    if (url_is_web(given)) {
        size_t site = site_length(given);
        bool has_slash = given[site - 1] == '/';
        return xasprintf("%.*s%s%s", (int)site, given, has_slash ? "" : "/", given + site);
    }
    if (strncasecmp(given, "file://", 7) == 0) {
        return xstrdup(given);
    }
    CLEANUP_FREE char *path = realpath(given, NULL);
    if (path) {
        return url_from_path(path);
    }
    if (names_host(given)) {
        CLEANUP_FREE char *complete = url_complete(given);
        return url_of(complete, err);
    }
    if (url_scheme_length(given)) {
        error_set(err, BR_INVALID_ACTION, "\"%.200s\" is no http, https or file URL", given);
    } else {
        error_set(err, BR_INVALID_ACTION, "there is no page at %.200s", given);
        error_hint(err, "write addresses as localhost:3000 or https://example.com/, and files with "
                        "a path that exists");
    }
    return NULL;
}

/* Returns the length of the common prefix, at most `max`. */
static size_t same_length(const char *a, const char *b, size_t max)
{
    size_t length = 0;
    while (length < max && a[length] && a[length] == b[length]) {
        length++;
    }
    return length;
}

/*
 * Returns the length of the URLs' common base: the site, or for files the innermost common folder.
 * 0 if they belong to several sites.
 */
static size_t common_length(char *const *urls, size_t count)
{
    bool is_file = strncasecmp(urls[0], "file:", 5) == 0;
    size_t common = is_file ? strcspn(urls[0], "?#") : site_length(urls[0]);
    for (size_t i = 1; i < count; i++) {
        size_t same = same_length(urls[0], urls[i], common);
        if (!is_file && same < common) {
            return 0;
        }
        common = same;
    }
    while (common > 0 && urls[0][common - 1] != '/') {
        common--;
    }
    return common >= site_length(urls[0]) ? common : 0;
}

/* "/about/team.html?x=1" becomes "about-team-x-1"; an empty path "home". Caller frees. */
static char *page_name(const char *path)
{
    static const char *const endings[] = { ".html", ".htm", ".php", "index" };
    CLEANUP_STRBUF struct strbuf name = STRBUF_INIT(MAX_PAGE_NAME);
    CLEANUP_FREE char *page = xstrndup(path, strcspn(path, "?#"));
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        size_t length = strlen(page);
        size_t ending = strlen(endings[i]);
        if (length >= ending && strcasecmp(page + length - ending, endings[i]) == 0) {
            page[length - ending] = '\0';
        }
    }
    CLEANUP_FREE char *whole = xasprintf("%s%s", page, path + strcspn(path, "?#"));
    for (const char *at = whole; *at; at++) {
        char c = (char)tolower((unsigned char)*at);
        bool is_fine = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
        if (is_fine) {
            strbuf_add(&name, &c, 1);
        } else if (name.length > 0 && name.data[name.length - 1] != '-') {
            strbuf_add_string(&name, "-");
        }
    }
    while (name.length > 0 && name.data[name.length - 1] == '-') {
        name.data[--name.length] = '\0';
    }
    return name.length > 0 ? strbuf_take(&name) : xstrdup("home");
}

/* Returns the name, with a number appended if it is already used. Caller frees. */
static char *unused_name(const json_t *used, const char *name)
{
    CLEANUP_FREE char *numbered = xstrdup(name);
    for (unsigned number = 2; json_object_get(used, numbered); number++) {
        free(numbered);
        numbered = xasprintf("%s-%u", name, number);
    }
    return TAKE(numbered);
}

char *init_name(json_t *used, const char *text)
{
    CLEANUP_FREE char *plain = page_name(text);
    char *name = unused_name(used, plain);
    json_object_set_new(used, name, json_true());
    return name;
}

/* Returns the part after the base as a suite writes it. Caller frees. */
static char *relative_url(const char *url, size_t base_length)
{
    return base_length ? xasprintf("/%s", url + base_length) : xstrdup(url);
}

static json_t *make_checks(char *const *urls, size_t count, size_t base_length)
{
    json_t *checks = json_array();
    json_auto_t *used = json_object();
    for (size_t i = 0; i < count; i++) {
        size_t begin = base_length ? base_length - 1 : site_length(urls[i]) - 1;
        CLEANUP_FREE char *url = relative_url(urls[i], base_length);
        CLEANUP_FREE char *name = init_name(used, urls[i] + begin);
        json_array_append_new(checks, json_pack("{s:s, s:o}", "name", name, "url", json_text(url)));
    }
    return checks;
}

/*
 * Returns the base as a suite writes it: a URL; or for files the folder, relative to the suite's
 * folder if possible. Caller frees.
 */
static char *written_base(const char *directory, const char *url, size_t base_length)
{
    CLEANUP_FREE char *base = xstrndup(url, base_length);
    CLEANUP_FREE char *with_slash = xasprintf("%s/", strcmp(directory, "/") == 0 ? "" : directory);
    CLEANUP_FREE char *here = url_from_path(with_slash);
    size_t length = strlen(here);
    if (strncmp(base, here, length) != 0 || strchr(base, '%')) {
        return TAKE(base);
    }
    return base[length] ? xstrdup(base + length) : xstrdup(".");
}

static json_t *make_suite(const char *directory, char *const *urls, size_t count)
{
    size_t base_length = common_length(urls, count);
    json_t *suite = json_object();
    if (base_length) {
        CLEANUP_FREE char *base = written_base(directory, urls[0], base_length);
        json_object_set_new(suite, "baseUrl", json_text(base));
    }
    json_object_set_new(suite, "defaults",
                        json_pack("{s:b, s:f}", "fullPage", true, "strict", STRICT));
    json_object_set_new(suite, "checks", make_checks(urls, count, base_length));
    return suite;
}

/* Creates a file; fails with errno if it exists. */
static bool write_new(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        return false;
    }
    if (file_write_and_close(fd, text, strlen(text))) {
        return true;
    }
    int failure = errno;
    unlink(path);
    errno = failure;
    return false;
}

static bool write_suite(const char *file, json_t *suite, struct br_error *err)
{
    CLEANUP_FREE char *text = json_dumps(suite, JSON_INDENT(2));
    CLEANUP_FREE char *whole = xasprintf("%s\n", text);
    if (write_new(file, whole)) {
        return true;
    }
    if (errno == EEXIST) {
        error_set(err, BR_INVALID_ACTION, "%.300s already exists", file);
        return error_hint(err, "name another file, or remove that one first");
    }
    return error_set_errno(err, BR_INVALID_ACTION, errno, "cannot write %.300s", file);
}

/* Returns the resolved folder of the file. Caller frees; NULL with the error. */
static char *directory_of(const char *file, struct br_error *err)
{
    const char *slash = strrchr(file, '/');
    CLEANUP_FREE char *given = slash ? xstrndup(file, (size_t)(slash - file) + 1) : xstrdup(".");
    char *directory = realpath(given, NULL);
    if (!directory) {
        error_set_errno(err, BR_INVALID_ACTION, errno, "cannot write %.300s", file);
    }
    return directory;
}

static bool write_both(const char *file, char *const *urls, size_t count, struct br_error *err)
{
    CLEANUP_FREE char *directory = directory_of(file, err);
    json_auto_t *suite = directory ? make_suite(directory, urls, count) : NULL;
    return directory && init_write(file, suite, err);
}

bool init_write(const char *file, json_t *suite, struct br_error *err)
{
    static const char *const order[] = { "baseUrl", "viewports", "defaults", "checks" };
    CLEANUP_FREE char *directory = directory_of(file, err);
    if (!directory) {
        return false;
    }
    json_auto_t *whole = json_pack("{s:s}", "$schema", "./" SCHEMA_NAME);
    if (!json_object_get(suite, "viewports")) {
        json_object_set_new(suite, "viewports",
                            json_pack("{s:{s:i, s:i}, s:{s:s}}", "desktop", "width", 1280, "height",
                                      720, "phone", "preset", "iphone"));
    }
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        if (json_object_get(suite, order[i])) {
            json_object_set(whole, order[i], json_object_get(suite, order[i]));
        }
    }
    CLEANUP_FREE char *schema = xasprintf("%s/" SCHEMA_NAME, directory);
    if (!write_suite(file, whole, err)) {
        return false;
    }
    return write_new(schema, schema_smoke) || errno == EEXIST ||
           error_set_errno(err, BR_INVALID_ACTION, errno, "cannot write %.300s", schema);
}

bool check_init(const char *file, const char *const *urls, size_t count, struct br_error *err)
{
    if (count == 0) {
        error_set(err, BR_INVALID_ACTION, "no page is given");
        return error_hint(
            err,
            "give at least one: browser-runner check --init smoke.json http://localhost:3000/");
    }
    if (count > SUITE_MAX_CHECKS / 2) {
        return error_set(err, BR_LIMIT_EXCEEDED, "%zu pages, over %d", count, SUITE_MAX_CHECKS / 2);
    }
    char **absolute = xcalloc(count, sizeof(*absolute));
    size_t done = 0;
    while (done < count && (absolute[done] = url_of(urls[done], err))) {
        done++;
    }
    bool is_written = done == count && write_both(file, absolute, count, err);
    for (size_t i = 0; i < count; i++) {
        free(absolute[i]);
    }
    free(absolute);
    return is_written;
}
