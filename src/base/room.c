#include "base/room.h"

#include <stdlib.h>
#include <string.h>

bool slipi_room(void *array, int32_t *capacity, int64_t count, size_t size) {
  if (count <= *capacity)
    return true;
  int64_t room = 2 * (int64_t)*capacity > count ? 2 * (int64_t)*capacity : count;
  room = room < 8 ? 8 : room;
  if (room > INT32_MAX)
    room = INT32_MAX;
  void *at;
  memcpy(&at, array, sizeof at); /* a pointer of any type */
  at = count > room ? NULL : realloc(at, (size_t)room * size);
  if (!at)
    return false;
  memcpy(array, &at, sizeof at);
  *capacity = (int32_t)room;
  return true;
}
