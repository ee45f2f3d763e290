#include "runner/servers/redis/job.h"

#include "runner/base/memory.h"
#include "runner/base/strbuf.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

enum {
    LINES_AT_ONCE = 8,
    RANDOM_DIGITS = 24,
};

/* Later than every line of an attempt, and earlier than every end: those have the time. */
#define AFTER_ATTEMPTS "1000000000-0"

/* Keys: the stream, the job. 1: the id, 2: the field's name, 3: its value. */
static const char submit_script[] =
    "local sum = redis.sha1hex(ARGV[2] .. ARGV[3]) "
    "local known = redis.call('HMGET', KEYS[2], 'sum', 'state') "
    "if known[1] or known[2] then return known[1] == sum and 1 or 0 end "
    "redis.call('HSET', KEYS[2], 'state', 'queued', 'sum', sum, "
    "  'submitted', redis.call('TIME')[1]) "
    "redis.call('XADD', KEYS[1], '*', 'id', ARGV[1], ARGV[2], ARGV[3]) "
    "return 1 ";

bool job_id_is_valid(const char *id)
{
    size_t length = strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");
    return length > 0 && length <= JOB_MAX_ID && id[length] == '\0';
}

char *job_make_id(void)
{
    unsigned char bytes[RANDOM_DIGITS / 2] = { 0 };
    ssize_t count = getrandom(bytes, sizeof(bytes), 0);
    struct strbuf id = STRBUF_INIT(STRBUF_UNCAPPED);
    for (ssize_t i = 0; i < count; i++) {
        strbuf_add_format(&id, "%02x", bytes[i]);
    }
    return strbuf_take(&id);
}

char *job_file_name(const struct job *job)
{
    CLEANUP_FREE char *random = job_make_id();
    return xasprintf("%s.%d.%s.ndjson", job->id, job->attempt, random);
}

bool job_file_is_of(const char *path, const char *id)
{
    const char *slash = strrchr(path, '/');
    const char *rest = slash ? slash + 1 : path;
    size_t length = strlen(id);
    if (strncmp(rest, id, length) != 0 || rest[length] != '.') {
        return false;
    }
    rest += length + 1;
    size_t digits = strspn(rest, "0123456789");
    return digits > 0 && rest[digits] == '.' &&
           strspn(rest + digits + 1, "0123456789abcdef") == RANDOM_DIGITS &&
           strcmp(rest + digits + 1 + RANDOM_DIGITS, ".ndjson") == 0;
}

void job_finish(struct job *job)
{
    free(job->entry);
    free(job->id);
    free(job->batch);
    free(job->file);
    *job = (struct job){ 0 };
}

bool job_submit(struct redis *redis, const struct redis_wait *wait, const struct job *job,
                struct br_error *err)
{
    const char *value = job->batch ? job->batch : job->file;
    size_t length = job->batch ? job->batch_length : strlen(value);
    CLEANUP_REPLY redisReply *reply =
        redis_call(redis, wait, err, "EVAL %s 2 %s %s:job:%s %s %s %b", submit_script, job->stream,
                   job->stream, job->id, job->id, job->batch ? "batch" : "file", value, length);
    int added = redis_integer(reply, err);
    if (added == 0) {
        error_set(err, BR_INVALID_ACTION, "the id %s was used for another batch", job->id);
        error_hint(err, "submit it under another id");
    }
    return added > 0;
}

void job_status_finish(struct job_status *status)
{
    free(status->why);
    *status = (struct job_status){ 0 };
}

bool job_status_is_final(const struct job_status *status)
{
    return strcmp(status->state, "done") == 0 || strcmp(status->state, "dead") == 0;
}

/* Returns the text of a reply's element; NULL if there is none. Borrowed. */
static const char *element_text(const redisReply *reply, size_t index)
{
    const redisReply *element = index < reply->elements ? reply->element[index] : NULL;
    return element && element->type == REDIS_REPLY_STRING ? element->str : NULL;
}

bool job_read_status(struct redis *redis, const struct redis_wait *wait, const char *stream,
                     const char *id, struct job_status *ret_status, struct br_error *err)
{
    CLEANUP_REPLY redisReply *reply =
        redis_call(redis, wait, err, "HMGET %s:job:%s state attempt winner exit why", stream, id);
    *ret_status = (struct job_status){ 0 };
    if (!reply || reply->type != REDIS_REPLY_ARRAY) {
        return redis_integer(reply, err) >= 0;
    }
    const char *state = element_text(reply, 0);
    const char *winner = element_text(reply, 2);
    const char *attempt = winner ? winner : element_text(reply, 1);
    const char *exit_code = element_text(reply, 3);
    snprintf(ret_status->state, sizeof(ret_status->state), "%s", state ? state : "");
    ret_status->attempt = attempt ? (int)strtol(attempt, NULL, 10) : 0;
    ret_status->exit_code = exit_code ? (int)strtol(exit_code, NULL, 10) : 0;
    ret_status->why = xstrdup(element_text(reply, 4));
    return true;
}

/* Passes an entry of the stream of answers on, and moves the cursor. */
static bool read_line(const redisReply *entry, struct job_reading *reading, struct br_error *err)
{
    const char *id = element_text(entry, 0);
    const redisReply *fields = entry->elements == 2 ? entry->element[1] : NULL;
    struct job_line line = { 0 };
    if (!id || !fields || fields->type != REDIS_REPLY_ARRAY) {
        return error_set(err, BR_UNKNOWN_ERROR, "Redis sent a reply of an unexpected type");
    }
    snprintf(reading->cursor, sizeof(reading->cursor), "%s", id);
    for (size_t i = 0; i + 1 < fields->elements; i += 2) {
        const char *name = element_text(fields, i);
        const char *value = element_text(fields, i + 1);
        if (!name || !value) {
            continue;
        }
        if (strcmp(name, "state") == 0) {
            reading->is_over = true;
            return true;
        }
        if (strcmp(name, "line") == 0) {
            line.text = value;
            line.length = fields->element[i + 1]->len;
        } else if (strcmp(name, "file") == 0) {
            line.file = value;
        } else if (strcmp(name, "offset") == 0) {
            line.offset = strtoull(value, NULL, 10);
        } else if (strcmp(name, "length") == 0) {
            line.length = strtoull(value, NULL, 10);
        }
    }
    return (!line.text && !line.file) ||
           reading->on_line(reading->data, (int)strtol(id, NULL, 10), &line, err);
}

bool job_read_lines(struct redis *redis, const struct redis_wait *wait, const char *stream,
                    const char *id, struct job_reading *reading, struct br_error *err)
{
    CLEANUP_REPLY redisReply *reply =
        wait->block_ms > 0
            ? redis_call(redis, wait, err, "XREAD COUNT %d BLOCK %d STREAMS %s:answer:%s %s",
                         LINES_AT_ONCE, wait->block_ms, stream, id, reading->cursor)
            : redis_call(redis, wait, err, "XREAD COUNT %d STREAMS %s:answer:%s %s", LINES_AT_ONCE,
                         stream, id, reading->cursor);
    if (!reply) {
        return false;
    }
    const redisReply *of =
        reply->type == REDIS_REPLY_ARRAY && reply->elements == 1 ? reply->element[0] : NULL;
    const redisReply *entries = of && of->elements == 2 ? of->element[1] : NULL;
    for (size_t i = 0; entries && i < entries->elements && !reading->is_over; i++) {
        if (!read_line(entries->element[i], reading, err)) {
            return false;
        }
    }
    return true;
}

bool job_await_end(struct redis *redis, const struct redis_wait *wait, const char *stream,
                   const char *id, struct br_error *err)
{
    CLEANUP_REPLY redisReply *reply =
        redis_call(redis, wait, err, "XREAD COUNT 1 BLOCK %d STREAMS %s:answer:%s %s",
                   wait->block_ms, stream, id, AFTER_ATTEMPTS);
    return reply;
}
