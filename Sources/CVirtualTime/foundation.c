// Corrections of Foundation on Linux, where it does otherwise than on a device.
//
// `Timer(timeInterval:repeats:block:)` fires for the first time when it is added to a run loop: its first date is that of
// its creation, in place of an interval later. Swift's functions are replaced as C's are, by their symbols.

#include "core.h"
#include "real.h"

#include <dlfcn.h>

#if __has_attribute(swiftcall)

#define VT_SWIFT __attribute__((swiftcall))
#define VT_SELF __attribute__((swift_context))

typedef VT_SWIFT double vt_now_date(void);
typedef VT_SWIFT void *vt_make_timer(
    double date, double interval, unsigned char repeats, void *block, void *context, VT_SELF void *type);

// Timer.init(timeInterval: Double, repeats: Bool, block: @Sendable (Timer) -> ())
VT_SWIFT void *vt_timer(double interval, unsigned char repeats, void *block, void *context, VT_SELF void *type)
    __asm__("$s10Foundation5TimerC12timeInterval7repeats5blockACSd_SbyACYbctcfC");

__attribute__((visibility("default"))) VT_SWIFT void *vt_timer(
    double interval, unsigned char repeats, void *block, void *context, VT_SELF void *type) {
  // Date.init(), and Timer.init(fire: Date, interval: Double, repeats: Bool, block: @Sendable (Timer) -> ())
  static vt_now_date *now;
  static vt_make_timer *make;
  if (!now) now = (vt_now_date *)dlsym(RTLD_DEFAULT, "$s20FoundationEssentials4DateVACycfC");
  if (!make) {
    make = (vt_make_timer *)dlsym(
        RTLD_DEFAULT, "$s10Foundation5TimerC4fire8interval7repeats5blockAC0A10Essentials4DateV_SdSbyACYbctcfC");
  }
  if (!now || !make) abort();
  return make(now() + (vt_is_on() ? interval : 0), interval, repeats, block, context, type);
}

#endif
