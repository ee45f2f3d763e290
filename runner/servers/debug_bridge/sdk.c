#include "runner/servers/debug_bridge/sdk.h"

#include <string.h>

extern const char sdk_script_debug_bridge[];
extern const char sdk_types_debug_bridge[];

static const struct {
    const char *path, *content_type, *text;
} files[] = {
    { "/debug-bridge.js", "text/javascript; charset=utf-8", sdk_script_debug_bridge },
    { "/debug-bridge.d.ts", "text/plain; charset=utf-8", sdk_types_debug_bridge },
};

bool sdk_answer(const char *path, struct net_answer *answer)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (strcmp(path, files[i].path) == 0) {
            answer->status = 200;
            answer->content_type = files[i].content_type;
            answer->is_for_all_origins = true;
            strbuf_add_string(&answer->body, files[i].text);
            return true;
        }
    }
    return false;
}
