// The world outside: child processes and the network. Neither follows virtual time, so both are reported. Children run
// in real time, without this library.

#include "core.h"
#include "real.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <limits.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/un.h>

extern char **environ;

int vt_has_children;

static void note_child(const char *how, const char *what) {
  vt_has_children = 1;
  vt_report("child", "%s%s%s: a child process runs in real time, beside virtual time", how, what ? " " : "",
            what ? what : "");
}

// ---- The environment of a child ----

/// Copies LD_PRELOAD without this library. NULL when nothing is left.
static char *other_preloads(const char *value) {
  Dl_info self;
  if (!dladdr((void *)other_preloads, &self) || !self.dli_fname) return NULL;
  const char *name = strrchr(self.dli_fname, '/');
  name = name ? name + 1 : self.dli_fname;
  char *copy = malloc(sizeof "LD_PRELOAD=" + strlen(value)), *all = strdup(value), *rest = all;
  if (!copy || !all) abort();
  strcpy(copy, "LD_PRELOAD=");
  int kept = 0;
  for (char *part; (part = strsep(&rest, ": ")) != NULL;) {
    const char *base = strrchr(part, '/');
    if (!*part || strcmp(base ? base + 1 : part, name) == 0) continue;
    if (kept++) strcat(copy, ":");
    strcat(copy, part);
  }
  free(all);
  if (kept) return copy;
  free(copy);
  return NULL;
}

/// A variable with the real path of a folder: a child may close the descriptor that its fixed path is of.
static char *with_real_path(char *entry) {
  char path[PATH_MAX];
  char *value = strchr(entry, '=');
  const char *real = value ? vt_real_path(value + 1, path, sizeof path) : NULL;
  if (!value || real == value + 1) return entry;
  size_t name = (size_t)(value + 1 - entry);
  char *copy = malloc(name + strlen(real) + 1);
  if (!copy) abort();
  memcpy(copy, entry, name);
  strcpy(copy + name, real);
  return copy;
}

/// A copy of an environment in which this library is not preloaded.
static char **without_this(char *const *environment) {
  size_t count = 0;
  while (environment && environment[count]) count++;
  char **copy = calloc(count + 1, sizeof *copy);
  if (!copy) abort();
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    char *entry = environment[i];
    if (strncmp(entry, "LD_PRELOAD=", 11) == 0) entry = other_preloads(entry + 11);
    if (entry) copy[kept++] = with_real_path(entry);
  }
  return copy;
}

// ---- Children ----

pid_t fork(void) {
  if (!vt_is_on()) return vt_real.fork();
  note_child("fork", NULL);
  char **environment = without_this(environ);
  pid_t child = vt_real.fork();
  if (child == 0) {
    vt_phase = VT_OFF;  // the other threads are not there any more
    environ = environment;
  }
  return child;
}

pid_t vfork(void) { return fork(); }

int posix_spawn(
    pid_t *restrict child, const char *restrict path, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *restrict attributes, char *const *restrict arguments, char *const *restrict environment) {
  if (!vt_is_on()) return vt_real.posix_spawn(child, path, actions, attributes, arguments, environment);
  note_child("posix_spawn", path);
  return vt_real.posix_spawn(child, path, actions, attributes, arguments, without_this(environment));
}

int posix_spawnp(
    pid_t *restrict child, const char *restrict file, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *restrict attributes, char *const *restrict arguments, char *const *restrict environment) {
  if (!vt_is_on()) return vt_real.posix_spawnp(child, file, actions, attributes, arguments, environment);
  note_child("posix_spawn", file);
  return vt_real.posix_spawnp(child, file, actions, attributes, arguments, without_this(environment));
}

int system(const char *command) {
  if (!vt_is_on() || !command) return (vt_is_on(), vt_real.system(command));
  note_child("system", command);
  char **saved = environ;
  environ = without_this(environ);
  vt_awaited = "a child process, which runs in real time";
  int status = vt_real.system(command);
  vt_awaited = NULL;
  environ = saved;
  return status;
}

FILE *popen(const char *command, const char *mode) {
  if (!vt_is_on()) return vt_real.popen(command, mode);
  note_child("popen", command);
  char **saved = environ;
  environ = without_this(environ);
  FILE *file = vt_real.popen(command, mode);
  environ = saved;
  return file;
}

// While a thread waits for a child, virtual time does not advance, and other threads may go on: one may feed the child.
// A child that takes longer than the watchdog's limit ends the process: to the outside it would be silent.
pid_t waitpid(pid_t child, int *status, int options) {
  if (!vt_is_on() || options & WNOHANG) return (vt_is_on(), vt_real.waitpid(child, status, options));
  int64_t begin = vt_real_monotonic();
  for (;;) {
    pid_t ended = vt_real.waitpid(child, status, options | WNOHANG);
    if (ended != 0) return ended;
    int64_t waited = vt_real_monotonic() - begin;
    if (vt_config.stall && waited >= vt_config.stall) vt_end_waiting_for_child(waited);
    struct timespec pause = {0, 1000000};
    vt_is_outside = 1;
    vt_raw(SYS_nanosleep, (long)&pause, 0, 0, 0, 0, 0);
    vt_is_outside = 0;
    vt_fds_changed = 1;
    vt_make_ready(vt_current);
    vt_reschedule();
  }
}

pid_t wait(int *status) { return waitpid(-1, status, 0); }

// ---- Another program in place of this one ----

// A device lets no app do that. Here the new program would have no connection to the run, and the run would wait for it.
static void refuse_exec(const char *path) {
  if (!vt_is_on() || !vt_controller) return;
  vt_report("exec", "the app replaces itself by the program %s, which has no session with the run", path);
  vt_exit(VT_EXIT_STALLED);
}

int execve(const char *path, char *const arguments[], char *const environment[]) {
  refuse_exec(path);
  return vt_real.execve(path, arguments, environment);
}

int execv(const char *path, char *const arguments[]) {
  refuse_exec(path);
  return vt_real.execv(path, arguments);
}

int execvp(const char *file, char *const arguments[]) {
  refuse_exec(file);
  return vt_real.execvp(file, arguments);
}

int execvpe(const char *file, char *const arguments[], char *const environment[]) {
  refuse_exec(file);
  return vt_real.execvpe(file, arguments, environment);
}

int fexecve(int fd, char *const arguments[], char *const environment[]) {
  refuse_exec("of an open descriptor");
  return vt_real.fexecve(fd, arguments, environment);
}

// The arguments of execl and its relatives, up to NULL, as an array on the stack.
#define VT_COLLECT(list, first)                                   \
  va_list rest;                                                   \
  va_start(rest, first);                                          \
  size_t count = 1;                                               \
  while (va_arg(rest, char *)) count++;                           \
  va_end(rest);                                                   \
  char *list[count + 1];                                          \
  va_start(rest, first);                                          \
  list[0] = (char *)first;                                        \
  for (size_t i = 1; i <= count; i++) list[i] = va_arg(rest, char *)

int execl(const char *path, const char *first, ...) {
  VT_COLLECT(list, first);
  va_end(rest);
  return execv(path, list);
}

int execlp(const char *file, const char *first, ...) {
  VT_COLLECT(list, first);
  va_end(rest);
  return execvp(file, list);
}

int execle(const char *path, const char *first, ...) {
  VT_COLLECT(list, first);
  char *const *environment = va_arg(rest, char *const *);
  va_end(rest);
  return execve(path, list, environment);
}

// ---- The network ----

static void note_address(const char *how, const struct sockaddr *address) {
  enum { FIRST_EPHEMERAL = 32768 };  // Linux draws ports from here on: they would differ from run to run
  char text[INET6_ADDRSTRLEN] = "?", port_text[24] = "any port";
  int port;
  if (address->sa_family == AF_INET) {
    const struct sockaddr_in *in = (const struct sockaddr_in *)(const void *)address;
    inet_ntop(AF_INET, &in->sin_addr, text, sizeof text);
    port = ntohs(in->sin_port);
  } else if (address->sa_family == AF_INET6) {
    const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)(const void *)address;
    inet_ntop(AF_INET6, &in->sin6_addr, text, sizeof text);
    port = ntohs(in->sin6_port);
  } else {
    return;
  }
  if (port > 0 && port < FIRST_EPHEMERAL) snprintf(port_text, sizeof port_text, "port %d", port);
  vt_report("network", "%s %s %s: what comes over a network socket is not repeatable", how, text, port_text);
}

int socket(int domain, int type, int protocol) {
  if (vt_is_on() && (domain == AF_INET || domain == AF_INET6))
    vt_report("network", "a network socket is opened: what comes over it is not repeatable");
  return vt_real.socket(domain, type, protocol);
}

int connect(int fd, const struct sockaddr *address, socklen_t length) {
  if (!vt_is_on()) return vt_real.connect(fd, address, length);
  note_address("connect to", address);
  vt_fds_changed = vt_is_outside = 1;
  int status = vt_real.connect(fd, address, length);
  vt_is_outside = 0;
  return status;
}

int bind(int fd, const struct sockaddr *address, socklen_t length) {
  if (vt_is_on()) note_address("bind to", address);
  return vt_real.bind(fd, address, length);
}

int getaddrinfo(
    const char *restrict name, const char *restrict service, const struct addrinfo *restrict hints,
    struct addrinfo **restrict result) {
  if (!vt_is_on()) return vt_real.getaddrinfo(name, service, hints, result);
  vt_report("network", "the address of %s is looked up in real time", name ? name : "this machine");
  vt_is_outside = 1;
  int status = vt_real.getaddrinfo(name, service, hints, result);
  vt_is_outside = 0;
  return status;
}
