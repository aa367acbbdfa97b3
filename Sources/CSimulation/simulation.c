#include "CSimulation.h"

#include <stdatomic.h>

// In Swift, in WatchConnectivity. Weak, as an app may link WristwireSupport alone.
__attribute__((weak)) int wristwire_session_is_on(void);
__attribute__((weak)) int wristwire_session_record(const char *, size_t, const char *, size_t);

__attribute__((weak)) int wristwire_session_log(const char *, size_t, const char *, size_t, const char *, size_t,
                                                const char *, size_t);

__attribute__((weak)) void wristwire_session_report_stub(const char *, size_t);

static _Atomic(wristwire_act_taker) act_taker;
static _Atomic(wristwire_payload_namer) payload_namer;

int wristwire_simulation_is_on(void) { return wristwire_session_is_on ? wristwire_session_is_on() : 0; }

int wristwire_simulation_record(const char *name, size_t name_count, const char *json, size_t json_count) {
  return wristwire_session_record ? wristwire_session_record(name, name_count, json, json_count) : 0;
}

int wristwire_simulation_log(const char *level, size_t level_count, const char *subsystem, size_t subsystem_count,
                             const char *category, size_t category_count, const char *text, size_t text_count) {
  if (!wristwire_session_log) return 0;
  return wristwire_session_log(level, level_count, subsystem, subsystem_count, category, category_count, text, text_count);
}

void wristwire_simulation_report_stub(const char *name, size_t name_count) {
  if (wristwire_session_report_stub) wristwire_session_report_stub(name, name_count);
}

void wristwire_simulation_set_act_taker(wristwire_act_taker taker) { atomic_store(&act_taker, taker); }

int wristwire_simulation_take_act(const char *name, size_t name_count, const char *json, size_t json_count) {
  wristwire_act_taker taker = atomic_load(&act_taker);
  return taker ? taker(name, name_count, json, json_count) : 0;
}

void wristwire_simulation_set_payload_namer(wristwire_payload_namer namer) { atomic_store(&payload_namer, namer); }

long wristwire_simulation_name_payload(const unsigned char *bytes, size_t count, char *text, size_t size) {
  wristwire_payload_namer namer = atomic_load(&payload_namer);
  return namer ? namer(bytes, count, text, size) : -1;
}
