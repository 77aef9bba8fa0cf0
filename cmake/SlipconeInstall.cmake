# make install: headers, both libraries, the tool, its man page and completion, the documents,
# a pkg-config file and a CMake package. SlipconePython.cmake installs the Python package.

include(CMakePackageConfigHelpers)

install(FILES ${SLIPCONE_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/slipcone)
install(TARGETS slipcone EXPORT slipconeTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS slipcone_static EXPORT slipconeStaticTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# ---- CMake package: slipcone::slipcone (shared) and slipcone::static -----------------------------

set(SLIPCONE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/slipcone)
configure_package_config_file(cmake/slipconeConfig.cmake.in slipconeConfig.cmake
                              INSTALL_DESTINATION ${SLIPCONE_CMAKE_DIR})
write_basic_package_version_file(slipconeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT slipconeTargets NAMESPACE slipcone:: DESTINATION ${SLIPCONE_CMAKE_DIR})
install(EXPORT slipconeStaticTargets NAMESPACE slipcone:: DESTINATION ${SLIPCONE_CMAKE_DIR})
install(FILES ${PROJECT_BINARY_DIR}/slipconeConfig.cmake
              ${PROJECT_BINARY_DIR}/slipconeConfigVersion.cmake
              cmake/SlipconeDependencies.cmake
        DESTINATION ${SLIPCONE_CMAKE_DIR})

# ---- pkg-config ----------------------------------------------------------------------------------

# Relative to the file itself, so that an installed tree can be moved.
file(RELATIVE_PATH SLIPCONE_PC_PREFIX
     ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" SLIPCONE_PC_PREFIX "${SLIPCONE_PC_PREFIX}")
# What CHOLMOD needs in programs linked with -static; see cmake/nometis.c.
find_library(SLIPCONE_STATIC_METIS libmetis.a)
mark_as_advanced(SLIPCONE_STATIC_METIS)
set(SLIPCONE_METIS -lmetis)
if(NOT SLIPCONE_STATIC_METIS)
  set(SLIPCONE_METIS -lslipcone_nometis)
  add_library(slipcone_nometis STATIC cmake/nometis.c)
  target_link_libraries(slipcone_nometis PRIVATE slipcone_flags)
  install(TARGETS slipcone_nometis ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
# Qhull's static library has another name than its shared one, and a pkg-config file of its own.
pkg_check_modules(SLIPCONE_QHULLSTATIC QUIET qhullstatic_r)
set(SLIPCONE_QHULL_STATIC qhull_r)
if(SLIPCONE_QHULLSTATIC_FOUND)
  set(SLIPCONE_QHULL_STATIC qhullstatic_r)
endif()
configure_file(cmake/slipcone.pc.in slipcone.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/slipcone.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# ---- The tool, with a man page and completion it prints itself -----------------------------------

if(TARGET slipcone_cli)
  install(TARGETS slipcone_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  set(man ${PROJECT_BINARY_DIR}/share/slipcone.1)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share)
  add_custom_command(OUTPUT ${man} COMMAND slipcone_cli --man > ${man} DEPENDS slipcone_cli
                     COMMENT "Writing the man page" VERBATIM)
  set(completions "")
  foreach(shell bash zsh fish)
    set(completion ${PROJECT_BINARY_DIR}/share/slipcone.${shell})
    add_custom_command(OUTPUT ${completion} COMMAND slipcone_cli --completion ${shell} > ${completion}
                       DEPENDS slipcone_cli COMMENT "Writing the ${shell} completion" VERBATIM)
    list(APPEND completions ${completion})
  endforeach()
  add_custom_target(slipcone_share ALL DEPENDS ${man} ${completions})
  install(FILES ${man} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  set(share ${PROJECT_BINARY_DIR}/share)
  install(FILES ${share}/slipcone.bash RENAME slipcone
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${share}/slipcone.zsh RENAME _slipcone
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${share}/slipcone.fish
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

if(TARGET slipcone-peer-siconos)
  install(TARGETS slipcone-peer-siconos RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# ---- Documents, placed as in the source folder so that their links hold --------------------------

install(FILES README.md LICENSE CHANGELOG.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
        FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png")
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.yaml")
install(FILES bench/campaign.txt DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
        FILES_MATCHING PATTERN "*.c" PATTERN "*.py")
file(RELATIVE_PATH SLIPCONE_DOC_INCLUDE ${CMAKE_INSTALL_FULL_DOCDIR}
     ${CMAKE_INSTALL_FULL_INCLUDEDIR})
install(CODE "file(CREATE_LINK \"${SLIPCONE_DOC_INCLUDE}\"
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/include\" SYMBOLIC)")
