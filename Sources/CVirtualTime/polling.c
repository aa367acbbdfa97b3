// Waiting for several descriptors: poll, select, epoll.

#include "core.h"
#include "real.h"

static int are_kept_outside(const struct pollfd *fds, nfds_t count) {
  for (nfds_t i = 0; i < count; i++)
    if (!vt_keeps_outside(fds[i].fd)) return 0;
  return count > 0;
}

static int poll_until(struct pollfd *fds, nfds_t count, int64_t deadline) {
  for (;;) {
    vt_note_poll();
    int result = vt_real.poll(fds, count, 0);
    if (result != 0) return result;
    if (deadline <= vt_now) {
      vt_look();
      return 0;
    }
    if (vt_block_fds(fds, count, deadline)) return vt_real.poll(fds, count, 0);
  }
}

int poll(struct pollfd *fds, nfds_t count, int milliseconds) {
  if (!vt_is_on()) return vt_real.poll(fds, count, milliseconds);
  if (are_kept_outside(fds, count)) {
    vt_is_outside = 1;
    int result = vt_real.poll(fds, count, milliseconds);
    vt_is_outside = 0;
    return result;
  }
  return poll_until(fds, count, vt_after_milliseconds(milliseconds));
}

int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
  if (!vt_is_on()) return vt_real.ppoll(fds, count, timeout, mask);
  if (are_kept_outside(fds, count)) {
    vt_is_outside = 1;
    int result = vt_real.ppoll(fds, count, timeout, mask);
    vt_is_outside = 0;
    return result;
  }
  return poll_until(fds, count, timeout ? vt_after(vt_nanoseconds(timeout)) : VT_NEVER);
}

int __poll_chk(struct pollfd *fds, nfds_t count, int milliseconds, size_t size) {
  if (size / sizeof *fds < count) abort();
  return poll(fds, count, milliseconds);
}

int __ppoll_chk(
    struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask, size_t size) {
  if (size / sizeof *fds < count) abort();
  return ppoll(fds, count, timeout, mask);
}

// ---- select ----

static int select_until(int count, fd_set *reads, fd_set *writes, fd_set *others, int64_t deadline) {
  struct pollfd fds[FD_SETSIZE];
  nfds_t used = 0;
  for (int fd = 0; fd < count && fd < FD_SETSIZE; fd++) {
    short events = 0;
    if (reads && FD_ISSET(fd, reads)) events |= POLLIN;
    if (writes && FD_ISSET(fd, writes)) events |= POLLOUT;
    if (others && FD_ISSET(fd, others)) events |= POLLPRI;
    if (events) fds[used++] = (struct pollfd){fd, events, 0};
  }
  poll_until(fds, used, deadline);
  struct timeval none = {0, 0};
  return vt_real.select(count, reads, writes, others, &none);
}

int select(
    int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict others,
    struct timeval *restrict timeout) {
  if (!vt_is_on()) return vt_real.select(count, reads, writes, others, timeout);
  int64_t deadline = VT_NEVER;
  if (timeout) {
    struct timespec duration = {timeout->tv_sec, timeout->tv_usec * 1000};
    deadline = vt_after(vt_nanoseconds(&duration));
  }
  int result = select_until(count, reads, writes, others, deadline);
  if (timeout) {  // Linux leaves what is left of it there
    int64_t left = deadline > vt_now ? deadline - vt_now : 0;
    *timeout = (struct timeval){left / VT_SECOND, left % VT_SECOND / 1000};
  }
  return result;
}

int pselect(
    int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict others,
    const struct timespec *restrict timeout, const sigset_t *restrict mask) {
  if (!vt_is_on()) return vt_real.pselect(count, reads, writes, others, timeout, mask);
  return select_until(count, reads, writes, others, timeout ? vt_after(vt_nanoseconds(timeout)) : VT_NEVER);
}

// ---- epoll ----

// A set of descriptors is itself a descriptor that is ready when one of its members is.
static int epoll_until(int set, struct epoll_event *events, int count, int milliseconds) {
  int64_t deadline = vt_after_milliseconds(milliseconds);
  for (;;) {
    vt_note_poll();
    int result = vt_real.epoll_wait(set, events, count, 0);
    if (result != 0) return result;
    if (deadline <= vt_now) {
      vt_look();
      return 0;
    }
    struct pollfd one = {set, POLLIN, 0};
    if (vt_block_fds(&one, 1, deadline)) return vt_real.epoll_wait(set, events, count, 0);
  }
}

int epoll_wait(int set, struct epoll_event *events, int count, int milliseconds) {
  if (!vt_is_on()) return vt_real.epoll_wait(set, events, count, milliseconds);
  int result = epoll_until(set, events, count, milliseconds);
  if (result > 0 && vt_is_dispatch(__builtin_return_address(0))) vt_translate_hangups(events, result);
  return result;
}

int epoll_pwait(int set, struct epoll_event *events, int count, int milliseconds, const sigset_t *mask) {
  if (!vt_is_on()) return vt_real.epoll_pwait(set, events, count, milliseconds, mask);
  return epoll_until(set, events, count, milliseconds);
}
