#include "runner/formats/history.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/cli/command.h"
#include "runner/formats/message.h"
#include "runner/formats/network_filter.h"
#include "runner/formats/provider.h"
#include "runner/formats/response_json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool write_line(const json_t *root, struct br_error *err)
{
    size_t length = 0;
    CLEANUP_FREE char *line = json_line(root, &length);
    /*
     * Overwrites the terminator. Each line is written at once, so that a reader can follow
     * `convert`.
     */
    line[length] = '\n';
    if (fwrite(line, 1, length + 1, stdout) != length + 1 || fflush(stdout) != 0) {
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot write to stdout");
    }
    return true;
}

static bool read_input(struct history_reader *reader, struct br_error *err)
{
    char buffer[64 * 1024];
    for (;;) {
        ssize_t count = read(STDIN_FILENO, buffer, sizeof(buffer));
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return error_set_errno(err, BR_INVALID_ACTION, errno, "cannot read stdin");
        }
        if (count == 0) {
            return history_reader_end(reader, err);
        }
        if (!history_reader_feed(reader, buffer, (size_t)count, err)) {
            return false;
        }
    }
}

/* Models get only failed requests, unless another filter was given. */
static enum br_network_filter network_filter_of(const struct cli_options *options)
{
    return options->has_network_filter ? options->session.network_filter : BR_NETWORK_FAILED;
}

/* The state of `convert`. */
struct conversion {
    const struct cli_options *options;
    json_t *answers; /* array: answers to the calls of the present turn; NULL: none */
    size_t left_out; /* pictures that the provider does not receive */
    char *why;       /* the reason */
};

/* Writes the answers to a turn's calls when another entry follows. */
static bool write_answers(struct conversion *conversion, struct br_error *err)
{
    size_t index;
    json_t *message;
    json_auto_t *answers = TAKE(conversion->answers);
    json_array_foreach (answers, index, message) {
        if (!write_line(message, err)) {
            return false;
        }
    }
    return true;
}

static bool convert_call(struct conversion *conversion, const char *provider, json_t *entry,
                         struct br_error *err)
{
    json_auto_t *more = provider_call_answer(provider, entry, err);
    if (!more) {
        return false;
    }
    if (conversion->answers) {
        provider_join_answers(conversion->answers, more);
    } else {
        conversion->answers = json_incref(more);
    }
    return true;
}

static bool convert_entry(void *data, json_t *entry, struct br_error *err)
{
    struct conversion *conversion = data;
    const struct cli_options *options = conversion->options;
    const char *provider = options->provider ? options->provider : "anthropic";
    conversion->left_out += provider_left_out(provider, entry, &conversion->why);
    bool stays =
        message_is(entry) || (strcmp(provider, "none") == 0 && !options->has_network_filter);
    if (!stays) {
        network_filter_apply(entry, network_filter_of(options));
    }
    if (!message_is(entry) && json_member_string(entry, "callId") &&
        strcmp(provider, "none") != 0) {
        return convert_call(conversion, provider, entry, err);
    }
    json_auto_t *message = provider_message(provider, entry, err);
    return message && write_answers(conversion, err) && write_line(message, err);
}

static bool convert(struct cli_options *options, struct br_error *err)
{
    struct conversion conversion = { .options = options };
    CLEANUP_HISTORY_READER struct history_reader *reader =
        history_reader_create(convert_entry, &conversion);
    if (options->keep_images >= 0) {
        error_set(err, BR_INVALID_ACTION, "convert does not take --keep-images");
        return error_hint(err, "history clean --keep-images N | history convert");
    }
    bool is_read = read_input(reader, err);
    struct br_error ignored;
    CLEANUP_FREE char *why = conversion.why;
    if (conversion.left_out > 0) {
        cli_warn("%zu picture%s left out: %s", conversion.left_out,
                 conversion.left_out == 1 ? " was" : "s were", why);
    }
    return write_answers(&conversion, is_read ? err : &ignored) && is_read;
}

static bool gather_entry(void *data, json_t *entry, struct br_error *err)
{
    (void)err;
    json_array_append(data, entry);
    return true;
}

static bool clean(struct cli_options *options, struct br_error *err)
{
    size_t index;
    json_t *entry;
    json_auto_t *entries = json_array();
    CLEANUP_HISTORY_READER struct history_reader *reader =
        history_reader_create(gather_entry, entries);
    if (options->provider) {
        error_set(err, BR_INVALID_ACTION, "clean does not take --provider");
        return error_hint(err, "history clean | history convert --provider NAME");
    }
    if (!read_input(reader, err)) {
        return false;
    }
    history_clean(entries, options->keep_images >= 0 ? (size_t)options->keep_images : 1,
                  network_filter_of(options));
    json_array_foreach (entries, index, entry) {
        if (!write_line(entry, err)) {
            return false;
        }
    }
    return true;
}

static int run_history(struct cli_options *options)
{
    const char *verb = options->operands[0];
    struct br_error err = { 0 };
    bool is_done = false;
    if (strcmp(verb, "convert") == 0) {
        is_done = convert(options, &err);
    } else if (strcmp(verb, "clean") == 0) {
        is_done = clean(options, &err);
    } else {
        error_set(&err, BR_INVALID_ACTION, "history %s is unknown", verb);
        error_hint(&err, "usage: browser-runner history %s", command_history.operands);
    }
    if (!is_done) {
        cli_print_error(&err);
        return cli_exit_code(&err);
    }
    return EXIT_SUCCESS;
}

const struct command command_history = {
    .name = "history",
    .operands = "convert | clean",
    .summary = "Converts the output of run to messages for a model, and shortens them",
    .description =
        "Reads lines of run and messages of any provider, mixed, or a JSON array of them, from "
        "stdin, joins pictures that came in chunks, and writes one line of JSON for each response "
        "and message. convert writes each in the provider's format as soon as it was read: a "
        "response as a user message; a response with a callId as the answer to that call, and "
        "consecutive ones as the answers to the calls of one turn; a message with its texts, "
        "pictures and role, unchanged if it already has the format. Content that the format cannot "
        "express, such as tool calls of another provider, is an error. clean waits for the end of "
        "the input. In all responses but the last, also inside messages, it keeps only the tool's "
        "own logs, sets metrics to null, summarises requests except those that --network-filter "
        "selects, and replaces all but the newest pictures and results of snapshot by "
        "placeholders. The rest of a message is unchanged. At an invalid line both end with its "
        "number and exit code 2; clean has written nothing by then.",
    .examples =
        "  browser-runner run batch.xml | browser-runner history convert --provider openai\n"
        "  browser-runner history clean --keep-images 2 <answers.jsonl >history.jsonl\n",
    .words = "convert clean",
    .option_groups = OPTIONS_HISTORY,
    .min_operands = 1,
    .max_operands = 1,
    .run = run_history,
};
