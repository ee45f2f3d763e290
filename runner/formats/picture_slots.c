#include "runner/formats/picture_slots.h"

#include "runner/base/json.h"
#include "runner/base/rfc3339.h"
#include "runner/base/strbuf.h"

#include <string.h>

void picture_slots_add(struct picture_slots *slots, const struct picture_slot *slot)
{
    slots->items =
        array_reserve(slots->items, slots->count, &slots->capacity, sizeof(*slots->items));
    slots->items[slots->count++] = *slot;
}

static void add_items(struct picture_slots *slots, const char *key, json_t *blocks,
                      const json_t *captures)
{
    size_t index;
    json_t *block;
    json_array_foreach (blocks, index, block) {
        struct picture_slot slot = {
            .block = block,
            .capture = json_array_get(captures, index),
            .holder = blocks,
            .key = key,
            .index = index,
        };
        snprintf(slot.name, sizeof(slot.name), "%.40s[%zu]", key, index);
        picture_slots_add(slots, &slot);
    }
}

struct picture_slots picture_slots_list(const json_t *response)
{
    const char *key;
    json_t *value;
    struct picture_slots slots = { 0 };
    json_t *screenshots = json_object_get(response, "screenshots");
    const json_t *captures = json_object_get(response, "captures");
    json_object_foreach (screenshots, key, value) {
        json_t *capture = json_object_get(captures, key);
        if (json_is_array(value)) {
            add_items(&slots, key, value, capture);
            continue;
        }
        struct picture_slot slot = {
            .block = value,
            .capture = capture,
            .holder = screenshots,
            .key = key,
        };
        snprintf(slot.name, sizeof(slot.name), "%.60s", key);
        picture_slots_add(&slots, &slot);
    }
    return slots;
}

void picture_slots_finish(struct picture_slots *slots)
{
    free(slots->items);
    *slots = (struct picture_slots){ 0 };
}

void picture_slot_set(struct picture_slot *slot, json_t *block)
{
    slot->block = block;
    if (json_is_array(slot->holder)) {
        json_array_set_new(slot->holder, slot->index, block);
    } else {
        json_object_set_new(slot->holder, slot->key, block);
    }
}

bool picture_is_image(const json_t *block)
{
    const char *type = json_member_string(block, "type");
    return type && strcmp(type, "image") == 0;
}

json_t *picture_placeholder(const json_t *capture)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    json_int_t width = json_integer_value(json_object_get(capture, "width"));
    json_int_t height = json_integer_value(json_object_get(capture, "height"));
    json_int_t at_ms = json_integer_value(json_object_get(capture, "capturedAt"));
    char time[RFC3339_SIZE];
    rfc3339_format(at_ms, false, time);
    strbuf_add_string(&text, PICTURE_PLACEHOLDER_BEGIN);
    if (width > 0 && height > 0) {
        strbuf_add_format(&text, ": %lldx%lld", (long long)width, (long long)height);
        if (at_ms >= 1000 && *time) {
            strbuf_add_format(&text, " at %s", time);
        }
    }
    strbuf_add_string(&text, "]");
    return json_pack("{s:s, s:s}", "type", "text", "text", text.data);
}
