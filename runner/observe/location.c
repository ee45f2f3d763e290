#include "runner/observe/location.h"

#include "runner/base/cut.h"
#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/base/strbuf.h"

enum { MAX_STACK_FRAMES = 50, MAX_FUNCTION_NAME = 200 };

char *location_text(const json_t *place)
{
    const char *url = json_member_string(place, "url");
    if (!url || !*url) {
        return NULL;
    }
    /* The protocol counts lines and columns from 0. */
    return xasprintf("%s:%d:%d", url, (int)json_member_number(place, "lineNumber", 0) + 1,
                     (int)json_member_number(place, "columnNumber", 0) + 1);
}

char *stack_text(const json_t *trace)
{
    struct strbuf text = STRBUF_INIT(LOG_MAX_TEXT);
    size_t index;
    json_t *frame;
    json_array_foreach (json_object_get(trace, "callFrames"), index, frame) {
        CLEANUP_FREE char *location = location_text(frame);
        CLEANUP_FREE char *function =
            cut_text(json_member_string(frame, "functionName"), MAX_FUNCTION_NAME);
        if (index == MAX_STACK_FRAMES || text.overflowed) {
            break;
        }
        strbuf_add_format(&text, "%sat %s (%s)", index ? "\n" : "",
                          function && *function ? function : "<anonymous>",
                          location ? location : "native");
    }
    if (text.length == 0) {
        strbuf_finish(&text);
        return NULL;
    }
    return strbuf_take(&text);
}
