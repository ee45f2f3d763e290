#include "imaging/base64.h"
#include "runner/base/json.h"
#include "runner/page/stable.h"
#include "runner/page/target.h"

#include <math.h>

enum {
    KICK_MS = 250,      /* that a screencast takes to make Chrome draw */
    MAX_RUNG_MS = 5000, /* for one way to get at a picture */
    PROBE_MS = 300,     /* for a sign of life of the page */
};

/* The document in CSS pixels, and where the viewport is in it. */
struct layout {
    double width, height;
    double scroll_x, scroll_y, view_width, view_height;
};

static bool read_layout(struct page *page, struct layout *ret_layout, struct br_error *err)
{
    json_auto_t *reply = NULL;
    struct layout *layout = ret_layout;
    return page_command(page, "Page.getLayoutMetrics", NULL, &reply, err) &&
           json_read(reply, "Page.getLayoutMetrics", err, "{s:{s:F, s:F}, s:{s:F, s:F, s:F, s:F}}",
                     "cssContentSize", "width", &layout->width, "height", &layout->height,
                     "cssVisualViewport", "pageX", &layout->scroll_x, "pageY", &layout->scroll_y,
                     "clientWidth", &layout->view_width, "clientHeight", &layout->view_height);
}

static bool is_in_view(const struct layout *layout, const struct page_box *box)
{
    return box->x >= layout->scroll_x && box->y >= layout->scroll_y &&
           box->x + box->width <= layout->scroll_x + layout->view_width &&
           box->y + box->height <= layout->scroll_y + layout->view_height;
}

/* Whole pixels around the box, inside the document. */
static void clip_box(const struct layout *layout, struct page_box *box)
{
    double right = fmin(ceil(box->x + box->width), fmax(layout->width, layout->view_width));
    double bottom = fmin(ceil(box->y + box->height), fmax(layout->height, layout->view_height));
    box->x = fmax(floor(box->x), 0);
    box->y = fmax(floor(box->y), 0);
    box->width = fmax(right - box->x, 0);
    box->height = fmax(bottom - box->y, 0);
}

/*
 * The rectangle of the document that the options ask for. *ret_is_scrolled as in target_box().
 */
static bool choose_box(struct page *page, const struct page_capture *options,
                       const struct layout *layout, struct page_box *ret_box, bool *ret_is_scrolled,
                       struct br_error *err)
{
    *ret_box = (struct page_box){ .width = layout->width, .height = layout->height };
    if (options->clip) {
        *ret_box = *options->clip;
    } else if (options->target &&
               !target_box(page, options->target, ret_box, ret_is_scrolled, err)) {
        return false;
    }
    clip_box(layout, ret_box);
    if (ret_box->width < 1 || ret_box->height < 1) {
        return error_set(err, BR_TARGET_NOT_VISIBLE,
                         "what is to be captured lies outside the page of %gx%g", layout->width,
                         layout->height);
    }
    double max_height = floor(PAGE_MAX_HEIGHT / page->options.device_pixel_ratio);
    if (ret_box->height > max_height) {
        page_log(page, BR_LOG_WARNING, "screenshot",
                 "the picture is cut: the page is %g px high, a picture at most %g",
                 ret_box->height, max_height);
        ret_box->height = max_height;
    }
    return true;
}

/* What Chrome is asked to capture. */
struct shot {
    const struct page_box *box; /* NULL: the viewport */
    bool is_beyond_viewport;
};

/* One capture as PNG bytes, which are the caller's to free. */
static bool capture_once(struct page *page, const char *session_id, const struct shot *shot,
                         unsigned char **ret_bytes, size_t *ret_size, struct br_error *err)
{
    const struct page_box *box = shot->box;
    json_t *params = json_pack("{s:s, s:b, s:b}", "format", "png", "optimizeForSpeed", 1,
                               "captureBeyondViewport", shot->is_beyond_viewport);
    if (box) {
        json_object_set_new(params, "clip",
                            json_pack("{s:f, s:f, s:f, s:f, s:i}", "x", box->x, "y", box->y,
                                      "width", box->width, "height", box->height, "scale", 1));
    }
    /* The picture goes straight from the reply's text to bytes; no JSON tree holds it. */
    CLEANUP_CDP_MESSAGE struct cdp_message *reply =
        cdp_call_raw(page->client, session_id, "Page.captureScreenshot", params, err);
    if (!reply) {
        return false;
    }
    struct cdp_slice data = cdp_slice_string(reply->result, "data");
    if (!data.length) {
        return error_set(err, BR_UNKNOWN_ERROR, "Page.captureScreenshot: the reply has no picture");
    }
    page->captured_at_ms = clock_monotonic_ms();
    return base64_decode(data.text, data.length, ret_bytes, ret_size, err);
}

static bool bring_to_front(struct page *page, struct br_error *err)
{
    return page_command(page, "Page.bringToFront", NULL, NULL, err);
}

/* A screencast makes an idle compositor draw. */
static bool kick_compositor(struct page *page, struct br_error *err)
{
    bool is_started = page_command(page, "Page.startScreencast",
                                   json_pack("{s:s, s:i, s:i, s:i}", "format", "jpeg", "quality", 1,
                                             "maxWidth", 16, "maxHeight", 16),
                                   NULL, err) &&
                      page_pause(page, KICK_MS, err);
    cdp_post(page->client, page->session_id, "Page.stopScreencast", NULL);
    return is_started;
}

/* Another session to the same tab, for one capture: *ret_session is the caller's to free. */
static bool attach_again(struct page *page, char **ret_session, struct br_error *err)
{
    json_auto_t *reply = NULL;
    const char *session_id = NULL;
    page->is_attaching = true;
    bool is_attached =
        cdp_call(page->client, NULL, "Target.attachToTarget",
                 json_pack("{s:s, s:b}", "targetId", page->target_id, "flatten", 1), &reply, err);
    page->is_attaching = false;
    if (!is_attached ||
        !json_read(reply, "Target.attachToTarget", err, "{s:s}", "sessionId", &session_id)) {
        return false;
    }
    *ret_session = xstrdup(session_id);
    return true;
}

static bool capture_in_new_session(struct page *page, const struct shot *shot,
                                   unsigned char **ret_bytes, size_t *ret_size,
                                   struct br_error *err)
{
    CLEANUP_FREE char *session_id = NULL;
    if (!attach_again(page, &session_id, err)) {
        return false;
    }
    bool is_done = capture_once(page, session_id, shot, ret_bytes, ret_size, err);
    cdp_post(page->client, NULL, "Target.detachFromTarget",
             json_pack("{s:s}", "sessionId", session_id));
    return is_done;
}

/*
 * Chrome does not draw a tab that stands behind another, and sometimes not one that has nothing
 * new; its capture then waits for ever. Each step is given a part of the time that is left.
 */
static const struct rung {
    const char *name;
    bool (*help)(struct page *page, struct br_error *err); /* NULL: nothing */
    bool is_in_new_session;
    double share; /* of the time left */
} ladder[] = {
    { "the first try", NULL, false, 0.35 },
    { "bringing the tab to the front", bring_to_front, false, 0.35 },
    { "making Chrome draw", kick_compositor, false, 0.4 },
    { "a new session", NULL, true, 0.5 },
};
enum { RUNG_COUNT = sizeof(ladder) / sizeof(ladder[0]) };

static bool climb(struct page *page, const struct rung *rung, const struct shot *shot,
                  unsigned char **ret_bytes, size_t *ret_size, struct br_error *err)
{
    if (rung->help && !rung->help(page, err)) {
        return false;
    }
    return rung->is_in_new_session
               ? capture_in_new_session(page, shot, ret_bytes, ret_size, err)
               : capture_once(page, page->session_id, shot, ret_bytes, ret_size, err);
}

/* A failure that another way may mend: the capture waits, or Chrome's graphics have just died. */
static bool may_be_helped(struct page *page, const struct br_error *err)
{
    return page_is_alive(page) && (err->code == BR_TIMEOUT || page_was_left(err));
}

static bool capture_png(struct page *page, const struct shot *shot, unsigned char **ret_bytes,
                        size_t *ret_size, struct br_error *err)
{
    struct deadline end = page_deadline(page);
    bool is_done = false;
    if (page->is_behind && !bring_to_front(page, err)) {
        return false;
    }
    page->is_behind = false;
    for (size_t i = 0; i < RUNG_COUNT && !is_done; i++) {
        double part_ms = (double)deadline_left_ms(end) * ladder[i].share;
        int64_t limit_ms = part_ms < MAX_RUNG_MS ? (int64_t)part_ms : MAX_RUNG_MS;
        page_set_deadline(page, deadline_earlier(end, deadline_in_ms(limit_ms)));
        is_done = climb(page, &ladder[i], shot, ret_bytes, ret_size, err);
        page_set_deadline(page, end);
        /* A page that is stuck itself is not helped by other ways to it. */
        bool is_stuck =
            !is_done && i == 0 && err->code == BR_TIMEOUT && !page_answers(page, PROBE_MS);
        if (!is_done && (is_stuck || !may_be_helped(page, err))) {
            return false;
        }
        if (!is_done || i > 0) {
            page_log(page, is_done ? BR_LOG_INFO : BR_LOG_WARNING, "screenshot",
                     "the capture %s: %s%s%s", is_done ? "came by" : "blocked", ladder[i].name,
                     is_done ? "" : ": ", is_done ? "" : err->message);
        }
    }
    return is_done;
}

/* Shrinks the picture to the limits, in place. */
static bool fit(struct br_image *image, const struct br_image_limits *limits, struct br_error *err)
{
    int width = 0;
    int height = 0;
    br_image_fit(image->width, image->height, limits, &width, &height);
    if (width == image->width && height == image->height) {
        return true;
    }
    struct br_image scaled;
    if (!br_image_scale(image, width, height, &scaled, err)) {
        return false;
    }
    br_image_finish(image);
    *image = scaled;
    return true;
}

static bool encode(struct br_image *image, const struct page_capture *options,
                   struct br_capture *capture, struct br_error *err)
{
    if (!fit(image, &options->limits, err)) {
        return false;
    }
    capture->width = image->width;
    capture->height = image->height;
    if (options->is_png) {
        capture->media_type = "image/png";
        return br_png_encode(image, &capture->bytes, &capture->size, err);
    }
    struct br_jpeg_options jpeg = BR_JPEG_OPTIONS_INIT;
    jpeg.quality = options->quality;
    capture->media_type = "image/jpeg";
    return br_jpeg_encode(image, &jpeg, &capture->bytes, &capture->size, err);
}

/* What of a stable picture has to be known just before Chrome is asked for it. */
static bool look(struct page *page, const struct page_capture *options, bool is_viewport,
                 struct picture *picture, struct br_error *err)
{
    return !options->stable || stable_look(page, options->stable, is_viewport, picture, err);
}

/* Captures the part of the document that the options ask for. */
static bool capture_part(struct page *page, const struct page_capture *options,
                         struct picture *picture, struct br_error *err)
{
    struct layout layout;
    bool is_scrolled = false;
    bool is_done = read_layout(page, &layout, err) &&
                   choose_box(page, options, &layout, &picture->box, &is_scrolled, err) &&
                   look(page, options, false, picture, err) &&
                   capture_png(page,
                               &(struct shot){
                                   .box = &picture->box,
                                   .is_beyond_viewport = !is_in_view(&layout, &picture->box),
                               },
                               &picture->png, &picture->png_size, err);
    if (is_scrolled) {
        target_restore(page);
    }
    return is_done;
}

static bool capture_viewport(struct page *page, const struct page_capture *options,
                             struct picture *picture, struct br_error *err)
{
    picture->box = (struct page_box){
        .width = page->options.viewport_width,
        .height = page->options.viewport_height,
    };
    return look(page, options, true, picture, err) &&
           capture_png(page, &(struct shot){ 0 }, &picture->png, &picture->png_size, err);
}

static bool shoot(struct page *page, const struct page_capture *options,
                  struct picture *ret_picture, struct br_error *err)
{
    bool is_part = options->is_full_page || options->target || options->clip;
    return is_part ? capture_part(page, options, ret_picture, err)
                   : capture_viewport(page, options, ret_picture, err);
}

bool page_capture(struct page *page, const struct page_capture *options,
                  struct br_capture *ret_capture, struct br_error *err)
{
    struct br_capture capture = { .captured_at_ms = clock_wall_ms() };
    struct picture picture = { 0 };
    bool is_done = (options->stable ? stable_capture(page, options, shoot, &picture, err)
                                    : shoot(page, options, &picture, err)) &&
                   picture_decode(&picture, err) && encode(&picture.image, options, &capture, err);
    double width = picture.box.width;
    picture_finish(&picture);
    if (!is_done) {
        return false;
    }
    capture.scale = capture.width / width;
    *ret_capture = capture;
    return true;
}

bool page_capture_pixels(struct page *page, struct br_image *ret_image, struct br_error *err)
{
    CLEANUP_FREE unsigned char *png = NULL;
    size_t png_size = 0;
    return capture_png(page, &(struct shot){ 0 }, &png, &png_size, err) &&
           br_png_decode(png, png_size, ret_image, err);
}
