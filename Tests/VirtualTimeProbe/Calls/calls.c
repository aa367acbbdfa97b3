#define _GNU_SOURCE

#include "CVirtualTimeProbe.h"

#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int64_t read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

int64_t probe_wait_for_timer(void) {
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC), set = epoll_create1(EPOLL_CLOEXEC);
  struct itimerspec setting = {.it_value = {1, 0}, .it_interval = {2, 0}};
  struct epoll_event event = {.events = EPOLLIN};
  if (timerfd_settime(timer, 0, &setting, NULL) || epoll_ctl(set, EPOLL_CTL_ADD, timer, &event)) return -1;
  int64_t began = read_clock(CLOCK_MONOTONIC);
  for (uint64_t total = 0, some; total < 3; total += some)
    if (epoll_wait(set, &event, 1, -1) != 1 || read(timer, &some, sizeof some) != sizeof some) return -2;
  int64_t passed = read_clock(CLOCK_MONOTONIC) - began;
  if (epoll_wait(set, &event, 1, 500) != 0) return -3;  // the limit of the wait comes before the timer
  close(set);
  close(timer);
  return passed;
}

static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static int count;

static void *meet(void *rounds) {
  for (int i = 0; i < (int)(intptr_t)rounds; i++) {
    pthread_barrier_wait(&barrier);
    pthread_spin_lock(&spin);
    int old = count;
    usleep(1000);
    count = old + 1;
    pthread_spin_unlock(&spin);
  }
  return NULL;
}

int probe_meet(int rounds) {
  enum { THREADS = 3 };
  pthread_t threads[THREADS];
  pthread_barrier_init(&barrier, NULL, THREADS);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, meet, (void *)(intptr_t)rounds);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return count;
}

int probe_poll(int descriptor, int seconds) {
  struct pollfd entry = {descriptor, POLLIN, 0};
  struct timespec limit = {seconds, 0};
  return ppoll(&entry, 1, &limit, NULL);
}

void probe_set_name(const char *name) { pthread_setname_np(pthread_self(), name); }

static int64_t early;

__attribute__((constructor)) static void read_early(void) { early = read_clock(CLOCK_REALTIME); }

int64_t probe_early_date(void) { return early; }
