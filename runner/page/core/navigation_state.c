#include "runner/page/core/navigation_state.h"

/* clang-format off */
#define RESTS        NAVIGATION_RESTS
#define COMES        NAVIGATION_COMES
#define ASKED        NAVIGATION_ASKED
#define ASKED_COMES  NAVIGATION_ASKED_COMES
#define WANTED       NAVIGATION_WANTED
#define WANTED_COMES NAVIGATION_WANTED_COMES

/* A navigation towards another document is not ended by events within the present one. */
static const unsigned char transitions[NAVIGATION_SIGNAL_COUNT][NAVIGATION_STATE_COUNT] = {
    /* from:                           RESTS   COMES         ASKED        ASKED_COMES   WANTED        WANTED_COMES */
    [NAVIGATION_IS_ASKED_FOR]        = { ASKED,  ASKED_COMES,  ASKED,       ASKED_COMES,  WANTED,       WANTED_COMES },
    [NAVIGATION_IS_WANTED]           = { WANTED, WANTED_COMES, WANTED,      WANTED_COMES, WANTED,       WANTED_COMES },
    [NAVIGATION_BEGINS]              = { COMES,  COMES,        ASKED_COMES, ASKED_COMES,  WANTED_COMES, WANTED_COMES },
    [NAVIGATION_BEGINS_WITHIN]       = { RESTS,  RESTS,        ASKED,       ASKED,        WANTED,       WANTED },
    [NAVIGATION_IS_WITHIN]           = { RESTS,  COMES,        RESTS,       ASKED_COMES,  RESTS,        WANTED_COMES },
    [NAVIGATION_IS_WITHIN_BY_SCRIPT] = { RESTS,  COMES,        RESTS,       ASKED_COMES,  WANTED,       WANTED_COMES },
    [NAVIGATION_IS_GIVEN_UP]         = { RESTS,  COMES,        RESTS,       COMES,        RESTS,        COMES },
    [NAVIGATION_IS_OVER]             = { RESTS,  RESTS,        RESTS,       RESTS,        RESTS,        RESTS },
};
/* clang-format on */

enum navigation_state navigation_next(enum navigation_state state, enum navigation_signal signal)
{
    return (enum navigation_state)transitions[signal][state];
}

bool navigation_is_open(enum navigation_state state)
{
    return state >= NAVIGATION_ASKED;
}
