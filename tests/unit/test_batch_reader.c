/*
 * Detection of the format, and the end of an instruction without terminator; the test controls the
 * time.
 */
#include "runner/batch/reader.h"

#include "runner/base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct reading {
    struct batch_reader *reader;
    struct strbuf told; /* the actions, or ! and the hint of an error; each followed by ; */
    int64_t now_ms;
};

static bool on_action(void *data, struct br_action *action, struct br_error *err)
{
    struct reading *reading = data;
    (void)err;
    char *params = json_dumps(action->params, JSON_COMPACT);
    strbuf_add_format(&reading->told, "%s%s;", action->type, params);
    free(params);
    br_action_destroy(action);
    return true;
}

static bool on_mistake(void *data, struct br_action *action, const struct br_error *why,
                       struct br_error *err)
{
    struct reading *reading = data;
    (void)err;
    strbuf_add_format(&reading->told, "!%s;", why->hint);
    br_action_destroy(action);
    return true;
}

static void begin(struct reading *reading)
{
    static const struct instruction_options options = { .is_stream = true,
                                                        .on_mistake = on_mistake };
    *reading = (struct reading){ .told = STRBUF_INIT(STRBUF_UNCAPPED), .now_ms = 1000 };
    reading->reader = batch_reader_create(&options, on_action, reading);
}

static void feed(struct reading *reading, const char *text)
{
    struct br_error err;
    assert_true(batch_reader_feed(reading->reader, text, strlen(text), reading->now_ms, &err));
}

/* Advances the time and runs what is due. */
static void pass(struct reading *reading, int ms)
{
    struct br_error err;
    reading->now_ms += ms;
    assert_true(batch_reader_tick(reading->reader, reading->now_ms, &err));
}

static void expect(struct reading *reading, const char *told)
{
    assert_string_equal(reading->told.data, told);
    strbuf_clear(&reading->told);
}

static int due(const struct reading *reading)
{
    return batch_reader_due_ms(reading->reader, reading->now_ms);
}

static void end(struct reading *reading)
{
    batch_reader_destroy(reading->reader);
    strbuf_finish(&reading->told);
}

static void test_bare_when_its_line_ends(void **state)
{
    (void)state;
    struct reading reading;
    begin(&reading);
    feed(&reading, "<type>back</type>\n");
    assert_int_equal(due(&reading), 50);
    pass(&reading, 49);
    expect(&reading, "");
    assert_int_equal(due(&reading), 1);
    pass(&reading, 1);
    expect(&reading, "back{};");
    assert_int_equal(due(&reading), -1);
    pass(&reading, 1000);
    feed(&reading, "<type>forward</type> \t\r\n");
    pass(&reading, 50);
    expect(&reading, "forward{};");
    end(&reading);
}

/* A client that sends an instruction in pieces. */
static void test_bare_when_more_comes_in_time(void **state)
{
    (void)state;
    struct reading reading;
    begin(&reading);
    feed(&reading, "<type>click</type>\n");
    pass(&reading, 20);
    feed(&reading, "<selec");
    assert_int_equal(due(&reading), -1);
    pass(&reading, 500);
    feed(&reading, "tor>#go\n");
    assert_int_equal(due(&reading), -1);
    pass(&reading, 500);
    feed(&reading, "</selector>");
    assert_int_equal(due(&reading), -1);
    pass(&reading, 500);
    expect(&reading, "");
    feed(&reading, "\n");
    pass(&reading, 30);
    feed(&reading, "<timeout>5</timeout>\n");
    pass(&reading, 49);
    expect(&reading, "");
    pass(&reading, 1);
    expect(&reading, "click{\"selector\":\"#go\",\"timeout\":5};");
    end(&reading);
}

static void test_bare_when_another_begins(void **state)
{
    (void)state;
    struct reading reading;
    begin(&reading);
    feed(&reading, "<type>back</type>\n<type>forward</type>\n");
    expect(&reading, "back{};");
    pass(&reading, 50);
    expect(&reading, "forward{};");
    end(&reading);
}

/* A late parameter does not silently become another instruction. */
static void test_parameter_when_it_comes_too_late(void **state)
{
    (void)state;
    struct reading reading;
    begin(&reading);
    feed(&reading, "<batch>\n<type>click</type>\n");
    pass(&reading, 50);
    expect(&reading, "click{};");
    feed(&reading, "<selector>#go</selector>\n<type>back</type>\n");
    pass(&reading, 50);
    expect(&reading,
           "!the instruction before it ended because its line ended and nothing followed; "
           "write it in one piece, or inside <browser_action>;back{};");
    end(&reading);
}

/* These have a terminator. */
static void test_others_when_time_passes(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "<browser_action><type>back</type>\n",
        "<browser_action><type>back</type></browser_action>\n",
        "<batch>\n",
        "<type>back\n",
        "\n",
        "<type>back</type>\n<!-- \n",
        "{\"type\":\n",
        "[\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct reading reading;
        begin(&reading);
        feed(&reading, texts[i]);
        assert_int_equal(due(&reading), -1);
        end(&reading);
    }
}

static void test_file_when_time_passes(void **state)
{
    (void)state;
    struct br_error err;
    struct reading reading = { .told = STRBUF_INIT(STRBUF_UNCAPPED) };
    reading.reader = batch_reader_create(NULL, on_action, &reading);
    feed(&reading, "<type>back</type>\n");
    assert_int_equal(due(&reading), -1);
    assert_true(batch_reader_end(reading.reader, &err));
    expect(&reading, "back{};");
    end(&reading);
}

static void test_form_by_first_byte(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second, *told;
    } cases[] = {
        { "\xEF", "\xBB\xBF\n {\"type\":\"back\"}", "back{};" },
        { "", "[{\"type\":\"back\"}]", "back{};" },
        { " \r\n", "<type>back</type><browser_action type='forward'/>", "back{};forward{};" },
        { "\xEF\xBB\xBF", "<?xml version='1.0'?><browser_action type='back'/>", "back{};" },
        { "\xBB", "\n<browser_action type='back'/>", "!the input is read as UTF-8 text;back{};" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading reading;
        begin(&reading);
        feed(&reading, cases[i].first);
        feed(&reading, cases[i].second);
        expect(&reading, cases[i].told);
        end(&reading);
    }
}

static void test_end_when_there_was_nothing(void **state)
{
    (void)state;
    struct br_error err;
    struct reading reading;
    begin(&reading);
    feed(&reading, " \n");
    assert_false(batch_reader_end(reading.reader, &err));
    assert_string_equal(err.message, "no instruction found");
    end(&reading);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bare_when_its_line_ends),
        cmocka_unit_test(test_bare_when_more_comes_in_time),
        cmocka_unit_test(test_bare_when_another_begins),
        cmocka_unit_test(test_parameter_when_it_comes_too_late),
        cmocka_unit_test(test_others_when_time_passes),
        cmocka_unit_test(test_file_when_time_passes),
        cmocka_unit_test(test_form_by_first_byte),
        cmocka_unit_test(test_end_when_there_was_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
