/* Large arrays that are written as a whole: their memory in large pages where the system has such,
 * which spares tens of thousands of faults. */
#ifndef SLIPI_BASE_HUGE_H
#define SLIPI_BASE_HUGE_H

#include <stddef.h>

/* A wish for an array that has not been written to yet; the system may ignore it. */
void slipi_wish_huge(void *array, size_t bytes);

#endif
