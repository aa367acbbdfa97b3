// One thread runs; it goes on until it waits, or until the policy prefers another one at a point. When every thread
// waits, the process is quiescent. Then time moves: alone, to the next deadline; with a controller, when the controller says so.

#include "core.h"
#include "real.h"

#include <string.h>

enum {
  PATIENCE = 5000,       // looks at one instant, or short waits in a row, before a thread counts as spinning
  SPIN_PAUSE = 100000,   // nanoseconds
  MAX_OUTSIDE_FDS = 256,
};

vt_thread *vt_threads[VT_MAX_THREADS];
int vt_thread_count;
vt_thread *volatile vt_current;
vt_thread *vt_controller;
int64_t vt_now;
volatile uint64_t vt_switches, vt_quiescences, vt_rests;
uint64_t vt_advances;
volatile int vt_is_outside;
int vt_fds_changed, vt_owned_waits;

static vt_thread *ready[VT_MAX_THREADS];  // in the order in which they became ready
static int ready_count, next_number, fires, fd_waits;
static uint64_t wait_count;
/// How many threads wait for keys of a hash: most wakes find no waiter, and should not visit every thread.
static unsigned short waits_by_hash[256];

static unsigned hash_of(const void *key) { return (uint32_t)((uintptr_t)key >> 2) * 2654435761u >> 24; }

vt_thread *vt_add_thread(void) {
  if (vt_thread_count == VT_MAX_THREADS) return NULL;
  vt_thread *thread = calloc(1, sizeof *thread);
  if (!thread) return NULL;
  thread->number = next_number++;
  thread->deadline = VT_NEVER;
  thread->priority = vt_first_priority();
  vt_threads[vt_thread_count++] = thread;
  return thread;
}

void vt_remove_thread(vt_thread *thread) {
  int kept = 0;
  for (int i = 0; i < vt_thread_count; i++)
    if (vt_threads[i] != thread) vt_threads[kept++] = vt_threads[i];
  vt_thread_count = kept;
}

static void leave_wait(vt_thread *thread) {
  if (thread->key) waits_by_hash[hash_of(thread->key)]--;
  if (thread->wait <= FOR_THREAD) vt_owned_waits--;
  if (thread->wait == FOR_DESCRIPTORS) fd_waits--;
}

void vt_make_ready(vt_thread *thread) {
  if (thread->state == VT_WAITING) leave_wait(thread);
  thread->state = VT_READY;
  ready[ready_count++] = thread;
}

static vt_thread *take_ready(int index) {
  vt_thread *thread = ready[index];
  memmove(ready + index, ready + index + 1, (size_t)(--ready_count - index) * sizeof *ready);
  return thread;
}

// ---- What becomes due ----

void vt_note_poll(void) { vt_current->polled_at = vt_event_changes; }

/// Whether what a thread waits for is as it was when it was last polled.
static int is_unchanged(const vt_thread *thread) {
  return thread->polled_at == vt_event_changes && !vt_has_children && vt_are_events(thread->fds, thread->fd_count);
}

static int poll_fds(void) {
  vt_fds_changed = 0;
  int woken = 0;
  for (int i = 0; fd_waits > 0 && i < vt_thread_count; i++) {
    vt_thread *thread = vt_threads[i];
    if (thread->state != VT_WAITING || thread->wait != FOR_DESCRIPTORS || is_unchanged(thread)) continue;
    thread->polled_at = vt_event_changes;
    if (vt_real.poll(thread->fds, thread->fd_count, 0) == 0) continue;
    vt_make_ready(thread);
    woken = 1;
  }
  return woken;
}

/// The waiting thread that is due first: by deadline, then by the beginning of its wait.
static vt_thread *first_due(void) {
  vt_thread *first = NULL;
  for (int i = 0; i < vt_thread_count; i++) {
    vt_thread *thread = vt_threads[i];
    if (thread->state != VT_WAITING || thread->deadline == VT_NEVER) continue;
    if (!first || thread->deadline < first->deadline ||
        (thread->deadline == first->deadline && thread->wait_number < first->wait_number))
      first = thread;
  }
  return first;
}

static int fire_due(void) {
  int fired = vt_fire_timers();
  for (vt_thread *thread; (thread = first_due()) && thread->deadline <= vt_now; fired = 1) {
    thread->timed_out = 1;
    vt_make_ready(thread);
  }
  return fired;
}

int64_t vt_next_due(void) {
  vt_thread *first = first_due();
  int64_t timer = vt_next_timer();
  return first && first->deadline < timer ? first->deadline : timer;
}

// ---- Quiescence ----

static vt_thread *find_spinning(void) {
  for (int i = 0; i < vt_thread_count; i++)
    if (vt_threads[i]->is_spinning) return vt_threads[i];
  return NULL;
}

/// Counts a rest, a moment at which every thread waits for something other than the next moment. Where a thread polls
/// instead, ends the process once that has used a processor for the watchdog's limit.
static void count_rest(int64_t next) {
  static int64_t polled, polled_at;
  vt_thread *spinning = find_spinning();
  if (!spinning) {
    polled = 0;
    if (next >= vt_after(VT_SHORT)) vt_rests++;
    return;
  }
  // A gap is a time in which the app was suspended.
  int64_t passed = vt_now - polled_at;
  if (polled_at && passed <= 2 * SPIN_PAUSE) polled += passed;
  polled_at = vt_now;
  if (vt_config.stall == 0 || polled < vt_config.stall) return;
  vt_report_polling(spinning, polled);
  vt_exit(VT_EXIT_STALLED);
}

/// Waits in real time until a descriptor that other processes can reach becomes ready. Returns 0 where there is none.
static int wait_outside(void) {
  struct pollfd all[MAX_OUTSIDE_FDS];
  nfds_t count = 0;
  for (int i = 0; i < vt_thread_count; i++) {
    vt_thread *thread = vt_threads[i];
    if (thread->state != VT_WAITING || thread->wait != FOR_DESCRIPTORS) continue;
    for (nfds_t k = 0; k < thread->fd_count && count < MAX_OUTSIDE_FDS; k++)
      if (vt_has_children || !vt_is_inside(thread->fds[k].fd)) all[count++] = thread->fds[k];
  }
  if (count == 0) return 0;
  vt_is_outside = 1;
  vt_real.poll(all, count, -1);
  vt_is_outside = 0;
  return 1;
}

/// Every thread waits: makes one ready, or returns the controller, or ends the process.
static vt_thread *leave_quiescence(void) {
  vt_quiescences++;
  int64_t next = vt_next_due();
  count_rest(next);
  int is_stuck = vt_find_deadlock();
  if (vt_controller) {
    if (vt_controller->state != VT_SETTLING) {
      vt_report("controller-waits", "the controller waits for a thread of the app, and that one for time");
      vt_exit(VT_EXIT_DEADLOCK);
    }
    if (fires && fire_due()) return NULL;
    return vt_controller;
  }
  if (is_stuck) vt_exit(VT_EXIT_DEADLOCK);
  if (vt_config.is_controlled) next = next <= vt_now ? next : VT_NEVER;  // until the controller comes, time does not move
  if (next != VT_NEVER && next >= vt_config.end) {
    fflush(NULL);
    vt_exit(0);
  }
  if (next == VT_NEVER) {
    if (wait_outside()) return NULL;
    vt_report_idle();
    vt_exit(VT_EXIT_IDLE);
  }
  if (next > vt_now) {
    vt_now = next;
    vt_advances++;
  }
  fire_due();
  return NULL;
}

static vt_thread *pick(void) {
  for (;;) {
    if (vt_fds_changed) poll_fds();
    if (ready_count) {
      for (int i = 0; vt_controller && i < ready_count; i++)
        if (ready[i] == vt_controller) return take_ready(i);
      return take_ready(vt_choose(ready, ready_count));
    }
    if (poll_fds()) continue;
    vt_thread *controller = leave_quiescence();
    if (controller) return controller;
  }
}

void vt_reschedule(void) {
  vt_thread *self = vt_current, *next = pick();
  next->state = VT_RUNNING;
  vt_switch(self, next);
  if (self->state != VT_GONE) vt_answer_inspection(self);
}

// ---- Waiting and waking ----

/// Goes behind the other ready threads.
static void give_turn_away(void) {
  vt_demote(vt_current);
  vt_make_ready(vt_current);
  vt_reschedule();
}

/// The deadline, or a later one: a loop of short waits would hold time, as would one that looks at a clock.
static int64_t lengthen_short_wait(vt_thread *self, int64_t deadline) {
  if (deadline >= vt_after(VT_SHORT)) {
    self->naps = 0;
    self->is_spinning = 0;
    return deadline;
  }
  if (++self->naps <= PATIENCE) return deadline;
  self->is_spinning = 1;
  return vt_after(SPIN_PAUSE);
}

int vt_block_bits(vt_wait wait, const void *key, int64_t deadline, uint32_t bits) {
  vt_thread *self = vt_current;
  if (wait != FOR_CLOCK && self != vt_controller) deadline = lengthen_short_wait(self, vt_jittered(deadline));
  if (deadline <= vt_now) {
    if (self != vt_controller) give_turn_away();
    return 1;
  }
  self->state = VT_WAITING;
  self->wait = wait;
  self->key = key;
  self->bits = bits;
  self->deadline = deadline;
  self->timed_out = 0;
  self->wait_number = ++wait_count;
  if (key) waits_by_hash[hash_of(key)]++;
  if (wait <= FOR_THREAD) vt_owned_waits++;
  if (wait == FOR_DESCRIPTORS) fd_waits++;
  vt_reschedule();
  if (!self->timed_out) self->naps = 0;
  return self->timed_out;
}

int vt_block(vt_wait wait, const void *key, int64_t deadline) { return vt_block_bits(wait, key, deadline, ~0u); }

int vt_block_fds(struct pollfd *fds, nfds_t count, int64_t deadline) {
  vt_current->fds = fds;
  vt_current->fd_count = count;
  return vt_block(FOR_DESCRIPTORS, NULL, deadline);
}

int vt_wake_bits(const void *key, int count, uint32_t bits) {
  int woken = 0;
  while (woken < count && waits_by_hash[hash_of(key)]) {
    // The longest wait in fifo, else a draw: POSIX promises no order.
    vt_thread *one = NULL;
    uint64_t candidates = 0;
    for (int i = 0; i < vt_thread_count; i++) {
      vt_thread *thread = vt_threads[i];
      if (thread->state != VT_WAITING || thread->key != key || !(thread->bits & bits)) continue;
      candidates++;
      int is_preferred = vt_config.policy == VT_FIFO || count >= VT_ALL
                             ? !one || thread->wait_number < one->wait_number
                             : candidates == 1 || vt_draw(&vt_schedule_stream) % candidates == 0;
      if (is_preferred) one = thread;
    }
    if (!one) break;
    vt_make_ready(one);
    woken++;
  }
  return woken;
}

int vt_wake(const void *key, int count) { return vt_wake_bits(key, count, ~0u); }

int vt_has_waiters(const void *key) {
  if (!waits_by_hash[hash_of(key)]) return 0;
  for (int i = 0; i < vt_thread_count; i++)
    if (vt_threads[i]->state == VT_WAITING && vt_threads[i]->key == key) return 1;
  return 0;
}

void vt_point(void) {
  if (vt_current == vt_controller) return;
  if (vt_fds_changed) poll_fds();
  if (!vt_gives_way(ready, ready_count)) return;
  vt_make_ready(vt_current);
  vt_reschedule();
}

void vt_look(void) {
  vt_thread *self = vt_current;
  if (self == vt_controller) return;
  if (self->looked_at != vt_now) {
    self->looked_at = vt_now;
    self->looks = self->is_spinning ? PATIENCE : 0;
  }
  if (++self->looks <= PATIENCE) return;
  // A loop that polls a clock or another thread's progress would never end, as time moves only at quiescence.
  self->is_spinning = 1;
  vt_block(FOR_CLOCK, NULL, vt_after(SPIN_PAUSE));
}

void vt_yield(void) {
  if (vt_current == vt_controller) return;
  vt_look();
  give_turn_away();
}

void vt_set_fires(int value) { fires = value; }
