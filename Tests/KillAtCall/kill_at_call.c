// Preloaded into a node: counts the calls that change regular files or folders, and ends the process with SIGKILL right
// after the planned one. A kill may also come in the middle of a long write, since the kernel cuts one short for it: then
// half of the bytes are written.

#define _GNU_SOURCE

#include "KillAtCall.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static kill_at_call_plan *plan;

/// The next definition of a function: libc's.
#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void read_plan(void) {
  const char *path = getenv("KILL_AT_CALL");
  if (!path) return;
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) abort();
  void *memory = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) abort();
  plan = memory;
}

/// Whether the process ends after a call.
static int count(int changes_name) {
  if (!plan) return 0;
  uint64_t number = atomic_fetch_add((_Atomic uint64_t *)&plan->calls, 1) + 1;
  if (changes_name) {
    uint64_t name = atomic_fetch_add((_Atomic uint64_t *)&plan->names, 1) + 1;
    if (name >= plan->name) {
      plan->name = name + plan->name_stride;
      plan->due = number + plan->name_delay;
    }
  }
  if (plan->kills >= plan->kills_max) return 0;
  return number >= plan->call || (plan->due > 0 && number >= plan->due);
}

static void end(void) {
  if (plan->calls >= plan->call) plan->call = plan->calls + plan->call_stride;
  plan->due = 0;
  plan->kills++;
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/// Counts a call that always changes something.
#define COUNTED(changes_name, type, name, parameters, arguments) \
  type name parameters { \
    REAL(name); \
    type result = real arguments; \
    int error = errno; \
    if (count((changes_name) && result == 0)) end(); \
    errno = error; \
    return result; \
  }

COUNTED(1, int, rename, (const char *a, const char *b), (a, b))
COUNTED(1, int, renameat, (int a, const char *b, int c, const char *d), (a, b, c, d))
COUNTED(1, int, renameat2, (int a, const char *b, int c, const char *d, unsigned e), (a, b, c, d, e))
COUNTED(1, int, unlink, (const char *a), (a))
COUNTED(1, int, unlinkat, (int a, const char *b, int c), (a, b, c))
COUNTED(1, int, rmdir, (const char *a), (a))
COUNTED(1, int, link, (const char *a, const char *b), (a, b))
COUNTED(1, int, linkat, (int a, const char *b, int c, const char *d, int e), (a, b, c, d, e))
COUNTED(0, int, mkdir, (const char *a, mode_t b), (a, b))
COUNTED(0, int, mkdirat, (int a, const char *b, mode_t c), (a, b, c))
COUNTED(0, int, fsync, (int a), (a))
COUNTED(0, int, fdatasync, (int a), (a))
COUNTED(0, int, ftruncate, (int a, off_t b), (a, b))
COUNTED(0, int, ftruncate64, (int a, off64_t b), (a, b))
COUNTED(0, int, fallocate, (int a, int b, off_t c, off_t d), (a, b, c, d))
COUNTED(0, int, posix_fallocate, (int a, off_t b, off_t c), (a, b, c))
COUNTED(
    0, ssize_t, copy_file_range, (int a, off64_t *b, int c, off64_t *d, size_t e, unsigned f), (a, b, c, d, e, f))
COUNTED(0, ssize_t, sendfile, (int a, int b, off_t *c, size_t d), (a, b, c, d))

static int is_file(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

/// From this length on the kernel may end a write between two of its pages.
static const size_t page = 4096;

/// Counts a write to a regular file; every other kill in a long one comes after half of it.
#define COUNTED_WRITE(name, parameters, whole, half) \
  ssize_t name parameters { \
    REAL(name); \
    int ends = is_file(descriptor) && count(0); \
    ssize_t result = ends && length > page && plan->kills % 2 == 1 ? real half : real whole; \
    if (ends) end(); \
    return result; \
  }

COUNTED_WRITE(
    write, (int descriptor, const void *bytes, size_t length), (descriptor, bytes, length),
    (descriptor, bytes, length / 2))
COUNTED_WRITE(
    pwrite, (int descriptor, const void *bytes, size_t length, off_t at), (descriptor, bytes, length, at),
    (descriptor, bytes, length / 2, at))
COUNTED_WRITE(
    pwrite64, (int descriptor, const void *bytes, size_t length, off64_t at), (descriptor, bytes, length, at),
    (descriptor, bytes, length / 2, at))

/// Counts an open that may create a file.
#define COUNTED_OPEN(name, parameters, arguments) \
  int name parameters { \
    REAL(name); \
    mode_t mode = 0; \
    if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) { \
      va_list rest; \
      va_start(rest, flags); \
      mode = va_arg(rest, mode_t); \
      va_end(rest); \
    } \
    int ends = (flags & (O_CREAT | O_TRUNC)) && count(0); \
    int result = real arguments; \
    if (ends) end(); \
    return result; \
  }

COUNTED_OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
COUNTED_OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
COUNTED_OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
COUNTED_OPEN(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
