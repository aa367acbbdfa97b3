// The controller's side: include/VirtualTime.h. The controller is a thread of the process that reads grants from outside; while it
// runs, no other thread does.

#include "core.h"
#include "real.h"

#include <VirtualTime.h>
#include <string.h>

static int is_held, is_asleep;

int wwvt_version(void) { return 1; }

void wwvt_attach(int64_t instant) {
  if (!vt_is_on()) return;
  vt_controller = vt_current;
  vt_restart_policy();
  vt_restart_random();
  wwvt_advance(instant);
  vt_wake(&is_held, VT_ALL);
}

void wwvt_hold(void) {
  if (vt_is_on() && !vt_controller) vt_block(FOR_CONTROLLER, &is_held, VT_NEVER);
}

void wwvt_keep_outside(int descriptor) {
  if (vt_is_on()) vt_keep_outside(descriptor);
}

void wwvt_advance(int64_t instant) {
  if (instant > VT_NEVER - VT_BOOT || instant + VT_BOOT <= vt_now) return;
  vt_now = instant + VT_BOOT;
  vt_advances++;
}

int64_t wwvt_settle(int fires_timers) {
  if (is_asleep || vt_current != vt_controller) return -1;
  vt_set_fires(fires_timers);
  vt_current->state = VT_SETTLING;
  vt_reschedule();
  int64_t next = vt_next_due();
  if (next == VT_NEVER) return -1;
  return (next > vt_now ? next : vt_now) - VT_BOOT;
}

void wwvt_set_asleep(int value) { is_asleep = value; }

void wwvt_set_wall_skew(int64_t nanoseconds) { vt_set_skew(nanoseconds); }

int64_t wwvt_now(void) { return vt_now - VT_BOOT; }

int wwvt_read_stats(uint64_t *values, int count) {
  struct timespec cpu = {0, 0};
  vt_raw(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, (long)&cpu, 0, 0, 0, 0);
  uint64_t all[WWVT_STATS] = {
      [WWVT_SWITCHES] = vt_switches,
      [WWVT_ADVANCES] = vt_advances,
      [WWVT_QUIESCENCES] = vt_quiescences,
      [WWVT_THREADS] = (uint64_t)vt_thread_count,
      [WWVT_CPU_NANOSECONDS] = (uint64_t)vt_nanoseconds(&cpu),
      [WWVT_USES_FIBERS] = !vt_config.uses_baton,
  };
  int used = count < WWVT_STATS ? count : WWVT_STATS;
  if (used <= 0) return 0;
  memcpy(values, all, (size_t)used * sizeof *values);
  return used;
}

size_t wwvt_describe_threads(char *text, size_t size) { return vt_describe_threads(text, size); }
