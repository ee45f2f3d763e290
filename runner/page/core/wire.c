#include "runner/page/core/wire.h"

#include "runner/base/json.h"
#include "runner/page/core/state.h"

#include <string.h>

void wire_break(struct page *page, const char *reason)
{
    page->is_crashed = true;
    network_forget_requests(&page->network);
    cdp_client_break(page->client, BR_PAGE_CRASHED, reason);
}

json_t *page_in_context(const struct page *page, json_t *params)
{
    if (page->context_id) {
        params = params ? params : json_object();
        json_object_set_new(params, "browserContextId", json_string(page->context_id));
    }
    return params;
}

bool page_command(struct page *page, const char *method, json_t *params, json_t **ret_result,
                  struct br_error *err)
{
    return cdp_call(page->client, page->session_id, method, params, ret_result, err);
}

const char *page_target_id(const struct page *page)
{
    return page->target_id;
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
    return !page->is_crashed && cdp_client_is_open(page->client);
}

bool page_ping_browser(struct page *page, int64_t ms)
{
    struct br_error ignored;
    struct deadline before = page_deadline(page);
    page_set_deadline(page, deadline_in_ms(ms));
    bool is_answered = cdp_call(page->client, NULL, "Browser.getVersion", NULL, NULL, &ignored);
    page_set_deadline(page, before);
    return is_answered;
}

int64_t page_answered_at_ms(const struct page *page)
{
    return page->answered_at_ms;
}

void page_crash(struct page *page)
{
    cdp_post(page->client, page->session_id, "Page.crash", NULL);
    wire_break(page, "the page was stuck and has been ended");
}

bool page_pause(struct page *page, int64_t ms, struct br_error *err)
{
    return cdp_pause(page->client, ms, err);
}

bool page_is_in_context(const struct page *page, const json_t *target)
{
    const char *context_id = json_member_string(target, "browserContextId");
    return !context_id || !page->home_id || strcmp(context_id, page->home_id) == 0;
}
