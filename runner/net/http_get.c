#include "runner/net/http_get.h"

#include "runner/base/strbuf.h"
#include "runner/net/dial.h"

#include <sys/socket.h>

struct request {
    struct dial dial;
    struct strbuf answer; /* used on the loop thread until the dial has finished */
    bool is_chunked;      /* the answer marks its own end */
    bool may_break_off;   /* no bytes were left before the last read */
    size_t length_before; /* length of the answer before the last read */
};

/* Whether the other side has ended the connection and all its bytes have been read. */
static bool is_at_end(struct lws *wsi)
{
    char byte;
    return recv(lws_get_socket_fd(wsi), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/*
 * libwebsockets treats the end of the connection as the end of any answer without a length. If a
 * chunked answer ends when no bytes were left to read, its last chunk is missing.
 */
static int read_some(struct request *request, struct lws *wsi)
{
    char buf[LWS_PRE + 4096];
    char *at = buf + LWS_PRE;
    int size = sizeof(buf) - LWS_PRE;
    request->may_break_off = request->is_chunked && is_at_end(wsi);
    request->length_before = request->answer.length;
    return lws_http_client_read(wsi, &at, &size) < 0 ? -1 : 0;
}

static int take_some(struct request *request, const char *bytes, size_t length)
{
    strbuf_add(&request->answer, bytes, length);
    if (request->answer.overflowed) {
        dial_set(&request->dial, DIAL_FAILED, "its answer is too large");
        return -1;
    }
    return 0;
}

static void take_end(struct request *request)
{
    bool is_broken_off = request->may_break_off && request->answer.length == request->length_before;
    dial_set(&request->dial, is_broken_off ? DIAL_FAILED : DIAL_DONE, "the answer broke off");
}

static int take_status(struct request *request)
{
    struct dial *dial = &request->dial;
    dial_take_status(dial);
    request->is_chunked = lws_hdr_total_length(dial->wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0;
    if (dial->status != HTTP_STATUS_OK) {
        dial_set(dial, DIAL_FAILED, "refused");
        return -1;
    }
    return 0;
}

static int on_event(struct request *request, struct lws *wsi, enum lws_callback_reasons reason,
                    void *in, size_t length)
{
    struct dial *dial = &request->dial;
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
        return take_status(request);
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP:
        return read_some(request, wsi);
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ:
        return take_some(request, in, length);
    case LWS_CALLBACK_COMPLETED_CLIENT_HTTP:
        take_end(request);
        return 0;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        dial_set(dial, DIAL_FAILED, in);
        return 0;
    case LWS_CALLBACK_CLOSED_CLIENT_HTTP:
    case LWS_CALLBACK_WSI_DESTROY:
        dial->wsi = NULL;
        dial_set(dial, DIAL_FAILED, "the server closed the connection");
        return 0;
    default:
        return 0;
    }
}

static int on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t length)
{
    (void)user;
    struct dial *dial = wsi ? dial_of(wsi) : NULL;
    if (!dial) {
        return 0;
    }
    return on_event(lws_container_of(dial, struct request, dial), wsi, reason, in, length);
}

static const struct lws_protocols protocols[] = {
    { .name = "cdp-http", .callback = on_http, .rx_buffer_size = 4096 },
    { .name = NULL },
};

static void cut_on_loop(void *data)
{
    dial_cut(data);
}

char *http_get(struct loop *loop, const struct server_url *server, const struct server_kind *peer,
               size_t max_bytes, struct deadline deadline, struct br_error *err)
{
    struct request request = { .answer = STRBUF_INIT(max_bytes) };
    dial_init(&request.dial, loop, peer);
    bool is_done = dial_run(&request.dial, server, protocols, "GET", deadline, err);
    loop_call(loop, cut_on_loop, &request.dial);
    char *answer = is_done ? strbuf_take(&request.answer) : NULL;
    strbuf_finish(&request.answer);
    dial_finish(&request.dial);
    return answer;
}
