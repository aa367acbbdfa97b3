// Waits that are due when they begin, and short ones.

#define _GNU_SOURCE

#include "CVirtualTimeProbe.h"

#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t taken = PTHREAD_MUTEX_INITIALIZER, mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static int set = -1, word;
static pthread_t sleeper;

static void *sleep_long(void *unused) {
  (void)unused;
  sleep(1000000);
  return NULL;
}

/// Another thread holds the locks that no caller gets.
static void *take(void *unused) {
  (void)unused;
  pthread_mutex_lock(&taken);
  pthread_rwlock_wrlock(&rwlock);
  return NULL;
}

void probe_prepare_due(void) {
  pthread_t taker;
  sem_init(&semaphore, 0, 0);
  set = epoll_create1(EPOLL_CLOEXEC);
  pthread_create(&taker, NULL, take, NULL);
  pthread_join(taker, NULL);
  pthread_create(&sleeper, NULL, sleep_long, NULL);
}

int probe_wait_due(const char *kind) {
  const struct timespec zero = {0, 0}, past = {1, 0};
  struct epoll_event event;
#define IS(name) (strcmp(kind, name) == 0)
  if (IS("usleep")) return usleep(0), 1;
  if (IS("usleep1")) return usleep(1), 1;
  if (IS("nanosleep")) return nanosleep(&zero, NULL), 1;
  if (IS("clock_nanosleep")) return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &past, NULL), 1;
  if (IS("sleep")) return sleep(0), 1;
  if (IS("poll")) return poll(NULL, 0, 0), 1;
  if (IS("ppoll1ns")) return ppoll(NULL, 0, &(struct timespec){0, 1}, NULL), 1;
  if (IS("select")) return select(0, NULL, NULL, NULL, &(struct timeval){0, 0}), 1;
  if (IS("epoll")) return epoll_wait(set, &event, 1, 0), 1;
  if (IS("yield")) return sched_yield(), 1;
  if (IS("semaphore")) return sem_timedwait(&semaphore, &past), 1;
  if (IS("semaphoreTry")) return sem_trywait(&semaphore), 1;
  if (IS("mutex")) return pthread_mutex_timedlock(&taken, &past), 1;
  if (IS("mutexTry")) return pthread_mutex_trylock(&taken), 1;
  if (IS("rwlock")) return pthread_rwlock_timedrdlock(&rwlock, &past), 1;
  if (IS("join")) return pthread_timedjoin_np(sleeper, NULL, &past), 1;
  if (IS("futex")) return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &zero, NULL, 0), 1;
  if (IS("condition")) {
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&condition, &mutex, &past);
    pthread_mutex_unlock(&mutex);
    return 1;
  }
  return 0;
}
