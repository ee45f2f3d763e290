#include "tests/e2e/elements_rig.h"

#include "tests/integration/fake_words.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/cdp/client.h"
#include "runner/chrome/browser.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/library.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/page.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int elements_rig_open(void **state)
{
    struct br_error err;
    struct elements_rig *rig = xcalloc(1, sizeof(*rig));
    struct br_browser_options options = BR_BROWSER_OPTIONS_INIT;
    options.temp_profile = true;
    options.no_sandbox = true;
    rig->browser = br_browser_open(&options, &err);
    assert_non_null(rig->browser);
    rig->life = browser_ensure(rig->browser, 0, NULL, deadline_in_ms(ELEMENTS_ANSWER_MS), &err);
    assert_non_null(rig->life);
    struct page_options page_options = {
        .viewport_width = 800,
        .viewport_height = 600,
        .device_pixel_ratio = 1,
        .targets = browser_life_targets(rig->life),
    };
    rig->page = page_create(browser_life_connection(rig->life), &page_options);
    if (!page_open(rig->page, deadline_in_ms(ELEMENTS_ANSWER_MS), &err)) {
        fail_msg("%s", err.message);
    }
    *state = rig;
    return 0;
}

int elements_rig_close(void **state)
{
    struct elements_rig *rig = *state;
    page_close(rig->page);
    browser_life_release(rig->life);
    br_browser_close(rig->browser);
    free(rig);
    return 0;
}

json_t *elements_parse(const char *text)
{
    struct br_error err;
    CLEANUP_FREE char *json = xstrdup(text);
    for (char *at = json; (at = strchr(at, '\'')); at++) {
        *at = '"';
    }
    json_t *value = json_parse(json, strlen(json), "a text of the test", &err);
    if (!value) {
        fail_msg("%s: %s", err.message, text);
    }
    return value;
}

void elements_evaluate(struct page *page, const char *expression)
{
    struct br_error err;
    json_auto_t *reply = NULL;
    json_t *params =
        json_pack("{s:s, s:b, s:b}", "expression", expression, "awaitPromise", 1, "userGesture", 1);
    if (!page_command(page, "Runtime.evaluate", params, &reply, &err) ||
        json_object_get(reply, "exceptionDetails")) {
        CLEANUP_FREE char *said = json_dumps(reply, JSON_COMPACT);
        fail_msg("%s: %s", expression, said ? said : err.message);
    }
}

void elements_show(struct page *page, const char *html)
{
    json_auto_t *text = json_string(html);
    CLEANUP_FREE char *quoted = json_dumps(text, JSON_ENCODE_ANY);
    CLEANUP_FREE char *expression =
        xasprintf("scrollTo(0, 0); document.body.style.margin = 0;"
                  "document.body.setHTMLUnsafe(%s); new Promise(requestAnimationFrame)",
                  quoted);
    elements_evaluate(page, expression);
}

static json_t *answer_of(const struct br_error *err)
{
    return json_pack("{s:s, s:s, s:s}", "code", br_code_name(err->code), "message", err->message,
                     "hint", err->hint);
}

static json_t *given_object(struct page *page, const char *selector)
{
    struct br_error err;
    CLEANUP_FREE char *object_id = NULL;
    CLEANUP_FREE char *function =
        xasprintf("function () { return document.querySelector('%s'); }", selector);
    if (!frame_get_object(page, frame_main(page), function, &object_id, &err) || !object_id) {
        fail_msg("%s: %s", selector, err.message);
    }
    return json_pack("[s]", object_id);
}

json_t *elements_call(struct page *page, const struct elements_step *step, struct element *element)
{
    struct br_error err = { 0 };
    json_auto_t *argument = elements_parse(step->argument);
    json_auto_t *given = step->given ? given_object(page, step->given) : NULL;
    json_t *answer = NULL;
    if (element->object_id) {
        return element_call(page, element, step->function, json_incref(argument), &answer, &err)
                   ? answer
                   : answer_of(&err);
    }
    if (!frame_call(page, frame_main(page), step->function, argument, given, &answer, &err)) {
        return answer_of(&err);
    }
    if (!library_is_job(step->function)) {
        return answer;
    }
    json_auto_t *object = answer;
    return element_take(page, frame_main(page), object, element, &err)
               ? json_incref(element->answer)
               : answer_of(&err);
}

void elements_play(struct elements_rig *rig, const struct elements_example *example)
{
    struct page *page = rig->page;
    CLEANUP_ELEMENT struct element element = { 0 };
    page_set_deadline(page, deadline_in_ms(ELEMENTS_ANSWER_MS));
    elements_show(page, example->html);
    for (size_t i = 0; i < ELEMENTS_MAX_STEPS && example->steps[i].argument; i++) {
        const struct elements_step *step = &example->steps[i];
        if (!step->function) {
            elements_evaluate(page, step->argument);
            continue;
        }
        json_auto_t *answer = elements_call(page, step, &element);
        json_auto_t *wanted = step->answer ? elements_parse(step->answer) : NULL;
        if (wanted && !fake_fits(wanted, answer)) {
            CLEANUP_FREE char *said = json_dumps(answer, JSON_COMPACT | JSON_ENCODE_ANY);
            fail_msg("%s, step %zu: %s, wanted %s", example->name, i, said, step->answer);
        }
    }
    page_reset_acted(page);
}
