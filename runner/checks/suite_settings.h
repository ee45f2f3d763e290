/* The settings of `defaults` and of each of `checks`. */
#ifndef RUNNER_CHECKS_SUITE_SETTINGS_H
#define RUNNER_CHECKS_SUITE_SETTINGS_H

#include "runner/checks/suite_reader.h"

/* A check before it is expanded to its viewports. Borrows from the suite's memory. */
struct suite_settings {
    struct suite_check check; /* without id and viewport */
    const struct suite_viewport **viewports;
    size_t viewport_count;
    bool is_only;
};

/* Sets the default values, and all viewports of the suite. */
void suite_settings_init(struct suite_settings *settings, struct suite_reader *reader);

/* Reads `defaults` over the present values. */
void suite_settings_read_defaults(struct suite_settings *settings, struct suite_reader *reader,
                                  const struct suite_place *place);

/* Reads one of `checks` over the present values. */
void suite_settings_read_check(struct suite_settings *settings, struct suite_reader *reader,
                               const struct suite_place *place);

/* Reads the suite's `setup`, if it has one. */
void suite_settings_read_setup(struct suite_reader *reader, const struct suite_place *root);

/* Reports a problem if a text cannot be part of a file name: letters, digits and ._- only. */
bool suite_check_name(struct suite_reader *reader, const struct suite_place *place,
                      const char *name);

/*
 * Returns the absolute URL, which lives as long as the suite. Reports a problem if the address is
 * invalid, or relative without a baseUrl.
 */
char *suite_absolute_url(struct suite_reader *reader, const struct suite_place *place,
                         const char *url);

#endif
