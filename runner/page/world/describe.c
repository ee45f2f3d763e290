#include "runner/page/world/describe.h"

#include "runner/base/cut.h"
#include "runner/base/json.h"
#include "runner/base/json_scan.h"
#include "runner/base/response.h"
#include "runner/page/core/call.h"
#include "runner/page/core/details.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/source_maps.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/world/downloads.h"

#include <string.h>

enum {
    DESCRIBE_MS = 500,         /* time limit for the page to report title and timings */
    SOURCE_MAPS_MS = 150,      /* what is left for places in source files, whatever comes before */
    MAX_STORAGE = 1024 * 1024, /* characters kept of local and session storage */
};

/* The pending calls of a description; -1: not sent. */
struct calls {
    bool is_asked;
    int64_t cookies, counters, values;
};

/* The data for page_backup_take(), from the page's last description. */
struct belongings {
    json_t *cookies;        /* of the browser; NULL: unknown, or the browser was not launched
                               here */
    bool is_new;            /* origin and storage were not taken yet */
    char *origin, *storage; /* as in struct page_backup */
    json_int_t number;      /* version of that storage, counted by the document */
    json_int_t heard;       /* number of the last announcements that were taken */
};

struct description {
    struct calls calls; /* pending; see page_ask_description() */
    struct belongings belongings;
};

void describe_init(struct page *page)
{
    page->description = xcalloc(1, sizeof(*page->description));
}

void describe_finish(struct page *page)
{
    struct belongings *belongings = &page->description->belongings;
    free(belongings->origin);
    free(belongings->storage);
    json_decref(belongings->cookies);
    free(TAKE(page->description));
}

json_t *page_take_cookies(struct page *page)
{
    return TAKE(page->description->belongings.cookies);
}

bool page_take_storage(struct page *page, const char **ret_origin, const char **ret_storage)
{
    struct belongings *now = &page->description->belongings;
    bool is_new = now->is_new;
    now->is_new = false;
    describe_storage(page, ret_origin, ret_storage);
    return is_new;
}

void describe_storage(const struct page *page, const char **ret_origin, const char **ret_storage)
{
    *ret_origin = page->description->belongings.origin;
    *ret_storage = page->description->belongings.storage;
}

static void read_metrics(const json_t *values, struct br_metrics *metrics)
{
    const struct {
        const char *name;
        double *value;
    } table[] = {
        { "loadTime", &metrics->load_time_ms },
        { "ttfb", &metrics->ttfb_ms },
        { "fcp", &metrics->fcp_ms },
        { "lcp", &metrics->lcp_ms },
        { "domContentLoaded", &metrics->dom_content_loaded_ms },
        { "cls", &metrics->cls },
        { "inp", &metrics->inp_ms },
        { "longTasks", &metrics->long_tasks },
        { "longTaskTime", &metrics->long_task_ms },
    };
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        *table[i].value = json_member_number(values, table[i].name, -1);
    }
}

/* Reads one item of the reply to Performance.getMetrics. */
static void read_counter(struct cdp_slice item, struct br_metrics *metrics)
{
    struct br_error ignored;
    const struct cdp_slice name = cdp_slice_string(item, "name");
    const struct {
        const char *name;
        double *value;
    } table[] = {
        { "JSHeapUsedSize", &metrics->memory_usage_bytes },
        { "Nodes", &metrics->nodes },
        { "LayoutCount", &metrics->layouts },
    };
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (cdp_slice_equals(name, table[i].name)) {
            json_auto_t *metric = json_parse(item.text, item.length, "a metric", &ignored);
            *table[i].value = json_member_number(metric, "value", -1);
        }
    }
}

/* Parses only the few items that are needed: Chrome reports some dozens. */
static void read_counters(struct cdp_slice reply, struct br_metrics *metrics)
{
    const char *end = reply.text + reply.length;
    const char *at = memchr(reply.text, '[', reply.length);
    while (at && at < end && (*at == '[' || *at == ',')) {
        const char *item = json_scan_space(at + 1, end);
        at = json_scan_value(item, end);
        if (at) {
            read_counter((struct cdp_slice){ item, (size_t)(at - item) }, metrics);
            at = json_scan_space(at, end);
        }
    }
}

static void take_storage(struct page *page, const json_t *values)
{
    struct belongings *belongings = &page->description->belongings;
    const char *origin = json_member_string(values, "origin");
    if (origin) {
        free(belongings->origin);
        free(belongings->storage);
        belongings->origin = xstrdup(origin);
        belongings->storage = xstrdup(json_member_string(values, "storage"));
        belongings->is_new = true;
        belongings->number = (json_int_t)json_member_number(values, "number", 0);
    }
}

static void take_appeared(struct page *page, const json_t *values, struct br_response *response)
{
    const json_t *appeared = json_object_get(values, "appeared");
    json_t *items = json_object_get(appeared, "items");
    page->description->belongings.heard = (json_int_t)json_member_number(appeared, "number", 0);
    if (json_array_size(items)) {
        response_set_appeared(response, json_incref(items));
    }
}

static void take_cookies(struct page *page, json_t *reply)
{
    json_t *cookies = json_object_get(reply, "cookies");
    if (json_is_array(cookies)) {
        json_decref(page->description->belongings.cookies);
        page->description->belongings.cookies = json_incref(cookies);
    }
}

static json_t *limits(const struct page *page)
{
    return json_pack("{s:i, s:i, s:i, s:I, s:I}", "maxStorage", MAX_STORAGE, "maxUrl", CUT_URL,
                     "maxTitle", CUT_TITLE, "taken", page->description->belongings.number, "heard",
                     page->description->belongings.heard);
}

/* Receives the document's description, an object that the caller owns; NULL: none. */
static json_t *take_values(struct page *page, int64_t call_id)
{
    struct br_error err = { 0 };
    json_t *values = NULL;
    if (!frame_receive_call(page, frame_main(page), call_id, &values, &err) &&
        page_was_left(&err)) {
        page_call_function(page, script_describe, limits(page), &values,
                           &err); /* asks the next document */
    }
    return values;
}

/* Requests cookies and counters, which Chrome reports ahead of a pending script. */
static void ask_rest(struct page *page)
{
    struct br_error ignored;
    struct calls *asked = &page->description->calls;
    if (asked->counters < 0) {
        asked->counters = page_send(page, "Performance.getMetrics", NULL, &ignored);
    }
    if (asked->cookies < 0 && !page->options.is_foreign) {
        asked->cookies = cdp_send(page->client, NULL, "Storage.getCookies",
                                  page_in_context(page, NULL), &ignored);
    }
}

void page_ask_document(struct page *page)
{
    struct br_error ignored;
    json_auto_t *argument = limits(page);
    struct calls *asked = &page->description->calls;
    page_forget_description(page);
    *asked = (struct calls){ .is_asked = true, .cookies = -1, .counters = -1, .values = -1 };
    if (frame_ensure_world(page, frame_main(page), &ignored)) {
        asked->values =
            frame_send_call(page, frame_main(page), script_describe, argument, &ignored);
    }
}

void page_ask_description(struct page *page)
{
    page_ask_document(page);
    ask_rest(page);
}

void page_forget_description(struct page *page)
{
    struct calls *asked = &page->description->calls;
    const int64_t calls[] = { asked->cookies, asked->counters, asked->values };
    for (size_t i = 0; asked->is_asked && i < sizeof(calls) / sizeof(calls[0]); i++) {
        cdp_forget(page->client, calls[i]);
    }
    asked->is_asked = false;
}

bool page_has_description(const struct page *page)
{
    const struct calls *asked = &page->description->calls;
    return asked->is_asked && asked->values >= 0 && cdp_has_reply(page->client, asked->values);
}

static void describe_document(struct page *page, struct br_response *response)
{
    struct br_error ignored;
    json_auto_t *cookies = NULL;
    if (!page->description->calls.is_asked) {
        page_ask_document(page);
    }
    ask_rest(page);
    const struct calls asked = page->description->calls;
    page->description->calls.is_asked = false;
    json_auto_t *values = take_values(page, asked.values);
    if (values) {
        const char *answered = navigation_answered_url(page);
        response->url = xstrdup(answered ? answered : json_member_string(values, "url"));
        response->title = xstrdup(json_member_string(values, "title"));
        read_metrics(values, &response->metrics);
        take_storage(page, values);
        take_appeared(page, values, response);
    }
    CLEANUP_CDP_MESSAGE struct cdp_message *counters =
        cdp_receive_raw(page->client, asked.counters, "Performance.getMetrics", &ignored);
    if (counters) {
        read_counters(counters->result, &response->metrics);
    }
    if (cdp_receive(page->client, asked.cookies, "Storage.getCookies", &cookies, &ignored)) {
        take_cookies(page, cookies);
    }
}

/* Reports that the page is still loading, for displays of its state. */
static void report_loading(struct page *page)
{
    const char *url = navigation_loading_url(page);
    if (url) {
        page_log(page, BR_LOG_INFO, "loading", "still loading %.*s", MAX_SHOWN_URL, url);
    }
}

void page_describe(struct page *page, struct deadline deadline, struct br_response *response)
{
    struct deadline before = page_deadline(page);
    page_set_deadline(page, deadline_earlier(deadline, deadline_in_ms(DESCRIBE_MS)));
    describe_document(page, response);
    /* Has limits of its own: values of console calls may take longer than DESCRIBE_MS. */
    int64_t details_ms = deadline_left_ms(deadline) - SOURCE_MAPS_MS;
    page_set_deadline(page, deadline_earlier(deadline, deadline_in_ms(details_ms)));
    page_take_details(page);
    report_loading(page);
    page_set_deadline(page, deadline);
    source_maps_apply(page);
    page_set_deadline(page, before);
    if (!response->url && page_document(page)->url) {
        response->url = cut_text(page_document(page)->url, CUT_URL);
    }
    network_take_events(&page->network, response);
    response->metrics.transfer_bytes = page->network.transfer_bytes;
    page_take_downloads(page, response);
    response->metrics.js_errors = page->console.js_errors;
    page->console.js_errors = 0;
}
