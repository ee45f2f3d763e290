/* A response as a JSON tree: the fields of INTERFACE.md "Responses", in that order. */
#ifndef RUNNER_FORMATS_RESPONSE_JSON_H
#define RUNNER_FORMATS_RESPONSE_JSON_H

#include <browser_runner/response.h>
#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* By which `tokens` of `captures` are counted; provider_message() counts by its provider's. */
#define RESPONSE_TOKEN_RULE "anthropic"

/*
 * The response as an object. A picture whose base64 is over `chunk_size` characters (0: none is)
 * has no data; its entry in `captures` then has `chunks`. Never NULL; caller decrefs.
 */
json_t *response_json(const struct br_response *response, size_t chunk_size);

/* How many chunks the picture goes out in; 0 when it goes out whole or is absent. */
size_t response_chunk_total(const struct br_capture *capture, size_t chunk_size);

/* The id of these chunks, unique in the run: "2-post". Caller frees. */
char *response_chunk_id(const struct br_response *response, const char *key);

/*
 * The tree as one line of text without a newline. Reals have the fewest digits that give the same
 * numbers again; what would act on a terminal or a CI that shows the line is escaped. *ret_length
 * may be NULL. Caller frees.
 */
char *response_json_line(const json_t *root, size_t *ret_length);

#endif
