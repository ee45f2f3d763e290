/*
 * Reads instructions in XML or JSON, depending on how the input begins.
 * However the input is divided, the reader must return the same actions and fail at the same
 * position. A reader that continues after mistakes must report the same mistakes at the same
 * positions.
 */
#include "runner/base/strbuf.h"
#include "runner/batch/reader.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct reading {
    struct strbuf actions;
    bool is_ok;
    bool has_places; /* whether the positions of mistakes are compared */
    struct br_error error;
};

static bool on_action(void *data, struct br_action *action, struct br_error *err)
{
    struct reading *reading = data;
    (void)err;
    char *params = json_dumps(action->params, JSON_COMPACT);
    strbuf_add_format(&reading->actions, "%s@%u:%u %s", action->type, action->position.line,
                      action->position.column, params);
    free(params);
    for (size_t i = 0; i < action->source_count; i++) {
        const struct action_source *source = &action->sources[i];
        strbuf_add_format(&reading->actions, " %s@%u:%u=%s", source->path, source->position.line,
                          source->position.column, source->text ? source->text : "");
    }
    br_action_destroy(action);
    return true;
}

static bool on_mistake(void *data, struct br_action *action, const struct br_error *why,
                       struct br_error *err)
{
    struct reading *reading = data;
    (void)err;
    /* Positions are not compared if the text contains ]]>, see compare(). */
    strbuf_add_format(&reading->actions, "! %s %s", action->type, br_code_name(why->code));
    if (reading->has_places) {
        strbuf_add(&reading->actions, why->message, strcspn(why->message, ":"));
    }
    br_action_destroy(action);
    return true;
}

static struct reading read_pieces(const char *text, size_t length, size_t piece, bool recovers)
{
    const struct instruction_options options = { .is_stream = recovers,
                                                 .on_mistake = recovers ? on_mistake : NULL };
    struct reading reading = { .actions = STRBUF_INIT(STRBUF_UNCAPPED),
                               .is_ok = true,
                               .has_places = !memmem(text, length, "]]>", 3) };
    struct batch_reader *reader = batch_reader_create(&options, on_action, &reading);
    for (size_t done = 0; done < length && reading.is_ok; done += piece) {
        size_t left = length - done;
        reading.is_ok =
            batch_reader_feed(reader, text + done, left < piece ? left : piece, 0, &reading.error);
    }
    reading.is_ok = reading.is_ok && batch_reader_end(reader, &reading.error);
    batch_reader_destroy(reader);
    return reading;
}

/*
 * The message about the fault may depend on how much of the following text has arrived. The
 * position depends on it only if ]]> follows stray text, because expat then refuses all of that
 * text.
 */
static void compare(const struct reading *whole, const struct reading *pieces, bool has_place)
{
    size_t place = has_place ? strcspn(whole->error.message, ":") : 0;
    if (whole->is_ok != pieces->is_ok || strcmp(whole->actions.data, pieces->actions.data) != 0 ||
        (!whole->is_ok && (whole->error.code != pieces->error.code ||
                           strncmp(whole->error.message, pieces->error.message, place) != 0))) {
        fprintf(stderr, "whole:  %d %s\n%s\npieces: %d %s\n%s\n", whole->is_ok,
                whole->is_ok ? "" : whole->error.message, whole->actions.data, pieces->is_ok,
                pieces->is_ok ? "" : pieces->error.message, pieces->actions.data);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t pieces[] = { 1, 2, 7 };
    /* A buffer of the exact size, so that the sanitizer detects reading beyond its end. */
    char *text = xmalloc(size);
    if (size) {
        memcpy(text, data, size);
    }
    for (int recovers = 0; recovers < 2; recovers++) {
        struct reading whole = read_pieces(text, size, size ? size : 1, recovers);
        for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
            struct reading cut = read_pieces(text, size, pieces[i], recovers);
            compare(&whole, &cut, whole.has_places);
            strbuf_finish(&cut.actions);
        }
        strbuf_finish(&whole.actions);
    }
    free(text);
    return 0;
}
