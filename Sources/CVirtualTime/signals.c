// Signals arrive on the carrier, whoever runs there, at real times. Threads that wait for one wait here.

#include "core.h"
#include "real.h"

// A thread's own mask would be that of its parked kernel thread. The main thread's is the process's.
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
  if (!vt_is_on()) return vt_real.pthread_sigmask(how, set, old);
  if (vt_current->number == 0) {
    // dispatchMain blocks every signal of the main thread; the watchdog's must get through.
    sigset_t ours;
    if (set) ours = *set;
    if (set && how != SIG_UNBLOCK) sigdelset(&ours, SIGRTMAX);
    return vt_real.pthread_sigmask(how, set ? &ours : NULL, old);
  }
  if (old) sigemptyset(old);
  return 0;
}

// To itself, a thread's signal goes to the kernel thread it runs on; to another one, to the process.
int pthread_kill(pthread_t handle, int signal) {
  if (!vt_is_on() || vt_config.uses_baton) return vt_real.pthread_kill(handle, signal);
  if (signal == 0) return vt_real.pthread_kill(handle, 0);
  long process = getpid();
  return (int)-vt_raw(SYS_tgkill, process, vt_threads[0]->kernel_id, signal, 0, 0, 0);
}

// ---- Crashes ----

// A handler of a crash (Swift's prints a backtrace) starts a process, waits for it and asks the kernel about threads.
// None of that can be scheduled, as the crashed thread never goes on: from there on every call is libc's.
static struct sigaction crash_actions[NSIG];

static int is_crash(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE || signal == SIGTRAP ||
         signal == SIGABRT || signal == SIGQUIT;
}

static void handle_crash(int signal, siginfo_t *info, void *context) {
  vt_phase = VT_OFF;
  const struct sigaction *action = &crash_actions[signal];
  if (action->sa_flags & SA_SIGINFO) action->sa_sigaction(signal, info, context);
  else action->sa_handler(signal);
  vt_phase = VT_ON;  // a handler that returns has repaired what was wrong, or the signal comes again
}

int sigaction(int signal, const struct sigaction *restrict action, struct sigaction *restrict old) {
  if (!vt_is_on() || !is_crash(signal)) return vt_real.sigaction(signal, action, old);
  struct sigaction ours, before;
  if (action) {
    ours = *action;
    if (ours.sa_handler != SIG_DFL && ours.sa_handler != SIG_IGN) {
      ours.sa_sigaction = handle_crash;
      ours.sa_flags |= SA_SIGINFO;
    }
  }
  int status = vt_real.sigaction(signal, action ? &ours : NULL, &before);
  if (status) return status;
  if (before.sa_sigaction == handle_crash) before = crash_actions[signal];
  if (action) crash_actions[signal] = *action;
  if (old) *old = before;
  return 0;
}

// ---- Waiting ----

/// Waits for good: the kernel, not a thread of the program, decides what a signal does.
static int wait_for_signal(int64_t deadline, int error) {
  vt_block(FOR_SIGNAL, NULL, deadline);
  return vt_fail(error);
}

int sigsuspend(const sigset_t *mask) {
  return vt_is_on() ? wait_for_signal(VT_NEVER, EINTR) : vt_real.sigsuspend(mask);
}

int pause(void) { return vt_is_on() ? wait_for_signal(VT_NEVER, EINTR) : vt_real.pause(); }

int sigwait(const sigset_t *set, int *signal) {
  if (!vt_is_on()) return vt_real.sigwait(set, signal);
  vt_block(FOR_SIGNAL, NULL, VT_NEVER);
  return EINTR;
}

int sigwaitinfo(const sigset_t *set, siginfo_t *info) {
  return vt_is_on() ? wait_for_signal(VT_NEVER, EINTR) : vt_real.sigwaitinfo(set, info);
}

int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout) {
  if (!vt_is_on()) return vt_real.sigtimedwait(set, info, timeout);
  return wait_for_signal(timeout ? vt_after(vt_nanoseconds(timeout)) : VT_NEVER, EAGAIN);
}

// Timers that send signals run in real time, whatever the clocks say.
unsigned alarm(unsigned seconds) {
  if (vt_is_on() && seconds) vt_report("signal-timer", "alarm(%u) counts real time", seconds);
  return vt_real.alarm(seconds);
}

int setitimer(__itimer_which_t which, const struct itimerval *value, struct itimerval *old) {
  if (vt_is_on()) vt_report("signal-timer", "setitimer counts real time");
  return vt_real.setitimer(which, value, old);
}

int timer_create(clockid_t clock, struct sigevent *event, timer_t *timer) {
  if (vt_is_on()) vt_report("signal-timer", "timer_create counts real time");
  return vt_real.timer_create(clock, event, timer);
}
