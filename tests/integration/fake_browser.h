/*
 * A fake browser: a thread that plays a transcript to its clients, over the debugging pipe or as a
 * WebSocket server.
 *
 * A transcript has one JSON object per line; it is a file of fixtures/cdp/, or text. Its steps:
 *
 *   {"expect":"Page.navigate"}  waits for the next command; with "session" and "params" (the given
 *                               ones must be equal), and "as":"name" for a later {"to":"name"}
 *   {"reply":{…}}               to the command expected last; adds "sessionId"
 *   {"error":{"code":…}}        the same with an error
 *   {"event":{"method":…}}      sent unchanged
 *   {"text":"…"}                a message with any text
 *   {"raw":"…"}                 bytes without NUL or frame
 *   {"hex":"8802 03e8"}         the same in hexadecimal
 *   {"batch":[step,…]}          sends what these send in one write
 *   {"serve":"Method"}          a rule with "reply", "error" or "ignore":true for all such commands
 *                               from now on; "*" is for all others. "session" and "params" as
 *                               above; "times":n limits its use; the newest matching rule counts.
 *                               "then":[step,…] is played after the reply. Browser.getVersion needs
 *                               no rule, since a silent browser is probed with it
 *   {"split":7}                 splits data sent from now on; with "lockstep":true each piece must
 *                               be read before the next one is written (fake_peer.h)
 *   {"delay":50}                milliseconds
 *   {"mark":"name"}             fake_browser_await() returns
 *   {"knock":true}              waits for the next connection without accepting it
 *   {"wait":"name"}             for fake_browser_signal(); does not read or write meanwhile
 *   {"until":"name"}            serves by the rules until the signal
 *   {"close":true}              closes the connection; the next step that needs one accepts one
 *   {"accept":true}             accepts the next connection now
 *   {"http":{"status":…}}       answers the next connection this way instead of serving it; with
 *                               "body", "headers", and "mark" and "wait" before the answer
 *   {"reconnect":true}          accepts a new connection whenever one has ended during the rules of
 *                               "serve", until fake_browser_finish()
 *   {"refuse":503}              new connections get this status, or with 0 no answer; with "times";
 *                               false ends it
 *   {"silent":true}             reads, but does not reply any more over this connection; with a
 *                               session's name only in that session
 *   {"note":"…"}                nothing
 *
 * "repeat":n plays a sending step n times; with "until":"name" repeatedly until the signal. Strings
 * with a $ are replaced in what is sent: "$n" by the number of the repetition; "$bytes:n" by n
 * letters A; "$new:T" and "$last:T" by the next number with the prefix T, and by the last one; for
 * the command that is replied to, "$params.name" by a parameter, "$session" by its session,
 * "$frame" by the target of that, and "$url" by the URL that Page.navigate has set. In "params" of
 * a step, a string "~part" matches every string that contains the part.
 *
 * At the end of the transcript the rules of "serve" hold until the other side closes; a command
 * without a rule is a failure.
 *
 * The server behaves like Chrome: /json/version has the URL of the WebSocket, a Host header that is
 * not an address gets 500, an Origin header 403, another path 404.
 */
#ifndef TESTS_INTEGRATION_FAKE_BROWSER_H
#define TESTS_INTEGRATION_FAKE_BROWSER_H

#include "runner/net/transport.h"

#include <jansson.h>

enum fake_mode {
    FAKE_PIPE,
    FAKE_WEBSOCKET,
};

struct fake_browser;

/*
 * Starts the thread. `transcript` is the name of a file in fixtures/cdp/, or a text that begins
 * with {.
 */
struct fake_browser *fake_browser_start(enum fake_mode mode, const char *transcript);

/* Connects to it; fails the test on an error. */
struct transport *fake_browser_connect(struct fake_browser *fake, struct loop *loop);

/* Returns both ends of a new debugging pipe, for a test that makes its transport itself. */
void fake_browser_open_pipe(struct fake_browser *fake, int *ret_read_fd, int *ret_write_fd);

/* Returns "http://127.0.0.1:port" of the WebSocket server. Borrowed. */
const char *fake_browser_url(const struct fake_browser *fake);

void fake_browser_signal(struct fake_browser *fake, const char *name);
void fake_browser_await(struct fake_browser *fake, const char *name);

/* As a step of "mark", by a test that observes an event itself. Any thread. */
void fake_browser_mark(struct fake_browser *fake, const char *name);

/*
 * Makes the thread play these steps as soon as it serves by its rules, and waits until it has done
 * so. False if that never happens: fake_browser_finish() reports why.
 */
bool fake_browser_play(struct fake_browser *fake, const char *steps);

/*
 * Searches what arrived, in order: commands, each with the number of its "connection" (from 1), and
 * "Fake.accepted", "Fake.refused" and "Fake.left" for connections. `pattern` is a method, or an
 * object such as {"method":…,"params":{…}} whose members must match. Return the index of the first
 * match from index `from` on, SIZE_MAX for none; and the number of matches.
 */
size_t fake_browser_find(struct fake_browser *fake, const char *pattern, size_t from);
size_t fake_browser_count(struct fake_browser *fake, const char *pattern);

/*
 * Returns the entry at this index; the caller decrefs and must not change it; NULL beyond the last.
 */
json_t *fake_browser_command(struct fake_browser *fake, size_t index);

/*
 * Waits for the end of the transcript and frees it. Fails the test if a step did not occur, or a
 * command arrived without a rule. Close the connection before.
 */
void fake_browser_finish(struct fake_browser *fake);

#endif
