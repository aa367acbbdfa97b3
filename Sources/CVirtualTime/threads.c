// Creating, ending and naming threads, and what the program may ask about them.

#include "core.h"
#include "real.h"

#include <limits.h>
#include <string.h>

static pthread_key_t end_key;
static int main_has_exited;

// ---- The end ----

// A destructor of thread-specific data: the last code of a thread before glibc takes it down. glibc runs destructors in
// rounds while there is data left, and in each round in the order of the keys. This key has a high number, and its data
// is set again in all rounds but the last, so every other destructor has run by then.
static void end_thread(void *value) {
  vt_thread *self = value;
  if (++self->end_rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(end_key, self);
    return;
  }
  if (self->number == 0) {  // pthread_exit on the main thread, whose kernel thread carries the fibers
    main_has_exited = 1;
    for (;;) {
      if (vt_thread_count == 1) exit(0);
      vt_block(FOR_SIGNAL, NULL, VT_NEVER);
    }
  }
  static vt_thread *last_gone;  // its kernel thread is gone, as another thread has run since
  free(last_gone);
  last_gone = self;
  self->state = VT_GONE;
  vt_wake(self, VT_ALL);
  vt_remove_thread(self);
  if (main_has_exited && vt_thread_count == 1) exit(0);
  vt_await_end_of(self->kernel_id);
  vt_reschedule();
}

static void create_end_key(void) {
  enum { KEYS_BEFORE = 500 };  // of 1024
  pthread_key_t before[KEYS_BEFORE];
  int count = 0;
  while (count < KEYS_BEFORE && pthread_key_create(&before[count], NULL) == 0) count++;
  pthread_key_create(&end_key, end_thread);
  for (int i = 0; i < count; i++) pthread_key_delete(before[i]);
}

// ---- The beginning ----

void vt_adopt_main(void) {
  create_end_key();
  vt_thread *main_thread = vt_add_thread();
  if (!main_thread) abort();
  main_thread->state = VT_RUNNING;
  main_thread->is_bound = vt_config.uses_baton;
  main_thread->handle = pthread_self();
  main_thread->kernel_id = (int)vt_raw(SYS_gettid, 0, 0, 0, 0, 0, 0);
  strcpy(main_thread->name, "main");
  if (!vt_config.uses_baton) main_thread->thread_pointer = vt_read_thread_pointer();
  vt_current = main_thread;
  pthread_setspecific(end_key, main_thread);
}

/// Where a fiber begins.
static void run_fiber(void) {
  vt_thread *self = vt_current;
  self->result = self->start(self->argument);
  self->has_returned = 1;
  vt_go_home(self);
  __builtin_trap();
}

// The first function of a new kernel thread. Until it parks it runs beside the thread that creates it, which waits for
// it to be born: it calls nothing that allocates after that.
static void *begin_thread(void *value) {
  enum { OWN_STACK = 2048 };  // for this kernel thread while it is parked; the fiber has the rest
  vt_thread *self = value;
  self->kernel_id = (int)vt_raw(SYS_gettid, 0, 0, 0, 0, 0, 0);
  pthread_setspecific(end_key, self);
  if (self->is_bound) {
    vt_unpark(&self->is_born);
    vt_park(&self->go);
    vt_reap();
    return self->start(self->argument);
  }
  self->thread_pointer = vt_read_thread_pointer();
  self->context = vt_new_context((char *)__builtin_frame_address(0) - OWN_STACK, run_fiber);
  // Signals are the carrier's to handle: a parked kernel thread that took one would run code beside the fibers.
  uint64_t all = ~UINT64_C(0);
  vt_raw(SYS_rt_sigprocmask, SIG_BLOCK, (long)&all, 0, sizeof all, 0, 0);
  vt_unpark(&self->is_born);
  vt_park(&self->go);
  // Home again, to end. Returned from its start function, or in pthread_exit, which goes on where the fiber was.
  if (!self->has_returned) vt_load_context(self->context);
  return self->result;
}

int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  if (!vt_is_on()) return vt_real.pthread_create(handle, attributes, start, argument);
  vt_thread *thread = vt_add_thread();
  if (!thread) return EAGAIN;
  thread->start = start;
  thread->argument = argument;
  thread->is_bound = vt_config.uses_baton;
  thread->is_worker = vt_is_dispatch((void *)start);
  int status = vt_real.pthread_create(&thread->handle, attributes, begin_thread, thread);
  if (status) {
    vt_remove_thread(thread);
    free(thread);
    return status;
  }
  *handle = thread->handle;
  vt_park(&thread->is_born);
  vt_make_ready(thread);
  vt_point();
  return 0;
}

_Noreturn void pthread_exit(void *result) {
  if (vt_is_on()) {
    vt_thread *self = vt_current;
    if (!self->is_bound && self->number != 0) vt_go_home(self);
  }
  vt_real.pthread_exit(result);
  __builtin_unreachable();
}

static vt_thread *find_thread(pthread_t handle) {
  for (int i = 0; i < vt_thread_count; i++)
    if (pthread_equal(vt_threads[i]->handle, handle)) return vt_threads[i];
  return NULL;
}

/// Waits until a thread has ended, or returns ETIMEDOUT.
static int await_end(pthread_t handle, int64_t deadline) {
  for (vt_thread *thread; (thread = find_thread(handle)) && thread != vt_current;)
    if (vt_block(FOR_THREAD, thread, deadline) && find_thread(handle) == thread) return ETIMEDOUT;
  return 0;
}

int pthread_join(pthread_t handle, void **result) {
  if (vt_is_on()) await_end(handle, VT_NEVER);
  return vt_real.pthread_join(handle, result);
}

int pthread_clockjoin_np(pthread_t handle, void **result, clockid_t clock, const struct timespec *until) {
  if (!vt_is_on()) return vt_real.pthread_clockjoin_np(handle, result, clock, until);
  int status = await_end(handle, until ? vt_deadline(clock, until) : VT_NEVER);
  return status ? status : vt_real.pthread_join(handle, result);
}

int pthread_timedjoin_np(pthread_t handle, void **result, const struct timespec *until) {
  if (!vt_is_on()) return vt_real.pthread_timedjoin_np(handle, result, until);
  return pthread_clockjoin_np(handle, result, CLOCK_REALTIME, until);
}

int pthread_tryjoin_np(pthread_t handle, void **result) {
  if (!vt_is_on()) return vt_real.pthread_tryjoin_np(handle, result);
  if (!find_thread(handle)) return vt_real.pthread_join(handle, result);
  vt_look();
  return EBUSY;
}

int sched_yield(void) {
  if (!vt_is_on()) return vt_real.sched_yield();
  vt_yield();
  return 0;
}

// ---- What a thread may ask ----

// The main thread's id is the process's, as programs tell it apart by that.
int vt_tid(void) { return vt_current->number ? VT_FIRST_TID + vt_current->number : getpid(); }

int vt_kernel_id(vt_thread *thread) { return thread->is_bound ? thread->kernel_id : vt_threads[0]->kernel_id; }

pid_t gettid(void) { return vt_is_on() ? vt_tid() : vt_real.gettid(); }

// The kernel's name of a thread would be that of a sleeping kernel thread; ours appear in reports.
int pthread_setname_np(pthread_t handle, const char *name) {
  if (!vt_is_on()) return vt_real.pthread_setname_np(handle, name);
  if (strlen(name) >= sizeof vt_current->name) return ERANGE;
  vt_thread *thread = find_thread(handle);
  if (thread) strcpy(thread->name, name);
  return 0;
}

int pthread_getname_np(pthread_t handle, char *name, size_t size) {
  if (!vt_is_on()) return vt_real.pthread_getname_np(handle, name, size);
  vt_thread *thread = find_thread(handle);
  if (size < sizeof thread->name) return ERANGE;
  strcpy(name, thread ? thread->name : "");
  return 0;
}

// Priorities and processors: one thread runs at a time, and what the program computes from the number of processors
// must not depend on the machine.
int setpriority(__priority_which_t which, id_t who, int value) {
  return vt_is_on() ? 0 : vt_real.setpriority(which, who, value);
}

static void fill_cpus(cpu_set_t *set, size_t size, int count) {
  memset(set, 0, size);
  for (int i = 0; i < count; i++) CPU_SET_S((size_t)i, size, set);
}

int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) {
  if (!vt_is_on()) return vt_real.sched_getaffinity(process, size, set);
  fill_cpus(set, size, vt_config.cpus);
  return 0;
}

// libdispatch takes the width of its pool from this one.
int pthread_getaffinity_np(pthread_t handle, size_t size, cpu_set_t *set) {
  if (!vt_is_on()) return vt_real.pthread_getaffinity_np(handle, size, set);
  fill_cpus(set, size, vt_config.pool);
  return 0;
}

long sysconf(int name) {
  if (vt_is_on() && (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)) return vt_config.cpus;
  return vt_real.sysconf(name);
}
