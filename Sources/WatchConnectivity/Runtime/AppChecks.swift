import Link

/// The checks of a scenario that only the app's own process can make: late queues, and error handlers that are never called.
struct AppChecks: Sendable, Equatable {
  /// How long a callback or the main queue may be held; nil if it is not checked.
  var stallMax: VirtualTime.Span?
  /// Whether error handlers that are not called are findings.
  var hasOwed = false

  /// How long a failed message may wait for its error handler, which other callbacks may delay.
  static let patience = VirtualTime.Span.seconds(5)

  init() {}

  /// Reads the `checks` of a welcome; members that it does not know are for the conductor.
  init(_ reader: JSONObjectReader) {
    stallMax = reader.object("noMainThreadStall") { $0.duration("longerThan") } ?? nil
    hasOwed = reader.value("owedIsSaid") != nil
  }
}

/// The state of the checks while the app runs.
struct CheckedWork: Sendable {
  /// Work that began and has not ended.
  struct Open: Sendable {
    var name: String
    var since: VirtualTime
  }

  /// The callback that the session's queue runs now, if any.
  var callback: Open?
  /// The work that occupies the main queue; nil if it is free.
  var main: Open?
  /// Failed messages whose error handlers have not been called, by number.
  var owed: [UInt64: Open] = [:]
  var owedCount: UInt64 = 0
  /// When the run reached its end, from which on the app's timers stay still; nil before.
  var endsAt: VirtualTime?
}
