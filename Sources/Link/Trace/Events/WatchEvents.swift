/// The event `command.dropped`.
public struct CommandDropped: DeviceEvent {
  public static let name: TraceEvent.Name = "command.dropped"
  public static let about = "A command of the scenario meets a device whose app is down."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var target: NodeRole = .watch
  public var kind: String = ""
  public var why: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("target", &target, "the device")
    fields.field("kind", &kind, "the command")
    fields.field("why", &why, "the device's app was down")
  }
}

/// The event `command.refused`.
public struct CommandRefused: TraceEventKind {
  public static let name: TraceEvent.Name = "command.refused"
  public static let about = "A command of the scenario cannot be done."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var kind: String = ""
  public var why: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("kind", &kind, "the command")
    fields.field("why", &why, "why not")
  }
}

/// The event `ghost.snapshot`.
public struct GhostSnapshotPublished: TraceEventKind {
  public static let name: TraceEvent.Name = "ghost.snapshot"
  public static let about =
    "As `snapshot`: a message of a leftover workout session, from the scenario's `ghost`. A `transfer.queued` of such a session has `ghost`, its workout, after `kind`."
  public static let places: TraceEvent.Writers = [.init(.watch)]

  public var metrics = SnapshotMetrics()

  public init() {}
  public var body: EventBody { .ghostSnapshot(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.ghostSnapshot(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    metrics.visit(&fields)
  }
}

/// The event `haptic`.
public struct HapticPlayed: TraceEventKind {
  public static let name: TraceEvent.Name = "haptic"
  public static let about = "The watch taps."
  public static let places: TraceEvent.Writers = [.init(.watch)]

  public var kind: String = ""
  public var message: String?

  public init() {}
  public var body: EventBody { .haptic(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.haptic(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("kind", &kind, "which one")
    fields.field("message", &message, "the message that it accompanies")
  }
}

/// The event `haptic.void`.
public struct HapticVoid: TraceEventKind {
  public static let name: TraceEvent.Name = "haptic.void"
  public static let about = "A tap older than 10 s is not played."
  public static let places: TraceEvent.Writers = [.init(.watch)]

  public var kind: String = ""
  public var sentAt: Int64 = 0

  public init() {}
  public var body: EventBody { .hapticVoid(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("kind", &kind, "which one")
    fields.field("sentAt", &sentAt, "when the phone sent it")
  }
}

/// The event `health.saved`.
public struct HealthSaved: TraceEventKind {
  public static let name: TraceEvent.Name = "health.saved"
  public static let about = "The watch saves the workout in its health store."
  public static let places: TraceEvent.Writers = [.init(.watch)]

  public var workout: Identifier = .none
  public var aarcRunId: Identifier = .none
  public var distance: Double = 0
  public var duration: Double = 0
  public var samples: Int64 = 0
  public var splits: Int64 = 0

  public init() {}
  public var body: EventBody { .healthSaved(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.healthSaved(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workout", &workout, "its UUID in the health store")
    fields.field("aarcRunId", &aarcRunId, "the workout's id")
    fields.number("distance", &distance, places: 2, "in metres")
    fields.number("duration", &duration, places: 3, "in seconds, without pauses")
    fields.field("samples", &samples, "how many samples")
    fields.field("splits", &splits, "how many splits")
  }
}

/// The fields of a snapshot: plain values without references, since checkers copy them every second.
public struct SnapshotMetrics: Sendable, Equatable {
  public var epoch: Int64 = 0
  public var seq: Int64 = 0
  public var workoutId: Identifier = .none
  public var sentAt: Int64 = 0
  public var elapsed: Double = 0
  public var distance: Double = 0
  public var currentPaceSecPerKm: Double?
  public var avgPaceSecPerKm: Double?
  public var currentHR: Int64?
  public var energyKcal: Double = 0
  public var cadence: Int64?
  public var lastSplit: Split?
  public var state: WorkoutState = .preparing

  public init() {}

  /// Visits the fields in the order of the trace.
  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("epoch", &epoch, "the watch's epoch")
    fields.field("seq", &seq, "its number")
    fields.field("workoutId", &workoutId, "the workout")
    fields.field("sentAt", &sentAt, "when it was published")
    fields.number("elapsed", &elapsed, places: 3, "seconds of the workout, without pauses")
    fields.number("distance", &distance, places: 2, "in metres")
    fields.number("currentPaceSecPerKm", &currentPaceSecPerKm, places: 2, "the pace now")
    fields.number("avgPaceSecPerKm", &avgPaceSecPerKm, places: 2, "the pace so far")
    fields.field("currentHR", &currentHR, "the heart rate")
    fields.number("energyKcal", &energyKcal, places: 1, "the energy")
    fields.field("cadence", &cadence, "steps per minute")
    fields.field("lastSplit", &lastSplit, "`{\"kmIndex\",\"durationSeconds\",\"paceSecPerKm\",\"avgHeartRate\"?}`")
    fields.field("state", &state, "the workout's state")
  }
}

/// The event `snapshot`.
public struct SnapshotPublished: TraceEventKind {
  public static let name: TraceEvent.Name = "snapshot"
  public static let about = "The watch publishes a snapshot, whether the phone is reachable or not."
  public static let places: TraceEvent.Writers = [.init(.watch)]

  public var metrics = SnapshotMetrics()

  public init() {}
  public var body: EventBody { .snapshot(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.snapshot(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    metrics.visit(&fields)
  }
}

/// One completed kilometre.
public struct Split: EventValue, FieldRecord {
  /// Counted from 1.
  public var kmIndex = 1
  /// Seconds without pauses, three decimals.
  public var durationSeconds = 0.0
  /// Seconds per kilometre, two decimals.
  public var paceSecPerKm = 0.0
  /// Mean in beats per minute; nil without readings.
  public var avgHeartRate: Int?

  public init() {}

  public init(kmIndex: Int, durationSeconds: Double, paceSecPerKm: Double, avgHeartRate: Int? = nil) {
    self.kmIndex = kmIndex
    self.durationSeconds = durationSeconds
    self.paceSecPerKm = paceSecPerKm
    self.avgHeartRate = avgHeartRate
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("kmIndex", &kmIndex, in: 1...1_000_000, "counted from 1")
    fields.number("durationSeconds", &durationSeconds, in: 0...1e9, places: 3, "without pauses")
    fields.number("paceSecPerKm", &paceSecPerKm, in: 0...1e9, places: 2, "its pace")
    fields.field("avgHeartRate", &avgHeartRate, in: 1...1_000, "its mean heart rate")
  }

  /// Reads an object of a line; nil unless its numbers are those of a run.
  public init?(traceValue value: TraceValue) {
    guard case .json(let text) = value, let fields = [TraceEvent.Field](object: text) else { return nil }
    self.init(fields)
  }

  public var traceValue: TraceValue { .json(fields.objectText) }

  public static var shape: EventFieldShape { .json }
}

/// The event `start.accepted`.
public struct StartAccepted: TraceEventKind {
  public static let name: TraceEvent.Name = "start.accepted"
  public static let about = "The watch accepts the phone's start."
  public static let places: TraceEvent.Writers = [.init(.watch)]

  public var runId: Identifier = .none

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
  }
}

/// The event `workout.position`.
public struct WorkoutPositioned: TraceEventKind {
  public static let name: TraceEvent.Name = "workout.position"
  public static let about =
    "The runner's position on the recorded route, at whole seconds of the workout, at most once a second, before the `snapshot` of that second. Only in runs of a recorded workout with a route."
  public static let places: TraceEvent.Writers = [.init(.watch)]

  public var workoutId: Identifier = .none
  public var latitude: Double = 0
  public var longitude: Double = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the workout")
    fields.number("latitude", &latitude, places: 7, "in degrees (WGS 84), seven decimals")
    fields.number("longitude", &longitude, places: 7, "in degrees (WGS 84), seven decimals")
  }
}

/// The state of a workout.
public enum WorkoutState: UInt8, Sendable, EventWord {
  case preparing, running, paused, ended

  /// The name on the wire and in the trace.
  public var text: String {
    switch self {
    case .preparing: "preparing"
    case .running: "running"
    case .paused: "paused"
    case .ended: "ended"
    }
  }

  /// Reads a name; nil for an unknown one.
  public init?(text: String) {
    guard let found = Self.allCases.first(where: { $0.text == text }) else { return nil }
    self = found
  }
}

/// The event `workout.state`.
public struct WorkoutStateChanged: TraceEventKind {
  public static let name: TraceEvent.Name = "workout.state"
  public static let about = "The workout's state changes."
  public static let places: TraceEvent.Writers = [.init(.watch)]

  public var workoutId: Identifier = .none
  public var from: String?
  public var to: String = ""
  public var cause: String = ""
  public var sport: String?
  public var openWater: Bool?

  public init() {}
  public var body: EventBody { .workoutState(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.workoutState(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the workout")
    fields.nullable("from", &from, "preparing, running, paused; null at the beginning")
    fields.field("to", &to, "preparing, running, paused, ended")
    fields.field("cause", &cause, "scenario, source, command, duration")
    fields.field(
      "sport", &sport,
      "at the beginning of a recorded workout, as the file names it, or `unknown` if it names none; of a model, its discipline. Without this field the workout is a run"
    )
    fields.field("openWater", &openWater, "true at the beginning of a swim that is not in a pool")
  }
}
