import CoachProtocol
import Link

/// The platform's sync: after a lag it brings workouts that the watch saved to the health store on the phone.
///
/// Independent of both apps: it continues whatever happens to them, and synced workouts stay even if the phone's app
/// loses everything.
struct HealthSync {
  /// The latency of the store's answers.
  static let latency = VirtualTime.Span.milliseconds(20)

  private struct Workout {
    var truth: [UInt8]
    var head: HealthWorkout
    /// When the phone's store has it.
    var isReadableAt: VirtualTime
  }

  private let lag: VirtualTime.Span
  private var workouts: [Workout] = []
  private var parts = HealthFrames.Assembly()
  /// In the order of the queries, which is that of their instants.
  private var answers: [(at: VirtualTime, frame: Frame)] = []

  /// - Parameter lag: From the watch's saving until the phone can read.
  init(lag: VirtualTime.Span) { self.lag = lag }

  /// When the next answer is ready; nil for none.
  var nextAt: VirtualTime? { answers.first?.at }

  /// Whether there are too many pending answers.
  var isFlooded: Bool { answers.count > Medium.framesMax }

  /// Receives a workout from the watch, or a query from the phone; anything else is ignored.
  mutating func receive(_ frame: Frame, from role: NodeRole, at now: VirtualTime) {
    switch role {
    case .watch:
      guard let bytes = parts.append(frame), let truth = WorkoutTruth(bytes),
        !workouts.contains(where: { $0.head.uuid == truth.workout.uuid })
      else { return }
      workouts.append(Workout(truth: bytes, head: truth.workout, isReadableAt: now + lag))
    case .phone:
      guard let query = HealthQuery(frame.payload) else { return }
      answer(query, to: frame, at: now)
    case .edge: break
    }
  }

  private mutating func answer(_ query: HealthQuery, to frame: Frame, at now: VirtualTime) {
    let at = now + Self.latency
    let readable = workouts.filter { $0.isReadableAt <= at }
    var bytes = query.bytes
    switch query {
    case .all: for workout in readable { bytes += workout.truth.prefix(HealthWorkout.headBytes) }
    case .workout(let uuid): bytes += readable.first { $0.head.uuid == uuid }?.truth ?? []
    case .run(let runId): bytes += readable.first { $0.head.aarcRunId == runId }?.truth ?? []
    }
    for part in HealthFrames.make(.reply, about: frame.transfer, epoch: frame.epoch, bytes) {
      answers.append((at, part))
    }
  }

  /// Removes and returns the next frame for the phone that is due.
  mutating func popDue(at now: VirtualTime) -> Frame? {
    guard let first = answers.first, first.at <= now else { return nil }
    answers.removeFirst()
    return first.frame
  }
}
