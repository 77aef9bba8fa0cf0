/* Vectors of three components, rotations and poses. */
#ifndef SLIPI_GEOM_VEC_H
#define SLIPI_GEOM_VEC_H

#include <math.h>

/* Where a frame is: x = position + R y takes its coordinates y to world axes; R is row-major. */
typedef struct SlipiPose {
  double position[3], R[9];
} SlipiPose;

static inline double slipi_dot3(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void slipi_cross(const double a[3], const double b[3], double out[3]) {
  double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
}

static inline void slipi_sub(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; k++)
    out[k] = a[k] - b[k];
}

/* out = a + t b */
static inline void slipi_along(const double a[3], double t, const double b[3], double out[3]) {
  for (int k = 0; k < 3; k++)
    out[k] = a[k] + t * b[k];
}

static inline double slipi_length(const double a[3]) {
  return sqrt(slipi_dot3(a, a));
}

/* R y, and R' x. */
static inline void slipi_rotate(const double R[9], const double y[3], double out[3]) {
  double x[3];
  for (int k = 0; k < 3; k++)
    x[k] = slipi_dot3(R + 3 * k, y);
  for (int k = 0; k < 3; k++)
    out[k] = x[k];
}

static inline void slipi_rotate_back(const double R[9], const double x[3], double out[3]) {
  double y[3];
  for (int k = 0; k < 3; k++)
    y[k] = R[k] * x[0] + R[3 + k] * x[1] + R[6 + k] * x[2];
  for (int k = 0; k < 3; k++)
    out[k] = y[k];
}

static inline void slipi_pose_point(const SlipiPose *pose, const double y[3], double out[3]) {
  slipi_rotate(pose->R, y, out);
  for (int k = 0; k < 3; k++)
    out[k] += pose->position[k];
}

/* The matrix of a unit quaternion (w, x, y, z). */
static inline void slipi_quaternion_matrix(const double q[4], double R[9]) {
  double w = q[0], x = q[1], y = q[2], z = q[3];
  R[0] = 1 - 2 * (y * y + z * z);
  R[1] = 2 * (x * y - w * z);
  R[2] = 2 * (x * z + w * y);
  R[3] = 2 * (x * y + w * z);
  R[4] = 1 - 2 * (x * x + z * z);
  R[5] = 2 * (y * z - w * x);
  R[6] = 2 * (x * z - w * y);
  R[7] = 2 * (y * z + w * x);
  R[8] = 1 - 2 * (x * x + y * y);
}

/* out = a b */
static inline void slipi_quaternion_product(const double a[4], const double b[4], double out[4]) {
  double c[4];
  c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  c[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  c[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  for (int k = 0; k < 4; k++)
    out[k] = c[k];
}

#endif
