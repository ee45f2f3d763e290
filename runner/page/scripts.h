/* The functions in scripts/ as text, embedded by the build; each says itself what it takes. */
#ifndef RUNNER_PAGE_SCRIPTS_H
#define RUNNER_PAGE_SCRIPTS_H

extern const char script_arrived[];
extern const char script_clock[];
extern const char script_describe[];
extern const char script_drag[];
extern const char script_drop[];
extern const char script_flush[];
extern const char script_inspect[];
extern const char script_locate[];
extern const char script_marks[];
extern const char script_meaning[];
extern const char script_names[];
extern const char script_origin[];
extern const char script_owner[];
extern const char script_press[];
extern const char script_refill[];
extern const char script_restore[];
extern const char script_show[];
extern const char script_stable[];
extern const char script_still[];
extern const char script_storage[];
extern const char script_text[];
extern const char script_typed[];
extern const char script_value[];
extern const char script_vitals[];
extern const char script_wheel[];
extern const char script_withheld[];

#endif
