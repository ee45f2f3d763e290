/*
 * Parts of the import of other programs' files, which import_suite() in init.h begins
 * (import_suite.c): what all kinds of files use (import.c), and Lost Pixel's configuration
 * (import_lost_pixel.c).
 */
#ifndef RUNNER_CHECKS_IMPORT_H
#define RUNNER_CHECKS_IMPORT_H

#include "runner/base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A suite while it is written. */
struct import {
    const char *source; /* a file or a URL */
    json_t *suite, *viewports, *defaults, *checks;
    json_t *used;  /* object: the names of checks */
    json_t *notes; /* array: members that were not imported, as sentences */
    char *base;    /* the origin of the first address, with its slash; a folder if that is a file */
    json_t *parts; /* array: {name of the check, key in names of the program's pictures, isWhole} */
    json_t *sizes; /* array: {name of the viewport, key, width} */
    bool has_whole_keys; /* a picture's name is the two keys; otherwise it ends with them */
};

/* Records a member that was not imported, and the remedy. */
void import_note(struct import *import, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the text of a file or of a web address, at most 64 MB; caller frees. */
char *import_read(const char *source, size_t *ret_length, struct br_error *err);

/*
 * Returns the address as the suite writes it: relative to the origin of the first one, or to the
 * source's folder if that is a file; whole if it is elsewhere. Caller frees.
 */
char *import_address(struct import *import, const char *url);

/* Adds a copy of the check under a name of its own, which it returns. Borrowed. */
const char *import_check(struct import *import, const json_t *check, const char *name);

/* Sets the member `name` of the check to the selector or selectors, unless there are none. */
void import_selectors(json_t *check, const json_t *value, const char *name);

/* Adds a wait for a selector (text) or for milliseconds (number) to the check's actions. */
void import_wait(json_t *check, const json_t *value);

/* Adds an action to the check; takes ownership. */
void import_action(json_t *check, json_t *action);

/* Returns whether the name is in the list, which NULL ends. */
bool import_is_one_of(const char *name, const char *const *names);

/* Clamps to the range of int; the suite's reader refuses values that are too large. */
int import_whole(double number);

/* Keeps letters and digits, in lower case: each program replaces the others. Caller frees. */
char *import_key(const char *text);

/* Adds the stories of a Storybook's index, whose address or path is import->source. */
void import_storybook(struct import *import, const json_t *entries);

/* Returns whether the file is named as Lost Pixel's configuration is. */
bool import_lost_pixel_has_name(const char *source);

/* Adds the checks of Lost Pixel's configuration: of the object itself, or of a script with it. */
bool import_lost_pixel(struct import *import, const json_t *config, struct br_error *err);
bool import_lost_pixel_script(struct import *import, const char *text, struct br_error *err);

#endif
