# Writes OUTPUT, a C file with the text of INPUT as `const char NAME[]`. A line `/* include FILE */` of INPUT is replaced by
# the text of that file beside it, which may include others. For a script, comments and leading white space are removed.
# With KEPT_AS the text becomes a statement that stores the value of INPUT once, as the member with this name of the global
# browserRunner.
# Called as: cmake -DINPUT=… -DOUTPUT=… -DNAME=… -DPARTS=NAME.js,… [-DKEPT_AS=…] -P embed.cmake
# A file is written again when one of PARTS has changed, so what it includes must be one of them.
file(READ ${INPUT} text)
get_filename_component(directory ${INPUT} DIRECTORY)
while(text MATCHES "/\\* include ([a-z/]+\\.js) \\*/")
    set(mark "${CMAKE_MATCH_0}")
    set(file "${CMAKE_MATCH_1}")
    if(NOT ",${PARTS}," MATCHES ",[^,]*${file},")
        message(FATAL_ERROR "${INPUT} includes ${file}, which br_embed() does not have among its PARTS")
    endif()
    file(READ ${directory}/${file} part)
    string(REPLACE "${mark}" "${part}" text "${text}")
endwhile()

if(INPUT MATCHES "\\.js$")
    set(comment "\n[ \t]*/\\*[^*]*\\*+([^/*][^*]*\\*+)*/[ \t]*\n")
    set(text "\n${text}")
    while(text MATCHES "${comment}")
        string(REGEX REPLACE "${comment}" "\n" text "${text}")
    endwhile()
    # Leading white space would be part of a template that continues there.
    if(text MATCHES "\n[^`\n]*(`[^`\n]*`[^`\n]*)*`[^`\n]*\n")
        message(FATAL_ERROR "${INPUT}: a template is to end in its line:${CMAKE_MATCH_0}")
    endif()
    # A single non-ASCII character makes a script use two bytes for each, in transfer and in the browser.
    if(text MATCHES "\n([^\n]*[^\n\t -~][^\n]*)\n")
        message(FATAL_ERROR "${INPUT}: write it as \\u and its number: ${CMAKE_MATCH_1}")
    endif()
    string(REGEX REPLACE "\n[ \t\n]+" "\n" text "${text}")
    string(STRIP "${text}" text)
endif()

function(write_text name text)
    string(HEX "${text}" hex)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    file(APPEND ${OUTPUT} "extern const char ${name}[];\nconst char ${name}[] = {${bytes}0};\n")
endfunction()

file(WRITE ${OUTPUT} "")
if(KEPT_AS)
    set(text "void ((globalThis.browserRunner ??= {}).${KEPT_AS} ??= (${text}))")
endif()
write_text(${NAME} "${text}")
