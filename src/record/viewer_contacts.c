/* Contacts in a viewer's page: of all frames where that is not too much, else of every so many. */
#include <math.h>
#include <string.h>

#include "geom/vec.h"
#include "record/pack.h"
#include "record/viewer.h"

/* Whole numbers of a contact, each a column: the bodies, status, position, normal and direction of
 * the impulse (octahedral maps, 12 bits a coordinate), size of the impulse, gap. */
enum {
  BODIES = 0,
  STATUS = 2,
  POSITION = 3,
  NORMAL = 6,
  DIRECTION = 8,
  SIZE = 10,
  GAP = 11,
  COLUMNS = 12,
  PER_PART = 20000 /* contacts of a part of the page, at least */
};

typedef struct Columns {
  SlipiText number[COLUMNS]; /* int32_t */
  SlipiText counts;          /* int32_t, of each frame of the part */
  int64_t held, part;
} Columns;

static void add(SlipiText *column, int32_t value) {
  slipi_text_add_bytes(column, (const char *)&value, sizeof value);
}

/* The unit sphere folded onto a square: |x| + |y| + |z| = 1, lower half turned outwards. */
static void octahedral(const double v[3], int32_t to[2]) {
  double sum = fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
  double x = sum > 0 ? v[0] / sum : 0, y = sum > 0 ? v[1] / sum : 0;
  if (v[2] < 0) {
    double turned = (1 - fabs(y)) * (x < 0 ? -1 : 1);
    y = (1 - fabs(x)) * (y < 0 ? -1 : 1);
    x = turned;
  }
  to[0] = slipi_viewer_quanta(x, 1.0 / 2047);
  to[1] = slipi_viewer_quanta(y, 1.0 / 2047);
}

/* Sign, exponent and the first seven digits of the mantissa of a float, rounded: two figures. */
static int32_t short_float(double value) {
  float single = (float)value;
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  return isfinite(single) ? (int32_t)((bits + 0x8000U) >> 16) : 0;
}

static void add_contact(const SlipiViewer *viewer, Columns *columns,
                        const SlipSimContact *contact) {
  int32_t value[COLUMNS];
  value[BODIES] = contact->bodies[0];
  value[BODIES + 1] = contact->bodies[1];
  value[STATUS] = contact->status;
  for (int c = 0; c < 3; c++)
    value[POSITION + c] =
        slipi_viewer_quanta(contact->position[c] - viewer->low[c], viewer->quantum);
  octahedral(contact->normal, value + NORMAL);
  octahedral(contact->impulse, value + DIRECTION);
  value[SIZE] = short_float(slipi_length(contact->impulse));
  value[GAP] = short_float(contact->gap);
  for (int c = 0; c < COLUMNS; c++)
    add(&columns->number[c], value[c]);
  columns->held++;
}

/* Neighbours in the list are neighbours in space: differences along it are small. */
static void pack_column(SlipiText *bytes, const SlipiText *column, int64_t count, bool differ) {
  int32_t *value = (int32_t *)(void *)column->bytes;
  for (int64_t k = count - 1; differ && k > 0; k--)
    value[k] -= value[k - 1];
  slipi_pack_integers(bytes, value, count);
}

static void pack_part(SlipiViewer *viewer, Columns *columns) {
  SlipiText bytes = {0};
  int32_t frames = (int32_t)(columns->counts.length / sizeof(int32_t));
  slipi_text_add_bytes(&bytes, (const char *)&frames, sizeof frames);
  slipi_text_add_bytes(&bytes, columns->counts.bytes, columns->counts.length);
  for (int c = 0; c < COLUMNS; c++) {
    if (columns->number[c].failed || columns->counts.failed)
      viewer->parts.failed = true;
    else if (columns->held > 0)
      pack_column(&bytes, &columns->number[c], columns->held,
                  c < STATUS || (c >= POSITION && c < NORMAL));
    columns->number[c].length = 0;
  }
  slipi_pack(&viewer->parts, "contacts", columns->part++, bytes.bytes, bytes.length);
  viewer->parts.failed |= bytes.failed;
  slipi_text_free(&bytes);
  columns->counts.length = 0;
  columns->held = 0;
}

/* Frames from one whose contacts are kept to the next. */
static int64_t choose_stride(const SlipiViewer *viewer) {
  int64_t all = 0;
  for (int64_t k = 0; k < viewer->frames; k++)
    all += viewer->frame_contacts[k];
  if (viewer->contacts <= 0 || all == 0)
    return 0;
  return all <= viewer->contacts ? 1 : (all + viewer->contacts - 1) / viewer->contacts;
}

SlipStatus slipi_viewer_add_contacts(SlipiViewer *viewer, SlipError *error) {
  Columns columns = {0};
  int64_t stride = choose_stride(viewer);
  SlipStatus status = SLIP_OK;
  for (int64_t k = 0; stride > 0 && status == SLIP_OK && k < viewer->frames; k += stride) {
    SlipSimState state = slip_default_sim_state();
    status = slipi_viewer_frame(viewer, k, &state, error);
    if (status != SLIP_OK)
      break;
    add(&columns.counts, state.contacts);
    for (int32_t c = 0; c < state.contacts; c++)
      add_contact(viewer, &columns, &state.contact[c]);
    if (columns.held >= PER_PART || k + stride >= viewer->frames)
      pack_part(viewer, &columns);
  }
  const double figures[2] = {(double)stride, (double)columns.part};
  slipi_pack(&viewer->parts, "contact-figures", -1, figures, sizeof figures);
  for (int c = 0; c < COLUMNS; c++)
    slipi_text_free(&columns.number[c]);
  slipi_text_free(&columns.counts);
  if (status == SLIP_OK && viewer->parts.failed)
    status = slipi_fail_memory(error, "the contacts of a page");
  return status;
}
