// Descriptors: reading, writing, opening, closing. A call that would wait gives the turn away until the descriptor is
// ready. What is ready is asked of the kernel, after each call that may have changed it.
//
// Three kinds: the controller's own ("kept outside"; a wait stops the process), those that only this process can make ready
// ("inside": pipes, socket pairs, event descriptors), and all others. Of those inside, event descriptors change by no call but
// those here, as nothing in libc writes them by itself; so a wait for them alone is not polled again before such a call.

#include "core.h"
#include "real.h"

#include <limits.h>
#include <string.h>
#include <sys/mman.h>

enum { KEPT_OUTSIDE = 1, INSIDE = 2, HAS_OUTSIDE_MEMBERS = 4, EVENTS = 8, SET_OF_EVENTS = 16 };
enum { LOCK_RETRY = 1000000 };  // nanoseconds between two attempts at a file lock

static unsigned char kinds[VT_MAX_DESCRIPTORS];

static int has_kind(int fd, int kind) { return fd >= 0 && fd < VT_MAX_DESCRIPTORS && kinds[fd] & kind; }
static void add_kind(int fd, int kind) {
  if (fd >= 0 && fd < VT_MAX_DESCRIPTORS) kinds[fd] |= (unsigned char)kind;
}
static void remove_kind(int fd, int kind) {
  if (fd >= 0 && fd < VT_MAX_DESCRIPTORS) kinds[fd] &= (unsigned char)~kind;
}
static void set_kind(int fd, int kind) {
  if (fd >= 0 && fd < VT_MAX_DESCRIPTORS) kinds[fd] = (unsigned char)kind;
}

int vt_keeps_outside(int fd) { return has_kind(fd, KEPT_OUTSIDE); }
void vt_keep_outside(int fd) { add_kind(fd, KEPT_OUTSIDE); }
int vt_is_inside(int fd) { return has_kind(fd, INSIDE) && !has_kind(fd, HAS_OUTSIDE_MEMBERS); }
void vt_set_events(int fd) { set_kind(fd, INSIDE | EVENTS); }

int vt_are_events(const struct pollfd *fds, nfds_t count) {
  for (nfds_t i = 0; i < count; i++)
    if (!has_kind(fds[i].fd, EVENTS | SET_OF_EVENTS)) return 0;
  return 1;
}

uint64_t vt_event_changes;

static void note_change(int fd) {
  vt_fds_changed = 1;
  if (has_kind(fd, EVENTS)) vt_event_changes++;
}

static void copy_kind(int from, int to) {
  if (from < 0 || from >= VT_MAX_DESCRIPTORS) return;
  remove_kind(from, SET_OF_EVENTS);  // members added under the other name go unnoticed here
  set_kind(to, kinds[from]);
}

/// Makes a call that may wait for the world outside. The watchdog does not count that time.
#define VT_OUTSIDE(call)                  \
  ({                                      \
    vt_is_outside = 1;                    \
    __typeof__(call) outcome = (call);    \
    vt_is_outside = 0;                    \
    outcome;                              \
  })

/// Waits until a call on a descriptor would not wait. One that is set to never wait is left alone.
static void await(int fd, short events, int flags) {
  for (;;) {
    struct pollfd one = {fd, events, 0};
    vt_note_poll();
    if (vt_real.poll(&one, 1, 0) != 0) return;
    if (flags & MSG_DONTWAIT || vt_real.fcntl(fd, F_GETFL) & O_NONBLOCK) {
      vt_look();
      return;
    }
    vt_block_fds(&one, 1, VT_NEVER);
  }
}

// ---- Reading ----

#define VT_READS(fd, flags, call)                    \
  if (!vt_is_on()) return call;                      \
  if (vt_keeps_outside(fd)) return VT_OUTSIDE(call); \
  await(fd, POLLIN, flags);                          \
  note_change(fd); /* a full pipe has room now */    \
  return call

ssize_t read(int fd, void *bytes, size_t count) { VT_READS(fd, 0, vt_real.read(fd, bytes, count)); }
ssize_t readv(int fd, const struct iovec *parts, int count) { VT_READS(fd, 0, vt_real.readv(fd, parts, count)); }
ssize_t recv(int fd, void *bytes, size_t count, int flags) {
  VT_READS(fd, flags, vt_real.recv(fd, bytes, count, flags));
}
ssize_t recvfrom(
    int fd, void *restrict bytes, size_t count, int flags, struct sockaddr *restrict address,
    socklen_t *restrict length) {
  VT_READS(fd, flags, vt_real.recvfrom(fd, bytes, count, flags, address, length));
}
ssize_t recvmsg(int fd, struct msghdr *message, int flags) { VT_READS(fd, flags, vt_real.recvmsg(fd, message, flags)); }
int accept(int fd, struct sockaddr *restrict address, socklen_t *restrict length) {
  VT_READS(fd, 0, vt_real.accept(fd, address, length));
}
int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict length, int flags) {
  VT_READS(fd, 0, vt_real.accept4(fd, address, length, flags));
}
int eventfd_read(int fd, eventfd_t *value) { return read(fd, value, sizeof *value) == sizeof *value ? 0 : -1; }

// What programs call that are compiled with _FORTIFY_SOURCE.
ssize_t __read_chk(int fd, void *bytes, size_t count, size_t size) {
  if (count > size) abort();
  return read(fd, bytes, count);
}
ssize_t __recv_chk(int fd, void *bytes, size_t count, size_t size, int flags) {
  if (count > size) abort();
  return recv(fd, bytes, count, flags);
}
ssize_t __recvfrom_chk(
    int fd, void *bytes, size_t count, size_t size, int flags, struct sockaddr *address, socklen_t *length) {
  if (count > size) abort();
  return recvfrom(fd, bytes, count, flags, address, length);
}

// ---- Writing ----

// A write is how run loops and queues wake each other: the reader may continue before the writer.
static ssize_t end_write(ssize_t result) {
  if (result > 0) vt_point();
  return result;
}

/// Writes more than a pipe is sure to have room for: piece by piece, so that the reader, another thread, gets its turns.
static ssize_t write_in_pieces(int fd, const char *bytes, size_t count) {
  int flags = vt_real.fcntl(fd, F_GETFL);
  if (flags & O_NONBLOCK) return vt_real.write(fd, bytes, count);
  size_t written = 0;
  while (written < count) {
    await(fd, POLLOUT, 0);
    vt_real.fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    ssize_t piece = vt_real.write(fd, bytes + written, count - written);
    int error = errno;
    vt_real.fcntl(fd, F_SETFL, flags);
    note_change(fd);
    if (piece > 0) written += (size_t)piece;
    else if (error != EAGAIN) return written ? (ssize_t)written : vt_fail(error);
  }
  return end_write((ssize_t)written);
}

// The world outside takes what is written in no time of ours: a slow reader of standard output must not change the run.
#define VT_WRITES(fd, flags, call)                  \
  if (!vt_is_on()) return call;                     \
  vt_fds_changed = 1;                               \
  if (!vt_is_inside(fd)) return VT_OUTSIDE(call);   \
  await(fd, POLLOUT, flags);                        \
  note_change(fd);                                  \
  return end_write(call)

ssize_t write(int fd, const void *bytes, size_t count) {
  if (vt_is_on() && count > PIPE_BUF && vt_is_inside(fd)) return write_in_pieces(fd, bytes, count);
  VT_WRITES(fd, 0, vt_real.write(fd, bytes, count));
}
ssize_t writev(int fd, const struct iovec *parts, int count) { VT_WRITES(fd, 0, vt_real.writev(fd, parts, count)); }
ssize_t send(int fd, const void *bytes, size_t count, int flags) {
  if (vt_is_on() && count > PIPE_BUF && !(flags & ~MSG_NOSIGNAL) && vt_is_inside(fd))
    return write_in_pieces(fd, bytes, count);
  VT_WRITES(fd, flags, vt_real.send(fd, bytes, count, flags));
}
ssize_t sendto(
    int fd, const void *bytes, size_t count, int flags, const struct sockaddr *address, socklen_t length) {
  VT_WRITES(fd, flags, vt_real.sendto(fd, bytes, count, flags, address, length));
}
ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  VT_WRITES(fd, flags, vt_real.sendmsg(fd, message, flags));
}
int eventfd_write(int fd, eventfd_t value) {
  return write(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}

// ---- Making and closing ----

static int inside(int fd, int kind) {
  set_kind(fd, INSIDE | kind);
  return fd;
}

static int inside_pair(int status, const int *fds) {
  for (int i = 0; status == 0 && i < 2; i++) set_kind(fds[i], INSIDE);
  return status;
}

int eventfd(unsigned count, int flags) { return inside((vt_is_on(), vt_real.eventfd(count, flags)), EVENTS); }
int epoll_create(int size) { return inside((vt_is_on(), vt_real.epoll_create(size)), SET_OF_EVENTS); }
int epoll_create1(int flags) { return inside((vt_is_on(), vt_real.epoll_create1(flags)), SET_OF_EVENTS); }
int pipe(int fds[2]) { return inside_pair((vt_is_on(), vt_real.pipe(fds)), fds); }
int pipe2(int fds[2], int flags) { return inside_pair((vt_is_on(), vt_real.pipe2(fds, flags)), fds); }
int socketpair(int domain, int type, int protocol, int fds[2]) {
  return inside_pair((vt_is_on(), vt_real.socketpair(domain, type, protocol, fds)), fds);
}

// A set of descriptors is inside as long as all its members are. A set within a set may yet get any members.
int epoll_ctl(int set, int operation, int fd, struct epoll_event *event) {
  if (!vt_is_on()) return vt_real.epoll_ctl(set, operation, fd, event);
  vt_fds_changed = 1;
  vt_event_changes++;
  if (operation == EPOLL_CTL_ADD && !vt_is_inside(fd)) add_kind(set, HAS_OUTSIDE_MEMBERS);
  if (operation == EPOLL_CTL_ADD && !has_kind(fd, EVENTS)) remove_kind(set, SET_OF_EVENTS);
  if (vt_is_dispatch(__builtin_return_address(0)) && !vt_watch_for_dispatch(operation, fd, event)) return 0;
  return vt_real.epoll_ctl(set, operation, fd, event);
}

static void forget(int fd) {
  vt_fds_changed = 1;
  vt_event_changes++;
  set_kind(fd, 0);
  vt_forget_timer(fd);
  vt_forget_watch(fd);
}

int close(int fd) {
  if (vt_is_on()) forget(fd);
  return vt_real.close(fd);
}

int shutdown(int fd, int how) {
  if (vt_is_on()) vt_fds_changed = 1;
  return vt_real.shutdown(fd, how);
}

int dup(int fd) {
  int copy = (vt_is_on(), vt_real.dup(fd));
  copy_kind(fd, copy);
  return copy;
}

int dup3(int fd, int copy, int flags) {
  if (!vt_is_on()) return vt_real.dup3(fd, copy, flags);
  int result = vt_real.dup3(fd, copy, flags);
  if (result < 0) return result;
  forget(copy);
  copy_kind(fd, copy);
  return result;
}

int dup2(int fd, int copy) {
  if (!vt_is_on() || fd == copy) return (vt_is_on(), vt_real.dup2(fd, copy));
  return dup3(fd, copy, 0);
}

// ---- Locks on files ----

// In the kernel a thread would block the one that holds the lock; so each attempt that fails sleeps a little instead.
static int lock_file(int fd, int command, void *lock, int operation) {
  for (;;) {
    int status = lock ? vt_real.fcntl(fd, command, lock) : vt_real.flock(fd, operation);
    if (status == 0 || (errno != EAGAIN && errno != EACCES)) return status;
    vt_block(FOR_TIME, NULL, vt_after(LOCK_RETRY));
  }
}

int flock(int fd, int operation) {
  if (!vt_is_on() || operation & LOCK_NB || operation & LOCK_UN) return (vt_is_on(), vt_real.flock(fd, operation));
  return lock_file(fd, 0, NULL, operation | LOCK_NB);
}

static int control(int fd, int command, long argument) {
  if (!vt_is_on()) return vt_real.fcntl(fd, command, argument);
  if (command == F_SETLKW) return lock_file(fd, F_SETLK, (void *)argument, 0);
  if (command == F_OFD_SETLKW) return lock_file(fd, F_OFD_SETLK, (void *)argument, 0);
  int result = vt_real.fcntl(fd, command, argument);
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) copy_kind(fd, result);
  return result;
}

#define VT_CONTROL                          \
  va_list arguments;                        \
  va_start(arguments, command);             \
  long argument = va_arg(arguments, long);  \
  va_end(arguments);                        \
  return control(fd, command, argument)
int fcntl(int fd, int command, ...) { VT_CONTROL; }
int fcntl64(int fd, int command, ...) { VT_CONTROL; }
