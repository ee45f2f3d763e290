#include "imaging/image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_tokens_of_known_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        int width, height;
        int64_t tokens;
    } cases[] = {
        { "claude", 1, 1, 1 },
        { "claude", 28, 28, 1 },
        { "claude", 29, 28, 2 },
        { "claude", 1280, 720, 46 * 26 },
        { "claude", 1568, 784, 56 * 28 },
        { "anthropic", 1280, 720, 46 * 26 },
        /* 1092x1092 is the largest square: 39 times 39, since 40 times 40 is 1600. */
        { "claude", 1092, 1092, 39 * 39 },
        { "claude", 1093, 1093, 39 * 39 },
        { "claude", 8000, 8000, 39 * 39 },
        { "claude", 501, 1568, 18 * 56 },
        { "claude", 1280, 4000, 18 * 56 },
        { "claude", 1, 80000000, 56 },
        { "claude-high", 1280, 720, 46 * 26 },
        { "claude-high", 2576, 1456, 92 * 52 },
        { "claude-high", 4000, 4000, 69 * 69 },
        /* The examples of OpenAI's documentation. */
        { "openai-tiles", 1024, 1024, 765 },
        { "openai-tiles", 2048, 4096, 1105 },
        { "openai", 1280, 720, 85 + 170 * 3 * 2 },
        { "openai", 512, 512, 85 + 170 },
        { "openai", 513, 512, 85 + 170 * 2 },
        { "openai-patches", 1024, 1024, (1024 * 162 + 99) / 100 },
        { "openai-patches", 1800, 2400, (1452 * 162 + 99) / 100 },
        { "openai-patches", 1536, 1024, (1536 * 162 + 99) / 100 },
        { "openai-patches", 3072, 2048, (1536 * 162 + 99) / 100 },
        { "openai-patches", 100000, 1, (1536 * 162 + 99) / 100 },
        { "gemini", 100, 100, 258 },
        { "gemini", 768, 768, 258 },
        { "gemini", 1280, 720, 258 * 2 },
        { "gemini", 769, 1537, 258 * 2 * 3 },
        { "deepseek", 1280, 720, -1 },
        { "", 1280, 720, -1 },
        { "claude", 0, 720, -1 },
        { "claude", 1280, -1, -1 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t tokens = br_image_tokens(cases[i].rule, cases[i].width, cases[i].height);
        if (tokens != cases[i].tokens) {
            fail_msg("%s of %dx%d: %lld, not %lld", cases[i].rule, cases[i].width, cases[i].height,
                     (long long)tokens, (long long)cases[i].tokens);
        }
    }
}

/* A picture within the default limits is not shrunk by any provider. */
static void test_tokens_of_default_limits_stay_below_those_of_claude(void **state)
{
    (void)state;
    for (int width = 20; width < 4000; width += 37) {
        for (int height = 20; height < 4000; height += 41) {
            struct br_image_limits limits = BR_IMAGE_LIMITS_INIT;
            int fit_width = 0;
            int fit_height = 0;
            br_image_fit(width, height, &limits, &fit_width, &fit_height);
            int64_t whole = (int64_t)((fit_width + 27) / 28) * ((fit_height + 27) / 28);
            assert_true(whole <= 1568);
            assert_int_equal(br_image_tokens("claude", fit_width, fit_height), whole);
        }
    }
}

static void test_tokens_of_larger_pictures_stay_within_the_limit(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        int64_t most;
    } limits[] = { { "claude", 1568 }, { "claude-high", 4784 }, { "openai-patches", 2489 } };
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        for (int width = 1; width < 9000; width += 171) {
            for (int height = 1; height < 9000; height += 193) {
                int64_t tokens = br_image_tokens(limits[i].rule, width, height);
                assert_true(tokens > 0 && tokens <= limits[i].most);
            }
        }
    }
}

static void test_rules_are_found_by_name_and_provider(void **state)
{
    (void)state;
    size_t count = 0;
    for (; br_token_rule_at(count); count++) {
        const struct br_token_rule *rule = br_token_rule_at(count);
        assert_ptr_equal(br_token_rule_find(rule->name), rule);
        assert_string_equal(br_token_rule_find(rule->provider)->provider, rule->provider);
        assert_true(strlen(rule->as_of) == 7 && rule->models[0]);
    }
    assert_true(count >= 5);
    assert_string_equal(br_token_rule_find("anthropic")->name, "claude");
    assert_int_equal(br_token_rule_find("anthropic")->max_side_of_many, 2000);
    assert_string_equal(br_token_rule_find("openai")->name, "openai-tiles");
    assert_null(br_token_rule_find("deepseek"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens_of_known_sizes),
        cmocka_unit_test(test_tokens_of_default_limits_stay_below_those_of_claude),
        cmocka_unit_test(test_tokens_of_larger_pictures_stay_within_the_limit),
        cmocka_unit_test(test_rules_are_found_by_name_and_provider),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
