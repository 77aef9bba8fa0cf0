/* The one place where the version stands; CMake and the documentation read it from here. */
#ifndef SLIPCONE_VERSION_H
#define SLIPCONE_VERSION_H

#define SLIPCONE_VERSION_MAJOR 0
#define SLIPCONE_VERSION_MINOR 2
#define SLIPCONE_VERSION_PATCH 0
#define SLIPCONE_VERSION "0.2.0"

#endif
