// libdispatch on Linux does two things that would keep a process from ever being without a deadline.
//
// It checks once a second, without end, whether all its workers are blocked, and adds a worker then. Here that timer is
// never armed, and the pool is as wide from the start as the devices' (64 by default). And a worker without work waits
// 5 s, then ends, and another is created soon after: nothing can tell, but each costs a grant. Here it waits on.
//
// Both calls go through the dynamic linker. In a program with a static libdispatch they do not: it works as well, with
// a deadline a second.

#include "core.h"
#include "real.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

static uintptr_t code_start, code_end;

static int find_code(struct dl_phdr_info *module, size_t size, void *context) {
  (void)size, (void)context;
  if (!strstr(module->dlpi_name, "/libdispatch.so")) return 0;
  for (int i = 0; i < module->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &module->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
    code_start = module->dlpi_addr + segment->p_vaddr;
    code_end = code_start + segment->p_memsz;
  }
  return 1;
}

int vt_is_dispatch(const void *address) {
  if (!code_end) dl_iterate_phdr(find_code, NULL);
  return (uintptr_t)address >= code_start && (uintptr_t)address < code_end;
}

void dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway) {
  static void (*real)(void *, uint64_t, uint64_t, uint64_t);
  if (!real) real = (void (*)(void *, uint64_t, uint64_t, uint64_t))dlsym(RTLD_NEXT, "dispatch_source_set_timer");
  int is_monitor = vt_is_on() && interval == VT_SECOND && leeway == 0 && vt_is_dispatch(__builtin_return_address(0));
  real(source, is_monitor ? UINT64_MAX : start, interval, leeway);
}

long dispatch_semaphore_wait(void *semaphore, uint64_t timeout) {
  static long (*real)(void *, uint64_t);
  if (!real) real = (long (*)(void *, uint64_t))dlsym(RTLD_NEXT, "dispatch_semaphore_wait");
  // libdispatch itself calls this for nothing but workers that wait for work.
  int is_idle = vt_is_on() && vt_current->is_worker && timeout != 0 && vt_is_dispatch(__builtin_return_address(0));
  return real(semaphore, is_idle ? UINT64_MAX : timeout);
}

// ---- Hangups ----

// On Linux libdispatch treats a hangup (the other end is closed) apart: it deletes the source's registration within the event,
// and a source that cancels itself at the end of a pipe then finds freed memory, or never gets the end at all. Apps are
// for Darwin, where the end is one more readiness, with a size of 0. So a hangup is reported as that here.
//
// epoll reports hangups whatever is asked for, so a descriptor for which libdispatch waits for nothing must stay disarmed:
// a registration of theirs has fired once and is disarmed in the kernel, and the change that only renews that is left out.

enum { MAX_WATCHES = 1024, WAITS = EPOLLIN | EPOLLOUT, HANGUPS = EPOLLHUP | EPOLLERR | EPOLLRDHUP };

typedef struct {
  int fd;
  uint64_t data;
  uint32_t events;
} vt_watch;

static vt_watch watches[MAX_WATCHES];
static int watch_count;

void vt_forget_watch(int fd) {
  for (int i = 0; i < watch_count; i++)
    if (watches[i].fd == fd) {
      watches[i] = watches[--watch_count];
      return;
    }
}

int vt_watch_for_dispatch(int operation, int fd, const struct epoll_event *event) {
  int is_change = operation == EPOLL_CTL_MOD;
  if (is_change && event->events & EPOLLONESHOT && !(event->events & WAITS)) return 0;
  vt_forget_watch(fd);
  if (operation != EPOLL_CTL_DEL && watch_count < MAX_WATCHES)
    watches[watch_count++] = (vt_watch){fd, event->data.u64, event->events & WAITS};
  return 1;
}

void vt_translate_hangups(struct epoll_event *events, int count) {
  for (int i = 0; i < count; i++) {
    if (!(events[i].events & HANGUPS)) continue;
    for (int k = 0; k < watch_count; k++)
      if (watches[k].data == events[i].data.u64 && watches[k].events)
        events[i].events = (events[i].events & ~(uint32_t)HANGUPS) | watches[k].events;
  }
}
