/* The words after `act`. */
#include "runner/cli/act_words.h"

#include "case_table.h"
#include "runner/actions/actions.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/cli/act_element.h"
#include "runner/cli/act_param.h"
#include "runner/cli/act_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { MAX_WORDS = 32 };

/* Splits a shell line into words at blanks, with quotes of both kinds. */
struct line {
    char *text;
    char *words[MAX_WORDS];
    int count;
};

static struct line line_split(const char *text)
{
    struct line line = { .text = xstrdup(text) };
    char *to = line.text;
    char *from = line.text;
    while (*from) {
        from += strspn(from, " ");
        line.words[line.count++] = to;
        char quote = '\0';
        while (*from && (quote || *from != ' ')) {
            if (quote ? *from == quote : (*from == '"' || *from == '\'')) {
                quote = quote ? '\0' : *from;
                from++;
            } else {
                *to++ = *from++;
            }
        }
        from += *from == ' ';
        *to++ = '\0';
    }
    return line;
}

static json_t *read_words(int count, const char *const *words, struct br_error *err)
{
    char *copies[MAX_WORDS];
    memcpy(copies, words, (size_t)count * sizeof(*words));
    return act_words_read(count, copies, "/", err);
}

static json_t *read_line(const char *text, struct br_error *err)
{
    struct line line = line_split(text);
    json_t *instruction = act_words_read(line.count, line.words, "/home/zoe", err);
    free(line.text);
    return instruction;
}

static void assert_valid(const json_t *instruction, const char *what)
{
    struct br_error err = { 0 };
    CLEANUP_FREE char *text = json_dumps(instruction, JSON_COMPACT);
    struct br_action *action = br_action_from_json(text, strlen(text), &err);
    if (!action) {
        fail_msg("%s: %s: %s", what, text, err.message);
    }
    br_action_destroy(action);
}

/* The words after `act`, and the instruction that they mean; or the error and its hint. */
static void run_words(const struct case_row *row, struct strbuf *actual)
{
    struct br_error err = { 0 };
    json_auto_t *instruction = read_line(row->input, &err);
    if (!instruction) {
        assert_int_equal(err.code, BR_INVALID_ACTION);
        strbuf_add_format(actual, "%s; %s", err.message, err.hint);
        return;
    }
    assert_valid(instruction, row->input);
    strbuf_add_format(actual, "%s ", json_string_value(json_object_get(instruction, "type")));
    json_object_del(instruction, "type");
    CLEANUP_FREE char *params = json_dumps(instruction, JSON_COMPACT | JSON_SORT_KEYS);
    strbuf_add_string(actual, params);
}

static void run_selector(const struct case_row *row, struct strbuf *actual)
{
    static const char *const kinds[] = { [ACT_NO_SELECTOR] = "no selector",
                                         [ACT_LIKE_SELECTOR] = "like a selector",
                                         [ACT_SELECTOR] = "selector" };
    strbuf_add_string(actual, kinds[act_element_selector(row->input)]);
}

static void test_cases(void **state)
{
    static const struct case_part parts[] = {
        { "instructions", run_words },
        { "refused", run_words },
        { "selectors", run_selector },
    };
    (void)state;
    CASE_TABLE_CHECK("act_words.txt", parts);
}

static void test_no_words_are_refused(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    assert_null(act_words_read(0, NULL, "/", &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
}

/* Bytes that are not UTF-8 do no harm. */
static void test_hostile_names(void **state)
{
    (void)state;
    static const char *const names[] = {
        "a\"] , [b",
        "a\\",
        "\\\"",
        "\n\t\x01",
        "\xC3",
        "\xF0\x9F",
        "\x9B[2J",
        "e",
        "e99999999999999999999999999",
        "1e999,1",
        "1,",
        ",",
        "text=",
        "css=",
        "((((((((((((((((((((((",
        "[[[[[[[[[[[[[[[[[[[[[[",
        "-",
        "--",
        "..............",
        "%s%n%d",
    };
    for (size_t i = 0; i < COUNT(names); i++) {
        for (size_t row = 0; act_row_at(row); row++) {
            struct br_error err = { 0 };
            const char *const words[] = { act_row_at(row)->type, names[i], names[i] };
            for (int count = 2; count <= 3; count++) {
                json_auto_t *instruction = read_words(count, words, &err);
                assert_true(instruction || err.code == BR_INVALID_ACTION);
                if (instruction) {
                    assert_valid(instruction, names[i]);
                }
            }
        }
    }
}

/*
 * Each option of each type is either rejected or accepted: names of all lengths, nested, unclosed.
 */
static void test_hostile_options(void **state)
{
    (void)state;
    char long_name[300] = "--";
    memset(long_name + 2, 'a', sizeof(long_name) - 3);
    const char *const options[] = {
        long_name,        "--....", "--to....x",     "--headers.", "--headers.=", "--steps[0].x",
        "--viewport.x.y", "--no-",  "--no-no-debug", "---",        "--\xFF",      "--clock.time.x"
    };
    for (size_t i = 0; i < COUNT(options); i++) {
        for (size_t type = 0; action_types[type]; type++) {
            struct br_error err = { 0 };
            const char *const words[] = { action_types[type]->name, options[i], "x" };
            json_auto_t *instruction = read_words(3, words, &err);
            assert_null(instruction);
            assert_int_equal(err.code, BR_INVALID_ACTION);
        }
    }
}

static void test_examples_are_valid(void **state)
{
    (void)state;
    bool has_type[64] = { false };
    size_t count = 0;
    for (; act_words_example(count); count++) {
        struct br_error err = { 0 };
        const char *example = act_words_example(count);
        json_auto_t *instruction = read_line(example, &err);
        if (!instruction) {
            fail_msg("%s: %s", example, err.message);
        }
        assert_valid(instruction, example);
        const char *name = json_member_string(instruction, "type");
        for (size_t type = 0; action_types[type]; type++) {
            has_type[type] |= strcmp(action_types[type]->name, name) == 0;
        }
    }
    assert_in_range(count, 30, 200);
    for (size_t type = 0; action_types[type]; type++) {
        bool has_words = strcmp(action_types[type]->name, "diagnose") != 0;
        assert_int_equal(has_type[type], has_words);
    }
}

/* The parameters named in the table exist, and each is set by a word where possible. */
static void test_table_names_parameters(void **state)
{
    (void)state;
    for (size_t i = 0; act_row_at(i); i++) {
        const struct act_row *row = act_row_at(i);
        const struct action_type *type = action_type_find(row->type);
        assert_non_null(type);
        if (row->usual_name) {
            assert_non_null(action_type_param(type, row->usual_name));
        }
        for (const struct act_slot *slot = row->slots; slot->kind; slot++) {
            CLEANUP_FREE char *names = xstrdup(slot->params ? slot->params : "");
            for (char *name = names; *name;) {
                size_t length = strcspn(name, " ");
                char *next = name + length + strspn(name + length, " ");
                name[length] = '\0';
                assert_non_null(action_type_param(type, name));
                name = next;
            }
        }
    }
}

static void test_usage_has_all(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    act_words_usage(file);
    fclose(file);
    for (size_t i = 0; act_words_example(i); i++) {
        assert_non_null(strstr(text, act_words_example(i)));
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_no_words_are_refused),
        cmocka_unit_test(test_hostile_names),
        cmocka_unit_test(test_hostile_options),
        cmocka_unit_test(test_examples_are_valid),
        cmocka_unit_test(test_table_names_parameters),
        cmocka_unit_test(test_usage_has_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
