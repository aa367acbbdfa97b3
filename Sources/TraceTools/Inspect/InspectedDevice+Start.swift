import Console
import Link
import PhoneSim

/// Rows of the phone's start handshake.
extension InspectedDevice {
  /// Adds the unanswered start, the watch's orders about other runs, and the phone's own tracker; empty in a phone that
  /// never requested a run.
  mutating func addStart(_ start: PhoneStartHandshake) {
    add("starting", [start.asking].compactMap(\.self)) { request in
      [
        "runId": .string(request.runId.text), "firstAskedAt": .seconds(request.firstAskedAt - .start),
        "askedAt": .seconds(request.askedAt - .start), "attempt": .count(request.attempt),
      ]
    }
    add("startsAsked", start.runs) { run in
      [
        "runId": .string(run.runId.text), "fate": .string(run.fate.rawValue), "toldAt": Self.seconds(run.orderedAt),
      ]
    }
    add("phoneTracker", [start.tracker].compactMap(\.self)) { tracker in
      [
        "runId": .string(tracker.runId.text), "startedAt": .seconds(tracker.startedAt - .start),
        "endedAt": Self.seconds(tracker.endedAt),
      ]
    }
  }
}
