# Writes the header OUTPUT with the commit of SOURCE, its day, and LIBRARIES; without git the commit is empty, and the day
# is that of $SOURCE_DATE_EPOCH or today.
set(commit "$ENV{BROWSER_RUNNER_COMMIT}")
string(TIMESTAMP day "%Y-%m-%d" UTC)
if(NOT commit AND EXISTS ${SOURCE}/.git)
    execute_process(COMMAND git --no-optional-locks -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude *
                    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
        execute_process(COMMAND git -C ${SOURCE} log -1 --format=%cs
                        OUTPUT_VARIABLE day OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#define BUILT_FROM_COMMIT    "@commit@"
#define BUILT_ON             "@day@"
#define BUILT_WITH_LIBRARIES "@LIBRARIES@"
]])
