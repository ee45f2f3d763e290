#include "runner/base/waits.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_WAITS = 1000,
    MAX_NAME = 80,
    MAX_PENDING = 16, /* commands whose function is remembered until their reply is awaited */
};

struct waited {
    char what[MAX_NAME];
    int64_t began_us, took_us;
};

struct waits {
    int64_t restarted_us;
    struct waited *items;
    size_t count, capacity;
    bool is_waiting;
    struct {
        int64_t id;
        char function[MAX_NAME / 2];
    } pending[MAX_PENDING];
    size_t next_pending;
};

struct waits *waits_create(void)
{
    struct waits *waits = xcalloc(1, sizeof(*waits));
    waits_restart(waits);
    return waits;
}

void waits_destroy(struct waits *waits)
{
    if (waits) {
        free(waits->items);
        free(waits);
    }
}

void waits_restart(struct waits *waits)
{
    waits->restarted_us = clock_monotonic_us();
    waits->count = 0;
    waits->is_waiting = false;
}

void waits_note_command(struct waits *waits, int64_t id, const json_t *params)
{
    static const char ours[] = "browserRunner.";
    const char *text = json_member_string(params, "functionDeclaration");
    const char *begin = text ? strstr(text, ours) : NULL;
    if (id < 0 || !begin) {
        return;
    }
    begin += sizeof(ours) - 1;
    size_t length = strcspn(begin, "(");
    size_t place = waits->next_pending++ % MAX_PENDING;
    waits->pending[place].id = id;
    snprintf(waits->pending[place].function, sizeof(waits->pending[place].function), "%.*s",
             (int)length, begin);
}

static const char *function_of(const struct waits *waits, int64_t id)
{
    for (size_t i = 0; id >= 0 && i < MAX_PENDING; i++) {
        if (waits->pending[i].id == id) {
            return waits->pending[i].function;
        }
    }
    return "";
}

void waits_begin(struct waits *waits, const char *what, int64_t id)
{
    waits->is_waiting = waits->count < MAX_WAITS;
    if (!waits->is_waiting) {
        return;
    }
    if (waits->count == waits->capacity) {
        waits->capacity = waits->capacity ? 2 * waits->capacity : 32;
        waits->items = xrealloc(waits->items, waits->capacity * sizeof(*waits->items));
    }
    struct waited *wait = &waits->items[waits->count];
    const char *function = function_of(waits, id);
    snprintf(wait->what, sizeof(wait->what), "%s%s%s", what, *function ? " " : "", function);
    wait->began_us = clock_monotonic_us();
}

void waits_end(struct waits *waits)
{
    if (waits->is_waiting) {
        struct waited *wait = &waits->items[waits->count++];
        wait->took_us = clock_monotonic_us() - wait->began_us;
        waits->is_waiting = false;
    }
}

static json_t *ms_json(int64_t us)
{
    return json_number((double)us / 1000, 100);
}

json_t *waits_json(const struct waits *waits)
{
    json_t *list = json_array();
    for (size_t i = 0; i < waits->count; i++) {
        const struct waited *wait = &waits->items[i];
        json_array_append_new(list, json_pack("{s:s, s:o, s:o}", "what", wait->what, "atMs",
                                              ms_json(wait->began_us - waits->restarted_us), "ms",
                                              ms_json(wait->took_us)));
    }
    return list;
}
