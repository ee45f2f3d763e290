#include "runner/checks/url.h"

#include "runner/base/error.h"
#include "runner/base/strbuf.h"
#include "runner/base/url_parts.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

bool url_is_absolute(const char *url, struct br_error *err)
{
    size_t length = url_scheme_length(url);
    if (length == 0 || url_is_openable(url)) {
        return length > 0;
    }
    error_set(err, BR_INVALID_ACTION, "\"%.200s\" is no http, https, file, data or about URL", url);
    if (isdigit((unsigned char)url[length])) {
        return error_hint(err, "write it with its scheme: http://%.200s", url);
    }
    return error_hint(err, "write it as http://localhost:3000/ or /path");
}

char *url_from_path(const char *path)
{
    CLEANUP_STRBUF struct strbuf url = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&url, "file://");
    for (; *path; path++) {
        if (isalnum((unsigned char)*path) || strchr("/-._~!$&'()*+,;=:@", *path)) {
            strbuf_add(&url, path, 1);
        } else {
            strbuf_add_format(&url, "%%%02X", (unsigned char)*path);
        }
    }
    return strbuf_take(&url);
}

static char *join(const char *base, size_t length, const char *reference)
{
    return xasprintf("%.*s%s", (int)length, base, reference);
}

/* Returns the length of the base up to the last slash of its path, which must exist. */
static size_t folder_length(const char *base, size_t path)
{
    size_t length = strcspn(base, "?#");
    while (length > path && base[length - 1] != '/') {
        length--;
    }
    return length;
}

static char *resolve_file(const char *base, const char *reference)
{
    size_t path = strcspn(reference, "?#");
    bool is_folder = path == 0 ? false : reference[path - 1] == '/';
    size_t skipped = strspn(reference, "/");
    size_t folder = folder_length(base, strlen("file://"));
    if (path == 0) {
        return join(base, strcspn(base, *reference == '?' ? "?#" : "#"), reference);
    }
    return xasprintf("%.*s%.*s%s%s", (int)folder, base, (int)(path - skipped), reference + skipped,
                     is_folder ? "index.html" : "", reference + path);
}

char *url_of_suite(const char *base, const char *reference)
{
    bool is_file = strncasecmp(base, "file:", strlen("file:")) == 0;
    return is_file ? resolve_file(base, reference) : url_parts_resolve(base, reference);
}

char *url_move(const char *url, const char *from, const char *to)
{
    size_t from_folder = folder_length(from, url_origin_length(from));
    size_t to_folder = folder_length(to, url_origin_length(to));
    size_t from_origin = url_origin_length(from);
    if (from_folder > from_origin && strncmp(url, from, from_folder) == 0) {
        return join(to, to_folder, url + from_folder);
    }
    bool is_same_site = url_is_web(from) && strncasecmp(url, from, from_origin) == 0 &&
                        strchr("/?#", url[from_origin]);
    return is_same_site ? join(to, url_origin_length(to), url + from_origin) : xstrdup(url);
}
