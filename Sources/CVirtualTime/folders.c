// The folders that an app sees have the same path in every run: open descriptors of fixed numbers, `/proc/self/fd/200`.
//
// Real paths differ in length with TMPDIR, the user and the package's folder. A longer text moves all that the heap gives
// out afterwards, and with it the order of hash tables keyed by objects. To the program these paths are folders and no
// links, so that nothing that resolves links finds the real ones.

#include "core.h"
#include "real.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

extern char **environ;

enum { FIRST = 200, COUNT = 3, PROGRAM = COUNT - 1 };

typedef struct {
  char alias[24];
  size_t alias_length;
  char real[PATH_MAX];
  size_t real_length;  // 0: not open
} vt_folder;

static vt_folder folders[COUNT];
static char program[PATH_MAX];

// By bare system calls: nothing is allocated, and nothing counts as the program's.
static int open_folder(int index, const char *path) {
  vt_folder *folder = &folders[index];
  long fd = vt_raw(SYS_openat, AT_FDCWD, (long)path, O_PATH | O_DIRECTORY | O_CLOEXEC, 0, 0, 0);
  // The program's own children find their folders, too.
  long moved = fd < 0 ? fd : vt_raw(SYS_dup3, fd, FIRST + index, 0, 0, 0, 0);
  if (fd >= 0) vt_raw(SYS_close, fd, 0, 0, 0, 0, 0);
  if (moved < 0) return 0;
  folder->alias_length = (size_t)snprintf(folder->alias, sizeof folder->alias, "/proc/self/fd/%d", FIRST + index);
  long length = vt_raw(SYS_readlinkat, AT_FDCWD, (long)folder->alias, (long)folder->real, sizeof folder->real - 1, 0, 0);
  folder->real_length = length > 0 ? (size_t)length : 0;
  return length > 0;
}

static void open_program(void) {
  char path[PATH_MAX];
  long length = vt_raw(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe", (long)path, sizeof path - 1, 0, 0);
  if (length <= 0) return;
  path[length] = 0;
  char *name = strrchr(path, '/');
  if (!name || name == path) return;
  *name++ = 0;
  if (open_folder(PROGRAM, path)) snprintf(program, sizeof program, "%s/%s", folders[PROGRAM].alias, name);
}

/// Hides this library from the program, but not others that are preloaded.
static void hide_preload(void) {
  for (char **entry = environ; *entry; entry++) {
    if (strncmp(*entry, "LD_PRELOAD=", 11) != 0) continue;
    char *others = strchr(*entry, ':');
    if (!others) {
      unsetenv("LD_PRELOAD");
    } else {
      memmove(*entry + 11, others + 1, strlen(others + 1) + 1);
    }
    return;
  }
}

void vt_open_folders(void) {
  const char *names[] = {"WRISTWIRE_VT_STATE", "WRISTWIRE_VT_RUN"};
  int wanted = 0;
  for (int i = 0; i < PROGRAM; i++) {
    const char *path = getenv(names[i]);
    if (!path) continue;
    wanted = 1;
    if (!open_folder(i, path)) {
      fprintf(stderr, "virtual time: %s: cannot be opened: %s\n", path, strerror(errno));
      vt_real._exit(2);
    }
    unsetenv(names[i]);
  }
  if (!wanted) return;
  // Where the runner works is not the app's business.
  const char *home = getenv("HOME");
  if (home) vt_raw(SYS_chdir, (long)home, 0, 0, 0, 0, 0);
  open_program();
  hide_preload();
  unsetenv("WRISTWIRE_FILL");
}

/// The folder whose path a path begins with, if any.
static const vt_folder *folder_of(const char *path, int by_alias) {
  for (int i = 0; i < COUNT; i++) {
    const vt_folder *folder = &folders[i];
    size_t length = by_alias ? folder->alias_length : folder->real_length;
    if (!folder->real_length || strncmp(path, by_alias ? folder->alias : folder->real, length) != 0) continue;
    if (path[length] == 0 || path[length] == '/') return folder;
  }
  return NULL;
}

static int replaced(char *to, size_t size, const char *path, const char *by, size_t length) {
  return snprintf(to, size, "%s%s", by, path + length) < (int)size;
}

const char *vt_real_path(const char *path, char *to, size_t size) {
  const vt_folder *folder = folder_of(path, 1);
  return folder && replaced(to, size, path, folder->real, folder->alias_length) ? to : path;
}

// ---- No links ----

/// Whether a path is a link only to the system.
static int is_alias(const char *path) {
  if (!path || !folders[0].real_length || strncmp(path, "/proc/self", 10) != 0) return 0;
  if (path[10] == 0) return 1;
  const vt_folder *folder = folder_of(path, 1);
  return folder && path[folder->alias_length] == 0;
}

int lstat(const char *restrict path, struct stat *restrict status) {
  return is_alias(path) ? stat(path, status) : fstatat(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}

int lstat64(const char *restrict path, struct stat64 *restrict status) {
  return is_alias(path) ? stat64(path, status) : fstatat64(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}

ssize_t readlink(const char *restrict path, char *restrict to, size_t size) {
  if (is_alias(path)) return vt_fail(EINVAL);
  if (program[0] && strcmp(path, "/proc/self/exe") == 0) {
    size_t length = strlen(program);
    if (length > size) length = size;
    memcpy(to, program, length);
    return (ssize_t)length;
  }
  long length = vt_raw(SYS_readlinkat, AT_FDCWD, (long)path, (long)to, (long)size, 0, 0);
  return length < 0 ? vt_fail((int)-length) : length;
}

char *realpath(const char *restrict path, char *restrict resolved) {
  char real[PATH_MAX], alias[PATH_MAX];
  if (!path || !folders[0].real_length) return vt_real.realpath(path, resolved);
  if (!vt_real.realpath(strcmp(path, "/proc/self/exe") == 0 && program[0] ? program : path, real)) return NULL;
  const vt_folder *folder = folder_of(real, 0);
  const char *found = folder && replaced(alias, sizeof alias, real, folder->alias, folder->real_length) ? alias : real;
  if (!resolved) return strdup(found);
  return strcpy(resolved, found);
}

char *canonicalize_file_name(const char *path) { return realpath(path, NULL); }

char *getcwd(char *to, size_t size) {
  char real[PATH_MAX], alias[PATH_MAX];
  long length = vt_raw(SYS_getcwd, (long)real, sizeof real, 0, 0, 0, 0);
  if (length < 0) return vt_fail((int)-length), NULL;
  const vt_folder *folder = folder_of(real, 0);
  const char *found = folder && replaced(alias, sizeof alias, real, folder->alias, folder->real_length) ? alias : real;
  if (!to && size == 0) return strdup(found);
  if (strlen(found) >= size) return vt_fail(size ? ERANGE : EINVAL), NULL;
  if (!to) to = malloc(size);
  return to ? strcpy(to, found) : NULL;
}

char *get_current_dir_name(void) { return getcwd(NULL, 0); }
