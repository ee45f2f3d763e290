#include "runner/page/picture/undrawn.h"

#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"

#include <string.h>

enum {
    UNDRAWN_MS = 1000,
    PAUSE_MS = 8, /* half a frame */
};

struct deadline undrawn_deadline(void)
{
    return deadline_in_ms(UNDRAWN_MS);
}

bool undrawn_ask_again(struct page *page, struct deadline end, const struct br_error *err)
{
    struct br_error ended;
    return err->code == BR_UNKNOWN_ERROR && strstr(err->message, "Unable to capture screenshot") &&
           !deadline_passed(end) && page_pause(page, PAUSE_MS, &ended);
}
