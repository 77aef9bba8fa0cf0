/* The one place where the version stands; CMake and the documentation read it from here. */
#ifndef SLIPCONE_VERSION_H
#define SLIPCONE_VERSION_H

#define SLIPCONE_VERSION_MAJOR 0
#define SLIPCONE_VERSION_MINOR 1
#define SLIPCONE_VERSION_PATCH 0
#define SLIPCONE_VERSION "0.1.0"

#endif
