# cmake/embed.cmake leaves out of a script what says nothing to a browser, and nothing else.
# Called as: cmake -DSOURCE=… -DWORK=… -P embed.cmake
set(input ${WORK}/embedded.js)
set(output ${WORK}/embedded.c)

function(embed text)
    file(WRITE ${input} "${text}")
    execute_process(
        COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DOUTPUT=${output} -DNAME=script ${ARGN}
                -P ${SOURCE}/cmake/embed.cmake
        RESULT_VARIABLE code ERROR_VARIABLE said)
    set(code ${code} PARENT_SCOPE)
    # CMake breaks the lines of its messages where the length of a path puts them.
    string(REGEX REPLACE "[ \n]+" " " said "${said}")
    set(said "${said}" PARENT_SCOPE)
endfunction()

function(expect name text)
    file(READ ${output} found)
    string(HEX "${text}" hex)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(FIND "${found}" "const char ${name}[] = {${bytes}0};" at)
    if(NOT code EQUAL 0 OR at EQUAL -1)
        message(FATAL_ERROR "${name} is not\n${text}\n${said}${found}")
    endif()
endfunction()

embed("/* x */\nfunction () {\n\n    /* one */\n    /* two\n     ** and more */\n    const said = ['/* a */', 1]; /* b */\n    return `c` + said;\n}\n")
expect(script "function () {\nconst said = ['/* a */', 1]; /* b */\nreturn `c` + said;\n}")
embed("function () {\n    return 1;\n}\n" -DKEPT_AS=here)
expect(script "void ((globalThis.browserRunner ??= {}).here ??= (function () {\nreturn 1;\n}))")
embed("function () {\n    return `a\n        b`;\n}\n")
if(code EQUAL 0 OR NOT said MATCHES "a template is to end in its line")
    message(FATAL_ERROR "a text over several lines was embedded: ${code} ${said}")
endif()
embed("function () {\n    return 'a…';\n}\n")
if(code EQUAL 0 OR NOT said MATCHES "write it as .u and its number")
    message(FATAL_ERROR "a script of two bytes a character was embedded: ${code} ${said}")
endif()
embed("/* … */\nfunction () {\n    return 1;\n}\n")
expect(script "function () {\nreturn 1;\n}")
