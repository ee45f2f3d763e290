/* Encodes a picture as the block that model providers read. */
#ifndef RUNNER_FORMATS_IMAGE_BLOCK_H
#define RUNNER_FORMATS_IMAGE_BLOCK_H

#include <browser_runner/response.h>
#include <jansson.h>

/*
 * {"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"..."}} without any
 * other field, which providers would refuse. The capture must have bytes. Never NULL; caller
 * decrefs.
 */
json_t *image_block(const struct br_capture *capture);

/* The same with `data` empty, for a picture that is sent in chunks. */
json_t *image_block_without_data(const struct br_capture *capture);

#endif
