import Link
import PhoneSim

/// Rows of the phone's start handshake.
extension InspectedDevice {
  /// Adds the unanswered start, the watch's orders about other runs, and the phone's own tracker; empty in a phone that
  /// never requested a run.
  mutating func addStart(_ start: PhoneStartHandshake) {
    sections.append(
      Section(
        name: "starting",
        rows: start.asking.map { request in
          [
            [
              JSONMember("runId", .string(request.runId.text)),
              JSONMember("firstAskedAt", .plain((request.firstAskedAt - .start).seconds)),
              JSONMember("askedAt", .plain((request.askedAt - .start).seconds)),
              JSONMember("attempt", .integer(Int64(request.attempt))),
            ]
          ]
        } ?? []))
    sections.append(
      Section(
        name: "startsAsked",
        rows: start.runs.map { run in
          [
            JSONMember("runId", .string(run.runId.text)), JSONMember("fate", .string(run.fate.rawValue)),
            JSONMember("toldAt", run.orderedAt.map { .plain(($0 - .start).seconds) } ?? .null),
          ]
        }))
    sections.append(
      Section(
        name: "phoneTracker",
        rows: start.tracker.map { tracker in
          [
            [
              JSONMember("runId", .string(tracker.runId.text)),
              JSONMember("startedAt", .plain((tracker.startedAt - .start).seconds)),
              JSONMember("endedAt", tracker.endedAt.map { .plain(($0 - .start).seconds) } ?? .null),
            ]
          ]
        } ?? []))
  }
}
