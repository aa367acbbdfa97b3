// Randomness: UUIDs, Int.random, the seeds of hash tables. All of it is one stream, drawn from the process's seed.

#include "core.h"
#include "real.h"

#include <string.h>

static vt_stream stream;

void vt_start_random(void) {
  vt_stream seeds = {vt_config.seed};
  stream.state = vt_draw(&seeds);
}

void vt_restart_random(void) {
  vt_stream seeds = {vt_config.seed};
  vt_draw(&seeds);  // of the draws before
  stream.state = vt_draw(&seeds);
}

static void fill(void *bytes, size_t count) {
  for (char *at = bytes; count;) {
    uint64_t drawn = vt_draw(&stream);
    size_t part = count < sizeof drawn ? count : sizeof drawn;
    memcpy(at, &drawn, part);
    at += part;
    count -= part;
  }
}

ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
  if (!vt_is_on()) return vt_real.getrandom(bytes, count, flags);
  fill(bytes, count);
  return (ssize_t)count;
}

int getentropy(void *bytes, size_t count) {
  if (!vt_is_on()) return vt_real.getentropy(bytes, count);
  if (count > 256) return vt_fail(EIO);
  fill(bytes, count);
  return 0;
}

static uint32_t draw32(void) { return (uint32_t)(vt_draw(&stream) >> 32); }

uint32_t arc4random(void) { return vt_is_on() ? draw32() : vt_real.arc4random(); }

uint32_t arc4random_uniform(uint32_t bound) {
  if (!vt_is_on()) return vt_real.arc4random_uniform(bound);
  return (uint32_t)((uint64_t)draw32() * bound >> 32);
}

void arc4random_buf(void *bytes, size_t count) {
  if (vt_is_on()) fill(bytes, count);
  else vt_real.arc4random_buf(bytes, count);
}

// libdispatch reads there which of its workers run. The kernel's answer would be about sleeping kernel threads.
static int open_thread_state(int tid) {
  char text[64], state = 'S';
  for (int i = 0; i < vt_thread_count; i++)
    if (vt_threads[i]->number == tid - VT_FIRST_TID && vt_threads[i]->state <= VT_RUNNING) state = 'R';
  int length = snprintf(text, sizeof text, "%d (thread) %c 0\n", tid, state);
  return vt_open_bytes(text, (size_t)length);
}

int vt_open_answered(const char *path, int *fd) {
  if (path[0] != '/') return 0;
  if (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0) {
    static char bytes[4096];  // larger than any seed; then comes the end of the file
    fill(bytes, sizeof bytes);
    *fd = vt_open_bytes(bytes, sizeof bytes);
    return 1;
  }
  int tid, end = 0;
  if (sscanf(path, "/proc/%d/stat%n", &tid, &end) == 1 && end > 0 && !path[end] && tid > VT_FIRST_TID) {
    *fd = open_thread_state(tid);
    return 1;
  }
  return 0;
}
