# Write OUTPUT, a header that names the commit the sources are at, if it changed. Run by the build
# each time: cmake -DSOURCE=... -DOUTPUT=... -P SlipconeCommit.cmake
set(commit "")
find_program(GIT git)
if(GIT AND EXISTS "${SOURCE}/.git")
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define SLIPCONE_COMMIT \"${commit}\"\n")
