#include "tests/integration/fake_record.h"

#include "tests/integration/fake_words.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct fake_record {
    pthread_mutex_t mutex; /* guards the commands */
    json_t *commands;      /* array of commands, with their "connection" */
};

struct fake_record *fake_record_create(void)
{
    struct fake_record *record = xcalloc(1, sizeof(*record));
    pthread_mutex_init(&record->mutex, NULL);
    record->commands = json_array();
    return record;
}

void fake_record_destroy(struct fake_record *record)
{
    pthread_mutex_destroy(&record->mutex);
    json_decref(record->commands);
    free(record);
}

void fake_record_add(struct fake_record *record, json_t *command, int connection)
{
    /* A deep copy: the thread continues to use its own. */
    json_t *copy = json_deep_copy(command);
    json_object_set_new(copy, "connection", json_integer(connection));
    pthread_mutex_lock(&record->mutex);
    json_array_append_new(record->commands, copy);
    pthread_mutex_unlock(&record->mutex);
}

json_t *fake_record_get(struct fake_record *record, size_t index)
{
    pthread_mutex_lock(&record->mutex);
    json_t *command = json_incref(json_array_get(record->commands, index));
    pthread_mutex_unlock(&record->mutex);
    return command;
}

size_t fake_record_find(struct fake_record *record, const char *pattern, size_t from)
{
    struct br_error err;
    json_auto_t *wanted = pattern[0] == '{'
                              ? json_parse(pattern, strlen(pattern), "a pattern", &err)
                              : json_pack("{s:s}", "method", pattern);
    if (!wanted) {
        fail_msg("no pattern: %s", pattern);
    }
    pthread_mutex_lock(&record->mutex);
    size_t count = json_array_size(record->commands);
    size_t i = from;
    while (i < count && !fake_fits(wanted, json_array_get(record->commands, i))) {
        i++;
    }
    pthread_mutex_unlock(&record->mutex);
    return i < count ? i : SIZE_MAX;
}
