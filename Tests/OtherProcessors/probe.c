// What scripts/aarch64 runs on another processor: the waits of libc in virtual time, without Swift.
//
// Prints what happened in which order at which virtual instant; each line depends on a switch between threads.

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static sem_t room;
static int turn, pipe_ends[2];
static __thread int own;  // each fiber has its own

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9 - 1000;
}

static void rest(double seconds) {
  struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&time, NULL);
}

static void say(const char *what, int number) { printf("%9.4f %s %d (%d)\n", now(), what, number, ++own); }

/// Floating-point registers are the caller's: they must survive every switch.
static double mixed(double start, int steps) {
  double sum = start;
  for (int i = 1; i <= steps; i++) {
    sum = sum * 1.0000001 + 1.0 / i;
    if (i % 1000 == 0) sched_yield();
  }
  return sum;
}

static void *sleeper(void *argument) {
  const int number = (int)(intptr_t)argument;
  for (int i = 0; i < 3; i++) {
    rest(0.25 * (number + 1));
    say("sleeper", number);
  }
  return (void *)(intptr_t)(number * 7);
}

static void *player(void *argument) {
  const int number = (int)(intptr_t)argument;
  for (int i = 0; i < 4; i++) {
    pthread_mutex_lock(&lock);
    while (turn % 2 != number) pthread_cond_wait(&turned, &lock);
    say(number ? "pong" : "ping", turn++);
    pthread_cond_broadcast(&turned);
    pthread_mutex_unlock(&lock);
    rest(0.01);
  }
  return NULL;
}

static void *guest(void *argument) {
  const int number = (int)(intptr_t)argument;
  sem_wait(&room);
  say("in", number);
  rest(1);
  say("out", number);
  sem_post(&room);
  const double sum = mixed(number, 20000);
  if (sum != mixed(number, 20000)) abort();
  return NULL;
}

static void *reader(void *argument) {
  char letter;
  while (read(pipe_ends[0], &letter, 1) == 1) say("read", letter);
  return argument;
}

int main(void) {
  pthread_t threads[8];
  uint32_t drawn;
  if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn || pipe(pipe_ends) < 0) return 1;
  printf("drawn %u\n", drawn);
  sem_init(&room, 0, 2);
  for (intptr_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, sleeper, (void *)i);
  for (intptr_t i = 0; i < 2; i++) pthread_create(&threads[2 + i], NULL, player, (void *)i);
  for (intptr_t i = 0; i < 3; i++) pthread_create(&threads[4 + i], NULL, guest, (void *)i);
  pthread_create(&threads[7], NULL, reader, NULL);

  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  const struct itimerspec every = {{0, 500000000}, {0, 500000000}};
  timerfd_settime(timer, 0, &every, NULL);
  for (int i = 0; i < 4; i++) {
    struct pollfd one = {timer, POLLIN, 0};
    uint64_t count = 0;
    if (poll(&one, 1, -1) != 1 || read(timer, &count, sizeof count) != sizeof count) return 1;
    say("timer", (int)count);
    const char letter = (char)('a' + i);
    if (write(pipe_ends[1], &letter, 1) != 1) return 1;
  }
  // A day, to show that no real time passes.
  rest(86400);
  close(pipe_ends[1]);
  for (int i = 0; i < 8; i++) {
    void *result;
    pthread_join(threads[i], &result);
    if (i < 2 && result != (void *)(intptr_t)(i * 7)) return 1;
  }
  say("end", 0);
  return 0;
}
