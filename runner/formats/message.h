/*
 * Messages of model providers that come from outside, in any of their forms: texts, pictures and
 * responses of ours in them are found here, whatever the form, and one form made of another.
 */
#ifndef RUNNER_FORMATS_MESSAGE_H
#define RUNNER_FORMATS_MESSAGE_H

#include "runner/base/error.h"
#include "runner/formats/picture_slots.h"

enum message_form {
    MESSAGE_ANTHROPIC,
    MESSAGE_OPENAI,      /* chat completions */
    MESSAGE_OPENAI_TEXT, /* the same with one text as content, as DeepSeek has it */
    MESSAGE_GEMINI,
};

/*
 * Whether it is an object with a role or with Gemini's parts, or an answer to a call in OpenAI's
 * responses, and no line of `run`; and whether it is the last of these.
 */
bool message_is(const json_t *value);
bool message_is_output(const json_t *value);

/* False with INVALID_ACTION where its content is of no form. */
bool message_check(const json_t *message, struct br_error *err);

/* A text of a message that is the JSON of a response. */
struct message_text {
    json_t *holder;  /* the object that has the text as a member, borrowed */
    const char *key; /* of this member */
    json_t *response, *before;
};

/* What is in a message, also in results of tools that it holds. */
struct message_parts {
    struct message_text *texts;
    size_t text_count, text_capacity;
    /* Pictures, and what stands for pictures of a response; those behind its text belong to it. */
    struct picture_slots slots;
};

/* The caller finishes, and may change the responses and put other blocks into the slots. */
struct message_parts message_parts_list(json_t *message);
void message_parts_finish(struct message_parts *parts);

/* Writes the responses that changed back into the message; the others' texts stay as they were. */
void message_parts_write(const struct message_parts *parts);

/* Whether it is a picture in the form of any provider. */
bool message_is_picture(const json_t *block);

/* What stands for the picture, in the same form. Never NULL; caller decrefs. */
json_t *message_placeholder(const json_t *picture, const json_t *capture);

/*
 * The message in this form, itself if it has it already. NULL with INVALID_ACTION for what the
 * form has no place for; `provider` is named there. Caller decrefs.
 */
json_t *message_convert(json_t *message, enum message_form form, const char *provider,
                        struct br_error *err);

#define CLEANUP_MESSAGE_PARTS CLEANUP(message_parts_finish)

#endif
