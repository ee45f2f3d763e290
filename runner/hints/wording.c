#include "runner/hints/wording.h"

#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/base/utf8.h"

#include <string.h>

static const char opens[] = "⟨";
static const char closes[] = "⟩";

/* For a command, a setting's name is its option; members of the C options may have another name. */
static const struct {
    const char *name, *member;
} settings[] = {
    { "allow", "policy.allow" },
    { "chrome", "chrome" },
    { "chrome-arg", "chrome_args" },
    { "connect", "connect" },
    { "debug-dir", "debug_dir" },
    { "deny", "policy.deny" },
    { "downloads", "downloads" },
    { "files", "policy.files" },
    { "headed", "headed" },
    { "no-eval", "policy.no_eval" },
    { "no-sandbox", "no_sandbox" },
    { "profile", "profile" },
    { "project", "project" },
    { "schemes", "policy.schemes" },
    { "temp-profile", "temp_profile" },
    { "viewport", "viewport_width" },
};

/*
 * Adds the wording for the setting that `text` begins with; returns its length, 0 if it is no
 * setting.
 */
static size_t add_setting(struct strbuf *out, enum br_wording wording, const char *text)
{
    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
        const char *name = text + sizeof(opens) - 1;
        size_t length = strlen(settings[i].name);
        if (strncmp(name, settings[i].name, length) != 0 ||
            strncmp(name + length, closes, sizeof(closes) - 1) != 0) {
            continue;
        }
        if (wording == BR_WORDING_COMMAND_LINE) {
            strbuf_add_format(out, "--%s", settings[i].name);
        } else {
            strbuf_add_format(out, "`%s`", settings[i].member);
        }
        return sizeof(opens) - 1 + length + sizeof(closes) - 1;
    }
    return 0;
}

/* Returns NULL if the text names no setting. Caller frees. */
static char *worded(enum br_wording wording, const char *text)
{
    CLEANUP_STRBUF struct strbuf out = STRBUF_INIT(STRBUF_UNCAPPED);
    bool has_found = false;
    const char *at = text;
    for (const char *next; (next = strstr(at, opens));) {
        strbuf_add(&out, at, (size_t)(next - at));
        size_t taken = add_setting(&out, wording, next);
        has_found |= taken > 0;
        at = next + taken;
        if (taken == 0) {
            strbuf_add(&out, opens, sizeof(opens) - 1);
            at = next + sizeof(opens) - 1;
        }
    }
    strbuf_add(&out, at, strlen(at));
    return has_found ? strbuf_take(&out) : NULL;
}

static void word_fixed(enum br_wording wording, char *text, size_t size)
{
    CLEANUP_FREE char *shown = worded(wording, text);
    if (shown) {
        size_t length = strlen(shown);
        length = length < size ? length : utf8_cut(shown, size - 1);
        memcpy(text, shown, length);
        text[length] = '\0';
    }
}

void wording_error(enum br_wording wording, struct br_error *err)
{
    word_fixed(wording, err->message, sizeof(err->message));
    word_fixed(wording, err->hint, sizeof(err->hint));
}

void wording_text(enum br_wording wording, char **text)
{
    char *shown = *text ? worded(wording, *text) : NULL;
    if (shown) {
        free(*text);
        *text = shown;
    }
}

void wording_log(enum br_wording wording, struct br_log *log)
{
    if (log->source == BR_SOURCE_TOOL) {
        wording_text(wording, &log->message);
    }
    wording_text(wording, &log->hint);
}

void wording_event(enum br_wording wording, struct br_event *event)
{
    switch (event->kind) {
    case BR_EVENT_CONSOLE:
    case BR_EVENT_EXCEPTION:
    case BR_EVENT_LOG:
        wording_log(wording, &event->as.log);
        break;
    case BR_EVENT_REQUEST:
    case BR_EVENT_NETWORK:
        wording_text(wording, &event->as.network.event.error);
        break;
    case BR_EVENT_PAGE:
        wording_text(wording, &event->as.page.reason);
        break;
    case BR_EVENT_ACTION:
        wording_text(wording, &event->as.action.error);
        break;
    case BR_EVENT_PROGRESS:
        wording_text(wording, &event->as.progress.text);
        break;
    default:
        break;
    }
}
