/*
 * What nobody is to read, told by its name: passwords in URLs, parameters and members such as
 * "token" or "X-Api-Key". What is told by its text is in secrets.h.
 */
#ifndef RUNNER_PRIVACY_MASK_H
#define RUNNER_PRIVACY_MASK_H

#include "runner/base/strbuf.h"

/* What stands in the place of all that is secret. */
extern const char mask_text[];

/* "password", "X-Api-Key", "access_token", "user[password]", "clientSecret", in any case. */
bool mask_is_secret_name(const char *name);

/*
 * Adds the text with the secrets masked of all URLs in it; is_url: it is one from its first to its
 * last byte, of any scheme and with any white space.
 */
void mask_urls(struct strbuf *out, const char *text, bool is_url);

/* The text as mask_urls() shows it; caller frees. NULL stays NULL. */
char *mask_urls_copy(const char *text, bool is_url);

/* The same in place, for a text that the caller owns. */
void mask_urls_owned(char **text, bool is_url);

/*
 * Adds what a request has sent with the values of secret names masked: fields of a form, members of
 * JSON, parts of a multipart message, whichever it looks like. It may have been cut anywhere.
 */
void mask_posted(struct strbuf *out, const char *text);

#endif
