# What libslipcone stands on, gathered in one target, slipcone::dependencies.
#
# The build includes this file, and so does the installed package for those who link the static
# library. SLIPCONE_MISSING_PACKAGES lists the Debian packages of what was not found.

set(SLIPCONE_MISSING_PACKAGES "")

find_package(PkgConfig QUIET)
if(NOT PkgConfig_FOUND)
  list(APPEND SLIPCONE_MISSING_PACKAGES pkg-config)
endif()
find_package(Threads QUIET)
if(NOT Threads_FOUND)
  list(APPEND SLIPCONE_MISSING_PACKAGES libc6-dev)
endif()

# One entry per library: CMake name, Debian package, pkg-config modules to try in turn.
function(slipcone_find_module name package)
  if(PkgConfig_FOUND)
    pkg_search_module(SLIPCONE_${name} QUIET IMPORTED_TARGET GLOBAL ${ARGN})
  endif()
  if(NOT SLIPCONE_${name}_FOUND)
    set(SLIPCONE_MISSING_PACKAGES ${SLIPCONE_MISSING_PACKAGES} ${package} PARENT_SCOPE)
  endif()
endfunction()

# Where HDF5 for MPI is installed too, the name without a suffix may stand for that one.
if(SLIPCONE_MPI)
  slipcone_find_module(HDF5 libhdf5-openmpi-dev hdf5-openmpi)
  slipcone_find_module(MPI libopenmpi-dev ompi-c)
  slipcone_find_module(PETSC libpetsc-real-dev PETSc)
else()
  slipcone_find_module(HDF5 libhdf5-dev hdf5-serial hdf5)
endif()
slipcone_find_module(ZLIB zlib1g-dev zlib)
slipcone_find_module(LAPACKE liblapacke-dev lapacke)
slipcone_find_module(BLAS libopenblas-dev openblas)
slipcone_find_module(QHULL libqhull-dev qhull_r)
slipcone_find_module(YAML libyaml-dev yaml-0.1)

# SuiteSparse before version 7 has no pkg-config files.
find_path(SLIPCONE_SUITESPARSE_INCLUDE cholmod.h PATH_SUFFIXES suitesparse)
foreach(library umfpack cholmod amd camd suitesparseconfig)
  find_library(SLIPCONE_LIBRARY_${library} ${library})
  mark_as_advanced(SLIPCONE_LIBRARY_${library})
endforeach()
mark_as_advanced(SLIPCONE_SUITESPARSE_INCLUDE)
if(NOT SLIPCONE_SUITESPARSE_INCLUDE OR NOT SLIPCONE_LIBRARY_umfpack
   OR NOT SLIPCONE_LIBRARY_cholmod OR NOT SLIPCONE_LIBRARY_amd OR NOT SLIPCONE_LIBRARY_camd
   OR NOT SLIPCONE_LIBRARY_suitesparseconfig)
  list(APPEND SLIPCONE_MISSING_PACKAGES libsuitesparse-dev)
endif()

if(NOT SLIPCONE_MISSING_PACKAGES AND NOT TARGET slipcone::dependencies)
  add_library(slipcone::dependencies INTERFACE IMPORTED GLOBAL)
  target_include_directories(slipcone::dependencies SYSTEM INTERFACE
                             ${SLIPCONE_SUITESPARSE_INCLUDE})
  target_link_libraries(slipcone::dependencies INTERFACE
    PkgConfig::SLIPCONE_HDF5 PkgConfig::SLIPCONE_ZLIB
    ${SLIPCONE_LIBRARY_umfpack} ${SLIPCONE_LIBRARY_cholmod} ${SLIPCONE_LIBRARY_amd} ${SLIPCONE_LIBRARY_camd}
    ${SLIPCONE_LIBRARY_suitesparseconfig}
    PkgConfig::SLIPCONE_LAPACKE PkgConfig::SLIPCONE_BLAS PkgConfig::SLIPCONE_QHULL
    PkgConfig::SLIPCONE_YAML Threads::Threads m)
endif()
