#include "runner/page/element/show.h"

#include "runner/page/core/box.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/mouse.h"

enum {
    HIDE_MS = 500 /* time limit for a busy page; if exceeded, the drawings appear in the
                     picture */
};

/*
 * The main frame usually has our world already, since the element was searched for there. Takes
 * ownership of argument.
 */
static void draw(struct page *page, json_t *argument)
{
    struct br_error ignored;
    json_auto_t *owned = argument;
    if (!frame_ensure_world(page, frame_main(page), &ignored)) {
        return;
    }
    bool is_captured = page->options.shows_actions == BR_SHOW_ACTIONS_CAPTURED;
    json_object_set_new(owned, "isKept", json_boolean(is_captured));
    frame_post_call(page, frame_main(page), script_show, owned);
    page->has_shown = true;
    page->shown_documents = page_mark(page).documents;
}

void show_mouse(struct page *page, bool is_pressed)
{
    if (page->options.shows_actions == BR_SHOW_ACTIONS_NONE) {
        return;
    }
    json_t *argument = json_pack("{s:s, s:f, s:f, s:b}", "mode", "mouse", "x", mouse_at(page).x,
                                 "y", mouse_at(page).y, "isPressed", is_pressed);
    if (mouse_trace(page)->has_area) {
        const struct page_box *area = &mouse_trace(page)->area;
        json_object_set_new(argument, "area",
                            json_pack("{s:f, s:f, s:f, s:f}", "x", area->x, "y", area->y, "width",
                                      area->width, "height", area->height));
    }
    draw(page, argument);
}

void show_focus(struct page *page, const char *keys, bool is_typed)
{
    if (page->options.shows_actions != BR_SHOW_ACTIONS_NONE) {
        draw(page,
             json_pack("{s:s, s:s*, s:b}", "mode", "focus", "keys", keys, "isTyped", is_typed));
    }
}

/* Returns whether drawings may be in the document. */
static bool is_shown(const struct page *page)
{
    return page->has_shown && page->shown_documents == page_mark(page).documents &&
           frame_main(page)->world_id;
}

static void post_mode(struct page *page, const char *mode)
{
    json_auto_t *argument = json_pack("{s:s}", "mode", mode);
    frame_post_call(page, frame_main(page), script_show, argument);
}

bool show_hide(struct page *page)
{
    if (!is_shown(page)) {
        return false;
    }
    struct br_error ignored;
    struct deadline before = page_deadline(page);
    json_auto_t *argument = json_pack("{s:s}", "mode", "hide");
    json_auto_t *answer = NULL;
    page_set_deadline(page, deadline_earlier(before, deadline_in_ms(HIDE_MS)));
    int64_t id = frame_send_call(page, frame_main(page), script_show, argument, &ignored);
    frame_receive_call(page, frame_main(page), id, &answer, &ignored);
    page_set_deadline(page, before);
    return true;
}

void show_again(struct page *page)
{
    if (is_shown(page)) {
        post_mode(page, "again");
    }
}

void show_remove(struct page *page)
{
    if (is_shown(page)) {
        post_mode(page, "remove");
    }
}
