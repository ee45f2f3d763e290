/*
 * Messages of model providers from outside, in any of their formats: finds texts, pictures and our
 * responses in them, and converts one format to another.
 */
#ifndef RUNNER_FORMATS_MESSAGE_H
#define RUNNER_FORMATS_MESSAGE_H

#include "runner/base/error.h"
#include "runner/formats/picture_slots.h"

enum message_form {
    MESSAGE_ANTHROPIC,
    MESSAGE_OPENAI,      /* chat completions */
    MESSAGE_OPENAI_TEXT, /* the same with a single text as content, as DeepSeek requires */
    MESSAGE_GEMINI,
};

/*
 * Whether it is a message: an object with a role or with Gemini's parts, or an answer to a call of
 * OpenAI's responses, but not a line of `run`. The second: whether it is such an answer.
 */
bool message_is(const json_t *value);
bool message_is_output(const json_t *value);

/* Returns false with INVALID_ACTION if its content matches no format. */
bool message_check(const json_t *message, struct br_error *err);

/* A text of a message that is the JSON of a response. */
struct message_text {
    json_t *holder;  /* the object that has the text as a member, borrowed */
    const char *key; /* the member's name */
    json_t *response, *before;
};

/* The content of a message, including results of tools in it. */
struct message_parts {
    struct message_text *texts;
    size_t text_count, text_capacity;
    /* Pictures, and placeholders for pictures of a response; those after its text belong to it. */
    struct picture_slots slots;
};

/*
 * The caller finishes the result, and may change the responses and put other blocks into the slots.
 */
struct message_parts message_parts_list(json_t *message);
void message_parts_finish(struct message_parts *parts);

/* Writes changed responses back into the message; the texts of others are unchanged. */
void message_parts_write(const struct message_parts *parts);

/* Whether it is a picture in the format of any provider. */
bool message_is_picture(const json_t *block);

/* Returns a placeholder for the picture, in the same format. Never NULL; caller decrefs. */
json_t *message_placeholder(const json_t *picture, const json_t *capture);

/*
 * Returns the message in this format, or itself if it already has it. NULL with INVALID_ACTION,
 * which names `provider`, for content that the format cannot express. Caller decrefs.
 */
json_t *message_convert(json_t *message, enum message_form form, const char *provider,
                        struct br_error *err);

#define CLEANUP_MESSAGE_PARTS CLEANUP(message_parts_finish)

#endif
