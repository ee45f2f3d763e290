/*
 * A browser that never was: a thread which plays a transcript to whoever connects, over the
 * debugging pipe or as a WebSocket server.
 *
 * A transcript is one JSON object a line, a file of fixtures/cdp/ or text. Its steps:
 *
 *   {"expect":"Page.navigate"}  the next command; with "session" and "params" (those named must be
 *                               equal), and "as":"name" to reply to it later by {"to":"name"}
 *   {"reply":{…}}               to the command expected last; "sessionId" is added
 *   {"error":{"code":…}}        the same, a refusal
 *   {"event":{"method":…}}      as it stands
 *   {"text":"…"}                a message of any text
 *   {"raw":"…"}                 bytes as they are: no NUL, no frame
 *   {"hex":"8802 03e8"}         the same, in hexadecimal
 *   {"batch":[step,…]}          what these send goes out in one write
 *   {"serve":"Method"}          with "reply" or "error", or "ignore":true: from now on such
 * commands are answered so whenever they come; "*" stands for all others
 *   {"split":7}                 cut what is sent from now on; with "lockstep":true each piece is
 *                               read before the next is written (fake_peer.h)
 *   {"delay":50}                milliseconds
 *   {"mark":"name"}             fake_browser_await() returns
 *   {"wait":"name"}             for fake_browser_signal(); nothing is read or written meanwhile
 *   {"until":"name"}            answers by the rules of "serve" until the signal
 *   {"close":true}              ends the connection; the next step that needs one takes the next
 *   {"accept":true}             takes it now
 *   {"http":{"status":…}}       answers the next connection so, instead of serving it; with "body",
 *                               "headers" and "wait"
 *   {"note":"…"}                nothing
 *
 * "repeat":n on a step that sends plays it n times; with "until":"name" again and again until the
 * signal. Inside what is sent the string "$n" becomes the number of the repetition,
 * "$params.name" a parameter of the command that is answered, "$bytes:n" n times the letter A.
 * At the end of the transcript the rules of "serve" hold until the other side closes; what no rule
 * stands for is a failure.
 *
 * As a server it behaves as Chrome does: /json/version names the WebSocket, a Host header that is
 * no address gets 500, an Origin header 403, another path 404.
 */
#ifndef TESTS_INTEGRATION_FAKE_BROWSER_H
#define TESTS_INTEGRATION_FAKE_BROWSER_H

#include "runner/cdp/transport.h"

enum fake_mode {
    FAKE_PIPE,
    FAKE_WEBSOCKET,
};

struct fake_browser;

/* Starts the thread. `transcript` is a file's name in fixtures/cdp/, or text that begins with {. */
struct fake_browser *fake_browser_start(enum fake_mode mode, const char *transcript);

/* A connection to it; fails the test when there is none. */
struct transport *fake_browser_connect(struct fake_browser *fake, struct loop *loop);

/* The two ends of a new debugging pipe, for a test that makes its transport itself. */
void fake_browser_open_pipe(struct fake_browser *fake, int *ret_read_fd, int *ret_write_fd);

/* "http://127.0.0.1:port" of the WebSocket server. Borrowed. */
const char *fake_browser_url(const struct fake_browser *fake);

void fake_browser_signal(struct fake_browser *fake, const char *name);
void fake_browser_await(struct fake_browser *fake, const char *name);

/*
 * Waits for the end of the transcript and frees it. Fails the test when a step did not come about,
 * or a command came that nothing stands for. Close the connection before.
 */
void fake_browser_finish(struct fake_browser *fake);

#endif
