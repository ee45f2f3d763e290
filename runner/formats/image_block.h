/* A picture as the block that model providers read. */
#ifndef RUNNER_FORMATS_IMAGE_BLOCK_H
#define RUNNER_FORMATS_IMAGE_BLOCK_H

#include <browser_runner/response.h>
#include <jansson.h>

/*
 * {"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"..."}} and no field
 * more: providers refuse others. The capture has to have bytes. Never NULL; caller decrefs.
 */
json_t *image_block(const struct br_capture *capture);

/* The same with `data` empty, for a picture that goes out in chunks. */
json_t *image_block_without_data(const struct br_capture *capture);

#endif
