# Build options and the compiler flags that follow from them, as two interface targets:
# slipcone_flags for everything, slipcone_strict for the library and the tool.

option(SLIPCONE_WERROR "Treat compiler warnings as errors" ON)
option(SLIPCONE_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)
option(SLIPCONE_SANITIZE_THREADS "Build with ThreadSanitizer" OFF)
option(SLIPCONE_FUZZ "Build the libFuzzer targets of tests/fuzz (needs clang)" OFF)
option(SLIPCONE_TESTS "Build the tests" ON)
option(SLIPCONE_MPI "Build the solver for many processes of mpi/, and only that" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(slipcone_flags INTERFACE)
target_compile_definitions(slipcone_flags INTERFACE _POSIX_C_SOURCE=200809L)
# No contraction to fused multiply-add, so that the same source gives the same bits with every
# compiler and on every processor; no -march=native and no fast-math for the same reason. Nobody
# reads errno after a mathematical function, and without it sqrt is one instruction.
target_compile_options(slipcone_flags INTERFACE -ffp-contract=off -fno-math-errno -Wall -Wextra)
# GCC clears and copies structs by `rep stos` and `rep movs`, which take as long to begin as a whole
# struct by plain moves does; of a run on one contact that was a tenth.
set(SLIPCONE_PLAIN_MOVES
  "-mmemset-strategy=vector_loop:256:noalign,libcall:-1:noalign"
  "-mmemcpy-strategy=unrolled_loop:256:noalign,libcall:-1:noalign")
include(CheckCCompilerFlag)
string(REPLACE ";" " " SLIPCONE_PLAIN_MOVES_LINE "${SLIPCONE_PLAIN_MOVES}")
check_c_compiler_flag("${SLIPCONE_PLAIN_MOVES_LINE}" SLIPCONE_HAS_PLAIN_MOVES)
if(SLIPCONE_HAS_PLAIN_MOVES)
  target_compile_options(slipcone_flags INTERFACE "$<$<COMPILE_LANGUAGE:C>:${SLIPCONE_PLAIN_MOVES}>")
endif()
# Error texts have a fixed size and are cut on purpose.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  target_compile_options(slipcone_flags INTERFACE -Wno-format-truncation)
endif()
# Instrumented code makes gcc warn of what is not there; the plain builds judge the warnings.
if(SLIPCONE_WERROR AND NOT SLIPCONE_SANITIZE AND NOT SLIPCONE_SANITIZE_THREADS)
  target_compile_options(slipcone_flags INTERFACE -Werror)
endif()

add_library(slipcone_strict INTERFACE)
target_link_libraries(slipcone_strict INTERFACE slipcone_flags)
target_compile_options(slipcone_strict INTERFACE
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
  -Wvla -Wundef)

set(SLIPCONE_SANITIZERS "")
if(SLIPCONE_SANITIZE OR SLIPCONE_FUZZ)
  set(SLIPCONE_SANITIZERS -fsanitize=address,undefined -fno-sanitize-recover=all
                          -fno-omit-frame-pointer)
  if(SLIPCONE_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
      message(FATAL_ERROR "SLIPCONE_FUZZ needs clang: configure with CC=clang CXX=clang++ "
                          "(Debian packages clang and libclang-rt-14-dev).")
    endif()
    list(APPEND SLIPCONE_SANITIZERS -fsanitize=fuzzer-no-link)
  endif()
elseif(SLIPCONE_SANITIZE_THREADS)
  set(SLIPCONE_SANITIZERS -fsanitize=thread)
endif()
if(SLIPCONE_SANITIZERS)
  target_compile_options(slipcone_flags INTERFACE ${SLIPCONE_SANITIZERS} -g)
  target_link_options(slipcone_flags INTERFACE ${SLIPCONE_SANITIZERS})
endif()
