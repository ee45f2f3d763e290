#include "runner/console/places.h"

#include "runner/base/memory.h"
#include "runner/base/url_parts.h"
#include "runner/observe/places.h"

#include <limits.h>
#include <string.h>

enum {
    MAX_PLACES = 100,     /* of an event */
    MAX_LONGER = 1 << 20, /* bytes by which a text may grow */
};

/* A walk through the places of an event, which requests their scripts or replaces the places. */
struct walk {
    struct console_scripts *asked;       /* set to request scripts */
    const struct console_scripts *known; /* set to replace places */
    const char *page;                    /* the URL of the document, which is no script */
    size_t places;
    bool waits;
};

/* Returns the replacement; NULL: none. Caller frees. */
static char *visit(void *data, const char *url, int line, int column)
{
    struct walk *walk = data;
    size_t length = strlen(url);
    bool is_page = strcspn(walk->page, "#") == length && strncmp(walk->page, url, length) == 0;
    if (is_page || walk->places == MAX_PLACES) {
        return NULL;
    }
    walk->places++;
    if (walk->known) {
        return console_scripts_find(walk->known, url, line, column);
    }
    walk->waits |= console_scripts_await(walk->asked, url);
    return NULL;
}

/* Visits the places behind the first `skipped` bytes. */
static void visit_text(struct walk *walk, char **text, size_t skipped)
{
    char *changed = places_rewrite(*text + skipped, strlen(*text) + MAX_LONGER, visit, walk);
    if (changed) {
        char *whole = xasprintf("%.*s%s", (int)skipped, *text, changed);
        free(changed);
        free(*text);
        *text = whole;
    }
}

/* Skips the message, which Chrome puts before the frames. */
static void visit_stack(struct walk *walk, char **stack, const char *message)
{
    size_t length = message ? strlen(message) : 0;
    const char *found = length > 0 && length < INT_MAX ? strstr(*stack, message) : NULL;
    visit_text(walk, stack, found ? (size_t)(found - *stack) + length : 0);
}

/* Visits a stack inside a text, as Chrome writes it. */
static void visit_frames(struct walk *walk, char **text)
{
    const char *frames = *text ? strstr(*text, "\n    at ") : NULL;
    if (frames && frames - *text < INT_MAX) {
        visit_text(walk, text, (size_t)(frames - *text));
    }
}

static void visit_value(struct walk *walk, struct console_value *value)
{
    if (value->kind == KIND_ERROR || value->kind == KIND_STRING) {
        if (value->stack) {
            visit_stack(walk, &value->stack, value->text);
        }
        visit_frames(walk, &value->text);
    }
    for (size_t i = 0; i < value->count; i++) {
        visit_value(walk, &value->members[i].value);
    }
}

static void visit_location(struct walk *walk, struct console_event *event)
{
    struct console_location *place = &event->location;
    if (!place->url || place->line == 0 || place->column == 0) {
        return;
    }
    CLEANUP_FREE char *found = visit(walk, place->url, place->line, place->column);
    if (found) {
        event->generated = event->location;
        event->location = console_location_read(found);
    }
}

static bool is_page_local(const struct console_event *event)
{
    struct url_parts parts;
    return event->source.url && url_parts_read(event->source.url, &parts) &&
           url_host_is_loopback(parts.host);
}

static void visit_all(struct walk *walk, struct console_event *event, unsigned places)
{
    if (!is_page_local(event)) {
        return;
    }
    walk->page = event->source.url;
    if (places & PLACES_LOCATION) {
        visit_location(walk, event);
    }
    if (places & PLACES_STACK && event->stack) {
        visit_text(walk, &event->stack, 0);
    }
    for (size_t i = 0; places & PLACES_VALUES && i < event->count; i++) {
        visit_value(walk, &event->args[i]);
    }
}

bool console_places_await(struct console_scripts *scripts, const struct console_event *event,
                          unsigned places)
{
    struct walk walk = { .asked = scripts };
    /* Without `known` the walk changes nothing. */
    visit_all(&walk, (struct console_event *)event, places);
    return walk.waits;
}

void console_places_apply(const struct console_scripts *scripts, struct console_event *event,
                          unsigned places)
{
    struct walk walk = { .known = scripts };
    visit_all(&walk, event, places);
}
