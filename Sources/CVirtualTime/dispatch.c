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
