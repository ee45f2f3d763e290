/* A batch over a session: bytes in, lines out. In its texts ' stands for ". */
#include "tests/integration/session_rig.h"

#include "runner/base/strbuf.h"
#include "runner/batch/batch.h"

#include <string.h>

struct talk {
    struct rig rig;
    struct batch *batch;
    struct strbuf lines;
    size_t responses;
    size_t refused_response; /* counted from 1; 0: none */
    bool is_interrupted;
};

static bool on_line(void *data, const char *line, size_t length, struct br_error *err)
{
    struct talk *talk = data;
    (void)err;
    strbuf_add(&talk->lines, line, length);
    return true;
}

static bool on_response(void *data, const struct br_response *response, struct br_error *err)
{
    struct talk *talk = data;
    assert_non_null(strstr(talk->lines.data, response->type)); /* its line was already written */
    return ++talk->responses != talk->refused_response ||
           error_set(err, BR_UNKNOWN_ERROR, "the disk is full");
}

static bool is_interrupted(void *data)
{
    return ((struct talk *)data)->is_interrupted;
}

static void begin(struct talk *talk)
{
    struct br_error err;
    const struct batch_options options = {
        .data = talk,
        .on_line = on_line,
        .on_response = on_response,
        .is_interrupted = is_interrupted,
        .has_progress = true,
    };
    *talk = (struct talk){ .lines = STRBUF_INIT(STRBUF_UNCAPPED) };
    rig_start(&talk->rig);
    talk->batch = batch_create(talk->rig.session, &options, &err);
    assert_non_null(talk->batch);
}

static bool feed(struct talk *talk, const char *text, struct br_error *err)
{
    return batch_reader_feed(batch_stream(talk->batch), text, strlen(text), 0, err);
}

/* Returns the summary of the batch, which is then closed. Borrowed. */
static const char *end(struct talk *talk, const char *stopped_by, const struct br_error *why)
{
    struct br_error err;
    batch_close(talk->batch);
    rig_close(&talk->rig);
    strbuf_clear(&talk->lines);
    assert_true(batch_write_summary(talk->batch, stopped_by, why, &err));
    batch_destroy(talk->batch);
    return talk->lines.data;
}

static void test_lines_when_one_is_wrong(void **state)
{
    (void)state;
    struct br_error err;
    struct talk talk;
    begin(&talk);
    assert_true(feed(&talk,
                     "{\"type\":\"evaluate\",\"expression\":\"6 * 7\"}\n{\"type\":\"clik\"}\nx\n"
                     "{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"evaluate\","
                     "\"input\":{\"expression\":\"6 * 7\"}}\n",
                     &err));
    assert_true(batch_reader_end(batch_stream(talk.batch), &err));
    assert_int_equal(talk.responses, 4);
    assert_non_null(strstr(talk.lines.data, "\"kind\":\"progress\""));
    assert_non_null(strstr(talk.lines.data, "line 2, column 1: unknown action type"));
    assert_non_null(strstr(talk.lines.data, "line 3, column 1: text outside"));
    assert_non_null(strstr(talk.lines.data, "\"callId\":\"t1\""));
    assert_int_equal(batch_summary(talk.batch)->failed, 2);
    const char *summary = end(&talk, NULL, NULL);
    assert_non_null(strstr(summary, "\"failed\":2,\"aborted\":false"));
    strbuf_finish(&talk.lines);
}

static void test_end_when_it_is_interrupted(void **state)
{
    (void)state;
    struct br_error err;
    struct talk talk;
    begin(&talk);
    talk.is_interrupted = true;
    assert_false(feed(&talk,
                      "<type>evaluate</type><expression>6 * 7</expression>"
                      "<type>evaluate</type><expression>6 * 7</expression><type>back</type>",
                      &err));
    assert_int_equal(talk.responses, 1);
    assert_non_null(strstr(end(&talk, "interrupt", &err), "\"stoppedBy\":\"interrupt\""));
    strbuf_finish(&talk.lines);
}

/* The summary has the first reason of the end. */
static void test_end_when_a_response_cannot_be_kept(void **state)
{
    (void)state;
    struct br_error err;
    struct talk talk;
    begin(&talk);
    talk.refused_response = 1;
    assert_false(
        feed(&talk, "{\"type\":\"evaluate\",\"expression\":\"1\"}{\"type\":\"back\"}", &err));
    assert_int_equal(talk.responses, 1);
    const char *summary = end(&talk, "input", &err);
    assert_non_null(strstr(summary, "\"stoppedBy\":\"output\",\"error\":\"the disk is full\""));
    strbuf_finish(&talk.lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_when_one_is_wrong),
        cmocka_unit_test(test_end_when_it_is_interrupted),
        cmocka_unit_test(test_end_when_a_response_cannot_be_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
