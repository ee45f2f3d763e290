#include "runner/actions/journal_answer.h"

#include "runner/base/error.h"
#include "runner/base/response.h"

#include <string.h>

/* Approximate limit of the entries in one response; the rest follows by the next cursor. */
enum { MAX_ANSWER_BYTES = 256 * 1024 };

bool journal_takes(const struct br_action *action, const char *name, const char *text)
{
    size_t index;
    json_t *item;
    const json_t *wanted = json_object_get(action->params, name);
    json_array_foreach (wanted, index, item) {
        if (text && strcmp(json_string_value(item), text) == 0) {
            return true;
        }
    }
    return !wanted;
}

bool journal_contains(const struct br_action *action, const char *const *texts, size_t count)
{
    const char *wanted = param_text(action, "contains", NULL);
    for (size_t i = 0; wanted && i < count; i++) {
        if (texts[i] && strcasestr(texts[i], wanted)) {
            return true;
        }
    }
    return !wanted;
}

/* Chooses as many as fit into the response: the first ones, or the newest. */
static void fit(struct journal_view *view, bool is_newest, size_t *ret_first, size_t *ret_end)
{
    size_t bytes = 0;
    size_t kept = 0;
    while (kept < view->count) {
        bytes += event_size(view->events[is_newest ? view->count - 1 - kept : kept]);
        if (kept > 0 && bytes > MAX_ANSWER_BYTES) {
            break;
        }
        kept++;
    }
    if (kept < view->count) {
        view->has_more = true;
        view->next = is_newest ? view->next : view->events[kept - 1]->sequence;
    }
    *ret_first = is_newest ? view->count - kept : 0;
    *ret_end = *ret_first + kept;
}

bool journal_answer(struct action_run *run, const char *name,
                    bool (*is_wanted)(const void *action, const struct br_event *event),
                    json_t *(*write)(const struct br_event *event), struct br_error *err)
{
    const struct br_action *action = run->action;
    bool is_newest = !param_is_given(action, "since");
    CLEANUP_JOURNAL_VIEW struct journal_view view = journal_read(
        run->journal, (uint64_t)param_integer(action, "since", 0),
        (size_t)param_integer(action, "limit", JOURNAL_LIMIT), is_newest, is_wanted, action);
    size_t first = 0;
    size_t end = 0;
    fit(&view, is_newest, &first, &end);
    json_t *entries = json_array();
    for (size_t i = first; i < end; i++) {
        json_array_append_new(entries, write(view.events[i]));
    }
    json_t *answer =
        json_pack("{s:o, s:I, s:o*, s:o*}", name, entries, "next", (json_int_t)view.next, "lost",
                  view.lost ? json_integer((json_int_t)view.lost) : NULL, "more",
                  view.has_more ? json_true() : NULL);
    response_set_result(run->response, answer);
    return answer ||
           error_set(err, BR_UNKNOWN_ERROR, "the journal's entries cannot be written as JSON");
}
