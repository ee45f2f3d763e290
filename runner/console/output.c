#include "runner/console/output.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/rfc3339.h"
#include "runner/base/unicode.h"
#include "runner/console/write.h"

#include <inttypes.h>

enum { INFO_BYTES = 100 }; /* shown of a name that an extension sends */

void console_output_init(struct console_output *output,
                         const struct console_output_options *options)
{
    *output = (struct console_output){ .options = *options, .text = STRBUF_INIT(STRBUF_UNCAPPED) };
}

void console_output_finish(struct console_output *output)
{
    strbuf_finish(&output->text);
}

void console_output_flush(struct console_output *output)
{
    if (output->text.length > 0) {
        output->options.on_text(output->options.data, output->text.data, output->is_urgent);
        strbuf_clear(&output->text);
        output->is_urgent = false;
    }
}

static void write_out(struct console_output *output, bool is_urgent)
{
    output->is_urgent |= is_urgent;
    if (output->text.length > output->options.max_held) {
        console_output_flush(output);
    }
}

/* Takes ownership of the members, before which kind, connection and time are written. */
static void write_json(struct console_output *output, const char *kind, uint64_t connection,
                       int64_t time_ms, json_t *members, bool is_urgent)
{
    char time[RFC3339_SIZE];
    rfc3339_format(time_ms, true, time);
    json_auto_t *line = json_pack("{s:s, s:I, s:s}", "kind", kind, "connection",
                                  (json_int_t)connection, "timestamp", time);
    json_object_update(line, members);
    json_decref(members);
    console_add_json_line(&output->text, line);
    write_out(output, is_urgent);
}

static void write_notice(struct console_output *output, const char *notice)
{
    console_add_notice(&output->text, &output->options.print, clock_wall_ms(), notice);
    write_out(output, true);
}

static void write_status_json(struct console_output *output, uint64_t connection,
                              const char *status, const char *reason, const json_t *info,
                              const json_t *source, uint64_t events)
{
    json_t *line = json_pack("{s:s, s:I}", "status", status, "events", (json_int_t)events);
    if (reason) {
        json_object_set_new(line, "reason", json_text(reason));
    }
    if (info) {
        json_object_set(line, "clientInfo", (json_t *)info);
    }
    if (source) {
        json_object_set(line, "source", (json_t *)source);
    }
    write_json(output, "console_connection", connection, clock_wall_ms(), line, true);
}

void console_output_status(struct console_output *output, uint64_t connection, const char *status,
                           const char *reason, const json_t *info, const json_t *source,
                           uint64_t events)
{
    if (output->options.is_json) {
        write_status_json(output, connection, status, reason, info, source, events);
        return;
    }
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    const char *browser = json_member_string(info, "browser");
    const char *version = json_member_string(info, "browserVersion");
    const char *extension = json_member_string(info, "extensionVersion");
    strbuf_add_format(&text, "connection %" PRIu64 " %s", connection, status);
    if (browser) {
        strbuf_add_format(&text, ": %.*s %.*s", INFO_BYTES, browser, INFO_BYTES,
                          version ? version : "");
    }
    if (extension) {
        strbuf_add_format(&text, "%s extension %.*s", browser ? "," : ":", INFO_BYTES, extension);
    }
    const char *url = json_member_string(source, "url");
    if (url && (browser || extension)) {
        strbuf_add_format(&text, ", %.*s", INFO_BYTES, url);
    }
    if (reason) {
        strbuf_add_format(&text, " (%.*s)", INFO_BYTES, reason);
    }
    write_notice(output, text.data);
}

void console_output_error(struct console_output *output, uint64_t connection, int64_t time_ms,
                          const char *code, const char *message)
{
    if (output->options.is_json) {
        json_t *line = json_object();
        json_object_set_new(line, "code", json_text(code ? code : "UNKNOWN"));
        json_object_set_new(line, "message", json_text(message ? message : ""));
        write_json(output, "console_error", connection, time_ms, line, true);
        return;
    }
    CLEANUP_FREE char *notice =
        xasprintf("connection %" PRIu64 ": error %.*s: %s", connection, INFO_BYTES,
                  code ? code : "without a code", message ? message : "");
    write_notice(output, notice);
}

void console_output_invalid(struct console_output *output, uint64_t connection, const char *field,
                            const char *why)
{
    if (output->options.is_json) {
        write_json(output, "console_invalid", connection, clock_wall_ms(),
                   json_pack("{s:s, s:s}", "field", field, "message", why), true);
        return;
    }
    CLEANUP_FREE char *notice = xasprintf("connection %" PRIu64 ": %s", connection, why);
    write_notice(output, notice);
}

void console_output_dropped(struct console_output *output, uint64_t connection,
                            const struct console_tab *tab, int max_rate)
{
    if (output->options.is_json) {
        write_json(output, "console_dropped", connection, clock_wall_ms(),
                   json_pack("{s:s, s:I, s:I}", "tabId", tab->id, "count", (json_int_t)tab->dropped,
                             "errors", (json_int_t)tab->dropped_errors),
                   true);
        return;
    }
    CLEANUP_FREE char *notice = xasprintf(
        "%zu messages of tab %s of connection %" PRIu64 " dropped, %zu of them warnings or "
        "errors: more than %d a second",
        tab->dropped, *tab->id ? tab->id : "-", connection, tab->dropped_errors, max_rate);
    write_notice(output, notice);
}

bool console_output_wants(const struct console_output *output, const struct console_event *event,
                          const struct console_effect *effect)
{
    const struct console_print *print = &output->options.print;
    return output->options.is_json ? (print->methods & 1U << event->method) != 0
                                   : console_print_wants(print, event, effect);
}

static void write_event_json(struct console_output *output, uint64_t connection,
                             const struct console_event *event, const struct console_effect *effect)
{
    static const struct console_style plain = { 0 };
    const struct console_print *print = &output->options.print;
    CLEANUP_STRBUF struct strbuf body = STRBUF_INIT(CONSOLE_EVENT_MAX);
    console_add_body(&body, &plain, event, effect);
    if (print->filter && !unicode_contains(body.data, print->filter)) {
        return;
    }
    json_t *line =
        json_pack("{s:s, s:i, s:o, s:o}", "level", console_level_name(effect->level), "groups",
                  (int)effect->groups, "text", json_text(effect->is_shown ? body.data : ""),
                  "source", console_source_json(event));
    json_t *payload = console_payload_json(event);
    json_object_update(line, payload);
    json_decref(payload);
    if (print->has_latency) {
        json_object_set_new(line, "latencyMs", json_integer(clock_wall_ms() - event->time_ms));
    }
    write_json(output, "console", connection, event->time_ms, line, effect->level >= LEVEL_WARN);
}

void console_output_event(struct console_output *output, uint64_t connection,
                          const struct console_event *event, const struct console_effect *effect)
{
    struct console_print *print = &output->options.print;
    if (event->method == CONSOLE_TABLE && output->options.columns) {
        print->style.columns = output->options.columns(output->options.data);
    }
    if (output->options.is_json) {
        write_event_json(output, connection, event, effect);
    } else if (console_add_event(&output->text, print, event, effect, clock_wall_ms())) {
        write_out(output, effect->level >= LEVEL_WARN);
    }
}
