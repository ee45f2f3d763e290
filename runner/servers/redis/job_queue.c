#include "runner/servers/redis/job_queue.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    BLOCKED_MS = 1000,       /* after so long a waiting worker looks for silent ones again */
    FORGET_MS = 3600 * 1000, /* a worker's name is forgotten this long after its last command */
    MAX_SCANS = 1000,
};

/*
 * The consumer that owns released entries, so that a pending renewal has no effect.
 * Its entries look as if their lease had ended, and the next worker takes them.
 */
#define RELEASED "released"

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
 * has lost lines or the attempt, so another worker may run one with the same number.
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
        return redis_integer(reply, err) >= 0;
    }
    *ret_state =
        (struct job_stream_state){ reply->element[0]->integer, reply->element[1]->integer,
                                   reply->element[2]->integer, reply->element[3]->integer };
    return true;
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
        return redis_integer(reply, err);
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
            return redis_integer(reply, err);
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
    int renewed = redis_integer(reply, err);
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
    int stored = redis_integer(reply, err);
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
    int ended = redis_integer(reply, err);
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
    return redis_integer(reply, err);
}
