/* The keys of the keyboard. */
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
    int key_code;  /* the virtual key code of Windows, as the protocol wants it */
    char text[4];  /* what it types; "" for none */
    int modifiers; /* that it needs: the bit of Shift, or 0 */
};

enum { MAX_CHORD = 5 };

/* A chord such as Control+Shift+A: the keys in the order in which they go down. */
struct chord {
    struct key keys[MAX_CHORD];
    size_t count;
};

/* By its name or its code, as in "Enter", "a", "KeyA" or "NumpadEnter"; false when there is none.
 */
bool keyboard_find_key(const char *name, struct key *ret_key);

/* The key that types an ASCII character; false for one that no key types. */
bool keyboard_find_character(char character, struct key *ret_key);

enum { MAX_FLIGHT = 16 };

/* Events that are on their way. */
struct flight {
    int64_t ids[MAX_FLIGHT];
    size_t count;
};

/* Sends the events of one key or chord at once; false when what had to land before it failed. */
bool keyboard_send(struct page *page, struct flight *flight, const struct chord *chord,
                   struct br_error *err);

/* Waits until all have been handled. */
bool keyboard_land(struct page *page, struct flight *flight, struct br_error *err);

/* Presses a key such as "Enter" or "Control+Shift+ArrowLeft". INVALID_ACTION if there is none. */
bool page_press(struct page *page, const char *keys, struct br_error *err);

/* Whether page_press() knows the keys. */
bool page_key_is_known(const char *keys);

/* Those that it knows, and that unknown ones were meant as: "Ctrl-PgDn" is Control+PageDown. NULL:
 * none. Caller frees. */
char *page_keys_meant(const char *keys);

#endif
