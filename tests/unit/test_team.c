/* Threads that share pieces: every piece is done once, stages wait for those before, and a program
 * that has no core to spare is not held up for long. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/team.h"

enum { PIECES = 1000, STAGES = 4, PASSES = 3, ROUNDS = 50 };

typedef struct Book {
  _Atomic int visits[PASSES][PIECES];
  _Atomic int done; /* pieces of all passes and stages */
  _Atomic int early;
  const int32_t *start;
} Book;

static void note(void *user, int32_t piece) {
  Book *book = user;
  atomic_fetch_add(&book->visits[0][piece], 1);
}

static void note_stage(void *user, int pass, int32_t piece) {
  Book *book = user;
  int stage = 0;
  while (piece >= book->start[stage + 1])
    stage++;
  if (atomic_load(&book->done) < pass * PIECES + book->start[stage])
    atomic_fetch_add(&book->early, 1);
  atomic_fetch_add(&book->visits[pass][piece], 1);
  atomic_fetch_add(&book->done, 1);
}

static void expect_each_once(const Book *book, int passes, int times) {
  for (int pass = 0; pass < passes; pass++)
    for (int k = 0; k < PIECES; k++)
      assert_int_equal(atomic_load(&book->visits[pass][k]), times);
}

static void test_each(void **state) {
  (void)state;
  for (int threads = 1; threads <= 5; threads++) {
    SlipiTeam *team;
    Book *book = calloc(1, sizeof *book);
    assert_int_equal(slipi_team_create(threads, &team, NULL), SLIP_OK);
    assert_true((team == NULL) == (threads == 1));
    for (int round = 0; round < ROUNDS; round++)
      slipi_team_each(team, PIECES, note, book);
    slipi_team_each(team, 0, note, book);
    expect_each_once(book, 1, ROUNDS);
    slipi_team_free(team);
    free(book);
  }
}

static void test_stages(void **state) {
  (void)state;
  const int32_t start[STAGES + 1] = {0, 1, 300, 301, PIECES};
  for (int threads = 1; threads <= 5; threads++) {
    SlipiTeam *team;
    assert_int_equal(slipi_team_create(threads, &team, NULL), SLIP_OK);
    for (int round = 0; round < ROUNDS; round++) {
      Book *book = calloc(1, sizeof *book);
      book->start = start;
      slipi_team_stages(team, &(SlipiStages){start, STAGES, PASSES, note_stage, book, NULL});
      expect_each_once(book, PASSES, 1);
      assert_int_equal(atomic_load(&book->early), 0);
      free(book);
    }
    slipi_team_free(team);
  }
}

/* Pieces of a ring wait for the two beside them only, in the order of the list and of the passes.
 */
typedef struct Ring {
  _Atomic int passes[PIECES];
  _Atomic int early;
} Ring;

static void note_ring(void *user, int pass, int32_t piece) {
  Ring *ring = user;
  for (int side = -1; side <= 1; side += 2) {
    int32_t other = (piece + side + PIECES) % PIECES;
    if (atomic_load(&ring->passes[other]) != pass + (other < piece))
      atomic_fetch_add(&ring->early, 1);
  }
  if (atomic_fetch_add(&ring->passes[piece], 1) != pass)
    atomic_fetch_add(&ring->early, 1);
}

static void test_near(void **state) {
  (void)state;
  static int32_t near_p[PIECES + 1], near[2 * PIECES];
  static _Atomic int32_t done[PIECES];
  const int32_t start[] = {0, PIECES / 2, PIECES};
  const SlipiNear ring_near = {near_p, near, done};
  for (int32_t k = 0; k < PIECES; k++) {
    near_p[k + 1] = 2 * (k + 1);
    near[2 * k] = (k + PIECES - 1) % PIECES;
    near[2 * k + 1] = (k + 1) % PIECES;
  }
  for (int threads = 1; threads <= 5; threads++) {
    SlipiTeam *team;
    assert_int_equal(slipi_team_create(threads, &team, NULL), SLIP_OK);
    for (int round = 0; round < ROUNDS; round++) {
      Ring *ring = calloc(1, sizeof *ring);
      slipi_team_stages(team, &(SlipiStages){start, 2, PASSES, note_ring, ring, &ring_near});
      for (int k = 0; k < PIECES; k++)
        assert_int_equal(atomic_load(&ring->passes[k]), PASSES);
      assert_int_equal(atomic_load(&ring->early), 0);
      free(ring);
    }
    slipi_team_free(team);
  }
}

/* A piece does not wait for one of an earlier stage that has nothing to do with it: the first ends
 * only when the second has begun. */
static void wait_for_other(void *user, int pass, int32_t piece) {
  _Atomic int *begun = user;
  (void)pass;
  if (piece == 1)
    atomic_store(begun, 1);
  while (!atomic_load(begun))
    sched_yield();
}

static void test_not_near(void **state) {
  (void)state;
  const int32_t start[] = {0, 1, 2}, near_p[] = {0, 1, 2}, near[] = {0, 1};
  _Atomic int32_t done[2];
  _Atomic int begun = 0;
  SlipiTeam *team;
  const SlipiNear apart = {near_p, near, done};
  assert_int_equal(slipi_team_create(2, &team, NULL), SLIP_OK);
  slipi_team_stages(team, &(SlipiStages){start, 2, 1, wait_for_other, &begun, &apart});
  assert_int_equal(begun, 1);
  slipi_team_free(team);
}

/* Only the thread that asked for the work puts the question; the others learn the answer. */
typedef struct Question {
  pthread_t asker;
  _Atomic int strangers;
  SlipOutcome answer;
} Question;

static SlipOutcome answer(void *user, double ahead) {
  Question *question = user;
  (void)ahead;
  if (!pthread_equal(pthread_self(), question->asker))
    atomic_fetch_add(&question->strangers, 1);
  return question->answer;
}

static void put(void *user, int32_t piece) {
  (void)piece;
  slipi_is_stopped(user);
}

static void *put_elsewhere(void *user) {
  return slipi_is_stopped(user) ? user : NULL;
}

static void *ask_elsewhere(SlipiStop *stop) {
  pthread_t thread;
  void *stopped;
  assert_int_equal(pthread_create(&thread, NULL, put_elsewhere, stop), 0);
  assert_int_equal(pthread_join(thread, &stopped), 0);
  return stopped;
}

static void test_stop(void **state) {
  (void)state;
  SlipiTeam *team;
  SlipiTeamStop shared;
  Question question = {.asker = pthread_self(), .answer = SLIP_NOT_RUN};
  SlipiStop stop = slipi_team_stop(&shared, (SlipiStop){answer, &question});
  assert_int_equal(slipi_team_create(3, &team, NULL), SLIP_OK);
  slipi_team_each(team, PIECES, put, &stop);
  slipi_team_free(team);
  assert_null(ask_elsewhere(&stop));
  question.answer = SLIP_TIME_LIMIT;
  assert_null(ask_elsewhere(&stop)); /* nobody has asked since */
  assert_true(slipi_is_stopped(&stop));
  assert_non_null(ask_elsewhere(&stop));
  assert_int_equal(atomic_load(&question.strangers), 0);
  stop = slipi_team_stop(&shared, (SlipiStop){NULL, NULL});
  assert_false(slipi_is_stopped(&stop));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_each), cmocka_unit_test(test_stages),
                                     cmocka_unit_test(test_near), cmocka_unit_test(test_not_near),
                                     cmocka_unit_test(test_stop)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
