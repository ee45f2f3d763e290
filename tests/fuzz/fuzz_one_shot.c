/*
 * Feeds any bytes as a request of `serve --http`: the first byte chooses path, method and Accept, a
 * line is the query, the rest the body. What it runs is valid, and its lines are any bytes.
 */
#include "runner/actions/actions.h"
#include "runner/base/memory.h"
#include "runner/batch/batch.h"
#include "runner/servers/http/one_shot.h"

#include <assert.h>
#include <jansson.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_answer(const struct net_answer *answer)
{
    assert(answer->status >= 200 && answer->status < 600 && answer->content_type);
    if (answer->status >= 400) {
        json_auto_t *root = json_loadb(answer->body.data, answer->body.length, 0, NULL);
        assert(json_object_get(root, "error") && json_object_get(root, "errorCode"));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const paths[] = { "/run", "/shot", "/snapshot", "/content" };
    unsigned choice = size ? bytes[0] : 0;
    CLEANUP_FREE char *text = xstrndup((const char *)bytes + (size ? 1 : 0), size ? size - 1 : 0);
    size_t length = strcspn(text, "\n");
    CLEANUP_FREE char *query = xstrndup(text, length);
    const char *body = text + length + (text[length] == '\n');
    const char *const headers[] = { choice & 4 ? "application/json" : NULL, NULL, NULL };
    const struct net_request request = { .method = choice & 8 ? "GET" : "POST",
                                         .path = paths[choice % 4],
                                         .query = query,
                                         .is_allowed = true,
                                         .body = body,
                                         .body_length = strlen(body),
                                         .headers = headers };
    struct net_answer answer = { .status = 404, .body = STRBUF_INIT(STRBUF_UNCAPPED) };
    struct br_error err = { 0 };
    struct one_shot *ask = one_shot_create(&request, &answer);
    if (ask) {
        size_t batch_length = 0;
        CLEANUP_FREE char *batch = one_shot_batch(ask, &batch_length, &err);
        assert(batch ? batch_count_text(batch, batch_length) > 0 : err.code && *err.message);
        one_shot_answer(ask, body, strlen(body), &answer);
        assert(one_shot_equals(ask, ask));
    }
    check_answer(&answer);
    one_shot_destroy(ask);
    strbuf_finish(&answer.body);
    return 0;
}
