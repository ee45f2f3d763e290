/* The emulated device and environment of the page. */
#ifndef RUNNER_PAGE_WORLD_SETTINGS_H
#define RUNNER_PAGE_WORLD_SETTINGS_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;

/* Sends the settings to a process that joins the page, of a frame or a worker. Does not wait. */
void settings_tell(struct page *page, const char *session_id);

/*
 * Sends size and touch screen again in a session to the page's tab, after a capture may have
 * changed them.
 */
bool settings_restore_screen(struct page *page, const char *session_id, struct br_error *err);

/*
 * Sets an emulated property of the device or environment by name: viewport, touch, userAgent,
 * locale, timezone, geolocation, media, colorScheme, reducedMotion, network, offline, cpuThrottle,
 * headers (object of texts), credentials {username, password, origin}, route (array of {url,
 * method, resourceTypes, action, status, headers, contentType, base64}); and dialog: {accept,
 * promptText}, the answer to later dialogs. The value must be valid. A preset's userAgent is {text,
 * platform, metadata}, its text with "${major}" for the browser's version. The size of a mobile
 * viewport is that of the screen: the page may lay itself out larger, see wire_viewport().
 * INVALID_ACTION for values that Chrome refuses, such as an unknown time zone.
 */
bool page_set(struct page *page, const char *name, json_t *value, struct br_error *err);

/*
 * Sets all members of an object that are settings, in the required order and at once: those after a
 * refused one apply, too. The error is that of the first refused one.
 */
bool page_set_all(struct page *page, const json_t *settings, struct br_error *err);

/* Applies all settings of the page that this one replaces. */
void page_set_again(struct page *page, const json_t *settings);

#endif
