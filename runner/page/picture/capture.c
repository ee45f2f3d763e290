#include "runner/page/picture/capture.h"

#include "imaging/decode.h"
#include "imaging/webp.h"
#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/hints/advice.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/skipped.h"
#include "runner/page/element/target.h"
#include "runner/page/picture/encode.h"
#include "runner/page/picture/labels.h"
#include "runner/page/picture/request.h"
#include "runner/page/picture/shot.h"
#include "runner/page/picture/stable.h"
#include "runner/page/picture/undrawn.h"
#include "runner/page/picture/withheld.h"
#include "runner/page/world/describe.h"

#include <math.h>

enum {
    CHROME_JPEG_QUALITY = 25, /* up to this one Chrome encodes pictures that need no pixels */
    LABEL_TRIES = 3,          /* while the page is navigating or scrolling */
    LAYOUT_MS = 16,           /* interval for checking a document without layout */
};

/* The size of the document in CSS pixels, its corner, and the viewport's position in it. */
struct layout {
    double width, height;
    double left, top; /* as in struct area */
    double scroll_x, scroll_y, view_width, view_height;
};

static bool read_layout(struct page *page, struct layout *ret_layout, struct br_error *err)
{
    json_auto_t *reply = NULL;
    struct layout *layout = ret_layout;
    double offset_x = 0;
    double offset_y = 0;
    double from_left = 0;
    double from_top = 0;
    if (!page_command(page, "Page.getLayoutMetrics", NULL, &reply, err) ||
        !json_read(reply, "Page.getLayoutMetrics", err,
                   "{s:{s:F, s:F}, s:{s:F, s:F, s:F, s:F, s:F, s:F}, s:{s:F, s:F}}",
                   "cssContentSize", "width", &layout->width, "height", &layout->height,
                   "cssVisualViewport", "pageX", &layout->scroll_x, "pageY", &layout->scroll_y,
                   "offsetX", &offset_x, "offsetY", &offset_y, "clientWidth", &layout->view_width,
                   "clientHeight", &layout->view_height, "cssLayoutViewport", "pageX", &from_left,
                   "pageY", &from_top)) {
        return false;
    }
    /* The layout viewport's position counts from the document's corner. */
    layout->left = fmin(round(layout->scroll_x - offset_x - from_left), 0);
    layout->top = fmin(round(layout->scroll_y - offset_y - from_top), 0);
    return true;
}

static bool fail_without_layout(const struct layout *layout, struct br_error *err)
{
    error_set(err, BR_TIMEOUT, "the page has no layout yet: it is %gx%g", layout->width,
              layout->height);
    return error_advise(err, ADVICE_WAIT);
}

/* Between two documents there is no layout: waits for that of the next one. */
static bool await_layout(struct page *page, struct layout *ret_layout, struct br_error *err)
{
    struct deadline end = page_deadline(page);
    bool is_empty = false;
    while (page_await_paint(page, end, err) && read_layout(page, ret_layout, err)) {
        if (ret_layout->width >= 1 && ret_layout->height >= 1) {
            return true;
        }
        is_empty = true;
        if (deadline_left_ms(end) <= LAYOUT_MS) {
            return fail_without_layout(ret_layout, err);
        }
        if (!page_pause(page, LAYOUT_MS, err)) {
            break;
        }
    }
    return is_empty && err->code == BR_TIMEOUT ? fail_without_layout(ret_layout, err) : false;
}

static bool is_in_view(const struct area *area)
{
    const struct page_box *box = &area->box;
    const struct page_box *view = &area->view;
    return box->x >= view->x && box->y >= view->y && box->x + box->width <= view->x + view->width &&
           box->y + box->height <= view->y + view->height;
}

/* Extends the box to whole pixels, inside the document. */
static void clip_box(const struct layout *layout, struct page_box *box)
{
    double right = layout->left + fmax(layout->width, layout->view_width);
    double bottom = layout->top + fmax(layout->height, layout->view_height);
    right = fmin(ceil(box->x + box->width), right);
    bottom = fmin(ceil(box->y + box->height), bottom);
    box->x = fmax(floor(box->x), layout->left);
    box->y = fmax(floor(box->y), layout->top);
    box->width = fmax(right - box->x, 0);
    box->height = fmax(bottom - box->y, 0);
}

static bool find_area(struct page *page, const struct page_capture *options, struct area *ret_area,
                      struct br_error *err)
{
    struct layout layout;
    struct page_box *box = &ret_area->box;
    *ret_area = (struct area){ 0 };
    if (!await_layout(page, &layout, err)) {
        return false;
    }
    ret_area->left = layout.left;
    ret_area->top = layout.top;
    ret_area->view = (struct page_box){
        .x = layout.scroll_x,
        .y = layout.scroll_y,
        .width = layout.view_width,
        .height = layout.view_height,
    };
    if (options->clip) {
        *box = *options->clip;
    } else if (options->is_full_page) {
        *box = (struct page_box){ layout.left, layout.top, layout.width, layout.height };
    } else if (!options->target) {
        *box = ret_area->view;
    } else if (!target_box(page, options->target, box, &ret_area->scrolled, err)) {
        return false;
    }
    clip_box(&layout, box);
    if (box->width < 1 || box->height < 1) {
        return error_set(err, BR_TARGET_NOT_VISIBLE,
                         "the area to capture is outside the page of %gx%g", layout.width,
                         layout.height);
    }
    return true;
}

/* Content far from the viewport may not be rendered yet, and change its size when it is. */
bool area_find(struct page *page, const struct page_capture *options, struct area *ret_area,
               struct br_error *err)
{
    bool is_found = find_area(page, options, ret_area, err);
    if (is_found && !is_in_view(ret_area) && skipped_show(page)) {
        target_restore(page, &ret_area->scrolled);
        is_found = find_area(page, options, ret_area, err);
        ret_area->has_shown = true;
    }
    return is_found;
}

void area_leave(struct page *page, struct area *area)
{
    target_restore(page, &area->scrolled);
    if (area->has_shown) {
        skipped_end(page);
    }
}

static void cut_height(struct page *page, struct page_box *box)
{
    double max_height = floor(PAGE_MAX_HEIGHT / page->options.device_pixel_ratio);
    if (box->height > max_height) {
        page_log(page, BR_LOG_WARNING, "screenshot",
                 "the picture is cut: the page is %g px high, a picture at most %g", box->height,
                 max_height);
        box->height = max_height;
    }
}

static bool is_part(const struct page_capture *options)
{
    return options->is_full_page || options->target || options->clip;
}

/* Collects what a stable picture needs just before the capture. */
static bool look(struct page *page, const struct page_capture *options, bool is_viewport,
                 struct picture *picture, struct br_error *err)
{
    return !options->stable || stable_look(page, options->stable, is_viewport, picture, err);
}

/* Searches for withheld areas before and after the capture, one after the other. */
static bool shoot_in_turn(struct page *page, const struct page_capture *options,
                          const struct page_box *box, const struct shot *shot,
                          struct picture *picture, struct br_error *err)
{
    json_auto_t *before = NULL;
    if (!withheld_find(page, options, box, &before, err) ||
        !shot_take(page, shot, &picture->png, &picture->png_size, err) ||
        !withheld_find(page, options, box, &picture->withheld, err)) {
        return false;
    }
    withheld_join(before, picture->withheld);
    return true;
}

/*
 * The same without waiting in between: the first search is sent before the capture is requested,
 * and the second is answered while Chrome makes the pixels. It is unknown which state of the page
 * the answers describe: they are valid if both are equal, otherwise *ret_is_unsure.
 */
static bool shoot_at_once(struct page *page, const struct page_capture *options,
                          const struct page_box *box, const struct shot *shot,
                          struct picture *picture, bool *ret_is_unsure, struct br_error *err)
{
    struct withheld_look look;
    struct br_error ignored;
    json_auto_t *before = NULL;
    bool is_gone = false;
    if (!withheld_ask(page, options, &look, err)) {
        *ret_is_unsure = page_was_left(err);
        return false;
    }
    if (!shot_take(page, shot, &picture->png, &picture->png_size, err)) {
        withheld_drop(page, &look); /* a page that hangs does not answer it either */
        *ret_is_unsure = false;
        return false;
    }
    bool is_told = withheld_take(page, box, &look, &before, &is_gone, err);
    *ret_is_unsure = is_gone;
    if (!is_told || is_gone || !withheld_ask(page, options, &look, err)) {
        return false;
    }
    if (options->describes && !options->stable) {
        page_ask_description(page);
    }
    bool is_done = options->stable || picture_unpack(picture, err);
    is_told =
        withheld_take(page, box, &look, &picture->withheld, &is_gone, is_done ? err : &ignored);
    *ret_is_unsure = is_done && (is_gone || !json_equal(before, picture->withheld));
    return is_done && is_told;
}

/* Captures; `box` NULL: the viewport. */
static bool shoot_covered(struct page *page, const struct page_capture *options,
                          const struct page_box *box, const struct shot *shot,
                          struct picture *picture, struct br_error *err)
{
    bool is_unsure = false;
    bool is_done = shoot_at_once(page, options, box, shot, picture, &is_unsure, err);
    if (!is_unsure) {
        return is_done;
    }
    picture_drop(picture);
    return shoot_in_turn(page, options, box, shot, picture, err);
}

/*
 * Captures with labels, which are searched for right after the capture, and repeats that if the
 * page navigated meanwhile. In the end a picture without labels is better than one with wrong
 * labels.
 */
static bool shoot_labelled(struct page *page, const struct page_capture *options,
                           const struct page_box *box, const struct shot *shot,
                           struct picture *picture, struct br_error *err)
{
    if (!options->labels) {
        return shoot_covered(page, options, box, shot, picture, err);
    }
    bool is_done = true;
    bool is_same = false;
    for (int i = 0; i < LABEL_TRIES && is_done && !is_same; i++) {
        struct labels_moment before;
        picture_drop(picture);
        is_done = labels_begin(page, &before, err) &&
                  shoot_covered(page, options, box, shot, picture, err) &&
                  labels_find(page, options, box, &before, picture, &is_same, err);
        labels_moment_finish(&before);
    }
    if (is_done && !is_same) {
        page_log(page, BR_LOG_WARNING, "screenshot",
                 "the picture has no labels: the page scrolled or navigated in each of %d tries",
                 LABEL_TRIES);
    }
    return is_done;
}

/* Captures the part of the document that the options name. */
static bool shoot_part(struct page *page, const struct page_capture *options,
                       struct picture *picture, struct br_error *err)
{
    struct area area;
    bool is_done = area_find(page, options, &area, err);
    if (is_done) {
        cut_height(page, &area.box);
        picture->box = area.box;
        struct shot shot = {
            .box = &area.box,
            .left = area.left,
            .top = area.top,
            .is_beyond_viewport = !is_in_view(&area),
            .has_actions = !options->stable,
        };
        is_done = look(page, options, false, picture, err) &&
                  shoot_labelled(page, options, &area.box, &shot, picture, err);
    }
    area_leave(page, &area);
    return is_done;
}

/*
 * Returns the quality with which Chrome encodes a picture of the viewport itself; 0: we do. At low
 * qualities its brightness is as exact as that of ours, its colours are coarser, and it has two
 * thirds of the bytes and saves decoding and encoding; docs/performance.md has the figures.
 */
static int jpeg_quality(struct page *page, const struct page_capture *options,
                        const struct page_box *box)
{
    double ratio = page->options.device_pixel_ratio;
    int width = (int)lround(box->width * ratio);
    int height = (int)lround(box->height * ratio);
    int fit_width = 0;
    int fit_height = 0;
    br_image_fit(width, height, &options->limits, &fit_width, &fit_height);
    bool is_final =
        width == fit_width && height == fit_height && !options->stable && !options->labels;
    return is_final && options->format == PAGE_JPEG && options->quality <= CHROME_JPEG_QUALITY
               ? options->quality
               : 0;
}

/* Something to paint over, or another size than is allowed, needs the pixels. */
static bool is_jpeg_useless(const struct page_capture *options, const struct picture *picture)
{
    struct br_error ignored;
    int width = 0;
    int height = 0;
    int fit_width = 0;
    int fit_height = 0;
    if (json_array_size(picture->withheld) ||
        (options->max_bytes > 0 && picture->png_size > (uint64_t)options->max_bytes) ||
        !image_decode_size(picture->png, picture->png_size, &width, &height, &ignored)) {
        return true;
    }
    br_image_fit(width, height, &options->limits, &fit_width, &fit_height);
    return width != fit_width || height != fit_height;
}

static bool shoot_viewport(struct page *page, const struct page_capture *options,
                           struct picture *picture, struct br_error *err)
{
    picture->box = (struct page_box){ 0 };
    wire_viewport(page, &picture->box.width, &picture->box.height);
    struct shot shot = {
        .has_actions = !options->stable,
        .jpeg_quality = jpeg_quality(page, options, &picture->box),
    };
    bool is_done = look(page, options, true, picture, err) &&
                   shoot_labelled(page, options, NULL, &shot, picture, err);
    if (is_done && image_is_jpeg(picture->png, picture->png_size) &&
        is_jpeg_useless(options, picture)) {
        shot.jpeg_quality = 0;
        picture_drop(picture);
        is_done = shoot_labelled(page, options, NULL, &shot, picture, err);
    }
    return is_done;
}

static bool shoot(struct page *page, const struct page_capture *options,
                  struct picture *ret_picture, struct br_error *err)
{
    return is_part(options) ? shoot_part(page, options, ret_picture, err)
                            : shoot_viewport(page, options, ret_picture, err);
}

bool capture_take(struct page *page, const struct page_capture *options,
                  const struct br_image_limits *limits, struct picture *ret_picture,
                  struct br_error *err)
{
    struct picture picture = { .limits = options->stable ? NULL : limits };
    struct area area = { 0 };
    /* Preparation waits for the whole page; the box is then the same for all pictures. */
    bool is_done = !options->stable || !is_part(options) || area_find(page, options, &area, err);
    is_done = is_done && (options->stable ? stable_capture(page, options, shoot, &picture, err)
                                          : shoot(page, options, &picture, err));
    area_leave(page, &area);
    if (is_done && picture_decode(&picture, err)) {
        *ret_picture = picture;
        return true;
    }
    picture_finish(&picture);
    return false;
}

/* Chrome takes a second per million pixels, and blocks the browser meanwhile. */
#define WEBP_MAX_PIXELS 4e6
/* The format has 14 bits for a side. */
enum { WEBP_MAX_EDGE = 16383 };

/* Computes the scale that fits the box into the limits, using the configured device pixel ratio. */
static bool webp_scale(const struct page *page, const struct page_box *box,
                       const struct br_image_limits *limits, double *ret_scale,
                       struct br_error *err)
{
    double ratio = page->options.device_pixel_ratio;
    int width = (int)fmax(lround(box->width * ratio), 1);
    int height = (int)fmax(lround(box->height * ratio), 1);
    int fit_width = 0;
    int fit_height = 0;
    br_image_fit(width, height, limits, &fit_width, &fit_height);
    if (fmax(fit_width, fit_height) > WEBP_MAX_EDGE ||
        (double)fit_width * fit_height > WEBP_MAX_PIXELS) {
        error_set(err, BR_LIMIT_EXCEEDED,
                  "a WebP of %dx%d exceeds what Chrome encodes in time: %g megapixels, %d per side",
                  fit_width, fit_height, WEBP_MAX_PIXELS / 1e6, WEBP_MAX_EDGE);
        return error_hint(err, "lower maxPixels or maxEdge, or use format jpeg or png");
    }
    *ret_scale = fmin((double)fit_width / width, (double)fit_height / height);
    return true;
}

/* Chrome writes the file: withheld areas cannot be painted over. */
static bool check_withheld(struct page *page, const struct page_capture *options,
                           const struct page_box *box, struct br_error *err)
{
    json_auto_t *boxes = NULL;
    size_t index;
    json_t *one;
    if (!withheld_find(page, options, box, &boxes, err)) {
        return false;
    }
    json_array_foreach (boxes, index, one) {
        double x = json_member_number(one, "x", 0);
        double y = json_member_number(one, "y", 0);
        if (x < box->width && y < box->height && x + json_member_number(one, "width", 0) > 0 &&
            y + json_member_number(one, "height", 0) > 0) {
            error_set(err, BR_INVALID_ACTION,
                      "a part of it is hidden from models (data-no-ai), and a webp, which Chrome "
                      "encodes, would show it");
            return error_hint(err, "use format jpeg or png, where it is painted over; or "
                                   "ignoreNoAi, if it may be shown");
        }
    }
    return true;
}

/* Chrome scales and rounds to whole pixels itself: a second try corrects the rounding. */
static bool shoot_webp(struct page *page, const struct page_capture *options, struct shot *shot,
                       struct br_capture *capture, struct br_error *err)
{
    enum { TRIES = 4 };
    for (int i = 0; i < TRIES; i++) {
        int width = 0;
        int height = 0;
        capture_finish(capture);
        if (!shot_take(page, shot, &capture->bytes, &capture->size, err) ||
            !webp_read_size(capture->bytes, capture->size, &capture->width, &capture->height,
                            err)) {
            return false;
        }
        br_image_fit(capture->width, capture->height, &options->limits, &width, &height);
        if (width == capture->width && height == capture->height) {
            return true;
        }
        shot->scale *= fmin((double)width / capture->width, (double)height / capture->height);
    }
    return error_set(err, BR_LIMIT_EXCEEDED,
                     "Chrome does not scale the WebP of %dx%d to its limits", capture->width,
                     capture->height);
}

bool capture_webp(struct page *page, const struct page_capture *options, const struct page_box *box,
                  struct br_capture *capture, struct br_error *err)
{
    struct area area;
    struct page_capture wish = *options;
    struct br_capture taken = { 0 };
    wish.clip = box ? box : options->clip;
    bool is_done = area_find(page, &wish, &area, err);
    if (is_done) {
        cut_height(page, &area.box);
        struct shot shot = {
            .box = &area.box,
            .left = area.left,
            .top = area.top,
            .is_beyond_viewport = !is_in_view(&area),
            .webp_quality = options->quality,
            .has_actions = !options->stable,
        };
        is_done = webp_scale(page, &area.box, &options->limits, &shot.scale, err) &&
                  check_withheld(page, options, &area.box, err) &&
                  shoot_webp(page, options, &shot, &taken, err) &&
                  check_withheld(page, options, &area.box, err);
    }
    area_leave(page, &area);
    if (!is_done) {
        capture_finish(&taken);
        return false;
    }
    taken.media_type = "image/webp";
    taken.quality = options->quality;
    taken.scale = taken.width / area.box.width;
    taken.captured_at_ms = capture->captured_at_ms;
    *capture = taken;
    return true;
}

bool page_capture(struct page *page, const struct page_capture *options,
                  struct br_capture *ret_capture, struct br_error *err)
{
    struct br_capture capture = { .captured_at_ms = clock_wall_ms() };
    struct picture picture = { 0 };
    bool is_done = options->format == PAGE_WEBP
                       ? capture_webp(page, options, NULL, &capture, err)
                       : capture_take(page, options, &options->limits, &picture, err) &&
                             capture_encode(page, &picture, options, &capture, err);
    picture_finish(&picture);
    if (is_done) {
        *ret_capture = capture;
    }
    return is_done;
}

bool page_capture_pixels(struct page *page, struct br_image *ret_image, struct br_error *err)
{
    CLEANUP_FREE unsigned char *png = NULL;
    size_t png_size = 0;
    return shot_take(page, &(struct shot){ 0 }, &png, &png_size, err) &&
           br_png_decode(png, png_size, ret_image, err);
}
