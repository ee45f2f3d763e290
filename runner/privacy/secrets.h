/*
 * Texts to mask, such as those typed into a password field. They are found unencoded,
 * percent-encoded, as in forms, JSON and HTML, in base64, and numbers with spaces or hyphens
 * between their digits; also with two of these encodings nested. Texts shorter than four bytes
 * match only as whole words.
 */
#ifndef RUNNER_PRIVACY_SECRETS_H
#define RUNNER_PRIVACY_SECRETS_H

struct secrets;

struct secrets *secrets_create(void);
void secrets_destroy(struct secrets *secrets); /* NULL is fine */

/* Adds a text that `shown` replaces from now on; NULL: mask_text. An empty text is ignored. */
void secrets_add(struct secrets *secrets, const char *text, const char *shown);

/*
 * The same for typed text. A single character is not a secret, but characters typed one after the
 * other, as into the boxes of a one-time code, are one secret together. Until secrets_age() was
 * called twice, words that are a prefix of it are masked too, because pages may report each key.
 */
void secrets_add_typed(struct secrets *secrets, const char *text);
void secrets_age(struct secrets *secrets);

/* Returns the masked text; NULL if nothing has to be masked. Caller frees. */
char *secrets_mask(const struct secrets *secrets, const char *text);

/* Masks a text that the caller owns in place; NULL stays NULL. */
void secrets_mask_owned(const struct secrets *secrets, char **text);

#endif
