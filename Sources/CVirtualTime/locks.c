// Mutexes, read-write locks, spin locks and the locks of stdio. The state of a lock stays libc's, changed by its
// functions that do not wait; only the waiting is done here.

#include "core.h"
#include "real.h"

// ---- Mutexes ----

/// Locks, waiting until a deadline. Returns 0, ETIMEDOUT or libc's error.
static int lock_mutex(pthread_mutex_t *mutex, int64_t deadline) {
  for (;;) {
    int status = vt_real.pthread_mutex_trylock(mutex);
    if (status != EBUSY) return status;
    // libc's lock would find this out before it waits; its trylock does not tell.
    int kind = mutex->__data.__kind & 3;
    if (kind == PTHREAD_MUTEX_ERRORCHECK && mutex->__data.__owner == vt_current->kernel_id) return EDEADLK;
    if (vt_block(FOR_MUTEX, mutex, deadline)) {
      status = vt_real.pthread_mutex_trylock(mutex);
      return status == EBUSY ? ETIMEDOUT : status;
    }
  }
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  if (!vt_is_on()) return vt_real.pthread_mutex_lock(mutex);
  vt_point();
  return lock_mutex(mutex, VT_NEVER);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  if (!vt_is_on()) return vt_real.pthread_mutex_trylock(mutex);
  vt_point();
  int status = vt_real.pthread_mutex_trylock(mutex);
  if (status == EBUSY) vt_look();
  return status;
}

int pthread_mutex_clocklock(pthread_mutex_t *restrict mutex, clockid_t clock, const struct timespec *restrict until) {
  if (!vt_is_on()) return vt_real.pthread_mutex_clocklock(mutex, clock, until);
  vt_point();
  return lock_mutex(mutex, vt_deadline(clock, until));
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
  if (!vt_is_on()) return vt_real.pthread_mutex_timedlock(mutex, until);
  return pthread_mutex_clocklock(mutex, CLOCK_REALTIME, until);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  if (!vt_is_on()) return vt_real.pthread_mutex_unlock(mutex);
  int status = vt_real.pthread_mutex_unlock(mutex);
  vt_wake(mutex, 1);
  vt_point();
  return status;
}

// ---- Conditions ----

static int wait_condition(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline) {
  int status = vt_real.pthread_mutex_unlock(mutex);
  if (status) return status;
  vt_wake(mutex, 1);
  int is_late = vt_block(FOR_CONDITION, condition, deadline);
  status = lock_mutex(mutex, VT_NEVER);
  return status ? status : is_late ? ETIMEDOUT : 0;
}

int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex) {
  if (!vt_is_on()) return vt_real.pthread_cond_wait(condition, mutex);
  return wait_condition(condition, mutex, VT_NEVER);
}

int pthread_cond_clockwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock,
    const struct timespec *restrict until) {
  if (!vt_is_on()) return vt_real.pthread_cond_clockwait(condition, mutex, clock, until);
  return wait_condition(condition, mutex, vt_deadline(clock, until));
}

int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
  if (!vt_is_on()) return vt_real.pthread_cond_timedwait(condition, mutex, until);
  enum { IS_MONOTONIC = 2 };  // glibc keeps the clock of pthread_condattr_setclock in this bit
  clockid_t clock = condition->__data.__wrefs & IS_MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME;
  return wait_condition(condition, mutex, vt_deadline(clock, until));
}

int pthread_cond_signal(pthread_cond_t *condition) {
  if (!vt_is_on()) return vt_real.pthread_cond_signal(condition);
  vt_wake(condition, 1);
  vt_point();
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  if (!vt_is_on()) return vt_real.pthread_cond_broadcast(condition);
  vt_wake(condition, VT_ALL);
  vt_point();
  return 0;
}

// ---- Read-write locks ----

typedef int (*vt_try_lock)(pthread_rwlock_t *);

static int lock_rwlock(pthread_rwlock_t *lock, vt_try_lock try, int64_t deadline) {
  vt_point();
  for (;;) {
    int status = try(lock);
    if (status != EBUSY) return status;
    if (vt_block(FOR_RWLOCK, lock, deadline)) {
      status = try(lock);
      return status == EBUSY ? ETIMEDOUT : status;
    }
  }
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  if (!vt_is_on()) return vt_real.pthread_rwlock_rdlock(lock);
  return lock_rwlock(lock, vt_real.pthread_rwlock_tryrdlock, VT_NEVER);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  if (!vt_is_on()) return vt_real.pthread_rwlock_wrlock(lock);
  return lock_rwlock(lock, vt_real.pthread_rwlock_trywrlock, VT_NEVER);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict until) {
  if (!vt_is_on()) return vt_real.pthread_rwlock_timedrdlock(lock, until);
  return lock_rwlock(lock, vt_real.pthread_rwlock_tryrdlock, vt_deadline(CLOCK_REALTIME, until));
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict until) {
  if (!vt_is_on()) return vt_real.pthread_rwlock_timedwrlock(lock, until);
  return lock_rwlock(lock, vt_real.pthread_rwlock_trywrlock, vt_deadline(CLOCK_REALTIME, until));
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  if (!vt_is_on()) return vt_real.pthread_rwlock_unlock(lock);
  int status = vt_real.pthread_rwlock_unlock(lock);
  vt_wake(lock, VT_ALL);
  vt_point();
  return status;
}

// ---- Spin locks ----

int pthread_spin_lock(pthread_spinlock_t *lock) {
  if (!vt_is_on()) return vt_real.pthread_spin_lock(lock);
  vt_point();
  for (int status; (status = vt_real.pthread_spin_trylock(lock)) != 0; vt_yield())
    if (status != EBUSY) return status;
  return 0;
}

// ---- stdio ----

// libc's own lock is left alone: its functions take it by themselves, without a call that could be replaced, and would
// wait for it in the kernel while its owner, another fiber, can never go on.
static struct {
  FILE *file;
  vt_thread *owner;
  int depth;
} files[64];

static int file_index(FILE *file, int adds) {
  int empty = -1;
  for (int i = 0; i < (int)(sizeof files / sizeof *files); i++) {
    if (files[i].depth && files[i].file == file) return i;
    if (!files[i].depth && empty < 0) empty = i;
  }
  return adds ? empty : -1;
}

int ftrylockfile(FILE *file) {
  if (!vt_is_on()) return vt_real.ftrylockfile(file);
  int i = file_index(file, 1);
  if (i < 0) return 0;  // more files locked at once than there is room for: as if each had none
  if (files[i].depth && files[i].owner != vt_current) return -1;
  files[i].file = file;
  files[i].owner = vt_current;
  files[i].depth++;
  return 0;
}

void flockfile(FILE *file) {
  if (!vt_is_on()) {
    vt_real.flockfile(file);
    return;
  }
  while (ftrylockfile(file)) vt_block(FOR_STDIO, file, VT_NEVER);
}

void funlockfile(FILE *file) {
  if (!vt_is_on()) {
    vt_real.funlockfile(file);
    return;
  }
  int i = file_index(file, 0);
  if (i >= 0 && files[i].owner == vt_current && --files[i].depth == 0) vt_wake(file, 1);
}
