/* Keyboard input. */
#ifndef RUNNER_PAGE_ELEMENT_KEYBOARD_H
#define RUNNER_PAGE_ELEMENT_KEYBOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct br_error;
struct page;

/* A key of the US layout. Source: UI Events KeyboardEvent key and code values. */
struct key {
    char key[16];  /* KeyboardEvent.key */
    char code[16]; /* KeyboardEvent.code */
    int key_code;  /* Windows virtual key code, as required by the protocol */
    char text[4];  /* the text it types; "" for none */
    int modifiers; /* modifiers that it needs: the bit of Shift, or 0 */
};

enum { MAX_CHORD = 5 };

/* A chord such as Control+Shift+A: the keys in the order of being pressed. */
struct chord {
    struct key keys[MAX_CHORD];
    size_t count;
};

/*
 * Finds a key by its name or code, such as "Enter", "a", "KeyA" or "NumpadEnter"; false if there is
 * none.
 */
bool keyboard_find_key(const char *name, struct key *ret_key);

/* Finds the key that types an ASCII character; false if there is none. */
bool keyboard_find_character(char character, struct key *ret_key);

enum { MAX_FLIGHT = 16 };

/* Events that were sent and not acknowledged yet. */
struct flight {
    int64_t ids[MAX_FLIGHT];
    size_t count;
    size_t landed; /* events that were acknowledged */
};

/*
 * Sends the events of one key or chord at once; false if an earlier event, which had to be
 * acknowledged first, failed.
 */
bool keyboard_send(struct page *page, struct flight *flight, const struct chord *chord,
                   struct br_error *err);

/* Waits until all events were handled. */
bool keyboard_land(struct page *page, struct flight *flight, struct br_error *err);

/* Presses a key such as "Enter" or "Control+Shift+ArrowLeft". INVALID_ACTION if it is unknown. */
bool page_press(struct page *page, const char *keys, struct br_error *err);

/* Returns whether page_press() knows the keys. */
bool page_key_is_known(const char *keys);

/*
 * Guesses the intended keys of an unknown text: "Ctrl-PgDn" is Control+PageDown. NULL: unknown.
 * Caller frees.
 */
char *page_keys_meant(const char *keys);

#endif
