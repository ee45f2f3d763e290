#include "runner/session/retry.h"

#include "runner/actions/params.h"
#include "runner/base/error.h"
#include "runner/base/json.h"

#include <string.h>

enum {
    DEFAULT_RETRIES = 3,
    DEFAULT_DELAY_MS = 1000,
    MAX_DELAY_MS = 30000, /* upper limit of the doubled delay */
};

#define BIT(code) (UINT32_C(1) << (code))
#define TARGET_CODES                                                                               \
    (BIT(BR_TARGET_NOT_FOUND) | BIT(BR_TARGET_AMBIGUOUS) | BIT(BR_TARGET_NOT_VISIBLE) |            \
     BIT(BR_TARGET_DISABLED) | BIT(BR_TARGET_OBSCURED))
#define GONE_CODES (BIT(BR_PAGE_CRASHED) | BIT(BR_BROWSER_CRASHED) | BIT(BR_DISCONNECTED))

/* Failures that pass by themselves or are repaired by a recovery; all others would repeat. */
#define DEFAULT_CODES (BIT(BR_TIMEOUT) | BIT(BR_STALE_NODE) | GONE_CODES)

/* Names of other tools for groups of our codes. */
static const struct {
    const char *name;
    uint32_t codes;
} aliases[] = {
    { "TimeoutError", BIT(BR_TIMEOUT) },
    { "TargetClosedError", GONE_CODES },
    { "DetachedFrameError", BIT(BR_STALE_NODE) },
};

static uint32_t codes_of(const char *name)
{
    for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
        if (strcmp(name, aliases[i].name) == 0) {
            return aliases[i].codes;
        }
    }
    return BIT(error_code_from_name(name));
}

struct retry_policy retry_policy_of(const struct br_action *action, const json_t *defaults)
{
    const json_t *own = json_object_get(action->params, "retryOptions");
    const json_t *options = own ? own : defaults;
    const json_t *listed = json_object_get(options, "retryOnErrors");
    struct retry_policy policy = {
        .max_retries = (int)json_member_number(options, "maxRetries", DEFAULT_RETRIES),
        .delay_ms = (int64_t)json_member_number(options, "retryDelay", DEFAULT_DELAY_MS),
        .codes = listed ? 0 : DEFAULT_CODES,
        .is_listed = listed,
    };
    size_t index;
    json_t *name;
    json_array_foreach (listed, index, name) {
        policy.codes |= codes_of(json_string_value(name));
    }
    if (param_is_given(action, "node")) {
        policy.codes &= ~BIT(BR_STALE_NODE); /* only a new snapshot gives a new id */
    }
    return policy;
}

bool retry_is_allowed(const struct retry_policy *policy, enum br_code code, bool has_acted,
                      int attempt)
{
    return attempt <= policy->max_retries && (policy->codes & BIT(code)) &&
           (policy->is_listed || !has_acted);
}

int64_t retry_delay_ms(const struct retry_policy *policy, int attempt, double chance)
{
    int64_t delay_ms = policy->delay_ms;
    for (int i = 1; i < attempt && delay_ms < MAX_DELAY_MS; i++) {
        delay_ms *= 2;
    }
    int64_t longest_ms = policy->delay_ms > MAX_DELAY_MS ? policy->delay_ms : MAX_DELAY_MS;
    delay_ms = delay_ms > longest_ms ? longest_ms : delay_ms;
    return (int64_t)((double)delay_ms * (0.8 + 0.4 * chance));
}

/*
 * Returns how long try number `attempt` may take so that later tries have as long. Pauses take at
 * most half of the time; if there are too many for that, fewer tries are made. Returns all of the
 * time when no second try fits.
 */
static int64_t part_ms(const struct retry_policy *policy, int attempt, int64_t left_ms)
{
    int64_t pauses_ms = 0;
    int tries = 1;
    for (int i = attempt; i <= policy->max_retries; i++) {
        const int64_t pause_ms = retry_delay_ms(policy, i, 1);
        const int64_t most_ms = tries == 1 ? left_ms - 2 * RETRY_LEAST_MS : left_ms / 2;
        if (pauses_ms + pause_ms > most_ms) {
            break;
        }
        pauses_ms += pause_ms;
        tries++;
    }
    return (left_ms - pauses_ms) / tries;
}

int64_t retry_limit_ms(const struct retry_policy *policy, int attempt, int64_t left_ms)
{
    bool is_shared = policy->is_listed && (policy->codes & BIT(BR_TIMEOUT));
    return is_shared ? part_ms(policy, attempt, left_ms) : left_ms;
}

int64_t retry_patience_ms(const struct retry_policy *policy, int attempt, int64_t left_ms)
{
    bool is_shared = policy->is_listed && (policy->codes & TARGET_CODES);
    return is_shared ? part_ms(policy, attempt, left_ms) : left_ms;
}
