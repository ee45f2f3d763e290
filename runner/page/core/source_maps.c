#include "runner/page/core/source_maps.h"

#include "imaging/base64.h"
#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/base/memory.h"
#include "runner/base/policy.h"
#include "runner/base/url_parts.h"
#include "runner/observe/places.h"
#include "runner/observe/source_map.h"
#include "runner/page/core/body.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"

#include <string.h>

enum {
    MAPS_MS = 1000, /* for all scripts named by errors of one action */
    MAX_MAPS = 32,  /* scripts of a document */
    MAX_MAP_BYTES = 16 * 1024 * 1024,
};

/* A script named in an error. */
struct page_source_map {
    char *script_url;
    char *base_url;         /* base of relative names in the map */
    struct source_map *map; /* NULL: the script has no map, or it could not be loaded */
};

struct source_maps {
    struct page_source_map *list;
    size_t count, capacity;
    unsigned documents; /* of the page's mark, at the time of loading */
};

void source_maps_init(struct page *page)
{
    page->source_maps = xcalloc(1, sizeof(*page->source_maps));
}

static void forget(struct page *page)
{
    while (page->source_maps->count) {
        struct page_source_map *map = &page->source_maps->list[--page->source_maps->count];
        free(map->script_url);
        free(map->base_url);
        source_map_destroy(map->map);
    }
}

void source_maps_finish(struct page *page)
{
    forget(page);
    free(page->source_maps->list);
    free(TAKE(page->source_maps));
}

/*
 * Returns the text of a reply, decoded from base64 if necessary. Caller frees; NULL if there is
 * none.
 */
static char *text_of(const json_t *reply, const char *key)
{
    struct br_error ignored;
    CLEANUP_FREE unsigned char *bytes = NULL;
    size_t size = 0;
    const char *text = json_member_string(reply, key);
    if (!text || !json_member_bool(reply, "base64Encoded", false)) {
        return xstrdup(text);
    }
    return base64_decode(text, strlen(text), &bytes, &size, &ignored)
               ? xstrndup((const char *)bytes, size)
               : NULL;
}

/*
 * Only the way out checks such a request and its redirects: with rules but no way out, it is not
 * sent.
 */
static bool may_fetch(const struct page *page, const char *url)
{
    struct br_error ignored;
    const struct policy *policy = page->options.policy;
    return strncmp(url, "http", 4) == 0 && policy_check_url(policy, url, &ignored) &&
           (!policy_judges_urls(policy) || page->options.way_out_port);
}

/* Makes the browser fetch a map, without cookies. Caller frees. */
static char *fetch(struct page *page, const char *url)
{
    struct br_error ignored;
    json_auto_t *reply = NULL;
    if (!may_fetch(page, url) ||
        !page_command(page, "Network.loadNetworkResource",
                      json_pack("{s:s, s:o, s:{s:b, s:b}}", "frameId", page_frame_id(page), "url",
                                json_text(url), "options", "disableCache", 0, "includeCredentials",
                                0),
                      &reply, &ignored)) {
        return NULL;
    }
    const json_t *resource = json_object_get(reply, "resource");
    const char *handle = json_member_string(resource, "stream");
    CLEANUP_FREE char *text = NULL;
    size_t size = 0;
    bool is_read = handle && body_of_stream(page, handle, MAX_MAP_BYTES, &text, &size, &ignored);
    return is_read && json_member_bool(resource, "success", false) ? TAKE(text) : NULL;
}

static void load(struct page *page, struct page_source_map *entry)
{
    struct br_error ignored;
    json_auto_t *reply = NULL;
    size_t length = 0;
    if (!page_command(page, "Page.getResourceContent",
                      json_pack("{s:s, s:o}", "frameId", page_frame_id(page), "url",
                                json_text(entry->script_url)),
                      &reply, &ignored)) {
        return;
    }
    CLEANUP_FREE char *script = text_of(reply, "content");
    const char *reference = script ? source_map_reference(script, &length) : NULL;
    if (!reference) {
        return;
    }
    CLEANUP_FREE char *named = xstrndup(reference, length);
    bool is_inside = strncmp(named, "data:", 5) == 0;
    CLEANUP_FREE char *url =
        is_inside ? xstrdup(named) : url_parts_resolve(entry->script_url, named);
    CLEANUP_FREE char *text = is_inside ? source_map_inline(url) : fetch(page, url);
    if (text) {
        entry->map = source_map_parse(text, strlen(text), &ignored);
        entry->base_url = xstrdup(is_inside ? entry->script_url : url);
    }
}

/* Returns the map of a script; NULL if it has none or cannot have one, such as a document. */
static const struct page_source_map *map_of(struct page *page, const char *script_url)
{
    for (size_t i = 0; i < page->source_maps->count; i++) {
        if (strcmp(page->source_maps->list[i].script_url, script_url) == 0) {
            return &page->source_maps->list[i];
        }
    }
    bool is_document =
        page_document(page)->url && strcmp(page_document(page)->url, script_url) == 0;
    if (is_document || page->source_maps->count == MAX_MAPS ||
        deadline_passed(page_deadline(page))) {
        return NULL;
    }
    page->source_maps->list =
        array_reserve(page->source_maps->list, page->source_maps->count,
                      &page->source_maps->capacity, sizeof(*page->source_maps->list));
    struct page_source_map *entry = &page->source_maps->list[page->source_maps->count++];
    *entry = (struct page_source_map){ .script_url = xstrdup(script_url) };
    load(page, entry);
    return entry;
}

static char *find_source(void *data, const char *url, int line, int column)
{
    const struct page_source_map *map = map_of(data, url);
    return map && map->map ? source_map_find(map->map, map->base_url, line, column) : NULL;
}

/* Returns the text with all locations mapped to sources; NULL if nothing changes. */
static char *rewrite(struct page *page, const char *text)
{
    return places_rewrite(text, 2 * LOG_MAX_TEXT, find_source, page);
}

static void replace(char **field, char *text)
{
    if (text) {
        free(*field);
        *field = text;
    }
}

/* Entries that arrive during the wait for a map grow the list, and may move it in memory. */
static void apply_to(struct page *page, struct log_list *logs, size_t index)
{
    const char *said = logs->items[index].message;
    /* The message of an exception contains the stack as written by V8. */
    bool has_stack = strstr(said, "\n    at ");
    CLEANUP_FREE char *message = has_stack ? rewrite(page, said) : NULL;
    char *stack = rewrite(page, logs->items[index].stack);
    char *location = rewrite(page, logs->items[index].location);
    struct br_log *log = &logs->items[index];
    if (location) {
        log->generated_location = log->location;
        log->location = location;
    }
    replace(&log->stack, stack);
    if (message) {
        log_list_set_message(logs, index, message);
    }
}

void source_maps_apply(struct page *page)
{
    struct log_list *logs = page->console.logs;
    struct deadline before = page_deadline(page);
    if (page->source_maps->documents != page_mark(page).documents) {
        page->source_maps->documents = page_mark(page).documents;
        forget(page);
    }
    page_set_deadline(page, deadline_earlier(before, deadline_in_ms(MAPS_MS)));
    for (size_t i = 0; logs && i < logs->count; i++) {
        const struct br_log *log = &logs->items[i];
        bool is_browser = log->source == BR_SOURCE_BROWSER;
        if (is_browser && log->type >= BR_LOG_WARNING && !log->generated_location) {
            apply_to(page, logs, i);
        }
    }
    page_set_deadline(page, before);
}
