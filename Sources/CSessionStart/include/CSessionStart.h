// Starts an app's session before its `main`, where the process runs in virtual time: no code of the app then sees a
// clock of another instant.

#ifndef CSESSIONSTART_H
#define CSESSIONSTART_H

/// By which the runner recognizes a program that joins a run in virtual time.
extern const char wristwire_session_marker[];

#endif
