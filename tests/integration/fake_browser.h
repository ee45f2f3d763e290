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
 * commands are answered so whenever they come; "*" stands for all others. "session" and "params" as
 * above, "times":n only so often, and the newest rule that fits counts. "then":[step,…] is played
 * behind the answer. Browser.getVersion needs no rule: a browser that is silent for a while is
 * asked for it
 *   {"split":7}                 cut what is sent from now on; with "lockstep":true each piece is
 *                               read before the next is written (fake_peer.h)
 *   {"delay":50}                milliseconds
 *   {"mark":"name"}             fake_browser_await() returns
 *   {"knock":true}              waits until somebody asks for the next connection, and does not
 * take it
 *   {"wait":"name"}             for fake_browser_signal(); nothing is read or written meanwhile
 *   {"until":"name"}            answers by the rules of "serve" until the signal
 *   {"close":true}              ends the connection; the next step that needs one takes the next
 *   {"accept":true}             takes it now
 *   {"http":{"status":…}}       answers the next connection so, instead of serving it; with "body",
 *                               "headers", and "mark" and then "wait" before the answer
 *   {"reconnect":true}          when a connection has ended while the rules of "serve" hold, the
 *                               next one is taken, until fake_browser_finish()
 *   {"refuse":503}              then those who connect get this status, or with 0 no answer at all;
 *                               with "times"; false ends it
 *   {"silent":true}             reads on, but answers nothing more over this connection; with the
 *                               name of a session nothing of that one
 *   {"note":"…"}                nothing
 *
 * "repeat":n on a step that sends plays it n times; with "until":"name" again and again until the
 * signal. Inside what is sent these strings become something else: "$n" the number of the
 * repetition; "$bytes:n" n times the letter A; "$new:T" and "$last:T" the next number with a T in
 * front of it, and the last one again; of the command that is answered "$params.name" a parameter,
 * "$session" its session, "$frame" the target of that, and "$url" where Page.navigate has led it.
 * In what a step says of "params", a string "~part" stands for every string with that part.
 *
 * At the end of the transcript the rules of "serve" hold until the other side closes; what no rule
 * stands for is a failure.
 *
 * As a server it behaves as Chrome does: /json/version names the WebSocket, a Host header that is
 * no address gets 500, an Origin header 403, another path 404.
 */
#ifndef TESTS_INTEGRATION_FAKE_BROWSER_H
#define TESTS_INTEGRATION_FAKE_BROWSER_H

#include "runner/cdp/transport.h"

#include <jansson.h>

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

/* As a step of "mark", by a test that sees something come about itself. Any thread. */
void fake_browser_mark(struct fake_browser *fake, const char *name);

/*
 * Has the thread play these steps as soon as it serves by its rules, and waits until it has. False
 * when it does not come to that: fake_browser_finish() says why.
 */
bool fake_browser_play(struct fake_browser *fake, const char *steps);

/*
 * What came, in the order in which it came: commands, each with the number of its "connection"
 * (from 1), and "Fake.accepted", "Fake.refused" and "Fake.left" for who connected and went again.
 * `pattern` is a method, or an object such as {"method":…,"params":{…}} whose members have to fit.
 * The index of the first that fits from index `from` on, SIZE_MAX for none; and how many fit.
 */
size_t fake_browser_find(struct fake_browser *fake, const char *pattern, size_t from);
size_t fake_browser_count(struct fake_browser *fake, const char *pattern);

/* The one at this index, the caller's to decref and nobody's to change; NULL: so many did not come.
 */
json_t *fake_browser_command(struct fake_browser *fake, size_t index);

/*
 * Waits for the end of the transcript and frees it. Fails the test when a step did not come about,
 * or a command came that nothing stands for. Close the connection before.
 */
void fake_browser_finish(struct fake_browser *fake);

#endif
