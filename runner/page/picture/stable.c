#include "runner/page/picture/stable.h"

#include "imaging/compare.h"
#include "imaging/decode.h"
#include "imaging/draw.h"
#include "imaging/shrink.h"
#include "runner/base/json.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/questions.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/virtual_time.h"
#include "runner/page/core/wire.h"
#include "runner/page/picture/request.h"

#include <math.h>
#include <string.h>

enum {
    PATIENCE_MS = 3000, /* for fonts and images */
    SHOT_MS = 500,      /* for one more picture */
    SETTLE_MS = 5000,   /* limit of virtual time for a page that keeps changing */
    RESETTLE_MS = 1000, /* likewise, for what was loaded last */
    END_MS = 1000,      /* for restoring the page, whatever time is left */
};

/* With more pixels than these, 32 MB, not all pictures stay in memory. */
#define MANY_PIXELS 8e6

/* Before each picture; the last one repeats. */
static const int pauses_ms[] = { 0, 100, 250, 500, 1000 };
enum { PAUSE_COUNT = sizeof(pauses_ms) / sizeof(pauses_ms[0]) };

static const struct image_colour mask_colour = { 0xFF, 0x00, 0xFF };
static const struct image_colour withheld_colour = { 0x80, 0x80, 0x80 };

void picture_drop(struct picture *picture)
{
    free(TAKE(picture->png));
    br_image_finish(&picture->image);
    json_decref(TAKE(picture->withheld));
    picture_labels_finish(&picture->labels);
    picture->is_painted = false;
}

void picture_finish(struct picture *picture)
{
    picture_drop(picture);
    json_decref(picture->masks);
    json_decref(picture->ignored);
    json_decref(picture->located);
    *picture = (struct picture){ 0 };
}

/* Returns whole pixels around the box, which may be anywhere; x, y is where the picture begins. */
static struct image_rect pixels_around(const struct picture *picture, const json_t *box, double x,
                                       double y)
{
    const struct br_image *image = &picture->image;
    double scale = image->width / picture->box.width;
    double left = (json_member_number(box, "x", 0) - x) * scale;
    double top = (json_member_number(box, "y", 0) - y) * scale;
    double right = left + json_member_number(box, "width", 0) * scale;
    double bottom = top + json_member_number(box, "height", 0) * scale;
    struct image_rect rect = {
        .x = (int)fmin(fmax(floor(left), 0), image->width),
        .y = (int)fmin(fmax(floor(top), 0), image->height),
    };
    rect.width = (int)fmin(fmax(ceil(right), 0), image->width) - rect.x;
    rect.height = (int)fmin(fmax(ceil(bottom), 0), image->height) - rect.y;
    return rect;
}

static void paint(struct picture *picture, const json_t *boxes, double x, double y,
                  struct image_colour colour)
{
    size_t index;
    json_t *box;
    json_array_foreach (boxes, index, box) {
        struct image_rect rect = pixels_around(picture, box, x, y);
        if (rect.width > 0 && rect.height > 0) {
            image_fill(&picture->image, &rect, colour);
        }
    }
}

/* Returns whether the picture is large, and larger than its final size. */
static bool is_to_shrink(const struct picture *picture, int *ret_width, int *ret_height)
{
    struct br_error ignored;
    int width = 0;
    int height = 0;
    if (!picture->limits ||
        !image_decode_size(picture->png, picture->png_size, &width, &height, &ignored)) {
        return false;
    }
    br_image_fit(width, height, picture->limits, ret_width, ret_height);
    return (double)width * height > MANY_PIXELS && *ret_width < width;
}

bool picture_unpack(struct picture *picture, struct br_error *err)
{
    int width = 0;
    int height = 0;
    if (picture->image.pixels || image_is_jpeg(picture->png, picture->png_size)) {
        return true;
    }
    return is_to_shrink(picture, &width, &height)
               ? image_decode_scaled(picture->png, picture->png_size, width, height,
                                     &picture->image, err)
               : br_png_decode(picture->png, picture->png_size, &picture->image, err);
}

bool picture_decode(struct picture *picture, struct br_error *err)
{
    if (picture->is_painted) {
        return true;
    }
    if (!picture_unpack(picture, err)) {
        return false;
    }
    picture->is_painted = true;
    paint(picture, picture->masks, picture->box.x, picture->box.y, mask_colour);
    paint(picture, picture->withheld, 0, 0, withheld_colour);
    return true;
}

/* Chrome encodes equal pixels equally; if the bytes differ, the pixels decide. */
static bool is_same_encoding(const struct picture *a, const struct picture *b)
{
    bool is_same_mask = (a->masks == b->masks || json_equal(a->masks, b->masks)) &&
                        json_equal(a->withheld, b->withheld);
    return is_same_mask && a->png_size == b->png_size && memcmp(a->png, b->png, a->png_size) == 0;
}

/* Excludes the areas that are not compared, at their places in this picture. */
static void exclude(struct image_mask *mask, const struct picture *picture)
{
    size_t index;
    json_t *box;
    json_array_foreach (picture->ignored, index, box) {
        struct image_rect rect = pixels_around(picture, box, picture->box.x, picture->box.y);
        if (rect.width > 0 && rect.height > 0) {
            image_mask_add(mask, &rect);
        }
    }
}

static bool compare(struct picture *before, struct picture *now, struct image_change *ret_change,
                    struct br_error *err)
{
    *ret_change = (struct image_change){ 0 };
    if (is_same_encoding(before, now)) {
        return true;
    }
    if (!picture_decode(before, err) || !picture_decode(now, err)) {
        return false;
    }
    struct image_mask mask;
    image_mask_init(&mask, now->image.width, now->image.height);
    exclude(&mask, before);
    exclude(&mask, now);
    *ret_change = image_compare(&before->image, &now->image, &mask);
    image_mask_finish(&mask);
    return true;
}

/* State while the page is kept still. */
struct stable {
    struct page *page;
    const struct page_capture *options;
    struct page_stable *wanted;
    json_t *reasons;   /* array: sentences about what may make the picture differ */
    json_t *unmatched; /* array: {name, selector} of each selector without a match */
};

static json_t *argument_of(const struct page_stable *wanted, const char *mode)
{
    return json_pack("{s:s, s:b, s:b, s:O*, s:O*, s:O*, s:O*, s:O*}", "mode", mode, "isFrozen",
                     wanted->is_frozen, "isMoving", wanted->has_at, "hide", wanted->hide, "remove",
                     wanted->remove, "mask", wanted->mask, "ignore", wanted->ignore, "locate",
                     wanted->locate);
}

/*
 * Stops motion in the other frames, too; elements to hide and mask are searched for in the main
 * frame only.
 */
static void call_other_frames(struct page *page, const struct page_stable *wanted, const char *mode)
{
    if (wanted->is_frozen) {
        json_auto_t *argument =
            json_pack("{s:s, s:b, s:b}", "mode", mode, "isFrozen", 1, "isMoving", wanted->has_at);
        frames_call_others(page, script_stable, argument);
    }
}

static bool hide_scroll_bars(struct page *page, bool is_hidden, struct br_error *err)
{
    static const char method[] = "Emulation.setScrollbarsHidden";
    bool is_frame = false;
    const char *session_id = NULL;
    for (size_t i = 0; (session_id = frames_session(page, i, &is_frame)); i++) {
        if (is_frame) {
            cdp_post(page->client, session_id, method, json_pack("{s:b}", "hidden", is_hidden));
        }
    }
    return page_command(page, method, json_pack("{s:b}", "hidden", is_hidden), NULL, err);
}

static bool begin(struct stable *stable, struct br_error *err)
{
    struct page *page = stable->page;
    json_auto_t *answer = NULL;
    size_t index;
    json_t *one;
    if (!frames_update(page, err) ||
        (stable->wanted->is_frozen && !hide_scroll_bars(page, true, err)) ||
        !page_call_function(page, script_stable, argument_of(stable->wanted, "begin"), &answer,
                            err)) {
        return false;
    }
    call_other_frames(page, stable->wanted, "begin");
    json_array_foreach (json_object_get(answer, "unmatched"), index, one) {
        page_log(page, BR_LOG_DEBUG, "screenshot", "nothing matches %s of %s",
                 json_member_string(one, "selector"), json_member_string(one, "name"));
    }
    stable->unmatched = json_incref(json_object_get(answer, "unmatched"));
    return true;
}

static bool load(struct stable *stable, struct br_error *err)
{
    struct page *page = stable->page;
    const struct page_capture *options = stable->options;
    bool is_whole = options->is_full_page || options->target || options->clip;
    int64_t patience_ms = deadline_left_ms(page_deadline(page)) / 3;
    json_t *argument = argument_of(stable->wanted, "load");
    json_object_set_new(argument, "isWhole", json_boolean(is_whole));
    json_object_set_new(argument, "patience",
                        json_integer(patience_ms < PATIENCE_MS ? patience_ms : PATIENCE_MS));
    return page_call_function(page, script_stable, argument, &stable->reasons, err);
}

static void end(struct stable *stable)
{
    struct br_error ignored;
    struct page *page = stable->page;
    struct deadline before = page_deadline(page);
    json_auto_t *answer = NULL;
    if (!page_is_alive(page)) {
        return;
    }
    page_set_deadline(page, deadline_in_ms(END_MS));
    page_call_function(page, script_stable, argument_of(stable->wanted, "end"), &answer, &ignored);
    call_other_frames(page, stable->wanted, "end");
    if (stable->wanted->is_frozen) {
        hide_scroll_bars(page, false, &ignored);
    }
    page_set_deadline(page, before);
}

bool stable_look(struct page *page, const struct page_stable *stable, bool is_viewport,
                 struct picture *picture, struct br_error *err)
{
    json_auto_t *answer = NULL;
    if (!page_call_function(page, script_stable, argument_of(stable, "look"), &answer, err)) {
        return false;
    }
    call_other_frames(page, stable, "look");
    if (is_viewport) {
        picture->box.x = json_member_number(answer, "left", 0);
        picture->box.y = json_member_number(answer, "top", 0);
    }
    picture->masks = json_incref(json_object_get(answer, "boxes"));
    picture->ignored = json_incref(json_object_get(answer, "ignored"));
    picture->located = json_incref(json_object_get(answer, "located"));
    return true;
}

static bool is_time_for_another(struct stable *stable, int64_t pause_ms, int taken)
{
    if (deadline_left_ms(page_deadline(stable->page)) > pause_ms + SHOT_MS) {
        return true;
    }
    CLEANUP_FREE char *reason =
        xasprintf("there was no time for more than %d picture%s", taken, taken == 1 ? "" : "s");
    json_array_append_new(stable->reasons, json_text(reason));
    return false;
}

/* Takes one more picture into *now, and moves the previous one to *before. */
static bool shoot_again(struct stable *stable, stable_shoot shoot, int64_t pause_ms,
                        struct picture *before, struct picture *now,
                        struct image_change *ret_change, struct br_error *err)
{
    picture_finish(before);
    *before = *now;
    *now = (struct picture){ 0 };
    return page_pause(stable->page, pause_ms, err) &&
           shoot(stable->page, stable->options, now, err) && compare(before, now, ret_change, err);
}

/*
 * Returns a name of the changed element, such as "<canvas#clock>"; NULL for none, or if the page
 * does not reply.
 */
static json_t *name_place(struct page *page, const struct picture *picture,
                          const struct image_rect *rect)
{
    struct br_error ignored;
    json_t *answer = NULL;
    double scale = picture->image.width / picture->box.width;
    json_t *box = json_pack("{s:f, s:f, s:f, s:f}", "x", picture->box.x + rect->x / scale, "y",
                            picture->box.y + rect->y / scale, "width", rect->width / scale,
                            "height", rect->height / scale);
    page_call_function(page, script_stable, json_pack("{s:s, s:o}", "mode", "name", "box", box),
                       &answer, &ignored);
    if (!json_is_string(answer)) {
        json_decref(answer);
        return NULL;
    }
    return answer;
}

/* Adds where elements are in the picture, in its pixels; those outside are omitted. */
static void add_boxes(struct picture *picture, const char *name, const json_t *boxes,
                      json_t *result)
{
    struct br_error ignored;
    size_t index;
    json_t *box;
    if (!json_array_size(boxes) || !picture_unpack(picture, &ignored)) {
        return;
    }
    json_t *list = json_array();
    json_array_foreach (boxes, index, box) {
        struct image_rect rect = pixels_around(picture, box, picture->box.x, picture->box.y);
        if (rect.width > 0 && rect.height > 0) {
            json_array_append_new(list,
                                  json_pack("{s:O, s:i, s:i, s:i, s:i}", "selector",
                                            json_object_get(box, "selector"), "x", rect.x, "y",
                                            rect.y, "width", rect.width, "height", rect.height));
        }
    }
    json_object_set_new(result, name, list);
}

/* With a change, the picture was still changing; NULL: it was stable, or not compared. */
static void report(struct stable *stable, int taken, struct picture *last,
                   const struct image_change *change)
{
    json_t *result = json_pack("{s:i}", "shots", taken);
    size_t index;
    json_t *reason;
    if (taken > 1) {
        json_object_set_new(result, "stable", json_boolean(!change));
    }
    if (change) {
        const struct image_rect *box = &change->box;
        json_t *name = name_place(stable->page, last, box);
        page_log(stable->page, BR_LOG_WARNING, "screenshot",
                 "the picture is not stable: of %d pictures no two in a row are equal, at last %zu "
                 "pixels changed at %d,%d in %dx%d%s%s",
                 taken, change->pixels, box->x, box->y, box->width, box->height,
                 name ? ", in " : "", name ? json_string_value(name) : "");
        json_object_set_new(result, "changing",
                            json_pack("{s:I, s:i, s:i, s:i, s:i, s:o*}", "pixels",
                                      (json_int_t)change->pixels, "x", box->x, "y", box->y, "width",
                                      box->width, "height", box->height, "element", name));
    }
    json_array_foreach (stable->reasons, index, reason) {
        page_log(stable->page, BR_LOG_WARNING, "screenshot", "%s", json_string_value(reason));
    }
    if (json_array_size(stable->reasons)) {
        json_object_set(result, "reasons", stable->reasons);
    }
    if (json_array_size(stable->unmatched)) {
        json_object_set(result, "unmatched", stable->unmatched);
    }
    add_boxes(last, "ignored", last->ignored, result);
    add_boxes(last, "located", last->located, result);
    stable->wanted->result = result;
}

/* With a virtual clock, lets time pass until the page is as it is to be shown. */
static bool load_and_settle(struct stable *stable, struct br_error *err)
{
    struct page *page = stable->page;
    const struct page_stable *wanted = stable->wanted;
    if (!virtual_time_is_on(page)) {
        return load(stable, err);
    }
    return wanted->has_at ? load(stable, err) && virtual_time_reach(page, wanted->at_ms, err)
                          : virtual_time_settle(page, SETTLE_MS, err) && load(stable, err) &&
                                virtual_time_settle(page, RESETTLE_MS, err);
}

static bool shoot_until_equal(struct stable *stable, stable_shoot shoot, struct picture *now,
                              struct br_error *err)
{
    struct picture before = { 0 };
    struct image_change change = { 0 };
    virtual_time_hold(stable->page, true);
    bool is_done = shoot(stable->page, stable->options, now, err);
    bool is_standing = virtual_time_is_on(stable->page);
    bool is_equal = false;
    int taken = 1;
    while (is_done && !is_equal && taken < stable->wanted->shots) {
        int64_t pause_ms =
            is_standing ? 0 : pauses_ms[taken < PAUSE_COUNT ? taken : PAUSE_COUNT - 1];
        if (!is_time_for_another(stable, pause_ms, taken)) {
            break;
        }
        is_done = shoot_again(stable, shoot, pause_ms, &before, now, &change, err);
        is_equal = is_done && change.pixels == 0;
        taken++;
    }
    virtual_time_hold(stable->page, false);
    picture_finish(&before);
    if (is_done) {
        report(stable, taken, now, change.pixels ? &change : NULL);
    }
    return is_done;
}

bool stable_capture(struct page *page, const struct page_capture *options, stable_shoot shoot,
                    struct picture *ret_picture, struct br_error *err)
{
    struct stable stable = { .page = page, .options = options, .wanted = options->stable };
    struct picture picture = { 0 };
    bool is_done = begin(&stable, err) &&
                   (stable.wanted->is_frozen ? load_and_settle(&stable, err) &&
                                                   shoot_until_equal(&stable, shoot, &picture, err)
                                             : shoot(page, options, &picture, err));
    end(&stable);
    json_decref(stable.reasons);
    json_decref(stable.unmatched);
    if (!is_done) {
        picture_finish(&picture);
        return false;
    }
    *ret_picture = picture;
    return true;
}

bool page_check_selectors(struct page *page, json_t *selectors, struct br_error *err)
{
    json_auto_t *wrong = NULL;
    if (!page_call_function(page, script_stable,
                            json_pack("{s:s, s:O}", "mode", "check", "selectors", selectors),
                            &wrong, err)) {
        return false;
    }
    if (!json_is_string(wrong)) {
        return true;
    }
    error_set(err, BR_INVALID_ACTION, "\"%s\" is not a CSS selector", json_string_value(wrong));
    return error_hint(err, "write it as for document.querySelectorAll(), such as .advert");
}
