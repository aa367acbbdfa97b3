// Which of the ready threads goes on, drawn from a seed of its own.
//
// pct   Each thread has a drawn priority, and the highest one runs. At a few drawn points the running thread falls
//       behind all others. Few changes suffice: a bug that needs d ordered steps shows with a probability that does not
//       shrink with the number of threads' interleavings (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized
//       Scheduler with Probabilistic Guarantees of Finding Bugs, ASPLOS 2010). That paper knows the run's length; here
//       programs run on, so change points are drawn at a mean distance, which is itself drawn for the process.
// fair  Any ready thread, each as likely; at one point of 16 the running one gives way.
// fifo  In the order in which they became ready, without preemption. Nothing is drawn.

#include "core.h"

enum { FAIR_YIELDS_ONE_IN = 16 };

vt_stream vt_schedule_stream;
static vt_stream jitter_stream;
static uint64_t mean_distance, to_change;
static uint64_t lowest = UINT64_C(1) << 62;

uint64_t vt_draw(vt_stream *stream) {
  uint64_t z = stream->state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

static void draw_distance(void) { to_change = 1 + vt_draw(&vt_schedule_stream) % (2 * mean_distance); }

void vt_start_policy(void) {
  // Streams of one seed are set apart by a draw each, so that none is a shifted copy of another.
  vt_stream seeds = {vt_config.threads_seed};
  vt_schedule_stream.state = vt_draw(&seeds);
  jitter_stream.state = vt_draw(&seeds);
  static const uint64_t distances[] = {4, 32, 256};
  mean_distance = distances[vt_draw(&vt_schedule_stream) % 3];
  draw_distance();
}

void vt_restart_policy(void) {
  vt_start_policy();
  lowest = UINT64_C(1) << 62;
  for (int i = 0; i < vt_thread_count; i++) vt_threads[i]->priority = vt_first_priority();
}

uint64_t vt_first_priority(void) {
  if (vt_config.policy != VT_PCT) return 0;
  return UINT64_C(1) << 63 | vt_draw(&vt_schedule_stream) >> 1;
}

void vt_demote(vt_thread *thread) {
  if (vt_config.policy == VT_PCT) thread->priority = --lowest;
}

int vt_choose(vt_thread **ready, int count) {
  if (count == 1) return 0;
  switch (vt_config.policy) {
  case VT_FIFO: return 0;
  case VT_FAIR: return (int)(vt_draw(&vt_schedule_stream) % (uint64_t)count);
  case VT_PCT: break;
  }
  int best = 0;
  for (int i = 1; i < count; i++)
    if (ready[i]->priority > ready[best]->priority) best = i;
  return best;
}

int vt_gives_way(vt_thread **ready, int count) {
  if (count == 0) return 0;
  switch (vt_config.policy) {
  case VT_FIFO: return 0;
  case VT_FAIR: return vt_draw(&vt_schedule_stream) % FAIR_YIELDS_ONE_IN == 0;
  case VT_PCT: break;
  }
  // Only points with a choice count: a change where one thread is ready would be spent for nothing.
  if (--to_change == 0) {
    vt_demote(vt_current);
    draw_distance();
  }
  for (int i = 0; i < count; i++)
    if (ready[i]->priority > vt_current->priority) return 1;
  return 0;
}

int64_t vt_jittered(int64_t deadline) {
  if (vt_config.jitter == 0 || deadline == VT_NEVER || deadline <= vt_now || vt_current == vt_controller) return deadline;
  int64_t late = (int64_t)(vt_draw(&jitter_stream) % (uint64_t)vt_config.jitter);
  return deadline > VT_NEVER - late ? VT_NEVER : deadline + late;
}
