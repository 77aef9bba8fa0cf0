/* A hierarchical grid.
 *
 * Boxes of about the same size, within a factor of two, share a level, and each has its place in
 * the one cell of that level that holds its low corner. A cell is as long as the largest box of its
 * level and of the finer ones, so a box i meets only boxes j of the level whose low corner is in
 *
 *     [low_i - cell, high_i]     three cells an axis at most
 *
 * A box asks its own level, in half of the directions, and all coarser ones. The rule loses nothing
 * to rounding: subtraction, scaling and truncation are monotone, and cells are a little larger than
 * boxes.
 *
 * Cells are rows along x. The buckets of a row are side by side, so that the cells asked for in a
 * row are one run of boxes; where the grid would be much larger than the number of boxes, rows
 * begin at buckets given by a hash, and what another row has left there is told apart by its cell.
 *
 * Few boxes are swept along an axis instead (geom/broad_sweep.h). */
#include "geom/broad.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "geom/broad_sweep.h"

enum {
  LEVELS = 64,
  PIECE = 2048, /* boxes */
  CELL_MOST = 1 << 30,
  SAMPLE = 61,          /* boxes that tell where most are */
  BOXES_MOST = 1 << 28, /* so that buckets have 32-bit numbers */
  SPARSE = 4            /* cells for each box from which on the rows of a level are hashed */
};
/* Cells exceed boxes by more than what the subtraction of two numbers loses. */
static const double WIDER = 1 + 1e-12;

/* A box where its cell has put it; one cache line. */
typedef struct Entry {
  double low[3], high[3];
  int32_t box, group;
  uint8_t level, still;
} Entry;

typedef struct Level {
  double cell[3], inverse[3];
  double extent[3], least[3], most[3]; /* largest extent of its boxes; range of their low corners */
  int32_t count, first_cell[3], last_cell[3];
  int32_t base; /* its first bucket */
  int32_t buckets;
  int64_t row, layer; /* buckets from one row to the next, and from one layer; 0: hashed */
} Level;

struct SlipiBroad {
  SlipiMemory entry, level_of, bucket, start, infinite;
  SlipiSweepOrder order;
  SlipiPool pool;
};

typedef struct Search {
  int32_t count, finite, infinite_count, levels;
  const double *low, *high;
  const int32_t *group;
  const uint8_t *still;
  double origin[3];    /* where most boxes are */
  double spread[3];    /* half of them are within that */
  Level level[LEVELS]; /* coarse to fine; those without boxes are left out */
  uint8_t *level_of;   /* of a box; LEVELS: infinite */
  int32_t *bucket;     /* of a box */
  int32_t *start;      /* of a bucket: its first entry */
  int32_t *infinite;
  Entry *entry;
  SlipiPool *pool;
  int32_t pieces; /* of the entries */
} Search;

/* Where pairs of a search are written to. */
typedef struct Page {
  const Search *search;
  SlipiPage out;
} Page;

/* ---- Levels ------------------------------------------------------------------------------ */

static double extent_of(const Search *search, int32_t box, int axis) {
  return search->high[3 * (size_t)box + axis] - search->low[3 * (size_t)box + axis];
}

/* The longest edge of a box; infinity where its place or size is not finite. */
static double longest(const Search *search, int32_t box) {
  double most = 0;
  for (int k = 0; k < 3; k++) {
    double extent = extent_of(search, box, k);
    if (!isfinite(extent))
      return INFINITY;
    most = fmax(most, extent);
  }
  return most;
}

static int compare_reals(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

/* The median of a sample: one box at the end of the world does not take the digits of the rest. */
static void find_origin(Search *search) {
  int32_t stride = search->count / SAMPLE + 1;
  for (int k = 0; k < 3; k++) {
    double sample[SAMPLE + 1] = {0};
    int32_t used = 0;
    for (int32_t box = 0; box < search->count; box += stride)
      if (isfinite(search->low[3 * (size_t)box + k]))
        sample[used++] = search->low[3 * (size_t)box + k];
    qsort(sample, (size_t)used, sizeof *sample, compare_reals);
    search->origin[k] = used ? sample[used / 2] : 0;
    search->spread[k] = used ? sample[used - 1 - used / 4] - sample[used / 4] : 0;
  }
}

/* How many times the size can be halved and still holds an extent; the last level takes all that
 * is smaller. */
static int level_for(double extent, double size) {
  int exponent;
  if (extent <= 0)
    return LEVELS - 1;
  double ratio = size / extent; /* >= 1 */
  if (!(ratio < 0x1p63))
    return LEVELS - 1;
  frexp(ratio, &exponent);
  return exponent - 1 < LEVELS - 1 ? exponent - 1 : LEVELS - 1;
}

static void add_to_level(const Search *search, Level *level, int32_t box) {
  const double *low = search->low + 3 * (size_t)box;
  for (int k = 0; k < 3; k++) {
    double extent = extent_of(search, box, k);
    level->extent[k] = level->count && level->extent[k] > extent ? level->extent[k] : extent;
    level->least[k] = level->count && level->least[k] < low[k] ? level->least[k] : low[k];
    level->most[k] = level->count && level->most[k] > low[k] ? level->most[k] : low[k];
  }
  level->count++;
}

/* Give each box its level, and collect what the levels need to know of their boxes. */
static void classify(Search *search) {
  double size = 0;
  for (int32_t box = 0; box < search->count; box++) {
    double extent = longest(search, box);
    size = extent > size && extent < INFINITY ? extent : size;
  }
  for (int32_t box = 0; box < search->count; box++) {
    double extent = longest(search, box);
    if (extent == INFINITY) {
      search->level_of[box] = LEVELS;
      search->infinite[search->infinite_count++] = box;
      continue;
    }
    int level = level_for(extent, size);
    search->level_of[box] = (uint8_t)level;
    add_to_level(search, &search->level[level], box);
  }
  search->finite = search->count - search->infinite_count;
}

/* Leave out levels without boxes; new numbers for those that stay. */
static void pack_levels(Search *search) {
  uint8_t number[LEVELS + 1] = {0};
  for (int l = 0; l < LEVELS; l++)
    if (search->level[l].count > 0) {
      number[l] = (uint8_t)search->levels;
      search->level[search->levels++] = search->level[l];
    }
  number[LEVELS] = LEVELS;
  for (int32_t box = 0; box < search->count; box++)
    search->level_of[box] = number[search->level_of[box]];
}

/* ---- Cells ------------------------------------------------------------------------------- */

/* Rounded down, and the same for all that is too far off. */
static int32_t cell_of(const Search *search, const Level *level, int axis, double x) {
  double place = (x - search->origin[axis]) * level->inverse[axis];
  if (place < -CELL_MOST)
    return -CELL_MOST;
  if (place > CELL_MOST)
    return CELL_MOST;
  int32_t cell = (int32_t)place;
  return cell - (place < cell);
}

/* A cell holds the boxes of its level and of all finer ones. Boxes without extent could have cells
 * of any size; the spread of their corners gives one that counts. Where most boxes are,
 * neighbouring numbers are closer together than cells, so that a box never asks more than a few. */
static double cell_size(const Search *search, double extent, int axis) {
  double size = extent > 0 ? extent * WIDER : search->spread[axis] * 0x1p-12;
  return fmax(fmax(size, fabs(search->origin[axis]) * 0x1p-48), 1e-300);
}

static void size_cells(Search *search) {
  double extent[3] = {0};
  for (int l = search->levels - 1; l >= 0; l--) {
    Level *level = &search->level[l];
    for (int k = 0; k < 3; k++) {
      extent[k] = fmax(extent[k], level->extent[k]);
      level->cell[k] = cell_size(search, extent[k], k);
      level->inverse[k] = 1 / level->cell[k];
    }
  }
}

/* Whether rows lie in a grid or are hashed, and how many buckets that takes. */
static int32_t lay_out(const Search *search, Level *level, int32_t base) {
  double cells = 1, room = (double)SPARSE * level->count + 64;
  int64_t length[3];
  for (int k = 0; k < 3; k++) {
    level->first_cell[k] = cell_of(search, level, k, level->least[k]);
    level->last_cell[k] = cell_of(search, level, k, level->most[k]);
    length[k] = (int64_t)level->last_cell[k] - level->first_cell[k] + 1;
    cells *= (double)length[k];
  }
  level->base = base;
  level->row = cells <= room ? length[0] : 0;
  level->layer = cells <= room ? length[0] * length[1] : 0;
  level->buckets = (int32_t)cells;
  if (cells > room)
    for (level->buckets = 64; level->buckets < level->count;)
      level->buckets *= 2;
  return base + level->buckets;
}

/* The bucket of a cell, counted from the level's first. */
static int32_t bucket_of(const Level *level, int32_t x, int32_t y, int32_t z) {
  int64_t along = (int64_t)x - level->first_cell[0];
  if (level->row > 0)
    return (int32_t)(along + level->row * (y - level->first_cell[1]) +
                     level->layer * (z - level->first_cell[2]));
  uint64_t row = slipi_hash_word((uint32_t)y, (uint64_t)(uint32_t)z << 32);
  return (int32_t)((row + (uint64_t)along) & (uint64_t)(level->buckets - 1));
}

/* ---- Boxes into cells -------------------------------------------------------------------- */

static void find_bucket(void *user, int32_t piece) {
  Search *search = user;
  int32_t end = search->count - piece * PIECE > PIECE ? (piece + 1) * PIECE : search->count;
  for (int32_t box = piece * PIECE; box < end; box++) {
    if (search->level_of[box] == LEVELS)
      continue;
    const Level *level = &search->level[search->level_of[box]];
    const double *low = search->low + 3 * (size_t)box;
    int32_t cell[3];
    for (int k = 0; k < 3; k++)
      cell[k] = cell_of(search, level, k, low[k]);
    search->bucket[box] = level->base + bucket_of(level, cell[0], cell[1], cell[2]);
  }
}

static void place(Search *search, int32_t box, Entry *entry) {
  memcpy(entry->low, search->low + 3 * (size_t)box, sizeof entry->low);
  memcpy(entry->high, search->high + 3 * (size_t)box, sizeof entry->high);
  entry->box = box;
  entry->group = search->group ? search->group[box] : -1;
  entry->level = search->level_of[box];
  entry->still = search->still ? search->still[box] != 0 : 0;
}

/* A counting sort. start[b + 1] is first the end of bucket b - 1, that is the next free place of b,
 * and has become the end of b when all are placed. */
static void sort_boxes(Search *search, int32_t buckets) {
  int32_t *start = search->start;
  memset(start, 0, ((size_t)buckets + 2) * sizeof *start);
  for (int32_t box = 0; box < search->count; box++)
    if (search->level_of[box] < LEVELS)
      start[search->bucket[box] + 2]++;
  for (int32_t b = 2; b < buckets + 2; b++)
    start[b] += start[b - 1];
  for (int32_t box = 0; box < search->count; box++)
    if (search->level_of[box] < LEVELS)
      place(search, box, &search->entry[start[search->bucket[box] + 1]++]);
}

/* ---- Pairs ------------------------------------------------------------------------------- */

static bool overlap(const double *low, const double *high, const double *other_low,
                    const double *other_high) {
  return low[0] <= other_high[0] && other_low[0] <= high[0] && low[1] <= other_high[1] &&
         other_low[1] <= high[1] && low[2] <= other_high[2] && other_low[2] <= high[2];
}

static bool wanted(int32_t group, bool still, int32_t other_group, bool other_still) {
  return !(still && other_still) && (group < 0 || group != other_group);
}

static bool meets(const Entry *a, const Entry *b) {
  return overlap(a->low, a->high, b->low, b->high) &&
         wanted(a->group, a->still, b->group, b->still);
}

/* Entries from `from` to `to` - 1, of which those in other cells than row (y, z) of the level may
 * be there by accident where rows are hashed. */
static void scan(Page *page, const Entry *own, const Level *level, int32_t from, int32_t to,
                 int32_t y, int32_t z) {
  const Search *search = page->search;
  for (int32_t e = from; e < to; e++) {
    const Entry *other = &search->entry[e];
    if (!meets(own, other))
      continue;
    if (level->row == 0 && (cell_of(search, level, 1, other->low[1]) != y ||
                            cell_of(search, level, 2, other->low[2]) != z))
      continue;
    slipi_page_add(&page->out, own->box, other->box);
  }
}

/* Cells x to last of a row; the run may go around the end of a hashed level. */
static void scan_row(Page *page, const Entry *own, const Level *level, int32_t x, int32_t last,
                     int32_t y, int32_t z) {
  const int32_t *start = page->search->start + level->base;
  if (last < x)
    return;
  int32_t bucket = bucket_of(level, x, y, z), end = bucket + (last - x) + 1;
  int32_t within = end < level->buckets ? end : level->buckets;
  scan(page, own, level, start[bucket], start[within], y, z);
  if (end > level->buckets)
    scan(page, own, level, start[0], start[end - level->buckets], y, z);
}

typedef struct Range {
  int32_t from[3], to[3];
} Range;

/* The cells of a level that may hold boxes that meet this one. */
static Range range_of(const Search *search, const Level *level, const Entry *own) {
  Range range;
  for (int k = 0; k < 3; k++) {
    int32_t from = cell_of(search, level, k, own->low[k] - level->cell[k]);
    int32_t to = cell_of(search, level, k, own->high[k]);
    range.from[k] = from > level->first_cell[k] ? from : level->first_cell[k];
    range.to[k] = to < level->last_cell[k] ? to : level->last_cell[k];
  }
  return range;
}

static void ask_coarser(Page *page, const Entry *own, const Level *level) {
  Range range = range_of(page->search, level, own);
  for (int32_t z = range.from[2]; z <= range.to[2]; z++)
    for (int32_t y = range.from[1]; y <= range.to[1]; y++)
      scan_row(page, own, level, range.from[0], range.to[0], y, z);
}

/* Of two boxes of a level the one whose cell comes first, by z, then y, then x, then its place
 * within the cell, asks. */
static void ask_own(Page *page, int32_t e, const Level *level) {
  const Search *search = page->search;
  const Entry *own = &search->entry[e];
  Range range = range_of(search, level, own);
  int32_t cell[3];
  for (int k = 0; k < 3; k++)
    cell[k] = cell_of(search, level, k, own->low[k]);
  for (int32_t z = cell[2]; z <= range.to[2]; z++)
    for (int32_t y = z > cell[2] ? range.from[1] : cell[1]; y <= range.to[1]; y++) {
      bool later = z > cell[2] || y > cell[1];
      scan_row(page, own, level, later ? range.from[0] : cell[0] + 1, range.to[0], y, z);
    }
  int32_t bucket = level->base + bucket_of(level, cell[0], cell[1], cell[2]);
  scan(page, own, level, e + 1, search->start[bucket + 1], cell[1], cell[2]);
}

static void search_entries(Page *page, int32_t from, int32_t to) {
  const Search *search = page->search;
  for (int32_t e = from; e < to; e++) {
    const Entry *own = &search->entry[e];
    ask_own(page, e, &search->level[own->level]);
    for (int l = own->level - 1; l >= 0; l--)
      ask_coarser(page, own, &search->level[l]);
  }
}

static void search_infinite(Page *page, int32_t from, int32_t to) {
  const Search *s = page->search;
  for (int32_t k = 0; k < s->infinite_count; k++) {
    size_t a = (size_t)s->infinite[k];
    for (size_t b = (size_t)from; b < (size_t)to; b++)
      if ((s->level_of[b] < LEVELS || b > a) &&
          overlap(s->low + 3 * a, s->high + 3 * a, s->low + 3 * b, s->high + 3 * b) &&
          wanted(s->group ? s->group[a] : -1, s->still && s->still[a], s->group ? s->group[b] : -1,
                 s->still && s->still[b]))
        slipi_page_add(&page->out, (int32_t)a, (int32_t)b);
  }
}

/* The first pieces are of entries, the others of boxes against the infinite ones. */
static void search_piece(void *user, int32_t piece) {
  Search *search = user;
  Page page = {search, slipi_page_open(search->pool)};
  bool grid = piece < search->pieces;
  int32_t from = (grid ? piece : piece - search->pieces) * PIECE;
  int32_t all = grid ? search->finite : search->count;
  int32_t to = all - from > PIECE ? from + PIECE : all;
  if (grid)
    search_entries(&page, from, to);
  else
    search_infinite(&page, from, to);
  slipi_page_close(&page.out);
}

static int32_t pieces_of(int32_t count) {
  return count / PIECE + (count % PIECE != 0);
}

static bool find_pairs(Search *search, SlipiTeam *team) {
  search->pieces = pieces_of(search->finite);
  int32_t pieces = search->pieces + (search->infinite_count ? pieces_of(search->count) : 0);
  return slipi_pool_fill(search->pool, team, pieces, search_piece, search);
}

/* ---- All of it --------------------------------------------------------------------------- */

static bool fill_grid(Search *search, SlipiBroad *broad, SlipiTeam *team) {
  size_t count = (size_t)search->count;
  search->level_of = slipi_memory_reserve(&broad->level_of, count, sizeof *search->level_of);
  search->bucket = slipi_memory_reserve(&broad->bucket, count, sizeof *search->bucket);
  search->infinite = slipi_memory_reserve(&broad->infinite, count, sizeof *search->infinite);
  search->entry = slipi_memory_reserve(&broad->entry, count, sizeof *search->entry);
  if (!search->level_of || !search->bucket || !search->infinite || !search->entry)
    return false;
  find_origin(search);
  classify(search);
  pack_levels(search);
  size_cells(search);
  int32_t buckets = 0;
  for (int l = 0; l < search->levels; l++)
    buckets = lay_out(search, &search->level[l], buckets);
  search->start = slipi_memory_reserve(&broad->start, (size_t)buckets + 2, sizeof *search->start);
  if (!search->start)
    return false;
  slipi_team_each(team, pieces_of(search->count), find_bucket, search);
  sort_boxes(search, buckets);
  return true;
}

bool slipi_broad_pairs(SlipiBroad *broad, int32_t count, const double *low, const double *high,
                       const int32_t *group, const uint8_t *still, SlipiTeam *team,
                       const int32_t **pairs, int64_t *pair_count) {
  Search search = {.count = count, .low = low, .high = high, .group = group, .still = still};
  *pairs = NULL;
  *pair_count = 0;
  if (count > BOXES_MOST)
    return false;
  search.pool = &broad->pool;
  bool found;
  if (count <= SLIPI_SWEEP_MOST)
    found = slipi_broad_sweep(&broad->order, &broad->pool, count, low, high, group, still);
  else
    found = fill_grid(&search, broad, team) && find_pairs(&search, team);
  return found && slipi_pool_sort(&broad->pool, team, count, pairs, pair_count);
}

SlipiBroad *slipi_broad_create(void) {
  return calloc(1, sizeof(SlipiBroad));
}

void slipi_broad_free(SlipiBroad *broad) {
  if (!broad)
    return;
  SlipiMemory *all[] = {&broad->entry, &broad->level_of, &broad->bucket, &broad->start,
                        &broad->infinite};
  for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
    free(all[k]->at);
  slipi_sweep_order_free(&broad->order);
  slipi_pool_free(&broad->pool);
  free(broad);
}
