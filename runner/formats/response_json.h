/* A response as a JSON tree: the fields of INTERFACE.md "Responses", in that order. */
#ifndef RUNNER_FORMATS_RESPONSE_JSON_H
#define RUNNER_FORMATS_RESPONSE_JSON_H

#include <browser_runner/response.h>
#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* The rule for `tokens` of `captures`; provider_message() counts again by its provider's rule. */
#define RESPONSE_TOKEN_RULE "anthropic"

/*
 * Returns the response as an object. A picture whose base64 exceeds `chunk_size` characters (0: no
 * limit) has no data; its entry in `captures` then has `chunks`. Never NULL; caller decrefs.
 */
json_t *response_json(const struct br_response *response, size_t chunk_size);

/* Returns in how many chunks the picture is sent; 0 if it is sent whole or absent. */
size_t response_chunk_total(const struct br_capture *capture, size_t chunk_size);

/* Returns the id of these chunks, unique in the run: "2-post". Caller frees. */
char *response_chunk_id(const struct br_response *response, const char *key);

#endif
