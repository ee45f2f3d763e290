#include "runner/page/world/file_name.h"

#include "runner/base/memory.h"
#include "runner/base/utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NAME = 200 }; /* bytes; file systems allow 255, and a number may be inserted */

/* Returns the extension from the last dot on; the end of the name if there is none. */
static const char *extension_of(const char *name)
{
    enum { MAX_EXTENSION = 20 };
    const char *dot = strrchr(name, '.');
    bool is_extension = dot && dot > name && strlen(dot) <= MAX_EXTENSION;
    return is_extension ? dot : name + strlen(name);
}

/* Shortens a name that is too long, and keeps its extension. */
static char *shortened(const char *name)
{
    const char *extension = extension_of(name);
    size_t room = MAX_NAME - strlen(extension);
    size_t length = (size_t)(extension - name);
    size_t cut = length <= room ? length : utf8_cut(name, room);
    return xasprintf("%.*s%s", (int)cut, name, extension);
}

char *file_name_clean(const char *name)
{
    const char *start = name;
    for (const char *at = name; *at; at++) {
        start = *at == '/' || *at == '\\' ? at + 1 : start;
    }
    start += strspn(start, ". ");
    CLEANUP_FREE char *kept = xstrdup(start);
    size_t length = 0;
    for (const char *at = start; *at; at++) {
        bool is_control = (unsigned char)*at < ' ' || *at == 0x7f;
        if (!is_control) {
            kept[length++] = *at;
        }
    }
    while (length > 0 && strchr(". ", kept[length - 1])) {
        length--;
    }
    kept[length] = '\0';
    return length ? shortened(kept) : xstrdup("download");
}

char *file_name_numbered(const char *name, unsigned number)
{
    const char *extension = extension_of(name);
    return number ? xasprintf("%.*s (%u)%s", (int)(extension - name), name, number, extension)
                  : xstrdup(name);
}
