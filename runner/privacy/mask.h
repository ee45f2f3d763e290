/*
 * Masks secrets that are recognised by a name: passwords in URLs, parameters and members such as
 * "token" or "X-Api-Key"; or by their form. secrets.h masks those that are known.
 */
#ifndef RUNNER_PRIVACY_MASK_H
#define RUNNER_PRIVACY_MASK_H

#include "runner/base/strbuf.h"

/* The text that replaces every secret. */
extern const char mask_text[];

/* "password", "X-Api-Key", "access_token", "user[password]", "clientSecret", in any case. */
bool mask_is_secret_name(const char *name);

/*
 * Adds the text with the secrets of all URLs in it masked; is_url: the whole text is one URL, of
 * any scheme and with any white space.
 */
void mask_urls(struct strbuf *out, const char *text, bool is_url);

/* Returns the text masked as by mask_urls(); caller frees. NULL for NULL. */
char *mask_urls_copy(const char *text, bool is_url);

/* The same in place, for a text that the caller owns. */
void mask_urls_owned(char **text, bool is_url);

/*
 * Adds a request's posted data with the values of secret names masked: fields of a form, members of
 * JSON, or parts of a multipart message, by what it looks like. The data may be cut anywhere.
 */
void mask_posted(struct strbuf *out, const char *text);

/*
 * Adds the text with what looks like a secret masked: JSON Web Tokens, keys of well-known services
 * such as "ghp_…", and numbers of 4 to 8 digits in a line with words such as "verification code",
 * or alone in one of the two lines after it.
 */
void mask_credentials(struct strbuf *out, const char *text);

#endif
