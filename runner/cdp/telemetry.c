#include "runner/cdp/telemetry.h"

#include <string.h>

static const char begin[] = "{\"method\":\"";

enum telemetry telemetry_of(const char *text, size_t length)
{
    /* The first entry that is a prefix of the method applies. */
    static const struct {
        const char *method;
        enum telemetry kind;
    } table[] = {
        { "Runtime.consoleAPICalled\"", TELEMETRY_SAYING },
        { "Runtime.exceptionThrown\"", TELEMETRY_SAYING },
        { "Log.", TELEMETRY_SAYING },
        { "Audits.", TELEMETRY_SAYING },
        { "Network.webSocketFrameReceived\"", TELEMETRY_USELESS },
        { "Network.webSocketFrameSent\"", TELEMETRY_USELESS },
        { "Network.eventSourceMessageReceived\"", TELEMETRY_USELESS },
        { "Network.", TELEMETRY_CUT },
        { "Page.javascriptDialogOpening\"", TELEMETRY_CUT },
        { "Page.javascriptDialogClosed\"", TELEMETRY_CUT },
        { "Page.windowOpen\"", TELEMETRY_CUT },
        { "Page.downloadWillBegin\"", TELEMETRY_CUT },
        { "Page.frameRequestedNavigation\"", TELEMETRY_CUT },
        { "Page.frameStartedNavigating\"", TELEMETRY_CUT },
        { "Browser.downloadWillBegin\"", TELEMETRY_CUT },
    };
    size_t skip = sizeof(begin) - 1;
    if (length < skip || memcmp(text, begin, skip) != 0) {
        return TELEMETRY_NONE;
    }
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        size_t method_length = strlen(table[i].method);
        if (length - skip >= method_length &&
            memcmp(text + skip, table[i].method, method_length) == 0) {
            return table[i].kind;
        }
    }
    return TELEMETRY_NONE;
}
