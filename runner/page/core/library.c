#include "runner/page/core/library.h"

#include "runner/base/json.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"

#define DEFINE_ALONE(name)                                                                         \
    extern const char library_##name[];                                                            \
    const char script_##name[] = "function (...all) { return browserRunner." #name "(...all); }";
#define DEFINE_OF_ELEMENTS(name)                                                                   \
    const char script_##name[] =                                                                   \
        "function (...all) { return browserRunner.elements." #name "(...all); }";
extern const char library_elements[];
SCRIPTS_ALONE(DEFINE_ALONE)
SCRIPTS_ALONE_JOBS(DEFINE_ALONE)
SCRIPTS_JOBS(DEFINE_OF_ELEMENTS)
SCRIPTS_OF_ELEMENTS(DEFINE_OF_ELEMENTS)

/* Bits of frame.libraries are numbered by the position of a library's first function here. */
static const struct {
    const char *function, *library;
    bool is_job;
} functions[] = {
#define ROW_ALONE(name)       { script_##name, library_##name, false },
#define ROW_ALONE_JOB(name)   { script_##name, library_##name, true },
#define ROW_JOB(name)         { script_##name, library_elements, true },
#define ROW_OF_ELEMENTS(name) { script_##name, library_elements, false },
    SCRIPTS_ALONE(ROW_ALONE) SCRIPTS_ALONE_JOBS(ROW_ALONE_JOB) SCRIPTS_JOBS(ROW_JOB)
        SCRIPTS_OF_ELEMENTS(ROW_OF_ELEMENTS)
};

enum { FUNCTIONS = sizeof(functions) / sizeof(functions[0]) };

/* Returns FUNCTIONS for a function that is in no library. */
static size_t find(const char *function)
{
    size_t i = 0;
    while (i < FUNCTIONS && functions[i].function != function) {
        i++;
    }
    return i;
}

static size_t bit_of(const char *library)
{
    size_t i = 0;
    while (functions[i].library != library) {
        i++;
    }
    return i;
}

void library_bring(struct page *page, struct frame *frame, const char *function)
{
    size_t place = find(function);
    const char *library = place < FUNCTIONS ? functions[place].library : NULL;
    if (!library || frame->libraries >> bit_of(library) & 1) {
        return;
    }
    frame->libraries |= 1U << bit_of(library);
    cdp_post(page->client, frame->session_id, "Runtime.evaluate",
             json_pack("{s:s, s:i, s:b}", "expression", library, "contextId", frame->world_id,
                       "silent", 1));
}

bool library_is_job(const char *function)
{
    size_t place = find(function);
    return place < FUNCTIONS && functions[place].is_job;
}
