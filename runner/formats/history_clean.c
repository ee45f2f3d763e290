#include "runner/base/json.h"
#include "runner/formats/history.h"
#include "runner/formats/message.h"
#include "runner/formats/network_filter.h"

#include <string.h>

static size_t count_images(const struct picture_slots *slots)
{
    size_t count = 0;
    for (size_t i = 0; i < slots->count; i++) {
        count += message_is_picture(slots->items[i].block);
    }
    return count;
}

/* The place of the picture that was taken first. There has to be one. */
static struct picture_slot *oldest_image(const struct picture_slots *slots)
{
    struct picture_slot *oldest = NULL;
    double oldest_ms = 0;
    double ms = 0;
    for (size_t i = 0; i < slots->count; i++) {
        struct picture_slot *slot = &slots->items[i];
        /* One of which nothing is known came after those before it. */
        ms = json_member_number(slot->capture, "capturedAt", ms);
        if (message_is_picture(slot->block) && (!oldest || ms < oldest_ms)) {
            oldest = slot;
            oldest_ms = ms;
        }
    }
    return oldest;
}

/* Keeps the newest *left of the pictures, and counts them down. */
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

/* What the newest response has of it stays. */
static void clean_observed(json_t *response, enum br_network_filter filter, bool *is_newest)
{
    if (*is_newest) {
        *is_newest = false;
        return;
    }
    clean_logs(response);
    network_filter_apply(response, filter);
    if (json_object_get(response, "metrics")) {
        json_object_set_new(response, "metrics", json_null());
    }
}

static void clean_message(json_t *message, size_t *left, enum br_network_filter filter,
                          bool *is_newest)
{
    CLEANUP_MESSAGE_PARTS struct message_parts parts = message_parts_list(message);
    clean_pictures(&parts.slots, left);
    for (size_t i = parts.text_count; i-- > 0;) {
        clean_observed(parts.texts[i].response, filter, is_newest);
    }
    message_parts_write(&parts);
}

void history_clean(json_t *entries, size_t keep_images, enum br_network_filter filter)
{
    bool is_newest = true;
    for (size_t i = json_array_size(entries); i-- > 0;) {
        json_t *entry = json_array_get(entries, i);
        if (message_is(entry)) {
            clean_message(entry, &keep_images, filter, &is_newest);
            continue;
        }
        CLEANUP_PICTURE_SLOTS struct picture_slots slots = picture_slots_list(entry);
        clean_pictures(&slots, &keep_images);
        clean_observed(entry, filter, &is_newest);
    }
}
