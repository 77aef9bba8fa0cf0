/* Monotonic wall-clock seconds. */
#ifndef SLIPI_BASE_CLOCK_H
#define SLIPI_BASE_CLOCK_H

double slipi_clock_seconds(void);

#endif
