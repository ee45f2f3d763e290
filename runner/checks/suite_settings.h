/* What `defaults` and each of `checks` may say. */
#ifndef RUNNER_CHECKS_SUITE_SETTINGS_H
#define RUNNER_CHECKS_SUITE_SETTINGS_H

#include "runner/checks/suite_reader.h"

/* A check before it is multiplied by its viewports. Borrows from the suite's memory. */
struct suite_settings {
    struct suite_check check; /* without id and viewport */
    const struct suite_viewport **viewports;
    size_t viewport_count;
    bool is_only;
};

/* What holds where nothing is said, in all viewports of the suite. */
void suite_settings_init(struct suite_settings *settings, struct suite_reader *reader);

/* Reads `defaults` over what is there. */
void suite_settings_read_defaults(struct suite_settings *settings, struct suite_reader *reader,
                                  const struct suite_place *place);

/* Reads one of `checks` over what is there. */
void suite_settings_read_check(struct suite_settings *settings, struct suite_reader *reader,
                               const struct suite_place *place);

/*
 * Tells the problem where a text cannot be a part of a file's name: letters, digits and ._- only.
 */
bool suite_check_name(struct suite_reader *reader, const struct suite_place *place,
                      const char *name);

/*
 * Tells the problem where the address is none, or is relative without a baseUrl; else returns it
 * absolute, and it lives as long as the suite.
 */
char *suite_absolute_url(struct suite_reader *reader, const struct suite_place *place,
                         const char *url);

#endif
