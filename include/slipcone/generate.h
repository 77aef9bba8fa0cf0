/* Built-in problems, for the demo, the tests, and a user's first attempts. */
#ifndef SLIPCONE_GENERATE_H
#define SLIPCONE_GENERATE_H

#include <slipcone/slipcone.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The options of a kind: made by slip_default_generate(), filled with a kind's own values by
 * slip_generate_defaults. */
typedef struct SlipGenerate {
  size_t size;
  int32_t contacts;  /* wanted; kinds made of bodies come as near as their shape allows */
  int32_t dimension; /* 2 or 3 */
  double mu;
  uint64_t seed;
  double condition; /* of W, for the kinds that choose it */
  /* For the kinds that take them (SlipGenerateInfo); 0 for the others. */
  double angle;   /* radians */
  double speed;   /* of the obstacle that moves */
  double gravity; /* the velocity that gravity adds in a time step, upwards */
} SlipGenerate;

static inline SlipGenerate slip_default_generate(void) {
  SlipGenerate options;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  return options;
}

enum { SLIP_TAKES_ANGLE = 1, SLIP_TAKES_SPEED = 2, SLIP_TAKES_GRAVITY = 4 };

typedef struct SlipGenerateInfo {
  const char *name;
  const char *summary; /* one line */
  int known_solution;  /* 1: slip_generate also gives a solution */
  int takes;           /* SLIP_TAKES_...: which of the last options of SlipGenerate it has */
} SlipGenerateInfo;

SLIP_API int slip_generate_count(void);
/* NULL when index is out of range. */
SLIP_API const SlipGenerateInfo *slip_generate_info(int index);
SLIP_API SlipStatus slip_generate_defaults(const char *kind, SlipGenerate *options,
                                           SlipError *error);

/* options NULL: the defaults. For kinds with a known solution *r (dimension*contacts values,
 * freed with slip_generate_free_r) is that solution, otherwise NULL; r itself may be NULL. */
SLIP_API SlipStatus slip_generate(const char *kind, const SlipGenerate *options,
                                  SlipProblem **problem, double **r, SlipError *error);
SLIP_API void slip_generate_free_r(double *r);

#ifdef __cplusplus
}
#endif

#endif
