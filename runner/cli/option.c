#include "runner/cli/option.h"

#include "runner/base/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool option_integer(const char *value, long min, long max, long *ret_number, struct br_error *err)
{
    char *end = NULL;
    errno = 0;
    long number = strtol(value, &end, 10);
    if (*value == '\0' || *end != '\0' || errno || number < min || number > max) {
        return error_set(err, BR_INVALID_ACTION, "\"%s\" is not a number from %ld to %ld", value,
                         min, max);
    }
    *ret_number = number;
    return true;
}

bool option_int(const char *value, long min, long max, int *field, struct br_error *err)
{
    long number = 0;
    if (!option_integer(value, min, max, &number, err)) {
        return false;
    }
    *field = (int)number;
    return true;
}

bool option_choice(const char *value, const char *const *choices, const char **field,
                   struct br_error *err)
{
    size_t count = 0;
    for (; choices[count]; count++) {
        if (strcmp(value, choices[count]) == 0) {
            *field = value;
            return true;
        }
    }
    error_set(err, BR_INVALID_ACTION, "\"%s\" is unknown here", value);
    return names_hint(value, choices, count, err);
}

bool option_is_of(const struct option *option, const struct command *command)
{
    return (command->option_groups & option->group) != 0;
}
