/* Converts results of actions into BROP's form. Callers decref the results. */
#ifndef RUNNER_SERVERS_BROP_SHAPES_H
#define RUNNER_SERVERS_BROP_SHAPES_H

#include <jansson.h>
#include <stdbool.h>

/* Converts a box, [x, y, width, height], into an object that also has its edges. */
json_t *brop_box(const json_t *box);

/* Converts an element's record from `inspect`. */
json_t *brop_element(const json_t *record);

/* Makes `clicked` of a click from the same record; the tag is in capitals. */
json_t *brop_clicked(const json_t *record);

/* Makes the result of fill_form, without success and tabId, from that of `fill` (NULL: none). */
json_t *brop_filled(const json_t *result, const json_t *form_data);

/* Makes the result of detect_interactive_elements, without success, tabId and timestamp. */
json_t *brop_detected(const json_t *result, bool has_places);

#endif
