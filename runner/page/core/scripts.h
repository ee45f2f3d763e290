/*
 * The functions in scripts/ as text, embedded by the build; each says itself what it takes. Those
 * of SCRIPTS_KEPT stay in the world that they were called in, as script_NAME_again[] calls them
 * there: frame_call() does so by itself.
 */
#ifndef RUNNER_PAGE_CORE_SCRIPTS_H
#define RUNNER_PAGE_CORE_SCRIPTS_H

/* clang-format off */
#define SCRIPTS_KEPT(X) \
    X(arrived) X(describe) X(drag) X(drop) X(flush) X(locate) X(marks) X(meaning) X(names) \
    X(owner) X(restore) X(show) X(stable) X(still) X(storage) X(text) X(typed) X(wheel) X(withheld)
/* clang-format on */

#define DECLARE_KEPT(name) extern const char script_##name[], script_##name##_again[];
SCRIPTS_KEPT(DECLARE_KEPT)
#undef DECLARE_KEPT

extern const char script_clock[];
extern const char script_guard[];
extern const char script_inspect[];
extern const char script_origin[];
extern const char script_press[];
extern const char script_refill[];
extern const char script_unspeculate[];
extern const char script_value[];
extern const char script_values[];
extern const char script_vitals[];

#endif
