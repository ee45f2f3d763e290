/*
 * Instructions in XML and in JSON, by what the input begins with.
 * However the input is cut, the reader gives the same actions and fails at the same place; one that
 * goes on behind mistakes tells the same ones at the same places.
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
    bool has_places; /* of mistakes */
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
    /* Where text has ]]> in it, see compare(). */
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
 * What the message says about the fault may depend on how much text behind it is there already.
 * Its place does only where ]]> comes behind stray text: expat refuses all of that text for it.
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
    /* In memory of its own: reading over its end is seen. */
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
