/* Console events as lines for a person: "[12:34:56] [localhost:3000] warn: text". */
#ifndef RUNNER_SERVERS_CONSOLE_BRIDGE_PRINT_H
#define RUNNER_SERVERS_CONSOLE_BRIDGE_PRINT_H

#include "runner/servers/console_bridge/tab.h"
#include "runner/servers/console_bridge/text.h"

enum console_time { TIME_SHORT, TIME_ISO, TIME_NONE };
enum console_source { SOURCE_HOST, SOURCE_URL, SOURCE_TITLE, SOURCE_NONE };

struct console_print {
    struct console_style style;
    uint32_t methods;   /* those that are shown, a bit each; see console_methods_named() */
    const char *filter; /* what is shown has to have this text, in any case; NULL: anything */
    enum console_time time;
    enum console_source source;
    bool has_location, has_latency;
};

#define CONSOLE_PRINT_INIT                                                                         \
    {                                                                                              \
        .methods = UINT32_MAX                                                                      \
    }

enum { CONSOLE_EVENT_MAX = 256 * 1024 }; /* bytes of an event that are shown */

/* Whether the event is among those to be shown, but for the filter. */
bool console_print_wants(const struct console_print *print, const struct console_event *event,
                         const struct console_effect *effect);

/* What the event says, without a prefix, several lines perhaps; no line feed at its end. */
void console_add_body(struct strbuf *text, const struct console_style *style,
                      const struct console_event *event, const struct console_effect *effect);

/*
 * Adds the event's lines, each with its line feed; all but the first are indented, so that none of
 * them looks like another event. False, and nothing is added: the filter has left it out.
 */
bool console_add_event(struct strbuf *text, const struct console_print *print,
                       const struct console_event *event, const struct console_effect *effect,
                       int64_t now_ms);

/* Adds a line of our own: "[12:34:56] connected: …". The text is made harmless. */
void console_add_notice(struct strbuf *text, const struct console_print *print, int64_t time_ms,
                        const char *notice);

/* "localhost:3000"; "file:", the URL itself, or "tab 3" where there is no host. Caller frees. */
char *console_host(const struct console_event *event);

#endif
