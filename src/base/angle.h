/* Angles. C17 has no name for pi. */
#ifndef SLIPI_BASE_ANGLE_H
#define SLIPI_BASE_ANGLE_H

#define SLIPI_PI 3.14159265358979323846
#define SLIPI_DEGREE (SLIPI_PI / 180)

#endif
