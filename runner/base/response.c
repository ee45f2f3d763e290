#include "runner/base/response.h"

#include "runner/base/log.h"
#include "runner/base/network_event.h"
#include "runner/base/value.h"

#include <stdio.h>
#include <string.h>

struct br_response *response_create(uint64_t id, const char *type)
{
    struct br_response *response = xcalloc(1, sizeof(*response));
    response->id = id;
    response->type = xstrdup(type);
    response->values = xcalloc(1, sizeof(*response->values));
    response->attempts = 1;
    response->metrics = (struct br_metrics){
        .load_time_ms = -1,
        .ttfb_ms = -1,
        .fcp_ms = -1,
        .lcp_ms = -1,
        .dom_content_loaded_ms = -1,
        .cls = -1,
        .inp_ms = -1,
        .long_tasks = -1,
        .long_task_ms = -1,
        .memory_usage_bytes = -1,
        .nodes = -1,
        .layouts = -1,
        .transfer_bytes = -1,
        .session_duration_ms = -1,
    };
    return response;
}

static void set_value(json_t **value, char **text, json_t *new_value)
{
    json_decref(*value);
    *value = new_value;
    free(TAKE(*text));
}

void response_set_result(struct br_response *response, json_t *value)
{
    set_value(&response->values->result, &response->result, value);
}

void response_set_delivered(struct br_response *response, json_t *value)
{
    set_value(&response->values->delivered, &response->delivered, value);
}

void response_set_appeared(struct br_response *response, json_t *value)
{
    set_value(&response->values->appeared, &response->appeared, value);
}

static void write_value(const json_t *value, char **text)
{
    free(*text);
    *text = value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
}

const struct br_value *br_response_result(const struct br_response *response)
{
    return value_of(response->values->result);
}

const struct br_value *br_response_delivered(const struct br_response *response)
{
    return value_of(response->values->delivered);
}

const struct br_value *br_response_appeared(const struct br_response *response)
{
    return value_of(response->values->appeared);
}

void response_write_values(struct br_response *response)
{
    write_value(response->values->result, &response->result);
    write_value(response->values->delivered, &response->delivered);
    write_value(response->values->appeared, &response->appeared);
}

void capture_finish(struct br_capture *capture)
{
    free(capture->bytes);
    *capture = (struct br_capture){ 0 };
}

const char *capture_extension(const struct br_capture *capture)
{
    static const struct {
        const char *media_type, *extension;
    } formats[] = { { "image/png", "png" }, { "image/webp", "webp" } };
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (strcmp(capture->media_type, formats[i].media_type) == 0) {
            return formats[i].extension;
        }
    }
    return "jpg";
}

bool response_picture_at(const struct br_response *response, size_t index,
                         struct response_picture *ret_picture)
{
    enum { FIRST_TILE = 2 };
    if (index >= FIRST_TILE + response->tile_count) {
        return false;
    }
    *ret_picture = (struct response_picture){
        .name = "pre",
        .capture = &response->pre,
    };
    if (index == 1) {
        *ret_picture = (struct response_picture){ .name = "post", .capture = &response->post };
    } else if (index >= FIRST_TILE) {
        ret_picture->tile = &response->tiles[index - FIRST_TILE];
        ret_picture->capture = &ret_picture->tile->picture;
        snprintf(ret_picture->name, sizeof(ret_picture->name), "tile-%02zu",
                 (index - FIRST_TILE + 1) % 1000);
    }
    return true;
}

void response_clear_tiles(struct br_response *response)
{
    for (size_t i = 0; i < response->tile_count; i++) {
        capture_finish(&response->tiles[i].picture);
    }
    free(response->tiles);
    response->tiles = NULL;
    response->tile_count = 0;
}

void download_finish(struct br_download *download)
{
    free(download->url);
    free(download->file);
    free(download->suggested_name);
    free(download->state);
}

void response_add_download(struct br_response *response, const struct br_download *download)
{
    size_t capacity = response->download_count;
    response->downloads = array_reserve(response->downloads, response->download_count, &capacity,
                                        sizeof(*response->downloads));
    response->downloads[response->download_count++] = *download;
}

void br_response_destroy(struct br_response *response)
{
    if (!response) {
        return;
    }
    for (size_t i = 0; i < response->log_count; i++) {
        log_finish(&response->logs[i]);
    }
    free(response->logs);
    for (size_t i = 0; i < response->network_event_count; i++) {
        network_event_finish(&response->network_events[i]);
    }
    free(response->network_events);
    for (size_t i = 0; i < response->download_count; i++) {
        download_finish(&response->downloads[i]);
    }
    free(response->downloads);
    capture_finish(&response->pre);
    capture_finish(&response->post);
    response_clear_tiles(response);
    free(response->type);
    free(response->label);
    free(response->session_id);
    free(response->url);
    free(response->title);
    response_set_result(response, NULL);
    response_set_delivered(response, NULL);
    response_set_appeared(response, NULL);
    json_decref(response->values->timings);
    free(response->values);
    free(response->debug_dir);
    for (size_t i = 0; i < response->debug_file_count; i++) {
        free(response->debug_files[i]);
    }
    free(response->debug_files);
    free(response);
}
