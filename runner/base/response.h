/* How a response is filled. Its shape is public: <browser_runner/response.h>. */
#ifndef RUNNER_BASE_RESPONSE_H
#define RUNNER_BASE_RESPONSE_H

#include "runner/base/memory.h"

#include <browser_runner/response.h>

#include <jansson.h>

void download_finish(struct br_download *download);

/* Adds a download; takes ownership of its texts. */
void response_add_download(struct br_response *response, const struct br_download *download);

/* A response with every field absent and every metric unknown. Never NULL. */
struct br_response *response_create(uint64_t id, const char *type);

/* What `result` and `delivered` are the texts of; NULL: there is none. */
struct response_values {
    json_t *result, *delivered; /* owned */
};

/* Both take ownership of the value, which may be NULL: there is none. */
void response_set_result(struct br_response *response, json_t *value);
void response_set_delivered(struct br_response *response, json_t *value);

/* Makes the texts of both, once they are final. */
void response_write_values(struct br_response *response);

void capture_finish(struct br_capture *capture);

/* What a file with the picture ends in: "jpg", "png" or "webp". Static. */
const char *capture_extension(const struct br_capture *capture);

/* A picture of a response, and the name by which chunks and files know it. */
struct response_picture {
    char name[16];                    /* "pre", "post", "tile-01", "tile-02" and so on */
    const struct br_capture *capture; /* without bytes: there is none */
    const struct br_tile *tile;       /* NULL: it is none */
};

/* The pictures in the order of the response, absent ones included. False behind the last one. */
bool response_picture_at(const struct br_response *response, size_t index,
                         struct response_picture *ret_picture);

/* Drops the tiles that there are. */
void response_clear_tiles(struct br_response *response);

DEFINE_CLEANUP(struct br_response *, cleanup_response, br_response_destroy)
#define CLEANUP_RESPONSE CLEANUP(cleanup_response)

#endif
