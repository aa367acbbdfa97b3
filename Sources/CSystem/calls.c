// System calls that Swift's Glibc module lacks, or that need C's macros.

#define _GNU_SOURCE

#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

_Static_assert(sizeof(cs_poll_entry) == sizeof(struct pollfd), "laid out as struct pollfd");
_Static_assert(offsetof(cs_poll_entry, wanted) == offsetof(struct pollfd, events), "laid out as struct pollfd");
_Static_assert(offsetof(cs_poll_entry, ready) == offsetof(struct pollfd, revents), "laid out as struct pollfd");
_Static_assert(
    CS_POLL_READ == POLLIN && CS_POLL_WRITE == POLLOUT && CS_POLL_ERROR == POLLERR && CS_POLL_HANG_UP == POLLHUP &&
        CS_POLL_INVALID == POLLNVAL,
    "the system's values");

// The result of a call, with -1 turned into the negative errno.
static int checked(int result) { return result < 0 ? -errno : result; }

int cs_peer_credentials(int socket, uint32_t *user, int32_t *process) {
  struct ucred credentials;
  socklen_t length = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) return -errno;
  // On a socket that is not connected or not of the Unix domain, the call succeeds without a process.
  if (length != sizeof credentials || credentials.pid == 0) return -ENOTCONN;
  *user = credentials.uid;
  *process = credentials.pid;
  return 0;
}

int cs_accept(int socket, int is_nonblocking) {
  return checked(accept4(socket, NULL, NULL, SOCK_CLOEXEC | (is_nonblocking ? SOCK_NONBLOCK : 0)));
}

int cs_pipe(int *descriptors, int is_nonblocking) {
  return checked(pipe2(descriptors, O_CLOEXEC | (is_nonblocking ? O_NONBLOCK : 0)));
}

int cs_send_descriptor(int socket, const void *bytes, size_t count, int descriptor) {
  union {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct iovec part = {(void *)bytes, count};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
  ssize_t sent;
  do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : 0;
}

int cs_cpu_count(void) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) < 0) return -errno;
  return CPU_COUNT(&allowed);
}

int cs_cpu_allowed(int index) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) < 0) return -errno;
  for (int cpu = 0; index >= 0 && cpu < CPU_SETSIZE; cpu++) {
    if (CPU_ISSET(cpu, &allowed) && index-- == 0) return cpu;
  }
  return -EINVAL;
}

int cs_cpu_pin(int cpu) {
  if (cpu < 0 || cpu >= CPU_SETSIZE) return -EINVAL;
  cpu_set_t wanted;
  CPU_ZERO(&wanted);
  CPU_SET(cpu, &wanted);
  return checked(sched_setaffinity(0, sizeof wanted, &wanted));
}

int cs_cpu_allow(const int *cpus, size_t count) {
  cpu_set_t wanted;
  CPU_ZERO(&wanted);
  for (size_t index = 0; index < count; index++) {
    if (cpus[index] < 0 || cpus[index] >= CPU_SETSIZE) return -EINVAL;
    CPU_SET(cpus[index], &wanted);
  }
  return checked(sched_setaffinity(0, sizeof wanted, &wanted));
}

int cs_cpu_current(void) {
  const int cpu = sched_getcpu();
  return cpu < 0 ? -errno : cpu;
}

int cs_die_with_parent(int signal, int32_t parent) {
  if (prctl(PR_SET_PDEATHSIG, (unsigned long)signal, 0UL, 0UL, 0UL) < 0) return -errno;
  return parent != 0 && getppid() != parent ? -ESRCH : 0;
}

int cs_stop_signal(int32_t child) {
  siginfo_t info = {0};
  // Not taken: the next call reports it again.
  if (waitid(P_PID, (id_t)child, &info, WSTOPPED | WNOHANG | WNOWAIT) < 0) return 0;
  return info.si_signo == SIGCHLD && info.si_code == CLD_STOPPED ? info.si_status : 0;
}

int cs_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL) < 0 ? -errno : 0; }

void cs_keep_freed_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 16 << 20);
#endif
}

int cs_random(void *bytes, size_t count) {
  uint8_t *next = bytes;
  while (count > 0) {
    const ssize_t filled = getrandom(next, count, 0);
    if (filled < 0 && errno == EINTR) continue;
    if (filled < 0) return -errno;
    next += filled;
    count -= (size_t)filled;
  }
  return 0;
}

const char *cs_next_name(DIR *directory) {
  const struct dirent *entry = readdir(directory);
  return entry ? entry->d_name : NULL;
}

int cs_is_ignored(int signal) {
  struct sigaction current;
  return sigaction(signal, NULL, &current) == 0 && current.sa_handler == SIG_IGN;
}

int cs_poll(cs_poll_entry *entries, size_t count, int64_t nanoseconds) {
  const struct timespec time = {
      .tv_sec = (time_t)(nanoseconds / 1000000000),
      .tv_nsec = (long)(nanoseconds % 1000000000),
  };
  return checked(ppoll((struct pollfd *)entries, (nfds_t)count, nanoseconds < 0 ? NULL : &time, NULL));
}

int cs_fix_layout(void) {
  int before = personality(0xffffffff);
  return before >= 0 && personality((unsigned long)before | ADDR_NO_RANDOMIZE) >= 0 ? before : -1;
}

void cs_set_personality(int before) {
  if (before >= 0) personality((unsigned long)before);
}
