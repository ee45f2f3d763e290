# Writes OUTPUT, a C file with the text of INPUT as `const char NAME[]`. Where a line of INPUT is
# `/* include FILE */`, the text of that file beside it comes in its place.
# Called as: cmake -DINPUT=… -DOUTPUT=… -DNAME=… -P embed.cmake
file(READ ${INPUT} text)
get_filename_component(directory ${INPUT} DIRECTORY)
string(REGEX MATCHALL "/\\* include [a-z]+\\.js \\*/" marks "${text}")
foreach(mark IN LISTS marks)
    string(REGEX REPLACE "/\\* include ([a-z]+\\.js) \\*/" "\\1" part "${mark}")
    file(READ ${directory}/${part} part)
    string(REPLACE "${mark}" "${part}" text "${text}")
endforeach()
string(HEX "${text}" hex)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE ${OUTPUT} "extern const char ${NAME}[];\nconst char ${NAME}[] = {${bytes}0};\n")
