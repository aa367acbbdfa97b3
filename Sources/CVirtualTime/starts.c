// Starting a program many times, as a sweep does: loading and linking its libraries takes most of a start. A process with
// WRISTWIRE_VT_CONTROLLED=2 stops before the library is set up, and so before any code of the program sees a clock or a
// random number. It then forks a copy for each request that comes over descriptor 3, and runs nothing itself. A copy is a
// child of the requester, not of this process, and continues as if it had been executed with the request's environment.
//
// A request is one packet: the environment, each variable ended by a zero byte, and the descriptor of its output. The
// answer is the copy's process id, or a negative errno.

#include "core.h"
#include "real.h"

#include <string.h>
#include <sys/prctl.h>

extern char **environ;

enum { REQUESTS = 3, TEXT_BYTES = 1 << 16 };

// Not on the heap and not mapped, so that all addresses are as in a program that is executed.
static char texts[TEXT_BYTES];

static ssize_t receive(int *output) {
  union {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  struct iovec part = {texts, sizeof texts};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  long count;
  do count = vt_raw(SYS_recvmsg, REQUESTS, (long)&message, 0, 0, 0, 0);
  while (count == -EINTR);
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  int has_output = head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS;
  *output = has_output ? *(int *)CMSG_DATA(head) : -1;
  return count > 0 && !(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) && texts[count - 1] == 0 ? count : -1;
}

/// The number of variables in a request.
static size_t count_variables(size_t size) {
  size_t count = 0;
  for (size_t i = 0; i < size; i++) count += texts[i] == 0;
  return count;
}

static size_t own_variables(void) {
  size_t count = 0;
  while (environ[count]) count++;
  return count;
}

/// The address of the main thread's id in libc's own data: the kernel keeps it to clear it. NULL where it does not tell.
static int *thread_id_place(void) {
  int *place = NULL;
  if (vt_raw(SYS_prctl, PR_GET_TID_ADDRESS, (long)&place, 0, 0, 0, 0) < 0) return NULL;
  return place && *place == (int)vt_raw(SYS_gettid, 0, 0, 0, 0, 0, 0) ? place : NULL;
}

static long fork_copy(int *thread_id) {
  const long flags = CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD;
#if defined(__x86_64__)
  return vt_raw(SYS_clone, flags, 0, 0, (long)thread_id, 0, 0);
#else
  return vt_raw(SYS_clone, flags, 0, 0, 0, (long)thread_id, 0);
#endif
}

static void begin_copy(size_t size, int output, void *robust_list, size_t robust_size) {
  vt_raw(SYS_setpgid, 0, 0, 0, 0, 0, 0);
  // The requester may have moved to another processor since it started this process.
  unsigned long processors[128];
  long bytes = vt_raw(SYS_sched_getaffinity, getppid(), sizeof processors, (long)processors, 0, 0, 0);
  if (bytes > 0) vt_raw(SYS_sched_setaffinity, 0, bytes, (long)processors, 0, 0, 0);
  // The kernel forgets it in a copy.
  if (robust_list) vt_raw(SYS_set_robust_list, (long)robust_list, (long)robust_size, 0, 0, 0, 0);
  vt_raw(SYS_dup3, output, 1, 0, 0, 0, 0);
  vt_raw(SYS_dup3, output, 2, 0, 0, 0, 0);
  vt_raw(SYS_close, output, 0, 0, 0, 0, 0);
  vt_raw(SYS_close, REQUESTS, 0, 0, 0, 0, 0);
  // In place: constructors get this very array.
  size_t slot = 0;
  for (size_t i = 0; i < size; i += strlen(texts + i) + 1) environ[slot++] = texts + i;
  environ[slot] = NULL;
}

void vt_serve_starts(void) {
  const char *mode = getenv("WRISTWIRE_VT_CONTROLLED");
  if (!mode || strcmp(mode, "2") != 0) return;
  vt_raw(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0);
  int *thread_id = thread_id_place();
  void *robust_list = NULL;
  size_t robust_size = 0, slots = own_variables();
  vt_raw(SYS_get_robust_list, 0, (long)&robust_list, (long)&robust_size, 0, 0, 0);
  for (;;) {
    int output;
    ssize_t size = receive(&output);
    if (size < 0) break;
    int32_t answer = -EINVAL;
    if (thread_id && output >= 0 && count_variables((size_t)size) <= slots) {
      long process = fork_copy(thread_id);
      if (process == 0) {
        begin_copy((size_t)size, output, robust_list, robust_size);
        return;
      }
      answer = (int32_t)process;
    }
    if (output >= 0) vt_raw(SYS_close, output, 0, 0, 0, 0, 0);
    if (vt_raw(SYS_sendto, REQUESTS, (long)&answer, sizeof answer, MSG_NOSIGNAL, 0, 0) < 0) break;
  }
  for (;;) vt_raw(SYS_exit_group, 0, 0, 0, 0, 0, 0);
}
