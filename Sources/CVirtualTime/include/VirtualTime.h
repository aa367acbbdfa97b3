// Virtual time for unmodified programs: the interface for a controller that grants a process its time.
//
// The library is preloaded (LD_PRELOAD), never linked: a controller inside the process finds these functions with dlsym.
// Without a controller the program runs by itself, and time jumps to the next deadline whenever every thread waits.
// docs/internals/virtual-time.md describes the environment variables, what is controlled and what is not.
//
// Instants are nanoseconds since the start of the run. "The controller" is the thread that called wwvt_attach; the other
// functions that say so must be called by that thread.

#ifndef WRISTWIRE_VIRTUAL_TIME_H
#define WRISTWIRE_VIRTUAL_TIME_H

#include <stddef.h>
#include <stdint.h>

/// The version of this interface and of the order of draws: the same program, seeds and version give the same run.
int wwvt_version(void);

/// Makes the calling thread the controller. Call once, with WRISTWIRE_VT_CONTROLLED=1 in the environment.
///
/// Threads that wait in `wwvt_hold` go on at the first settlement. An instant before the present one changes nothing.
void wwvt_attach(int64_t instant);

/// Waits until a controller is attached and settles. Call on the main thread before `main` to start the app with the run.
void wwvt_hold(void);

/// Leaves all calls on a descriptor to the kernel; a wait there stops the whole process. For the controller's own socket.
void wwvt_keep_outside(int descriptor);

/// Sets the clocks to an instant, never back. No timer fires before `wwvt_settle`. By the controller.
void wwvt_advance(int64_t instant);

/// Runs the other threads until each of them waits. By the controller.
///
/// - fires_timers: 0 leaves due timers and sleeps alone, so that inputs of this instant are handled first.
/// - Returns the app's earliest deadline, never before the present instant; -1 for none. The controller's own deadlines are
///   not part of it.
int64_t wwvt_settle(int fires_timers);

/// Suspends the app (1) or resumes it (0). By the controller.
///
/// While suspended, `wwvt_settle` runs nothing and returns -1; the clocks go on. What became due fires on resumption.
void wwvt_set_asleep(int is_asleep);

/// Sets how far the date is ahead of the run, in nanoseconds. Monotonic clocks and running timers are not affected.
void wwvt_set_wall_skew(int64_t nanoseconds);

/// The present instant.
int64_t wwvt_now(void);

/// Takes the oldest finding (a deadlock, a network socket, a child process; docs/internals/virtual-time.md).
///
/// - Both texts are cut to their buffer and end with a zero byte.
/// - Returns 1, or 0 when there is none. At most 64 wait; further ones are dropped.
int wwvt_take_finding(int64_t *instant, char *kind, size_t kind_size, char *text, size_t text_size);

/// What wwvt_read_stats returns, by index.
enum { WWVT_SWITCHES, WWVT_ADVANCES, WWVT_QUIESCENCES, WWVT_THREADS, WWVT_CPU_NANOSECONDS, WWVT_USES_FIBERS, WWVT_STATS };

/// Reads counters of this process. Returns how many were written, at most `count`.
int wwvt_read_stats(uint64_t *values, int count);

/// Writes a line for each thread, with its name and what it waits for; cut to the buffer. Returns the length written.
size_t wwvt_describe_threads(char *text, size_t size);

#endif
