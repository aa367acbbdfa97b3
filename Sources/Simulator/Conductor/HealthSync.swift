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
  /// The query of a phone that wants to know of each new workout, if any.
  private var observer: Frame?
  /// When the next workout is readable of which the observer does not know, if any.
  private var tellsAt: VirtualTime?
  /// In the order of the queries, which is that of their instants.
  private var answers: [(at: VirtualTime, frame: Frame)] = []

  /// - Parameter lag: From the watch's saving until the phone can read.
  init(lag: VirtualTime.Span) { self.lag = lag }

  /// When the next answer is ready, if any.
  var nextAt: VirtualTime? { [answers.first?.at, tellsAt].compactMap(\.self).min() }

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
      if observer != nil { tellsAt = tellsAt ?? now + lag }
    case .phone:
      guard let query = HealthQuery(frame.payload) else { return }
      if query == .observed { observer = frame }
      answer(query, to: frame, at: now + Self.latency)
    case .edge: break
    }
  }

  private mutating func answer(_ query: HealthQuery, to frame: Frame, at: VirtualTime) {
    let readable = workouts.filter { $0.isReadableAt <= at }
    var bytes = query.bytes
    switch query {
    case .observed:
      for workout in readable { bytes += workout.truth.prefix(HealthWorkout.headBytes) }
      tellsAt = workouts.lazy.map(\.isReadableAt).first { $0 > at }
    case .all: for workout in readable { bytes += workout.truth.prefix(HealthWorkout.headBytes) }
    case .workout(let uuid): bytes += readable.first { $0.head.uuid == uuid }?.truth ?? []
    case .run(let runId): bytes += readable.first { $0.head.aarcRunId == runId }?.truth ?? []
    }
    let parts = HealthFrames.make(.reply, about: frame.transfer, epoch: frame.epoch, bytes).map { (at, $0) }
    answers.insert(contentsOf: parts, at: answers.firstIndex { $0.at > at } ?? answers.count)
  }

  /// Removes and returns the next frame for the phone that is due.
  mutating func popDue(at now: VirtualTime) -> Frame? {
    if let at = tellsAt, at <= now, let observer { answer(.observed, to: observer, at: now) }
    guard let first = answers.first, first.at <= now else { return nil }
    answers.removeFirst()
    return first.frame
  }
}
