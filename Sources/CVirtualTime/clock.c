// Clocks and sleeps. All clocks follow one: monotonic time, VT_BOOT at the run's start. The date is an offset from it,
// and a skew of the date changes that offset only.

#include "core.h"
#include "real.h"

#include <string.h>

int64_t vt_wall_offset;
static int64_t skew;

void vt_note_date(void) { vt_wall_offset = vt_config.date + skew - VT_BOOT; }

void vt_set_skew(int64_t nanoseconds) {
  skew = nanoseconds;
  vt_note_date();
}

static int is_wall(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_REALTIME_ALARM ||
         clock == CLOCK_TAI;
}

/// Processor time is what has passed since the process's start: code takes none here, and a real figure would vary.
static int64_t processor_time(void) { return vt_now - VT_BOOT - vt_config.instant; }

static int is_known(clockid_t clock) { return clock >= CLOCK_REALTIME && clock <= CLOCK_TAI; }

static int64_t read_clock(clockid_t clock) {
  vt_look();
  if (is_wall(clock)) return vt_now + vt_wall_offset;
  // Negative ids are the processor clocks of a thread or a process.
  if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0) return processor_time();
  return vt_now;
}

int64_t vt_deadline(clockid_t clock, const struct timespec *time) {
  int64_t at = vt_nanoseconds(time), result;
  if (!is_wall(clock) || at == VT_NEVER) return at;
  return __builtin_sub_overflow(at, vt_wall_offset, &result) ? at : result;
}

void vt_set_timespec(struct timespec *t, int64_t nanoseconds) {
  t->tv_sec = nanoseconds / VT_SECOND;
  t->tv_nsec = nanoseconds % VT_SECOND;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!vt_is_on()) return vt_real.clock_gettime(clock, time);
  if (clock >= 0 && !is_known(clock)) return vt_fail(EINVAL);
  vt_set_timespec(time, read_clock(clock));
  return 0;
}

int clock_getres(clockid_t clock, struct timespec *resolution) {
  if (!vt_is_on()) return vt_real.clock_getres(clock, resolution);
  if (clock >= 0 && !is_known(clock)) return vt_fail(EINVAL);
  if (resolution) vt_set_timespec(resolution, 1);
  return 0;
}

static struct timeval to_timeval(int64_t nanoseconds) {
  return (struct timeval){nanoseconds / VT_SECOND, nanoseconds % VT_SECOND / 1000};
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  if (!vt_is_on()) return vt_real.gettimeofday(time, zone);
  *time = to_timeval(read_clock(CLOCK_REALTIME));
  return 0;
}

time_t time(time_t *result) {
  if (!vt_is_on()) return vt_real.time(result);
  time_t now = read_clock(CLOCK_REALTIME) / VT_SECOND;
  if (result) *result = now;
  return now;
}

clock_t clock(void) { return vt_is_on() ? read_clock(CLOCK_PROCESS_CPUTIME_ID) / 1000 : vt_real.clock(); }

clock_t times(struct tms *result) {
  if (!vt_is_on()) return vt_real.times(result);
  enum { NANOSECONDS_PER_TICK = 10000000 };  // 100 ticks a second
  if (result) *result = (struct tms){.tms_utime = processor_time() / NANOSECONDS_PER_TICK};
  return read_clock(CLOCK_MONOTONIC) / NANOSECONDS_PER_TICK;
}

int getrusage(__rusage_who_t who, struct rusage *usage) {
  if (!vt_is_on()) return vt_real.getrusage(who, usage);
  memset(usage, 0, sizeof *usage);
  if (who != RUSAGE_CHILDREN) usage->ru_utime = to_timeval(processor_time());
  return 0;
}

// ---- Sleeps ----

static int sleep_until(int64_t deadline) {
  vt_block(FOR_TIME, NULL, deadline);
  return 0;
}

static int is_valid(const struct timespec *t) { return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < VT_SECOND; }

// No sleep is interrupted, so the remainder is never written.
int nanosleep(const struct timespec *time, struct timespec *remainder) {
  if (!vt_is_on()) return vt_real.nanosleep(time, remainder);
  return is_valid(time) ? sleep_until(vt_after(vt_nanoseconds(time))) : vt_fail(EINVAL);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *remainder) {
  if (!vt_is_on()) return vt_real.clock_nanosleep(clock, flags, time, remainder);
  if (!is_valid(time)) return EINVAL;
  return sleep_until(flags & TIMER_ABSTIME ? vt_deadline(clock, time) : vt_after(vt_nanoseconds(time)));
}

int usleep(useconds_t microseconds) {
  return vt_is_on() ? sleep_until(vt_after(microseconds * 1000LL)) : vt_real.usleep(microseconds);
}

unsigned sleep(unsigned seconds) {
  if (!vt_is_on()) return vt_real.sleep(seconds);
  sleep_until(vt_after(seconds * VT_SECOND));
  return 0;
}
