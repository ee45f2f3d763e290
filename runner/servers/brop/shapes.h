/* Results of actions in BROP's shapes. Nothing here runs anything. Callers decref what they get. */
#ifndef RUNNER_SERVERS_BROP_SHAPES_H
#define RUNNER_SERVERS_BROP_SHAPES_H

#include <jansson.h>
#include <stdbool.h>

/* A box, [x, y, width, height], as an object that also has its edges. */
json_t *brop_box(const json_t *box);

/* An element, from the record that `inspect` makes. */
json_t *brop_element(const json_t *record);

/* `clicked` of a click, from the same; its tag in capitals. */
json_t *brop_clicked(const json_t *record);

/* The result of fill_form, without success and tabId, from that of `fill` (NULL: none). */
json_t *brop_filled(const json_t *result, const json_t *form_data);

/* The result of detect_interactive_elements, without success, tabId and timestamp. */
json_t *brop_detected(const json_t *result, bool has_places);

#endif
