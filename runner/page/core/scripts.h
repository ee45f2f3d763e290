/*
 * The functions in scripts/ as declarations for frame_call(); each script documents its parameters.
 * Those of libraries are short and call what the world has loaded: see library.h. The others are
 * whole texts, embedded by the build.
 */
#ifndef RUNNER_PAGE_SCRIPTS_H
#define RUNNER_PAGE_SCRIPTS_H

/* clang-format off */

/* Libraries of a single function. */
#define SCRIPTS_ALONE(X) \
    X(describe) X(drag) X(drop) X(semantics) X(show) X(skipped) X(stable) X(still) \
    X(storage) X(text) X(watch) X(wheel) X(withheld) X(withhold)

/* Libraries of a single function that returns an object for C code to hold. */
#define SCRIPTS_ALONE_JOBS(X) X(marks)

/* The jobs of scripts/elements.js, which find an element, or continue with one: see element.h. */
#define SCRIPTS_JOBS(X) \
    X(aim) X(box) X(checked) X(chosen) X(examine) X(field) X(fieldNow) X(files) X(focus) \
    X(formAround) X(frame) X(hit) X(keep) X(mark) X(markup) X(requestSubmit) X(scroll) X(select) \
    X(steady) X(submitted) X(submitter)

/* The other functions of that library. */
#define SCRIPTS_OF_ELEMENTS(X) \
    X(afterLine) X(arrived) X(beforeLine) X(checkEmpty) X(commit) X(count) X(enterEditor) X(examineAll) \
    X(filesTaken) X(frameInput) X(framePoint) X(framePolicy) X(frameSize) X(namesMeant) X(restore) \
    X(stir)

/* clang-format on */

#define SCRIPT_DECLARE(name) extern const char script_##name[];
SCRIPTS_ALONE(SCRIPT_DECLARE)
SCRIPTS_ALONE_JOBS(SCRIPT_DECLARE)
SCRIPTS_JOBS(SCRIPT_DECLARE)
SCRIPTS_OF_ELEMENTS(SCRIPT_DECLARE)
#undef SCRIPT_DECLARE

extern const char script_clock[];
extern const char script_flush[];
extern const char script_frames[];
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
