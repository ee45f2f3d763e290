/* Console events as lines for a person: "[12:34:56] [localhost:3000] warn: text". */
#ifndef RUNNER_CONSOLE_PRINT_H
#define RUNNER_CONSOLE_PRINT_H

#include "runner/console/tab.h"
#include "runner/console/text.h"

enum console_time { TIME_SHORT, TIME_ISO, TIME_NONE };
enum console_source { SOURCE_HOST, SOURCE_URL, SOURCE_TITLE, SOURCE_NONE };

struct console_print {
    struct console_style style;
    uint32_t methods;   /* shown ones, a bit each; see console_methods_named() */
    const char *filter; /* shows only events that contain this text, ignoring case; NULL: all */
    enum console_time time;
    enum console_source source;
    bool has_location, has_latency;
};

#define CONSOLE_PRINT_INIT                                                                         \
    {                                                                                              \
        .methods = UINT32_MAX                                                                      \
    }

enum { CONSOLE_EVENT_MAX = 256 * 1024 }; /* shown bytes of an event */

/* Whether the event is shown, apart from the filter. */
bool console_print_wants(const struct console_print *print, const struct console_event *event,
                         const struct console_effect *effect);

/* Adds the event without its prefix; may be several lines, the last one without a line feed. */
void console_add_body(struct strbuf *text, const struct console_style *style,
                      const struct console_event *event, const struct console_effect *effect);

/*
 * Adds the event's lines, each with its line feed. Indents all except the first, so that none looks
 * like another event. False: the filter excludes the event, nothing was added.
 */
bool console_add_event(struct strbuf *text, const struct console_print *print,
                       const struct console_event *event, const struct console_effect *effect,
                       int64_t now_ms);

/* Adds a line of this program: "[12:34:56] connected: …". Makes the text harmless. */
void console_add_notice(struct strbuf *text, const struct console_print *print, int64_t time_ms,
                        const char *notice);

/* "localhost:3000"; without a host "file:", the URL itself, or "tab 3". Caller frees. */
char *console_host(const struct console_event *event);

#endif
