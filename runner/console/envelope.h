/* The envelope of console-bridge's messages, and the server's answers. */
#ifndef RUNNER_CONSOLE_ENVELOPE_H
#define RUNNER_CONSOLE_ENVELOPE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define CONSOLE_PROTOCOL "1.0.0"

enum envelope_type {
    ENVELOPE_CONSOLE_EVENT,
    ENVELOPE_CONNECTION_STATUS,
    ENVELOPE_ERROR,
    ENVELOPE_PING,
    ENVELOPE_PONG,
};

/* Borrowed from the message. */
struct envelope {
    enum envelope_type type;
    int64_t time_ms;                /* its timestamp */
    const json_t *source, *payload; /* source NULL: none */
};

enum envelope_verdict {
    ENVELOPE_FINE,
    ENVELOPE_INVALID,     /* see the fault */
    ENVELOPE_UNSUPPORTED, /* has another major version */
};

/* What is wrong with a message; static texts. why NULL: the field is missing. */
struct envelope_fault {
    const char *field, *why;
};

/*
 * Reads the members of the envelope. The timestamp is any date and time of ISO 8601; without a zone
 * it is UTC.
 */
enum envelope_verdict envelope_read(const json_t *message, struct envelope *ret_envelope,
                                    struct envelope_fault *ret_fault);

/* Writes a message; takes ownership of source (NULL: none) and payload. Caller frees. */
char *envelope_text(const char *type, int64_t time_ms, json_t *source, json_t *payload);

/* Messages to an extension. Callers free. */
char *envelope_connected(void);
char *envelope_ping(const char *id);
char *envelope_pong(const json_t *ping_payload);
char *envelope_unsupported(const json_t *message);

/* `received`: the message; NULL: it is not JSON, but `text`. Sends back at most 1 KB of either. */
char *envelope_invalid(const struct envelope_fault *fault, const json_t *received,
                       const char *text);
char *envelope_rate_limit(int max_rate, size_t dropped);

/* "Missing required field: type". Caller frees. */
char *envelope_fault_text(const struct envelope_fault *fault);

#endif
