// Deadlocks: threads that wait for each other's locks. Looked for whenever every thread waits.
//
// A thread is stuck when it waits without a deadline for a lock whose owner is stuck, is the thread itself, or has ended.
// Nothing else counts: an owner that sleeps, or waits for a message, may still release its lock.

#include "core.h"
#include "real.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <linux/futex.h>
#include <string.h>

enum { MAX_CALLS = 24, MAX_SHOWN = 8 };

// ---- Owners ----

typedef enum { OWNER_UNKNOWN, OWNER_LIVES, OWNER_ENDED } vt_owner_kind;

static vt_owner_kind find_by_kernel_id(int id, vt_thread **owner) {
  if (id == 0) return OWNER_UNKNOWN;
  for (int i = 0; i < vt_thread_count; i++)
    if (vt_threads[i]->kernel_id == id) return *owner = vt_threads[i], OWNER_LIVES;
  return OWNER_ENDED;
}

static vt_owner_kind find_by_tid(unsigned tid, vt_thread **owner) {
  if (tid == 0) return OWNER_UNKNOWN;
  for (int i = 0; i < vt_thread_count; i++) {
    unsigned id = vt_threads[i]->number ? VT_FIRST_TID + (unsigned)vt_threads[i]->number : (unsigned)getpid();
    if (id == tid) return *owner = vt_threads[i], OWNER_LIVES;
  }
  return OWNER_ENDED;
}

/// The owner of what a thread waits for. glibc writes the owner, by its kernel thread, into each mutex and write lock.
static vt_owner_kind find_owner(const vt_thread *thread, vt_thread **owner) {
  if (thread->state != VT_WAITING || thread->deadline != VT_NEVER) return OWNER_UNKNOWN;
  switch (thread->wait) {
  case FOR_MUTEX: return find_by_kernel_id(((const pthread_mutex_t *)thread->key)->__data.__owner, owner);
  case FOR_RWLOCK: return find_by_kernel_id(((const pthread_rwlock_t *)thread->key)->__data.__cur_writer, owner);
  case FOR_PI_LOCK: return find_by_tid(*(const unsigned *)thread->key & FUTEX_TID_MASK, owner);
  case FOR_THREAD: return *owner = (vt_thread *)(uintptr_t)thread->key, OWNER_LIVES;
  default: return OWNER_UNKNOWN;
  }
}

static int is_stuck(vt_thread *thread) {
  // A chain longer than there are threads goes in a circle.
  for (int steps = 0; steps <= vt_thread_count; steps++) {
    vt_thread *owner = NULL;
    switch (find_owner(thread, &owner)) {
    case OWNER_UNKNOWN: return 0;
    case OWNER_ENDED: return 1;
    case OWNER_LIVES: thread = owner;
    }
  }
  return 1;
}

// ---- Calls of a waiting thread ----

// A waiting thread is asked for its calls by a switch to it: it looks at its own stack, and switches back.
static vt_thread *subject, *inspector;
static void *calls[MAX_CALLS];
static int call_count;
static const char *queue_label;

static void look_at_stack(void) {
  call_count = backtrace(calls, MAX_CALLS);
  typedef const char *label_function(void *);
  label_function *label = (label_function *)dlsym(RTLD_DEFAULT, "dispatch_queue_get_label");
  queue_label = label && vt_current->is_worker ? label(NULL) : NULL;  // of the queue whose block runs here
}

void vt_answer_inspection(vt_thread *self) {
  while (subject == self) {
    look_at_stack();
    subject = NULL;
    vt_switch(self, inspector);
  }
}

static void collect_calls(vt_thread *thread) {
  call_count = 0;
  queue_label = NULL;
  if (thread == vt_current) {
    look_at_stack();
  } else if (vt_current->state != VT_GONE) {  // a thread that has ended could not be switched back to
    subject = thread;
    inspector = vt_current;
    vt_switch(inspector, thread);
  }
}

// ---- Texts ----

static const char *const wait_names[] = {
    [FOR_MUTEX] = "a mutex", [FOR_RWLOCK] = "a read-write lock", [FOR_PI_LOCK] = "a lock",
    [FOR_THREAD] = "the end of a thread", [FOR_CONDITION] = "a condition", [FOR_SEMAPHORE] = "a semaphore",
    [FOR_FUTEX] = "a futex", [FOR_ONCE] = "an initialization", [FOR_STDIO] = "a stream's lock",
    [FOR_BARRIER] = "a barrier", [FOR_DESCRIPTORS] = "a descriptor", [FOR_TIME] = "time", [FOR_CLOCK] = "a clock",
    [FOR_SIGNAL] = "a signal", [FOR_CONTROLLER] = "the controller",
};

static void append_name(const vt_thread *thread, char *text, size_t size, size_t *length) {
  vt_append(text, size, length, "thread %d", thread->number);
  if (thread->name[0]) vt_append(text, size, length, " \"%s\"", thread->name);
}

static void append_wait(const vt_thread *thread, char *text, size_t size, size_t *length) {
  append_name(thread, text, size, length);
  if (thread == vt_controller) vt_append(text, size, length, " (the controller)");
  if (thread->state != VT_WAITING) {
    vt_append(text, size, length, thread->state == VT_SETTLING ? " settles" : " runs");
    return;
  }
  vt_append(text, size, length, " waits for %s", wait_names[thread->wait]);
  if (thread->deadline != VT_NEVER)
    vt_append(text, size, length, " until %.3f s", (double)(thread->deadline - VT_BOOT) / 1e9);
  vt_thread *owner = NULL;
  switch (find_owner(thread, &owner)) {
  case OWNER_UNKNOWN: return;
  case OWNER_ENDED: vt_append(text, size, length, " held by a thread that has ended"); return;
  case OWNER_LIVES: break;
  }
  vt_append(text, size, length, thread->wait == FOR_THREAD ? ", " : " held by ");
  if (owner == thread) vt_append(text, size, length, "itself");
  else append_name(owner, text, size, length);
}

size_t vt_describe_threads(char *text, size_t size) {
  size_t length = 0;
  if (size) text[0] = 0;
  for (int i = 0; i < vt_thread_count; i++) {
    append_wait(vt_threads[i], text, size, &length);
    vt_append(text, size, &length, "\n");
  }
  return length;
}

// ---- Reports ----

int vt_find_deadlock(void) {
  if (vt_owned_waits == 0) return 0;
  static char text[6000];
  size_t length = 0;
  int count = 0;
  for (int i = 0; i < vt_thread_count; i++) {
    if (!is_stuck(vt_threads[i])) continue;
    if (count++) vt_append(text, sizeof text, &length, "; ");
    append_wait(vt_threads[i], text, sizeof text, &length);
  }
  static uint64_t last;  // of the waits reported last: the same ones are there at every later quiescence
  uint64_t waits = 0;
  for (int i = 0; i < vt_thread_count; i++)
    if (is_stuck(vt_threads[i])) waits = waits * 31 + vt_threads[i]->wait_number;
  if (count == 0 || waits == last) return count > 0;
  last = waits;
  for (int i = 0, shown = 0; i < vt_thread_count && shown < MAX_SHOWN; i++) {
    vt_thread *thread = vt_threads[i];
    if (!is_stuck(thread)) continue;
    shown++;
    collect_calls(thread);
    vt_append(text, sizeof text, &length, "\n  ");
    append_name(thread, text, sizeof text, &length);
    if (queue_label && queue_label[0]) vt_append(text, sizeof text, &length, " on queue \"%s\"", queue_label);
    vt_append(text, sizeof text, &length, ":\n");
    length += vt_describe_calls(calls, call_count, text + length, sizeof text - length);
    if (text[length - 1] == '\n') text[--length] = 0;
  }
  vt_report("deadlock", "%s", text);
  return 1;
}

void vt_report_polling(vt_thread *thread, int64_t polled) {
  static char text[4000];
  size_t length = 0;
  append_name(thread, text, sizeof text, &length);
  vt_append(text, sizeof text, &length,
            " polls: %.1f s of simulated processor time without a moment at which every thread waits",
            (double)polled / 1e9);
  collect_calls(thread);
  vt_append(text, sizeof text, &length, "\n");
  length += vt_describe_calls(calls, call_count, text + length, sizeof text - length);
  if (text[length - 1] == '\n') text[--length] = 0;
  vt_report("busy", "%s", text);
}

void vt_report_idle(void) {
  static char text[4000];
  size_t length = vt_describe_threads(text, sizeof text);
  if (length && text[length - 1] == '\n') text[length - 1] = 0;
  vt_report("idle", "every thread waits, and nothing inside the process can wake one\n%s", text);
}
