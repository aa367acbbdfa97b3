// Timer descriptors. Each is an event descriptor that the library writes when the timer is due, so reading, polling and
// epoll work as with the kernel's.

#include "core.h"
#include "real.h"

enum { MAX_TIMERS = 1024 };

typedef struct {
  int fd;
  clockid_t clock;
  int64_t due;   // with jitter; VT_NEVER while disarmed
  int64_t base;  // without, so that jitter does not add up over repetitions
  int64_t interval;
} vt_timer;

static vt_timer timers[MAX_TIMERS];
static int timer_count;

static vt_timer *find_timer(int fd) {
  for (int i = 0; i < timer_count; i++)
    if (timers[i].fd == fd) return &timers[i];
  return NULL;
}

void vt_forget_timer(int fd) {
  vt_timer *timer = find_timer(fd);
  if (timer) *timer = timers[--timer_count];
}

int64_t vt_next_timer(void) {
  int64_t next = VT_NEVER;
  for (int i = 0; i < timer_count; i++)
    if (timers[i].due < next) next = timers[i].due;
  return next;
}

int vt_fire_timers(void) {
  int fired = 0;
  for (int i = 0; i < timer_count; i++) {
    vt_timer *timer = &timers[i];
    if (timer->due > vt_now) continue;
    uint64_t expirations = 1;
    if (timer->interval > 0) {
      // After a jump over several periods the reader sees how many there were, as the kernel counts them.
      expirations += (uint64_t)((vt_now - timer->base) / timer->interval);
      int64_t passed;
      if (__builtin_mul_overflow((int64_t)expirations, timer->interval, &passed) ||
          __builtin_add_overflow(timer->base, passed, &timer->base))
        timer->base = VT_NEVER;
      timer->due = vt_jittered(timer->base);
    } else {
      timer->due = timer->base = VT_NEVER;
    }
    (void)!vt_real.write(timer->fd, &expirations, sizeof expirations);
    vt_fds_changed = fired = 1;
    vt_event_changes++;
  }
  return fired;
}

int timerfd_create(int clock, int flags) {
  if (!vt_is_on()) return vt_real.timerfd_create(clock, flags);
  _Static_assert(TFD_NONBLOCK == EFD_NONBLOCK && TFD_CLOEXEC == EFD_CLOEXEC, "the flags mean the same");
  if (timer_count == MAX_TIMERS) return vt_fail(EMFILE);
  int fd = vt_real.eventfd(0, flags);
  if (fd < 0) return fd;
  vt_set_events(fd);
  timers[timer_count++] = (vt_timer){.fd = fd, .clock = clock, .due = VT_NEVER, .base = VT_NEVER};
  return fd;
}

static void read_timer(const vt_timer *timer, struct itimerspec *value) {
  int64_t left = timer->due == VT_NEVER ? 0 : timer->due > vt_now ? timer->due - vt_now : 1;
  vt_set_timespec(&value->it_value, left);
  vt_set_timespec(&value->it_interval, timer->interval);
}

int timerfd_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *old) {
  if (!vt_is_on()) return vt_real.timerfd_settime(fd, flags, value, old);
  vt_timer *timer = find_timer(fd);
  if (!timer) return vt_real.timerfd_settime(fd, flags, value, old);  // not ours: the kernel's errors
  if (old) read_timer(timer, old);
  // Setting a timer discards expirations that were not read.
  struct pollfd unread = {fd, POLLIN, 0};
  uint64_t discarded;
  if (vt_real.poll(&unread, 1, 0) > 0) (void)!vt_real.read(fd, &discarded, sizeof discarded);
  int64_t first = vt_nanoseconds(&value->it_value);
  timer->interval = vt_nanoseconds(&value->it_interval);
  timer->base = first == 0                     ? VT_NEVER
                : flags & TFD_TIMER_ABSTIME ? vt_deadline(timer->clock, &value->it_value)
                                               : vt_after(first);
  timer->due = vt_jittered(timer->base);
  return 0;
}

int timerfd_gettime(int fd, struct itimerspec *value) {
  vt_timer *timer = vt_is_on() ? find_timer(fd) : NULL;
  if (!timer) return vt_real.timerfd_gettime(fd, value);
  read_timer(timer, value);
  return 0;
}
