/*
 * Functions of glibc 2.36 for a program that has to start with glibc 2.34; used by us and by
 * libexpat.a. Only in the static build.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

void arc4random_buf(void *bytes, size_t size)
{
    unsigned char *at = bytes;
    while (size > 0) {
        ssize_t got = getrandom(at, size, 0);
        if (got > 0) {
            at += got;
            size -= (size_t)got;
        }
    }
}

uint32_t arc4random(void)
{
    uint32_t number;
    arc4random_buf(&number, sizeof(number));
    return number;
}

uint32_t arc4random_uniform(uint32_t limit)
{
    /* Refuses the numbers above the last multiple of the limit, so that all remainders are alike.
     */
    uint32_t excess = limit ? -limit % limit : 0;
    uint32_t number;
    do {
        number = arc4random();
    } while (number < excess);
    return limit ? number % limit : 0;
}
