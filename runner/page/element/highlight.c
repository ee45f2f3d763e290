#include "runner/page/element/highlight.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/tabs.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/element.h"
#include "runner/page/element/named.h"
#include "runner/page/element/patience.h"
#include "runner/page/element/place.h"
#include "runner/page/element/target.h"

#include <math.h>

static const char hiding[] = "Overlay.hideHighlight";

/* The current highlight. */
struct highlight {
    char *session_id;   /* of the process that draws it; NULL: none */
    const char *method; /* the drawing command, with its parameters */
    json_t *params;
    struct deadline end;
    unsigned documents; /* number of the page's document in page_mark(): Chrome removes the
                           highlight with it */
    bool is_captured;
};

void highlight_init(struct page *page)
{
    page->highlight = xcalloc(1, sizeof(*page->highlight));
}

static void forget(struct highlight *highlight)
{
    free(highlight->session_id);
    json_decref(highlight->params);
    *highlight = (struct highlight){ 0 };
}

void highlight_finish(struct page *page)
{
    forget(page->highlight);
    free(TAKE(page->highlight));
}

static bool is_drawn(const struct page *page)
{
    return page->highlight->session_id && page->highlight->documents == page_mark(page).documents;
}

/* Chrome removes the highlight when the domain is disabled or the session ends. */
static void end(struct page *page)
{
    static const char *const methods[] = { hiding, "Overlay.disable", "DOM.disable" };
    struct highlight *highlight = page->highlight;
    for (size_t i = 0; highlight->session_id && i < sizeof(methods) / sizeof(methods[0]); i++) {
        cdp_post(page->client, highlight->session_id, methods[i], NULL);
    }
    forget(highlight);
}

struct deadline highlight_tend(struct page *page)
{
    const struct highlight *highlight = page->highlight;
    if (highlight->session_id && deadline_passed(highlight->end)) {
        end(page);
    }
    return highlight->session_id ? highlight->end : DEADLINE_NEVER;
}

bool highlight_hide(struct page *page, bool may_show)
{
    const struct highlight *highlight = page->highlight;
    struct br_error ignored;
    if (!is_drawn(page) || (may_show && highlight->is_captured)) {
        return false;
    }
    cdp_call(page->client, highlight->session_id, hiding, NULL, NULL, &ignored);
    return true;
}

void highlight_again(struct page *page)
{
    const struct highlight *highlight = page->highlight;
    if (is_drawn(page) && !deadline_passed(highlight->end)) {
        cdp_post(page->client, highlight->session_id, highlight->method,
                 json_incref(highlight->params));
    }
}

static json_t *color_of(unsigned color, double alpha)
{
    return json_pack("{s:i, s:i, s:i, s:f}", "r", color >> 16 & 0xff, "g", color >> 8 & 0xff, "b",
                     color & 0xff, "a", alpha);
}

/* Chrome follows an element; for one without a box of its own, its present area is drawn. */
static json_t *element_params(const struct element *element, unsigned color)
{
    static const char *const parts[] = { "contentColor", "paddingColor", "borderColor" };
    json_t *config = json_pack("{s:b}", "showInfo", 0);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        json_object_set_new(config, parts[i], color_of(color, 0.4));
    }
    return json_pack("{s:I, s:o}", "backendNodeId", (json_int_t)element->backend_id,
                     "highlightConfig", config);
}

static json_t *box_params(const struct page_box *box, unsigned color)
{
    return json_pack("{s:i, s:i, s:i, s:i, s:o, s:o}", "x", (int)round(box->x), "y",
                     (int)round(box->y), "width", (int)fmax(round(box->width), 1), "height",
                     (int)fmax(round(box->height), 1), "color", color_of(color, 0.4),
                     "outlineColor", color_of(color, 1));
}

/* Takes ownership of the parameters. */
static bool draw(struct page *page, const char *session_id, const char *method, json_t *given,
                 const struct page_highlight *options, struct br_error *err)
{
    struct highlight *highlight = page->highlight;
    json_auto_t *params = given;
    end(page);
    if (!cdp_call(page->client, session_id, "DOM.enable", NULL, NULL, err) ||
        !cdp_call(page->client, session_id, "Overlay.enable", NULL, NULL, err) ||
        !cdp_call(page->client, session_id, method, json_incref(params), NULL, err)) {
        return false;
    }
    *highlight = (struct highlight){
        .session_id = xstrdup(session_id),
        .method = method,
        .params = json_incref(params),
        .end = deadline_in_ms(options->ms),
        .documents = page_mark(page).documents,
        .is_captured = options->is_captured,
    };
    return true;
}

/* Clips the box to the viewport; false with an error if nothing is left. */
static bool cut(struct page *page, struct page_box *box, struct br_error *err)
{
    double view_width = 0;
    double view_height = 0;
    wire_viewport(page, &view_width, &view_height);
    double right = fmin(box->x + box->width, view_width);
    double bottom = fmin(box->y + box->height, view_height);
    double left = fmax(box->x, 0);
    double top = fmax(box->y, 0);
    if (right <= left || bottom <= top) {
        error_set(err, BR_TARGET_NOT_VISIBLE, "x %g to %g, y %g to %g is outside of the viewport",
                  box->x, box->x + box->width, box->y, box->y + box->height);
        return error_hint(err, "scroll to it first: highlight does not scroll");
    }
    *box = (struct page_box){ left, top, right - left, bottom - top };
    return true;
}

/* Gets the visible part of the element, in pixels of the page. */
static bool box_in_page(struct page *page, const struct element *element, struct page_box *box,
                        struct br_error *err)
{
    struct frame_point corner = { 0 };
    double width = 0;
    double height = 0;
    if (!json_read(element->answer, "the element's box", err, "{s:F, s:F, s:F, s:F}", "x",
                   &corner.x, "y", &corner.y, "width", &width, "height", &height) ||
        !frame_to_page(page, element_frame(page, element), &corner, false, err)) {
        return false;
    }
    *box = (struct page_box){ corner.x, corner.y, width * corner.scale, height * corner.scale };
    return cut(page, box, err);
}

/*
 * Waits until the frame's own process has drawn, so that the next picture has the mark: Chrome
 * awaits only the drawing of the page's process.
 */
static void await_drawing(struct page *page, struct frame *frame)
{
    static const char function[] =
        "function () { return new Promise((resolve) => { setTimeout(resolve, 200);"
        " requestAnimationFrame(() => requestAnimationFrame(resolve)); }).then(() => true); }";
    struct br_error ignored;
    json_auto_t *nothing = NULL;
    if (!wire_is_own(page, frame->session_id)) {
        frame_call(page, frame, function, NULL, NULL, &nothing, &ignored);
    }
}

struct marking {
    const struct page_highlight *options;
    struct page_box box;
    struct element element;
};

static bool mark_once(struct page *page, const struct page_target *target, int attempt, void *data,
                      struct br_error *err)
{
    struct marking *marking = data;
    struct element *element = &marking->element;
    (void)attempt;
    element_finish(element);
    if (!target_locate(page, target, &(struct job){ script_mark, NULL }, element, err) ||
        !box_in_page(page, element, &marking->box, err)) {
        return false;
    }
    bool is_followed = json_member_bool(element->answer, "hasBox", false);
    unsigned color = marking->options->color;
    if (!is_followed) {
        return draw(page, page_session(page), "Overlay.highlightRect",
                    box_params(&marking->box, color), marking->options, err);
    }
    struct frame *frame = element_frame(page, element);
    if (!draw(page, frame->session_id, "Overlay.highlightNode", element_params(element, color),
              marking->options, err)) {
        return false;
    }
    await_drawing(page, frame);
    return true;
}

bool page_highlight(struct page *page, const struct page_target *target,
                    const struct page_highlight *options, json_t **ret_drawn, struct br_error *err)
{
    struct marking marking = { .options = options, .box = options->box };
    if (tabs_is_behind(page) && !page_command(page, "Page.bringToFront", NULL, NULL, err)) {
        return false;
    }
    bool is_done = page_target_is_element(target)
                       ? patience_try(page, target, mark_once, &marking, err)
                       : cut(page, &marking.box, err) &&
                             draw(page, page_session(page), "Overlay.highlightRect",
                                  box_params(&options->box, options->color), options, err);
    if (is_done) {
        *ret_drawn =
            json_pack("{s:o, s:o, s:o, s:o, s:O*}", "x", json_number(marking.box.x, 100), "y",
                      json_number(marking.box.y, 100), "width", json_number(marking.box.width, 100),
                      "height", json_number(marking.box.height, 100), "element",
                      json_object_get(marking.element.answer, "element"));
    }
    element_finish(&marking.element);
    return is_done;
}
