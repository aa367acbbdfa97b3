import CoachProtocol
import Link

extension PhoneStartHandshake {
  /// The handshake as an object for the store: equal handshakes give equal members.
  static let schema = ObjectSchema(
    "PhoneStartHandshake", "Requested starts.", PhoneStartHandshake(),
    [
      Field("count", \.count, .integer(0...(1 << 48)), "of starts ever requested", .required),
      Field("asking", \.asking, .object(Request.schema), "the unanswered start"),
      Field("runs", \.runs, .array(of: .object(Run.schema), count: 0...runsMax), "runs with an order")
        .omittedAtDefault,
      Field("tracker", \.tracker, .object(PhoneTracker.schema), "the phone's own"),
    ]
  ) { handshake, _ in
    handshake.refreshListening()
    return true
  }
}

extension PhoneStartHandshake.Request {
  fileprivate static let schema = ObjectSchema(
    "Request", "An unanswered start.", Self(runId: .blank, firstAskedAt: .start, askedAt: .start, attempt: 1),
    [
      Field("runId", \.runId, .identifier, "the run", .required),
      Field("firstAskedAt", \.firstAskedAt, .nanosecondsOfRun, "when", .required),
      Field("askedAt", \.askedAt, .nanosecondsOfRun, "when it was last asked for", .required),
      Field("attempt", \.attempt, .integer(1...2), "which one", .required),
    ])
}

extension PhoneStartHandshake.Run {
  fileprivate static let schema = ObjectSchema(
    "Run", "A run with an order.", Self(runId: .blank, fate: .known),
    [
      Field("runId", \.runId, .identifier, "the run", .required),
      Field("fate", \.fate, .word, "what the watch must do about it", .required),
      Field("toldAt", \.orderedAt, .nanosecondsOfRun, "when the watch was last ordered"),
    ])
}

extension PhoneTracker {
  fileprivate static let schema = ObjectSchema(
    "PhoneTracker", "The phone's own tracker.", Self(runId: .blank, startedAt: .start),
    [
      Field("runId", \.runId, .identifier, "the run", .required),
      Field("startedAt", \.startedAt, .nanosecondsOfRun, "by the phone's timers", .required),
      Field("endedAt", \.endedAt, .nanosecondsOfRun, "absent while it is on"),
    ])
}

extension ValueSchema where Value == VirtualTime {
  fileprivate static var nanosecondsOfRun: Self {
    ValueSchema<Int64>.nanoseconds.map(
      reading: { number, _ in VirtualTime(nanoseconds: number) }, writing: \.nanoseconds)
  }
}
