// The world outside: child processes and the network. Neither follows virtual time, so both are reported. Children run
// in real time, without this library.

#include "core.h"
#include "real.h"

#include <arpa/inet.h>
#include <dlfcn.h>
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
    if (entry) copy[kept++] = entry;
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
  vt_is_outside = 1;
  int status = vt_real.system(command);
  vt_is_outside = 0;
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
pid_t waitpid(pid_t child, int *status, int options) {
  if (!vt_is_on() || options & WNOHANG) return (vt_is_on(), vt_real.waitpid(child, status, options));
  for (;;) {
    pid_t ended = vt_real.waitpid(child, status, options | WNOHANG);
    if (ended != 0) return ended;
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
