# Turn files into C arrays:
#   cmake -DOUTPUT=x.c -DHEADER=x.h -DPREFIX=slipi_x_ -DFILES="name=path1+path2;..." -P EmbedFiles.cmake
#
# Each entry becomes `const char <prefix><name>[]`, which the header declares: the files one after
# another and a final zero. The content passes as hexadecimal digits, so that nothing in it means anything to CMake.

set(text "/* Made by cmake/EmbedFiles.cmake. */\n#include \"${HEADER}\"\n")
foreach(entry ${FILES})
  string(REGEX MATCH "^([a-z_]+)=(.*)$" matched "${entry}")
  set(name ${CMAKE_MATCH_1})
  string(REPLACE "+" ";" paths "${CMAKE_MATCH_2}")
  set(digits "")
  foreach(path ${paths})
    file(READ "${path}" part HEX)
    string(APPEND digits "${part}")
  endforeach()
  string(REGEX REPLACE "(................................)" "\\1\n  " digits "${digits}")
  # Octal or decimal escapes would do for ASCII only; '\xNN' keeps the type char in every locale.
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1', " digits "${digits}")
  string(APPEND text "\nconst char ${PREFIX}${name}[] = {\n  ${digits}'\\0'};\n")
endforeach()
file(WRITE "${OUTPUT}.new" "${text}")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
