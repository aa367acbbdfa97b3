// syscall(): futexes, on which Swift's runtime and libdispatch build their locks, and calls that tell of the machine.

#include "core.h"
#include "real.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static int64_t futex_deadline(int operation, int flags, const struct timespec *time) {
  if (!time) return VT_NEVER;
  if (operation == FUTEX_WAIT) return vt_after(vt_nanoseconds(time));  // the one that takes a duration
  int is_wall = operation == FUTEX_LOCK_PI || flags & FUTEX_CLOCK_REALTIME;
  return vt_deadline(is_wall ? CLOCK_REALTIME : CLOCK_MONOTONIC, time);
}

static int wake_count(long count) { return count > VT_ALL ? VT_ALL : count < 0 ? 0 : (int)count; }

static long futex_wait(unsigned *word, unsigned expected, int64_t deadline, uint32_t bits) {
  if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != expected) {
    vt_look();
    return vt_fail(EAGAIN);
  }
  return vt_block_bits(FOR_FUTEX, word, deadline, bits) ? vt_fail(ETIMEDOUT) : 0;
}

static long futex_wake(unsigned *word, long count, uint32_t bits) {
  int woken = vt_wake_bits(word, wake_count(count), bits);
  vt_point();
  return woken;
}

// A lock with an owner: the word holds the owner's thread id, and a bit while others wait. Whoever takes the lock here
// sets the bit for the remaining ones: without it the owner's fast path unlocks without a wake.
static long futex_lock(unsigned *word, int operation, int64_t deadline) {
  unsigned self = (unsigned)vt_tid();
  for (int is_late = 0;; is_late = vt_block(FOR_PI_LOCK, word, deadline)) {
    unsigned owner = *word & FUTEX_TID_MASK;
    if (owner == 0) {
      *word = self | (vt_has_waiters(word) ? FUTEX_WAITERS : 0);
      return 0;
    }
    if (owner == self) return vt_fail(EDEADLK);
    if (operation == FUTEX_TRYLOCK_PI) {
      vt_look();
      return vt_fail(EAGAIN);
    }
    if (is_late) return vt_fail(ETIMEDOUT);
    *word |= FUTEX_WAITERS;
  }
}

static long futex_unlock(unsigned *word) {
  if ((*word & FUTEX_TID_MASK) != (unsigned)vt_tid()) return vt_fail(EPERM);
  *word = 0;
  vt_wake(word, 1);
  vt_point();
  return 0;
}

static long call_futex(const long *a) {
  enum { OPERATION = FUTEX_CMD_MASK };
  unsigned *word = (unsigned *)a[0];
  int operation = (int)a[1] & OPERATION;
  uint32_t bits = operation == FUTEX_WAIT_BITSET || operation == FUTEX_WAKE_BITSET ? (uint32_t)a[5] : ~0u;
  // The fourth argument is a time for some operations and a number for others.
  int64_t deadline = VT_NEVER;
  switch (operation) {
  case FUTEX_WAIT: case FUTEX_WAIT_BITSET: case FUTEX_LOCK_PI: case FUTEX_LOCK_PI2:
    deadline = futex_deadline(operation, (int)a[1], (const struct timespec *)a[3]);
    break;
  default: break;
  }
  switch (operation) {
  case FUTEX_WAIT: case FUTEX_WAIT_BITSET: return futex_wait(word, (unsigned)a[2], deadline, bits);
  case FUTEX_WAKE: case FUTEX_WAKE_BITSET: return futex_wake(word, a[2], bits);
  case FUTEX_CMP_REQUEUE:
    if (*word != (unsigned)a[5]) return vt_fail(EAGAIN);
    return futex_wake(word, a[2] + a[3], bits);  // a thread that is woken instead of requeued waits again
  case FUTEX_REQUEUE: return futex_wake(word, a[2] + a[3], bits);
  case FUTEX_LOCK_PI: case FUTEX_LOCK_PI2: case FUTEX_TRYLOCK_PI: return futex_lock(word, operation, deadline);
  case FUTEX_UNLOCK_PI: return futex_unlock(word);
  default:
    vt_report("system-call", "futex operation %d is not known here: it goes to the kernel", operation);
    return vt_real.syscall(SYS_futex, a[0], a[1], a[2], a[3], a[4], a[5]);
  }
}

long syscall(long number, ...) {
  va_list arguments;
  va_start(arguments, number);
  long a[6];
  for (int i = 0; i < 6; i++) a[i] = va_arg(arguments, long);
  va_end(arguments);
  if (!vt_is_on()) return vt_real.syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  switch (number) {
  case SYS_futex: return call_futex(a);
  case SYS_getrandom: return getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
  case SYS_gettid: return vt_tid();
  case SYS_sched_yield: return sched_yield();
  case SYS_clock_gettime: return clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
  case SYS_nanosleep: return nanosleep((const struct timespec *)a[0], (struct timespec *)a[1]);
  case SYS_tgkill:
    // A thread that signals itself runs on the carrier.
    if (a[1] == vt_tid()) a[1] = vt_kernel_id(vt_current);
    break;
  default: break;
  }
  return vt_real.syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
