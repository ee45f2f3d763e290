/*
 * A life of a browser: one start, or one connection, until it ends. A browser that died is started
 * again as a new life; lives are numbered by their generation. Functions may be called from any
 * thread.
 */
#ifndef RUNNER_CHROME_LIFE_H
#define RUNNER_CHROME_LIFE_H

#include "runner/cdp/connection.h"
#include "runner/cdp/targets.h"
#include "runner/chrome/process.h"

struct browser_life;

/*
 * Takes ownership of the connection and the process (NULL for a browser that was not launched
 * here). Copies the profile's directory, which may then be NULL, too. If more than 0, answer_ms is
 * the time after which a silent browser that answers no question has ended, although it was not
 * stopped. Returns one reference.
 */
struct browser_life *browser_life_create(uint64_t generation, struct cdp_connection *connection,
                                         struct process *process, const char *profile,
                                         int64_t answer_ms);

/* Adds a reference. */
struct browser_life *browser_life_hold(struct browser_life *life);

/* Releases a reference. Close the life's pages first. NULL is a no-op. */
void browser_life_release(struct browser_life *life);

struct cdp_connection *browser_life_connection(const struct browser_life *life);

/* Returns which page owns each of its tabs. */
struct targets *browser_life_targets(const struct browser_life *life);

/*
 * Returns whether links to other programs are ignored; false for a browser that was not launched
 * here.
 */
bool browser_life_drops_externals(const struct browser_life *life);

/*
 * Checks whether the browser's process is alive. If it has ended, the connection is marked as
 * closed for all users.
 */
void browser_life_check(struct browser_life *life);

/* Returns the launched process; 0: the browser was not launched here. */
pid_t browser_life_pid(const struct browser_life *life);

/*
 * Returns what the browser's process, and all processes that it has started, have had of the
 * processors until now; all zero if it was not launched here. Reads hundreds of small files.
 */
struct platform_work browser_life_work(const struct browser_life *life);

/* Returns for how long the browser has not sent anything since its start; 0: it has. */
int64_t browser_life_start_ms(const struct browser_life *life);

/* Returns the number of this life, counted from 1. */
uint64_t browser_life_generation(const struct browser_life *life);

/*
 * Returns whether the life has ended, or the error means its end. If so, *err becomes the reason:
 * Chrome's last output, and the cure.
 */
bool browser_life_explain(struct browser_life *life, struct br_error *err);

/* Returns whether commands can still be sent. */
bool browser_life_is_open(const struct browser_life *life);

/* Asks a launched browser to write its profile and end, and waits for that. */
void browser_life_ask_to_end(struct browser_life *life, struct deadline end);

/* Ends the life: wakes all waiting threads and kills the process. Releases one reference. */
void browser_life_end(struct browser_life *life);

/*
 * Fills *err with the reason why the ended process stopped: PROFILE_IN_USE or BROWSER_CRASHED, with
 * its last output and, if known, the cure. Always returns false.
 */
bool ending_explain(struct process *process, const char *profile, struct br_error *err);

#endif
