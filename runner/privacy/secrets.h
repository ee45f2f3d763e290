/*
 * Texts that nobody is to read, such as what was typed into a field for a password. They are found
 * as they are, percent-encoded, as in forms, JSON and HTML, in base64, and numbers with spaces or
 * hyphens between their digits; also one of these inside of another. Shorter ones than four bytes
 * are found as whole words only.
 */
#ifndef RUNNER_PRIVACY_SECRETS_H
#define RUNNER_PRIVACY_SECRETS_H

struct secrets;

struct secrets *secrets_create(void);
void secrets_destroy(struct secrets *secrets); /* NULL is fine */

/* From now on `shown` stands in the place of the text; NULL: mask_text. An empty text is none. */
void secrets_add(struct secrets *secrets, const char *text, const char *shown);

/*
 * The same for what was typed. A single character says nothing, so it is no secret; but those that
 * are typed one after the other, as into the boxes of a one-time code, are one together. Until
 * secrets_age() was called twice, words that are the front of it are hidden, too, since pages tell
 * of each key.
 */
void secrets_add_typed(struct secrets *secrets, const char *text);
void secrets_age(struct secrets *secrets);

/* The text as it may be shown; NULL when there is nothing in it to hide. Caller frees. */
char *secrets_mask(const struct secrets *secrets, const char *text);

/* The same in place, for a text that the caller owns; NULL stays NULL. */
void secrets_mask_owned(const struct secrets *secrets, char **text);

#endif
