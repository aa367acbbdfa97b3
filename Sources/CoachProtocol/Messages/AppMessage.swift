public import Link

/// All messages between watch and phone, except voice notes, which are files.
///
/// An enum, so that the compiler reports a receiver that lacks a new kind. Fields, channel, encoding and the trace's fields
/// of a kind are in its own file.
public enum AppMessage: Sendable, Equatable {
  case liveMetrics(LiveMetrics)
  case workoutStarted(WorkoutStarted)
  case workoutPaused(WorkoutPaused)
  case workoutResumed(WorkoutResumed)
  case workoutEnded(WorkoutEnded)
  case sessionReport(SessionReport)
  case startWorkout(StartWorkout)
  case startAck(StartAck)
  case startDeclined(StartDeclined)
  case cancelStart(CancelStart)
  case endWorkout(EndWorkout)
  case hapticCue(HapticCue)
  case companionMessageDispatched(CompanionMessageDispatched)
  case findWatch(FindWatch)
  case probe(Probe)

  /// The kinds of messages: `kind` on the wire and in the trace.
  public enum Kind: String, Sendable, CaseIterable {
    case liveMetrics, workoutStarted, workoutPaused, workoutResumed, workoutEnded, sessionReport
    case startWorkout, startAck, startDeclined, cancelStart, endWorkout
    case hapticCue, companionMessageDispatched, findWatch
    case probe
  }

  /// The content and its encoding: a line for each case.
  var body: any AppMessageBody {
    switch self {
    case .liveMetrics(let body): body
    case .workoutStarted(let body): body
    case .workoutPaused(let body): body
    case .workoutResumed(let body): body
    case .workoutEnded(let body): body
    case .sessionReport(let body): body
    case .startWorkout(let body): body
    case .startAck(let body): body
    case .startDeclined(let body): body
    case .cancelStart(let body): body
    case .endWorkout(let body): body
    case .hapticCue(let body): body
    case .companionMessageDispatched(let body): body
    case .findWatch(let body): body
    case .probe(let body): body
    }
  }

  public var kind: Kind {
    // Sent every second, and its content is large.
    if case .liveMetrics = self { .liveMetrics } else { type(of: body).kind }
  }

  /// The channel it is sent by.
  ///
  /// A start is sent by `applicationContext` if the watch is unreachable, and so is its cancellation.
  public var channel: Channel { if case .liveMetrics = self { LiveMetrics.channel } else { type(of: body).channel } }

  /// The fields of a transfer's trace event, from `kind` on.
  public var eventDetails: TransferDetails {
    var details = TransferDetails()
    details.kind = kind.rawValue
    body.describe(in: &details)
    return details
  }
}

extension AppMessage.Kind {
  /// The types that define the kinds, in the order of the cases.
  private static let bodies: [any AppMessageBody.Type] = [
    LiveMetrics.self,
    WorkoutStarted.self,
    WorkoutPaused.self,
    WorkoutResumed.self,
    WorkoutEnded.self,
    SessionReport.self,
    StartWorkout.self,
    StartAck.self,
    StartDeclined.self,
    CancelStart.self,
    EndWorkout.self,
    HapticCue.self,
    CompanionMessageDispatched.self,
    FindWatch.self,
    Probe.self,
  ]
  private static let bodiesByKind = Dictionary(uniqueKeysWithValues: bodies.map { ($0.kind, $0) })

  /// The type that defines the kind.
  var body: any AppMessageBody.Type {
    guard let body = Self.bodiesByKind[self] else { preconditionFailure("\(self) is missing in bodies") }
    return body
  }

  /// The channel it is sent by.
  public var channel: Channel { body.channel }

  /// A message of the kind with every field set, for reference pages and tests.
  public var example: AppMessage { body.example.message }
}
