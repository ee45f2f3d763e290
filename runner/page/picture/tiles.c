/*
 * A tall page as several pictures, each as high as the viewport, so that its text stays readable.
 */
#include "runner/page/picture/tiles.h"

#include "imaging/crop.h"
#include "runner/base/response.h"
#include "runner/page/core/box.h"
#include "runner/page/core/state.h"
#include "runner/page/picture/capture.h"
#include "runner/page/picture/encode.h"
#include "runner/page/picture/labels.h"
#include "runner/page/picture/request.h"
#include "runner/page/picture/stable.h"

#include <math.h>

/*
 * The part of a tile that repeats the previous one: a line of text cut in one is complete in the
 * other.
 */
static const double overlap = 0.05;

/* The division of a box into slices. */
struct slices {
    struct page_box box;
    double height; /* of a slice; the last one may be lower */
    double step;   /* distance between the tops of two slices */
    size_t count;
};

static struct slices slices_make(struct page *page, const struct area *area)
{
    struct slices slices = { .box = area->box, .height = fmax(floor(area->view.height), 1) };
    slices.step = fmax(floor(slices.height * (1 - overlap)), 1);
    double below = fmax(area->box.height - slices.height, 0);
    double count = 1 + ceil(below / slices.step);
    slices.count = count > PAGE_MAX_TILES ? PAGE_MAX_TILES : (size_t)count;
    if (count > PAGE_MAX_TILES) {
        page_log(page, BR_LOG_WARNING, "screenshot",
                 "the tiles end at %g px of %g: the limit is %d tiles",
                 slices.step * (PAGE_MAX_TILES - 1) + slices.height, area->box.height,
                 PAGE_MAX_TILES);
    }
    return slices;
}

static struct page_box slice_box(const struct slices *slices, size_t index)
{
    struct page_box box = slices->box;
    double top = slices->step * (double)index;
    box.y += top;
    box.height = fmin(slices->height, slices->box.height - top);
    return box;
}

/*
 * Returns how many slices one capture may contain, so that Chrome can draw it and memory is
 * limited.
 */
static size_t slices_per_capture(const struct page *page, const struct slices *slices)
{
    double ratio = page->options.device_pixel_ratio;
    double width = slices->box.width * ratio;
    double rows = fmin(PAGE_MAX_HEIGHT, floor(BR_IMAGE_MAX_PIXELS / fmax(width, 1))) / ratio;
    double more = floor((rows - slices->height) / slices->step);
    return more > 0 ? 1 + (size_t)more : 1;
}

/* Cuts the pixels and labels of a slice out of a capture. */
static bool crop(const struct picture *capture, const struct page_box *box, int number,
                 struct picture *ret_slice, struct br_error *err)
{
    const struct br_image *image = &capture->image;
    double ratio = image->height / capture->box.height;
    struct image_rect rect = {
        .y = (int)lround((box->y - capture->box.y) * ratio),
        .width = image->width,
        .height = (int)lround(box->height * ratio),
    };
    rect = image_rect_clip(&rect, image->width, image->height);
    *ret_slice = (struct picture){ .box = *box };
    labels_cut(capture, ret_slice);
    ret_slice->labels.tile = number;
    return image_crop(image, &rect, &ret_slice->image, err);
}

/* The tiles made so far. */
struct tiles {
    struct br_tile *items;
    size_t count;
};

static void tiles_finish(struct tiles *tiles)
{
    for (size_t i = 0; i < tiles->count; i++) {
        capture_finish(&tiles->items[i].picture);
    }
    free(tiles->items);
}

/* Takes ownership of the picture; one without bytes is dropped. */
static void add(struct tiles *tiles, const struct page_box *box, struct br_capture *picture)
{
    if (picture->bytes) {
        tiles->items[tiles->count++] = (struct br_tile){
            .picture = *picture,
            .x = box->x,
            .y = box->y,
            .width = box->width,
            .height = box->height,
        };
    }
}

static bool add_webp(struct page *page, const struct page_capture *options,
                     const struct slices *slices, struct tiles *tiles, struct br_error *err)
{
    for (size_t i = 0; i < slices->count; i++) {
        struct page_box box = slice_box(slices, i);
        struct br_capture picture = { .captured_at_ms = clock_wall_ms() };
        if (!capture_webp(page, options, &box, &picture, err)) {
            return false;
        }
        add(tiles, &box, &picture);
    }
    return true;
}

/* Of several captures, reports the result of the first unstable one, otherwise of the last. */
static bool take_part(struct page *page, const struct page_capture *options,
                      struct picture *ret_picture, struct br_error *err)
{
    struct page_stable *stable = options->stable;
    json_t *before = stable ? stable->result : NULL;
    if (stable) {
        stable->result = NULL;
    }
    bool is_done = capture_take(page, options, NULL, ret_picture, err);
    if (before && (!stable->result || json_is_false(json_object_get(before, "stable")))) {
        json_decref(stable->result);
        stable->result = before;
    } else {
        json_decref(before);
    }
    return is_done;
}

/* Adds slices first to last - 1 from one capture. */
static bool add_part(struct page *page, const struct page_capture *options,
                     const struct slices *slices, size_t first, size_t last, struct tiles *tiles,
                     struct br_error *err)
{
    struct page_box top = slice_box(slices, first);
    struct page_box bottom = slice_box(slices, last - 1);
    struct page_box box = top;
    struct page_capture wish = *options;
    struct picture whole = { 0 };
    box.height = bottom.y + bottom.height - top.y;
    wish.is_full_page = false;
    wish.target = NULL;
    wish.clip = &box;
    int64_t now_ms = clock_wall_ms();
    bool is_done = take_part(page, &wish, &whole, err);
    for (size_t i = first; is_done && i < last; i++) {
        struct page_box place = slice_box(slices, i);
        struct picture slice = { 0 };
        struct br_capture picture = { .captured_at_ms = now_ms };
        is_done = crop(&whole, &place, (int)tiles->count + 1, &slice, err) &&
                  capture_encode(page, &slice, options, &picture, err);
        if (is_done) {
            add(tiles, &place, &picture);
        }
        picture_finish(&slice);
    }
    picture_finish(&whole);
    return is_done;
}

static bool add_all(struct page *page, const struct page_capture *options,
                    const struct slices *slices, struct tiles *tiles, struct br_error *err)
{
    size_t step = slices_per_capture(page, slices);
    for (size_t first = 0; first < slices->count; first += step) {
        size_t last = first + step < slices->count ? first + step : slices->count;
        if (!add_part(page, options, slices, first, last, tiles, err)) {
            return false;
        }
    }
    return true;
}

bool page_capture_tiles(struct page *page, const struct page_capture *options,
                        struct br_tile **ret_tiles, size_t *ret_count, struct br_error *err)
{
    struct area area;
    struct page_capture wish = *options;
    struct tiles tiles = { 0 };
    wish.is_full_page = !options->target && !options->clip;
    bool is_done = area_find(page, &wish, &area, err);
    if (is_done) {
        struct slices slices = slices_make(page, &area);
        tiles.items = xcalloc(slices.count, sizeof(*tiles.items));
        is_done = options->format == PAGE_WEBP ? add_webp(page, options, &slices, &tiles, err)
                                               : add_all(page, options, &slices, &tiles, err);
    }
    area_leave(page, &area);
    if (!is_done) {
        tiles_finish(&tiles);
        return false;
    }
    *ret_tiles = tiles.items;
    *ret_count = tiles.count;
    return true;
}
