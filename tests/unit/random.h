/* Pseudo-random numbers that are the same in each run of a test. */
#ifndef TESTS_UNIT_RANDOM_H
#define TESTS_UNIT_RANDOM_H

#include <stdint.h>

static uint32_t random_state = 1;

/* Returns 0 to limit - 1. */
static inline unsigned random_number(unsigned limit)
{
    random_state = random_state * 1103515245 + 12345;
    return (random_state >> 8) % limit;
}

#endif
