// Start of the library: settings from the environment, before any code of the program looks at a clock.

#include "core.h"
#include "real.h"

#include <limits.h>
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>

extern char **environ;

vt_settings vt_config;
vt_phase_kind vt_phase;

int vt_fail(int error) {
  errno = error;
  return -1;
}

_Noreturn void vt_exit(int status) {
  vt_show_stats();
  for (;;) vt_raw(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

// ---- Settings ----

static _Noreturn void refuse(const char *name, const char *found, const char *expected) {
  dprintf(2, "virtual time: %s: found \"%s\", expected %s\n", name, found, expected);
  vt_raw(SYS_exit_group, VT_EXIT_INPUT, 0, 0, 0, 0, 0);
  __builtin_unreachable();
}

/// Reads a whole number from 0 to a bound.
static uint64_t read_number(const char *name, uint64_t fallback, uint64_t bound) {
  const char *text = getenv(name);
  if (!text) return fallback;
  uint64_t value = 0;
  int is_valid = *text != 0;
  for (const char *c = text; *c && is_valid; c++)
    is_valid = *c >= '0' && *c <= '9' && !__builtin_mul_overflow(value, UINT64_C(10), &value) &&
               !__builtin_add_overflow(value, (uint64_t)(*c - '0'), &value) && value <= bound;
  if (is_valid) return value;
  char expected[80];
  snprintf(expected, sizeof expected, "a whole number from 0 to %llu", (unsigned long long)bound);
  refuse(name, text, expected);
}

/// Reads one of some words: its index, or 0 where the variable is not set.
static int read_word(const char *name, const char *const *words, const char *expected) {
  const char *text = getenv(name);
  if (!text) return 0;
  for (int i = 0; words[i]; i++)
    if (strcmp(words[i], text) == 0) return i;
  refuse(name, text, expected);
}

static void read_settings(void) {
  static const char *const policies[] = {"pct", "fair", "fifo", NULL};
  static const char *const modes[] = {"auto", "fibers", "baton", NULL};
  const uint64_t longest = INT64_MAX / 4;  // nanoseconds: 73 years, so that sums of two never overflow
  const int64_t day = 1767254400;          // 2026-01-01 08:00 UTC
  vt_config.seed = read_number("WRISTWIRE_VT_SEED", 1, UINT64_MAX);
  vt_config.threads_seed = read_number("WRISTWIRE_VT_THREADS_SEED", vt_config.seed, UINT64_MAX);
  vt_config.policy = (vt_policy)read_word("WRISTWIRE_VT_THREADS", policies, "pct, fair or fifo");
  vt_config.jitter = (int64_t)read_number("WRISTWIRE_VT_JITTER_MS", 0, 60000) * 1000000;
  vt_config.date = (int64_t)read_number("WRISTWIRE_VT_DATE", (uint64_t)(day * VT_SECOND), longest);
  vt_config.instant = (int64_t)read_number("WRISTWIRE_VT_INSTANT", 0, longest);
  const char *end = getenv("WRISTWIRE_VT_END");
  vt_config.end = end ? VT_BOOT + (int64_t)read_number("WRISTWIRE_VT_END", 0, longest) : VT_NEVER;
  vt_config.stall = (int64_t)read_number("WRISTWIRE_VT_STALL", 5, 3600) * VT_SECOND;
  vt_config.cpus = (int)read_number("WRISTWIRE_VT_CPUS", 2, 1024);
  vt_config.pool = (int)read_number("WRISTWIRE_VT_POOL", 64, 255);
  vt_config.is_controlled = (int)read_number("WRISTWIRE_VT_CONTROLLED", 0, 1);
  vt_config.shows_stats = (int)read_number("WRISTWIRE_VT_STATS", 0, 1);
  vt_config.report = getenv("WRISTWIRE_VT_REPORT");
  if (vt_config.report) vt_config.report = strdup(vt_config.report);  // the program may change its environment
  int mode = read_word("WRISTWIRE_VT_MODE", modes, "auto, fibers or baton");
  if (mode == 1 && !vt_can_use_fibers()) refuse("WRISTWIRE_VT_MODE", "fibers", "baton: no fibers on this processor");
  vt_config.uses_baton = mode == 2 || !vt_can_use_fibers();
  if (vt_config.cpus == 0) refuse("WRISTWIRE_VT_CPUS", "0", "1 or more");
  if (vt_config.pool == 0) refuse("WRISTWIRE_VT_POOL", "0", "1 or more");
}

// ---- The address layout ----

static char *read_command_line(size_t *size) {
  int fd = vt_real.open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return NULL;
  size_t capacity = 4096, used = 0;
  char *text = malloc(capacity);
  for (ssize_t count; text && (count = vt_real.read(fd, text + used, capacity - used)) > 0;) {
    used += (size_t)count;
    if (used == capacity) text = realloc(text, capacity *= 2);
  }
  vt_real.close(fd);
  *size = used;
  return text;
}

// Addresses decide the order of hash tables keyed by objects, and much else. The runner switches the kernel's random
// layout off before it starts a program; a program started otherwise is executed once more here.
static void fix_layout(void) {
  static const char *const words[] = {"fixed", "any", "retried", NULL};
  const char *name = "WRISTWIRE_VT_LAYOUT";
  int wanted = read_word(name, words, "fixed or any"), now = personality(0xffffffff);
  if (wanted == 1 || (now >= 0 && now & ADDR_NO_RANDOMIZE)) return;
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  size_t size = 0;
  char *text = read_command_line(&size);
  if (wanted == 0 && length > 0 && text && size && personality((unsigned long)now | ADDR_NO_RANDOMIZE) >= 0) {
    path[length] = 0;
    size_t count = 0;
    for (size_t i = 0; i < size; i++) count += text[i] == 0;
    char **arguments = calloc(count + 1, sizeof *arguments);
    if (!arguments) abort();
    for (size_t i = 0, k = 0; k < count; i += strlen(text + i) + 1) arguments[k++] = text + i;
    setenv(name, "retried", 1);
    vt_real.execve(path, arguments, environ);
  }
  free(text);
  vt_report("address-layout", "this machine does not allow a fixed address layout: addresses differ from run to run");
}

// ---- Start ----

int vt_start(void) {
  if (vt_phase != VT_UNSTARTED) return vt_phase == VT_ON;
  vt_phase = VT_STARTING;
  int error = errno;
  vt_load_real_functions();
  vt_serve_starts();
  read_settings();
  fix_layout();
  vt_open_folders();
  // One arena, on every machine: glibc's number of them, and so the addresses, would follow the processors.
  mallopt(M_ARENA_MAX, 1);
  vt_now = VT_BOOT + vt_config.instant;
  vt_note_date();
  vt_start_policy();
  vt_start_random();
  vt_adopt_main();
  vt_phase = VT_ON;
  vt_start_watchdog();
  errno = error;
  return 1;
}

__attribute__((constructor(101))) static void construct(void) { vt_start(); }
__attribute__((destructor)) static void finish(void) { vt_show_stats(); }

_Noreturn void _exit(int status) {
  if (vt_is_on()) vt_exit(status);
  vt_real._exit(status);
}
