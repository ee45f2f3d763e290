#include "runner/checks/url.h"

#include "runner/base/error.h"
#include "runner/base/strbuf.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char *const prefixes[] = { "http://", "https://", "file://", "data:", "about:" };

static bool has_prefix(const char *url, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncasecmp(url, prefix, length) == 0 && url[length];
}

/* The length of what looks like a scheme, with its colon; 0: there is none. */
static size_t scheme_length(const char *url)
{
    size_t length = 0;
    while (isalnum((unsigned char)url[length]) || (length > 0 && strchr("+.-", url[length]))) {
        if (!url[length]) {
            return 0;
        }
        length++;
    }
    return isalpha((unsigned char)url[0]) && url[length] == ':' ? length + 1 : 0;
}

bool url_is_absolute(const char *url, struct br_error *err)
{
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        if (has_prefix(url, prefixes[i])) {
            return true;
        }
    }
    size_t length = scheme_length(url);
    if (length == 0) {
        return false;
    }
    error_set(err, BR_INVALID_ACTION, "\"%.200s\" is no http, https, file, data or about URL", url);
    if (isdigit((unsigned char)url[length])) {
        return error_hint(err, "write it with its scheme: http://%.200s", url);
    }
    return error_hint(err, "write it as http://localhost:3000/ or /path");
}

bool url_is_http(const char *url)
{
    return (has_prefix(url, "http://") && !strchr("/?#", url[7])) ||
           (has_prefix(url, "https://") && !strchr("/?#", url[8]));
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

/* The length of the base up to the last slash of its path, which there is. */
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

char *url_resolve(const char *base, const char *reference)
{
    size_t scheme = strcspn(base, ":") + 1;
    size_t path = scheme + 2 + strcspn(base + scheme + 2, "/?#");
    if (has_prefix(base, "file://")) {
        return resolve_file(base, reference);
    }
    if (strncmp(reference, "//", 2) == 0) {
        return join(base, scheme, reference);
    }
    if (*reference == '/') {
        return join(base, path, reference);
    }
    if (*reference == '\0' || *reference == '#') {
        return join(base, strcspn(base, "#"), reference);
    }
    if (*reference == '?') {
        return join(base, strcspn(base, "?#"), reference);
    }
    size_t folder = folder_length(base, path);
    return xasprintf("%.*s%s%s", (int)folder, base, folder == path ? "/" : "", reference);
}
