#include "runner/session/debug.h"

#include "imaging/draw.h"
#include "runner/actions/params.h"
#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/json_layout.h"
#include "runner/base/metrics.h"
#include "runner/base/response.h"
#include "runner/base/rfc3339.h"
#include "runner/base/strbuf.h"
#include "runner/page/core/box.h"
#include "runner/page/element/mouse.h"

#include <browser_runner/response.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct page_trace;

static const struct image_colour blue = { 0x1F, 0x5F, 0xE0 };
static const struct image_colour green = { 0x00, 0xA0, 0x40 };
static const struct image_colour red = { 0xE0, 0x10, 0x30 };

/* Sizes in pixels at a scale of 1; larger in pictures with more pixels per CSS pixel. */
enum { LINE = 2, ARM = 13, ROOM = 3 /* distance between the changed area and its frame */ };

static int mark_size(int length, double scale)
{
    return scale > 1 ? (int)lround(length * scale) : length;
}

static int to_pixels(double length, double scale)
{
    return (int)fmin(fmax(round(length * scale), -100000), 100000);
}

static struct image_rect rect_of(const struct page_box *box, double scale)
{
    struct image_rect rect = { .x = to_pixels(box->x, scale), .y = to_pixels(box->y, scale) };
    rect.width = to_pixels(box->x + box->width, scale) - rect.x;
    rect.height = to_pixels(box->y + box->height, scale) - rect.y;
    return rect;
}

static void draw_point(struct br_image *image, double x, double y, double scale)
{
    image_draw_cross(image, to_pixels(x, scale), to_pixels(y, scale), mark_size(ARM, scale),
                     mark_size(LINE, scale), red);
}

static void draw(struct br_image *image, const struct page_trace *trace, double scale)
{
    const struct page_verdict *verdict = &trace->verdict;
    int line = mark_size(LINE, scale);
    if (trace->has_area) {
        struct image_rect area = rect_of(&trace->area, scale);
        image_draw_frame(image, &area, line, blue);
    }
    if (trace->is_verified && verdict->fraction > 0) {
        const struct page_box *box = &verdict->changed;
        struct page_box roomy = { .x = box->x - ROOM,
                                  .y = box->y - ROOM,
                                  .width = box->width + 2 * ROOM,
                                  .height = box->height + 2 * ROOM };
        struct image_rect changed = rect_of(&roomy, scale);
        image_draw_frame(image, &changed, line, green);
    }
    for (int i = 0; trace->is_verified && i < verdict->tries; i++) {
        draw_point(image, verdict->points[i].x, verdict->points[i].y, scale);
    }
    draw_point(image, trace->x, trace->y, scale);
}

/*
 * Makes a PNG of the picture with the element or range framed in blue, the changes seen by a
 * verified click in green, and each mouse position as a red cross. The caller frees *ret_bytes.
 */
static bool drawing_make(const struct br_capture *capture, const struct page_trace *trace,
                         unsigned char **ret_bytes, size_t *ret_size, struct br_error *err)
{
    struct br_image image;
    bool is_png = strcmp(capture->media_type, "image/png") == 0;
    if (!(is_png ? br_png_decode : br_jpeg_decode)(capture->bytes, capture->size, &image, err)) {
        return false;
    }
    draw(&image, trace, capture->scale);
    bool is_done = br_png_encode(&image, ret_bytes, ret_size, err);
    br_image_finish(&image);
    return is_done;
}

enum {
    MAX_ENTRIES = 1000, /* newest entries kept in metadata.json; the files of all actions stay */
    MAX_NAMES = 100,    /* number of directories with the same timestamp */
};

struct debug {
    char *path;
    FILE *logs;
    json_t *metadata; /* the contents of metadata.json */
    json_t *entries;  /* its member "actions"; borrowed */
    json_int_t omitted;
};

/*
 * Formats the time as "20261122T050001.123Z", a valid file name on every file system. Caller frees.
 */
static char *time_stamp(int64_t time_ms)
{
    char text[RFC3339_SIZE];
    rfc3339_format(time_ms, true, text);
    char *end = text;
    for (const char *at = text; *at; at++) {
        *end = *at;
        end += *at != '-' && *at != ':';
    }
    return xstrndup(text, (size_t)(end - text));
}

static int add_bytes(const char *bytes, size_t length, void *text)
{
    strbuf_add(text, bytes, length);
    return 0;
}

static void add_json(struct strbuf *text, const json_t *value, size_t flags)
{
    json_dump_callback(value, add_bytes, text, flags | JSON_REAL_PRECISION(15));
    json_make_harmless(text);
    strbuf_add_string(text, "\n");
}

static bool write_metadata(const struct debug *debug, struct br_error *err)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_FREE char *path = xasprintf("%s/metadata.json", debug->path);
    add_json(&text, debug->metadata, JSON_INDENT(1));
    return file_write(path, text.data, text.length, err);
}

static bool write_logs(const struct debug *debug, const struct debug_scene *scene, uint64_t id,
                       struct br_error *err)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    json_auto_t *logs = audit_mask_logs(scene->action, scene->logs, scene->secrets);
    size_t index;
    json_t *log;
    json_array_foreach (logs, index, log) {
        json_object_set_new(log, "action", json_integer((json_int_t)id));
        add_json(&text, log, JSON_COMPACT);
    }
    if (fwrite(text.data, 1, text.length, debug->logs) != text.length || fflush(debug->logs) != 0) {
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot write %s/log.ndjson",
                               debug->path);
    }
    return true;
}

/* Creates a new directory named by the time; the caller frees the name. */
static char *make_directory(const char *parent, struct br_error *err)
{
    CLEANUP_FREE char *stamp = time_stamp(clock_wall_ms());
    if (mkdir(parent, 0700) != 0 && errno != EEXIST) {
        error_set_errno(err, BR_INVALID_ACTION, errno, "cannot make %s for debug files", parent);
        return NULL;
    }
    for (int i = 1; i <= MAX_NAMES; i++) {
        CLEANUP_FREE char *path =
            i == 1 ? xasprintf("%s/%s", parent, stamp) : xasprintf("%s/%s-%d", parent, stamp, i);
        if (mkdir(path, 0700) == 0) {
            char *absolute = realpath(path, NULL);
            return absolute ? absolute : TAKE(path);
        }
        if (errno != EEXIST) {
            break;
        }
    }
    error_set_errno(err, BR_INVALID_ACTION, errno, "cannot make a directory for debug files in %s",
                    parent);
    return NULL;
}

static json_t *settings_json(const struct br_session_options *options,
                             const struct br_browser_options *browser)
{
    static const char *const screenshots[] = {
        [BR_SCREENSHOTS_BOTH] = "both",
        [BR_SCREENSHOTS_POST] = "post",
        [BR_SCREENSHOTS_NONE] = "none",
        [BR_SCREENSHOTS_EXPLICIT] = "explicit",
    };
    return json_pack("{s:{s:i, s:i}, s:f, s:s, s:i, s:i, s:f, s:i, s:b, s:b}", "viewport", "width",
                     options->viewport_width, "height", options->viewport_height,
                     "devicePixelRatio", options->device_pixel_ratio, "screenshots",
                     screenshots[options->screenshots], "quality", options->quality, "maxEdge",
                     options->limits.max_edge, "maxPixels", options->limits.max_pixels, "timeout",
                     options->timeout_ms, "headed", browser->headed, "connected",
                     browser->connect != NULL);
}

static bool open_logs(struct debug *debug, struct br_error *err)
{
    CLEANUP_FREE char *path = xasprintf("%s/log.ndjson", debug->path);
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    debug->logs = fd >= 0 ? fdopen(fd, "a") : NULL;
    return debug->logs || error_set_errno(err, BR_INVALID_ACTION, errno, "cannot write %s", path);
}

struct debug *debug_open(const struct br_session_options *options,
                         const struct br_browser_options *browser, struct br_error *err)
{
    char *path = make_directory(options->debug_dir ? options->debug_dir : BR_DEBUG_DIR, err);
    if (!path) {
        return NULL;
    }
    struct debug *debug = xcalloc(1, sizeof(*debug));
    debug->path = path;
    debug->entries = json_array();
    debug->metadata =
        json_pack("{s:s, s:s*, s:I, s:o, s:i, s:o}", "version", br_version(), "sessionId",
                  options->session_id, "startedAt", (json_int_t)clock_wall_ms(), "settings",
                  settings_json(options, browser), "omittedActions", 0, "actions", debug->entries);
    if (!open_logs(debug, err) || !write_metadata(debug, err)) {
        debug_close(debug);
        return NULL;
    }
    return debug;
}

void debug_close(struct debug *debug)
{
    if (debug) {
        if (debug->logs) {
            fclose(debug->logs);
        }
        json_decref(debug->metadata);
        free(debug->path);
        free(debug);
    }
}

/* In CSS pixels. */
static json_t *length_json(double length)
{
    return json_number(length, 100);
}

static json_t *fraction_json(double fraction)
{
    return json_number(fraction, 100000000);
}

static json_t *point_json(double x, double y)
{
    return json_pack("{s:o, s:o}", "x", length_json(x), "y", length_json(y));
}

static json_t *box_json(const struct page_box *box)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "x", length_json(box->x), "y", length_json(box->y),
                     "width", length_json(box->width), "height", length_json(box->height));
}

/* Returns the mouse positions, and the element or range that they belong to. */
static json_t *mouse_json(const struct page_trace *trace)
{
    return json_pack("{s:o, s:o*}", "point", point_json(trace->x, trace->y), "area",
                     trace->has_area ? box_json(&trace->area) : NULL);
}

static json_t *verdict_json(const struct page_verdict *verdict)
{
    static const char *const outcomes[] = {
        [PAGE_NO_CHANGE] = "nothing",
        [PAGE_REPAINTED] = "repainted",
        [PAGE_NAVIGATED] = "navigated",
        [PAGE_NOTICED] = "dialog, download or tab",
    };
    json_t *points = json_array();
    for (int i = 0; i < verdict->tries; i++) {
        json_array_append_new(points, point_json(verdict->points[i].x, verdict->points[i].y));
    }
    return json_pack("{s:s, s:o, s:I, s:o, s:o, s:o*, s:o}", "outcome", outcomes[verdict->outcome],
                     "points", points, "seed", (json_int_t)verdict->seed, "threshold",
                     fraction_json(verdict->threshold), "changedFraction",
                     fraction_json(verdict->fraction), "changedArea",
                     verdict->fraction > 0 ? box_json(&verdict->changed) : NULL, "leftOutFraction",
                     fraction_json(verdict->left_out));
}

/* State of recording one action. */
struct recording {
    struct debug *debug;
    const struct debug_scene *scene;
    struct br_response *response;
    json_t *pictures;       /* of the metadata entry */
    struct br_error *first; /* the first write that failed */
    bool is_complete;
};

static bool keep(struct recording *recording, const char *name, const void *bytes, size_t size)
{
    struct br_response *response = recording->response;
    struct br_error err;
    CLEANUP_FREE char *path = xasprintf("%s/%s", recording->debug->path, name);
    if (!file_write(path, bytes, size, &err)) {
        *recording->first = recording->is_complete ? err : *recording->first;
        recording->is_complete = false;
        return false;
    }
    response->debug_files = xrealloc(response->debug_files, (response->debug_file_count + 1) *
                                                                sizeof(*response->debug_files));
    response->debug_files[response->debug_file_count++] = xstrdup(name);
    return true;
}

/* Writes the copy with marks. Takes ownership of name. */
static void keep_drawing(struct recording *recording, const struct br_capture *capture, char *name,
                         json_t *picture)
{
    struct br_error err;
    CLEANUP_FREE char *owned = name;
    CLEANUP_FREE unsigned char *bytes = NULL;
    size_t size = 0;
    if (!drawing_make(capture, recording->scene->trace, &bytes, &size, &err)) {
        *recording->first = recording->is_complete ? err : *recording->first;
        recording->is_complete = false;
    } else if (keep(recording, owned, bytes, size)) {
        json_object_set_new(picture, "drawn", json_string(owned));
    }
}

static void keep_picture(struct recording *recording, const char *which,
                         const struct br_capture *capture, bool is_drawn)
{
    const struct br_response *response = recording->response;
    if (!capture->bytes) {
        return;
    }
    const char *format = strchr(capture->media_type, '/') + 1;
    CLEANUP_FREE char *stamp = time_stamp(capture->captured_at_ms);
    CLEANUP_FREE char *stem = xasprintf("%04llu-%s-%s-%s", (unsigned long long)response->id,
                                        response->type, stamp, which);
    CLEANUP_FREE char *name = xasprintf("%s.%s", stem, capture_extension(capture));
    if (!keep(recording, name, capture->bytes, capture->size)) {
        return;
    }
    json_t *picture = json_pack(
        "{s:s, s:s, s:s, s:i, s:i, s:f, s:I, s:I}", "which", which, "file", name, "format", format,
        "width", capture->width, "height", capture->height, "scale", capture->scale, "bytes",
        (json_int_t)capture->size, "capturedAt", (json_int_t)capture->captured_at_ms);
    if (capture->quality > 0) {
        json_object_set_new(picture, "quality", json_integer(capture->quality));
    }
    if (is_drawn) {
        keep_drawing(recording, capture, xasprintf("%s-drawn.png", stem), picture);
    }
    json_array_append_new(recording->pictures, picture);
}

/* Draws marks onto the picture after the action, unless it shows another page. */
static void keep_pictures(struct recording *recording)
{
    const struct debug_scene *scene = recording->scene;
    const struct br_response *response = recording->response;
    bool is_drawn = scene->trace && scene->trace->has_point && scene->is_viewport;
    bool is_on_post = response->post.bytes && !scene->is_new_document;
    struct response_picture picture;
    for (size_t i = 0; response_picture_at(response, i, &picture); i++) {
        bool is_marked =
            is_on_post ? picture.capture == &response->post : picture.capture == &response->pre;
        keep_picture(recording, picture.name, picture.capture, is_drawn && is_marked);
    }
}

static json_t *entry_json(const struct recording *recording)
{
    const struct page_trace *trace = recording->scene->trace;
    const struct br_response *response = recording->response;
    json_t *entry = audit_describe(recording->scene->action, response, recording->scene->secrets);
    bool has_point = trace && trace->has_point;
    bool is_verified = trace && trace->is_verified;
    json_object_update_new(
        entry,
        json_pack("{s:I, s:s*, s:o*, s:o*, s:O, s:o, s:O*}", "endedAt", (json_int_t)clock_wall_ms(),
                  "label", response->label, "mouse", has_point ? mouse_json(trace) : NULL,
                  "visualVerify", is_verified ? verdict_json(&trace->verdict) : NULL, "pictures",
                  recording->pictures, "metrics", metrics_json(&response->metrics), "timings",
                  response->values->timings));
    return entry;
}

static void add_entry(struct debug *debug, json_t *entry)
{
    json_array_append_new(debug->entries, entry);
    if (json_array_size(debug->entries) > MAX_ENTRIES) {
        json_array_remove(debug->entries, 0);
        json_object_set_new(debug->metadata, "omittedActions", json_integer(++debug->omitted));
    }
}

bool debug_record(struct debug *debug, const struct debug_scene *scene,
                  struct br_response *response, struct br_error *err)
{
    json_auto_t *pictures = json_array();
    struct br_error later;
    struct recording recording = {
        .debug = debug,
        .scene = scene,
        .response = response,
        .pictures = pictures,
        .first = err,
        .is_complete = true,
    };
    response->debug_dir = xstrdup(debug->path);
    keep_pictures(&recording);
    add_entry(debug, entry_json(&recording));
    bool is_complete = recording.is_complete;
    is_complete = write_logs(debug, scene, response->id, is_complete ? err : &later) && is_complete;
    return write_metadata(debug, is_complete ? err : &later) && is_complete;
}
