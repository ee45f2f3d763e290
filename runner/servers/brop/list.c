#include "runner/servers/brop/parts.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/servers/brop/page.h"
#include "runner/session/visit.h"

enum {
    LOOK_MS = 300,  /* after that time a busy tab is listed with its last known state */
    VISIT_MS = 500, /* for a look, which asks only the browser */
    MAX_ROUNDS = 3, /* of looks at tabs that the round before found */
};

/* A list_tabs command: looks run in parallel, and the last one to end sends the reply. */
struct listing {
    struct brop_command *command; /* owned */
    int32_t active_id;
    bool has_content;
    int rounds;         /* of looks that have begun */
    atomic_size_t left; /* looks that have not ended, and one for their beginning */
    size_t count;
    struct listed {
        struct listing *listing;
        struct brop_tab *tab; /* held */
        char *content;        /* NULL: not asked for, or not readable */
    } * tabs;                 /* moves between two rounds only */
};

static json_t *tab_json(const struct listing *listing, const struct listed *listed, size_t index)
{
    int32_t id = brop_tab_id(listed->tab);
    json_t *tab = json_pack("{s:i, s:b, s:i, s:i, s:b, s:b, s:o*}", "tabId", (int)id, "active",
                            id == listing->active_id, "windowId", 1, "index", (int)index, "pinned",
                            0, "accessible", brop_tab_is_accessible(listed->tab), "content",
                            listed->content ? json_text(listed->content) : NULL);
    brop_tab_describe(listed->tab, tab, "url", "title", true);
    return tab;
}

/* Adds a tab to the list unless it was closed meanwhile. Returns whether it is accessible. */
static bool show(const struct listing *listing, const struct listed *listed, json_t *list)
{
    struct brop_tab *tab = brop_find_tab(listing->command->brop, brop_tab_id(listed->tab));
    if (tab) {
        json_array_append_new(list, tab_json(listing, listed, json_array_size(list)));
    }
    brop_tab_release(tab);
    return tab && brop_tab_is_accessible(listed->tab);
}

static void end_listing(struct listing *listing)
{
    json_t *list = json_array();
    json_int_t accessible = 0;
    for (size_t i = 0; i < listing->count; i++) {
        accessible += show(listing, &listing->tabs[i], list);
        brop_tab_release(listing->tabs[i].tab);
        free(listing->tabs[i].content);
    }
    json_t *active = listing->active_id ? json_integer(listing->active_id) : json_null();
    json_int_t total = (json_int_t)json_array_size(list);
    brop_command_answer(listing->command,
                        json_pack("{s:b, s:o, s:o, s:I, s:I}", "success", 1, "tabs", list,
                                  "activeTabId", active, "totalTabs", total, "accessibleTabs",
                                  accessible),
                        NULL);
    brop_command_destroy(listing->command);
    free(listing->tabs);
    free(listing);
}

static void look_at_new(struct listing *listing);

static void end_look(struct listing *listing)
{
    if (atomic_fetch_sub(&listing->left, 1) == 1) {
        look_at_new(listing);
    }
}

/* Records the browser's list of the window's tabs. */
static void look(struct brop_window *window, struct br_session *session)
{
    struct br_error ignored;
    size_t index;
    json_t *tab;
    json_auto_t *tabs = session_visit_tabs(session, VISIT_MS, &ignored);
    json_array_foreach (tabs, index, tab) {
        brop_window_note(window, (int)json_member_number(tab, "id", 0),
                         json_member_string(tab, "url"), json_member_string(tab, "title"));
    }
}

static void run_look(struct listed *listed, const struct worker_call *call)
{
    struct br_error ignored;
    struct brop_tab *tab = listed->tab;
    struct brop_window *window = brop_tab_window(tab);
    brop_window_set_call(window, listed->listing->command->client, call->number);
    look(window, call->session);
    if (listed->listing->has_content && brop_tab_is_accessible(tab) &&
        brop_window_enter(window, tab, call->session, &ignored)) {
        listed->content = brop_page_text(tab, call->session, &ignored);
    }
    brop_window_set_call(window, NULL, 0);
}

/* A tab that is too busy is listed with its last known state. */
static void on_call(void *data, const struct worker_call *call)
{
    struct listed *listed = data;
    if (call->session) {
        run_look(listed, call);
    }
    end_look(listed->listing);
}

static bool is_listed(const struct listing *listing, int32_t id)
{
    for (size_t i = 0; i < listing->count; i++) {
        if (brop_tab_id(listing->tabs[i].tab) == id) {
            return true;
        }
    }
    return false;
}

/* Looks at tabs that are not in the listing yet. If there are none, sends the listing. */
static void look_at_new(struct listing *listing)
{
    size_t all = 0;
    size_t known = listing->count;
    struct brop_tab **tabs = brop_all_tabs(listing->command->brop, &all);
    listing->tabs = xrealloc(listing->tabs, (known + all + 1) * sizeof(*listing->tabs));
    for (size_t i = 0; i < all; i++) {
        if (is_listed(listing, brop_tab_id(tabs[i]))) {
            brop_tab_release(tabs[i]);
        } else {
            listing->tabs[listing->count++] = (struct listed){ .listing = listing, .tab = tabs[i] };
        }
    }
    free(tabs);
    if (listing->count == known || listing->rounds++ == MAX_ROUNDS) {
        end_listing(listing);
        return;
    }
    size_t count = listing->count;
    atomic_store(&listing->left, count - known + 1);
    for (size_t i = known; i < count; i++) {
        struct listed *listed = &listing->tabs[i];
        worker_post(brop_tab_worker(listed->tab), deadline_in_ms(LOOK_MS), on_call, listed);
    }
    service_wake(listing->command->brop->service); /* to learn until when they are to begin */
    end_look(listing);
}

void brop_list_tabs(struct brop_command *command)
{
    struct listing *listing = xcalloc(1, sizeof(*listing));
    listing->command = command;
    listing->active_id = brop_active_tab(command->brop, command->client);
    listing->has_content = json_member_bool(command->params, "include_content", false);
    look_at_new(listing);
}
