// Restores the terminal when the process dies.
//
// Swift code cannot run after a failed precondition; this can.

#define _GNU_SOURCE

#include "CSystem.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static const int deadly[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
enum { deadly_count = sizeof deadly / sizeof *deadly };

static struct sigaction previous[deadly_count];
static struct termios settings;
static char sequence[64];
static size_t sequence_length;
static volatile sig_atomic_t is_guarded;

/// Restores the terminal, then lets the signal take its usual effect.
static void give_back(int number, siginfo_t *info, void *context) {
  (void)context;
  if (is_guarded) {
    is_guarded = 0;
    ssize_t written = write(STDOUT_FILENO, sequence, sequence_length);
    (void)written;
    tcsetattr(STDIN_FILENO, TCSANOW, &settings);
  }
  for (int i = 0; i < deadly_count; i++) {
    if (deadly[i] == number) sigaction(number, &previous[i], NULL);
  }
  // A trapping instruction traps again on return; a signal that was sent must be sent again.
  if (info->si_code <= 0) raise(number);
}

void cs_terminal_poll_keys(struct termios *settings) {
  settings->c_cc[VSUSP] = 0;
  settings->c_cc[VMIN] = 0;
  settings->c_cc[VTIME] = 0;
}

int cs_terminal_guard(const char *bytes, size_t count) {
  if (count > sizeof sequence) return -EINVAL;
  if (is_guarded) return -EALREADY;
  if (tcgetattr(STDIN_FILENO, &settings) != 0) return -errno;
  memcpy(sequence, bytes, count);
  sequence_length = count;
  struct sigaction action = {.sa_sigaction = give_back, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < deadly_count; i++) sigaction(deadly[i], &action, &previous[i]);
  is_guarded = 1;
  return 0;
}

void cs_terminal_unguard(void) {
  if (!is_guarded) return;
  is_guarded = 0;
  for (int i = 0; i < deadly_count; i++) sigaction(deadly[i], &previous[i], NULL);
}

static sem_t continued;

static void post_continued(int number) {
  (void)number;
  sem_post(&continued);
}

int cs_stop_job(void) {
  if (sem_init(&continued, 0, 0) != 0) return -errno;
  struct sigaction action = {.sa_handler = post_continued, .sa_flags = SA_RESTART}, before;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGCONT, &action, &before) != 0) return -errno;
  // A parent may have left both blocked.
  sigset_t needed, mask;
  sigemptyset(&needed);
  sigaddset(&needed, SIGTSTP);
  sigaddset(&needed, SIGCONT);
  pthread_sigmask(SIG_UNBLOCK, &needed, &mask);
  int result = kill(0, SIGTSTP) == 0 ? 0 : -errno;
  if (result == 0) {
    // Another thread may take the signal, so this one can still run for a moment. Without a shell that controls jobs the
    // system ignores the signal: nothing would ever continue this process.
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 2;
    while (sem_timedwait(&continued, &limit) != 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  sigaction(SIGCONT, &before, NULL);
  return result;
}
