#include "runner/servers/brop/parts.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/page/core/tabs.h"
#include "runner/servers/brop/page.h"
#include "runner/session/visit.h"

enum {
    LOOK_MS = 300,  /* after which a busy tab is told as it was last known */
    VISIT_MS = 500, /* for a look, which asks the browser alone */
};

/* A list on its way: the tabs are asked side by side, and the last one sends the reply. */
struct listing {
    struct brop_command *command; /* owned */
    int32_t active_id;
    bool has_content;
    size_t count;
    atomic_size_t left; /* looks that have not ended, and one for their beginning */
    struct listed {
        struct brop_tab *tab; /* held */
        char *content;        /* NULL: there is none */
    } * tabs;
};

/* A look at a tab. */
struct look {
    struct job job;
    struct listing *listing;
    struct listed *listed;
};

static json_t *tab_json(const struct listing *listing, size_t index)
{
    const struct listed *listed = &listing->tabs[index];
    int32_t id = brop_tab_id(listed->tab);
    json_t *tab = json_pack("{s:i, s:b, s:i, s:i, s:b, s:b, s:o*}", "tabId", (int)id, "active",
                            id == listing->active_id, "windowId", 1, "index", (int)index, "pinned",
                            0, "accessible", brop_tab_is_accessible(listed->tab), "content",
                            listed->content ? json_text(listed->content) : NULL);
    brop_tab_describe(listed->tab, tab, "url", "title", true);
    return tab;
}

static void end_listing(struct listing *listing)
{
    json_t *list = json_array();
    json_int_t accessible = 0;
    for (size_t i = 0; i < listing->count; i++) {
        json_array_append_new(list, tab_json(listing, i));
        accessible += brop_tab_is_accessible(listing->tabs[i].tab);
        brop_tab_release(listing->tabs[i].tab);
        free(listing->tabs[i].content);
    }
    json_t *active = listing->active_id ? json_integer(listing->active_id) : json_null();
    brop_command_answer(listing->command,
                        json_pack("{s:b, s:o, s:o, s:I, s:I}", "success", 1, "tabs", list,
                                  "activeTabId", active, "totalTabs", (json_int_t)listing->count,
                                  "accessibleTabs", accessible),
                        NULL);
    brop_command_destroy(listing->command);
    free(listing->tabs);
    free(listing);
}

static void end_look(struct listing *listing)
{
    if (atomic_fetch_sub(&listing->left, 1) == 1) {
        end_listing(listing);
    }
}

/* What the browser says of the tab, without asking the page. */
static bool look(void *data, const struct session_visit *visit, struct br_error *err)
{
    size_t index;
    json_t *tab;
    json_auto_t *tabs = page_list_tabs(visit->page, false, err);
    json_array_foreach (tabs, index, tab) {
        if (json_member_bool(tab, "active", false)) {
            brop_tab_note(data, json_member_string(tab, "url"), json_member_string(tab, "title"));
        }
    }
    return tabs;
}

static void run_look(struct job *job, struct worker *worker, struct br_session *session)
{
    (void)worker;
    struct br_error ignored;
    struct look *own = (struct look *)job;
    struct brop_tab *tab = own->listed->tab;
    session_visit(session, VISIT_MS, look, tab, &ignored);
    if (own->listing->has_content && brop_tab_is_accessible(tab)) {
        own->listed->content = brop_page_text(tab, session, &ignored);
    }
    end_look(own->listing);
}

static void refuse_look(struct job *job, const struct br_error *why)
{
    (void)why;
    end_look(((struct look *)job)->listing);
}

static void destroy_look(struct job *job)
{
    free(job);
}

static void post_look(struct listing *listing, struct listed *listed)
{
    struct brop *brop = listing->command->brop;
    struct look *own = xcalloc(1, sizeof(*own));
    own->listing = listing;
    own->listed = listed;
    own->job = (struct job){
        .owner = listing->command->client,
        .begin_by = deadline_in_ms(LOOK_MS),
        .run = run_look,
        .refuse = refuse_look,
        .destroy = destroy_look,
    };
    worker_post(brop_tab_worker(listed->tab), &own->job);
    mailbox_wake(brop->mailbox);
}

void brop_list_tabs(struct brop_command *command)
{
    struct listing *listing = xcalloc(1, sizeof(*listing));
    struct brop_tab **tabs = brop_all_tabs(command->brop, &listing->count);
    size_t count = listing->count;
    listing->command = command;
    listing->active_id = brop_active_tab(command->brop, command->client);
    listing->has_content = json_member_bool(command->params, "include_content", false);
    listing->tabs = xcalloc(count + 1, sizeof(*listing->tabs));
    atomic_init(&listing->left, count + 1);
    for (size_t i = 0; i < count; i++) {
        listing->tabs[i].tab = tabs[i];
    }
    free(tabs);
    for (size_t i = 0; i < count; i++) {
        post_look(listing, &listing->tabs[i]);
    }
    end_look(listing);
}
