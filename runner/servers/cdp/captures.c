#include "runner/servers/cdp/captures.h"

#include "runner/base/memory.h"
#include "runner/base/strbuf.h"

#include <limits.h>
#include <string.h>

enum {
    UNDRAWN_MS = 5000,  /* limit for the first frame; needed because Chrome refuses a too large
                           picture with the same message */
    PAUSE_MS = 8,       /* between two attempts: half a frame */
    MAX_COMMAND = 4096, /* in bytes; a longer command is not kept */
    MAX_REFUSAL = 512,  /* in bytes; a longer reply is a picture */
    LAST_NUMBER = INT_MAX / 2, /* numbers restart after it */
};

struct capture {
    struct capture *next;
    struct captures *all;
    int number;
    int32_t id;       /* the client's id */
    char *session_id; /* NULL: none */
    struct strbuf text;
    struct deadline deadline;
    bool is_refused; /* refused by Chrome; will be sent again */
    struct loop_timer *timer;
};

struct captures {
    struct loop *loop;
    void (*again)(void *data, const char *text, size_t length);
    void *data;
    struct capture *list;
    int last_number;
};

struct captures *captures_create(struct loop *loop,
                                 void (*again)(void *data, const char *text, size_t length),
                                 void *data)
{
    struct captures *captures = xcalloc(1, sizeof(*captures));
    captures->loop = loop;
    captures->again = again;
    captures->data = data;
    return captures;
}

static void free_capture(struct capture *capture)
{
    strbuf_finish(&capture->text);
    free(capture->session_id);
    free(capture);
}

void captures_destroy(struct captures *captures)
{
    if (!captures) {
        return;
    }
    while (captures->list) {
        struct capture *capture = captures->list;
        captures->list = capture->next;
        if (capture->timer) {
            loop_timer_cancel(capture->timer);
        }
        free_capture(capture);
    }
    free(captures);
}

static bool is_same(const char *one, const char *other)
{
    return one && other ? strcmp(one, other) == 0 : one == other;
}

static void add_member(struct strbuf *text, const char *name, struct cdp_slice value)
{
    if (value.length > 0) {
        strbuf_add_format(text, "%c\"%s\":", text->length ? ',' : '{', name);
        strbuf_add(text, value.text, value.length);
    }
}

static struct capture *create(struct captures *captures, const struct raw_command *command)
{
    struct capture *capture = xcalloc(1, sizeof(*capture));
    capture->all = captures;
    capture->id = command->id;
    capture->session_id = xstrdup(command->session_id);
    capture->deadline = deadline_in_ms(UNDRAWN_MS);
    capture->text = (struct strbuf)STRBUF_INIT(STRBUF_UNCAPPED);
    add_member(&capture->text, "id", command->values[RAW_ID]);
    add_member(&capture->text, "method", command->values[RAW_METHOD]);
    add_member(&capture->text, "sessionId", command->values[RAW_SESSION_ID]);
    add_member(&capture->text, "params", command->values[RAW_PARAMS]);
    strbuf_add_string(&capture->text, "}");
    return capture;
}

int captures_keep(struct captures *captures, const struct raw_command *command)
{
    if (!cdp_slice_equals(command->values[RAW_METHOD], "\"Page.captureScreenshot\"") ||
        command->length > MAX_COMMAND) {
        return 0;
    }
    struct capture *capture = captures->list;
    while (capture && !(capture->is_refused && capture->id == command->id &&
                        is_same(capture->session_id, command->session_id))) {
        capture = capture->next;
    }
    if (!capture) {
        capture = create(captures, command);
        captures->last_number = captures->last_number % LAST_NUMBER + 1;
        capture->number = captures->last_number;
        capture->next = captures->list;
        captures->list = capture;
    }
    capture->is_refused = false;
    return capture->number;
}

static void on_pause_over(void *data)
{
    struct capture *capture = data;
    capture->timer = NULL;
    capture->all->again(capture->all->data, capture->text.data, capture->text.length);
}

static bool is_refusal(const char *text, size_t length)
{
    return length < MAX_REFUSAL && strstr(text, "\"Unable to capture screenshot\"");
}

bool captures_answer(struct captures *captures, int number, const char *text, size_t length)
{
    struct capture **place = &captures->list;
    while (*place && (*place)->number != number) {
        place = &(*place)->next;
    }
    struct capture *capture = *place;
    bool is_final = !capture || !is_refusal(text, length) || deadline_passed(capture->deadline);
    if (capture && is_final) {
        *place = capture->next;
        free_capture(capture);
    } else if (!is_final) {
        capture->is_refused = true;
        capture->timer = loop_timer_start(captures->loop, PAUSE_MS, on_pause_over, capture);
    }
    return is_final;
}
