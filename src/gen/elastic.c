/* An elastic block that lands a little askew on flat ground: one time step of implicit Euler,
 *
 *     (M + h^2 K) v = M (v0 + h g) + H r,   u = H' v + gap/h,
 *
 * with a contact at each node of the lower face. */
#include "gen/elastic.h"

#include <math.h>
#include <stdlib.h>

#include "fem/element.h"

#define EDGE SLIPI_ELASTIC_EDGE
#define DENSITY SLIPI_ELASTIC_DENSITY
#define YOUNG 1e6
#define POISSON 0.3
#define STEP SLIPI_ELASTIC_STEP
#define GRAVITY 9.81

enum { NODES_MAX = 8, ORDER_MAX = 3 * NODES_MAX, LAYERS_MAX = 4 };

/* Element matrices; node a of an element is at the corner whose bit k tells the side on axis k. */
typedef struct Element {
  int nodes;
  double mass[NODES_MAX][NODES_MAX]; /* the same for each direction */
  double A[ORDER_MAX][ORDER_MAX];    /* M + h^2 K, order d*nodes */
} Element;

static void element_make(int d, Element *element) {
  static const int place[NODES_MAX] = {0, 1, 3, 2, 4, 5, 7, 6}; /* of a corner in elements */
  double x[NODES_MAX][3] = {{0}}, M[NODES_MAX * NODES_MAX], K[ORDER_MAX * ORDER_MAX];
  SlipiElasticity elasticity = slipi_elasticity(d, false, YOUNG, POISSON, DENSITY);
  int n = 1 << d;
  *element = (Element){.nodes = n};
  for (int a = 0; a < n; a++)
    for (int k = 0; k < d; k++)
      x[place[a]][k] = a >> k & 1 ? EDGE : 0;
  slipi_element_matrices(d == 3 ? SLIPI_H8 : SLIPI_Q4, (const double(*)[3])x, &elasticity, M, K);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      element->mass[a][b] = M[place[a] * n + place[b]];
      for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
          element->A[d * a + i][d * b + j] =
              (i == j ? element->mass[a][b] : 0) +
              STEP * STEP * K[(d * place[a] + i) * d * n + d * place[b] + j];
    }
}

int64_t slipi_elastic_nodes(const SlipiElastic *block) {
  int64_t nodes = 1;
  for (int k = 0; k < block->d; k++)
    nodes *= block->nodes[k];
  return nodes;
}

int64_t slipi_elastic_entries(const SlipiElastic *block) {
  int64_t order = block->d * (1 << block->d), elements = 1;
  for (int k = 0; k < block->d; k++)
    elements *= block->nodes[k] - 1;
  return elements * order * order;
}

int32_t slipi_elastic_node(const SlipiElastic *block, const int32_t *at) {
  int d = block->d;
  int32_t column = d == 3 ? at[1] + block->nodes[1] * at[0] : at[0];
  return at[d - 1] + block->nodes[d - 1] * column;
}

/* Assemble one element; its share of f is mass times what v0 + h g is at its nodes. */
static void block_element(const SlipiElastic *block, const Element *element, const int32_t *corner,
                          const double *velocity, SlipiDraft *draft) {
  int d = block->d;
  int32_t node[NODES_MAX] = {0};
  for (int a = 0; a < element->nodes; a++) {
    int32_t at[3];
    for (int k = 0; k < d; k++)
      at[k] = corner[k] + (a >> k & 1);
    node[a] = slipi_elastic_node(block, at);
  }
  for (int a = 0; a < d * element->nodes; a++)
    for (int b = 0; b < d * element->nodes; b++)
      slipi_entries_add(&draft->M, block->first + d * node[a / d] + a % d,
                        block->first + d * node[b / d] + b % d, element->A[a][b]);
  for (int a = 0; a < element->nodes; a++)
    for (int b = 0; b < element->nodes; b++)
      for (int k = 0; k < d; k++)
        draft->f[block->first + d * node[a] + k] += element->mass[a][b] * velocity[k];
}

void slipi_elastic_assemble(const SlipiElastic *block, const double *velocity, SlipiDraft *draft) {
  int d = block->d;
  Element element;
  element_make(d, &element);
  int32_t corner[3] = {0}, layers = block->nodes[d - 1] - 1;
  int32_t depth = d == 3 ? block->nodes[1] - 1 : 1;
  for (corner[0] = 0; corner[0] < block->nodes[0] - 1; corner[0]++)
    for (int32_t j = 0; j < depth; j++)
      for (int32_t k = 0; k < layers; k++) {
        corner[1] = j;
        corner[d - 1] = k;
        block_element(block, &element, corner, velocity, draft);
      }
}

/* Nodes of the lower face: a rectangle, not far from a square, with nearly `contacts` of them. */
static SlipiElastic block_choose(int d, int32_t contacts) {
  SlipiElastic block = {.d = d, .nodes = {2, 2, 2}};
  if (d == 2) {
    block.nodes[0] = contacts < 2 ? 2 : contacts;
  } else {
    int64_t best = INT64_MAX;
    int32_t side = (int32_t)sqrt((double)contacts);
    for (int32_t a = side < 2 ? 2 : side; a >= 2 && 2 * a >= side; a--) {
      int32_t b = (contacts + a / 2) / a < 2 ? 2 : (contacts + a / 2) / a;
      if (llabs((int64_t)a * b - contacts) < best) {
        best = llabs((int64_t)a * b - contacts);
        block.nodes[0] = b;
        block.nodes[1] = a;
      }
    }
  }
  int32_t layers = block.nodes[0] / 2;
  block.nodes[d - 1] = 1 + (layers < 1 ? 1 : layers > LAYERS_MAX ? LAYERS_MAX : layers);
  return block;
}

static SlipStatus block_start(const SlipiElastic *block, const SlipGenerate *options,
                              SlipiDraft *draft, SlipError *error) {
  int d = block->d;
  int64_t contacts = d == 3 ? (int64_t)block->nodes[0] * block->nodes[1] : block->nodes[0];
  draft->form = SLIP_FORM_GLOBAL;
  draft->d = d;
  draft->nc = (int32_t)contacts;
  SlipStatus status = slipi_entries_alloc(draft, &draft->M, slipi_elastic_entries(block), error);
  if (status != SLIP_OK)
    return status;
  draft->dof = (int32_t)(d * slipi_elastic_nodes(block));
  status = slipi_entries_alloc(draft, &draft->H, d * contacts, error);
  return status == SLIP_OK ? slipi_draft_vectors(draft, options->mu, error) : status;
}

/* Contact of each node of the lower face with the ground, which rises away from the side that
 * lands first: part of the face closes within the time step. */
static void block_contacts(const SlipiElastic *block, double fall, SlipiDraft *draft) {
  int d = block->d;
  for (int32_t a = 0; a < draft->nc; a++) {
    int32_t node = a * block->nodes[d - 1];
    int32_t along = d == 3 ? a / block->nodes[1] : a;
    double slope = 1.5 * along / (block->nodes[0] - 1);
    draft->w[d * a] = fall * (slope + slipi_random_between(draft->random, 0, 0.1));
    slipi_entries_add(&draft->H, d * node + d - 1, d * a, 1);
    for (int k = 0; k < d - 1; k++)
      slipi_entries_add(&draft->H, d * node + k, d * a + 1 + k, 1);
  }
}

SlipStatus slipi_gen_elastic(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  int d = options->dimension;
  SlipiElastic block = block_choose(d, options->contacts);
  SlipStatus status = block_start(&block, options, draft, error);
  if (status != SLIP_OK)
    return status;
  double velocity[3] = {0}, fall = slipi_random_between(draft->random, 0.4, 0.6);
  for (int k = 0; k < d - 1; k++)
    velocity[k] = slipi_random_between(draft->random, 0.05, 0.15);
  velocity[d - 1] = -fall - STEP * GRAVITY;
  slipi_elastic_assemble(&block, velocity, draft);
  block_contacts(&block, fall, draft);
  return SLIP_OK;
}
