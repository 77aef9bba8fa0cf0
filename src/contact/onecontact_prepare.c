/* The data of W that the exact solver of one contact (onecontact_exact.h) reads, prepared once. */
#include <string.h>

#include "contact/onecontact_parts.h"
#include "linalg/dense3.h"

static const double W_least = 1e-15, W_most = 1e15;
static const double mu_least = 1e-9, mu_most = 1e9;

static void turn_tangents(SlipiSlide *slide, double s11, double s12, double s22) {
  slide->c = 1;
  slide->s = 0;
  slide->s1 = s11;
  slide->s2 = s22;
  if (s12 == 0)
    return;
  /* Jacobi's rotation, by the smaller angle. */
  double tau = (s22 - s11) / (2 * s12);
  double t = copysign(1 / (fabs(tau) + sqrt(1 + tau * tau)), tau);
  slide->c = 1 / sqrt(1 + t * t);
  slide->s = t * slide->c;
  slide->s1 = s11 - t * s12;
  slide->s2 = s22 + t * s12;
}

static SlipiCoupling coupling_of(const SlipiSlide *slide, double mu) {
  /* At a root, f' has the sign of (e + mu a)'G e, G = (S + lambda I)^-1, e = r_T/|r_T|. By
   * Kantorovich e'G e >= |G e| 2 sqrt(s1 s2)/(s1 + s2), so a small mu |a| leaves f one root. */
  double a = mu * sqrt(slide->a1 * slide->a1 + slide->a2 * slide->a2);
  double angle = 2 * sqrt(slide->s1 * slide->s2) / (slide->s1 + slide->s2);
  /* The skew part lengthens |S x| by at most w |x|, and x'S x >= min(s1, s2) |x|^2. */
  angle = 1 / (1 / angle + fabs(slide->w) / fmin(slide->s1, slide->s2));
  if (a < angle * (1 - 1e-9))
    return SLIPI_COUPLING_WEAK;
  /* r_N > 0 with u_N = 0 and q_N >= 0 needs W_NN <= mu |W_NT|. */
  return a < 1 - 1e-9 ? SLIPI_COUPLING_MEDIUM : SLIPI_COUPLING_STRONG;
}

/* The rows of W in turned tangents; false where the block is as good as singular. */
static bool turn_rows(SlipiOneContact *one) {
  const double *W = one->W, scale = one->scale;
  SlipiSlide *slide = &one->slide;
  if (!(scale >= W_least && scale <= W_most) || !(W[0] > 1e-11 * scale))
    return false;
  double k = 1 / W[0], n1 = W[1], n2 = W[2], t1 = W[3], t2 = W[6]; /* W_NT and W_TN */
  if (one->symmetric) { /* to rounding: make it so to the bit */
    n1 = t1 = 0.5 * (n1 + t1);
    n2 = t2 = 0.5 * (n2 + t2);
  }
  double s12 = W[5] - t1 * k * n2, s21 = W[7] - t2 * k * n1;
  turn_tangents(slide, W[4] - t1 * k * n1, 0.5 * (s12 + s21), W[8] - t2 * k * n2);
  if (!(slide->s1 > 1e-11 * scale && slide->s2 > 1e-11 * scale))
    return false;
  slide->w = one->symmetric ? 0 : 0.5 * (s21 - s12); /* rotations leave the skew part alone */
  slide->k = k;
  slide->a1 = k * (slide->c * n1 - slide->s * n2);
  slide->a2 = k * (slide->s * n1 + slide->c * n2);
  slide->b1 = k * (slide->c * t1 - slide->s * t2);
  slide->b2 = k * (slide->s * t1 + slide->c * t2);
  slide->inv_det = 1 / (slide->s1 * slide->s2 + slide->w * slide->w);
  return true;
}

/* Whether W is diagonal and the same for both tangents, up to rounding. */
static bool is_round(const SlipiOneContact *one) {
  const double *W = one->W;
  double beside = fmax(fmax(fabs(W[1]), fabs(W[2])), fmax(fabs(W[5]), fabs(W[4] - W[8])));
  return beside <= 1e-14 * fmin(W[0], W[4]);
}

static void prepare_slide(SlipiOneContact *one) {
  double mu = one->law.mu;
  memset(&one->slide, 0, sizeof one->slide);
  one->coupling = SLIPI_COUPLING_STRONG;
  one->turned = one->law.kind == SLIPI_ROLLING && one->symmetric && turn_rows(one);
  one->round = one->turned && is_round(one);
  one->exact = slipi_law_is_coulomb(&one->law) && mu >= mu_least && mu <= mu_most && turn_rows(one);
  if (!one->exact)
    return;
  one->slide.inv_mu = 1 / mu;
  one->coupling = (unsigned char)coupling_of(&one->slide, mu);
}

/* W^-1 for a curved K, where most contacts stick: u = 0. */
static bool invert(const SlipiOneContact *one, double inverse[9]) {
  static const double DET_LEAST = 1e-8; /* of a block of size 1 */
  const double *W = one->W;
  for (int k = 0; k < 9; k++) { /* cofactors, transposed: indices modulo 3 */
    int i = k % 3, j = k / 3, i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3,
        j2 = (j + 2) % 3;
    inverse[k] = W[3 * i1 + j1] * W[3 * i2 + j2] - W[3 * i1 + j2] * W[3 * i2 + j1];
  }
  double det = W[0] * inverse[0] + W[1] * inverse[3] + W[2] * inverse[6];
  bool regular = fabs(det) > DET_LEAST * one->scale * one->scale * one->scale;
  double by = 1 / det;
  for (int k = 0; k < 9; k++)
    inverse[k] *= by;
  return regular && isfinite(by);
}

void slipi_one_contact_prepare(SlipiOneContact *one, const double W[9], SlipiLaw law) {
  memcpy(one->W, W, sizeof one->W);
  one->law = law;
  one->flat = slipi_law_is_flat(&law);
  one->lambda = 0;
  double largest = 0, sum = 0;
  for (int k = 0; k < 9; k++)
    largest = fmax(largest, fabs(W[k]));
  for (int k = 0; k < 9 && largest > 0; k++)
    sum += (W[k] / largest) * (W[k] / largest);
  one->scale = largest * sqrt(sum);
  one->rho = one->scale > 0 ? 1 / one->scale : 1;
  double asymmetry = fmax(fabs(W[1] - W[3]), fmax(fabs(W[2] - W[6]), fabs(W[5] - W[7])));
  one->symmetric = asymmetry <= 1e-14 * one->scale;
  prepare_slide(one);
  one->aligned = one->symmetric && law.kind == SLIPI_COULOMB && law.flow == SLIP_FLOW_ASSOCIATED &&
                 slipi_one_contact_align(W, one->scale, law.mu, &one->axes);
  one->inverted = slipi_law_type(&law)->look && invert(one, one->inverse);
}
