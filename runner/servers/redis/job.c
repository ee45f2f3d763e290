#include "runner/servers/redis/job.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

enum {
    BLOCKED_MS = 1000,       /* after so long a waiting worker looks for silent ones again */
    FORGET_MS = 3600 * 1000, /* a worker's name is forgotten this long after its last command */
    LINES_AT_ONCE = 8,
    MAX_SCANS = 1000,
    RANDOM_DIGITS = 24,
};

/*
 * The consumer that owns what was given back, so that a renewal that is under way has no effect.
 * Its entries look as if their lease had ended, and the next worker takes them.
 */
#define RELEASED "released"

/* Later than every line of an attempt, and earlier than every end: those have the time. */
#define AFTER_ATTEMPTS "1000000000-0"

struct job_queue {
    struct job_queue_options options;
    struct redis *redis;
    unsigned seen_connections;
};

/*
 * The keys and the first arguments of the scripts about a job. Each script is executed as one step,
 * so that no other worker sees half of it, and none survives a crash of the server.
 */
#define JOB_EVAL "EVAL %s 5 %s %s:job:%s %s:answer:%s %s:trace:%s %s:dead %s %s %s %d "
#define JOB_EVAL_ARGS(queue, job, script)                                                          \
    (script), (job)->stream, (job)->stream, (job)->id, (job)->stream, (job)->id, (job)->stream,    \
        (job)->id, (job)->stream, (queue)->options.group, (queue)->options.consumer, (job)->entry, \
        (queue)->options.keep_s

#define SCRIPT_NAMES                                                                               \
    "local stream, job, answer, trace, dead = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5] "        \
    "local group, consumer, entry, keep = ARGV[1], ARGV[2], ARGV[3], ARGV[4] "                     \
    "local now = redis.call('TIME')[1] "                                                           \
    "local function delivery() "                                                                   \
    "  local p = redis.call('XPENDING', stream, group, entry, entry, 1)[1] "                       \
    "  if p and p[2] == consumer then return p[4] end "                                            \
    "end "                                                                                         \
    "local function acknowledge() "                                                                \
    "  redis.call('XACK', stream, group, entry) "                                                  \
    "  redis.call('XDEL', stream, entry) "                                                         \
    "end "                                                                                         \
    "local function seal(state) "                                                                  \
    "  redis.call('XADD', answer, '*', 'state', state) "                                           \
    "  redis.call('HSET', job, 'state', state, 'ended', now) "                                     \
    "  acknowledge() "                                                                             \
    "  for _, key in ipairs({job, answer, trace}) do redis.call('EXPIRE', key, keep) end "         \
    "end "                                                                                         \
    "local function bury(id, reason, deliveries) "                                                 \
    "  local steps = table.concat(redis.call('LRANGE', trace, 0, -1), ',') "                       \
    "  local fields = {'id', id, 'reason', reason, 'deliveries', deliveries, "                     \
    "                  'trace', '[' .. steps .. ']'} "                                             \
    "  local found = redis.call('XRANGE', stream, entry, entry)[1] "                               \
    "  for i = 1, found and #found[2] or 0, 2 do "                                                 \
    "    if found[2][i] ~= 'id' then "                                                             \
    "      fields[#fields + 1] = found[2][i] "                                                     \
    "      fields[#fields + 1] = found[2][i + 1] "                                                 \
    "    end "                                                                                     \
    "  end "                                                                                       \
    "  redis.call('XADD', dead, 'MAXLEN', '~', 10000, '*', unpack(fields)) "                       \
    "  redis.call('HSET', job, 'why', reason) "                                                    \
    "  seal('dead') "                                                                              \
    "end "

/* 5: the id, 6: deliveries allowed, 7: a reason to bury the job at once, or "". */
static const char begin_script[] = SCRIPT_NAMES
    "local n = delivery() "
    "if not n then return {'over', 0, 0} end "
    "local state = redis.call('HGET', job, 'state') "
    "if state == 'done' or state == 'dead' then acknowledge() return {'over', n, 0} end "
    "if ARGV[7] ~= '' then bury(ARGV[5], ARGV[7], n) return {'dead', n, 0} end "
    "if n > tonumber(ARGV[6]) then "
    "  bury(ARGV[5], 'delivered ' .. (n - 1) .. ' times without an answer', n - 1) "
    "  return {'dead', n, 0} "
    "end "
    "local attempt = redis.call('HINCRBY', job, 'attempt', 1) "
    "redis.call('HSET', job, 'state', 'running', 'worker', consumer, 'entry', entry, 'began', now) "
    "redis.call('RPUSH', trace, "
    "  cjson.encode({attempt = attempt, worker = consumer, began = tonumber(now)})) "
    "return {'run', n, attempt} ";

static const char renew_script[] =
    SCRIPT_NAMES "if not delivery() then return 0 end "
                 "redis.call('XCLAIM', stream, group, consumer, 0, entry, 'JUSTID') "
                 "return 1 ";

/*
 * 5: the id of the line, 6: that of the line before it, or ""; then its fields. 2: Redis has lost
 * a line that it had acknowledged.
 */
static const char store_script[] =
    "local known = redis.call('XRANGE', KEYS[3], ARGV[5], ARGV[5])[1] "
    "for i, value in ipairs(known and known[2] or {}) do "
    "  if value ~= ARGV[6 + i] then return 2 end "
    "end "
    "if known then return 1 end "
    "if ARGV[6] ~= '' and #redis.call('XRANGE', KEYS[3], ARGV[6], ARGV[6]) == 0 then return 2 end "
    "local added = redis.pcall('XADD', KEYS[3], ARGV[5], unpack(ARGV, 7)) "
    "if type(added) ~= 'table' then return 1 end "
    "if string.find(added.err, 'equal or smaller') then return 0 end "
    "return added ";

/*
 * 5: the attempt, 6: the exit code, 7: the JSON of an error, 8: how many lines it stored. 2: Redis
 * has lost some, or the attempt, so that another worker has one with the same number.
 */
static const char end_script[] =
    SCRIPT_NAMES "local known = redis.call('HMGET', job, 'state', 'winner', 'attempt', 'worker') "
                 "if known[1] == 'done' or known[1] == 'dead' then "
                 "  acknowledge() "
                 "  return known[2] == ARGV[5] and 1 or 0 "
                 "end "
                 "if known[3] == ARGV[5] and known[4] ~= consumer then return 2 end "
                 "local last = redis.call('XREVRANGE', answer, ARGV[5], ARGV[5], 'COUNT', 1)[1] "
                 "if (last and last[1] or ARGV[5] .. '-0') ~= ARGV[5] .. '-' .. ARGV[8] then "
                 "  return 2 "
                 "end "
                 "redis.call('HSET', job, 'winner', ARGV[5], 'exit', ARGV[6], 'worker', consumer) "
                 "if ARGV[7] ~= '' then redis.call('HSET', job, 'why', ARGV[7]) end "
                 "seal('done') "
                 "return 1 ";

/* 5: the id, 6: deliveries allowed, 7: the lease, 8: a step for the trace, 9: the reason, or "". */
static const char release_script[] = SCRIPT_NAMES
    "local n = delivery() "
    "if not n then return 1 end "
    "redis.call('RPUSH', trace, ARGV[8]) "
    "if ARGV[9] ~= '' and n >= tonumber(ARGV[6]) then bury(ARGV[5], ARGV[9], n) return 0 end "
    "redis.call('HSET', job, 'state', 'queued') "
    "redis.call('XCLAIM', stream, group, '" RELEASED "', 0, entry, 'IDLE', ARGV[7], "
    "  'RETRYCOUNT', ARGV[9] ~= '' and n or n - 1, 'JUSTID') "
    "return 1 ";

/* Keys: the stream. 1: the group, 2: the consumer, or "", 3: forget others after so many ms. */
static const char forget_script[] =
    "for _, c in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do "
    "  local name, pending, idle = c[2], c[4], c[6] "
    "  if pending == 0 and (name == ARGV[2] or idle > tonumber(ARGV[3])) then "
    "    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], name) "
    "  end "
    "end "
    "return 1 ";

/* Keys: the stream, that of dead jobs. 1: the group. Returns the members of job_stream_state. */
static const char state_script[] =
    "local all = redis.call('XLEN', KEYS[1]) "
    "local running = all > 0 and redis.call('XPENDING', KEYS[1], ARGV[1])[1] or 0 "
    "local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1] "
    "local began = first and tonumber(string.match(first[1], '%d+')) / 1000 "
    "local age = began and math.max(0, tonumber(redis.call('TIME')[1]) - began) or 0 "
    "return {math.max(0, all - running), running, redis.call('XLEN', KEYS[2]), age} ";

/* Keys: the stream, the job. 1: the id, 2: the field's name, 3: its value. */
static const char submit_script[] =
    "local sum = redis.sha1hex(ARGV[2] .. ARGV[3]) "
    "local known = redis.call('HMGET', KEYS[2], 'sum', 'state') "
    "if known[1] or known[2] then return known[1] == sum and 1 or 0 end "
    "redis.call('HSET', KEYS[2], 'state', 'queued', 'sum', sum, "
    "  'submitted', redis.call('TIME')[1]) "
    "redis.call('XADD', KEYS[1], '*', 'id', ARGV[1], ARGV[2], ARGV[3]) "
    "return 1 ";

void job_finish(struct job *job)
{
    free(job->entry);
    free(job->id);
    free(job->batch);
    free(job->file);
    *job = (struct job){ 0 };
}

struct job_queue *job_queue_create(const struct job_queue_options *options, struct br_error *err)
{
    struct redis *redis = redis_create(options->url, err);
    if (!redis) {
        return NULL;
    }
    struct job_queue *queue = xcalloc(1, sizeof(*queue));
    queue->options = *options;
    queue->redis = redis;
    return queue;
}

void job_queue_destroy(struct job_queue *queue)
{
    if (queue) {
        redis_destroy(queue->redis);
        free(queue);
    }
}

/* Returns the integer that a script returned; -1 with the error. */
static int integer_of(const redisReply *reply, struct br_error *err)
{
    if (reply && reply->type == REDIS_REPLY_INTEGER) {
        return (int)reply->integer;
    }
    if (reply) {
        error_set(err, BR_UNKNOWN_ERROR, "Redis sent a reply of an unexpected type");
    }
    return -1;
}

static bool create_group(struct job_queue *queue, const char *stream, const struct redis_wait *wait,
                         struct br_error *err)
{
    CLEANUP_REPLY redisReply *reply = redis_call(
        queue->redis, wait, err, "XGROUP CREATE %s %s 0 MKSTREAM", stream, queue->options.group);
    return reply || strstr(err->message, "BUSYGROUP");
}

static bool forget(struct job_queue *queue, const char *stream, const char *own,
                   const struct redis_wait *wait, struct br_error *err)
{
    CLEANUP_REPLY redisReply *reply =
        redis_call(queue->redis, wait, err, "EVAL %s 1 %s %s %s %d", forget_script, stream,
                   queue->options.group, own, FORGET_MS);
    return reply;
}

bool job_queue_prepare(struct job_queue *queue, const struct redis_wait *wait, struct br_error *err)
{
    for (size_t i = 0; i < queue->options.stream_count; i++) {
        const char *stream = queue->options.streams[i];
        if (!create_group(queue, stream, wait, err) || !forget(queue, stream, "", wait, err)) {
            return error_context(err, "stream %s", stream);
        }
    }
    queue->seen_connections = redis_connections(queue->redis);
    return true;
}

bool job_queue_leave(struct job_queue *queue, const struct redis_wait *wait, struct br_error *err)
{
    bool is_done = true;
    for (size_t i = 0; i < queue->options.stream_count && is_done; i++) {
        is_done = forget(queue, queue->options.streams[i], queue->options.consumer, wait, err);
    }
    return is_done;
}

bool job_queue_read_state(struct job_queue *queue, const struct redis_wait *wait, size_t index,
                          struct job_stream_state *ret_state, struct br_error *err)
{
    const char *stream = queue->options.streams[index];
    CLEANUP_REPLY redisReply *reply =
        redis_call(queue->redis, wait, err, "EVAL %s 2 %s %s:dead %s", state_script, stream, stream,
                   queue->options.group);
    *ret_state = (struct job_stream_state){ 0 };
    if (!reply || reply->type != REDIS_REPLY_ARRAY || reply->elements != 4) {
        return integer_of(reply, err) >= 0;
    }
    *ret_state =
        (struct job_stream_state){ reply->element[0]->integer, reply->element[1]->integer,
                                   reply->element[2]->integer, reply->element[3]->integer };
    return true;
}

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

/* Reads an entry [id, [name, value, …]]. False if it is none. */
static bool read_entry(const redisReply *entry, const char *stream, struct job *ret_job)
{
    *ret_job = (struct job){ .stream = stream };
    if (entry->type != REDIS_REPLY_ARRAY || entry->elements != 2 ||
        entry->element[0]->type != REDIS_REPLY_STRING ||
        entry->element[1]->type != REDIS_REPLY_ARRAY) {
        return false;
    }
    ret_job->entry = xstrdup(entry->element[0]->str);
    const redisReply *fields = entry->element[1];
    for (size_t i = 0; i + 1 < fields->elements; i += 2) {
        const redisReply *name = fields->element[i];
        const redisReply *value = fields->element[i + 1];
        if (name->type != REDIS_REPLY_STRING || value->type != REDIS_REPLY_STRING) {
            continue;
        }
        if (strcmp(name->str, "id") == 0 && !ret_job->id) {
            ret_job->id = xstrndup(value->str, value->len);
        } else if (strcmp(name->str, "batch") == 0 && !ret_job->batch) {
            ret_job->batch = xstrndup(value->str, value->len);
            ret_job->batch_length = value->len;
        } else if (strcmp(name->str, "file") == 0 && !ret_job->file) {
            ret_job->file = xstrndup(value->str, value->len);
        }
    }
    return true;
}

/* Returns why an entry cannot be a job; "" if it can. */
static const char *fault_of(const struct job *job)
{
    if (job->id && !job_id_is_valid(job->id)) {
        return "its id is not 1 to 64 letters, digits and ._-";
    }
    if (!job->batch == !job->file) {
        return "it needs one of the fields batch and file";
    }
    return job->batch_length > JOB_MAX_BATCH ? "its batch is longer than 64 MB" : "";
}

/* Begins an attempt of a job that was delivered to this worker. */
static int begin(struct job_queue *queue, const struct redis_wait *wait, struct job *job,
                 bool is_claimed, struct br_error *err)
{
    const char *fault = fault_of(job);
    if (!job->id || !job_id_is_valid(job->id)) {
        free(job->id);
        job->id = xstrdup(job->entry);
    }
    CLEANUP_REPLY redisReply *reply = redis_call(queue->redis, wait, err, JOB_EVAL "%s %d %s",
                                                 JOB_EVAL_ARGS(queue, job, begin_script), job->id,
                                                 queue->options.max_deliveries, fault);
    if (!reply || reply->type != REDIS_REPLY_ARRAY || reply->elements != 3 ||
        reply->element[0]->type != REDIS_REPLY_STRING) {
        return integer_of(reply, err);
    }
    job->deliveries = (int)reply->element[1]->integer;
    job->attempt = (int)reply->element[2]->integer;
    const char *what = reply->element[0]->str;
    if (strcmp(what, "run") == 0) {
        return is_claimed ? JOB_CLAIMED : JOB_NEW;
    }
    return strcmp(what, "dead") == 0 ? JOB_BURIED : JOB_OVER;
}

/* Begins the job of the first entry of a list; JOB_NONE if the list is empty. */
static int begin_first(struct job_queue *queue, const struct redis_wait *wait,
                       const redisReply *entries, const char *stream, bool is_claimed,
                       struct job *ret_job, struct br_error *err)
{
    for (size_t i = 0; entries->type == REDIS_REPLY_ARRAY && i < entries->elements; i++) {
        if (read_entry(entries->element[i], stream, ret_job)) {
            int taken = begin(queue, wait, ret_job, is_claimed, err);
            if (taken < 0) {
                job_finish(ret_job);
            }
            return taken;
        }
    }
    return JOB_NONE;
}

/* Takes a job of a worker that was silent for a lease. */
static int claim(struct job_queue *queue, const struct redis_wait *wait, const char *stream,
                 struct job *ret_job, struct br_error *err)
{
    CLEANUP_FREE char *cursor = xstrdup("0-0");
    for (int i = 0; i < MAX_SCANS; i++) {
        CLEANUP_REPLY redisReply *reply = redis_call(
            queue->redis, wait, err, "XAUTOCLAIM %s %s %s %d %s COUNT 1", stream,
            queue->options.group, queue->options.consumer, queue->options.lease_ms, cursor);
        if (!reply || reply->type != REDIS_REPLY_ARRAY || reply->elements < 2 ||
            reply->element[0]->type != REDIS_REPLY_STRING) {
            return integer_of(reply, err);
        }
        int taken = begin_first(queue, wait, reply->element[1], stream, true, ret_job, err);
        if (taken != JOB_NONE || strcmp(reply->element[0]->str, "0-0") == 0) {
            return taken;
        }
        free(cursor);
        cursor = xstrdup(reply->element[0]->str);
    }
    return JOB_NONE;
}

/* Gives an entry that was delivered beside another one to the next worker. */
static void return_entry(struct job_queue *queue, const struct redis_wait *wait, const char *stream,
                         const redisReply *entries)
{
    struct br_error ignored; /* its lease ends */
    struct job job = { 0 };
    if (entries->type == REDIS_REPLY_ARRAY && entries->elements &&
        read_entry(entries->element[0], stream, &job)) {
        redisReply *reply =
            redis_call(queue->redis, wait, &ignored,
                       "XCLAIM %s %s " RELEASED " 0 %s IDLE %d RETRYCOUNT 0 JUSTID", stream,
                       queue->options.group, job.entry, queue->options.lease_ms);
        redis_cleanup_reply(&reply);
    }
    job_finish(&job);
}

/*
 * Reads a new entry of the streams, which must be some of the options. If several streams get one
 * while it waits, the first by priority is taken.
 */
static int read_new(struct job_queue *queue, const struct redis_wait *wait,
                    const char *const *streams, size_t count, struct job *ret_job,
                    struct br_error *err)
{
    const char *args[9 + 2 * JOB_MAX_STREAMS] = {
        "XREADGROUP", "GROUP", queue->options.group, queue->options.consumer, "COUNT", "1"
    };
    size_t length = 6;
    char block[16];
    int taken = JOB_NONE;
    if (wait->block_ms > 0) {
        snprintf(block, sizeof(block), "%d", wait->block_ms);
        args[length++] = "BLOCK";
        args[length++] = block;
    }
    args[length++] = "STREAMS";
    for (size_t i = 0; i < count; i++) {
        args[length + i] = streams[i];
        args[length + count + i] = ">";
    }
    CLEANUP_REPLY redisReply *reply =
        redis_call_words(queue->redis, wait, err, args, length + 2 * count);
    if (!reply) {
        return -1;
    }
    /* What was delivered is begun even if the worker stops now, but later another worker has it. */
    const struct redis_wait next = { .within_ms = queue->options.lease_ms, .stop_fd = -1 };
    size_t replied = reply->type == REDIS_REPLY_ARRAY ? reply->elements : 0;
    for (size_t i = 0; i < count * replied; i++) {
        const redisReply *of = reply->element[i % replied];
        const char *stream = streams[i / replied];
        if (of->type != REDIS_REPLY_ARRAY || of->elements != 2 ||
            strcmp(of->element[0]->str, stream) != 0) {
            continue;
        }
        if (taken == JOB_NONE) {
            taken = begin_first(queue, &next, of->element[1], stream, false, ret_job, err);
        } else {
            return_entry(queue, &next, stream, of->element[1]);
        }
    }
    return taken;
}

/* After a pause of the server its owners have a lease to renew what they have. */
static bool may_claim(const struct job_queue *queue)
{
    return redis_connections(queue->redis) == queue->seen_connections ||
           clock_monotonic_ms() - redis_connected_ms(queue->redis) >= queue->options.lease_ms;
}

/* A worker that comes after a start of the server gives the owners of batches a lease, too. */
static bool greet(struct job_queue *queue, const struct redis_wait *wait, struct br_error *err)
{
    if (redis_connections(queue->redis) > 0) {
        return true;
    }
    static const char name[] = "uptime_in_seconds:";
    CLEANUP_REPLY redisReply *reply = redis_call(queue->redis, wait, err, "INFO server");
    const char *uptime =
        reply && reply->type == REDIS_REPLY_STRING ? strstr(reply->str, name) : NULL;
    if (uptime && strtoll(uptime + strlen(name), NULL, 10) * 1000 >= queue->options.lease_ms) {
        queue->seen_connections = redis_connections(queue->redis);
    }
    /* Who may not read it waits as after a start. */
    return reply || redis_connections(queue->redis) > 0;
}

static int take(struct job_queue *queue, const struct redis_wait *wait, struct job *ret_job,
                struct br_error *err)
{
    const struct redis_wait at_once = { .within_ms = wait->within_ms, .stop_fd = wait->stop_fd };
    const struct redis_wait blocking = { .within_ms = wait->within_ms,
                                         .stop_fd = wait->stop_fd,
                                         .block_ms = wait->block_ms < BLOCKED_MS ? wait->block_ms
                                                                                 : BLOCKED_MS };
    const struct job_queue_options *options = &queue->options;
    int taken = greet(queue, &at_once, err) ? JOB_NONE : -1;
    for (size_t i = 0; i < options->stream_count && taken == JOB_NONE; i++) {
        const char *const *stream = &options->streams[i];
        taken = may_claim(queue) ? claim(queue, &at_once, *stream, ret_job, err) : JOB_NONE;
        if (taken == JOB_NONE) {
            taken = read_new(queue, &at_once, stream, 1, ret_job, err);
        }
    }
    if (taken == JOB_NONE && blocking.block_ms > 0) {
        taken = read_new(queue, &blocking, options->streams, options->stream_count, ret_job, err);
    }
    return taken;
}

int job_queue_take(struct job_queue *queue, const struct redis_wait *wait, struct job *ret_job,
                   struct br_error *err)
{
    *ret_job = (struct job){ 0 };
    int taken = take(queue, wait, ret_job, err);
    if (taken < 0 && strstr(err->message, "NOGROUP")) {
        /* The server has lost its data, or somebody deleted the stream. */
        const struct redis_wait at_once = { .within_ms = wait->within_ms,
                                            .stop_fd = wait->stop_fd };
        return job_queue_prepare(queue, &at_once, err) ? JOB_NONE : -1;
    }
    return taken;
}

int job_queue_renew(struct job_queue *queue, const struct redis_wait *wait, const struct job *job,
                    struct br_error *err)
{
    CLEANUP_REPLY redisReply *reply =
        redis_call(queue->redis, wait, err, JOB_EVAL, JOB_EVAL_ARGS(queue, job, renew_script));
    int renewed = integer_of(reply, err);
    /* Without the group nobody has the job. */
    return renewed < 0 && strstr(err->message, "NOGROUP") ? 0 : renewed;
}

static bool fail_lost_lines(const struct job *job, struct br_error *err)
{
    return error_set(err, BR_UNKNOWN_ERROR, "Redis has lost lines of attempt %d", job->attempt);
}

bool job_queue_store(struct job_queue *queue, const struct redis_wait *wait, const struct job *job,
                     uint64_t number, const struct job_line *line, struct br_error *err)
{
    CLEANUP_FREE char *id = xasprintf("%d-%" PRIu64, job->attempt, number + 1);
    CLEANUP_FREE char *before =
        number ? xasprintf("%d-%" PRIu64, job->attempt, number) : xstrdup("");
    CLEANUP_REPLY redisReply *reply =
        line->text
            ? redis_call(queue->redis, wait, err, JOB_EVAL "%s %s line %b",
                         JOB_EVAL_ARGS(queue, job, store_script), id, before, line->text,
                         line->length)
            : redis_call(queue->redis, wait, err, JOB_EVAL "%s %s file %s offset %llu length %llu",
                         JOB_EVAL_ARGS(queue, job, store_script), id, before, line->file,
                         (unsigned long long)line->offset, (unsigned long long)line->length);
    int stored = integer_of(reply, err);
    if (stored == 0) {
        return error_set(err, BR_CANCELLED, "attempt %d is void: a later one has begun to answer",
                         job->attempt);
    }
    return stored == 2 ? fail_lost_lines(job, err) : stored > 0;
}

int job_queue_end(struct job_queue *queue, const struct redis_wait *wait, const struct job *job,
                  uint64_t lines, int exit_code, const char *why, struct br_error *err)
{
    CLEANUP_REPLY redisReply *reply = redis_call(
        queue->redis, wait, err, JOB_EVAL "%d %d %s %llu", JOB_EVAL_ARGS(queue, job, end_script),
        job->attempt, exit_code, why, (unsigned long long)lines);
    int ended = integer_of(reply, err);
    return ended == 2 ? (int)fail_lost_lines(job, err) - 1 : ended;
}

/* Returns the step of the trace that says how an attempt ended. Caller frees. */
static char *step_of(const struct job_queue *queue, const struct job *job,
                     const struct br_error *why)
{
    json_auto_t *step = json_pack("{s:i, s:o, s:I}", "attempt", job->attempt, "worker",
                                  json_text(queue->options.consumer), "ended",
                                  (json_int_t)(clock_wall_ms() / 1000));
    if (why) {
        json_object_set_new(step, "error", json_text(why->message));
        json_object_set_new(step, "errorCode", json_string(br_code_name(why->code)));
    } else {
        json_object_set_new(step, "returned", json_true());
    }
    return json_line(step, NULL);
}

int job_queue_release(struct job_queue *queue, const struct redis_wait *wait, const struct job *job,
                      const struct br_error *why, bool counts, struct br_error *err)
{
    CLEANUP_FREE char *step = step_of(queue, job, why);
    CLEANUP_REPLY redisReply *reply = redis_call(
        queue->redis, wait, err, JOB_EVAL "%s %d %d %s %s",
        JOB_EVAL_ARGS(queue, job, release_script), job->id, queue->options.max_deliveries,
        queue->options.lease_ms, step, counts ? why->message : "");
    return integer_of(reply, err);
}

bool job_submit(struct redis *redis, const struct redis_wait *wait, const struct job *job,
                struct br_error *err)
{
    const char *value = job->batch ? job->batch : job->file;
    size_t length = job->batch ? job->batch_length : strlen(value);
    CLEANUP_REPLY redisReply *reply =
        redis_call(redis, wait, err, "EVAL %s 2 %s %s:job:%s %s %s %b", submit_script, job->stream,
                   job->stream, job->id, job->id, job->batch ? "batch" : "file", value, length);
    int added = integer_of(reply, err);
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
        return integer_of(reply, err) >= 0;
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
