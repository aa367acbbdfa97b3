// What the library's files share: the threads, the scheduler, time, and the functions of libc behind the ones replaced.
//
// No variable here is thread-local, and none needs a lock: exactly one thread of the program runs at a time. The
// watchdog alone runs beside it, and reads only what is marked volatile.

#ifndef VT_CORE_H
#define VT_CORE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#if !defined(__linux__) || !defined(__GLIBC__)
#error "virtual time needs Linux and glibc"
#endif

#pragma GCC visibility push(hidden)

#define VT_NEVER INT64_MAX
#define VT_SECOND 1000000000LL
/// Time since boot at the start of the run, so that no clock starts near zero.
#define VT_BOOT (1000 * VT_SECOND)
/// A shorter wait is no rest: a kernel's timers are later than this.
#define VT_SHORT 50000
#define VT_MAX_THREADS 4096
#define VT_MAX_DESCRIPTORS 65536
#define VT_ALL (1 << 20)
/// Thread numbers the program sees start here, above every number a kernel gives out.
#define VT_FIRST_TID 10000000

// ---- Threads ----

typedef enum { VT_READY, VT_RUNNING, VT_WAITING, VT_SETTLING, VT_GONE } vt_state;

/// What a waiting thread waits for. `key` is the lock, the condition and so on.
typedef enum {
  FOR_MUTEX, FOR_RWLOCK, FOR_PI_LOCK, FOR_THREAD,  // an owner is known, so these can deadlock provably
  FOR_CONDITION, FOR_SEMAPHORE, FOR_FUTEX, FOR_ONCE, FOR_STDIO, FOR_BARRIER, FOR_DESCRIPTORS, FOR_TIME, FOR_CLOCK,
  FOR_SIGNAL, FOR_CONTROLLER, FOR_WORK,
} vt_wait;

typedef struct vt_thread {
  int number;          // in order of creation; 0 is the main thread
  char name[16];
  vt_state state;
  int is_bound;        // runs on its own kernel thread, not as a fiber of the main one
  int kernel_id;
  pthread_t handle;

  // Waiting.
  vt_wait wait;
  const void *key;
  int64_t deadline;
  uint64_t wait_number;  // order of the beginnings of waits
  uint32_t bits;         // of a futex
  int timed_out;
  struct pollfd *fds;
  nfds_t fd_count;
  uint64_t polled_at;  // vt_event_changes at that time

  // Scheduling.
  uint64_t priority;
  int64_t looked_at;  // the instant at which it last asked for the time without waiting
  unsigned looks;
  unsigned naps;  // waits in a row that were due within VT_SHORT, each until its end
  int is_spinning;

  // Switching.
  void *context;  // the saved stack pointer of a fiber
  unsigned long thread_pointer;
  int go, is_born;  // futex words

  // Beginning and end.
  void *(*start)(void *);
  void *argument, *result;
  int has_returned, end_rounds, is_worker;
} vt_thread;

extern vt_thread *vt_threads[VT_MAX_THREADS];
extern int vt_thread_count;
extern vt_thread *volatile vt_current;
/// The controller's thread; NULL before wwvt_attach.
extern vt_thread *vt_controller;

// ---- Settings, from the environment (setup.c) ----

typedef enum { VT_PCT, VT_FAIR, VT_FIFO } vt_policy;

typedef struct {
  uint64_t seed, threads_seed;
  vt_policy policy;
  int64_t jitter;      // nanoseconds; timers are late by less than this
  int64_t date;        // nanoseconds since 1970 at the start of the run
  int64_t instant;     // of this process's start
  int64_t end;         // VT_NEVER for none
  int64_t stall;       // nanoseconds of processor time; 0 for no watchdog
  int cpus, pool, is_controlled, uses_baton, shows_stats;
  const char *report;  // path, or NULL
} vt_settings;

extern vt_settings vt_config;

typedef enum { VT_UNSTARTED, VT_STARTING, VT_ON, VT_OFF } vt_phase_kind;
extern vt_phase_kind vt_phase;
/// Starts the library where no constructor has yet. Returns 0 in a forked child, where every call is libc's.
int vt_start(void);
/// In a process that starts copies of itself, returns in each copy (starts.c); in any other, at once.
void vt_serve_starts(void);
void vt_open_folders(void);
/// A path in which the fixed name of a folder is replaced by the real one. `to` is used where that is needed.
const char *vt_real_path(const char *path, char *to, size_t size);
static inline int vt_is_on(void) { return __builtin_expect(vt_phase == VT_ON, 1) || vt_start(); }

// ---- Time (clock.c, timers.c) ----

/// The monotonic clock: VT_BOOT plus the instant.
extern int64_t vt_now;
/// What the date is ahead of the monotonic clock.
extern int64_t vt_wall_offset;

static inline int64_t vt_nanoseconds(const struct timespec *t) {
  int64_t result;
  if (__builtin_mul_overflow((int64_t)t->tv_sec, VT_SECOND, &result) ||
      __builtin_add_overflow(result, (int64_t)t->tv_nsec, &result))
    return t->tv_sec < 0 ? INT64_MIN : VT_NEVER;
  return result;
}
/// The deadline a duration from now; VT_NEVER when it is too far.
static inline int64_t vt_after(int64_t duration) {
  return duration < 0 ? vt_now : duration > VT_NEVER - vt_now ? VT_NEVER : vt_now + duration;
}
static inline int64_t vt_after_milliseconds(int ms) { return ms < 0 ? VT_NEVER : vt_after(ms * 1000000LL); }
/// The deadline that an absolute time of a clock means.
int64_t vt_deadline(clockid_t clock, const struct timespec *time);
void vt_set_timespec(struct timespec *t, int64_t nanoseconds);
void vt_note_date(void);  // after the settings were read
void vt_set_skew(int64_t nanoseconds);
/// Fires timer descriptors that are due. Returns whether one fired.
int vt_fire_timers(void);
int64_t vt_next_timer(void);
void vt_forget_timer(int fd);

// ---- Scheduling (schedule.c, policy.c) ----

extern volatile uint64_t vt_switches;
/// Moments at which every thread waits, and those of them from which time moves on, or the controller takes over: rests.
extern volatile uint64_t vt_quiescences, vt_rests;
extern uint64_t vt_advances;
/// Whether the process waits for the world outside: no stall.
extern volatile int vt_is_outside;
/// Whether a descriptor may have become ready since the waiting threads' were last polled.
extern int vt_fds_changed;
/// How often an event descriptor, or a set of descriptors, has been changed.
extern uint64_t vt_event_changes;
/// How many threads wait for a lock that has an owner.
extern int vt_owned_waits;

vt_thread *vt_add_thread(void);  // NULL beyond VT_MAX_THREADS
void vt_remove_thread(vt_thread *thread);
void vt_make_ready(vt_thread *thread);
/// Waits until woken or until a deadline. Returns 1 when the deadline came first.
int vt_block(vt_wait wait, const void *key, int64_t deadline);
int vt_block_bits(vt_wait wait, const void *key, int64_t deadline, uint32_t bits);
int vt_block_fds(struct pollfd *fds, nfds_t count, int64_t deadline);
/// Wakes up to `count` of the threads that wait for a key. Returns how many.
int vt_wake(const void *key, int count);
int vt_wake_bits(const void *key, int count, uint32_t bits);
int vt_has_waiters(const void *key);
/// Chooses the next thread and switches to it; the caller has set its own state.
void vt_reschedule(void);
/// A point: another thread may run here if the policy says so.
void vt_point(void);
/// Goes behind the other ready threads.
void vt_yield(void);
/// Counts a call that reads a clock or finds nothing ready. A thread that makes only such calls is paused briefly.
void vt_look(void);
void vt_set_fires(int fires);
/// The current thread polls its descriptors now, before it may wait for them.
void vt_note_poll(void);
/// The earliest deadline of threads and timers.
int64_t vt_next_due(void);
_Noreturn void vt_exit(int status);

/// A stream of draws (SplitMix64).
typedef struct { uint64_t state; } vt_stream;
uint64_t vt_draw(vt_stream *stream);
extern vt_stream vt_schedule_stream;
void vt_start_policy(void);
/// Redraws, so that what was done before a controller attached changes nothing: it may have read a longer text.
void vt_restart_policy(void);
uint64_t vt_first_priority(void);
/// Index of the next thread among the ready ones.
int vt_choose(vt_thread **ready, int count);
/// Whether the current thread gives way here to one of the ready ones.
int vt_gives_way(vt_thread **ready, int count);
void vt_demote(vt_thread *thread);
/// The deadline, or a drawn time after it.
int64_t vt_jittered(int64_t deadline);

// ---- Switching (switch.c) ----

int vt_can_use_fibers(void);
unsigned long vt_read_thread_pointer(void);
void *vt_new_context(void *top, void (*start)(void));
void vt_load_context(void *context);
void vt_switch(vt_thread *from, vt_thread *to);
/// Moves the current fiber to its own kernel thread, which then goes on in it or returns.
void vt_go_home(vt_thread *thread);
void vt_park(int *word);
void vt_unpark(int *word);
/// Names a kernel thread that ends; the next thread waits until the kernel has let go of it.
void vt_await_end_of(int kernel_id);
void vt_reap(void);
long vt_raw(long number, long a, long b, long c, long d, long e, long f);

// ---- Threads (threads.c) ----

void vt_adopt_main(void);
int vt_tid(void);
/// The kernel thread on which a thread of the program runs.
int vt_kernel_id(vt_thread *thread);

// ---- Descriptors (descriptors.c) ----

/// Whether a descriptor is the controller's.
int vt_keeps_outside(int fd);
/// Whether only this process can make a descriptor ready.
int vt_is_inside(int fd);
/// Marks an event descriptor: inside, and changed by the calls of descriptors.c and timers.c alone.
void vt_set_events(int fd);
/// Whether all are event descriptors, or sets of nothing else.
int vt_are_events(const struct pollfd *fds, nfds_t count);
void vt_keep_outside(int fd);
/// Opens a memory file that holds some bytes, at its beginning.
int vt_open_bytes(const void *bytes, size_t count);

// ---- libdispatch, randomness (dispatch.c, random.c) ----

int vt_is_dispatch(const void *address);
struct epoll_event;
/// Records what libdispatch waits for on a descriptor. Returns 0 for a change that the kernel must not get.
int vt_watch_for_dispatch(int operation, int fd, const struct epoll_event *event);
void vt_forget_watch(int fd);
/// Makes a hangup what Darwin's libdispatch gets: readiness for reading and writing.
void vt_translate_hangups(struct epoll_event *events, int count);
void vt_start_random(void);
/// Restarts the stream with different draws.
void vt_restart_random(void);
/// Opens what a path means in virtual time. Returns 0 when the path is an ordinary one.
int vt_open_answered(const char *path, int *fd);

// ---- Findings (findings.c, deadlock.c, symbols.c, watchdog.c) ----

__attribute__((format(printf, 2, 3))) void vt_report(const char *kind, const char *format, ...);
void vt_show_stats(void);
/// Reports each new deadlock. Returns whether there is one.
int vt_find_deadlock(void);
void vt_report_idle(void);
void vt_report_polling(vt_thread *thread, int64_t polled);
size_t vt_describe_wait(const vt_thread *thread, char *text, size_t size);
size_t vt_describe_thread(const vt_thread *thread, char *text, size_t size);
size_t vt_describe_threads(char *text, size_t size);
/// Answers switches that only ask for this thread's call stack. Call after every switch back to a waiting thread.
void vt_answer_inspection(vt_thread *self);
/// Writes a line for each call. Returns the length.
size_t vt_describe_calls(void *const *calls, int count, char *text, size_t size);
void vt_start_watchdog(void);
/// The kernel's monotonic clock, in nanoseconds.
int64_t vt_real_monotonic(void);
/// What the running thread waits for in the kernel, for the watchdog's report; NULL where it is not known.
extern const char *volatile vt_awaited;
_Noreturn void vt_end_waiting_for_child(int64_t waited);
/// Whether the process has started another one: then descriptors may change without a thread of this one.
extern int vt_has_children;
/// Appends to a text; cuts to the size.
__attribute__((format(printf, 4, 5))) void vt_append(char *text, size_t size, size_t *length, const char *format, ...);

enum { VT_EXIT_INPUT = 2, VT_EXIT_STALLED = 97, VT_EXIT_DEADLOCK = 98, VT_EXIT_IDLE = 99 };

/// Sets errno and returns -1. Not inlined: the place of errno is the running thread's, and must be looked up after a
/// switch.
__attribute__((noinline)) int vt_fail(int error);

#pragma GCC visibility pop

#endif
