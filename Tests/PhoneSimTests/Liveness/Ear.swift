import CoachProtocol
import Link
import PhoneSim

/// A consumer with a driver around it: it hands over arrivals, then fires deadlines, and keeps all lines.
struct Ear {
  var consumer: LiveMetricsConsumer
  var lines: [TraceEvent] = []
  private(set) var now: VirtualTime
  /// The number of the next snapshot that ``hear(_:_:workout:elapsed:)`` makes up.
  private var nextSeq: UInt64 = 1

  init(startedAt seconds: Double = 0) {
    now = Self.time(seconds)
    consumer = LiveMetricsConsumer(startedAt: now)
  }

  /// The moment `seconds` after the start.
  static func time(_ seconds: Double) -> VirtualTime { VirtualTime(nanoseconds: Int64(seconds * 1e9)) }

  /// Lets time pass: every deadline before `seconds` fires at its own moment.
  ///
  /// Those at `seconds` wait for arrivals.
  mutating func pass(to seconds: Double) {
    let then = Self.time(seconds)
    while let deadline = consumer.nextDeadline, deadline < then { fire(at: deadline) }
    now = then
  }

  /// Ends the instant: deadlines at it fire now.
  mutating func settle() {
    while let deadline = consumer.nextDeadline, deadline <= now { fire(at: now) }
  }

  /// Passes to `seconds` and ends that instant without an arrival.
  mutating func wait(until seconds: Double) {
    pass(to: seconds)
    settle()
  }

  private mutating func fire(at moment: VirtualTime) {
    now = moment
    var turn = Turn(at: now, isRecording: true)
    consumer.fire(in: &turn)
    keep(turn)
    // A deadline that fires without being done would fire for ever.
    if let again = consumer.nextDeadline { precondition(again > moment, "the deadline at \(moment) was not done") }
  }

  /// A snapshot arrives at `seconds`, with the next number of the watch's first epoch unless told otherwise.
  @discardableResult
  mutating func hear(
    _ state: WorkoutState, at seconds: Double, workout: Identifier = Workouts.a, sentAt: Int64? = nil,
    epoch: UInt32 = 1, seq: UInt64? = nil, isDuplicate: Bool = false, elapsed: Double? = nil
  ) -> LiveMetricsConsumer.Outcome {
    pass(to: seconds)
    let number = seq ?? nextSeq
    nextSeq = max(nextSeq, number + 1)
    let snapshot = LiveMetrics(
      workoutId: workout, sentAt: WatchTime(nanoseconds: sentAt.map { $0 * 1_000_000_000 } ?? now.nanoseconds),
      elapsed: elapsed ?? seconds, distance: (elapsed ?? seconds) * 3, state: state)
    var turn = Turn(at: now, isRecording: true)
    let outcome = consumer.receiveSnapshot(
      snapshot, epoch: Epoch(epoch), seq: SequenceNumber(number), isDuplicateFromSession: isDuplicate, in: &turn)
    keep(turn)
    return outcome
  }

  /// An event of the queue arrives at `seconds`.
  @discardableResult
  mutating func deliver(_ event: RunUpdate, at seconds: Double) -> LiveMetricsConsumer.Outcome {
    pass(to: seconds)
    var turn = Turn(at: now, isRecording: true)
    let outcome = consumer.receiveEvent(event, in: &turn)
    keep(turn)
    return outcome
  }

  /// The phone asks for a workout at `seconds`.
  @discardableResult
  mutating func command(_ workout: Identifier, at seconds: Double) -> LiveMetricsConsumer.Outcome {
    pass(to: seconds)
    var turn = Turn(at: now, isRecording: true)
    let outcome = consumer.startWorkout(runId: workout, in: &turn)
    keep(turn)
    return outcome
  }

  /// The phone is dead until `seconds`, and goes on from its store: nothing fires while it is away.
  mutating func restart(at seconds: Double) {
    now = Self.time(seconds)
    consumer = LiveMetricsConsumer(restoring: consumer.record, startedAt: now)
  }

  /// The phone is suspended until `seconds`: nothing fires while it is away.
  mutating func resume(at seconds: Double) {
    now = Self.time(seconds)
    consumer.phoneResumed(at: now)
  }

  private mutating func keep(_ turn: Turn) {
    for case .event(let event) in turn.items { lines.append(event) }
  }

  /// The lines whose name begins with `prefix`, as "seconds name what": what is the state, reason or why.
  func story(_ prefix: String = "") -> [String] {
    lines.filter { $0.name.text.hasPrefix(prefix) }.map { line in
      let what = (line["to"] ?? line["reason"] ?? line["why"])?.text
      return "\(Double(line.time.nanoseconds) / 1e9) \(line.name.text)" + (what.map { " \($0)" } ?? "")
    }
  }
}
