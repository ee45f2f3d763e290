#include "runner/console/tab.h"

#include "runner/base/clock.h"
#include "runner/base/memory.h"
#include "runner/base/utf8.h"
#include "runner/console/values.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_NAME = 200 };

/* The label of a counter or timer, as one line. */
static char *label_of(const struct console_event *event)
{
    static const struct console_style plain = { 0 };
    struct strbuf name = STRBUF_INIT(STRBUF_UNCAPPED);
    if (event->count == 0 || event->args[0].kind == KIND_UNDEFINED) {
        strbuf_add_string(&name, "default");
    } else {
        console_add_value_line(&name, &plain, &event->args[0], false);
    }
    if (name.length > MAX_NAME) {
        strbuf_truncate(&name, utf8_cut(name.data, MAX_NAME));
    }
    return strbuf_take(&name);
}

static struct console_label **find(struct console_tab *tab, bool is_timer, const char *name)
{
    struct console_label **at = &tab->labels;
    while (*at && ((*at)->is_timer != is_timer || strcmp((*at)->name, name) != 0)) {
        at = &(*at)->next;
    }
    return at;
}

static void forget(struct console_tab *tab, struct console_label **place)
{
    struct console_label *label = *place;
    *place = label->next;
    tab->label_count--;
    free(label);
}

static struct console_label *add(struct console_tab *tab, bool is_timer, const char *name)
{
    if (tab->label_count >= TAB_MAX_LABELS) {
        struct console_label **last = &tab->labels;
        while ((*last)->next) {
            last = &(*last)->next;
        }
        forget(tab, last);
    }
    size_t size = strlen(name) + 1;
    struct console_label *label = xcalloc(1, sizeof(*label) + size);
    memcpy(label->name, name, size);
    label->is_timer = is_timer;
    label->next = tab->labels;
    tab->labels = label;
    tab->label_count++;
    return label;
}

static void warn(struct console_effect *effect, char *text)
{
    effect->level = LEVEL_WARN;
    effect->text = text;
}

static void apply_count(struct console_tab *tab, const struct console_event *event,
                        struct console_effect *effect)
{
    CLEANUP_FREE char *name = label_of(event);
    struct console_label *label = *find(tab, false, name);
    bool is_reset = event->method == CONSOLE_COUNT_RESET;
    effect->skipped = event->count;
    if (is_reset && !label) {
        warn(effect, xasprintf("Count for '%s' does not exist", name));
    } else if (is_reset) {
        label->number = 0;
        effect->is_shown = false;
    } else {
        label = label ? label : add(tab, false, name);
        effect->text = xasprintf("%s: %" PRId64, name, ++label->number);
    }
}

static void apply_time(struct console_tab *tab, const struct console_event *event,
                       struct console_effect *effect)
{
    CLEANUP_FREE char *name = label_of(event);
    struct console_label **place = find(tab, true, name);
    effect->skipped = event->count > 0;
    if (event->method == CONSOLE_TIME) {
        effect->skipped = event->count;
        effect->is_shown = *place;
        if (*place) {
            warn(effect, xasprintf("Timer '%s' already exists", name));
        } else {
            add(tab, true, name)->number = event->time_ms;
        }
        return;
    }
    if (!*place) {
        effect->skipped = event->count;
        warn(effect, xasprintf("Timer '%s' does not exist", name));
        return;
    }
    effect->text = xasprintf("%s: %" PRId64 " ms", name, event->time_ms - (*place)->number);
    if (event->method == CONSOLE_TIME_END) {
        forget(tab, place);
    }
}

static bool is_falsy(const struct console_value *value)
{
    const char *text = value->text ? value->text : "";
    switch (value->kind) {
    case KIND_NULL:
    case KIND_UNDEFINED:
        return true;
    case KIND_BOOLEAN:
        return strcmp(text, "false") == 0;
    case KIND_STRING:
        return *text == '\0';
    case KIND_NUMBER:
        return strcmp(text, "0") == 0 || strcmp(text, "-0") == 0 || strcmp(text, "NaN") == 0;
    case KIND_BIGINT:
        return strcmp(text, "0") == 0 || strcmp(text, "0n") == 0;
    case KIND_JSON:
        return json_is_null(value->json) || json_is_false(value->json) ||
               (json_is_number(value->json) && json_number_value(value->json) == 0);
    default:
        return false;
    }
}

/*
 * The first argument is the condition. A sender may report failures only, and omit it: a text in
 * its place is the message.
 */
static void apply_assert(const struct console_event *event, struct console_effect *effect)
{
    const struct console_value *first = event->count > 0 ? &event->args[0] : NULL;
    bool is_message = first && first->kind == KIND_STRING && !is_falsy(first);
    effect->is_shown = !first || is_message || is_falsy(first);
    effect->skipped = first && !is_message;
    bool has_more = event->count > effect->skipped;
    effect->text = xstrdup(has_more ? "Assertion failed:" : "Assertion failed");
}

static void apply_group(struct console_tab *tab, const struct console_event *event,
                        struct console_effect *effect)
{
    if (event->method == CONSOLE_GROUP_END) {
        tab->groups -= tab->groups > 0;
        effect->is_shown = false;
        return;
    }
    const char *mark = event->method == CONSOLE_GROUP ? "▼" : "▶";
    effect->text = event->count == 0 ? xasprintf("%s %s", mark, "console.group") : xstrdup(mark);
    tab->groups += tab->groups < TAB_MAX_GROUPS;
}

/* Prefers the browser's own count or time to the one found here. */
static void use_result(const struct console_event *event, struct console_effect *effect)
{
    bool is_known = event->method == CONSOLE_COUNT || event->method == CONSOLE_TIME_END ||
                    event->method == CONSOLE_TIME_LOG;
    if (!is_known || !event->result) {
        return;
    }
    free(effect->text);
    effect->text = xstrdup(event->result);
    effect->level = console_method_level(event->method);
    effect->skipped = event->count > 0;
}

struct console_effect console_tab_apply(struct console_tab *tab, const struct console_event *event)
{
    struct console_effect effect = { .is_shown = true,
                                     .level = console_method_level(event->method),
                                     .groups = tab->groups };
    switch (event->method) {
    case CONSOLE_GROUP:
    case CONSOLE_GROUP_COLLAPSED:
    case CONSOLE_GROUP_END:
        apply_group(tab, event, &effect);
        break;
    case CONSOLE_CLEAR:
        tab->groups = effect.groups = 0;
        effect.text = xstrdup("(the console was cleared)");
        break;
    case CONSOLE_COUNT:
    case CONSOLE_COUNT_RESET:
        apply_count(tab, event, &effect);
        break;
    case CONSOLE_TIME:
    case CONSOLE_TIME_LOG:
    case CONSOLE_TIME_END:
        apply_time(tab, event, &effect);
        break;
    case CONSOLE_ASSERT:
        apply_assert(event, &effect);
        break;
    case CONSOLE_TRACE:
        effect.text = xstrdup(event->count > 0 ? "Trace:" : "Trace");
        break;
    default:
        break;
    }
    use_result(event, &effect);
    return effect;
}

struct console_queued {
    struct console_queued *next;
    struct console_event *event;
    size_t bytes;
    int64_t since_ms;
};

void console_tab_queue(struct console_tab *tab, struct console_event *event, size_t bytes,
                       int64_t now_ms)
{
    struct console_queued *queued = xcalloc(1, sizeof(*queued));
    *queued = (struct console_queued){ .event = event, .bytes = bytes, .since_ms = now_ms };
    if (tab->last_queued) {
        tab->last_queued->next = queued;
    } else {
        tab->first_queued = queued;
    }
    tab->last_queued = queued;
    tab->queued_count++;
    tab->queued_bytes += bytes;
}

const struct console_event *console_tab_first(const struct console_tab *tab, int64_t *ret_since_ms)
{
    *ret_since_ms = tab->first_queued ? tab->first_queued->since_ms : 0;
    return tab->first_queued ? tab->first_queued->event : NULL;
}

struct console_event *console_tab_take(struct console_tab *tab, size_t *ret_bytes)
{
    struct console_queued *queued = tab->first_queued;
    struct console_event *event = queued->event;
    *ret_bytes = queued->bytes;
    tab->first_queued = queued->next;
    tab->last_queued = tab->first_queued ? tab->last_queued : NULL;
    tab->queued_count--;
    tab->queued_bytes -= queued->bytes;
    free(queued);
    return event;
}

/* Warnings and errors have a limit of their own, so that they are not lost among the rest. */
bool console_tab_admits(struct console_tab *tab, int max_rate, bool is_severe)
{
    struct bucket *bucket = is_severe ? &tab->severe : &tab->plain;
    int max = is_severe ? 2 * max_rate : max_rate;
    int64_t now_ms = clock_monotonic_ms();
    if (max_rate <= 0 || bucket_admits(bucket, max, max, now_ms)) {
        return true;
    }
    if (tab->dropped++ == 0) {
        tab->dropped_at_ms = now_ms;
    }
    tab->dropped_errors += is_severe;
    return false;
}

void console_tab_finish(struct console_tab *tab)
{
    size_t ignored;
    while (tab->labels) {
        forget(tab, &tab->labels);
    }
    while (tab->first_queued) {
        console_event_destroy(console_tab_take(tab, &ignored));
    }
    free(tab->id);
}
