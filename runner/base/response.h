/* How a response is filled. Its shape is public: <browser_runner/response.h>. */
#ifndef RUNNER_BASE_RESPONSE_H
#define RUNNER_BASE_RESPONSE_H

#include "runner/base/memory.h"

#include <browser_runner/response.h>

void download_finish(struct br_download *download);

/* Adds a download; takes ownership of its texts. */
void response_add_download(struct br_response *response, const struct br_download *download);

/* A response with every field absent and every metric unknown. Never NULL. */
struct br_response *response_create(uint64_t id, const char *type);

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
