/* The inside of SlipMpiProblem: the part of a problem that one process has.
 *
 * Chunks of contacts (contact/chunks.h) are dealt to the processes in contiguous ranges. A process
 * has the bodies that its contacts touch. Each body has a home, by its number: there it is known
 * which chunks touch it, who has them, and so who waits for whom. */
#ifndef SLIPI_MPI_PART_H
#define SLIPI_MPI_PART_H

#include <petscsf.h>
#include <slipcone/mpi.h>

#include "contact/problem.h"
#include "contact/share.h"
#include "mpi/route.h"

/* How the contacts are cut into chunks. */
typedef struct SlipiLayout {
  int64_t contacts, chunks; /* of the whole problem */
  int32_t size;             /* contacts of a chunk; the last has the rest, too */
  int ranks;
} SlipiLayout;

SlipiLayout slipi_layout(int64_t contacts, int ranks);
/* Chunks of so many contacts, or one where there are fewer than two of them. */
SlipiLayout slipi_layout_of(int64_t contacts, int32_t chunk, int ranks);
/* All contacts in one chunk. */
SlipiLayout slipi_layout_one(int64_t contacts, int ranks);

static inline int64_t slipi_layout_chunk(const SlipiLayout *layout, int64_t contact) {
  int64_t chunk = layout->size > 0 ? contact / layout->size : 0;
  return chunk < layout->chunks ? chunk : layout->chunks - 1;
}

/* Which of so many parts has a chunk, and the first chunk of a part. */
static inline int slipi_layout_part(const SlipiLayout *layout, int64_t chunk, int parts) {
  return (int)(chunk * parts / layout->chunks);
}

static inline int64_t slipi_layout_first_chunk(const SlipiLayout *layout, int part) {
  return (layout->chunks * part + layout->ranks - 1) / layout->ranks;
}

static inline int64_t slipi_layout_first_contact(const SlipiLayout *layout, int part) {
  int64_t chunk = slipi_layout_first_chunk(layout, part);
  return chunk < layout->chunks ? chunk * layout->size : layout->contacts;
}

/* One chunk that touches a body, as the body's home knows it. */
typedef struct SlipiVisit {
  int64_t body, chunk;
  int32_t rank, place; /* of the body there */
  int32_t contacts;    /* of the chunk, that touch it */
  int32_t colour;
} SlipiVisit;

struct SlipMpiProblem {
  MPI_Comm comm;
  int rank, ranks;
  int32_t d, n;
  int64_t bodies; /* of the whole problem */
  SlipiLayout layout;
  SlipProblem *problem;  /* this process's contacts, and the bodies they touch */
  int64_t first_contact; /* of this process */
  int32_t nc, nb;
  int64_t *body;      /* numbers of the bodies, ascending */
  int32_t *settler;   /* the process that settles each when loads are handed down */
  SlipiVisit *visits; /* of the bodies whose home is here, by body and colour */
  int64_t visit_count;
  double degree;
  bool rolls; /* contacts resist rolling, if only on other processes */
  SlipiChunks chunks;
  int64_t *first;                   /* contact that each chunk begins with */
  PetscSF halo[SLIPI_COLOURS_MOST]; /* after each colour, to who touches a body next */
  PetscSF spread;                   /* after the last, to all who touch it */
  MPI_Datatype unit;                /* of a body's velocities */
  bool has_unit;
  int halos;
  /* Who gave the contacts and bodies, and where in its arrays; NULL for contacts where each process
   * gave its own. */
  int32_t own_contacts, own_bodies;
  int32_t *contact_giver, *contact_place;
  int32_t *body_giver, *body_place;
  /* Where a file has equality constraints: its contacts before theirs, and the component among all
   * that each of them is. */
  int64_t head, equalities;
  int32_t *equality_place;
  struct SlipiCoupled *coupled; /* M, where it couples degrees of freedom (mpi/coupled.h) */
  SlipiArena arena;
};

static inline int slipi_part_home(const SlipMpiProblem *part, int64_t body) {
  return (int)(body * part->ranks / (part->bodies + 1));
}

/* The place of a body in this part, or -1. */
int32_t slipi_part_find_body(const SlipMpiProblem *part, int64_t body);

/* Which chunks touch which bodies, the colours that follow, and the halos. *fits is false where
 * there are too few colours, and nothing else is made. */
SlipStatus slipi_part_connect(SlipMpiProblem *part, bool *fits, SlipError *error);

/* The contacts of this process, where they are: pointers into the user's data or into what has been
 * sent. */
typedef struct SlipiContacts {
  const int64_t *body; /* 2 a contact */
  const double *H, *w, *frame, *compliance;
  const uint64_t *key;
  SlipLaws laws;
} SlipiContacts;

/* Send the contacts to the processes that have their chunks; fills part->nc and the givers. */
SlipStatus slipi_part_take_contacts(SlipMpiProblem *part, const SlipMpiData *data,
                                    SlipiContacts *contacts, SlipiArena *arena, SlipError *error);

/* Fetch the bodies that the contacts touch; fills part->nb, body and the givers. */
SlipStatus slipi_part_take_bodies(SlipMpiProblem *part, const SlipMpiData *data,
                                  const SlipiContacts *contacts, SlipiArena *arena, double **M,
                                  double **f, SlipError *error);

/* The share (contact/share.h) of this part. */
SlipiShare slipi_part_share(const SlipMpiProblem *part);

/* Its functions for loads. */
SlipStatus slipi_part_loads_create(void *user, const struct SlipiRun *run, struct SlipiLoads *loads,
                                   SlipError *error);
bool slipi_part_loads_pass(void *user, const struct SlipiRun *run, struct SlipiLoads *loads);

/* Its function for H c. */
SlipStatus slipi_part_gather(void *user, const double *c, double *p, SlipError *error);

/* Its functions for the matrix of the bodies. */
SlipStatus slipi_part_matrix_create(void *user, struct SlipiBodyMatrix *bodies, void **matrix,
                                    double *work, SlipError *error);
SlipStatus slipi_part_matrix_factor(void *matrix, const double *x, int *sign, SlipError *error);
void slipi_part_matrix_solve(void *matrix, double *z);
void slipi_part_matrix_add(void *matrix, double *z);
void slipi_part_matrix_free(void *matrix);

#endif
