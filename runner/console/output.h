/* What a hub writes: consoles as lines of text for a person, or as lines of JSON. */
#ifndef RUNNER_CONSOLE_OUTPUT_H
#define RUNNER_CONSOLE_OUTPUT_H

#include "runner/console/print.h"

struct console_output_options {
    struct console_print print;
    bool is_json;    /* lines of JSON instead of text */
    size_t max_held; /* bytes of lines that may wait for console_output_flush(); 0: none */
    /* Receives lines with their line feeds, on the hub's thread; may block. Borrowed. */
    void (*on_text)(void *data, const char *text, bool is_urgent);
    /* Returns the terminal's present width, on the hub's thread. NULL: print.style.columns holds.
     */
    size_t (*columns)(void *data);
    void *data;
};

/* Connections are named by their numbers. Each function writes one line, an event several. */
struct console_output {
    struct console_output_options options;
    struct strbuf text; /* the lines that are held, or are being written */
    bool is_urgent;     /* one of them is */
};

void console_output_init(struct console_output *output,
                         const struct console_output_options *options);
void console_output_finish(struct console_output *output);

/* Hands over the lines that are held, if there are any. */
void console_output_flush(struct console_output *output);

/*
 * The connection's status: "connected", "gone" and the like. `reason` and `info` (clientInfo of the
 * protocol) and `source` may be NULL; `events`: how many events it has sent.
 */
void console_output_status(struct console_output *output, uint64_t connection, const char *status,
                           const char *reason, const json_t *info, const json_t *source,
                           uint64_t events);

/* An error that the extension has sent; both texts may be NULL. */
void console_output_error(struct console_output *output, uint64_t connection, int64_t time_ms,
                          const char *code, const char *message);

/* An invalid message of the extension. */
void console_output_invalid(struct console_output *output, uint64_t connection, const char *field,
                            const char *why);

/* The events of a tab that were dropped by the limit of `max_rate` a second. */
void console_output_dropped(struct console_output *output, uint64_t connection,
                            const struct console_tab *tab, int max_rate);

/* Whether events of this kind are written, apart from the filter. */
bool console_output_wants(const struct console_output *output, const struct console_event *event,
                          const struct console_effect *effect);

/* Writes the event, unless the filter excludes it. */
void console_output_event(struct console_output *output, uint64_t connection,
                          const struct console_event *event, const struct console_effect *effect);

#endif
