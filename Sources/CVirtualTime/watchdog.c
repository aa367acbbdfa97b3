// The watchdog: a kernel thread beside the program's threads. It ends a process that no longer comes to rest:
//
// busy     the process uses processor time (5 s by default) without a moment at which every thread waits for
//          something other than the next moment (one that polls is found in schedule.c, by the time that passes)
// blocked  the kernel thread that runs waits in the kernel, for a call that this library does not replace, or the
//          process waits for a child
//
// Until it reports it makes bare system calls only, and nothing of the program depends on it.

#include "core.h"
#include "real.h"

#include <execinfo.h>
#include <string.h>
#include <sys/syscall.h>

enum { PERIOD = 250000000, MAX_CALLS = 32, IDLE_CPU = 50000000, REPLY_PERIODS = 8 };

static void *calls[MAX_CALLS];
static volatile int call_count;

static int64_t read_real_clock(clockid_t clock) {
  struct timespec t = {0, 0};
  vt_raw(SYS_clock_gettime, clock, (long)&t, 0, 0, 0, 0);
  return vt_nanoseconds(&t);
}

int64_t vt_real_monotonic(void) { return read_real_clock(CLOCK_MONOTONIC); }

const char *volatile vt_awaited;

static void pause_once(void) {
  struct timespec t = {0, PERIOD};
  vt_raw(SYS_nanosleep, (long)&t, 0, 0, 0, 0, 0);
}

/// Reads a small file of the kernel's. Returns 0 when that failed.
static int read_text(const char *path, char *text, size_t size) {
  long fd = vt_raw(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
  if (fd < 0) return 0;
  long count = vt_raw(SYS_read, fd, (long)text, (long)size - 1, 0, 0, 0);
  vt_raw(SYS_close, fd, 0, 0, 0, 0, 0);
  text[count > 0 ? count : 0] = 0;
  return count > 0;
}

/// Whether a kernel thread sleeps in the kernel.
static int is_asleep(int kernel_id) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", kernel_id);
  if (!read_text(path, text, sizeof text)) return 0;
  const char *end = strrchr(text, ')');  // a program's name may hold anything
  return end && end[1] == ' ' && (end[2] == 'S' || end[2] == 'D');
}

static const char *name_call(long number) {
  static const struct {
    long number;
    const char *name;
  } names[] = {
      {SYS_read, "read"}, {SYS_write, "write"}, {SYS_openat, "openat"}, {SYS_futex, "futex"}, {SYS_wait4, "wait4"},
      {SYS_waitid, "waitid"}, {SYS_ppoll, "ppoll"}, {SYS_pselect6, "pselect6"}, {SYS_epoll_pwait, "epoll_pwait"},
      {SYS_recvfrom, "recvfrom"}, {SYS_recvmsg, "recvmsg"}, {SYS_sendto, "sendto"}, {SYS_sendmsg, "sendmsg"},
      {SYS_connect, "connect"}, {SYS_accept4, "accept4"}, {SYS_nanosleep, "nanosleep"},
      {SYS_clock_nanosleep, "clock_nanosleep"}, {SYS_rt_sigtimedwait, "rt_sigtimedwait"},
      {SYS_rt_sigsuspend, "rt_sigsuspend"}, {SYS_msgrcv, "msgrcv"}, {SYS_semop, "semop"}, {SYS_flock, "flock"},
      {SYS_fcntl, "fcntl"}, {SYS_fsync, "fsync"}, {SYS_mq_timedreceive, "mq_timedreceive"},
#ifdef SYS_open
      {SYS_open, "open"}, {SYS_poll, "poll"}, {SYS_select, "select"}, {SYS_epoll_wait, "epoll_wait"},
      {SYS_pause, "pause"},
#endif
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].number == number) return names[i].name;
  return "system call";
}

// Runs on the kernel thread that is stuck. It only records the return addresses: the watchdog looks up the names later,
// for which it may need a lock that the stuck thread holds.
static void record_calls(int signal) {
  (void)signal;
  int error = errno;
  call_count = backtrace(calls, MAX_CALLS);
  errno = error;
}

static size_t describe_stack(int kernel_id, char *text, size_t size) {
  call_count = 0;
  vt_raw(SYS_tgkill, vt_raw(SYS_getpid, 0, 0, 0, 0, 0, 0), kernel_id, SIGRTMAX, 0, 0, 0);
  for (int i = 0; i < REPLY_PERIODS && call_count == 0; i++) pause_once();
  if (call_count < 2) return 0;
  // The first two are the handler and the kernel's frame of the signal.
  return vt_describe_calls(calls + 2, call_count - 2, text, size);
}

static _Noreturn void end_stalled(const char *kind, const char *what, vt_thread *thread) {
  static char text[4000];
  size_t length = describe_stack(vt_kernel_id(thread), text, sizeof text);
  if (length && text[length - 1] == '\n') text[length - 1] = 0;
  vt_report(kind, "thread %d%s%s%s %s%s%s", thread->number, thread->name[0] ? " \"" : "", thread->name,
            thread->name[0] ? "\"" : "", what, length ? "\n" : "", length ? text : "");
  for (;;) vt_raw(SYS_exit_group, VT_EXIT_STALLED, 0, 0, 0, 0, 0);
}

static _Noreturn void end_busy(int64_t used) {
  char what[120];
  snprintf(what, sizeof what, "runs: %.1f s of processor time without a moment at which every thread waits",
           (double)used / 1e9);
  end_stalled("busy", what, vt_current);
}

/// Ends the process whose running thread waits in the kernel; returns if that wait is legitimate.
static void end_blocked(int64_t since) {
  vt_thread *thread = vt_current;
  char path[64], text[256], what[160];
  long number = -1;
  unsigned long first = ~0ul;
  snprintf(path, sizeof path, "/proc/self/task/%d/syscall", vt_kernel_id(thread));
  if (read_text(path, text, sizeof text)) sscanf(text, "%ld %lx", &number, &first);
  // The reader of standard output may be slow, and a terminal may be stopped.
  if ((number == SYS_write || number == SYS_writev) && (first == 1 || first == 2)) return;
  const char *awaited = vt_awaited;
  snprintf(what, sizeof what, "waits in the kernel (%s, number %ld) for %.1f s: %s", name_call(number), number,
           (double)since / 1e9, awaited ? awaited : "a call that virtual time does not know");
  end_stalled("blocked", what, thread);
}

void vt_end_waiting_for_child(int64_t waited) {
  char what[120];
  snprintf(what, sizeof what, "waits for a child process for %.1f s of real time", (double)waited / 1e9);
  end_stalled("blocked", what, vt_current);
}

static void *watch(void *unused) {
  (void)unused;
  uint64_t rests = 0, switches = 0;
  int64_t rest_cpu = 0, still_since = 0, still_cpu = 0;
  for (;;) {
    pause_once();
    int64_t cpu = read_real_clock(CLOCK_PROCESS_CPUTIME_ID), now = read_real_clock(CLOCK_MONOTONIC);
    if (vt_is_outside || vt_rests != rests) {
      rests = vt_rests;
      rest_cpu = cpu;
    }
    if (cpu - rest_cpu >= vt_config.stall) end_busy(cpu - rest_cpu);
    if (vt_is_outside || vt_switches != switches || cpu - still_cpu > IDLE_CPU || still_since == 0 ||
        !is_asleep(vt_kernel_id(vt_current))) {
      switches = vt_switches;
      still_since = now;
      still_cpu = cpu;
    }
    if (now - still_since >= vt_config.stall) end_blocked(now - still_since);
  }
  return NULL;
}

void vt_start_watchdog(void) {
  if (vt_config.stall == 0) return;
  // The first call loads the unwinder; later it must not, in a signal's handler.
  call_count = backtrace(calls, MAX_CALLS);
  struct sigaction action = {.sa_handler = record_calls, .sa_flags = SA_RESTART};
  vt_real.sigaction(SIGRTMAX, &action, NULL);
  // A program inherits blocked signals from its parent, and workers of libdispatch block them all.
  sigset_t ours;
  sigemptyset(&ours);
  sigaddset(&ours, SIGRTMAX);
  vt_real.pthread_sigmask(SIG_UNBLOCK, &ours, NULL);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  sigset_t all, old;
  sigfillset(&all);
  vt_real.pthread_sigmask(SIG_BLOCK, &all, &old);
  pthread_t thread;
  vt_real.pthread_create(&thread, &attributes, watch, NULL);
  vt_real.pthread_sigmask(SIG_SETMASK, &old, NULL);
  pthread_attr_destroy(&attributes);
}
