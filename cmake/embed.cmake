# Writes OUTPUT, a C file with the text of INPUT as `const char NAME[]`. Where a line of INPUT is
# `/* include FILE */`, the text of that file beside it comes in its place,
# and may include others.
# Called as: cmake -DINPUT=… -DOUTPUT=… -DNAME=… -P embed.cmake
file(READ ${INPUT} text)
get_filename_component(directory ${INPUT} DIRECTORY)
while(text MATCHES "/\\* include ([a-z]+\\.js) \\*/")
    set(mark "${CMAKE_MATCH_0}")
    file(READ ${directory}/${CMAKE_MATCH_1} part)
    string(REPLACE "${mark}" "${part}" text "${text}")
endwhile()
string(HEX "${text}" hex)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE ${OUTPUT} "extern const char ${NAME}[];\nconst char ${NAME}[] = {${bytes}0};\n")
