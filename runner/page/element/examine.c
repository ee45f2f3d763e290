#include "runner/page/element/examine.h"

#include "runner/base/json.h"
#include "runner/page/core/box.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/element.h"
#include "runner/page/element/identify.h"
#include "runner/page/element/named.h"
#include "runner/page/element/patience.h"
#include "runner/page/element/place.h"
#include "runner/page/element/target.h"

enum { MAX_RECORDS = 500, BOX_STEPS = 100 };

struct looking {
    struct job job;
    struct element *element;
};

static bool look_once(struct page *page, const struct page_target *target, int attempt, void *data,
                      struct br_error *err)
{
    struct looking *looking = data;
    (void)attempt;
    element_finish(looking->element);
    return target_locate(page, target, &looking->job, looking->element, err);
}

static json_t *options_of(json_t *properties)
{
    return json_pack("{s:O*}", "properties", properties);
}

/* Converts a box [x, y, width, height] from the frame's viewport to the page's. */
static bool move_box(struct page *page, struct frame *frame, json_t *record, struct br_error *err)
{
    json_t *box = json_object_get(record, "box");
    struct page_box moved = {
        json_member_number(box, "x", 0),
        json_member_number(box, "y", 0),
        json_member_number(box, "width", 0),
        json_member_number(box, "height", 0),
    };
    if (frame != frame_main(page)) {
        struct frame_point corner = { .x = moved.x, .y = moved.y };
        struct frame_point origin = { 0 };
        if (!frame_to_page(page, frame, &origin, false, err) ||
            !target_place_box(page, frame, &corner, moved.width, moved.height, &moved, err)) {
            return false;
        }
        moved.x -= origin.scroll_x;
        moved.y -= origin.scroll_y;
        json_object_set_new(record, "frame", json_text(frame->url));
    }
    json_object_set_new(
        record, "box",
        json_pack("[o, o, o, o]", json_number(moved.x, BOX_STEPS), json_number(moved.y, BOX_STEPS),
                  json_number(moved.width, BOX_STEPS), json_number(moved.height, BOX_STEPS)));
    return true;
}

static void add_semantics(struct page *page, const struct element *element, json_t *record)
{
    json_auto_t *semantics = NULL;
    const struct page_node node = {
        .frame_id = element->frame_id,
        .loader_id = page_frame_loader(page, element->frame_id),
        .backend_id = element->backend_id,
    };
    if (!node.loader_id || !page_get_semantics(page, &node, &semantics)) {
        return;
    }
    json_object_set(record, "role", json_object_get(semantics, "role"));
    json_object_set(record, "name", json_object_get(semantics, "name"));
}

bool page_examine(struct page *page, const struct page_target *target, json_t *properties,
                  json_t **ret_record, struct br_error *err)
{
    CLEANUP_ELEMENT struct element element = { 0 };
    json_auto_t *options = options_of(properties);
    struct looking looking = { { script_examine, options }, &element };
    if (!patience_try(page, target, look_once, &looking, err)) {
        return false;
    }
    add_semantics(page, &element, element.answer);
    struct frame *frame = element_frame(page, &element);
    if (!move_box(page, frame, element.answer, err)) {
        return false;
    }
    *ret_record = json_incref(element.answer);
    return true;
}

/* Adds the records of one frame. A frame in data-no-ai has none. */
static bool add_records(struct page *page, const struct page_target *target, json_t *answer,
                        json_t *records, int *denied, struct br_error *err)
{
    const char *id = json_member_string(answer, "frame");
    struct frame *frame = id ? frame_find(page, id) : NULL;
    int found = (int)json_member_number(answer, "found", 0);
    struct br_error refused = { 0 };
    size_t index;
    json_t *record;
    *denied += (int)json_member_number(answer, "denied", 0);
    if (!frame || !found) {
        return true;
    }
    if (!target->ignores_no_ai && !frame_check_policy(page, frame, &refused)) {
        *denied += found;
        *err = page_is_alive(page) ? *err : refused;
        return page_is_alive(page);
    }
    json_array_foreach (json_object_get(answer, "elements"), index, record) {
        if (json_array_size(records) < MAX_RECORDS) {
            if (!move_box(page, frame, record, err)) {
                return false;
            }
            json_array_append(records, record);
        }
    }
    return true;
}

bool page_examine_all(struct page *page, const struct page_target *target, json_t *properties,
                      json_t **ret_records, struct br_error *err)
{
    json_auto_t *answers = NULL;
    json_auto_t *options = options_of(properties);
    json_auto_t *records = json_array();
    const struct job job = { script_examineAll, options };
    size_t index;
    json_t *answer;
    int found = 0;
    int denied = 0;
    if (!target_ask_all(page, target, &job, &answers, err)) {
        return false;
    }
    json_array_foreach (answers, index, answer) {
        int before = denied;
        if (!add_records(page, target, answer, records, &denied, err)) {
            return false;
        }
        bool is_shut = denied - before > (int)json_member_number(answer, "denied", 0);
        found += is_shut ? 0 : (int)json_member_number(answer, "found", 0);
    }
    *ret_records =
        json_pack("{s:i, s:O, s:i}", "found", found, "elements", records, "denied", denied);
    return true;
}

bool page_read_markup(struct page *page, const struct page_target *target, int64_t max_length,
                      bool has_scripts, json_t **ret_answer, struct br_error *err)
{
    CLEANUP_ELEMENT struct element element = { 0 };
    json_auto_t *options =
        json_pack("{s:I, s:b}", "maxLength", (json_int_t)max_length, "hasScripts", has_scripts);
    struct looking looking = { { script_markup, options }, &element };
    if (!patience_try(page, target, look_once, &looking, err)) {
        return false;
    }
    *ret_answer = json_incref(element.answer);
    return true;
}
