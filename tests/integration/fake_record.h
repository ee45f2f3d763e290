/* What the fake browser received, for the test to examine. Any thread. */
#ifndef TESTS_INTEGRATION_FAKE_RECORD_H
#define TESTS_INTEGRATION_FAKE_RECORD_H

#include <jansson.h>
#include <stddef.h>

struct fake_record;

struct fake_record *fake_record_create(void);
void fake_record_destroy(struct fake_record *record);

/* Adds a command from connection number `connection`. */
void fake_record_add(struct fake_record *record, json_t *command, int connection);

/* As fake_browser_command(). */
json_t *fake_record_get(struct fake_record *record, size_t index);

/* As fake_browser_find(). */
size_t fake_record_find(struct fake_record *record, const char *pattern, size_t from);

#endif
