# Writes OUTPUT, a C file with the texts of PARTS one after another as `const char NAME[]`, and
# their SHA-256 in hexadecimal digits as `const char NAME_sha256[]`.
# Called as: cmake -DPARTS=a,b -DOUTPUT=… -DNAME=… -P bundle.cmake
string(REPLACE "," ";" parts "${PARTS}")
file(WRITE ${OUTPUT}.text "")
foreach(part IN LISTS parts)
    file(READ ${part} text)
    file(APPEND ${OUTPUT}.text "${text}")
endforeach()

file(STRINGS ${OUTPUT}.text ends REGEX "</[sS][cCtT][rRyY]|<!--")
if(ends)
    message(FATAL_ERROR "${PARTS}: this would end or hide an inline script: ${ends}")
endif()
file(SHA256 ${OUTPUT}.text sum)
file(READ ${OUTPUT}.text hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE ${OUTPUT} "extern const char ${NAME}[], ${NAME}_sha256[];\n"
                     "const char ${NAME}[] = {${bytes}0};\n"
                     "const char ${NAME}_sha256[] = \"${sum}\";\n")
