/* What the page is made to believe. */
#ifndef RUNNER_PAGE_WORLD_SETTINGS_H
#define RUNNER_PAGE_WORLD_SETTINGS_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;

/* Tells a process that joins the page, a frame's or a worker's. Without waiting. */
void settings_tell(struct page *page, const char *session_id);

/*
 * Tells Chrome, in a session to the page's tab, of the size and the touch screen: once more where a
 * capture may have changed them.
 */
bool settings_restore_screen(struct page *page, const char *session_id, struct br_error *err);

/* The width and height of the viewport, CSS pixels. */
void page_viewport(const struct page *page, double *ret_width, double *ret_height);

/*
 * What the page is made to believe of its device and its surroundings, by name: viewport, touch,
 * userAgent, locale, timezone, geolocation, media, colorScheme, reducedMotion, network, offline,
 * cpuThrottle, headers (object of texts), credentials {username, password, origin}, route (array of
 * {url, method, resourceTypes, action, status, headers, contentType, base64}); and dialog: {accept,
 * promptText}, how the dialogs to come are answered. The value was checked. A preset's userAgent is
 * {text, platform, metadata}, its text with "${major}" for the browser's version. INVALID_ACTION
 * for what Chrome refuses, such as an unknown time zone.
 */
bool page_set(struct page *page, const char *name, json_t *value, struct br_error *err);

/*
 * All of an object's members that are settings, in the order in which they have to be set, and at
 * once: those behind one that Chrome refuses hold, too. The first that is refused is the error.
 */
bool page_set_all(struct page *page, const json_t *settings, struct br_error *err);

/* All settings of a page that this one takes the place of. */
void page_set_again(struct page *page, const json_t *settings);

#endif
