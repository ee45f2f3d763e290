#include "runner/base/json.h"
#include "runner/formats/history.h"
#include "runner/formats/message.h"
#include "runner/formats/network_filter.h"

#include <string.h>

enum { SHORT_RESULT = 200 /* bytes of an older snapshot's result that are kept */ };

static size_t count_images(const struct picture_slots *slots)
{
    size_t count = 0;
    for (size_t i = 0; i < slots->count; i++) {
        count += message_is_picture(slots->items[i].block);
    }
    return count;
}

/* Returns the slot of the oldest picture. There must be one. */
static struct picture_slot *oldest_image(const struct picture_slots *slots)
{
    struct picture_slot *oldest = NULL;
    double oldest_ms = 0;
    double ms = 0;
    for (size_t i = 0; i < slots->count; i++) {
        struct picture_slot *slot = &slots->items[i];
        /* A picture without a known time is as old as those before it. */
        ms = json_member_number(slot->capture, "capturedAt", ms);
        if (message_is_picture(slot->block) && (!oldest || ms < oldest_ms)) {
            oldest = slot;
            oldest_ms = ms;
        }
    }
    return oldest;
}

/* Keeps the newest *left pictures and decrements the count. */
static void clean_pictures(const struct picture_slots *slots, size_t *left)
{
    size_t count = count_images(slots);
    for (; count > *left; count--) {
        struct picture_slot *slot = oldest_image(slots);
        picture_slot_set(slot, message_placeholder(slot->block, slot->capture));
    }
    *left -= count;
}

static void clean_logs(json_t *response)
{
    size_t index;
    json_t *log;
    json_t *logs = json_object_get(response, "logs");
    json_auto_t *kept = json_array();
    json_array_foreach (logs, index, log) {
        const char *source = json_member_string(log, "source");
        if (source && strcmp(source, "tool") == 0) {
            json_array_append(kept, log);
        }
    }
    if (logs) {
        json_object_set(response, "logs", kept);
    }
}

/* What may still be kept, counted from the newest entry backwards. */
struct cleaning {
    enum br_network_filter filter;
    size_t images;
    bool is_newest;    /* the next response is the newest one */
    bool has_snapshot; /* the newest snapshot has been seen */
};

/* Shortens an old outline: it is as large as a picture, and its ids may be gone. */
static void clean_snapshot(json_t *response, struct cleaning *cleaning)
{
    const char *type = json_member_string(response, "type");
    json_t *result = json_object_get(response, "result");
    if (!type || strcmp(type, "snapshot") != 0 || !json_is_object(result)) {
        return;
    }
    CLEANUP_FREE char *text = json_dumps(result, JSON_COMPACT);
    if (cleaning->has_snapshot && strlen(text) > SHORT_RESULT) {
        CLEANUP_FREE char *placeholder = xasprintf(
            "[snapshot of %zu bytes removed: take a new one for valid ids]", strlen(text));
        json_object_set_new(response, "result", json_string(placeholder));
    }
    cleaning->has_snapshot = true;
}

/* Keeps the logs, requests and metrics of the newest response only. */
static void clean_observed(json_t *response, struct cleaning *cleaning)
{
    clean_snapshot(response, cleaning);
    if (cleaning->is_newest) {
        cleaning->is_newest = false;
        return;
    }
    clean_logs(response);
    network_filter_apply(response, cleaning->filter);
    if (json_object_get(response, "metrics")) {
        json_object_set_new(response, "metrics", json_null());
    }
}

static void clean_message(json_t *message, struct cleaning *cleaning)
{
    CLEANUP_MESSAGE_PARTS struct message_parts parts = message_parts_list(message);
    clean_pictures(&parts.slots, &cleaning->images);
    for (size_t i = parts.text_count; i-- > 0;) {
        clean_observed(parts.texts[i].response, cleaning);
    }
    message_parts_write(&parts);
}

void history_clean(json_t *entries, size_t keep_images, enum br_network_filter filter)
{
    struct cleaning cleaning = { .filter = filter, .images = keep_images, .is_newest = true };
    for (size_t i = json_array_size(entries); i-- > 0;) {
        json_t *entry = json_array_get(entries, i);
        if (message_is(entry)) {
            clean_message(entry, &cleaning);
            continue;
        }
        CLEANUP_PICTURE_SLOTS struct picture_slots slots = picture_slots_list(entry);
        clean_pictures(&slots, &cleaning.images);
        clean_observed(entry, &cleaning);
    }
}
