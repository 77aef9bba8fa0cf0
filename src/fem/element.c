#include "fem/element.h"

#include <math.h>
#include <string.h>

static const SlipiElementType types[SLIPI_ELEMENT_KINDS] = {
    [SLIPI_T3] = {"t3", 2, 3, 3, 3, 2, 2, {{0, 1}, {1, 2}, {2, 0}}},
    [SLIPI_Q4] = {"q4", 2, 4, 4, 4, 2, 2, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
    [SLIPI_T4] = {"t4", 3, 4, 4, 4, 3, 3, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}},
    [SLIPI_T10] =
        {"t10",
         3,
         10,
         4,
         4,
         6,
         3,
         {{0, 2, 1, 6, 5, 4}, {0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {0, 3, 2, 7, 9, 6}}},
    [SLIPI_H8] =
        {"h8",
         3,
         8,
         8,
         6,
         4,
         4,
         {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}},
};

const SlipiElementType *slipi_element_type(SlipiElementKind kind) {
  return &types[kind];
}

int slipi_element_find(const char *name) {
  for (int kind = 0; kind < SLIPI_ELEMENT_KINDS; kind++) {
    if (strcmp(types[kind].name, name) == 0)
      return kind;
  }
  return -1;
}

SlipiElasticity slipi_elasticity(int d, bool plane_stress, double young, double poisson,
                                 double density) {
  double shear = young / (2 * (1 + poisson));
  double lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  SlipiElasticity elasticity = {.shear = shear, .lame = lame, .density = density};
  if (d == 2 && plane_stress)
    elasticity.lame = young * poisson / (1 - poisson * poisson);
  elasticity.across = d == 2 && !plane_stress ? lame : 0;
  return elasticity;
}

/* ---- Shape functions ---- */

/* Sides of the corners of squares and hexahedra. */
static const int8_t sides[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                   {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

/* Products of linear functions along each axis. */
static void shape_product(int d, int nodes, const double *xi, double *N, double (*dN)[3]) {
  for (int a = 0; a < nodes; a++) {
    double factor[3] = {1, 1, 1};
    for (int k = 0; k < d; k++)
      factor[k] = (1 + sides[a][k] * xi[k]) / 2;
    N[a] = factor[0] * factor[1] * factor[2];
    for (int k = 0; k < 3; k++) {
      double slope = k < d ? sides[a][k] / 2.0 : 0;
      dN[a][k] = slope * factor[(k + 1) % 3] * factor[(k + 2) % 3];
    }
  }
}

/* Barycentric coordinates. */
static void shape_simplex(int d, const double *xi, double *N, double (*dN)[3]) {
  N[0] = 1;
  memset(dN, 0, (size_t)(d + 1) * sizeof *dN);
  for (int k = 0; k < d; k++) {
    N[0] -= xi[k];
    N[k + 1] = xi[k];
    dN[0][k] = -1;
    dN[k + 1][k] = 1;
  }
}

/* From the barycentric coordinates b: corners b (2 b - 1), middles of edges 4 b b'. */
static void shape_quadratic(int corners, int edges, const int (*edge)[2], double *N,
                            double (*dN)[3]) {
  double b[4], db[4][3];
  memcpy(b, N, sizeof b);
  memcpy(db, dN, sizeof db);
  for (int a = 0; a < corners; a++) {
    N[a] = b[a] * (2 * b[a] - 1);
    for (int k = 0; k < 3; k++)
      dN[a][k] = (4 * b[a] - 1) * db[a][k];
  }
  for (int e = 0; e < edges; e++) {
    int i = edge[e][0], j = edge[e][1];
    N[corners + e] = 4 * b[i] * b[j];
    for (int k = 0; k < 3; k++)
      dN[corners + e][k] = 4 * (b[i] * db[j][k] + b[j] * db[i][k]);
  }
}

void slipi_element_shape(SlipiElementKind kind, const double xi[3], double *N, double (*dN)[3]) {
  static const int edge[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
  if (kind == SLIPI_Q4 || kind == SLIPI_H8) {
    shape_product(types[kind].d, types[kind].nodes, xi, N, dN);
    return;
  }
  shape_simplex(types[kind].d, xi, N, dN);
  if (kind == SLIPI_T10)
    shape_quadratic(4, 6, edge, N, dN);
}

/* ---- Quadrature ---- */

static const double GAUSS2 = 0.57735026918962576451;
/* Four points of Gauss on [-1, 1]. */
static const double gauss4[4] = {-0.86113631159405257522, -0.33998104358485626480,
                                 0.33998104358485626480, 0.86113631159405257522};
static const double weight4[4] = {0.34785484513745385737, 0.65214515486254614263,
                                  0.65214515486254614263, 0.34785484513745385737};

int slipi_element_points(SlipiElementKind kind) {
  static const int points[SLIPI_ELEMENT_KINDS] = {3, 4, 4, 64, 8};
  return points[kind];
}

/* Gauss points of a cube that is folded to a tetrahedron: exact to degree 5. */
static double folded_point(int index, double xi[3]) {
  int i = index & 3, j = index >> 2 & 3, k = index >> 4;
  double a = (1 + gauss4[i]) / 2, b = (1 + gauss4[j]) / 2, c = (1 + gauss4[k]) / 2;
  xi[0] = a;
  xi[1] = b * (1 - a);
  xi[2] = c * (1 - a) * (1 - b);
  return weight4[i] * weight4[j] * weight4[k] / 8 * (1 - a) * (1 - a) * (1 - b);
}

double slipi_element_point(SlipiElementKind kind, int index, double xi[3]) {
  static const double NEAR = 0.58541019662496845446, FAR = 0.13819660112501051518;
  xi[0] = xi[1] = xi[2] = 0;
  switch (kind) {
  case SLIPI_T3:
    xi[0] = index == 1 ? 2.0 / 3 : 1.0 / 6;
    xi[1] = index == 2 ? 2.0 / 3 : 1.0 / 6;
    return 1.0 / 6;
  case SLIPI_T4:
    for (int k = 0; k < 3; k++)
      xi[k] = index == k + 1 ? NEAR : FAR;
    return 1.0 / 24;
  case SLIPI_T10:
    return folded_point(index, xi);
  default:
    for (int k = 0; k < types[kind].d; k++)
      xi[k] = index >> k & 1 ? GAUSS2 : -GAUSS2;
    return 1;
  }
}

/* ---- Matrices ---- */

double slipi_element_gradient(SlipiElementKind kind, const double (*x)[3], const double xi[3],
                              double *N, double (*gradient)[3]) {
  double dN[SLIPI_ELEMENT_NODES][3], J[3][3] = {{0}}, inverse[3][3];
  int d = types[kind].d, nodes = types[kind].nodes;
  slipi_element_shape(kind, xi, N, dN);
  for (int a = 0; a < nodes; a++)
    for (int i = 0; i < d; i++)
      for (int k = 0; k < d; k++)
        J[i][k] += x[a][i] * dN[a][k];
  if (d == 2)
    J[2][2] = 1;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) { /* transposed cofactors */
      int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
      inverse[k][i] = J[i1][k1] * J[i2][k2] - J[i1][k2] * J[i2][k1];
    }
  double determinant = J[0][0] * inverse[0][0] + J[0][1] * inverse[1][0] + J[0][2] * inverse[2][0];
  for (int a = 0; a < nodes; a++)
    for (int i = 0; i < 3; i++) {
      double sum = 0;
      for (int k = 0; k < d; k++)
        sum += dN[a][k] * inverse[k][i];
      gradient[a][i] = i < d ? sum / determinant : 0;
    }
  return determinant;
}

double slipi_elastic_entry(const SlipiElasticity *elasticity, int d, const double *ga,
                           const double *gb, int i, int j) {
  double dot = 0;
  for (int k = 0; k < d; k++)
    dot += ga[k] * gb[k];
  return elasticity->lame * ga[i] * gb[j] +
         elasticity->shear * (ga[j] * gb[i] + (i == j ? dot : 0));
}

/* One point's share of M and of K's upper blocks. */
static void add_point(const SlipiElementType *type, const SlipiElasticity *elasticity,
                      double weight, const double *N, double (*gradient)[3], double *M, double *K) {
  int d = type->d, n = type->nodes;
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      M[a * n + b] += weight * elasticity->density * (N[a] * N[b]);
      for (int i = 0; b >= a && i < d; i++)
        for (int j = 0; j < d; j++)
          K[(d * a + i) * d * n + d * b + j] +=
              weight * slipi_elastic_entry(elasticity, d, gradient[a], gradient[b], i, j);
    }
}

bool slipi_element_matrices(SlipiElementKind kind, const double (*x)[3],
                            const SlipiElasticity *elasticity, double *M, double *K) {
  const SlipiElementType *type = &types[kind];
  int d = type->d, n = type->nodes, order = d * n;
  memset(M, 0, (size_t)(n * n) * sizeof *M);
  memset(K, 0, (size_t)(order * order) * sizeof *K);
  for (int point = 0; point < slipi_element_points(kind); point++) {
    double xi[3], N[SLIPI_ELEMENT_NODES], gradient[SLIPI_ELEMENT_NODES][3];
    double weight = slipi_element_point(kind, point, xi);
    double determinant = slipi_element_gradient(kind, x, xi, N, gradient);
    if (!(determinant > 0) || !isfinite(determinant))
      return false;
    add_point(type, elasticity, weight * determinant, N, gradient, M, K);
  }
  for (int a = 0; a < order; a++) /* symmetric to the bit */
    for (int b = 0; b < a; b++)
      K[a * order + b] = K[b * order + a];
  return true;
}

void slipi_element_stress(SlipiElementKind kind, const double (*x)[3], const double (*u)[3],
                          const SlipiElasticity *elasticity, double stress[6]) {
  static const int8_t pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
  const SlipiElementType *type = &types[kind];
  double xi[3] = {0}, N[SLIPI_ELEMENT_NODES], gradient[SLIPI_ELEMENT_NODES][3], e[3][3] = {{0}};
  if (kind != SLIPI_Q4 && kind != SLIPI_H8)
    for (int k = 0; k < type->d; k++)
      xi[k] = 1.0 / type->corners;
  slipi_element_gradient(kind, x, xi, N, gradient);
  for (int a = 0; a < type->nodes; a++)
    for (int i = 0; i < type->d; i++)
      for (int j = 0; j < type->d; j++)
        e[i][j] += (u[a][i] * gradient[a][j] + u[a][j] * gradient[a][i]) / 2;
  double trace = e[0][0] + e[1][1] + e[2][2];
  for (int k = 0; k < 6; k++)
    stress[k] = 2 * elasticity->shear * e[pair[k][0]][pair[k][1]] +
                (k < type->d ? elasticity->lame * trace : 0);
  if (type->d == 2)
    stress[2] = elasticity->across * trace;
}

double slipi_von_mises(const double s[6]) {
  double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return sqrt((a * a + b * b + c * c) / 2 + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

/* ---- Faces ---- */

void slipi_face_shape(int nodes, const double xi[2], double *N, double (*dN)[2]) {
  static const int edge[3][2] = {{0, 1}, {1, 2}, {2, 0}};
  double values[SLIPI_ELEMENT_NODES] = {0}, slopes[SLIPI_ELEMENT_NODES][3] = {{0}};
  const double at[3] = {xi[0], nodes == 2 ? -1 : xi[1], 0};
  if (nodes == 2 || nodes == 4) {
    shape_product(nodes == 2 ? 1 : 2, nodes, at, values, slopes);
  } else {
    shape_simplex(2, at, values, slopes);
    if (nodes == 6)
      shape_quadratic(3, 3, edge, values, slopes);
  }
  for (int a = 0; a < nodes; a++) {
    N[a] = values[a];
    dN[a][0] = slopes[a][0];
    dN[a][1] = nodes == 2 ? 0 : slopes[a][1];
  }
}

int slipi_face_points(int nodes) {
  return nodes == 2 ? 2 : nodes == 4 ? 4 : nodes == 3 ? 3 : 6;
}

double slipi_face_point(int nodes, int index, double xi[2]) {
  /* Six points of degree 4 on a triangle (Dunavant 1985). */
  static const double A = 0.44594849091596488632, B = 0.09157621350977074346;
  static const double WA = 0.11169079483900573285, WB = 0.05497587182766093382;
  xi[0] = xi[1] = 0;
  if (nodes == 2 || nodes == 4) {
    for (int k = 0; k < (nodes == 2 ? 1 : 2); k++)
      xi[k] = index >> k & 1 ? GAUSS2 : -GAUSS2;
    return 1;
  }
  if (nodes == 3) {
    xi[0] = index == 1 ? 2.0 / 3 : 1.0 / 6;
    xi[1] = index == 2 ? 2.0 / 3 : 1.0 / 6;
    return 1.0 / 6;
  }
  double near = index < 3 ? A : B;
  xi[0] = index % 3 == 1 ? 1 - 2 * near : near;
  xi[1] = index % 3 == 2 ? 1 - 2 * near : near;
  return index < 3 ? WA : WB;
}

void slipi_face_normal(int nodes, const double (*x)[3], const double xi[2], double normal[3]) {
  double N[SLIPI_FACE_NODES], dN[SLIPI_FACE_NODES][2], t[2][3] = {{0}};
  slipi_face_shape(nodes, xi, N, dN);
  for (int a = 0; a < nodes; a++)
    for (int k = 0; k < 3; k++) {
      t[0][k] += x[a][k] * dN[a][0];
      t[1][k] += x[a][k] * dN[a][1];
    }
  if (nodes == 2) { /* the inside is on the left of an edge */
    normal[0] = t[0][1];
    normal[1] = -t[0][0];
    normal[2] = 0;
    return;
  }
  for (int k = 0; k < 3; k++)
    normal[k] = t[0][(k + 1) % 3] * t[1][(k + 2) % 3] - t[0][(k + 2) % 3] * t[1][(k + 1) % 3];
}
