// Looks up the functions of libc that this library replaces.

#include "real.h"

#include <dlfcn.h>

vt_real_functions vt_real;

void vt_load_real_functions(void) {
#define VT_LOAD(name) vt_real.name = (__typeof__(vt_real.name))dlsym(RTLD_NEXT, #name);
  VT_THREAD_FUNCTIONS(VT_LOAD)
  VT_LOCK_FUNCTIONS(VT_LOAD)
  VT_TIME_FUNCTIONS(VT_LOAD)
  VT_FD_FUNCTIONS(VT_LOAD)
  VT_OTHER_FUNCTIONS(VT_LOAD)
  VT_LOAD(arc4random)
  VT_LOAD(arc4random_uniform)
  VT_LOAD(arc4random_buf)
#undef VT_LOAD
}
