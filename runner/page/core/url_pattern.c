#include "runner/page/core/url_pattern.h"

#include "runner/base/memory.h"
#include "runner/base/strbuf.h"

#include <fnmatch.h>
#include <string.h>

bool url_pattern_matches(const char *pattern, const char *url)
{
    return strchr(pattern, '*') ? fnmatch(pattern, url, 0) == 0 : strstr(url, pattern) != NULL;
}

char *url_pattern_for_chrome(const char *pattern)
{
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    bool is_glob = strchr(pattern, '*');
    strbuf_add_string(&text, is_glob ? "" : "*");
    /* Chrome also knows `?` as any single character, but no classes and escapes. */
    size_t length = is_glob ? strcspn(pattern, "[\\") : strcspn(pattern, "\\");
    strbuf_add(&text, pattern, length);
    strbuf_add_string(&text, is_glob && !pattern[length] ? "" : "*");
    return strbuf_take(&text);
}
