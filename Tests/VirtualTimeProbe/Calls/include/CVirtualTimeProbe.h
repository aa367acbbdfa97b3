// What the probe of virtual time needs of C.

#ifndef CVIRTUALTIMEPROBE_H
#define CVIRTUALTIMEPROBE_H

#include <stdint.h>

/// Waits in an epoll set for three expirations of a timer descriptor that fires after 1 s and each 2 s.
/// Returns nanoseconds, or a negative number when a call went wrong.
int64_t probe_wait_for_timer(void);

/// Three threads meet at a barrier and count under a spin lock, some times. Returns the count.
int probe_meet(int rounds);

/// Waits with `ppoll` until a descriptor can be read, or for some seconds. Returns what `ppoll` does.
int probe_poll(int descriptor, int seconds);

/// Names the calling thread.
void probe_set_name(const char *name);

/// The date in nanoseconds since 1970 that a library's constructor saw, before `main`.
int64_t probe_early_date(void);

/// Prepares what `probe_wait_due` waits for.
void probe_prepare_due(void);
/// Waits in a way for which the time has come, or almost. Returns 0 for an unknown way.
int probe_wait_due(const char *kind);

/// Lets two threads race in the way of a number from 0 to 19. Returns 1 or 2: which outcome it had.
int probe_race(int number);

#endif
