// Semaphores, barriers, and initialization that runs once.

#include "core.h"
#include "real.h"

// ---- Semaphores ----

static int wait_semaphore(sem_t *semaphore, int64_t deadline) {
  vt_point();
  for (;;) {
    if (vt_real.sem_trywait(semaphore) == 0) return 0;
    if (vt_block(FOR_SEMAPHORE, semaphore, deadline))
      return vt_real.sem_trywait(semaphore) == 0 ? 0 : vt_fail(ETIMEDOUT);
  }
}

int sem_wait(sem_t *semaphore) {
  return vt_is_on() ? wait_semaphore(semaphore, VT_NEVER) : vt_real.sem_wait(semaphore);
}

int sem_trywait(sem_t *semaphore) {
  if (!vt_is_on()) return vt_real.sem_trywait(semaphore);
  int status = vt_real.sem_trywait(semaphore);
  if (status == 0) return 0;
  vt_look();
  return vt_fail(EAGAIN);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until) {
  if (!vt_is_on()) return vt_real.sem_timedwait(semaphore, until);
  return wait_semaphore(semaphore, vt_deadline(CLOCK_REALTIME, until));
}

int sem_clockwait(sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict until) {
  if (!vt_is_on()) return vt_real.sem_clockwait(semaphore, clock, until);
  return wait_semaphore(semaphore, vt_deadline(clock, until));
}

int sem_post(sem_t *semaphore) {
  if (!vt_is_on()) return vt_real.sem_post(semaphore);
  int status = vt_real.sem_post(semaphore);
  vt_wake(semaphore, 1);
  vt_point();
  return status;
}

// ---- Barriers ----

// In the memory of the program's barrier: libc offers no call that enters one without waiting.
typedef struct {
  unsigned count, arrived, round;
} vt_barrier;
_Static_assert(sizeof(vt_barrier) <= sizeof(pthread_barrier_t), "a barrier has room for ours");

int pthread_barrier_init(
    pthread_barrier_t *restrict barrier, const pthread_barrierattr_t *restrict attributes, unsigned count) {
  if (!vt_is_on()) return vt_real.pthread_barrier_init(barrier, attributes, count);
  if (count == 0) return EINVAL;
  *(vt_barrier *)(void *)barrier = (vt_barrier){.count = count};
  return 0;
}

int pthread_barrier_wait(pthread_barrier_t *opaque) {
  if (!vt_is_on()) return vt_real.pthread_barrier_wait(opaque);
  vt_barrier *barrier = (vt_barrier *)(void *)opaque;
  if (++barrier->arrived < barrier->count) {
    for (unsigned round = barrier->round; barrier->round == round;) vt_block(FOR_BARRIER, barrier, VT_NEVER);
    return 0;
  }
  barrier->arrived = 0;
  barrier->round++;
  vt_wake(barrier, VT_ALL);
  vt_point();
  return PTHREAD_BARRIER_SERIAL_THREAD;
}

int pthread_barrier_destroy(pthread_barrier_t *barrier) {
  return vt_is_on() ? 0 : vt_real.pthread_barrier_destroy(barrier);
}

// ---- Once ----

// glibc marks a finished initialization with 2 and reads the mark itself, so ours is the same.
enum { ONCE_RUNS = 1, ONCE_DONE = 2 };

static void abandon_once(void *once) {  // the initialization has ended its thread: another one tries
  *(pthread_once_t *)once = 0;
  vt_wake(once, VT_ALL);
}

int pthread_once(pthread_once_t *once, void (*initialize)(void)) {
  if (!vt_is_on()) return vt_real.pthread_once(once, initialize);
  while (*once == ONCE_RUNS) vt_block(FOR_ONCE, once, VT_NEVER);
  if (*once == ONCE_DONE) return 0;
  *once = ONCE_RUNS;
  pthread_cleanup_push(abandon_once, once);
  initialize();
  pthread_cleanup_pop(0);
  *once = ONCE_DONE;
  vt_wake(once, VT_ALL);
  vt_point();
  return 0;
}
