#include "runner/page/page.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/base/memory.h"
#include "runner/cdp/targets.h"
#include "runner/observe/stream.h"
#include "runner/page/activate.h"
#include "runner/page/core/acting.h"
#include "runner/page/core/details.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/leave.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/options.h"
#include "runner/page/core/source_maps.h"
#include "runner/page/core/state.h"
#include "runner/page/core/tabs.h"
#include "runner/page/core/tell.h"
#include "runner/page/core/virtual_time.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/chooser.h"
#include "runner/page/element/drag.h"
#include "runner/page/element/element.h"
#include "runner/page/element/highlight.h"
#include "runner/page/element/mouse.h"
#include "runner/page/element/press.h"
#include "runner/page/element/role.h"
#include "runner/page/element/typing.h"
#include "runner/page/events.h"
#include "runner/page/picture/look.h"
#include "runner/page/world/agent.h"
#include "runner/page/world/backup.h"
#include "runner/page/world/describe.h"
#include "runner/page/world/downloads.h"
#include "runner/page/world/guard.h"
#include "runner/page/world/judge.h"
#include "runner/page/world/origins.h"
#include "runner/page/world/route.h"
#include "runner/page/world/setting.h"
#include "runner/page/world/settings.h"

#include <string.h>

/*
 * A browser launched here should only have the pages of its sessions: closes once what others left
 * open, or a restored browser session brought back.
 */
static void close_leftovers(struct page *page)
{
    struct br_error ignored;
    json_auto_t *reply = NULL;
    size_t index;
    json_t *target;
    struct targets *targets = page->options.targets;
    if (page->options.is_foreign || wire_has_context(page) || !targets_has_leftovers(targets) ||
        !cdp_call(page->client, NULL, "Target.getTargets", NULL, &reply, &ignored) ||
        targets_is_making(targets, page)) {
        return; /* the next page that opens does it */
    }
    targets_settle(targets);
    json_array_foreach (json_object_get(reply, "targetInfos"), index, target) {
        const char *type = json_member_string(target, "type");
        const char *target_id = json_member_string(target, "targetId");
        const char *opener_id = json_member_string(target, "openerId");
        if (type && target_id && strcmp(type, "page") == 0 && page_is_in_context(page, target) &&
            !targets_owner(targets, target_id, opener_id)) {
            page_close_target(page, target_id);
        }
    }
}

/* During every wait: forwards data to the stream, and reports a long wait or slow loading. */
static struct deadline tend(void *data, const char *what)
{
    struct deadline due = deadline_earlier(tell_waiting(data, what), navigation_tell_slow(data));
    due = deadline_earlier(due, highlight_tend(data));
    return deadline_earlier(page_tend(data), due);
}

struct page *page_create(struct cdp_connection *connection, const struct page_options *options)
{
    struct page *page = xcalloc(1, sizeof(*page));
    page->options = *options;
    page->options.tab = xstrdup(options->tab);
    targets_join(options->targets, page, options->context_id);
    page->network.log.keeps_headers = options->keeps_headers;
    page->network.log.stream = options->stream;
    page->client = cdp_client_create(connection, events_take, page);
    cdp_client_set_skip(page->client, events_skip);
    cdp_client_set_between(page->client, tend);
    cdp_client_set_waits(page->client, options->waits);
    virtual_time_init(page);
    wire_init(page, options->context_id);
    tell_init(page);
    tabs_init(page);
    frames_init(page, events_on_process, judge_is_on(page));
    navigation_init(page);
    leave_init(page);
    details_init(page);
    source_maps_init(page);
    mouse_init(page);
    press_init(page);
    chooser_init(page);
    highlight_init(page);
    setting_init(page);
    judge_init(page);
    guard_init(page);
    route_init(page);
    origins_init(page, options->origins);
    downloads_init(page);
    describe_init(page);
    look_init(page);
    return page;
}

/*
 * Tabs opened by the page and shared workers are announced only in the browser's own session. In a
 * browser that was not launched here they may belong to any page.
 */
static bool watch_browser(struct page *page, struct br_error *err)
{
    json_t *filter = json_pack("[{s:s}]", "type", "page");
    if (!page->options.is_foreign) {
        json_array_append_new(filter, json_pack("{s:s}", "type", "shared_worker"));
    }
    tabs_set_listing(page, true);
    bool is_done =
        cdp_call(page->client, NULL, "Target.setAutoAttach",
                 json_pack("{s:b, s:b, s:b, s:o}", "autoAttach", 1, "waitForDebuggerOnStart",
                           targets_hold(page->options.targets, tabs_are_held(page)), "flatten", 1,
                           "filter", filter),
                 NULL, err);
    tabs_set_listing(page, false);
    return is_done;
}

bool page_open(struct page *page, struct deadline deadline, struct br_error *err)
{
    struct br_error ignored;
    cdp_client_set_deadline(page->client, deadline);
    if (stream_wants_values(page->options.stream)) {
        page_browser(page, &ignored); /* subscribers that forward console calls need it before
                                         the first call */
    }
    bool is_open =
        page->options.tab ? page_adopt_tab(page, page->options.tab, err) : activate_new(page, err);
    if (!is_open || !downloads_begin(page, err) ||
        !page_set_all(page, page->options.settings, err) || !watch_browser(page, err)) {
        return false;
    }
    close_leftovers(page);
    return true;
}

/* After the last page no client resumes paused targets: switches auto-attach off. */
static void leave_targets(struct page *page)
{
    struct targets *targets = page->options.targets;
    if (targets_begin_leaving(targets, page)) {
        cdp_post(page->client, NULL, "Target.setAutoAttach",
                 json_pack("{s:b, s:b, s:b}", "autoAttach", 0, "waitForDebuggerOnStart", 0,
                           "flatten", 1));
        targets_end_leaving(targets);
    }
}

void page_close(struct page *page)
{
    if (!page) {
        return;
    }
    page->console.logs = NULL;
    if (cdp_client_is_open(page->client)) {
        cdp_drain(page->client); /* the page may have opened tabs that have to be closed, too */
    }
    tabs_finish(page);
    leave_targets(page);
    cdp_client_destroy(page->client);
    network_finish(&page->network);
    console_finish(&page->console);
    look_finish(page);
    describe_finish(page);
    backup_finish(page);
    downloads_finish(page);
    origins_finish(page);
    route_finish(page);
    guard_finish(page);
    judge_finish(page);
    agent_finish(page);
    setting_finish(page);
    role_forget(page);
    drag_finish(page);
    highlight_finish(page);
    chooser_finish(page);
    press_finish(page);
    typing_set_field(page, NULL);
    json_decref(page->holding);
    mouse_finish(page);
    source_maps_finish(page);
    details_finish(page);
    leave_finish(page);
    navigation_finish(page);
    frames_finish(page);
    tell_finish(page);
    virtual_time_finish(page);
    wire_finish(page);
    free((char *)page->options.tab);
    free(page);
}

void page_set_logs(struct page *page, struct log_list *logs)
{
    page->console.logs = logs;
}

void page_forget_history(struct page *page, size_t count)
{
    struct log_list *logs = page->console.logs;
    size_t kept = count;
    for (size_t i = count; i < logs->count; i++) {
        if (logs->items[i].source == BR_SOURCE_BROWSER) {
            log_finish(&logs->items[i]);
        } else {
            logs->items[kept++] = logs->items[i];
        }
    }
    log_list_shrink(logs, kept);
    page->console.js_errors = 0;
}

void page_end_action(struct page *page)
{
    typing_set_field(page, NULL);
    elements_release(page);
}

void page_reset_acted(struct page *page)
{
    page_forget_acts(page);
    tell_begin(page);
    *mouse_trace(page) = (struct page_trace){ 0 };
    press_reset(page);
    page_end_action(page); /* a picture of an element may have been taken since the last action */
    page_forget_description(page);
}
