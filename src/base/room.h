/* Arrays that grow and keep their memory. */
#ifndef SLIPI_BASE_ROOM_H
#define SLIPI_BASE_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for `count` items of `size` bytes in an array of malloc's: `array` is the address of the
 * pointer to it, of any type. Grows to at least twice the capacity, so that items added one by one
 * cost little; false without memory, and the array then is as it was. */
bool slipi_room(void *array, int32_t *capacity, int64_t count, size_t size);

#define SLIPI_ROOM(array, capacity, count)                                                         \
  slipi_room(&(array), &(capacity), (count), sizeof *(array))

#endif
