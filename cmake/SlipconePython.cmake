# The Python package (docs/python.md): built in python/ of the build folder, from where it runs with
# the library beside it, and installed Debian-style. It needs Python to be made, not numpy or cffi.

find_program(SLIPCONE_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH
             DOC "The Python that the package is for")
find_program(SLIPCONE_PYTHON NAMES python3)
mark_as_advanced(SLIPCONE_PYTHON)
if(NOT SLIPCONE_PYTHON)
  message(STATUS "The Python package is left out: there is no python3")
  return()
endif()

set(SLIPCONE_PYTHON_BUILT ${PROJECT_BINARY_DIR}/python)
set(SLIPCONE_PYTHON_BACKEND ${PROJECT_SOURCE_DIR}/bindings/python/backend)
file(GLOB SLIPCONE_PYTHON_SOURCES CONFIGURE_DEPENDS
     bindings/python/slipcone/*.py bindings/python/slipcone/*.pyi bindings/python/slipcone/py.typed
     bindings/python/backend/*.py bindings/python/README.md)
# A package that was made before cffi was installed has no definitions read ahead: it is made anew.
set(cffi ${PROJECT_BINARY_DIR}/python.cffi)
execute_process(COMMAND ${SLIPCONE_PYTHON} -c "import cffi; print(cffi.__version__)"
                OUTPUT_VARIABLE SLIPCONE_CFFI ERROR_QUIET)
file(CONFIGURE OUTPUT ${cffi} CONTENT "@SLIPCONE_CFFI@" @ONLY)
set(stamp ${PROJECT_BINARY_DIR}/python.stamp)
add_custom_command(OUTPUT ${stamp}
  COMMAND ${SLIPCONE_PYTHON} -B ${SLIPCONE_PYTHON_BACKEND}/slipcone_backend.py stage
          ${SLIPCONE_PYTHON_BUILT}
  COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
  DEPENDS ${SLIPCONE_PYTHON_SOURCES} ${SLIPCONE_HEADERS} ${cffi}
  COMMENT "Making the Python package" VERBATIM)
add_custom_target(slipcone_python ALL DEPENDS ${stamp})

# Debian's Python looks into lib/python3/dist-packages of /usr, and into that of its own version in
# /usr/local; the prefix is only known when something is installed.
execute_process(COMMAND ${SLIPCONE_PYTHON} -c "import sys; print('%d.%d' % sys.version_info[:2])"
                OUTPUT_VARIABLE SLIPCONE_PYTHON_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE)
install(CODE "
  set(folder lib/python3/dist-packages)
  if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr/local\")
    set(folder lib/python${SLIPCONE_PYTHON_VERSION}/dist-packages)
  endif()
  file(INSTALL \"${SLIPCONE_PYTHON_BUILT}/\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/\${folder}\"
       PATTERN __pycache__ EXCLUDE)")
