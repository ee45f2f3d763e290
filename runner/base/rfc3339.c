#include "runner/base/rfc3339.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Reads `count` digits with a value from min to max and advances. */
static bool take_number(const char **at, size_t count, int min, int max, int *ret_number)
{
    int number = 0;
    for (size_t i = 0; i < count; i++) {
        if ((*at)[i] < '0' || (*at)[i] > '9') {
            return false;
        }
        number = number * 10 + ((*at)[i] - '0');
    }
    *at += count;
    *ret_number = number;
    return number >= min && number <= max;
}

static bool take(const char **at, char c)
{
    bool is_there = **at == c;
    *at += is_there;
    return is_there;
}

/* Chrome's clock has milliseconds: finer digits are valid RFC 3339, but refused. */
static bool take_fraction(const char **at, int *ret_ms)
{
    int digit = 0;
    *ret_ms = 0;
    if (!take(at, '.')) {
        return true;
    }
    int unit = 100;
    if (!take_number(at, 1, 0, 9, &digit)) {
        return false;
    }
    do {
        *ret_ms += digit * unit;
        unit /= 10;
    } while (unit > 0 && take_number(at, 1, 0, 9, &digit));
    return true;
}

/* Reads "Z", or the offset from UTC. */
static bool take_zone(const char **at, int *ret_minutes)
{
    int hours = 0;
    int minutes = 0;
    *ret_minutes = 0;
    if (take(at, 'Z')) {
        return true;
    }
    int sign = **at == '-' ? -1 : 1;
    if (!(take(at, '+') || take(at, '-')) || !take_number(at, 2, 0, 23, &hours) || !take(at, ':') ||
        !take_number(at, 2, 0, 59, &minutes)) {
        return false;
    }
    *ret_minutes = sign * (hours * 60 + minutes);
    return true;
}

static bool take_clock(const char **at, struct tm *time, int *ret_ms, int *ret_zone_minutes)
{
    return take(at, 'T') && take_number(at, 2, 0, 23, &time->tm_hour) && take(at, ':') &&
           take_number(at, 2, 0, 59, &time->tm_min) && take(at, ':') &&
           take_number(at, 2, 0, 59, &time->tm_sec) && take_fraction(at, ret_ms) &&
           take_zone(at, ret_zone_minutes);
}

bool rfc3339_parse(const char *text, int64_t *ret_ms)
{
    struct tm time = { 0 };
    int ms = 0;
    int zone_minutes = 0;
    const char *at = text;
    bool is_date = take_number(&at, 4, 1970, 9999, &time.tm_year) && take(&at, '-') &&
                   take_number(&at, 2, 1, 12, &time.tm_mon) && take(&at, '-') &&
                   take_number(&at, 2, 1, 31, &time.tm_mday);
    if (!is_date || (*at && !take_clock(&at, &time, &ms, &zone_minutes)) || *at) {
        return false;
    }
    const struct tm given = time;
    time.tm_year -= 1900;
    time.tm_mon -= 1;
    int64_t seconds = timegm(&time);
    /* timegm() turns the 31st of April into the 1st of May. */
    bool is_real = time.tm_mday == given.tm_mday;
    int64_t result = (seconds - (int64_t)zone_minutes * 60) * 1000 + ms;
    if (!is_real || result < 0) {
        return false;
    }
    *ret_ms = result;
    return true;
}

void rfc3339_format(int64_t ms, bool has_ms, char ret_text[static RFC3339_SIZE])
{
    time_t seconds = (time_t)(ms / 1000);
    struct tm utc;
    *ret_text = '\0';
    if (gmtime_r(&seconds, &utc)) {
        size_t length = strftime(ret_text, RFC3339_SIZE, "%Y-%m-%dT%H:%M:%S", &utc);
        snprintf(ret_text + length, RFC3339_SIZE - length, has_ms ? ".%03dZ" : "Z",
                 (int)(ms % 1000));
    }
}
