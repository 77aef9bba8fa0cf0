#include "record/layout.h"

#include <string.h>

typedef struct Row {
  const char *path;
  SlipiColumnType type;
  SlipiRecordPer per;
  int extent[2];
} Row;

static const Row rows[] = {
#define ROW(name, path, type, per, first, second)                                                  \
  {path, SLIPI_COLUMN_##type, SLIPI_PER_##per, {first, second}},
    SLIPI_RECORD_COLUMNS(ROW)
#undef ROW
};

SlipiRecordPer slipi_record_per(SlipiRecordColumn column) {
  return rows[column].per;
}

bool slipi_record_is_soft(SlipiRecordColumn column) {
  return (column >= SLIPI_RECORD_SOFT_BODY && column <= SLIPI_RECORD_SOFT_FACE_NODE) ||
         (column >= SLIPI_RECORD_SOFT_DISPLACEMENT && column <= SLIPI_RECORD_SOFT_FORCE);
}

bool slipi_record_is_late(SlipiRecordColumn column) {
  return column == SLIPI_RECORD_CONTACT_MOMENT;
}

void slipi_record_columns(int32_t bodies, int64_t nodes, SlipiColumn column[SLIPI_RECORD_COUNT]) {
  memset(column, 0, SLIPI_RECORD_COUNT * sizeof *column);
  for (int k = 0; k < SLIPI_RECORD_COUNT; k++) {
    const Row *row = &rows[k];
    column[k].path = row->path;
    column[k].type = row->type;
    column[k].tail = row->extent[1] ? 2 : row->extent[0] ? 1 : 0;
    column[k].extent[0] = (hsize_t)(row->extent[0] == -1   ? bodies
                                    : row->extent[0] == -2 ? nodes
                                                           : row->extent[0]);
    column[k].extent[1] = (hsize_t)row->extent[1];
  }
}
