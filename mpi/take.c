/* Contacts and bodies on their way from those who gave them to those who have their chunks. */
#include "mpi/part.h"

#include <stdlib.h>
#include <string.h>

#include "contact/bodies.h"
#include "contact/laws.h"

/* ---- Contacts ---- */

/* One array of the data, of which a contact has so many bytes. */
typedef struct Field {
  const void *from;
  void *to;
  size_t bytes;
} Field;

enum { FIELDS = SLIPI_LAW_PARAMETERS + 7 };
enum { BODY, H, W, KEY, FRAME, COMPLIANCE, KIND, PARAMETER };

static void list_fields(const SlipMpiData *data, int32_t n, Field field[FIELDS]) {
  size_t d = (size_t)data->dimension, real = sizeof(double);
  SlipLaws none = slip_default_laws();
  const SlipLaws *laws = data->laws ? data->laws : &none;
  field[BODY] = (Field){data->body, NULL, 2 * sizeof(int64_t)};
  field[H] = (Field){data->H, NULL, 2 * d * (size_t)n * real};
  field[W] = (Field){data->w, NULL, d * real};
  field[KEY] = (Field){data->key, NULL, sizeof(uint64_t)};
  field[FRAME] = (Field){data->frame, NULL, d * d * real};
  field[COMPLIANCE] = (Field){data->compliance, NULL, d * d * real};
  field[KIND] = (Field){laws->kind, NULL, sizeof(int32_t)};
  for (int k = 0; k < SLIPI_LAW_PARAMETERS; k++) {
    const SlipiLawParameter *parameter = &slipi_law_parameters[k];
    field[PARAMETER + k] =
        (Field){slipi_laws_array(laws, parameter), NULL, parameter->real ? real : sizeof(int32_t)};
  }
}

/* An array is sent where some process has it; those without must have no contacts. */
static SlipStatus agree_fields(const SlipMpiProblem *part, const SlipMpiData *data,
                               Field field[FIELDS], SlipError *error) {
  int there[FIELDS];
  for (int k = 0; k < FIELDS; k++)
    there[k] = field[k].from != NULL && data->own_contacts > 0;
  MPI_Allreduce(MPI_IN_PLACE, there, FIELDS, MPI_INT, MPI_MAX, part->comm);
  SlipStatus status = SLIP_OK;
  for (int k = 0; k < FIELDS; k++) {
    if (there[k] && !field[k].from && data->own_contacts > 0)
      status = slipi_fail(error, SLIP_ERROR_ARGUMENT,
                          "an array of contacts is there on some processes only");
    field[k].bytes = there[k] ? field[k].bytes : 0;
  }
  return slipi_mpi_agree(part->comm, status, error);
}

static void use_fields(const Field field[FIELDS], bool sent, SlipiContacts *contacts) {
  const void *at[FIELDS];
  for (int k = 0; k < FIELDS; k++)
    at[k] = field[k].bytes == 0 ? NULL : sent ? field[k].to : field[k].from;
  *contacts = (SlipiContacts){.body = at[BODY],
                              .H = at[H],
                              .w = at[W],
                              .key = at[KEY],
                              .frame = at[FRAME],
                              .compliance = at[COMPLIANCE],
                              .laws = slip_default_laws()};
  contacts->laws.kind = at[KIND];
  for (int k = 0; k < SLIPI_LAW_PARAMETERS; k++)
    slipi_laws_set_array(&contacts->laws, &slipi_law_parameters[k], at[PARAMETER + k]);
}

/* What comes before the fields of a contact that is sent. */
typedef struct Head {
  int64_t number;
  int32_t place, unused;
} Head;

static int64_t number_of(const SlipMpiData *data, int64_t first, int32_t contact) {
  return data->contact_number ? data->contact_number[contact] : first + contact;
}

static void pack(const SlipMpiProblem *part, const SlipMpiData *data, int64_t first,
                 const Field field[FIELDS], SlipiRecords *out) {
  for (int32_t a = 0; a < data->own_contacts; a++) {
    Head head = {.number = number_of(data, first, a), .place = a};
    char *to = slipi_record(out, a);
    int64_t chunk = slipi_layout_chunk(&part->layout, head.number);
    out->rank[a] = slipi_layout_part(&part->layout, chunk, part->ranks);
    memcpy(to, &head, sizeof head);
    to += sizeof head;
    for (int k = 0; k < FIELDS; to += field[k].bytes, k++)
      if (field[k].bytes > 0)
        memcpy(to, (const char *)field[k].from + (size_t)a * field[k].bytes, field[k].bytes);
  }
}

/* Each contact to its place; a number that comes twice, and so another one that does not come, is
 * refused. */
static SlipStatus unpack(SlipMpiProblem *part, const SlipiRecords *in, Field field[FIELDS],
                         SlipiArena *arena, SlipError *error) {
  int32_t nc = part->nc;
  part->contact_giver = SLIPI_ARENA_RAW(&part->arena, int32_t, nc);
  part->contact_place = SLIPI_ARENA_RAW(&part->arena, int32_t, nc);
  for (int k = 0; k < FIELDS; k++)
    field[k].to =
        field[k].bytes > 0 ? slipi_arena_raw(arena, (size_t)nc + 1, field[k].bytes) : NULL;
  if (arena->failed || part->arena.failed)
    return slipi_fail_memory(error, "the contacts of a process");
  memset(part->contact_giver, -1, (size_t)nc * sizeof *part->contact_giver);
  for (int64_t r = 0; r < in->count; r++) {
    Head head;
    const char *from = slipi_record(in, r);
    memcpy(&head, from, sizeof head);
    from += sizeof head;
    size_t at = (size_t)(head.number - part->first_contact);
    if (part->contact_giver[at] >= 0)
      return slipi_fail(error, SLIP_ERROR_PROBLEM, "contact %lld is given twice",
                        (long long)head.number);
    part->contact_giver[at] = in->rank[r];
    part->contact_place[at] = head.place;
    for (int k = 0; k < FIELDS; from += field[k].bytes, k++)
      if (field[k].bytes > 0)
        memcpy((char *)field[k].to + at * field[k].bytes, from, field[k].bytes);
  }
  return SLIP_OK;
}

/* Whether every process gives the contacts it is to have, in their order. */
static bool is_in_place(const SlipMpiProblem *part, const SlipMpiData *data, int64_t first) {
  bool here = data->own_contacts == part->nc;
  for (int32_t a = 0; a < data->own_contacts && here; a++)
    here = number_of(data, first, a) == part->first_contact + a;
  return slipi_mpi_all(part->comm, here);
}

static SlipStatus check_numbers(const SlipMpiProblem *part, const SlipMpiData *data, int64_t first,
                                SlipError *error) {
  SlipStatus status = SLIP_OK;
  for (int32_t a = 0; a < data->own_contacts && status == SLIP_OK; a++) {
    int64_t number = number_of(data, first, a);
    if (number < 0 || number >= data->contacts)
      status = slipi_fail(error, SLIP_ERROR_PROBLEM,
                          "contact %d of this process has the number %lld, expected 0 to %lld",
                          (int)a, (long long)number, (long long)data->contacts - 1);
    for (int side = 0; side < 2 && status == SLIP_OK; side++) {
      int64_t body = data->body[2 * (int64_t)a + side];
      if (body < -1 || body >= data->bodies)
        status = slipi_fail(error, SLIP_ERROR_PROBLEM,
                            "contact %lld touches body %lld, expected -1 to %lld",
                            (long long)number, (long long)body, (long long)data->bodies - 1);
    }
  }
  return slipi_mpi_agree(part->comm, status, error);
}

SlipStatus slipi_part_take_contacts(SlipMpiProblem *part, const SlipMpiData *data,
                                    SlipiContacts *contacts, SlipiArena *arena, SlipError *error) {
  Field field[FIELDS];
  SlipiRecords out, in = {0};
  int64_t first = 0, own = data->own_contacts;
  MPI_Exscan(&own, &first, 1, MPI_INT64_T, MPI_SUM, part->comm);
  first = part->rank == 0 ? 0 : first;
  part->own_contacts = data->own_contacts;
  part->first_contact = slipi_layout_first_contact(&part->layout, part->rank);
  int64_t end = slipi_layout_first_contact(&part->layout, part->rank + 1);
  part->nc = (int32_t)(end - part->first_contact);
  part->contact_giver = part->contact_place = NULL;
  list_fields(data, part->n, field);
  SlipStatus status = agree_fields(part, data, field, error);
  if (status == SLIP_OK)
    status = check_numbers(part, data, first, error);
  if (status != SLIP_OK)
    return status;
  if (is_in_place(part, data, first)) {
    use_fields(field, false, contacts);
    return SLIP_OK;
  }
  size_t size = sizeof(Head);
  for (int k = 0; k < FIELDS; k++)
    size += field[k].bytes;
  bool room = slipi_records_new(&out, data->own_contacts, size);
  if (room)
    pack(part, data, first, field, &out);
  else
    status = slipi_fail_memory(error, "the contacts of a process");
  status = slipi_mpi_agree(part->comm, status, error);
  if (status == SLIP_OK)
    status = slipi_mpi_route(part->comm, &out, &in, error);
  slipi_records_free(&out);
  if (status == SLIP_OK)
    status = slipi_mpi_agree(part->comm, unpack(part, &in, field, arena, error), error);
  slipi_records_free(&in);
  use_fields(field, true, contacts);
  return status;
}

/* ---- Bodies ---- */

static int compare_numbers(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

/* The numbers of the bodies that the contacts touch, each once; by malloc. */
static int64_t *touched_bodies(const SlipMpiProblem *part, const int64_t *body, int64_t *count) {
  int64_t *list = malloc(2 * (size_t)part->nc * sizeof *list + 1), used = 0, kept = 0;
  for (int64_t k = 0; list && k < 2 * (int64_t)part->nc; k++) {
    /* Contacts of a body follow each other: most repetitions are seen at once. */
    bool seen = body[k] < 0 || (used > 0 && list[used - 1] == body[k]) ||
                (used > 1 && list[used - 2] == body[k]);
    if (!seen)
      list[used++] = body[k];
  }
  if (list && used > 0)
    qsort(list, (size_t)used, sizeof *list, compare_numbers);
  for (int64_t k = 0; list && k < used; k++)
    if (k == 0 || list[k] != list[k - 1])
      list[kept++] = list[k];
  *count = kept;
  return list;
}

/* A body as its giver sends it home; M and f follow. */
typedef struct BodyHead {
  int64_t number;
  int32_t giver, place;
} BodyHead;

static SlipStatus send_home(const SlipMpiProblem *part, const SlipMpiData *data, SlipiRecords *home,
                            SlipError *error) {
  size_t n = (size_t)part->n, values = (n * n + n) * sizeof(double);
  SlipiRecords out;
  int64_t first = 0, own = data->own_bodies;
  MPI_Exscan(&own, &first, 1, MPI_INT64_T, MPI_SUM, part->comm);
  first = part->rank == 0 ? 0 : first;
  SlipStatus status = SLIP_OK;
  if (!slipi_records_new(&out, own, sizeof(BodyHead) + values))
    status = slipi_fail_memory(error, "the bodies of a process");
  for (int64_t b = 0; b < own && status == SLIP_OK; b++) {
    BodyHead head = {.number = data->body_number ? data->body_number[b] : first + b,
                     .giver = part->rank,
                     .place = (int32_t)b};
    if (head.number < 0 || head.number >= part->bodies) {
      status = slipi_fail(error, SLIP_ERROR_PROBLEM,
                          "body %d of this process has the number %lld, expected 0 to %lld", (int)b,
                          (long long)head.number, (long long)part->bodies - 1);
      break;
    }
    char *to = slipi_record(&out, b);
    out.rank[b] = slipi_part_home(part, head.number);
    memcpy(to, &head, sizeof head);
    memcpy(to + sizeof head, data->M + (size_t)b * n * n, n * n * sizeof(double));
    memcpy(to + sizeof head + n * n * sizeof(double), data->f + (size_t)b * n, n * sizeof(double));
  }
  status = slipi_mpi_agree(part->comm, status, error);
  if (status == SLIP_OK)
    status = slipi_mpi_route(part->comm, &out, home, error);
  slipi_records_free(&out);
  return status;
}

/* Bodies whose home is here, by number: where their record is. */
typedef struct Home {
  int64_t first, count;
  int64_t *record; /* -1: nobody gave it */
  bool *wanted;
} Home;

static SlipStatus open_home(const SlipMpiProblem *part, const SlipiRecords *given, Home *home,
                            SlipError *error) {
  /* Numbers that slipi_part_home sends here. */
  int64_t first = (part->rank * (part->bodies + 1) + part->ranks - 1) / part->ranks;
  int64_t end = ((part->rank + 1) * (part->bodies + 1) + part->ranks - 1) / part->ranks;
  end = end < part->bodies ? end : part->bodies;
  first = first < end ? first : end;
  *home = (Home){.first = first, .count = end - first};
  home->record = malloc((size_t)home->count * sizeof *home->record + 1);
  home->wanted = calloc((size_t)home->count + 1, sizeof *home->wanted);
  if (!home->record || !home->wanted)
    return slipi_fail_memory(error, "the bodies of a process");
  memset(home->record, -1, (size_t)home->count * sizeof *home->record);
  for (int64_t k = 0; k < given->count; k++) {
    BodyHead head;
    memcpy(&head, slipi_record(given, k), sizeof head);
    if (home->record[head.number - first] >= 0)
      return slipi_fail(error, SLIP_ERROR_PROBLEM, "body %lld is given twice",
                        (long long)head.number);
    home->record[head.number - first] = k;
  }
  for (int64_t b = 0; b < home->count; b++)
    if (home->record[b] < 0)
      return slipi_fail(error, SLIP_ERROR_PROBLEM, "body %lld is not given",
                        (long long)(first + b));
  return SLIP_OK;
}

/* Answer the wishes for bodies. Those that nobody wants, which no contact touches, stay at home. */
static SlipStatus answer(const SlipMpiProblem *part, const SlipiRecords *given,
                         const SlipiRecords *wishes, Home *home, SlipiRecords *got,
                         SlipError *error) {
  SlipiRecords out;
  int64_t idle = 0, used = wishes->count;
  for (int64_t k = 0; k < wishes->count; k++)
    home->wanted[*(int64_t *)slipi_record(wishes, k) - home->first] = true;
  for (int64_t b = 0; b < home->count; b++)
    idle += !home->wanted[b];
  bool room = slipi_records_new(&out, wishes->count + idle, given->size);
  for (int64_t k = 0; k < wishes->count && room; k++) {
    int64_t body = *(int64_t *)slipi_record(wishes, k) - home->first;
    memcpy(slipi_record(&out, k), slipi_record(given, home->record[body]), given->size);
    out.rank[k] = wishes->rank[k];
  }
  for (int64_t b = 0; b < home->count && room; b++) {
    if (home->wanted[b])
      continue;
    memcpy(slipi_record(&out, used), slipi_record(given, home->record[b]), given->size);
    out.rank[used++] = part->rank;
  }
  SlipStatus status = slipi_mpi_agree(
      part->comm, room ? SLIP_OK : slipi_fail_memory(error, "the bodies of a process"), error);
  if (status == SLIP_OK)
    status = slipi_mpi_route(part->comm, &out, got, error);
  slipi_records_free(&out);
  return status;
}

static SlipStatus ask_for(const SlipMpiProblem *part, const int64_t *body, SlipiRecords *wishes,
                          SlipError *error) {
  int64_t count = 0;
  int64_t *list = touched_bodies(part, body, &count);
  SlipiRecords out = {0};
  bool room = list && slipi_records_new(&out, count, sizeof *list);
  for (int64_t k = 0; k < count && room; k++) {
    memcpy(slipi_record(&out, k), &list[k], sizeof *list);
    out.rank[k] = slipi_part_home(part, list[k]);
  }
  free(list);
  SlipStatus status = slipi_mpi_agree(
      part->comm, room ? SLIP_OK : slipi_fail_memory(error, "the bodies of a process"), error);
  if (status == SLIP_OK)
    status = slipi_mpi_route(part->comm, &out, wishes, error);
  slipi_records_free(&out);
  return status;
}

/* The bodies that have come, by number. */
static SlipStatus keep_bodies(SlipMpiProblem *part, SlipiRecords *got, SlipiArena *arena,
                              double **M, double **f, SlipError *error) {
  size_t n = (size_t)part->n;
  if (got->count > INT32_MAX / part->n)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "a process would have %lld bodies",
                      (long long)got->count);
  part->nb = (int32_t)got->count;
  part->body = SLIPI_ARENA_RAW(&part->arena, int64_t, part->nb);
  part->body_giver = SLIPI_ARENA_RAW(&part->arena, int32_t, part->nb);
  part->body_place = SLIPI_ARENA_RAW(&part->arena, int32_t, part->nb);
  *M = SLIPI_ARENA_RAW(arena, double, (size_t)part->nb *n *n);
  *f = SLIPI_ARENA_RAW(arena, double, (size_t)part->nb *n);
  if (part->arena.failed || arena->failed)
    return slipi_fail_memory(error, "the bodies of a process");
  if (part->nb > 0)
    qsort(got->data, (size_t)part->nb, got->size, compare_numbers); /* records begin with them */
  for (int32_t b = 0; b < part->nb; b++) {
    BodyHead head;
    const char *from = slipi_record(got, b);
    memcpy(&head, from, sizeof head);
    part->body[b] = head.number;
    part->body_giver[b] = head.giver;
    part->body_place[b] = head.place;
    memcpy(*M + (size_t)b * n * n, from + sizeof head, n * n * sizeof(double));
    memcpy(*f + (size_t)b * n, from + sizeof head + n * n * sizeof(double), n * sizeof(double));
  }
  return SLIP_OK;
}

SlipStatus slipi_part_take_bodies(SlipMpiProblem *part, const SlipMpiData *data,
                                  const SlipiContacts *contacts, SlipiArena *arena, double **M,
                                  double **f, SlipError *error) {
  SlipiRecords given = {0}, wishes = {0}, got = {0};
  Home home = {0};
  part->own_bodies = data->own_bodies;
  SlipStatus status = send_home(part, data, &given, error);
  if (status == SLIP_OK)
    status = slipi_mpi_agree(part->comm, open_home(part, &given, &home, error), error);
  if (status == SLIP_OK)
    status = ask_for(part, contacts->body, &wishes, error);
  if (status == SLIP_OK)
    status = answer(part, &given, &wishes, &home, &got, error);
  slipi_records_free(&given);
  slipi_records_free(&wishes);
  if (status == SLIP_OK)
    status = slipi_mpi_agree(part->comm, keep_bodies(part, &got, arena, M, f, error), error);
  slipi_records_free(&got);
  free(home.record);
  free(home.wanted);
  return status;
}
