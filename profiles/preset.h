/* Devices and surroundings by name: presets/NAME.json, embedded by the build. */
#ifndef PROFILES_PRESET_H
#define PROFILES_PRESET_H

#include <browser_runner/error.h>
#include <jansson.h>

/* In the order in which help lists them; NULL-terminated. */
extern const char *const preset_names[];

/*
 * The settings of a preset, as page_set() takes them by their names. Caller decrefs. NULL with
 * INVALID_ACTION and the list for an unknown name.
 */
json_t *preset_load(const char *name, struct br_error *err);

#endif
