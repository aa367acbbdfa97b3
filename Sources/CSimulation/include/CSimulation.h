// Between WristwireSupport, which an app calls, and the session of WatchConnectivity, which may not be linked.
//
// Either side may be missing: then a fact is refused, and no act is taken. Texts are UTF-8 with a length, without an end.

#ifndef WRISTWIRE_SIMULATION_H
#define WRISTWIRE_SIMULATION_H

#include <stddef.h>

/// Takes an act: returns 1 where a handler of its name is registered, which is then called later, and 0 otherwise.
typedef int (*wristwire_act_taker)(const char *name, size_t name_count, const char *json, size_t json_count);

/// Names a payload: writes at most `size` bytes and returns how many the name has; -1 for no name, -2 for an error, whose
/// text is then written, ended by a zero byte.
typedef long (*wristwire_payload_namer)(const unsigned char *bytes, size_t count, char *text, size_t size);

/// Whether a session is linked that is part of a run.
int wristwire_simulation_is_on(void);

/// Hands a fact to the session. Returns 1 if it was taken, 0 outside a run.
int wristwire_simulation_record(const char *name, size_t name_count, const char *json, size_t json_count);

/// Hands a line of the app's log to the session: its level (debug, info, notice, error or fault), subsystem and category,
/// either of which may be empty, and text. Returns 1 if it was taken, 0 outside a run.
int wristwire_simulation_log(const char *level, size_t level_count, const char *subsystem, size_t subsystem_count,
                             const char *category, size_t category_count, const char *text, size_t text_count);

/// Reports a call of a stub, once for each name, as a finding of the run. No effect outside a run.
void wristwire_simulation_report_stub(const char *name, size_t name_count);

/// Sets who takes acts: the app's side.
void wristwire_simulation_set_act_taker(wristwire_act_taker taker);

/// Hands an act to the app. Returns 1 if a handler takes it.
int wristwire_simulation_take_act(const char *name, size_t name_count, const char *json, size_t json_count);

/// Sets who names payloads: the app's side; NULL for none.
void wristwire_simulation_set_payload_namer(wristwire_payload_namer namer);

/// Names a payload as `wristwire_payload_namer` does; -1 where the app names none.
long wristwire_simulation_name_payload(const unsigned char *bytes, size_t count, char *text, size_t size);

#endif
