#include "runner/servers/mcp/call.h"

#include "imaging/base64.h"
#include "runner/actions/actions.h"
#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/utf8.h"
#include "runner/formats/answer_text.h"
#include "runner/privacy/mask.h"
#include "runner/servers/local/client.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    ACTION_MS = 15000, /* limit of one action without its own */
    BEGIN_MS = 10000,  /* longest wait for actions of other clients of the session */
    CANCEL_MS = 3000,  /* for the daemon's answer after the limit of the call */
    MAX_FILES = 256,   /* the oldest is removed for a further one */
    MAX_PICTURES = 64,
    MAX_SIDE = 1568, /* pixels; larger pictures break conversations with some clients */
    NOTE = 300,      /* room for the sentence about what was cut */
};

struct mcp_files {
    pthread_mutex_t mutex;
    char *directory; /* NULL: no file was written */
    size_t count;    /* of all that were written */
    struct mcp_file {
        char *path, *label; /* NULL: not used yet; no label */
    } newest[MAX_FILES];
};

struct mcp_files *mcp_files_create(void)
{
    struct mcp_files *files = xcalloc(1, sizeof(*files));
    pthread_mutex_init(&files->mutex, NULL);
    return files;
}

static void remove_file(struct mcp_file *file)
{
    if (file->path) {
        unlink(file->path);
    }
    free(file->path);
    free(file->label);
}

void mcp_files_destroy(struct mcp_files *files)
{
    for (size_t i = 0; i < MAX_FILES; i++) {
        remove_file(&files->newest[i]);
    }
    if (files->directory) {
        rmdir(files->directory);
    }
    free(files->directory);
    pthread_mutex_destroy(&files->mutex);
    free(files);
}

/* Returns a new name in the directory, which is created for the first file. */
static char *new_path(struct mcp_files *files, const char *label, const char *extension,
                      struct br_error *err)
{
    if (!files->directory) {
        const char *place = getenv("TMPDIR");
        char *name = xasprintf("%s/browser-runner-mcp-XXXXXX", place && *place ? place : "/tmp");
        if (!mkdtemp(name)) {
            error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot create %s", name);
            free(name);
            return NULL;
        }
        files->directory = name;
    }
    char *path = xasprintf("%s/%zu.%s", files->directory, files->count + 1, extension);
    struct mcp_file *file = &files->newest[files->count++ % MAX_FILES];
    remove_file(file);
    *file = (struct mcp_file){ .path = xstrdup(path), .label = xstrdup(label) };
    return path;
}

char *mcp_files_last(struct mcp_files *files, const char *label)
{
    char *path = NULL;
    pthread_mutex_lock(&files->mutex);
    for (size_t i = files->count; !path && i > 0 && files->count - i < MAX_FILES; i--) {
        const struct mcp_file *file = &files->newest[(i - 1) % MAX_FILES];
        if (file->label && strcmp(file->label, label) == 0) {
            path = xstrdup(file->path);
        }
    }
    pthread_mutex_unlock(&files->mutex);
    return path;
}

char *mcp_files_add(struct mcp_files *files, const char *label, const char *extension,
                    const void *bytes, size_t size, struct br_error *err)
{
    pthread_mutex_lock(&files->mutex);
    char *path = new_path(files, label, extension, err);
    FILE *file = path ? fopen(path, "wxe") : NULL;
    bool is_written = file && fwrite(bytes, 1, size, file) == size;
    int failure = errno;
    if (file && fclose(file) != 0 && is_written) {
        failure = errno;
        is_written = false;
    }
    pthread_mutex_unlock(&files->mutex); /* mcp_files_last() finds whole files */
    if (path && !is_written) {
        error_set_errno(err, BR_UNKNOWN_ERROR, failure, "cannot write %s", path);
        free(path);
        return NULL;
    }
    return path;
}

void mcp_call_init(struct mcp_call *call)
{
    call->text = (struct strbuf)STRBUF_INIT(STRBUF_UNCAPPED);
    call->blocks = json_array();
    call->deadline = deadline_in_ms(MCP_CALL_MS);
    call->max_length = MCP_TEXT;
}

void mcp_call_finish(struct mcp_call *call)
{
    strbuf_finish(&call->text);
    json_decref(call->blocks);
}

/* One exchange with the daemon. */
struct asking {
    struct mcp_call *call;
    json_t *response; /* owned */
};

static bool on_line(void *data, json_t *line, const char *text, struct br_error *err)
{
    (void)text;
    (void)err;
    struct asking *asking = data;
    const char *kind = json_member_string(line, "kind");
    if (!asking->response && (!kind || strcmp(kind, "response") == 0)) {
        asking->response = json_incref(line);
    }
    return true;
}

static bool on_cancel(void *data)
{
    (void)data;
    return false; /* the descriptor remains readable */
}

static bool exchange(struct asking *asking, json_t *request, struct local_client **ret_open,
                     struct br_error *err)
{
    struct mcp_call *call = asking->call;
    const struct local_exchange exchange = {
        .start = call->opens ? LOCAL_START : LOCAL_NO_START,
        .timeout_ms = deadline_left_ms(call->deadline) + CANCEL_MS,
        .cancel_fd = call->cancel_fd,
        .data = asking,
        .on_line = on_line,
        .on_cancel = on_cancel,
        .ret_open = ret_open,
    };
    if (call->opens) {
        json_object_update(request, (json_t *)call->settings);
    }
    json_object_set_new(request, "opens", json_boolean(call->opens));
    bool is_done = local_ask(&exchange, request, err);
    /* A mistake in an action is in its response: this one is about the session. */
    if (!is_done && !call->opens &&
        (err->code == BR_INVALID_ACTION || err->code == BR_DISCONNECTED)) {
        error_hint(err, "browser_open opens a page");
    }
    return is_done;
}

struct local_client *mcp_keep_session(struct mcp_call *call, struct br_error *err)
{
    struct asking asking = { .call = call };
    struct local_client *client = NULL;
    json_t *request = local_request("keep", call->session);
    json_object_set_new(request, "blank", json_true());
    return exchange(&asking, request, &client, err) ? client : NULL;
}

bool mcp_stop_session(struct mcp_call *call, struct br_error *err)
{
    struct asking asking = { .call = call };
    return exchange(&asking, local_request("stop", call->session), NULL, err);
}

json_t *mcp_ask(struct mcp_call *call, const json_t *instruction, struct br_error *err)
{
    struct asking asking = { .call = call };
    CLEANUP_FREE char *text = json_dumps(instruction, JSON_COMPACT);
    const char *type = json_member_string(instruction, "type");
    const struct action_type *kind = type ? action_type_find(type) : NULL;
    int64_t left_ms = deadline_left_ms(call->deadline);
    if (left_ms == 0) {
        error_set(err, BR_TIMEOUT, "the %d s of this call are over, %s was not run",
                  MCP_CALL_MS / 1000, type);
        error_hint(err, "put what remains into another call");
        return NULL;
    }
    json_t *request = local_request("act", call->session);
    json_object_set_new(request, "instructions", json_text(text));
    json_object_set_new(request, "timeoutMs",
                        json_integer(left_ms < ACTION_MS ? left_ms : ACTION_MS));
    /* A session that was just opened is busy until its browser has started. */
    int64_t begin_ms = call->opens || left_ms < BEGIN_MS ? left_ms : BEGIN_MS;
    json_object_set_new(request, "beginMs", json_integer(begin_ms));
    json_object_set_new(request, "peek", json_boolean(kind && kind->reads_journal));
    if (exchange(&asking, request, NULL, err) && !asking.response) {
        error_set(err, BR_DISCONNECTED, "the daemon of warm sessions ended before it answered");
    }
    return asking.response;
}

/* The saved pictures of a response. */
struct pictures {
    struct answer_picture items[MAX_PICTURES];
    char *paths[MAX_PICTURES];
    size_t count;
};

static void pictures_finish(struct pictures *pictures)
{
    for (size_t i = 0; i < pictures->count; i++) {
        free(pictures->paths[i]);
    }
}

/* Saves a picture, and adds its block if the answer has room for it. */
static void add_picture(struct mcp_call *call, struct pictures *pictures, const json_t *block,
                        const json_t *capture)
{
    struct br_error err;
    size_t size = 0;
    unsigned char *bytes = NULL;
    const json_t *source = json_object_get(block, "source");
    const char *media = json_member_string(source, "media_type");
    json_t *data = json_object_get(source, "data");
    size_t length = json_string_length(data);
    if (!media || !data || pictures->count == MAX_PICTURES) {
        return;
    }
    char *path =
        base64_decode(json_string_value(data), length, &bytes, &size, &err)
            ? mcp_files_add(call->files, call->session, strrchr(media, '/') + 1, bytes, size, &err)
            : NULL;
    free(bytes);
    if (!path) {
        mcp_add_error(call, &err);
        return;
    }
    pictures->paths[pictures->count] = path;
    pictures->items[pictures->count++] = (struct answer_picture){
        .path = path,
        .width = (int)json_member_number(capture, "width", 0),
        .height = (int)json_member_number(capture, "height", 0),
        .size = size,
    };
    const struct answer_picture *picture = &pictures->items[pictures->count - 1];
    if (call->picture_length + length > MCP_PICTURES || picture->width > MAX_SIDE ||
        picture->height > MAX_SIDE) {
        strbuf_add_format(&call->text, "%s is not shown: too large for an answer\n", path);
        return;
    }
    call->picture_length += length;
    json_array_append_new(call->blocks, json_pack("{s:s, s:O, s:s}", "type", "image", "data", data,
                                                  "mimeType", media));
}

bool mcp_add_response(struct mcp_call *call, const json_t *instruction, const json_t *response,
                      bool is_bare)
{
    size_t index;
    json_t *tile;
    CLEANUP(pictures_finish) struct pictures pictures = { .count = 0 };
    const json_t *blocks = json_object_get(response, "screenshots");
    const json_t *captures = json_object_get(response, "captures");
    add_picture(call, &pictures, json_object_get(blocks, "post"),
                json_object_get(captures, "post"));
    json_array_foreach (json_object_get(blocks, "tiles"), index, tile) {
        add_picture(call, &pictures, tile,
                    json_array_get(json_object_get(captures, "tiles"), index));
    }
    const struct answer_text options = {
        .instruction = instruction,
        .is_bare = is_bare,
        .is_brief = true,
        .pictures = pictures.items,
        .picture_count = pictures.count,
    };
    const char *type = json_member_string(instruction, "type");
    const struct action_type *kind = type ? action_type_find(type) : NULL;
    bool is_success = json_member_bool(response, "success", false);
    call->has_failed |= !is_success;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    answer_text_add(&options, response, &text);
    if (answer_text_is_bare(&options, response)) {
        answer_text_add_notes(&options, response, &text);
    }
    if (text.length == 0) {
        return is_success;
    }
    if (kind && kind->answers_raw) {
        strbuf_add(&call->text, text.data, text.length);
    } else {
        mask_credentials(&call->text, text.data);
    }
    return is_success;
}

bool mcp_add_error(struct mcp_call *call, const struct br_error *err)
{
    call->has_failed = true;
    call->code = err->code;
    strbuf_add_format(&call->text, "failed: %s %s\n", br_code_name(err->code), err->message);
    if (*err->hint) {
        strbuf_add_format(&call->text, "  hint: %s\n", err->hint);
    }
    return false;
}

char *mcp_look(void *call, json_t *action)
{
    struct br_error err;
    json_auto_t *response = mcp_ask(call, action, &err);
    json_decref(action);
    const char *text = json_member_string(json_object_get(response, "result"), "text");
    CLEANUP_STRBUF struct strbuf shown = STRBUF_INIT(STRBUF_UNCAPPED);
    mask_credentials(&shown, text ? text : "");
    return text ? xstrdup(shown.data ? shown.data : "") : NULL;
}

bool mcp_add_look(struct mcp_call *call)
{
    return local_client_look(mcp_look, call, &call->text);
}

/* Moves what the answer has no room for into a file, and links it. */
static void shorten(struct mcp_call *call)
{
    struct br_error err;
    struct strbuf *text = &call->text;
    size_t max =
        call->has_failed && call->max_length < MCP_ERROR_TEXT ? MCP_ERROR_TEXT : call->max_length;
    if (text->length <= max) {
        return;
    }
    size_t length = text->length;
    CLEANUP_FREE char *path = mcp_files_add(call->files, NULL, "txt", text->data, length, &err);
    strbuf_truncate(text, utf8_cut(text->data, max - NOTE));
    strbuf_add_format(text, "\n… %zu of %zu characters; ask for a part, for more by maxTokens%s%s",
                      text->length, length, path ? ", or read " : "", path ? path : "");
    if (path) {
        CLEANUP_FREE char *url = xasprintf("file://%s", path);
        json_array_append_new(call->blocks,
                              json_pack("{s:s, s:o, s:s, s:s, s:I}", "type", "resource_link", "uri",
                                        json_text(url), "name", "the whole answer", "mimeType",
                                        "text/plain", "size", (json_int_t)length));
    }
}

json_t *mcp_call_contents(struct mcp_call *call, const char *uri)
{
    json_t *block = json_array_get(call->blocks, 0);
    if (json_object_get(block, "blob")) {
        json_incref(block);
    } else {
        shorten(call);
        block = json_pack("{s:o, s:s}", "text", json_text(call->text.data ? call->text.data : ""),
                          "mimeType", call->media ? call->media : "text/plain");
    }
    json_object_set_new(block, "uri", json_text(uri));
    return json_pack("{s:[o]}", "contents", block);
}

json_t *mcp_call_result(struct mcp_call *call)
{
    shorten(call);
    while (call->text.length > 0 && call->text.data[call->text.length - 1] == '\n') {
        strbuf_truncate(&call->text, call->text.length - 1);
    }
    json_t *content = json_array();
    json_array_append_new(
        content, json_pack("{s:s, s:o}", "type", "text", "text", json_text(call->text.data)));
    json_array_extend(content, call->blocks);
    return json_pack("{s:o, s:b}", "content", content, "isError", call->has_failed);
}
