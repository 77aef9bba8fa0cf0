/* The work of a multifrontal factorisation, cut into pieces for threads. Fronts that are neighbours
 * in the tree form groups of about the same work, each of which is a piece; large fronts, those
 * near the root, are groups of their own and are cut into tiles of columns, with a piece for each
 * thing that is done to a tile. All is counted: the cut is the same for any number of threads. */
#include <math.h>

#include "linalg/frontal_parts.h"

/* What entries and fronts cost, in operations. */
static const double SET_COST = 30, ADD_COST = 40, FRONT_COST = 5e4, PIVOTS_COST = 1;
/* Below so many operations, some milliseconds, all is one piece. */
static const double SHARED = 1e8;
/* The same of a solution, in entries of the factors, and what a front counts for. */
static const double SHARED_ENTRIES = 5e5, FRONT_ENTRIES = 200;
/* The work of a group: a share of the whole, within limits. Fronts with more are cut into tiles. */
static const double GROUP_SHARE = 1.0 / 48, GROUP_LEAST = 3e6, GROUP_MOST = 2e8;

typedef struct Group {
  int32_t parent;         /* -1: none */
  int32_t child, next;    /* its first child, and the next of its parent's or root; -1: none */
  int32_t first, end;     /* its fronts, in `member` */
  int32_t roots;          /* fronts whose parents are not in the group */
  bool large;             /* one front, which is cut into tiles */
  int64_t size, at;       /* of its part of the stack, which has those of its children in it */
  int64_t left, left_end; /* where in that the updates are that it leaves to its parent */
  int32_t done, done_end; /* the pieces after which it is done */
} Group;

typedef struct Plan {
  SlipiFrontal *s;
  double least; /* work of a group */
  Group *group;
  int32_t groups, root;   /* the first without a parent */
  int32_t *of;            /* the group of each front; -1: none yet */
  double *open;           /* the work of each front and those below it that are in no group yet */
  SlipiPiece *piece;      /* those being made: NULL while they are counted, */
  int32_t *wait_p, *wait; /* and what each waits for */
  int32_t pieces, waits;
} Plan;

static double front_cost(const SlipiFront *front) {
  double k = front->pivots, u = front->rows - k;
  return slipi_front_flops(k, u) + FRONT_COST + SET_COST * k * (k + 2 * u) + ADD_COST * u * u;
}

/* ---- Groups ---- */

/* Put the fronts of a list that are in no group yet, those before them in the tree with them, into
 * groups of enough work. What remains is a group too, or, where it is not to be one, its work is
 * returned. */
static double close_groups(Plan *plan, int32_t first, bool all) {
  const SlipiFront *front = plan->s->front;
  double work = 0;
  bool begun = false;
  for (int32_t c = first; c >= 0; c = front[c].next) {
    if (plan->of[c] >= 0)
      continue;
    if (!begun)
      plan->group[plan->groups++] = (Group){.parent = -1, .child = -1, .next = -1};
    plan->of[c] = plan->groups - 1;
    work += plan->open[c];
    begun = work < plan->least;
    work = begun ? work : 0;
  }
  if (!begun || all)
    return 0;
  plan->groups--;
  for (int32_t c = first; c >= 0; c = front[c].next)
    plan->of[c] = plan->of[c] == plan->groups ? -1 : plan->of[c];
  return work;
}

/* The fronts without a parent as a list, from the first of them on. */
static int32_t link_roots(SlipiFrontal *s) {
  int32_t first = -1;
  for (int32_t f = s->fronts - 1; f >= 0; f--) {
    if (s->front[f].parent >= 0)
      continue;
    s->front[f].next = first;
    first = f;
  }
  return first;
}

/* From the leaves on: where there is work enough below a front, it is closed. */
static void make_groups(Plan *plan) {
  SlipiFrontal *s = plan->s;
  for (int32_t f = 0; f < s->fronts; f++) {
    const SlipiFront *front = &s->front[f];
    double own = front_cost(front), below = 0;
    bool large = own > plan->least && front->rows > 2 * SLIPI_FRONT_TILE;
    plan->of[f] = -1;
    for (int32_t c = front->child; c >= 0; c = s->front[c].next)
      below += plan->of[c] < 0 ? plan->open[c] : 0;
    if (large || own + below > plan->least)
      below = close_groups(plan, front->child, large);
    plan->open[f] = own + below;
    if (!large)
      continue;
    plan->of[f] = plan->groups;
    plan->group[plan->groups++] = (Group){.parent = -1, .child = -1, .next = -1, .large = true};
  }
  close_groups(plan, link_roots(s), true);
}

/* Whose group each front is in, the tree of the groups, and the fronts of each, in order. */
static void list_members(Plan *plan) {
  SlipiFrontal *s = plan->s;
  int32_t used = 0;
  for (int32_t f = s->fronts - 1; f >= 0; f--) {
    int32_t parent = s->front[f].parent;
    plan->of[f] = plan->of[f] < 0 ? plan->of[parent] : plan->of[f];
    Group *group = &plan->group[plan->of[f]];
    group->end++;
    if (parent < 0 || plan->of[parent] != plan->of[f]) {
      group->roots++;
      group->parent = parent < 0 ? -1 : plan->of[parent];
    }
  }
  for (int32_t g = 0; g < plan->groups; g++) {
    Group *group = &plan->group[g];
    used += group->end;
    group->first = group->end = used - group->end;
  }
  for (int32_t f = 0; f < s->fronts; f++)
    s->member[plan->group[plan->of[f]].end++] = f;
  for (int32_t g = plan->groups - 1; g >= 0; g--) {
    Group *group = &plan->group[g];
    int32_t *list = group->parent < 0 ? &plan->root : &plan->group[group->parent].child;
    group->next = *list;
    *list = g;
  }
}

/* ---- The stack ---- */

static int64_t greater(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* Fronts of a group come in postorder: the updates a front takes from the group are the last on the
 * stack. Returns its end. */
static int64_t plan_members(Plan *plan, int32_t g, int64_t top, int64_t *highest) {
  SlipiFront *all = plan->s->front;
  for (int32_t k = plan->group[g].first; k < plan->group[g].end; k++) {
    SlipiFront *front = &all[plan->s->member[k]];
    int64_t u = front->rows - front->pivots;
    int32_t c = front->child;
    while (c >= 0 && plan->of[c] != g)
      c = all[c].next;
    front->made_at = top;
    front->update = c >= 0 ? all[c].update : top;
    *highest = greater(*highest, top + u * u);
    top = front->update + u * u;
  }
  return top;
}

/* The parts of a group's children side by side, as they may be under way together; one thread does
 * one after the other and needs nothing of a part but what is left there. When all are done the
 * group has the rest for its own. */
static void plan_group(Plan *plan, int32_t g) {
  Group *group = &plan->group[g];
  int64_t low = INT64_MAX, end = 0;
  for (int32_t c = group->child; c >= 0; c = plan->group[c].next) {
    Group *child = &plan->group[c];
    child->at = plan->s->team ? group->size : end;
    group->size = greater(group->size, child->at + child->size);
    low = low < child->at + child->left ? low : child->at + child->left;
    end = greater(end, child->at + child->left_end);
  }
  SlipiFront *root = &plan->s->front[plan->s->member[group->end - 1]];
  int64_t u = root->rows - root->pivots;
  group->left = group->large && u * u <= low ? 0 : end;
  group->left_end = plan_members(plan, g, group->left, &group->size);
  if (!group->large && group->roots == 1) {
    root->update = group->left = 0;
    group->left_end = u * u;
  }
}

static void plan_stack(Plan *plan) {
  SlipiFrontal *s = plan->s;
  for (int32_t g = 0; g < plan->groups; g++) {
    plan_group(plan, g);
    if (plan->group[g].parent >= 0)
      continue;
    plan->group[g].at = s->team ? s->stack_count : 0;
    s->stack_count = greater(s->stack_count, plan->group[g].at + plan->group[g].size);
  }
  for (int32_t g = plan->groups - 1; g >= 0; g--) {
    Group *group = &plan->group[g];
    group->at += group->parent < 0 ? 0 : plan->group[group->parent].at;
    for (int32_t k = group->first; k < group->end; k++) {
      s->front[s->member[k]].made_at += group->at;
      s->front[s->member[k]].update += group->at;
    }
  }
}

/* ---- Pieces ---- */

static int32_t begin_piece(Plan *plan, SlipiPiece piece) {
  if (plan->piece) {
    plan->piece[plan->pieces] = piece;
    plan->wait_p[plan->pieces] = plan->waits;
  }
  return plan->pieces++;
}

static void wait_for(Plan *plan, int32_t piece) {
  if (plan->piece)
    plan->wait[plan->waits] = piece;
  plan->waits++;
}

static void wait_for_children(Plan *plan, const Group *group) {
  for (int32_t c = group->child; c >= 0; c = plan->group[c].next) {
    for (int32_t k = plan->group[c].done; k < plan->group[c].done_end; k++)
      wait_for(plan, k);
  }
}

/* A large front, by tiles of columns. Tiles of pivots are eliminated one after the other, each with
 * effect on those after it; a tile of other columns waits until they all are. */
static void cut_front(Plan *plan, Group *group) {
  const int32_t f = plan->s->member[group->first], W = SLIPI_FRONT_TILE;
  const SlipiFront *front = &plan->s->front[f];
  double k = front->pivots, rows = front->rows, u = rows - k;
  int32_t steps = slipi_front_tiles(front->pivots);
  int32_t tiles = steps + slipi_front_tiles(front->rows - front->pivots);
  SlipiPiece piece = {SLIPI_PIECE_PREPARE, f, f, 0, 0, SET_COST * k * (k + 2 * u)};
  int32_t prepared = begin_piece(plan, piece), taken = plan->pieces, before = 0;
  for (int32_t t = 0; t < tiles; t++) {
    begin_piece(plan, (SlipiPiece){SLIPI_PIECE_TAKE, f, f, 0, t, ADD_COST * W * rows});
    wait_for(plan, prepared);
    wait_for_children(plan, group);
  }
  for (int32_t i = 0; i < steps; i++) {
    double below = rows - (double)i * W, work = PIVOTS_COST * W * W * below;
    int32_t pivots = begin_piece(plan, (SlipiPiece){SLIPI_PIECE_PIVOTS, f, f, i, i, work});
    wait_for(plan, i == 0 ? taken : before + 1);
    for (int32_t t = i + 1; t < steps; t++) {
      begin_piece(plan, (SlipiPiece){SLIPI_PIECE_COLUMNS, f, f, i, t, 2.0 * W * W * below});
      wait_for(plan, pivots);
      wait_for(plan, i == 0 ? taken + t : before + t - i + 1);
    }
    before = pivots;
  }
  for (int32_t t = steps; t < tiles; t++) {
    begin_piece(plan, (SlipiPiece){SLIPI_PIECE_RIGHT, f, f, steps, t, W * k * (k + 2 * u)});
    wait_for(plan, before);
    wait_for(plan, taken + t);
  }
  group->done_end = plan->pieces;
  group->done = plan->pieces - (tiles > steps ? tiles - steps : 1);
}

static void cut_group(Plan *plan, Group *group) {
  double work = 0;
  if (group->large) {
    cut_front(plan, group);
    return;
  }
  for (int32_t k = group->first; k < group->end; k++)
    work += front_cost(&plan->s->front[plan->s->member[k]]);
  group->done =
      begin_piece(plan, (SlipiPiece){SLIPI_PIECE_FRONTS, group->first, group->end, 0, 0, work});
  group->done_end = plan->pieces;
  wait_for_children(plan, group);
}

/* The first of a group and those below it to be worked on. */
static int32_t first_below(const Plan *plan, int32_t g) {
  while (g >= 0 && plan->group[g].child >= 0)
    g = plan->group[g].child;
  return g;
}

/* In postorder of the groups. */
static void cut_groups(Plan *plan) {
  plan->pieces = plan->waits = 0;
  for (int32_t g = first_below(plan, plan->root); g >= 0;) {
    const Group *group = &plan->group[g];
    cut_group(plan, &plan->group[g]);
    g = group->next >= 0 ? first_below(plan, group->next) : group->parent;
  }
}

/* ---- Solutions ---- */

/* Whole groups forwards, children first, and then backwards. */
static void cut_solution(Plan *plan) {
  plan->pieces = plan->waits = 0;
  for (int32_t g = 0; g < plan->groups; g++) {
    Group *group = &plan->group[g];
    double entries = 0;
    for (int32_t k = group->first; k < group->end; k++) {
      const SlipiFront *front = &plan->s->front[plan->s->member[k]];
      entries += FRONT_ENTRIES + (double)front->pivots * front->rows;
    }
    SlipiPiece piece = {SLIPI_PIECE_FORWARD, group->first, group->end, 0, 0, entries};
    group->done = begin_piece(plan, piece);
    group->done_end = plan->pieces;
    wait_for_children(plan, group);
  }
  for (int32_t g = plan->groups - 1; g >= 0; g--) {
    Group *group = &plan->group[g];
    SlipiPiece piece = {SLIPI_PIECE_BACKWARD, group->first, group->end, 0, 0, 0};
    if (plan->piece)
      piece.work = plan->piece[group->done].work;
    int32_t before = group->parent < 0 ? group->done : plan->group[group->parent].done;
    group->done = begin_piece(plan, piece);
    wait_for(plan, before);
  }
}

/* ---- The whole ---- */

/* Count the pieces that `cut` makes, make them, and put them in order. */
static SlipStatus make_pieces(Plan *plan, void (*cut)(Plan *), SlipiArena *scratch,
                              SlipiPieces *pieces, SlipError *error) {
  plan->piece = NULL;
  cut(plan);
  SlipiPiece *piece = SLIPI_ARENA_NEW(scratch, SlipiPiece, plan->pieces);
  plan->wait_p = SLIPI_ARENA_NEW(scratch, int32_t, (int64_t)plan->pieces + 1);
  plan->wait = SLIPI_ARENA_NEW(scratch, int32_t, plan->waits);
  if (scratch->failed)
    return slipi_fail_memory(error, "the analysis of a matrix");
  plan->piece = piece;
  cut(plan);
  plan->wait_p[plan->pieces] = plan->waits;
  SlipiPieces made = {plan->pieces, piece, {plan->wait_p, plan->wait, NULL}};
  return slipi_pieces_order(&made, slipi_team_threads(plan->s->team), &plan->s->arena, scratch,
                            pieces, error);
}

SlipStatus slipi_frontal_cut_work(SlipiFrontal *s, SlipiArena *scratch, SlipError *error) {
  Plan plan = {.s = s,
               .root = -1,
               .group = SLIPI_ARENA_NEW(scratch, Group, s->fronts),
               .of = SLIPI_ARENA_NEW(scratch, int32_t, s->fronts),
               .open = SLIPI_ARENA_NEW(scratch, double, s->fronts)};
  s->member = SLIPI_ARENA_NEW(&s->arena, int32_t, s->fronts);
  if (scratch->failed || s->arena.failed)
    return slipi_fail_memory(error, "the analysis of a matrix");
  double work = 0;
  for (int32_t f = 0; f < s->fronts; f++)
    work += front_cost(&s->front[f]);
  plan.least = work < SHARED ? INFINITY : fmin(fmax(GROUP_SHARE * work, GROUP_LEAST), GROUP_MOST);
  make_groups(&plan);
  list_members(&plan);
  plan_stack(&plan);
  SlipStatus status = make_pieces(&plan, cut_groups, scratch, &s->factoring, error);
  bool solves = status == SLIP_OK && s->team && (double)s->value_count > SHARED_ENTRIES;
  return solves ? make_pieces(&plan, cut_solution, scratch, &s->solving, error) : status;
}
