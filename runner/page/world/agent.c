#include "runner/page/world/agent.h"

#include "runner/base/json.h"
#include "runner/base/strbuf.h"
#include "runner/page/core/state.h"
#include "runner/page/world/setting.h"

#include <string.h>

const char *page_known_browser(const struct page *page)
{
    return page->browser;
}

const char *page_browser(struct page *page, struct br_error *err)
{
    json_auto_t *reply = NULL;
    const char *product = NULL;
    if (!page->browser && cdp_call(page->client, NULL, "Browser.getVersion", NULL, &reply, err) &&
        json_read(reply, "Browser.getVersion", err, "{s:s}", "product", &product)) {
        page->browser = xstrdup(product);
    }
    return page->browser;
}

bool agent_prepare(struct page *page, struct br_error *err)
{
    bool is_described = json_is_object(setting_get(page, "userAgent"));
    return !is_described || page_browser(page, err);
}

static const char *browser_version(const struct page *page)
{
    const char *slash = strchr(page->browser, '/');
    return slash ? slash + 1 : page->browser;
}

/* Returns a user agent with the browser's major version inserted. */
static json_t *with_version(const char *agent, const char *major)
{
    static const char mark[] = "${major}";
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    for (const char *place; (place = strstr(agent, mark)); agent = place + strlen(mark)) {
        strbuf_add(&text, agent, (size_t)(place - agent));
        strbuf_add_string(&text, major);
    }
    strbuf_add_string(&text, agent);
    return json_text(text.data);
}

/*
 * Returns brands like Chrome's: the browser, Chromium, and a meaningless one that prevents exact
 * comparison.
 */
static json_t *brands(const char *version, const char *of_grease)
{
    return json_pack("[{s:s, s:s}, {s:s, s:s}, {s:s, s:s}]", "brand", "Chromium", "version",
                     version, "brand", "Google Chrome", "version", version, "brand", "Not:A-Brand",
                     "version", of_grease);
}

/* Client hints must match the user agent, as must what scripts see of both. */
static json_t *client_hints(const json_t *metadata, const char *version, const char *major)
{
    json_t *hints = json_copy((json_t *)metadata);
    json_object_set_new(hints, "brands", brands(major, "8"));
    json_object_set_new(hints, "fullVersionList", brands(version, "8.0.0.0"));
    json_object_set_new(hints, "fullVersion", json_string(version));
    return hints;
}

/* Returns the user agent of a preset: {text, platform, metadata}, each optional. */
static json_t *described_agent(const json_t *value, const char *version)
{
    const char *text = json_member_string(value, "text");
    const json_t *metadata = json_object_get(value, "metadata");
    CLEANUP_FREE char *major = xstrndup(version, strcspn(version, "."));
    return json_pack("{s:o, s:O*, s:o*}", "userAgent", with_version(text ? text : "", major),
                     "platform", json_object_get(value, "platform"), "userAgentMetadata",
                     metadata ? client_hints(metadata, version, major) : NULL);
}

const char *agent_command(struct page *page, json_t **ret_params)
{
    json_t *value = setting_get(page, "userAgent");
    json_t *locale = setting_get(page, "locale");
    /* An empty agent means the browser's own. */
    *ret_params = json_is_object(value) ? described_agent(value, browser_version(page))
                                        : json_pack("{s:o}", "userAgent",
                                                    value ? json_incref(value) : json_string(""));
    if (locale) {
        json_object_set(*ret_params, "acceptLanguage", locale);
    }
    return "Emulation.setUserAgentOverride";
}

void agent_finish(struct page *page)
{
    free(TAKE(page->browser));
}
