#include "runner/formats/response_json.h"

#include "imaging/base64.h"
#include "runner/base/json.h"
#include "runner/base/json_layout.h"
#include "runner/base/metrics.h"
#include "runner/base/response.h"
#include "runner/base/strbuf.h"
#include "runner/base/unicode.h"
#include "runner/formats/image_block.h"
#include "runner/formats/network_filter.h"
#include "runner/observe/observed.h"

#include <browser_runner/image.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static json_t *optional_text(const char *text)
{
    return text && *text ? json_text(text) : NULL;
}

static json_t *logs_json(const struct br_response *response)
{
    json_t *logs = json_array();
    for (size_t i = 0; i < response->log_count; i++) {
        json_array_append_new(logs, observed_log(&response->logs[i]));
    }
    return logs;
}

/* Takes ownership; returns NULL if the object is empty. */
static json_t *unless_empty(json_t *object)
{
    if (json_object_size(object) == 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *network_events_json(const struct br_response *response)
{
    json_t *events = json_array();
    for (size_t i = 0; i < response->network_event_count; i++) {
        json_array_append_new(events, observed_request(&response->network_events[i]));
    }
    return events;
}

static json_t *screenshot_json(const struct br_capture *capture, size_t chunk_size)
{
    return response_chunk_total(capture, chunk_size) ? image_block_without_data(capture)
                                                     : image_block(capture);
}

static json_t *place_json(const struct br_tile *tile)
{
    return tile ? json_pack("{s:o, s:o, s:o, s:o}", "x", json_number(tile->x, 100), "y",
                            json_number(tile->y, 100), "width", json_number(tile->width, 100),
                            "height", json_number(tile->height, 100))
                : NULL;
}

static json_t *capture_json(const struct br_response *response,
                            const struct response_picture *picture, size_t chunk_size)
{
    json_t *chunks = NULL;
    const struct br_capture *capture = picture->capture;
    size_t total = response_chunk_total(capture, chunk_size);
    if (total) {
        CLEANUP_FREE char *id = response_chunk_id(response, picture->name);
        chunks = json_pack("{s:s, s:I}", "id", id, "total", (json_int_t)total);
    }
    int64_t tokens = br_image_tokens(RESPONSE_TOKEN_RULE, capture->width, capture->height);
    return json_pack("{s:i, s:i, s:o*, s:I, s:I, s:I, s:o*, s:o*}", "width", capture->width,
                     "height", capture->height, "scale", json_number(capture->scale, 1000000),
                     "bytes", (json_int_t)capture->size, "capturedAt",
                     (json_int_t)capture->captured_at_ms, "tokens", (json_int_t)tokens, "place",
                     place_json(picture->tile), "chunks", chunks);
}

/* Adds a picture's value under its name, or appends a tile's value. */
static void add_picture(json_t *object, const struct response_picture *picture, json_t *value)
{
    if (!picture->tile) {
        json_object_set_new(object, picture->name, value);
        return;
    }
    if (!json_object_get(object, "tiles")) {
        json_object_set_new(object, "tiles", json_array());
    }
    json_array_append_new(json_object_get(object, "tiles"), value);
}

/* Adds the members `screenshots` and `captures`; neither if there is no picture. */
static void add_pictures(json_t *root, const struct br_response *response, size_t chunk_size)
{
    struct response_picture picture;
    json_t *screenshots = json_object();
    json_t *captures = json_object();
    for (size_t i = 0; response_picture_at(response, i, &picture); i++) {
        if (picture.capture->bytes) {
            add_picture(screenshots, &picture, screenshot_json(picture.capture, chunk_size));
            add_picture(captures, &picture, capture_json(response, &picture, chunk_size));
        }
    }
    json_t *both = json_pack("{s:o*, s:o*}", "screenshots", unless_empty(screenshots), "captures",
                             unless_empty(captures));
    json_object_update(root, both);
    json_decref(both);
}

/* Returns NULL if there are none. */
static json_t *downloads_json(const struct br_response *response)
{
    json_t *downloads = response->download_count ? json_array() : NULL;
    for (size_t i = 0; i < response->download_count; i++) {
        const struct br_download *download = &response->downloads[i];
        json_array_append_new(
            downloads, json_pack("{s:o, s:o*, s:o, s:I, s:s}", "url", json_text(download->url),
                                 "file", optional_text(download->file), "suggestedName",
                                 json_text(download->suggested_name), "bytes",
                                 (json_int_t)download->bytes, "state", download->state));
    }
    return downloads;
}

static json_t *debug_files_json(const struct br_response *response)
{
    json_t *files = json_array();
    if (!response->debug_dir) {
        json_decref(files);
        return NULL;
    }
    for (size_t i = 0; i < response->debug_file_count; i++) {
        json_array_append_new(files, json_text(response->debug_files[i]));
    }
    return json_pack("{s:o, s:o}", "directory", json_text(response->debug_dir), "files", files);
}

json_t *response_json(const struct br_response *response, size_t chunk_size)
{
    const struct br_error *error = response->success ? NULL : &response->error;
    json_t *status = response->http_status ? json_integer(response->http_status) : NULL;
    json_t *root = json_pack(
        "{s:s, s:I, s:o*, s:o, s:o*, s:b, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*}", "kind",
        "response", "id", (json_int_t)response->id, "sessionId",
        optional_text(response->session_id), "type",
        json_text(response->type ? response->type : ""), "label", optional_text(response->label),
        "success", response->success, "error", error ? json_text(error->message) : NULL,
        "errorCode", error ? json_string(br_code_name(error->code)) : NULL, "errorCategory",
        error ? json_string(br_error_category(error)) : NULL, "hint",
        optional_text(response->error.hint), "url", optional_text(response->url), "title",
        response->title ? json_text(response->title) : NULL, "httpStatus", status);
    json_t *observed =
        json_pack("{s:o, s:o, s:o*, s:o}", "logs", logs_json(response), "networkEvents",
                  network_events_json(response), "downloads", downloads_json(response), "metrics",
                  metrics_json(&response->metrics));
    json_object_update(root, observed);
    json_decref(observed);
    network_filter_apply(root, response->network_filter);
    add_pictures(root, response, chunk_size);
    json_t *rest =
        json_pack("{s:o*, s:o*, s:o*, s:i, s:b, s:I, s:O*, s:o*}", "result",
                  json_incref(response->values->result), "delivered",
                  json_incref(response->values->delivered), "appeared",
                  json_incref(response->values->appeared), "attempts", response->attempts,
                  "recovered", response->recovered, "durationMs", (json_int_t)response->duration_ms,
                  "timings", response->values->shows_timings ? response->values->timings : NULL,
                  "debugFiles", debug_files_json(response));
    json_object_update(root, rest);
    json_decref(rest);
    return root;
}

size_t response_chunk_total(const struct br_capture *capture, size_t chunk_size)
{
    size_t length = capture->bytes ? base64_encoded_size(capture->size) : 0;
    if (chunk_size == 0 || length <= chunk_size) {
        return 0;
    }
    return (length - 1) / chunk_size + 1;
}

char *response_chunk_id(const struct br_response *response, const char *key)
{
    return xasprintf("%" PRIu64 "-%s", response->id, key);
}

char *br_response_to_json(const struct br_response *response)
{
    json_auto_t *root = response_json(response, 0);
    return json_line(root, NULL);
}
