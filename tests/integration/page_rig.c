#include "tests/integration/page_rig.h"

#include "runner/base/clock.h"
#include "runner/cdp/connection.h"
#include "runner/cdp/targets.h"
#include "runner/loop/loop.h"
#include "runner/page/core/options.h"
#include "runner/page/core/tell.h"
#include "runner/page/core/wire.h"

#include <string.h>

enum { TIMEOUT_MS = 10000 };

static void open_page(struct page_rig *rig, bool has_virtual_time)
{
    struct br_error err;
    *rig = (struct page_rig){ .fake = fake_browser_start(FAKE_WEBSOCKET, "page.jsonl") };
    rig->loop = loop_create(false, &err);
    assert_non_null(rig->loop);
    rig->connection = cdp_connection_create(fake_browser_connect(rig->fake, rig->loop), &err);
    assert_non_null(rig->connection);
    fake_play(rig->fake, "{'serve':'Browser.setDownloadBehavior','reply':{}}\n"
                         "{'serve':'Target.getTargets','reply':{'targetInfos':[]}}\n"
                         "{'serve':'HeadlessExperimental.beginFrame','reply':{}}\n" PAGE_RIG_TIME(
                             PAGE_RIG_EXPIRED));
    rig->targets = targets_create();
    const struct page_options options = {
        .viewport_width = 800,
        .viewport_height = 600,
        .device_pixel_ratio = 1,
        .targets = rig->targets,
        .has_virtual_time = has_virtual_time,
    };
    rig->page = page_create(rig->connection, &options);
    page_set_logs(rig->page, &rig->logs);
    if (!page_open(rig->page, deadline_in_ms(slow_ms(TIMEOUT_MS)), &err)) {
        fail_msg("%s", err.message);
    }
}

void page_rig_open(struct page_rig *rig)
{
    open_page(rig, false);
}

void page_rig_open_virtual(struct page_rig *rig)
{
    open_page(rig, true);
}

void page_rig_close(struct page_rig *rig)
{
    page_close(rig->page);
    targets_destroy(rig->targets);
    cdp_connection_destroy(rig->connection);
    loop_destroy(rig->loop);
    log_list_finish(&rig->logs);
    fake_browser_finish(rig->fake);
}

int page_rig_begin(void **state, void (*open)(struct page_rig *rig))
{
    *state = xcalloc(1, sizeof(struct page_rig));
    open(*state);
    return 0;
}

int page_rig_set_up(void **state)
{
    return page_rig_begin(state, page_rig_open);
}

int page_rig_tear_down(void **state)
{
    page_rig_close(*state);
    free(*state);
    return 0;
}

void page_rig_play(struct page_rig *rig, const char *steps)
{
    fake_play(rig->fake, steps);
    /* Everything sent before the reply to this has arrived with it. */
    assert_true(wire_ping_browser(rig->page, slow_ms(TIMEOUT_MS)));
    page_catch_up(rig->page);
}

void page_rig_limit(struct page_rig *rig, int64_t ms)
{
    page_set_deadline(rig->page, deadline_in_ms(ms));
}

void page_rig_expect_log(const struct page_rig *rig, const char *words)
{
    for (size_t i = 0; i < rig->logs.count; i++) {
        if (strstr(rig->logs.items[i].message, words)) {
            return;
        }
    }
    fail_msg("no log with \"%s\"", words);
}
