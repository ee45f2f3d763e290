#include "runner/base/response.h"
#include "runner/session/audit.h"

#include "case_table.h"
#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/strbuf.h"
#include "tests/slowness.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { LINE_MAX_BYTES = 16 * 1024, STRING_MAX_BYTES = 2 * 1024 };

/* A temporary directory, and the file in it. */
struct place {
    char directory[32];
    char *path;
};

static int place_create(void **state)
{
    struct place *place = xcalloc(1, sizeof(*place));
    snprintf(place->directory, sizeof(place->directory), "/tmp/br-audit-XXXXXX");
    assert_non_null(mkdtemp(place->directory));
    place->path = xasprintf("%s/audit.jsonl", place->directory);
    *state = place;
    return 0;
}

static int place_destroy(void **state)
{
    struct place *place = *state;
    unlink(place->path);
    assert_int_equal(rmdir(place->directory), 0);
    free(place->path);
    free(place);
    return 0;
}

static struct audit *open_audit(const char *path)
{
    struct br_error err = { 0 };
    struct audit *audit = audit_open(path, "a-session", &err);
    assert_string_equal(err.message, "");
    assert_non_null(audit);
    return audit;
}

static void write_bytes(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void read_file(const char *path, struct strbuf *ret_text)
{
    char part[4096];
    size_t length = 0;
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    while ((length = fread(part, 1, sizeof(part), file)) > 0) {
        strbuf_add(ret_text, part, length);
    }
    fclose(file);
}

/* Returns the lines as an array; each must end with a newline, be JSON, and be short enough. */
static json_t *read_lines(const char *path)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    struct br_error err = { 0 };
    json_t *lines = json_array();
    read_file(path, &text);
    for (char *at = text.data; *at;) {
        char *end = strchr(at, '\n');
        assert_non_null(end);
        assert_true(end - at < LINE_MAX_BYTES);
        json_t *line = json_parse(at, (size_t)(end - at), "line", &err);
        assert_string_equal(err.message, "");
        json_array_append_new(lines, line);
        at = end + 1;
    }
    return lines;
}

static struct br_action *action_of(const char *type, const char *params)
{
    struct br_error err = { 0 };
    struct br_action *action = action_create(type, (struct source_position){ 0 });
    json_auto_t *object = json_parse(params, strlen(params), "params", &err);
    assert_string_equal(err.message, "");
    json_object_update(action->params, object);
    return action;
}

static void write_action(struct audit *audit, const char *type, const char *params)
{
    CLEANUP_ACTION struct br_action *action = action_of(type, params);
    CLEANUP_RESPONSE struct br_response *response = response_create(1, type);
    response->success = true;
    audit_action(audit, action, response, NULL, 1);
}

/* Returns the line that a new audit writes for the action and the response; caller decrefs. */
static json_t *line_of(const char *path, const struct br_action *action,
                       const struct br_response *response)
{
    unlink(path);
    struct audit *audit = open_audit(path);
    audit_action(audit, action, response, NULL, 1);
    audit_close(audit);
    json_auto_t *lines = read_lines(path);
    assert_int_equal(json_array_size(lines), 1);
    return json_incref(json_array_get(lines, 0));
}

static json_t *params_line(const char *path, const char *type, const char *params)
{
    CLEANUP_ACTION struct br_action *action = action_of(type, params);
    CLEANUP_RESPONSE struct br_response *response = response_create(1, type);
    response->success = true;
    return line_of(path, action, response);
}

static void test_action_that_succeeds(void **state)
{
    struct place *place = *state;
    CLEANUP_ACTION struct br_action *action =
        action_of("click", "{\"selector\":\"#go\",\"nth\":2,\"xRange\":{\"min\":0.1,\"max\":2}}");
    CLEANUP_RESPONSE struct br_response *response = response_create(3, "click");
    response->success = true;
    response->attempts = 2;
    response->recovered = true;
    response->duration_ms = 83;
    response->url = xstrdup("http://localhost/");
    /* A page with status 404 is a success with a hint, not an error. */
    error_set(&response->error, BR_OK, "no error");
    int64_t before_ms = clock_wall_ms();
    json_auto_t *line = line_of(place->path, action, response);
    int64_t after_ms = clock_wall_ms();

    struct tm utc = { 0 };
    int ms = 0;
    const char *now = json_member_string(line, "time");
    assert_int_equal(strlen(now), strlen("2026-11-22T10:00:00.123Z"));
    const char *rest = strptime(now, "%Y-%m-%dT%H:%M:%S", &utc);
    assert_non_null(rest);
    assert_int_equal(sscanf(rest, ".%3dZ", &ms), 1);
    int64_t time_ms = (int64_t)timegm(&utc) * 1000 + ms;
    assert_true(time_ms >= before_ms && time_ms <= after_ms);
    assert_string_equal(json_member_string(line, "session"), "a-session");

    json_object_del(line, "time");
    json_object_del(line, "session");
    CLEANUP_FREE char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(15));
    assert_string_equal(
        text, "{\"kind\":\"action\",\"id\":3,\"type\":\"click\",\"action\":{\"selector\":\"#go\","
              "\"nth\":2,\"xRange\":{\"min\":0.1,\"max\":2}},\"success\":true,\"attempts\":2,"
              "\"recovered\":true,\"durationMs\":83,\"url\":\"http://localhost/\","
              "\"generation\":1}");
    CLEANUP_STRBUF struct strbuf file = STRBUF_INIT(STRBUF_UNCAPPED);
    read_file(place->path, &file);
    assert_non_null(strstr(file.data, "\"min\":0.1,"));
}

static void test_action_that_fails(void **state)
{
    struct place *place = *state;
    CLEANUP_ACTION struct br_action *action = action_of("stop", "{}");
    CLEANUP_RESPONSE struct br_response *response = response_create(1, "stop");
    error_set(&response->error, BR_TIMEOUT, "it took \"long\"");
    json_auto_t *line = line_of(place->path, action, response);
    assert_true(json_is_false(json_object_get(line, "success")));
    assert_string_equal(json_member_string(line, "errorCode"), "TIMEOUT");
    assert_string_equal(json_member_string(line, "error"), "it took \"long\"");
    assert_null(json_object_get(line, "url"));
    assert_int_equal(json_object_size(json_object_get(line, "action")), 0);
}

static void test_step(void **state)
{
    struct place *place = *state;
    struct audit *audit = open_audit(place->path);
    audit_step(audit, "browser started", "after: https://a:b@host/?token=c d", 2);
    audit_step(audit, "page opened", NULL, UINT32_MAX);
    audit_close(audit);
    json_auto_t *lines = read_lines(place->path);
    json_t *first = json_array_get(lines, 0);
    json_t *second = json_array_get(lines, 1);
    assert_string_equal(json_member_string(first, "kind"), "step");
    assert_string_equal(json_member_string(first, "step"), "browser started");
    assert_string_equal(json_member_string(first, "detail"),
                        "after: https://a:***@host/?token=*** d");
    assert_int_equal(json_integer_value(json_object_get(first, "generation")), 2);
    assert_null(json_object_get(second, "detail"));
    assert_null(json_object_get(second, "id"));
    assert_int_equal(json_integer_value(json_object_get(second, "generation")), UINT32_MAX);
    assert_string_equal(json_member_string(first, "session"),
                        json_member_string(second, "session"));
}

static void test_without_audit(void **state)
{
    (void)state;
    struct br_error err;
    CLEANUP_ACTION struct br_action *action = action_of("stop", "{}");
    CLEANUP_RESPONSE struct br_response *response = response_create(1, "stop");
    audit_action(NULL, action, response, NULL, 1);
    audit_step(NULL, "browser started", NULL, 1);
    assert_false(audit_take_error(NULL, &err));
    audit_close(NULL);
}

/* Returns the path of a file that only cases use. */
static const char *case_path(void)
{
    static char path[64];
    snprintf(path, sizeof(path), "/tmp/br-audit-cases-%d.jsonl", (int)getpid());
    return path;
}

/* A type and its parameters. */
static void run_params(const struct case_row *row, struct strbuf *actual)
{
    size_t length = strcspn(row->input, " ");
    CLEANUP_FREE char *type = xstrdup(row->input);
    type[length] = '\0';
    json_auto_t *line = params_line(case_path(), type, row->input + length + 1);
    CLEANUP_FREE char *text = json_dumps(json_object_get(line, "action"), JSON_COMPACT);
    strbuf_add_string(actual, text);
}

/* A URL, as a parameter, as the response's, and in an error. */
static void run_url(const struct case_row *row, struct strbuf *actual)
{
    CLEANUP_RESPONSE struct br_response *response = response_create(1, "start");
    CLEANUP_ACTION struct br_action *action = action_of("start", "{}");
    action_add(action, "url", json_string(row->input), (struct source_position){ 0 });
    response->url = xstrdup(row->input);
    error_set(&response->error, BR_NAVIGATION_FAILED, "%s was not reached", row->input);
    json_auto_t *line = line_of(case_path(), action, response);
    const char *shown = json_member_string(line, "url");
    CLEANUP_FREE char *error = xasprintf("%s was not reached", shown);
    strbuf_add_string(actual, shown);
    assert_string_equal(json_member_string(json_object_get(line, "action"), "url"), shown);
    assert_string_equal(json_member_string(line, "error"), error);
}

/* Typed text, and an error that quotes it. */
static void run_error(const struct case_row *row, struct strbuf *actual)
{
    size_t length = strcspn(row->input, "\n");
    CLEANUP_FREE char *typed = xstrdup(row->input);
    typed[length] = '\0';
    CLEANUP_RESPONSE struct br_response *response = response_create(1, "type");
    CLEANUP_ACTION struct br_action *action = action_of("type", "{}");
    action_add(action, "text", json_string(typed), (struct source_position){ 0 });
    error_set(&response->error, BR_UNKNOWN_ERROR, "%s", row->input + length + 1);
    json_auto_t *line = line_of(case_path(), action, response);
    strbuf_add_string(actual, json_member_string(line, "error"));
}

static void test_masking(void **state)
{
    static const struct case_part parts[] = {
        { "parameters", run_params },
        { "urls", run_url },
        { "errors", run_error },
    };
    (void)state;
    CASE_TABLE_CHECK("audit.txt", parts);
}

static int remove_case_file(void **state)
{
    (void)state;
    return unlink(case_path());
}

static void test_no_url_is_shown_for_none(void **state)
{
    struct place *place = *state;
    CLEANUP_RESPONSE struct br_response *response = response_create(1, "start");
    CLEANUP_ACTION struct br_action *action = action_of("start", "{\"url\":\"\"}");
    response->url = xstrdup("");
    json_auto_t *line = line_of(place->path, action, response);
    assert_null(json_member_string(line, "url"));
}

/* A message that is full ends in the middle of a secret. */
static void test_masking_of_a_secret_that_is_cut(void **state)
{
    struct place *place = *state;
    CLEANUP_FREE char *text = xcalloc(4001, 1);
    memset(text, 's', 4000);
    CLEANUP_RESPONSE struct br_response *response = response_create(1, "type");
    CLEANUP_ACTION struct br_action *action = action_of("type", "{}");
    action_add(action, "text", json_string(text), (struct source_position){ 0 });
    error_set(&response->error, BR_UNKNOWN_ERROR, "not \"%s\"", text);
    json_auto_t *line = line_of(place->path, action, response);
    assert_string_equal(json_member_string(line, "error"), "not \"*** (4000 characters)");
}

/* Returns `size` copies of a piece; caller frees. */
static char *repeated(const char *piece, size_t size)
{
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    for (size_t i = 0; i < size; i++) {
        strbuf_add_string(&text, piece);
    }
    return strbuf_take(&text);
}

static void test_long_strings(void **state)
{
    struct place *place = *state;
    static const char *const pieces[] = { "a", "€", "x😀", "\"", "\\", "\n", "\x01" };
    for (size_t i = 0; i < COUNT(pieces); i++) {
        CLEANUP_FREE char *text = repeated(pieces[i], 5000);
        CLEANUP_RESPONSE struct br_response *response = response_create(1, text);
        CLEANUP_ACTION struct br_action *action =
            action_create(text, (struct source_position){ 0 });
        response->url = xstrdup(text);
        error_set(&response->error, BR_TIMEOUT, "%s", text);
        for (int member = 0; member < 8; member++) {
            CLEANUP_FREE char *name = xasprintf("a%d", member);
            action_add(action, name, json_string(text), (struct source_position){ 0 });
        }
        json_auto_t *line = line_of(place->path, action, response);
        const char *shown = json_member_string(json_object_get(line, "action"), "a0");
        size_t length = strlen(shown);
        assert_true(length <= STRING_MAX_BYTES + strlen("…"));
        assert_true(length > STRING_MAX_BYTES / 8);
        assert_string_equal(shown + length - strlen("…"), "…");
        assert_int_equal(strncmp(shown, text, length - strlen("…")), 0);
    }
    /* 2 KiB are not cut, and cutting does not reveal a secret. */
    CLEANUP_FREE char *text = repeated("a", STRING_MAX_BYTES);
    CLEANUP_FREE char *params = xasprintf("{\"a\":\"%s\",\"url\":\"http://h/?%s&token=b\"}", text,
                                          text + strlen("http://h/?&token="));
    json_auto_t *line = params_line(place->path, "a", params);
    json_t *shown = json_object_get(line, "action");
    assert_string_equal(json_member_string(shown, "a"), text);
    assert_non_null(strstr(json_member_string(shown, "url"), "&token=…"));
}

static void test_many_values(void **state)
{
    struct place *place = *state;
    static const char *const items[] = { "\"a\"", "1", "-1.23456789012345e-300", "[]",
                                         "{\"b\":\"c\"}" };
    for (size_t i = 0; i < COUNT(items); i++) {
        CLEANUP_STRBUF struct strbuf params = STRBUF_INIT(STRBUF_UNCAPPED);
        strbuf_add_format(&params, "{\"first\":%s,\"all\":[%s", items[i], items[i]);
        for (int item = 0; item < 5000; item++) {
            strbuf_add_format(&params, ",%s", items[i]);
        }
        strbuf_add_string(&params, "],\"last\":1}");
        json_auto_t *line = params_line(place->path, "a", params.data);
        json_t *shown = json_object_get(line, "action");
        json_t *all = json_object_get(shown, "all");
        size_t count = json_array_size(all);
        assert_true(count > 50 && count < 1000);
        assert_string_equal(json_string_value(json_array_get(all, count - 1)), "…");
        assert_non_null(json_object_get(shown, "first"));
        assert_null(json_object_get(shown, "last"));
        assert_true(json_is_true(json_object_get(shown, "…")));
    }
}

static void test_broken_utf8(void **state)
{
    struct place *place = *state;
    CLEANUP_ACTION struct br_action *action = action_of("stop", "{}");
    CLEANUP_RESPONSE struct br_response *response = response_create(1, "stop");
    response->url = xstrdup("http://a/\xff?b=\xc3(&key=\xe2\x82");
    error_set(&response->error, BR_UNKNOWN_ERROR, "a\xed\xa0\x80 \xf0\x9f");
    json_auto_t *line = line_of(place->path, action, response);
    assert_string_equal(json_member_string(line, "url"),
                        "http://a/\xEF\xBF\xBD?b=\xEF\xBF\xBD(&key=***");
    assert_non_null(strstr(json_member_string(line, "error"), "\xEF\xBF\xBD"));
    CLEANUP_FREE char *broken = repeated("\xff", 5000);
    free(response->url);
    response->url = xstrdup(broken);
    json_auto_t *second = line_of(place->path, action, response);
    assert_true(strlen(json_member_string(second, "url")) <= STRING_MAX_BYTES + strlen("…"));
}

static void test_what_terminals_interpret_is_escaped(void **state)
{
    const struct place *place = *state;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_STRBUF struct strbuf many = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&many, "{\"selector\":\"");
    while (many.length < 30000) {
        strbuf_add_string(&many, "\xc2\x9b##[\xe2\x80\xae");
    }
    strbuf_add_string(&many, "\"}");
    struct audit *audit = open_audit(place->path);
    write_action(audit, "click", "{\"selector\":\"a\xc2\x9b\xe2\x80\xae\xd8\x9c##[b \xc3\xa4\"}");
    write_action(audit, "click", many.data);
    audit_close(audit);
    read_file(place->path, &text);
    assert_non_null(strstr(text.data, "a\\u009b\\u202e\\u061c##\\u005bb \xc3\xa4"));
    assert_null(strstr(text.data, "\xc2\x9b"));
    json_decref(read_lines(place->path));
}

static void test_texts_with_nul(void **state)
{
    struct place *place = *state;
    json_auto_t *line =
        params_line(place->path, "a", "{\"url\":\"http://h/?a\\u0000&token=b\",\"c\":\"d\"}");
    json_t *shown = json_object_get(line, "action");
    assert_string_equal(json_member_string(shown, "url"), "http://h/?a");
    assert_string_equal(json_member_string(shown, "c"), "d");
}

/* Linear time is short; quadratic time takes minutes. */
static void test_large_texts(void **state)
{
    struct place *place = *state;
    static const char *const pieces[] = { "&a", "://", "?", "%41", "@:", "a://b:c@", ";a=", "=" };
    for (size_t i = 0; i < COUNT(pieces); i++) {
        CLEANUP_FREE char *text = repeated(pieces[i], 100000);
        CLEANUP_FREE char *params =
            xasprintf("{\"url\":\"http://%s\",\"a\":\"http://%s\"}", text, text);
        struct deadline deadline = deadline_in_ms(slow_ms(10000));
        json_decref(params_line(place->path, "a", params));
        assert_false(deadline_passed(deadline));
    }
}

static void test_appends_to_file(void **state)
{
    struct place *place = *state;
    struct stat info;
    for (int i = 0; i < 3; i++) {
        struct audit *audit = open_audit(place->path);
        write_action(audit, "stop", "{}");
        audit_close(audit);
    }
    assert_int_equal(stat(place->path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    json_auto_t *lines = read_lines(place->path);
    assert_int_equal(json_array_size(lines), 3);
}

static void test_missing_newline(void **state)
{
    struct place *place = *state;
    static const struct {
        const char *before, *after;
    } cases[] = {
        { "", "" },     { "{}\n", "{}\n" }, { "{}", "{}\n" }, { "{}\n{\"kin", "{}\n{\"kin\n" },
        { "\n", "\n" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        write_bytes(place->path, cases[i].before, strlen(cases[i].before));
        struct audit *audit = open_audit(place->path);
        write_action(audit, "stop", "{}");
        audit_close(audit);
        read_file(place->path, &text);
        size_t length = strlen(cases[i].after);
        assert_int_equal(strncmp(text.data, cases[i].after, length), 0);
        assert_int_equal(text.data[length], '{');
        assert_ptr_equal(strchr(text.data + length, '\n'), text.data + text.length - 1);
    }
}

static void test_unusable_files(void **state)
{
    struct place *place = *state;
    CLEANUP_FREE char *missing = xasprintf("%s/no/audit.jsonl", place->directory);
    CLEANUP_FREE char *pipe = xasprintf("%s/pipe", place->directory);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    write_bytes(place->path, "", 0);
    assert_int_equal(chmod(place->path, 0400), 0);
    assert_int_equal(chmod(place->directory, 0755), 0);
    const struct {
        const char *path, *reason;
    } cases[] = {
        { missing, "No such file or directory" }, { place->directory, "Is a directory" },
        { "", "No such file or directory" },      { pipe, "No such device or address" },
        { place->path, "Permission denied" },
    };
    bool is_root = geteuid() == 0;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct br_error err = { 0 };
        /* Root has all permissions. */
        if (is_root && cases[i].path == place->path) {
            assert_int_equal(seteuid(65534), 0);
        }
        assert_null(audit_open(cases[i].path, "a-session", &err));
        assert_int_equal(err.code, BR_INVALID_ACTION);
        assert_non_null(strstr(err.message, cases[i].path));
        assert_non_null(strstr(err.message, cases[i].reason));
    }
    if (is_root) {
        assert_int_equal(seteuid(0), 0);
    }
    unlink(pipe);
}

static void test_full_disk(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    struct audit *audit = open_audit("/dev/full");
    assert_false(audit_take_error(audit, &err));
    write_action(audit, "stop", "{}");
    write_action(audit, "stop", "{}");
    assert_true(audit_take_error(audit, &err));
    assert_int_equal(err.code, BR_UNKNOWN_ERROR);
    assert_non_null(strstr(err.message, "/dev/full"));
    assert_non_null(strstr(err.message, "No space left on device"));
    assert_false(audit_take_error(audit, &err));
    write_action(audit, "stop", "{}");
    assert_false(audit_take_error(audit, &err));
    audit_close(audit);
}

/* A file at its size limit receives only the beginning of a line. */
static void test_line_that_is_torn(void **state)
{
    struct place *place = *state;
    struct br_error err = { 0 };
    struct rlimit before;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    struct audit *audit = open_audit(place->path);
    audit_step(audit, "first", NULL, 1);
    read_file(place->path, &text);
    size_t line = text.length;

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit limit = { .rlim_cur = line + 20, .rlim_max = before.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    audit_step(audit, "second", NULL, 1);
    audit_step(audit, "third", NULL, 1);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_true(audit_take_error(audit, &err));
    assert_non_null(strstr(err.message, "File too large"));
    audit_step(audit, "fourth", NULL, 1);
    audit_step(audit, "fifth", NULL, 1);
    audit_close(audit);

    strbuf_clear(&text);
    read_file(place->path, &text);
    char *torn = text.data + line;
    assert_int_equal(strcspn(torn, "\n"), 20);
    char *fourth = torn + 21;
    assert_int_equal(*fourth, '{');
    assert_non_null(strstr(fourth, "\"step\":\"fourth\""));
    char *fifth = strchr(fourth, '\n') + 1;
    assert_non_null(strstr(fifth, "\"step\":\"fifth\""));
    assert_ptr_equal(strchr(fifth, '\n'), text.data + text.length - 1);
}

static void test_pipe_with_reader(void **state)
{
    struct place *place = *state;
    char buffer[LINE_MAX_BYTES];
    assert_int_equal(mkfifo(place->path, 0600), 0);
    int fd = open(place->path, O_RDONLY | O_NONBLOCK);
    assert_true(fd >= 0);
    struct audit *audit = open_audit(place->path);
    audit_step(audit, "browser started", NULL, 1);
    audit_close(audit);
    ssize_t length = read(fd, buffer, sizeof(buffer));
    assert_true(length > 0 && buffer[length - 1] == '\n');
    close(fd);
}

enum { WRITER_COUNT = 4, WRITER_LINES = 300 };

/* Writes lines of many lengths, each with the writer's letter. */
static void write_many(const char *path, char letter)
{
    struct audit *audit = open_audit(path);
    CLEANUP_FREE char *text = repeated((char[]){ letter, '\0' }, 2000);
    for (int i = 0; i < WRITER_LINES; i++) {
        audit_step(audit, text + (i * 37) % 1900, text + (i * 91) % 1900, (uint64_t)i);
    }
    audit_close(audit);
}

struct writer {
    pthread_t thread;
    const char *path;
    char letter;
};

static void *run_writer(void *data)
{
    struct writer *writer = data;
    write_many(writer->path, writer->letter);
    return NULL;
}

/* Checks that all lines are complete, with those of each writer in order. */
static void check_many(const char *path)
{
    json_auto_t *lines = read_lines(path);
    json_int_t next[WRITER_COUNT] = { 0 };
    size_t index;
    json_t *line;
    assert_int_equal(json_array_size(lines), WRITER_COUNT * WRITER_LINES);
    json_array_foreach (lines, index, line) {
        const char *step = json_member_string(line, "step");
        char letter[2] = { step[0], '\0' };
        assert_int_equal(strspn(step, letter), strlen(step));
        assert_int_equal(json_integer_value(json_object_get(line, "generation")),
                         next[letter[0] - 'a']++);
    }
}

static void test_threads_on_one_file(void **state)
{
    struct place *place = *state;
    struct writer writers[WRITER_COUNT];
    for (int i = 0; i < WRITER_COUNT; i++) {
        writers[i] = (struct writer){ .path = place->path, .letter = (char)('a' + i) };
        assert_int_equal(pthread_create(&writers[i].thread, NULL, run_writer, &writers[i]), 0);
    }
    for (int i = 0; i < WRITER_COUNT; i++) {
        pthread_join(writers[i].thread, NULL);
    }
    check_many(place->path);
}

static void test_processes_on_one_file(void **state)
{
    struct place *place = *state;
    pid_t children[WRITER_COUNT];
    for (int i = 0; i < WRITER_COUNT; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) {
            write_many(place->path, (char)('a' + i));
            _exit(0);
        }
    }
    for (int i = 0; i < WRITER_COUNT; i++) {
        int status = -1;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    check_many(place->path);
}

/* Writes until it is killed. */
static void run_until_killed(const char *path)
{
    struct audit *audit = open_audit(path);
    CLEANUP_FREE char *text = repeated("k", 2000);
    for (uint64_t i = 0;; i++) {
        audit_step(audit, text, text + i % 1900, i);
    }
}

static off_t file_size(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? info.st_size : 0;
}

/* Counts lines that are not JSON; *ret_last is the number of the last line, from 1. */
static size_t count_broken(const char *path, size_t *ret_last)
{
    size_t broken = 0;
    size_t number = 0;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    read_file(path, &text);
    for (char *at = text.data; *at; at += strcspn(at, "\n") + 1) {
        struct br_error ignored;
        json_auto_t *line = json_parse(at, strcspn(at, "\n"), "line", &ignored);
        number++;
        broken += line == NULL;
        *ret_last = line ? *ret_last : number;
    }
    assert_int_equal(text.data[text.length - 1], '\n');
    return broken;
}

/*
 * When a process is killed, Linux may end a write of several pages between two pages: the line
 * being written may be cut, but no line before or after it.
 */
static void test_killed_process(void **state)
{
    struct place *place = *state;
    for (int i = 0; i < 50; i++) {
        size_t last = 0;
        unlink(place->path);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            run_until_killed(place->path);
        }
        struct deadline deadline = deadline_in_ms(slow_ms(10000));
        while (file_size(place->path) < 50000 + i * 777) {
            assert_false(deadline_passed(deadline));
        }
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
        struct audit *audit = open_audit(place->path);
        size_t whole = 0;
        size_t broken = count_broken(place->path, &last);
        audit_step(audit, "page opened", NULL, 1);
        audit_close(audit);
        assert_true(broken <= 1);
        CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        read_file(place->path, &text);
        for (char *at = text.data; *at; at += strcspn(at, "\n") + 1) {
            whole++;
        }
        assert_true(whole > 10);
        assert_true(broken == 0 || last == whole - 1);
        assert_int_equal(count_broken(place->path, &last), broken);
    }
}

int main(void)
{
#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, place_create, place_destroy)
    const struct CMUnitTest tests[] = {
        IN_PLACE(test_action_that_succeeds),
        IN_PLACE(test_action_that_fails),
        IN_PLACE(test_step),
        cmocka_unit_test(test_without_audit),
        cmocka_unit_test_teardown(test_masking, remove_case_file),
        IN_PLACE(test_no_url_is_shown_for_none),
        IN_PLACE(test_masking_of_a_secret_that_is_cut),
        IN_PLACE(test_long_strings),
        IN_PLACE(test_many_values),
        IN_PLACE(test_broken_utf8),
        IN_PLACE(test_what_terminals_interpret_is_escaped),
        IN_PLACE(test_texts_with_nul),
        IN_PLACE(test_large_texts),
        IN_PLACE(test_appends_to_file),
        IN_PLACE(test_missing_newline),
        IN_PLACE(test_unusable_files),
        cmocka_unit_test(test_full_disk),
        IN_PLACE(test_line_that_is_torn),
        IN_PLACE(test_pipe_with_reader),
        IN_PLACE(test_threads_on_one_file),
        IN_PLACE(test_processes_on_one_file),
        IN_PLACE(test_killed_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
