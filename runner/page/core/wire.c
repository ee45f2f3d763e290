#include "runner/page/core/wire.h"

#include "runner/base/json.h"
#include "runner/page/core/state.h"

#include <string.h>

enum { FENCE_MS = 300 /* time limit for the browser to answer a fence */ };

struct wire {
    char *context_id;             /* the tabs' browser context; NULL: the profile's */
    char *home_id;                /* Chrome's id of that context, also for the profile's; NULL:
                                     unknown */
    char *target_id, *session_id; /* of the page's tab */
    char *frame_id;               /* of its main frame */
    int64_t fence;                /* id of the newest fence; -1: none */
    bool is_crashed;              /* its process ended, or the tab was closed … */
    bool is_untouched;            /* … before the browser answered the fence */
    bool has_capture;             /* Chrome may still owe the reply to a capture */
    int64_t answered_at_ms;       /* when its scripts last ran, on the monotonic clock */
};

void wire_init(struct page *page, const char *context_id)
{
    page->wire = xcalloc(1, sizeof(*page->wire));
    page->wire->context_id = xstrdup(context_id);
    page->wire->fence = -1;
}

static void forget_tab(struct wire *wire)
{
    free(wire->target_id);
    free(wire->session_id);
    free(wire->frame_id);
}

void wire_finish(struct page *page)
{
    forget_tab(page->wire);
    free(page->wire->context_id);
    free(page->wire->home_id);
    free(TAKE(page->wire));
}

void wire_enter_tab(struct page *page, const char *target_id, const char *session_id)
{
    forget_tab(page->wire);
    page->wire->target_id = xstrdup(target_id);
    page->wire->session_id = xstrdup(session_id);
    /* The main frame of a tab has the tab's id. */
    page->wire->frame_id = xstrdup(target_id);
}

const char *page_session(const struct page *page)
{
    return page->wire->session_id;
}

const char *page_frame_id(const struct page *page)
{
    return page->wire->frame_id;
}

bool wire_is_own(const struct page *page, const char *session_id)
{
    return page->wire->session_id && strcmp(session_id, page->wire->session_id) == 0;
}

bool wire_has_context(const struct page *page)
{
    return page->wire->context_id;
}

void wire_learn_context(struct page *page, const char *home_id)
{
    if (!page->wire->home_id) {
        page->wire->home_id = xstrdup(home_id);
    }
}

void wire_note_answer(struct page *page)
{
    page->wire->answered_at_ms = clock_monotonic_ms();
}

void wire_mend(struct page *page)
{
    page->wire->is_crashed = false;
    page->wire->is_untouched = false;
    cdp_client_break(page->client, BR_OK, "");
}

int64_t page_send(struct page *page, const char *method, json_t *params, struct br_error *err)
{
    return cdp_send(page->client, page->wire->session_id, method, params, err);
}

void page_post(struct page *page, const char *method, json_t *params)
{
    cdp_post(page->client, page->wire->session_id, method, params);
}

void wire_break(struct page *page, const char *reason)
{
    struct wire *wire = page->wire;
    wire->is_crashed = true;
    wire->is_untouched = wire->fence >= 0 && !cdp_has_reply(page->client, wire->fence);
    network_forget_requests(&page->network);
    cdp_client_break(page->client, BR_PAGE_CRASHED, reason);
}

json_t *page_in_context(const struct page *page, json_t *params)
{
    if (page->wire->context_id) {
        params = params ? params : json_object();
        json_object_set_new(params, "browserContextId", json_string(page->wire->context_id));
    }
    return params;
}

bool page_command(struct page *page, const char *method, json_t *params, json_t **ret_result,
                  struct br_error *err)
{
    return cdp_call(page->client, page->wire->session_id, method, params, ret_result, err);
}

const char *page_target_id(const struct page *page)
{
    return page->wire->target_id;
}

void page_close_target(struct page *page, const char *target_id)
{
    cdp_post(page->client, NULL, "Target.closeTarget", json_pack("{s:s}", "targetId", target_id));
}

void page_set_deadline(struct page *page, struct deadline deadline)
{
    cdp_client_set_deadline(page->client, deadline);
}

struct deadline page_deadline(const struct page *page)
{
    return cdp_client_deadline(page->client);
}

void page_interrupt(struct page *page)
{
    cdp_client_interrupt(page->client);
}

void page_cancel(struct page *page)
{
    cdp_client_cancel(page->client);
}

void page_resume(struct page *page)
{
    cdp_client_resume(page->client);
}

void page_watch(struct page *page, int fd)
{
    cdp_client_watch(page->client, fd);
}

bool page_check_alive(struct page *page, struct br_error *err)
{
    return cdp_client_check(page->client, "before the action", err);
}

bool page_is_alive(struct page *page)
{
    return !page->wire->is_crashed && cdp_client_is_open(page->client);
}

bool wire_ping_browser(struct page *page, int64_t ms)
{
    struct br_error ignored;
    struct deadline before = page_deadline(page);
    page_set_deadline(page, deadline_in_ms(ms));
    bool is_answered = cdp_call(page->client, NULL, "Browser.getVersion", NULL, NULL, &ignored);
    page_set_deadline(page, before);
    return is_answered;
}

void wire_send_fence(struct page *page)
{
    struct br_error ignored;
    cdp_forget(page->client, page->wire->fence);
    page->wire->fence = cdp_send(page->client, NULL, "Browser.getVersion", NULL, &ignored);
}

static bool has_passed_fence(void *data)
{
    const struct page *page = data;
    return cdp_has_reply(page->client, page->wire->fence);
}

void wire_await_fence(struct page *page)
{
    struct br_error ignored;
    if (page->wire->fence >= 0 && !has_passed_fence(page)) {
        cdp_wait(page->client, has_passed_fence, page, "Browser.getVersion",
                 deadline_in_ms(FENCE_MS), &ignored);
    }
}

bool wire_is_untouched(const struct page *page)
{
    return page->wire->is_untouched;
}

int64_t page_answered_at_ms(const struct page *page)
{
    return page->wire->answered_at_ms;
}

void wire_note_unanswered(struct page *page, const struct br_error *err)
{
    page->wire->has_capture |= err->code != BR_UNKNOWN_ERROR;
}

/*
 * If a page's process ends during a pending capture, Chrome 156 crashes, too (SIGSEGV, with
 * CDPScreenshotNewSurface). In that case only the running script is terminated; the tab is closed
 * together with the page.
 */
void page_crash(struct page *page)
{
    cdp_post(page->client, page->wire->session_id,
             page->wire->has_capture ? "Runtime.terminateExecution" : "Page.crash", NULL);
    wire_break(page, "the page was stuck and was killed");
    page->wire->is_untouched = false; /* Chrome may still pass earlier commands on to it */
}

bool page_pause(struct page *page, int64_t ms, struct br_error *err)
{
    return cdp_pause(page->client, ms, err);
}

bool page_is_in_context(const struct page *page, const json_t *target)
{
    const char *context_id = json_member_string(target, "browserContextId");
    return !context_id || !page->wire->home_id || strcmp(context_id, page->wire->home_id) == 0;
}

void wire_viewport(struct page *page, double *ret_width, double *ret_height)
{
    static const char method[] = "Page.getLayoutMetrics";
    struct br_error ignored;
    json_auto_t *reply = NULL;
    double width = 0;
    double height = 0;
    *ret_width = page->options.viewport_width;
    *ret_height = page->options.viewport_height;
    if (page->options.is_mobile && page_command(page, method, NULL, &reply, &ignored) &&
        json_read(reply, method, &ignored, "{s:{s:F, s:F}}", "cssVisualViewport", "clientWidth",
                  &width, "clientHeight", &height) &&
        width >= 1 && height >= 1) {
        *ret_width = width;
        *ret_height = height;
    }
}
