/* Filling a response. Its struct is public: <browser_runner/response.h>. */
#ifndef RUNNER_BASE_RESPONSE_H
#define RUNNER_BASE_RESPONSE_H

#include "runner/base/memory.h"

#include <browser_runner/response.h>

#include <jansson.h>

void download_finish(struct br_download *download);

/* Adds a download and takes ownership of its texts. */
void response_add_download(struct br_response *response, const struct br_download *download);

/* Creates a response with every field absent and every metric unknown. Never NULL. */
struct br_response *response_create(uint64_t id, const char *type);

/* The values whose texts are `result`, `delivered` and `appeared`, and those without texts. */
struct response_values {
    json_t *result, *delivered, *appeared; /* owned; NULL: none */
    json_t *timings; /* of waits_json(), owned; NULL: requested neither by the action nor by debug
                        files */
    bool shows_timings; /* the JSON of the response has them */
};

/* All take ownership of the value; NULL means that there is none. */
void response_set_result(struct br_response *response, json_t *value);
void response_set_delivered(struct br_response *response, json_t *value);
void response_set_appeared(struct br_response *response, json_t *value);

/* Creates the texts of all, once they are final. */
void response_write_values(struct br_response *response);

void capture_finish(struct br_capture *capture);

/* Returns the file name extension of the picture: "jpg", "png" or "webp". Static. */
const char *capture_extension(const struct br_capture *capture);

/* A picture of a response, and its name in chunks and files. */
struct response_picture {
    char name[16];                    /* "pre", "post", "tile-01", "tile-02" and so on */
    const struct br_capture *capture; /* has no bytes if the picture is absent */
    const struct br_tile *tile;       /* NULL: not a tile */
};

/*
 * Iterates over the pictures in the order of the response, including absent ones. Returns false
 * after the last one.
 */
bool response_picture_at(const struct br_response *response, size_t index,
                         struct response_picture *ret_picture);

/* Removes all tiles. */
void response_clear_tiles(struct br_response *response);

DEFINE_CLEANUP(struct br_response *, cleanup_response, br_response_destroy)
#define CLEANUP_RESPONSE CLEANUP(cleanup_response)

#endif
