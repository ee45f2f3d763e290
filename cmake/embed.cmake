# Writes OUTPUT, a C file with the text of INPUT as `const char NAME[]`. Where a line of INPUT is
# `/* include FILE */`, the text of that file beside it comes in its place,
# and may include others. Of a script the comments and the white space that begin a line are left out.
# With KEPT_AS the text is a statement that keeps the value of INPUT, once, in the global browserRunner
# as its member of this name.
# Called as: cmake -DINPUT=… -DOUTPUT=… -DNAME=… [-DKEPT_AS=…] -P embed.cmake
file(READ ${INPUT} text)
get_filename_component(directory ${INPUT} DIRECTORY)
while(text MATCHES "/\\* include ([a-z/]+\\.js) \\*/")
    set(mark "${CMAKE_MATCH_0}")
    file(READ ${directory}/${CMAKE_MATCH_1} part)
    string(REPLACE "${mark}" "${part}" text "${text}")
endwhile()

if(INPUT MATCHES "\\.js$")
    set(comment "\n[ \t]*/\\*[^*]*\\*+([^/*][^*]*\\*+)*/[ \t]*\n")
    set(text "\n${text}")
    while(text MATCHES "${comment}")
        string(REGEX REPLACE "${comment}" "\n" text "${text}")
    endwhile()
    # What stands at the beginning of a line would be a part of a text that goes on there.
    if(text MATCHES "\n[^`\n]*(`[^`\n]*`[^`\n]*)*`[^`\n]*\n")
        message(FATAL_ERROR "${INPUT}: a template is to end in its line:${CMAKE_MATCH_0}")
    endif()
    # With one other character a script takes two bytes for each, on its way and in the browser.
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
