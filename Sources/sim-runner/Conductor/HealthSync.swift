import CoachProtocol
import Link

/// The platform's own synchronisation: brings what the watch saved to the health store on the phone, a while later.
///
/// It belongs to neither app: it goes on whatever becomes of them, and what it brought stays, also where the phone's app
/// has lost everything.
struct HealthSync {
  /// How long an answer of the store takes.
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
  /// In the order of asking, which is that of their instants.
  private var answers: [(at: VirtualTime, frame: Frame)] = []

  /// - Parameter lag: From the watch's saving until the phone can read.
  init(lag: VirtualTime.Span) { self.lag = lag }

  /// When the next answer is there; nil for none.
  var nextAt: VirtualTime? { answers.first?.at }

  /// Whether more answers are on their way than may be.
  var isFlooded: Bool { answers.count > Medium.framesMax }

  /// Takes a workout of the watch, or a query of the phone; what is neither is ignored.
  mutating func take(_ frame: Frame, from role: NodeRole, at now: VirtualTime) {
    switch role {
    case .watch:
      guard let bytes = parts.take(frame), let truth = WorkoutTruth(bytes),
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

  /// The next frame that has reached the phone by now.
  mutating func takeDue(at now: VirtualTime) -> Frame? {
    guard let first = answers.first, first.at <= now else { return nil }
    answers.removeFirst()
    return first.frame
  }
}
