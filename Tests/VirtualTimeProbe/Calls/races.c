// Small races of two threads, each with two outcomes: who comes first.

#define _GNU_SOURCE

#include "CVirtualTimeProbe.h"

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/eventfd.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t semaphores[3];
static int event, ends[2], kind, winner, counter, is_open, last, left, is_done;

static void win(int who) {
  pthread_mutex_lock(&lock);
  if (!winner) winner = who;
  pthread_mutex_unlock(&lock);
}

static void lock_often(int count) {
  for (int i = 0; i < count; i++) {
    pthread_mutex_lock(&other);
    pthread_mutex_unlock(&other);
  }
}

static void await_opening(void) {
  pthread_mutex_lock(&lock);
  while (!is_open) pthread_cond_wait(&wake, &lock);
  pthread_mutex_unlock(&lock);
}

static void open_for_all(void) {
  pthread_mutex_lock(&lock);
  is_open = 1;
  left = 2;
  pthread_cond_broadcast(&wake);
  pthread_mutex_unlock(&lock);
}

/// One of two equal threads.
static void *race(void *number) {
  int me = (int)(intptr_t)number, old;
  switch (kind) {
  case 0: win(me); break;  // both are new
  case 1: await_opening(), win(me); break;
  case 2: sem_wait(&semaphores[0]), win(me); break;   // one semaphore, two posts
  case 3: sem_wait(&semaphores[me]), win(me); break;  // a semaphore each
  case 4: usleep(1000), win(me); break;               // one deadline
  case 5:
    pthread_rwlock_wrlock(&rwlock);
    if (!winner) winner = me;
    pthread_rwlock_unlock(&rwlock);
    break;
  case 6: pthread_barrier_wait(&barrier), win(me); break;
  case 7:
    pthread_spin_lock(&spin);
    if (!winner) winner = me;
    pthread_spin_unlock(&spin);
    break;
  case 8:  // an update is lost, or not
    pthread_mutex_lock(&other);
    old = counter;
    pthread_mutex_unlock(&other);
    pthread_mutex_lock(&other);
    counter = old + 1;
    pthread_mutex_unlock(&other);
    break;
  case 9:  // whose third turn is the last
    for (int i = 0; i < 3; i++) {
      pthread_mutex_lock(&other);
      last = me;
      pthread_mutex_unlock(&other);
    }
    break;
  case 10:  // who takes the first of two things
    pthread_mutex_lock(&lock);
    while (left == 0) pthread_cond_wait(&wake, &lock);
    left--;
    if (!winner) winner = me;
    pthread_mutex_unlock(&lock);
    break;
  default: break;
  }
  return NULL;
}

/// A thread that wakes the main one, and goes on.
static void *work(void *unused) {
  (void)unused;
  switch (kind) {
  case 11: win(2); break;
  case 12: usleep(1000), win(2); break;
  case 13: open_for_all(), win(2); break;
  case 14: sem_post(&semaphores[0]), win(2); break;
  case 15: eventfd_write(event, 1), win(2); break;
  case 16:
    if (write(ends[1], "x", 1) == 1) win(2);
    break;
  case 17: usleep(1000), sem_post(&semaphores[0]), win(2); break;
  // Like a callback that returns after it has handed something over.
  case 18: lock_often(40), sem_post(&semaphores[0]), is_done = 1; break;
  case 19: usleep(1000), sem_post(&semaphores[0]), lock_often(3), is_done = 1; break;
  default: break;
  }
  return NULL;
}

static int race_two(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, race, (void *)(intptr_t)(i + 1));
  usleep(100);
  open_for_all();
  for (int i = 0; i < 2; i++) sem_post(&semaphores[kind == 2 ? 0 : i + 1]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return kind == 8 ? counter : kind == 9 ? last : winner;
}

static int race_with_worker(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  struct pollfd one = {kind == 15 ? event : ends[0], POLLIN, 0};
  switch (kind) {
  case 12: usleep(1000); break;
  case 13: await_opening(); break;
  case 14: case 17: case 18: case 19: sem_wait(&semaphores[0]); break;
  case 15: case 16: poll(&one, 1, -1); break;
  default: break;
  }
  if (kind >= 18) winner = is_done ? 2 : 1;
  else win(1);
  pthread_join(thread, NULL);
  return winner;
}

int probe_race(int number) {
  kind = number;
  for (int i = 0; i < 3; i++) sem_init(&semaphores[i], 0, 0);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_barrier_init(&barrier, NULL, 2);
  event = eventfd(0, EFD_CLOEXEC);
  if (pipe(ends)) return -1;
  return kind <= 10 ? race_two() : race_with_worker();
}
