#include "runner/page/route.h"

#include "runner/base/json.h"
#include "runner/page/origins.h"

#include <string.h>

bool route_on_event(struct page *page, const char *session_id, const char *method, json_t *params)
{
    if (strcmp(method, "Fetch.requestPaused") != 0) {
        return false;
    }
    if (page->origins_session_id && strcmp(session_id, page->origins_session_id) == 0) {
        origins_answer(page, params);
    }
    return true;
}
