#include "CSessionStart.h"

#include <dlfcn.h>
#include <stdlib.h>

// Sources/Simulator/Run/UserProgram.swift looks for these bytes. The constructor reads them, as a linker that drops unused
// sections, which a release build asks for, would drop them otherwise.
const char wristwire_session_marker[] = "wristwire.session/virtual-time";

// In Swift. Weak, as a program may link this file and not the session.
__attribute__((weak)) void wristwire_session_start(void);

__attribute__((constructor)) static void start(void) {
  const volatile char *marker = wristwire_session_marker;
  // Both are there only in a process that a run has started with the library preloaded.
  if (*marker && wristwire_session_start && getenv("WRISTWIRE_VT_CONTROLLED") && dlsym(RTLD_DEFAULT, "wwvt_hold"))
    wristwire_session_start();
}
