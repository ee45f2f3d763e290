/*
 * A life of a browser: it may die and be started again, and each time is a life, counted as its
 * generation. Any thread.
 */
#ifndef RUNNER_CHROME_LIFE_H
#define RUNNER_CHROME_LIFE_H

#include "runner/cdp/connection.h"
#include "runner/cdp/targets.h"
#include "runner/chrome/process.h"

struct browser_life;

/*
 * Takes ownership of the connection and the process, NULL of somebody else's browser, and copies
 * the profile's directory, which may be NULL then, too. Held once.
 */
struct browser_life *browser_life_create(uint64_t generation, struct cdp_connection *connection,
                                         struct process *process, const char *profile);

/* One reference more. */
struct browser_life *browser_life_hold(struct browser_life *life);

/* Lets go of one. Its pages are closed before. NULL is fine. */
void browser_life_release(struct browser_life *life);

struct cdp_connection *browser_life_connection(const struct browser_life *life);

/* Whose its tabs are. */
struct targets *browser_life_targets(const struct browser_life *life);

/* Whether links to other programs open nothing and ask nobody; not so in somebody else's browser.
 */
bool browser_life_drops_externals(const struct browser_life *life);

/* Looks whether the browser's process lives. One that has ended is known to all by this. */
void browser_life_check(struct browser_life *life);

/* The process that was launched; 0: somebody else's browser. */
pid_t browser_life_pid(const struct browser_life *life);

/* Counts the lives of a browser from 1. */
uint64_t browser_life_generation(const struct browser_life *life);

/*
 * Whether the life has ended, or the error is its end. If so, *err becomes why: what Chrome said at
 * its end, and the cure.
 */
bool browser_life_explain(struct browser_life *life, struct br_error *err);

/* Whether commands can be sent to it yet. */
bool browser_life_is_open(const struct browser_life *life);

/* Asks a browser that was launched to write its profile and end, and waits for that. */
void browser_life_ask_to_end(struct browser_life *life, struct deadline end);

/* Nobody shall wait for it any more, and nothing of it run on. Lets go of one reference. */
void browser_life_end(struct browser_life *life);

#endif
